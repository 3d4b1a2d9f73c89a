"""Hints: the proven line first, the rule of thumb else, and what a hint never says."""

import random
from typing import Literal

import pytest

from server.solver.advisor import winning_line
from server.solver.hint import NO_USEFUL_MOVE, hint
from server.solver.problem import Problem, from_position
from server.solver.search import Search
from server.solver.solve import Verdict, solve
from shared.cards import KING, RANK, parse_card
from shared.engine import Step, apply, legal, start
from shared.moves import Command, Draw, Move, Recycle
from shared.notation import parse_position
from shared.position import Position
from shared.protocol import Hint
from shared.ruleset import Ruleset, ruleset
from shared.terms import KlondikeTerms

RULES = ruleset(KlondikeTerms())


def at(text: str) -> Position:
    """A position whose other cards do not matter."""
    return parse_position(f"{text} tally:score=0")


def card(name: str) -> int:
    return parse_card(name)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # an ace goes up before anything else
        ("t:(9D)KS/AS/-/-/-/-/- s:5C f:-/-/-/-", Hint(card("AS"), "f")),
        # a move that turns a card goes before the stock
        ("t:(9D)QH/KS/4D/4H/8D/8H/2S s:5C f:-/-/-/-", Hint(card("QH"), "t1")),
        # of two such moves the one off the higher pile
        ("t:(9D)QH/KS/(3C4C)QD/4H/8D/8H/2S s:5C f:-/-/-/-", Hint(card("QD"), "t1")),
        # the waste's top to a column
        ("t:KS/4D/4H/8D/8H/2S/9S s:5C w:QH f:-/-/-/-", Hint(card("QH"), "t0")),
        # a king from under which nothing comes is left where it lies; the stock is pointed at
        ("t:KS/-/4H/8D/8H/2S/9S s:5C f:-/-/-/-", Hint(do="draw")),
        # a king with a card under it goes to the empty column
        ("t:(2D)KS/-/4H/8D/8H/2S/9S s:5C f:-/-/-/-", Hint(card("KS"), "t1")),
        # a foundation card is never taken back
        ("t:3H/-/9H/8D/8H/9D/9S s:5C f:AS2S/-/-/-", Hint(do="draw")),
        # the stock is empty: turned over while the waste has a card that can be played
        ("t:5H/4D/4H/8D/8H/2S/9S w:4S6C f:-/-/-/-", Hint(do="recycle")),
        # all of the stock is known and none of it can be played
        ("t:5H/4D/4H/8D/8H/2S/9S w:JS6C f:-/-/-/-", NO_USEFUL_MOVE),
        ("t:5H/4D/4H/8D/8H/2S/9S s:JS w:6C pass:2 f:-/-/-/-", NO_USEFUL_MOVE),
        # nothing is left at all
        ("t:5H/4D/4H/8D/8H/2S/9S f:-/-/-/-", NO_USEFUL_MOVE),
    ],
)
def test_the_rule_of_thumb(text: str, expected: Hint) -> None:
    assert hint(RULES, at(text), None) == expected


def test_no_recycle_is_hinted_when_no_pass_is_left() -> None:
    strict = ruleset(KlondikeTerms(passes="strict"))
    assert hint(strict, at("t:5H/4D/4H/8D/8H/2S/9S w:4S6C f:-/-/-/-"), None) == NO_USEFUL_MOVE


def test_a_proven_line_goes_before_the_rule_of_thumb() -> None:
    position = at("t:(9D)KS/AS/-/-/-/-/- s:5C f:-/-/-/-")
    assert hint(RULES, position, [Draw()]) == Hint(do="draw")
    assert hint(RULES, position, [Recycle()]) == Hint(do="recycle")


@pytest.mark.parametrize("barred", [Move(card("2S"), "t0"), Move(card("KS"), "t1")])
def test_a_line_that_begins_with_what_no_hint_may_say_is_not_followed(barred: Move) -> None:
    position = at("t:3H/-/9H/8D/8H/KS/9S s:5C f:AS2S/-/-/-")
    assert hint(RULES, position, [barred]) == Hint(do="draw")


def follow(rules: Ruleset, position: Position, said: Hint) -> Position:
    command: Command = Draw() if said.do == "draw" else Recycle()
    if said.card is not None:
        assert said.to is not None
        command = Move(said.card, said.to)  # type: ignore[arg-type]
    step = apply(rules, position, 0, command, 0)
    assert isinstance(step, Step), (command, step)
    return step.position


@pytest.mark.parametrize(
    "terms", [KlondikeTerms(), KlondikeTerms(draw=3, passes="strict"), KlondikeTerms(empty_column="any")]
)
def test_hints_are_legal_and_never_take_back_nor_shift_a_bare_king(terms: KlondikeTerms) -> None:
    rules = ruleset(terms)
    search = Search(1 << 24)
    for seed in range(6):
        deck = list(range(52))
        random.Random(seed).shuffle(deck)
        position = start(rules, (tuple(deck),))
        for step in range(60):
            line = solve(from_position(rules, position), search, lambda: 0.0, states=3000).moves if step % 2 else None
            said = hint(rules, position, line)
            if said == NO_USEFUL_MOVE or position.outcome is not None:
                break
            if said.card is not None:
                assert not any(pile and pile[-1] == said.card for pile in position.foundations)
                columns = position.seats[0].columns
                if said.to != "f" and RANK[said.card] == KING:
                    assert not any(column and column[0] == said.card for column in columns)
            position = follow(rules, position, said)


