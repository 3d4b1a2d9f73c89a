// Cards, piles and events in words, for labels, announcements and refusals.

import { deckOf, HIDDEN, RANKS, rankOf, suitOf } from './cards.js';
import { has, t } from './i18n.js';

/** @typedef {import('./types.js').GameEvent} GameEvent */
/** @typedef {import('./types.js').Table} Table */

/** @param {number} card */
export function cardName(card) {
  if (card === HIDDEN) return t('card.hidden');
  const rank = rankOf(card);
  const name = has(`rank.${rank}`) ? t(`rank.${rank}`) : (RANKS[rank - 1] ?? '');
  return t('card.name', { rank: name, suit: t(`suit.${suitOf(card)}`) });
}

/** The name of a seat's player; a computer is told by its level. @param {Table} table @param {number} seat */
export function playerName(table, seat) {
  const player = table.players[seat];
  const level = player?.bot ? player.identity.slice('bot:'.length) : '';
  if (has(`bot.${level}`)) return t('bot.name', { level: t(`bot.${level}`) });
  return player?.name || t('table.rival');
}

/** Whether a computer has a seat. @param {Table} table */
export const hasComputer = (table) => table.players.some((player) => player?.bot);

/**
 * The name of a pile of the layout (`0:t3`, `f2`), as the player of `near` sees it.
 * @param {string} pile @param {{table: Table, near: number, suit?: number | null}} at
 */
export function pileName(pile, { table, near, suit = null }) {
  if (pile[0] === 'f') return t('pile.foundation', { suit: t(`suit.${suit ?? 0}`) });
  const [seatText, own = ''] = pile.split(':');
  const seat = Number(seatText);
  const kind = own[0] === 't' ? 'column' : own === 'w' ? 'waste' : 'stock';
  const n = Number(own.slice(1)) + 1;
  const name = playerName(table, seat);
  return t(seat === near ? `pile.${kind}` : `pile.${kind}Of`, { n, name });
}

/** Whose deck a card has, in a duel. @param {number} card @param {{table: Table, near: number}} at */
export function deckName(card, { table, near }) {
  if (table.terms.type !== 'duel') return '';
  return deckOf(card) === near ? t('card.own') : t('card.rivals');
}

/** @param {GameEvent} event @param {{table: Table, near: number, foundations: number}} at @returns {string} */
export function eventText(event, { table, near, foundations }) {
  const seat = event.seat ?? 0;
  const at = { table, near };
  const text = () => {
    switch (event.ev) {
      case 'moved': {
        const [first] = event.cards;
        const more = event.cards.length - 1;
        const cards = more ? t('say.run', { card: cardName(first), n: more }) : cardName(first);
        const suit = event.target[0] === 'f' ? Math.floor((Number(event.target.slice(1)) * 4) / foundations) : null;
        const pile = event.target[0] === 'f' ? event.target : `${seat}:${event.target}`;
        return t('say.moved', { cards, pile: pileName(pile, { ...at, suit }) });
      }
      case 'turned': {
        const pile = pileName(`${seat}:t${event.column}`, at);
        return t('say.turned', { pile: pile[0]?.toUpperCase() + pile.slice(1), card: cardName(event.card) });
      }
      case 'drawn':
        return t('say.drawn', { card: cardName(event.cards.at(-1)) });
      case 'recycled':
        return t('say.recycled');
      case 'declared':
        return event.on ? t('say.declared') : '';
      default:
        return '';
    }
  };
  const words = text();
  return words && seat !== near ? t('say.rival', { name: playerName(table, seat), what: words }) : words;
}

/** Why a play was refused. @param {import('./types.js').Refusal} refusal */
export function refusalText(refusal) {
  if (refusal.code === 'overtaken' && refusal.card !== undefined && refusal.card >= 0) {
    return t('refusal.overtakenBy', { card: cardName(refusal.card), ms: refusal.by_ms ?? 0 });
  }
  return t(`refusal.${refusal.code}`);
}

/** Why a message could not be served. @param {string} code @param {string} message */
export const failureText = (code, message) =>
  has(`failed.${code}`) ? t(`failed.${code}`, { message }) : t('failed.other', { message });

/** Points, or dollars: `$416`, `$0`, `-$104`. @param {number} score @param {string} scoring */
export function scoreText(score, scoring) {
  if (scoring !== 'vegas') return String(score);
  return score < 0 ? `-$${-score}` : `$${score}`;
}

/** Who was first where both played to one place. @param {import('./types.js').Race} race @param {Table} table @param {number | null} seat */
export function raceText({ winner, card, ms }, table, seat) {
  const name = playerName(table, winner === seat ? 1 - winner : winner);
  return t(winner === seat ? 'race.won' : 'race.seen', { card: cardName(card), ms, name });
}

/** Why a game ended. @param {import('./types.js').Outcome} outcome @param {Table} table */
export function reasonText({ reason, winner, why = null }, table) {
  if (reason === 'void' && why && has(`reason.void.${why}`)) return t(`reason.void.${why}`);
  return t(`reason.${reason}`, { loser: winner === null ? '' : playerName(table, 1 - winner) });
}

/** How many passes through the stock the terms give; `null` = no limit. For the eye only. @param {import('./types.js').Terms} terms */
export function passLimit(terms) {
  if (terms.type === 'duel') return terms.passes === 'one' ? 1 : null;
  if (terms.type === 'two_deck') return terms.scoring === 'vegas' ? 1 : null;
  if (terms.scoring === 'vegas' || terms.passes === 'strict') return terms.draw;
  return typeof terms.passes === 'number' ? terms.passes : null;
}
