// The page of a replay: the felt, a scrubber with its buttons, what just happened in words, and ways to share it.

import { elapsed } from '../clock.js';
import { copy, h, toast } from '../dom.js';
import { currentLanguage, t } from '../i18n.js';
import { createProjector, SPEEDS } from '../replay/projector.js';
import { createReel } from '../replay/reel.js';
import { createScene } from '../replay/scene.js';
import { eventText, playerName, reasonText, refusalText, scoreText } from '../words.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../replay/reel.js').Reel} Reel */

/** Lines of the signs on the buttons. @type {Record<string, string>} */
const SIGNS = {
  first: 'M6 5V19M18 5L9 12L18 19Z',
  back: 'M16 5L7 12L16 19Z',
  play: 'M7 4L19 12L7 20Z',
  pause: 'M8 5V19M16 5V19',
  forward: 'M8 5L17 12L8 19Z',
  last: 'M18 5V19M6 5L15 12L6 19Z',
};

/** @param {string} name */
const sign = (name) => `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${SIGNS[name]}"/></svg>`;

/** @param {string} name @param {string} label @param {() => void} onclick */
const control = (name, label, onclick) =>
  h('button', { type: 'button', class: 'tool', 'data-act': name, 'aria-label': label, title: label, onclick }, h('span', { class: 'icon', html: sign(name) }));

/** Right after the end it may not be there yet: asked for so often, with a pause. */
const TRIES = 4;
const PAUSE = 700;

/** Fetch a replay; throws the server's code. @param {string} match @param {number} [tries] @returns {Promise<any>} */
async function fetchArchive(match, tries = TRIES) {
  const answer = await fetch(`/replays/${encodeURIComponent(match)}.json`);
  const body = await answer.json();
  if (answer.ok) return body;
  if (answer.status !== 404 || tries <= 1) throw new Error(body.code ?? 'unavailable');
  await new Promise((resolve) => setTimeout(resolve, PAUSE));
  return fetchArchive(match, tries - 1);
}

/** What the server's codes mean here. @type {Record<string, string>} */
const FAILURES = { no_such_replay: 'replay.none', not_yet: 'replay.notYet', too_fast: 'replay.tooFast' };

/** @param {App} app @param {string} key */
function failedPanel(app, key) {
  const home = h('button', { type: 'button', class: 'primary', 'data-act': 'home', onclick: () => app.goHome() }, t('common.home'));
  return h('div', { class: 'over on' }, h('div', { class: 'panel', role: 'alert' }, h('h2', {}, t('replay.title')), h('p', {}, t(key)), h('div', { class: 'buttons' }, home)));
}

