"""What the tests of the rules share: rulesets, random deals and games, and a slow list of legal moves to hold the
fast one to.
"""

import os
from collections.abc import Iterator
from random import Random
from typing import get_args

from shared.engine import Step, apply, legal, refuse, start
from shared.moves import (
    Command,
    Declare,
    Draw,
    Finish,
    Move,
    Pass,
    Pause,
    Recycle,
    Redo,
    Resign,
    Target,
    Undo,
    Unpause,
    UseHint,
)
from shared.position import Position
from shared.ruleset import Ruleset, ruleset
from shared.terms import DuelTerms, KlondikeTerms, Terms, TwoDeckTerms
from tests.shared.made import easy_decks

#: Random games per ruleset; ``RULES_GAMES=2000`` for a long run.
GAMES = int(os.environ.get("RULES_GAMES", "6"))

KLONDIKE: list[Terms] = [
    KlondikeTerms(),
    KlondikeTerms(draw=3),
    KlondikeTerms(draw=3, passes="strict", worry_back=False),
    KlondikeTerms(passes=2, empty_column="any"),
    KlondikeTerms(draw=3, empty_column="any", open_deal=True),
    KlondikeTerms(open_deal=True, scoring="none", worry_back=False),
    KlondikeTerms(scoring="vegas"),
    KlondikeTerms(scoring="vegas", draw=3, unlimited_hints=True),
    KlondikeTerms(time_penalty=True, finish=False),
]
TWO_DECK: list[Terms] = [
    TwoDeckTerms(),
    TwoDeckTerms(draw=3),
    TwoDeckTerms(scoring="vegas"),
    TwoDeckTerms(draw=3, scoring="vegas"),
]
DUEL: list[Terms] = [
    DuelTerms(),
    DuelTerms(draw=(1, 3)),
    DuelTerms(draw=(3, 3), passes="one"),
    DuelTerms(penalty=True, game_seconds=60),
    DuelTerms(clear_bonus=True, play_on=True),
    DuelTerms(play_on=True, game_seconds=None),
    DuelTerms(tempo="alternating"),
    DuelTerms(tempo="alternating", draw=(3, 1), passes="one"),
    DuelTerms(tempo="alternating", play_on=True, turn_seconds=None),
    DuelTerms(tempo="alternating", clear_bonus=True, turn_seconds=5),
]
ALL = KLONDIKE + TWO_DECK + DUEL

TARGETS: tuple[Target, ...] = get_args(Target)
OTHERS: dict[str, Command] = {
    "draw": Draw(),
    "recycle": Recycle(),
    "pass": Pass(),
    "declare": Declare(),
    "resign": Resign(),
    "undo": Undo(),
    "redo": Redo(),
    "finish": Finish(),
    "pause": Pause(),
    "unpause": Unpause(),
    "hint": UseHint(),
}


def name(terms: Terms) -> str:
    """Return a short name for a test's id: the variant and what differs from its defaults."""
    plain = type(terms)()
    differs = [
        f"{field}={getattr(terms, field)}"
        for field in terms.__struct_fields__
        if getattr(terms, field) != getattr(plain, field)
    ]
    return "-".join([type(terms).__name__.removesuffix("Terms").lower(), *differs]).replace(" ", "")


def random_decks(rules: Ruleset, random: Random) -> tuple[tuple[int, ...], ...]:
    size = rules.decks * 52
    return tuple(tuple(random.sample(range(seat * 52, seat * 52 + size), size)) for seat in range(rules.seats))


def dealt(terms: Terms, seed: int) -> tuple[Ruleset, Position]:
    """Return the deal of ``seed``: every third is an easy one, so that random games come to their ends too."""
    rules = ruleset(terms)
    random = Random(seed)
    decks = easy_decks(rules, random) if seed % 3 == 0 else random_decks(rules, random)
    return rules, start(rules, decks, first=seed % 2)


def commands(rules: Ruleset, position: Position, seat: int, at: int) -> list[Command]:
    """Return every command that ``legal`` allows."""
    can = legal(rules, position, seat, at)
    moves: list[Command] = [Move(card, to) for card, targets in can.moves.items() for to in targets]
    return moves + [OTHERS[tag] for tag in can.commands]


def brute_moves(rules: Ruleset, position: Position, seat: int, at: int) -> dict[int, tuple[Target, ...]]:
    """Return the legal moves as ``Legal.moves``, found by asking ``refuse`` about every card and every target."""
    found = {
        card: tuple(to for to in ("f", *TARGETS[:-1]) if refuse(rules, position, seat, Move(card, to), at) is None)
        for card in range(104)
    }
    return {card: targets for card, targets in found.items() if targets}


def choose(options: list[Command], random: Random, haste: float) -> Command:
    """Return a likely command: foundation plays first with probability ``haste``, giving up or going back seldom."""
    up = [command for command in options if isinstance(command, Move) and command.to == "f"]
    if up and random.random() < haste:
        return random.choice(up)
    seldom = (Resign, Declare, Pause, UseHint, Undo, Redo, Pass)
    usual = [command for command in options if not isinstance(command, seldom)]
    if usual and random.random() < 0.93:
        return random.choice(usual)
    return random.choice([command for command in options if not isinstance(command, Resign)] or options)


def random_game(terms: Terms, seed: int, steps: int = 120) -> Iterator[tuple[Ruleset, Position, int, Command, int]]:
    """Yield each accepted command of a random game with the position it meets: rules, position, seat, command, time
    (ms).
    """
    random = Random(seed)
    rules, position = dealt(terms, seed)
    haste = random.choice((0.3, 0.9, 1.0))
    at = 0
    for _ in range(steps):
        at += random.randrange(1, 700)
        seat = random.randrange(rules.seats) if position.turn is None else position.turn.seat
        options = commands(rules, position, seat, at)
        if position.outcome is not None or not options:
            return
        command = choose(options, random, haste)
        yield rules, position, seat, command, at
        done = apply(rules, position, seat, command, at)
        assert isinstance(done, Step), (command, done)
        position = done.position
