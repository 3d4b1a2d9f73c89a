// "This Game Can't Be Won": said once, when the server has proven it, and again only after an undo.

import { copy, dialog, h } from '../dom.js';
import { t } from '../i18n.js';
import { store } from '../store.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../types.js').LossProof} LossProof */

/** The command that has it proven again. @param {LossProof} proof */
const commandOf = (proof) => `echo '${proof.question}' | double-solitaire solve`;

/** @param {LossProof} proof */
function proofNode(proof) {
  const seconds = proof.ms < 1 ? '< 0.001' : (proof.ms / 1000).toFixed(proof.ms < 1000 ? 3 : 1);
  const figures = t('lost.searched', { n: proof.states, s: seconds });
  if (!proof.question) return h('p', { class: 'note' }, figures);
  const command = commandOf(proof);
  return h(
    'details',
    { class: 'proof' },
    h('summary', {}, t('lost.proof')),
    h('p', {}, figures),
    h('p', {}, t('lost.again')),
    h('code', { 'data-out': 'proof' }, command),
    h('button', { type: 'button', class: 'quiet', 'data-act': 'copy-proof', onclick: () => copy(command) }, t('common.copy')),
  );
}

/** @param {App} app */
export function createLost(app) {
  /** @type {(() => void) | null} */
  let shut = null;

  function ask() {
    const { table } = app.session.state;
    dialog({
      title: t('lost.title'),
      class: 'small lost',
      body: (close) => {
        shut = close;
        /** @param {string} act @param {string} label @param {() => unknown} run @param {boolean} [main] */
        const button = (act, label, run, main = false) =>
          h('button', { type: 'button', class: main ? 'primary' : 'quiet', 'data-act': act, autofocus: main, onclick: () => (close(), run()) }, label);
        const canUndo = (app.session.view()?.undo_depth ?? 0) > 0;
        return [
          h('p', {}, t('lost.text')),
          table?.proof ? proofNode(table.proof) : null,
          h(
            'div',
            { class: 'buttons' },
            button('lost-new', t('table.newGame'), () => app.newGame()),
            canUndo && button('lost-undo', t('table.undo'), () => app.play({ do: 'undo' })),
            button('lost-keep', t('lost.keep'), () => undefined, true),
          ),
        ];
      },
    }).then(() => (shut = null));
  }

  return {
    /** Say it if it is to be said, and no longer than it holds. */
    refresh() {
      const { table, seat, away } = app.session.state;
      const lost = table?.notice === 'cannot_be_won' && seat !== null && !away;
      if (!lost) return shut?.();
      const what = `${table.match}/${table.restarts}/${app.session.state.position?.tally?.undos ?? 0}`;
      if (shut || store.told() === what) return undefined;
      store.setTold(what);
      return ask();
    },
    destroy: () => shut?.(),
  };
}