/** Where the address says to begin: `#120` is the 120th frame. */
const wantedFrame = () => Number(/^#(\d+)$/.exec(location.hash)?.[1] ?? 0);

/** @param {App} app @param {string} match */
export function replayPage(app, match) {
  const el = h('main', { class: 'table replay' }, h('p', { class: 'waiting', role: 'status' }, t('replay.loading')));
  /** @type {ReturnType<typeof viewer> | null} */
  let shown = null;
  let gone = false;
  fetchArchive(match).then(
    (archive) => {
      if (gone) return;
      shown = viewer(app, createReel(archive), archive);
      el.replaceChildren(...shown.parts);
      shown.start();
    },
    (/** @type {Error} */ error) => {
      el.replaceChildren(failedPanel(app, FAILURES[error.message] ?? 'replay.away'));
    },
  );
  return {
    el,
    redraw: () => shown?.draw(),
    destroy() {
      gone = true;
      shown?.destroy();
    },
  };
}

/** The frame in words: what was played, or why it was refused. @param {Reel} reel @param {number} index */
function captionOf(reel, index) {
  const { table } = reel;
  const frame = reel.frames[index];
  if (!frame) return '';
  const at = { table, near: frame.seat ?? 0, foundations: reel.position(index).foundations.length };
  const words = frame.events.map((event) => (event.ev === 'ended' ? reasonText({ winner: null, ...event.outcome }, table) : stepText(event) || eventText(event, at)));
  if (frame.refusal) words.push(t('replay.refused', { why: refusalText(frame.refusal) }));
  const said = words.filter(Boolean).join(' ');
  const ended = frame.events.some((event) => event.ev === 'ended'); // that names its players itself
  return said && !ended && frame.seat !== null && table.players.length > 1 ? `${playerName(table, frame.seat)}: ${said}` : said;
}

/** @param {import('../types.js').GameEvent} event */
function stepText(event) {
  if (event.ev !== 'restored') return '';
  return t(!event.step ? 'replay.deal' : event.step < 0 ? 'replay.undo' : 'replay.redo');
}

/** Names with counts, or score and moves, and the time. @param {Reel} reel @param {number} index */
function factsOf(reel, index) {
  const { table } = reel;
  const p = reel.position(index);
  const time = elapsed(p.tally ? p.tally.played_ms + (p.tally.running_since === null ? 0 : (reel.frames[index]?.at ?? 0) - p.tally.running_since) : reel.since(index));
  if (p.tally) {
    const { score, bonus, moves } = p.tally;
    return [table.terms.scoring === 'none' ? '' : `${t('table.score')} ${scoreText(score + bonus, table.terms.scoring)}`, `${t('table.moves')} ${moves}`, time].filter(Boolean);
  }
  const up = [0, 1].map((deck) => p.foundations.flat().filter((card) => Math.floor(card / 52) === deck).length);
  return [...up.map((count, seat) => `${playerName(table, seat)} ${count}`), time];
}

/** Save the replay as a file. @param {any} archive */
function download(archive) {
  const url = URL.createObjectURL(new Blob([JSON.stringify(archive)], { type: 'application/json' }));
  const link = h('a', { href: url, download: `double-solitaire-${archive.match}.json` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** @param {Reel} reel @param {number} index */
async function share(reel, index) {
  const url = `${location.origin}/replay/${encodeURIComponent(reel.match)}${index ? `#${index}` : ''}`;
  if (navigator.share) {
    try {
      return await navigator.share({ url });
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    }
  }
  return copy(url);
}

/** The line above the felt. @param {App} app @param {Reel} reel @param {any} archive @param {() => number} index */
function barOf(app, reel, archive, index) {
  const { table } = reel;
  const facts = h('div', { class: 'facts', 'data-out': 'facts' });
  const when = new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium' }).format(reel.wallMs);
  const check = table.games.find((game) => game.seed);
  const el = h(
    'header',
    { class: 'bar' },
    h('button', { type: 'button', class: 'tool', 'data-act': 'home', onclick: () => app.goHome() }, t('common.home')),
    h('div', { class: 'what' }, h('strong', {}, t(`variant.${table.terms.type}`)), h('small', {}, when)),
    facts,
    h(
      'div',
      { class: 'buttons' },
      check && h('button', { type: 'button', class: 'quiet', 'data-act': 'check', onclick: () => app.checkDeal(check) }, t('end.check')),
      h('button', { type: 'button', class: 'quiet', 'data-act': 'share', onclick: () => share(reel, index()) }, t('common.share')),
      h('button', { type: 'button', class: 'quiet', 'data-act': 'download', onclick: () => download(archive) }, t('replay.download')),
    ),
  );
  return { el, facts };
}

/** The scrubber and its buttons. @param {Reel} reel @param {ReturnType<typeof createProjector>} projector @param {() => void} draw */
function controlsOf(reel, projector, draw) {
  const { state, last } = projector;
  const range = h('input', { type: 'range', min: '0', max: String(last), value: '0', 'aria-label': t('replay.place'), 'data-out': 'scrubber' });
  range.addEventListener('input', () => projector.go(Number(range.value)));
  const play = control('play', t('replay.play'), () => projector.toggle());
  const speed = h('select', { 'aria-label': t('replay.speed'), name: 'speed' }, ...SPEEDS.map((one) => h('option', { value: String(one), selected: one === 1 }, `${one}×`)));
  speed.addEventListener('change', () => projector.run(Number(speed.value)));
  const game = h('select', { 'aria-label': t('replay.game'), name: 'game' }, ...reel.chapters.map(({ game: n }) => h('option', { value: String(n - 1) }, t('replay.gameNo', { n }))));
  game.addEventListener('change', () => projector.go(reel.chapters[Number(game.value)]?.first ?? 0));
  const open = h('input', { type: 'checkbox', role: 'switch', name: 'open', checked: true });
  open.addEventListener('change', draw);
  const el = h(
    'footer',
    { class: 'reel' },
    range,
    control('first', t('replay.first'), () => projector.go(reel.chapter(state.index).first)),
    control('back', t('replay.back'), () => projector.go(state.index - 1)),
    play,
    control('forward', t('replay.forward'), () => projector.go(state.index + 1)),
    control('last', t('replay.last'), () => projector.go(reel.chapter(state.index).last)),
    speed,
    reel.chapters.length > 1 && game,
    h('label', { class: 'switch' }, open, h('span', {}, t('replay.open'))),
  );
  function refresh() {
    range.value = String(state.index);
    const { game: n } = reel.chapter(state.index);
    game.value = String(n - 1);
    const label = t(state.playing ? 'replay.pause' : 'replay.play');
    play.setAttribute('aria-label', label);
    play.title = label;
    /** @type {HTMLElement} */ (play.firstElementChild).innerHTML = sign(state.playing ? 'pause' : 'play');
    range.setAttribute('aria-valuetext', `${state.index + 1} / ${last + 1}`);
  }
  return { el, refresh, open: () => open.checked };
}

/** Keys: arrows, Home, End, space. @param {ReturnType<typeof createProjector>} projector @param {Reel} reel */
function keysOf(projector, reel) {
  const { state } = projector;
  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowLeft: () => projector.go(state.index - 1),
    ArrowRight: () => projector.go(state.index + 1),
    Home: () => projector.go(reel.chapter(state.index).first),
    End: () => projector.go(reel.chapter(state.index).last),
    ' ': () => projector.toggle(),
  };
  /** @param {KeyboardEvent} event */
  return (event) => {
    const { target } = event;
    const own = target instanceof HTMLSelectElement || target instanceof HTMLButtonElement || target instanceof HTMLInputElement;
    const run = keys[event.key];
    if (!run || event.ctrlKey || event.metaKey || event.altKey || (own && (event.key === ' ' || target instanceof HTMLSelectElement))) return;
    event.preventDefault();
    run();
  };
}

/** @param {App} app @param {Reel} reel @param {any} archive */
function viewer(app, reel, archive) {
  const felt = h('div', { class: 'felt', role: 'img', 'aria-label': t('replay.title') });
  const caption = h('p', { class: 'caption', role: 'status', 'data-out': 'caption' });
  const scene = createScene(felt, reel, app.settings);
  const projector = createProjector(reel, draw);
  const bar = barOf(app, reel, archive, () => projector.state.index);
  const controls = controlsOf(reel, projector, draw);
  const onKey = keysOf(projector, reel);

  function draw() {
    const { index } = projector.state;
    if (reel.frames.length === 0) return toast(t('replay.empty'), 'bad');
    scene.draw(index, controls.open());
    caption.textContent = captionOf(reel, index);
    bar.facts.replaceChildren(...factsOf(reel, index).map((fact) => h('span', {}, fact)));
    felt.dataset.index = String(index);
    controls.refresh();
    return undefined;
  }

  return {
    parts: [bar.el, h('div', { class: 'stage' }, felt, caption), controls.el],
    draw,
    start() {
      window.addEventListener('keydown', onKey);
      window.addEventListener('resize', draw);
      projector.go(wantedFrame());
    },
    destroy() {
      window.removeEventListener('keydown', onKey);
      window.removeEventListener('resize', draw);
      projector.destroy();
      scene.clear();
    },
  };
}
