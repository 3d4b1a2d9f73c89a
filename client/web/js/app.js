// The whole page: one connection, one session, the address bar, and the page that fits what is going on.

import { failureText, playerName } from './words.js';
import { createFinder } from './finder.js';
import { createLine } from './line.js';
import { createWho } from './who.js';
import { createNet } from './net.js';
import { createQuestions } from './questions.js';
import { PLACES, partsOf } from './places.js';
import { dress } from './dress.js';
import { minded } from './asleep.js';
import { createSession } from './session.js';
import { byId, closeDialogs, dialog, h, toast } from './dom.js';
import { preferred, t } from './i18n.js';
import { store } from './store.js';
import { writeTerms } from './wire.js';
import { verifyDeal } from './fair.js';
import { readCode } from './codes.js';
import { chooseTerms, homePage } from './pages/home.js';
import { findPanel } from './pages/find.js';
import { helpBody } from './pages/help.js';
import { settingsDialog } from './pages/menu.js';
import { roomPage } from './pages/room.js';
import { tellLost, tellRefused } from './pages/move.js';
import { tablePage } from './pages/table.js';

/** @typedef {import('./types.js').Message} Message */
/** @typedef {import('./types.js').Told} Told */
/** @typedef {import('./types.js').Terms} Terms */
/** @typedef {import('./types.js').Settings} Settings */

/**
 * What the pages may ask for.
 * @typedef {object} App
 * @property {ReturnType<typeof createSession>} session
 * @property {ReturnType<typeof import('./lobby.js').createLobby>} lobby
 * @property {() => Settings} settings
 * @property {() => import('./who.js').Who} who
 * @property {() => string} me this client's identity; empty before the first welcome
 * @property {(change: Partial<Settings>) => void} change
 * @property {(name: string) => void} rename
 * @property {(terms: Terms, bot?: string) => void} create `bot`: against a computer of this level
 * @property {(where: {match?: string, code?: string, watch?: boolean}) => void} join
 * @property {(wish: import('./types.js').Wish) => boolean} play
 * @property {(message: Message) => boolean} send
 * @property {(question: Message) => Promise<any>} question ask the records; their answer
 * @property {(path: string) => void} go to a page of this server by its address
 * @property {() => void} goHome
 * @property {() => void} takeBack
 * @property {(match: string) => void} forget
 * @property {() => void} newGame
 * @property {() => unknown} openSettings
 * @property {() => unknown} openHelp
 * @property {(result: import('./types.js').GameResult) => void} checkDeal
 */

