import assert from 'node:assert/strict';
import test from 'node:test';
import { deviceName } from '../../../client/web/js/device_name.js';
import { moveCode } from '../../../client/web/js/who.js';

const MOZILLA = 'Mozilla/5.0';
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test('a device is called by its browser and its system', () => {
  for (const [agent, touches, name] of /** @type {[string, number, string][]} */ ([
    [`${MOZILLA} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, 0, 'Firefox, Linux'],
    [`${MOZILLA} (X11; Linux x86_64) ${WEBKIT} Chrome/150.0.0.0 Safari/537.36`, 0, 'Chrome, Linux'],
    [`${MOZILLA} (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/150.0.0.0 Safari/537.36 Edg/150.0`, 0, 'Edge, Windows'],
    [`${MOZILLA} (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/150.0.0.0 Safari/537.36 OPR/120.0`, 10, 'Opera, Windows'],
    [`${MOZILLA} (Linux; Android 15; K) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`, 5, 'Samsung Internet, Android'],
    [`${MOZILLA} (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1`, 5, 'Safari, iPhone'],
    [`${MOZILLA} (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/150.0 Mobile/15E148 Safari/604.1`, 5, 'Chrome, iPhone'],
    [`${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15`, 0, 'Safari, Mac'],
    [`${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15`, 5, 'Safari, iPad'],
    [`${MOZILLA} (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/150.0.0.0 Safari/537.36`, 0, 'Chrome, ChromeOS'],
    ['something else', 0, 'Browser'],
    ['', 0, 'Browser'],
  ]))
    assert.equal(deviceName(agent, touches), name);
});

test('a link’s code is taken whole or not at all', () => {
  const code = 'q83vASNFZ4mrze8BI0VniQ';
  assert.equal(moveCode(`#${code}`), code);
  for (const hash of ['', '#', code, `#${code}x`, `#${code.slice(1)}`, `#${code} `, `#${code.slice(1)}%`]) assert.equal(moveCode(hash), null, hash);
});
