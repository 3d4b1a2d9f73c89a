// How this device is called in the list of devices.

/** The first that fits; an engine's own name stands in the names of many. @type {[string, RegExp][]} */
const BROWSERS = [
  ['Edge', /Edg(?:e|A|iOS)?\//],
  ['Opera', /OPR\/|Opera/],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Vivaldi', /Vivaldi\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrome\/|CriOS\//],
  ['Safari', /Safari\//],
];
/** @type {[string, RegExp][]} */
const SYSTEMS = [
  ['iPhone', /iPhone|iPod/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['ChromeOS', /CrOS/],
  ['Mac', /Macintosh|Mac OS X/],
  ['Linux', /Linux|X11/],
];

/**
 * Browser and system in few words: `Firefox, Linux`. A tablet that gives itself out for a computer is told by its touches.
 * @param {string} agent @param {number} [touches] how many fingers it feels
 */
export function deviceName(agent, touches = 0) {
  const browser = BROWSERS.find(([, mark]) => mark.test(agent))?.[0];
  const system = SYSTEMS.find(([, mark]) => mark.test(agent))?.[0];
  return [browser, system === 'Mac' && touches > 1 ? 'iPad' : system].filter(Boolean).join(', ') || 'Browser';
}