def test_a_hint_without_a_line_is_the_same_whatever_lies_face_down() -> None:
    """The rule of thumb goes by what the player sees: other hidden cards, same hint, until the stock is known."""
    for seed in range(20):
        deck = list(range(52))
        random.Random(seed).shuffle(deck)
        position = start(RULES, (tuple(deck),))
        open_cards = {column[-1] for column in position.seats[0].columns}
        hidden = [other for other in deck if other not in open_cards]
        random.Random(seed + 1).shuffle(hidden)
        rest = iter(hidden)
        other = start(RULES, (tuple(found if found in open_cards else next(rest) for found in deck),))
        assert legal(RULES, position, 0) == legal(RULES, other, 0)
        assert hint(RULES, position, None) == hint(RULES, other, None)


def test_a_dead_deck_is_never_cycled_on_hints() -> None:
    """Whoever follows hints through a deck of no use is told so after one whole pass, at every draw and house rule."""
    for terms in (KlondikeTerms(), KlondikeTerms(draw=3), KlondikeTerms(empty_column="any")):
        rules = ruleset(terms)
        position = at("t:5H/4D/4H/8D/8H/2S/- s:JS6C9C f:-/-/-/-")
        said = []
        for _ in range(9):
            found = hint(rules, position, None)
            said.append(found.do)
            if found == NO_USEFUL_MOVE:
                break
            position = follow(rules, position, found)
        assert said == ["draw"] * len(said[:-1]) + [None], (terms, said)


@pytest.mark.parametrize(
    ("terms", "tally", "costs"),
    [
        (KlondikeTerms(), "score=250", 100),
        (KlondikeTerms(), "score=30", 30),  # the floor holds
        (KlondikeTerms(), "score=0", 0),
        (KlondikeTerms(draw=3), "score=250", 0),  # two are free
        (KlondikeTerms(draw=3), "score=250,recycles=2", 20),
        (KlondikeTerms(scoring="none"), "score=0", 0),
    ],
)
def test_a_hint_at_the_recycle_says_what_it_costs(terms: KlondikeTerms, tally: str, costs: int) -> None:
    position = parse_position(f"t:5H/4D/4H/8D/8H/2S/9S w:4S6C8C f:-/-/-/- tally:{tally}")
    if terms.draw == 3:
        position = parse_position(f"t:5H/4D/4H/8D/8H/2S/9S w:6C8C4S9C f:-/-/-/- tally:{tally}")
    assert hint(ruleset(terms), position, None) == Hint(do="recycle", costs=costs)


def test_a_hint_names_open_cards_only() -> None:
    for seed in range(10):
        deck = list(range(52))
        random.Random(seed).shuffle(deck)
        position = start(RULES, (tuple(deck),))
        search = Search(1 << 24)
        for _ in range(40):
            said = hint(RULES, position, solve(from_position(RULES, position), search, lambda: 0.0, states=3000).moves)
            if said == NO_USEFUL_MOVE or position.outcome is not None:
                break
            mine = position.seats[0]
            shown = {*mine.waste, *(c for column, d in zip(mine.columns, mine.down, strict=True) for c in column[d:])}
            assert said.card is None or said.card in shown
            position = follow(RULES, position, said)


def test_a_card_that_lies_ready_goes_before_the_stock_where_it_is_proven_to_win_too() -> None:
    ready = at("t:(9D)KS/AS/-/-/-/-/- s:5C f:-/-/-/-")
    assert hint(RULES, ready, [Draw()], 0, lambda _: True) == Hint(card("AS"), "f")
    assert hint(RULES, ready, [Draw()], 0, lambda _: False) == Hint(do="draw")
    # no card is moved to and fro instead: a four that only bares a three
    shift = at("t:(9D)3S4H/5S/8D/8H/JS/JC/9S s:5C f:AS2S/-/-/-")
    assert hint(RULES, shift, None) == Hint(card("4H"), "t1")
    assert hint(RULES, shift, [Draw()], 0, lambda _: True) == Hint(do="draw")


@pytest.mark.parametrize("draw", [1, 3])
def test_who_follows_the_hints_wins_what_can_be_won(draw: Literal[1, 3]) -> None:
    rules = ruleset(KlondikeTerms(draw=draw))
    search = Search(1 << 24)

    def decide(problem: Problem, _: float) -> Verdict:
        return solve(problem, search, lambda: 0.0, states=300_000)

    for seed in (0, 5, 9):
        deck = list(range(52))
        random.Random(seed).shuffle(deck)
        position = start(rules, (tuple(deck),))
        for _ in range(400):
            if position.outcome is None:
                line = winning_line(from_position(rules, position), decide)
                position = follow(rules, position, hint(rules, position, line))
        assert position.outcome is not None
