// Questions to the records: each has one answer, which carries its number.

/** @typedef {import('./types.js').Message} Message */

/**
 * @typedef {object} Questions
 * @property {(message: Message) => Promise<any>} put its answer; rejected with the server's `failed`
 * @property {(message: Message) => boolean} receive whether it was an answer
 * @property {() => void} up there is a connection again: what waits is asked once more
 */

/** @param {(message: Message) => boolean} send @returns {Questions} */
export function createQuestions(send) {
  let last = 0;
  /** @type {Map<number, {message: Message, answered: (answer: any) => void, refused: (failed: Message) => void}>} */
  const waiting = new Map();
  return {
    put: (message) =>
      new Promise((answered, refused) => {
        last += 1;
        const asked = { ...message, ask: last };
        waiting.set(last, { message: asked, answered, refused });
        send(asked);
      }),
    receive(message) {
      const ask = Number(message['ask'] ?? 0);
      const question = waiting.get(ask);
      if (!question) return ask > 0;
      waiting.delete(ask);
      if (message.t === 'failed') question.refused(message);
      else question.answered(message);
      return true;
    },
    up() {
      for (const { message } of waiting.values()) send(message);
    },
  };
}