/** @param {HTMLElement} root @param {HTMLElement} word the word about the connection */
export function createApp(root, word) {
  const line = createLine(word);
  let settings = store.settings(preferred(navigator.languages));
  /** @type {Message | null} what to ask for as soon as there is a connection */
  let intent = null;
  /** @type {({kind: string} & import('./places.js').Page) | null} */
  let page = null;
  /** The page with an address of its own that is shown, and what follows in the address. @type {{name: string, rest: string} | null} */
  let place = null;
  /** The match that was seen before its rematch was agreed. */
  let live = '';

  const session = createSession((message) => net.send(message), hear);
  const questions = createQuestions((message) => net.send(message));

  const finder = createFinder({
    app: () => app,
    send: (message) => net.send(message),
    strip: byId('seek'),
    changed: () => page?.hear?.({ kind: 'lobby' }),
  });

  /** @type {App} */
  const app = {
    session,
    lobby: finder.lobby,
    settings: () => settings,
    who: () => who,
    me: () => who.me(),
    change(change) {
      settings = { ...settings, ...change };
      store.setSettings(settings);
      dress(settings);
      if (change.language) show(true);
      else page?.redraw?.();
    },
    rename(name) {
      settings = { ...settings, name };
      store.setSettings(settings);
      who.renamed();
      net.restart();
    },
    create(terms, bot) {
      const { table, position, seat } = session.state;
      const alone = table && position?.tally && !position.outcome && seat !== null && !table.terms.daily;
      ask({ t: 'create', terms: writeTerms(terms), legal: true, ...(bot ? { bot } : {}), ...(alone ? { replaces: table.match } : {}) });
    },
    join: (where) => ask({ t: 'join', ...where, legal: true }),
    play: (wish) => session.play(wish),
    send: (message) => net.send(message),
    question: (question) => questions.put(question),
    go(path) {
      history.pushState(null, '', path);
      route();
    },
    goHome: () => app.go('/'),
    takeBack() {
      const { table } = session.state;
      if (table) net.send({ t: 'join', match: table.match, legal: true });
    },
    forget(match) {
      store.forgetGame(match);
      store.hide(match);
      show(true);
    },
    newGame() {
      const { table } = session.state;
      const type = table?.terms.type;
      if (table && (type === 'klondike' || type === 'two_deck')) chooseTerms(app, type, { ...table.terms, code: null, daily: null });
    },
    openSettings: () => settingsDialog(app),
    openHelp: () => dialog({ title: t('help.title'), class: 'wide help', body: () => helpBody() }),
    async checkDeal(result) {
      const answer = await verifyDeal(result, Boolean(session.state.table?.terms.mirror), session.state.opening);
      toast(t(`end.check${answer}`), answer === 'Yes' ? 'info' : 'bad');
    },
  };

  /** @param {Message} message */
  function ask(message) {
    const rival = message['code'] || (/** @type {any} */ (message['terms'])?.type === 'duel' && !message['bot']);
    if (rival) finder.lobby.stop(); // found in another way
    intent = message;
    place = null;
    session.clear();
    if (net.send(message)) show();
    else net.wake();
  }

  const who = createWho({
    name: () => settings.name,
    adopt(name) {
      if (settings.name === name) return;
      settings = { ...settings, name };
      store.setSettings(settings);
      if (kind() === 'home' && document.activeElement?.getAttribute('name') !== 'name') show(true);
    },
    leave() {
      finder.lobby.stop();
      session.clear();
      intent = null;
    },
    anew: () => net.restart(),
    later() {
      line.notice('unavailable');
      net.again();
    },
    came: (name) =>
      queueMicrotask(() => {
        app.goHome(); // when the line is up
        toast(t('devices.came', { name }));
      }),
    refused(code) {
      app.goHome();
      tellRefused(code);
    },
    lost(name, how) {
      if (how === 'dropped') {
        settings = { ...settings, name: '' };
        store.setSettings(settings);
        app.goHome();
      }
      tellLost(app, name, how);
    },
  });

  const net = createNet({
    url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`,
    identity: () => who.hello(),
    onMessage(message) {
      if (message.t === 'welcome') who.welcome(message);
      else if (message.t === 'notice' && message['what'] === 'dropped') who.dropped();
      else if (!questions.receive(message) && !finder.lobby.receive(message)) session.receive(message);
    },
    onLine(now) {
      if (now) {
        finder.lobby.up();
        questions.up();
      } else {
        session.offline();
        finder.lobby.down();
      }
      if (now && intent) net.send(intent);
      else if (now) {
        const rejoin = session.rejoin();
        if (rejoin) net.send(rejoin);
      }
      if (now) line.up();
      else line.down();
      show();
    },
  });

  /** @param {Told} told */
  function hear(told) {
    if (told.kind === 'changed' && session.state.table) {
      const { table } = session.state;
      if (intent) {
        if (typeof intent['replaces'] === 'string') store.forgetGame(intent['replaces']);
        intent = null;
        const path = `/m/${table.match}`;
        if (location.pathname !== path) history.pushState(null, '', path);
        else if (location.search) history.replaceState(null, '', path);
      }
      if (finder.isOff(table, session.state.seat)) {
        store.forgetGame(table.match);
        return app.goHome();
      }
      remember(table);
      if (!document.hidden) minded(app);
      if (!table.next_match) live = table.match;
      else if (session.state.seat !== null) return app.join({ match: table.next_match });
      else if (live === table.match) return app.join({ match: table.next_match, watch: true }); // who looks at an old match stays there
    }
    if (told.kind === 'failed') failed(told);
    if (told.kind === 'notice') line.notice(told.what);
    if (told.kind === 'changed') show();
    page?.hear?.(told);
  }

  /** @param {{code: string, message: string}} told */
  function failed({ code, message }) {
    if (who.failed(code)) return;
    if (code === 'unavailable' && !intent && session.state.table && !session.state.joined) {
      line.notice('unavailable'); // the way back into the match is closed here: it is tried elsewhere
      net.again();
      return;
    }
    const match = intent?.['match'];
    if (code === 'no_such_match' && typeof match === 'string') {
      store.forgetGame(match);
      if (intent?.['watch']) return app.go(`/replay/${encodeURIComponent(match)}`); // it is over
    }
    toast(failureText(code, message), 'bad');
    if (intent) {
      intent = null;
      if (location.pathname !== '/') history.replaceState(null, '', '/');
      show(true);
    }
  }

  /** @param {import('./types.js').Table} table */
  function remember(table) {
    const names = table.players.map((player, i) => (player ? playerName(table, i) : '')).filter(Boolean);
    const ended = Boolean(session.state.position?.outcome);
    const over = table.phase === 'over' || (table.terms.type !== 'duel' && ended);
    const known = store.games().find(({ match }) => match === table.match);
    if (session.state.seat === null) return;
    if (known && known.over === over && known.names.length === names.length) return;
    store.keepGame({ match: table.match, variant: table.terms.type, names, at: Date.now(), over });
  }

  function kind() {
    const { table } = session.state;
    if (place) return 'place';
    if (!table) return intent ? 'wait' : 'home';
    return table.phase === 'gathering' && !session.state.position ? 'room' : 'table';
  }

  /** @param {boolean} [anew] */
  function show(anew = false) {
    const now = kind();
    const key = now === 'table' ? `table ${session.state.table?.match}` : place ? `${place.name} ${place.rest}` : now;
    const fresh = anew || page?.kind !== key;
    if (!fresh && now !== 'room') return;
    if (page?.kind !== key) closeDialogs();
    page?.destroy?.();
    document.title = t('app.title');
    page = { kind: key, ...build(now) };
    root.replaceChildren(page.el);
    document.body.dataset.page = now;
    finder.at(now);
    page.shown?.();
  }

  /** @param {string} now */
  function build(now) {
    if (now === 'home') {
      const find = findPanel(app);
      return { el: homePage(app, find.el), hear: find.refresh, destroy: find.destroy };
    }
    if (now === 'room') return { el: roomPage(app) };
    if (now === 'table') return tablePage(app);
    const made = place && PLACES[place.name]?.(app, place.rest);
    if (made) return made;
    return { el: h('main', { class: 'wait' }, h('p', {}, t('home.connecting'))) };
  }

  function route() {
    const [name = '', id = '', ...further] = partsOf(location.pathname);
    const deal = new URLSearchParams(location.search).get('deal');
    place = name in PLACES ? { name, rest: [id, ...further].filter(Boolean).join('/') } : null;
    if (place) intent = null;
    if (deal) {
      const read = readCode(deal);
      if ('deal' in read) return app.create(read.deal);
      toast(t('failed.bad_code', { message: deal }), 'bad');
    }
    if (name === 'm' && id) {
      if (session.state.table?.match !== id) app.join({ match: id });
    } else if (name === 'r' && id) app.join({ code: id });
    else {
      if (session.state.table) net.send({ t: 'leave' });
      session.clear();
      show(place !== null); // also where only the query is another
      if (place) window.scrollTo(0, 0);
    }
  }

  dress(settings);
  route();
  if (!page) show();
  window.addEventListener('popstate', route);
  window.addEventListener('online', () => net.wake());
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) net.wake();
    minded(app);
  });
  document.addEventListener('dblclick', (event) => event.preventDefault());
  return app;
}
