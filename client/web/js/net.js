// The socket: says hello, comes back after a break with growing pauses, and hands over messages.

import { utcOffset } from './today.js';

/** @typedef {import('./types.js').Message} Message */

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 8000;
const PING_EVERY = 5000;
/** No word for so long: the line is dead, whatever the browser believes. */
const SILENCE = 15000;
/** The server stops: it serves for a second more, and its players do not all go in the same moment. */
const LEAVE_IN = 300;
/** Its store is away for so long: another server may be better off. */
const AWAY = 3000;
/** Close code of a server that restarts. */
const RESTARTING = 1012;

/**
 * @typedef {object} Net
 * @property {(message: Message) => boolean} send false while there is no connection
 * @property {() => void} wake try at once instead of waiting for the pause to end
 * @property {() => void} again leave this server for another, in a while: it cannot serve what was asked
 * @property {() => void} restart begin a new connection, with the identity as it is now
 * @property {() => void} close
 */

/**
 * @param {object} with_
 * @param {string} with_.url
 * @param {() => Record<string, string>} with_.identity what hello says
 * @param {(message: Message) => void} with_.onMessage every message, `welcome` too
 * @param {(up: boolean, tries: number) => void} with_.onLine
 * @returns {Net}
 */
export function createNet({ url, identity, onMessage, onLine }) {
  /** @type {WebSocket | null} */
  let socket = null;
  let tries = 0;
  let heard = 0;
  let open = false;
  let closed = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let leaving;

  function connect() {
    clearTimeout(timer);
    if (closed || socket) return;
    const line = new WebSocket(url, 'ds.json.v1');
    socket = line;
    line.onopen = () => {
      heard = performance.now();
      line.send(JSON.stringify({ t: 'hello', ...identity(), offset: utcOffset() }));
    };
    line.onmessage = ({ data }) => {
      heard = performance.now();
      const message = /** @type {Message} */ (JSON.parse(data));
      if (message.t === 'welcome') {
        open = true;
        tries = 0;
        onMessage(message);
        onLine(true, 0);
      } else {
        if (message.t === 'notice') noticed(line, message.what);
        onMessage(message);
      }
    };
    line.onclose = ({ code }) => lost(line, code === RESTARTING && open);
    line.onerror = () => {};
  }

  /** @param {WebSocket} line @param {number} failed tries so far; 0: it was our own wish, and nothing is lost */
  function down(line, failed) {
    if (socket === line) socket = null;
    open = false;
    clearTimeout(leaving);
    leaving = undefined;
    tries = failed;
    onLine(false, tries);
  }

  /** The server stops, or cannot save: its players go elsewhere before they feel it. @param {WebSocket} line @param {string} what */
  function noticed(line, what) {
    if (what === 'available') {
      clearTimeout(leaving);
      leaving = undefined;
    } else if (!leaving) leave(line, what === 'draining' ? LEAVE_IN : AWAY);
  }

  /** @param {WebSocket} line @param {number} within ms */
  function leave(line, within) {
    leaving = setTimeout(() => renew(line), within * (0.2 + Math.random() * 0.8));
  }

  /** @param {WebSocket} line */
  function renew(line) {
    if (socket !== line) return;
    down(line, 0);
    line.close();
    connect();
  }

  /** @param {WebSocket} line @param {boolean} [restarts] another server is there at once */
  function lost(line, restarts = false) {
    if (socket !== line) return;
    down(line, restarts ? 0 : tries + 1);
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.max(0, tries - 1));
    timer = setTimeout(connect, pause * (0.5 + Math.random() / 2));
  }

  const beat = setInterval(() => {
    if (!socket || socket.readyState !== WebSocket.OPEN) return;
    const line = socket;
    if (performance.now() - heard > SILENCE) {
      line.close();
      lost(line); // a dead line's close may take minutes to be told
    } else if (open) line.send(JSON.stringify({ t: 'ping', sent: performance.now() }));
  }, PING_EVERY);

  connect();
  return {
    send(message) {
      if (!open || !socket || socket.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(message));
      return true;
    },
    wake() {
      if (!socket) connect();
    },
    again() {
      if (socket && !leaving) leave(socket, AWAY);
    },
    restart() {
      if (socket) renew(socket);
      else connect();
    },
    close() {
      closed = true;
      clearTimeout(timer);
      clearInterval(beat);
      socket?.close();
    },
  };
}
