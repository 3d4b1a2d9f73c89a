// The socket: says hello, comes back after a break with growing pauses, and hands over messages.

/** @typedef {import('./types.js').Message} Message */

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 8000;
const PING_EVERY = 5000;
/** No word for so long: the line is dead, whatever the browser believes. */
const SILENCE = 15000;

/**
 * @typedef {object} Net
 * @property {(message: Message) => boolean} send false while there is no connection
 * @property {() => void} wake try at once instead of waiting for the pause to end
 * @property {() => void} restart begin a new connection, with the identity as it is now
 * @property {() => void} close
 */

/**
 * @param {object} with_
 * @param {string} with_.url
 * @param {() => {token: string | null, name: string | null}} with_.identity
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

  function connect() {
    clearTimeout(timer);
    if (closed || socket) return;
    const line = new WebSocket(url, 'ds.json.v1');
    socket = line;
    line.onopen = () => {
      heard = performance.now();
      const { token, name } = identity();
      line.send(JSON.stringify({ t: 'hello', ...(token ? { token } : {}), ...(name ? { name } : {}) }));
    };
    line.onmessage = ({ data }) => {
      heard = performance.now();
      const message = /** @type {Message} */ (JSON.parse(data));
      if (message.t === 'welcome') {
        open = true;
        tries = 0;
        onMessage(message);
        onLine(true, 0);
      } else onMessage(message);
    };
    line.onclose = () => lost(line);
    line.onerror = () => {};
  }

  /** @param {WebSocket} line @param {number} failed tries so far; 0: it was our own wish, and nothing is lost */
  function down(line, failed) {
    if (socket === line) socket = null;
    open = false;
    tries = failed;
    onLine(false, tries);
  }

  /** @param {WebSocket} line */
  function lost(line) {
    if (socket !== line) return;
    down(line, tries + 1);
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (tries - 1));
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
    restart() {
      const line = socket;
      if (!line) return connect();
      down(line, 0);
      line.close();
      connect();
    },
    close() {
      closed = true;
      clearTimeout(timer);
      clearInterval(beat);
      socket?.close();
    },
  };
}
