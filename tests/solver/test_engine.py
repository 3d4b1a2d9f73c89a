"""The solver and the engine play the same game: the same plays are legal, and the engine replays the solver's lines."""

import random

import pytest

from server.solver.problem import Problem, check, from_deck, from_position
from server.solver.search import Search
from server.solver.solve import solve
from shared.engine import Step, apply, legal, start
from shared.moves import Command, Draw, Move, Recycle
from shared.position import Position
from shared.ruleset import Ruleset, ruleset
from shared.terms import KlondikeTerms, TwoDeckTerms
from tests.solver.oracle import first, plays

TERMS = [
    KlondikeTerms(),
    KlondikeTerms(draw=3),
    KlondikeTerms(draw=3, passes="strict"),
    KlondikeTerms(scoring="vegas"),
    KlondikeTerms(passes=2, worry_back=False),
    KlondikeTerms(draw=3, empty_column="any"),
    KlondikeTerms(open_deal=True),
    TwoDeckTerms(),
    TwoDeckTerms(draw=3),
    TwoDeckTerms(draw=3, scoring="vegas"),
]


@pytest.fixture(scope="module")
def search() -> Search:
    return Search(1 << 25)


def deal(rules: Ruleset, seed: int) -> Position:
    deck = list(range(52 * rules.decks))
    random.Random(seed).shuffle(deck)
    return start(rules, (tuple(deck),))


def said_by_engine(rules: Ruleset, position: Position) -> set[Command]:
    found = legal(rules, position, 0)
    moves: set[Command] = {Move(card, to) for card, targets in found.moves.items() for to in targets}
    return moves | {command for command in (Draw(), Recycle()) if command.__struct_config__.tag in found.commands}


def played(rules: Ruleset, position: Position, command: Command) -> Position:
    step = apply(rules, position, 0, command, 0)
    assert isinstance(step, Step), (command, step)
    return step.position


@pytest.mark.parametrize("terms", TERMS)
def test_the_same_plays_are_legal_on_the_way_through_random_games(terms: KlondikeTerms | TwoDeckTerms) -> None:
    rules = ruleset(terms)
    chance = random.Random(7)
    for seed in range(4):
        position = deal(rules, seed)
        for _ in range(60):
            problem = from_position(rules, position)
            check(problem)
            here = dict(plays(problem, first(problem)))
            assert set(here) == said_by_engine(rules, position)
            if not here:
                break
            command = chance.choice(list(here))
            position = played(rules, position, command)
            after = from_position(rules, position)
            assert (after.columns, after.down, after.stock, after.waste, after.passes) == tuple(
                getattr(here[command], field) for field in ("columns", "down", "stock", "waste", "passes")
            )
            if position.outcome is not None:
                break


@pytest.mark.parametrize("terms", TERMS)
def test_the_engine_replays_every_line_that_wins(search: Search, terms: KlondikeTerms | TwoDeckTerms) -> None:
    rules = ruleset(terms)
    won = 0
    for seed in range(12):
        position = deal(rules, seed)
        chance = random.Random(seed)
        for _ in range(8 * (seed % 3)):
            options = sorted(said_by_engine(rules, position), key=repr)
            if options:
                position = played(rules, position, chance.choice(options))
        verdict = solve(from_position(rules, position), search, lambda: 0.0, states=200_000)
        for command in verdict.moves or ():
            position = played(rules, position, command)
        if verdict.result == "win":
            assert position.outcome is not None
            assert position.outcome.reason == "won"
            won += 1
    assert won or terms == TwoDeckTerms(draw=3, scoring="vegas"), "no deal was won: the test shows nothing"


def test_a_deal_is_the_same_by_deck_and_by_position() -> None:
    for terms in TERMS:
        rules = ruleset(terms)
        deck = list(range(52 * rules.decks))
        random.Random(1).shuffle(deck)
        problem: Problem = from_deck(rules, deck)
        assert problem == from_position(rules, start(rules, (tuple(deck),)))
