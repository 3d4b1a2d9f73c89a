// Who plays in this browser: the token of his identity, the way to another's, and back.

import { deviceName } from './device_name.js';
import { store } from './store.js';

/** @typedef {import('./types.js').Message} Message */
/** @typedef {import('./store.js').Former} Former */

/** What a link carries: the one-time code. */
const CODE = /^[A-Za-z0-9_-]{22}$/;
/** So many that this browser was before are kept. */
const MOST_FORMER = 5;
/** What the server may say to a hello that is said again in a while. */
const PASSING = ['unavailable', 'internal', 'too_fast'];
/** What the server may say to a code, after which there is no use in bringing it again. */
const FINAL = ['no_such_move', 'move_used', 'move_expired', 'too_many', 'malformed', 'bad_token'];

/** The code of a link, if it is whole. @param {string} hash what follows the address, with its `#` */
export const moveCode = (hash) => (CODE.test(hash.slice(1)) ? hash.slice(1) : null);

/** 32 random bytes, as the server writes its own. */
function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/**
 * @typedef {object} Who
 * @property {() => string} me the identity, as the server names it; empty before the first welcome
 * @property {() => Record<string, string>} hello what to say first on a connection
 * @property {() => void} renamed the name was changed here
 * @property {(message: Message) => void} welcome
 * @property {(code: string) => boolean} failed whether it was about who plays here
 * @property {() => void} dropped this device was taken away
 * @property {(code: string) => void} move become the one whose code this is
 * @property {() => Former[]} former who this browser was before, the last first
 * @property {(token: string) => void} back become one of them again
 */

/**
 * @param {object} with_
 * @param {() => string} with_.name
 * @param {(name: string) => void} with_.adopt this is his name, the server says
 * @param {() => void} with_.leave what goes on as the one before ends
 * @param {() => void} with_.anew a new connection
 * @param {() => void} with_.later a new connection in a while: the server cannot say who this is just now
 * @param {(name: string) => void} with_.came he is here now
 * @param {(code: string) => void} with_.refused the code was not good; all is as it was
 * @param {(name: string, how: 'dropped' | 'unknown') => void} with_.lost the token of `name` leads nowhere; he is a new guest
 * @returns {Who}
 */
export function createWho({ name, adopt, leave, anew, later, came, refused, lost }) {
  let identity = '';
  /** The token and code that are being brought; kept, for a page that is closed in between. */
  let moving = store.moving();
  let token = store.token();
  let renamed = false;
  let back = false;
  /** Whether the hello of this line was answered by a welcome. */
  let greeted = false;

  /** Put him who plays here now aside, with his games. @param {string} next whose token comes */
  function putAside(next) {
    const others = store.former().filter((one) => one.token !== next && one.token !== token);
    const now = token ? [{ token, name: name(), games: store.games() }] : [];
    store.setFormer([...now, ...others].slice(0, MOST_FORMER));
  }

  /** @param {string | null} next @param {import('./store.js').Kept[]} [games] */
  function become(next, games = []) {
    token = next;
    store.setToken(next);
    store.setGames(games);
  }

  return {
    me: () => identity,
    hello() {
      greeted = false;
      const device = deviceName(navigator.userAgent, navigator.maxTouchPoints).slice(0, 40);
      if (moving) return { ...moving, device };
      token = store.token() ?? token;
      /** @type {Record<string, string>} */
      const hello = { device };
      if (token) hello['token'] = token;
      if (name() && (!token || renamed)) hello['name'] = name(); // else another device's new name would be undone
      return hello;
    },
    renamed: () => void (renamed = true),
    welcome(message) {
      identity = message['identity'] ?? '';
      const arrived = moving !== null || back;
      greeted = true;
      if (moving) {
        putAside(moving.token);
        become(moving.token);
        moving = null;
        store.setMoving(null);
      } else if (message['token']) {
        token = message['token'];
        store.setToken(token);
      }
      renamed = back = false;
      adopt(message['name']);
      if (arrived) came(message['name']);
    },
    failed(code) {
      if (!greeted && PASSING.includes(code)) {
        later();
        return true;
      }
      if (moving && FINAL.includes(code)) {
        moving = null;
        store.setMoving(null);
        refused(code);
        anew();
        return true;
      }
      if (code !== 'bad_token') return false;
      const other = store.token();
      if (token && other && other !== token) anew(); // another window has found that out, and is somebody new already
      else {
        const was = name();
        const known = token !== null;
        putAside('');
        become(null);
        if (known) lost(was, 'unknown');
        anew();
      }
      return true;
    },
    dropped() {
      const was = name();
      store.setFormer(store.former().filter((one) => one.token !== token));
      if (store.token() === token) become(null);
      token = store.token();
      leave();
      lost(was, 'dropped');
      anew();
    },
    move(code) {
      moving = { token: newToken(), move: code };
      store.setMoving(moving);
      leave();
      anew();
    },
    former: () => store.former(),
    back(wanted) {
      const found = store.former().find((one) => one.token === wanted);
      if (!found) return;
      putAside(found.token);
      become(found.token, found.games);
      back = true;
      leave();
      anew();
    },
  };
}
