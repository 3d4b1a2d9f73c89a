"""Deals made to measure, with the plays that win them."""

from random import Random

from shared.cards import KING, RANK, card_name, make_card, parse_card
from shared.moves import Command, Draw, Move, Target
from shared.ruleset import Ruleset

Deck = tuple[int, ...]


def deck_of(columns: list[list[int]], stock: list[int]) -> Deck:
    """Return the deck, in deal order, that deals ``columns`` (bottom card first) and leaves ``stock``."""
    width = len(columns)
    return (*(columns[i][row] for row in range(width) for i in range(row, width)), *stock)


def easy(rules: Ruleset, seat: int, random: Random) -> tuple[Deck, list[Command]]:
    """Return a deck, and the plays that win it in one pass: every card goes straight to its foundation, lowest ranks
    first.

    Where each next card lies, on a column or in the stock, is drawn by ``random``.
    """
    cards = list(range(seat * 52, seat * 52 + rules.decks * 52))
    order = sorted(cards, key=lambda card: (RANK[card], random.random()))
    room = [i + 1 for i in range(rules.columns)] + [rules.decks * 52 - sum(range(rules.columns + 1))]
    sources = [place for place, size in enumerate(room) for _ in range(size)]
    random.shuffle(sources)
    piles: list[list[int]] = [[] for _ in room]
    plays: list[Command] = []
    draw = rules.draw[seat]
    for card, place in zip(order, sources, strict=True):
        pile = piles[place]
        if place == rules.columns and len(pile) % draw == 0:
            plays.append(Draw())
        pile.append(card)
        plays.append(Move(card, "f"))
    *columns, stock = piles
    chunks = [stock[i : i + draw][::-1] for i in range(0, len(stock), draw)]
    return deck_of([column[::-1] for column in columns], [card for chunk in chunks for card in chunk]), plays


def easy_decks(rules: Ruleset, random: Random) -> tuple[Deck, ...]:
    return tuple(easy(rules, seat, random)[0] for seat in range(rules.seats))


def richest() -> tuple[Deck, list[Command]]:
    """Return the Klondike deck whose win takes every stock card over a column (745 points), and its plays.

    Four kings lie open on columns 0..3; the 24 stock cards build them down to the sevens; the low cards lie under the
    rest.
    """
    tops = [make_card(0, suit, KING) for suit in range(4)]
    partner = {0: 1, 1: 0, 2: 3, 3: 2}
    runs = [[(suit if rank % 2 else partner[suit], rank) for rank in range(12, 6, -1)] for suit in range(4)]
    stock = [make_card(0, *runs[suit][row]) for row in range(6) for suit in range(4)]
    low = [make_card(0, suit, rank) for rank in range(1, 7) for suit in range(4)]
    plays: list[Command] = []
    onto: tuple[Target, ...] = ("t0", "t1", "t2", "t3")
    for number, card in enumerate(stock):
        plays += [Draw(), Move(card, onto[number % 4])]
    columns = [[tops[0]], [tops[1]], [tops[2]], [tops[3]], low[0:5][::-1], low[5:11][::-1], low[11:18][::-1]]
    plays += [Move(card, "f") for card in low[:18]]
    under = low[18:]
    empty: tuple[tuple[int, Target], ...] = ((3, "t4"), (2, "t5"), (1, "t6"))
    for count, target in empty:
        mine, under = under[:count], under[count:]
        columns[count] = [*mine[::-1], tops[count]]
        plays.append(Move(tops[count], target))
        plays += [Move(card, "f") for card in mine]
    plays += [Move(make_card(0, suit, rank), "f") for rank in range(7, 14) for suit in range(4)]
    return deck_of(columns, stock), plays


def cards(text: str) -> list[int]:
    """Return the cards named in ``text``, blanks between them."""
    return [parse_card(name) for name in text.split()]


def names(row: Deck) -> str:
    return " ".join(map(card_name, row))
