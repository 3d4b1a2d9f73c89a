"""The stuck search is exact: it is held to plain brute force over the engine on small positions (docs/rules.md,
Stuck).
"""

from random import Random

import pytest

from shared.cards import RANK
from shared.engine import Step, apply, legal
from shared.evolve import bare
from shared.law import foundation_for
from shared.moves import Command, Draw, Move, Recycle
from shared.notation import parse_position
from shared.position import Position, Seat, Tally
from shared.ruleset import Ruleset, ruleset
from shared.stuck import search
from shared.terms import DuelTerms, KlondikeTerms, Terms
from tests.shared.games import GAMES, random_game

RULES: list[Terms] = [
    DuelTerms(),
    DuelTerms(draw=(3, 3)),
    DuelTerms(passes="one"),
    DuelTerms(draw=(3, 3), passes="one"),
    KlondikeTerms(passes=2, draw=3),
    KlondikeTerms(empty_column="any", passes=3),
]


def own_commands(rules: Ruleset, position: Position) -> list[Command]:
    can = legal(rules, position, 0)
    up = {pile[-1] for pile in position.foundations if pile}
    moves: list[Command] = [Move(card, to) for card, targets in can.moves.items() if card not in up for to in targets]
    return moves + [Draw()] * ("draw" in can.commands) + [Recycle()] * ("recycle" in can.commands)


def brute_stuck(rules: Ruleset, position: Position) -> bool:
    """Return whether no line of own moves reaches a foundation play, by visiting every position that the engine lets
    it reach.
    """
    unlimited = rules.passes is None
    seen = set()
    todo = [position]
    while todo:
        here = todo.pop()
        for command in own_commands(rules, here):
            if isinstance(command, Move) and command.to == "f":
                return False
            done = apply(rules, bare(here), 0, command, 0)
            assert isinstance(done, Step)
            mine = done.position.seats[0]
            key = (mine.columns, mine.down, mine.stock, mine.waste, 0 if unlimited else mine.pass_number)
            if key not in seen:
                seen.add(key)
                todo.append(done.position)
    return True


def small_position(rules: Ruleset, random: Random) -> Position:
    """Return a random late position: a few cards on four columns, the rest away, the foundations at odd heights."""
    each = rules.foundations // 4
    heights = [random.randrange(8) for _ in range(rules.foundations)]
    up = tuple(tuple(i // each * 13 + rank for rank in range(height)) for i, height in enumerate(heights))
    low = random.choice((1, 5, 9))
    free = [card for card in range(52) if RANK[card] >= low and not any(card in pile for pile in up)]
    cards = random.sample(free, min(len(free), random.randrange(4, 6 if rules.any_to_empty else 13)))
    columns: list[tuple[int, ...]] = []
    for _ in range(4):
        take = min(len(cards), random.choice((0, 1, 1, 2, 3)))
        columns.append(tuple(cards.pop() for _ in range(take)))
    drawn = random.randrange(len(cards) + 1)
    down = tuple(max(0, len(column) - 1) for column in columns)
    seat = Seat(tuple(columns), down, tuple(cards[drawn:]), tuple(cards[:drawn]))
    if rules.seats == 1:
        return Position((seat,), up, tally=Tally())
    return Position((seat, Seat(((52,),), (0,), ())), up)


@pytest.mark.parametrize("terms", RULES)
def test_the_search_is_exact(terms: Terms) -> None:
    rules = ruleset(terms)
    random = Random(7)
    verdicts = {True: 0, False: 0}
    for _ in range(GAMES * 30):
        position = small_position(rules, random)
        stuck = brute_stuck(rules, position)
        verdicts[stuck] += 1
        assert search(rules, position, 0) is stuck, position
    assert min(verdicts.values()) > GAMES


def needs_search(rules: Ruleset, position: Position) -> bool:
    """Return whether no card can go up as the position stands."""
    mine = position.seats[0]
    tops = [pile[-1] for pile in (*mine.columns, mine.waste) if pile]
    return all(foundation_for(position, card) is None for card in tops)


def test_the_search_is_exact_on_the_ends_of_real_games() -> None:
    verdicts = {True: 0, False: 0}
    for terms in (DuelTerms(passes="one"), DuelTerms(draw=(3, 3), passes="one")):
        for seed in range(500, 500 + GAMES):
            last = None
            for rules, position, _, _, _ in random_game(terms, seed, 400):
                last = position if len(position.seats[0].stock) < 3 and needs_search(rules, position) else last
            if last is not None:
                stuck = brute_stuck(rules, last)
                verdicts[stuck] += 1
                assert search(rules, last, 0) is stuck
    assert sum(verdicts.values()) >= GAMES


ROWS = [
    # a card frees a column for a king, whose leaving turns the wanted ace
    ("t:QH/KS/(AS)KD/3C/4C/5C/7C", False),
    # the same without the red queen: no column empties
    ("t:9H/KS/(AS)KD/3C/4C/5C/7C", True),
    # the wanted card is in the stock, drawn one by one
    ("t:KH/KS/KD/3C/4C/5C/7C s:9C9DAS8C", False),
    ("t:KH/KS/KD/3C/4C/5C/7C w:9C9DAS8C", False),
    ("t:KH/KS/KD/3C/4C/5C/7C", True),
    ("t:-/-/-/-/-/-/-", True),  # out
]


@pytest.mark.parametrize(("text", "stuck"), ROWS)
def test_positions_by_hand(text: str, *, stuck: bool) -> None:
    position = parse_position(f"seat:0 {text} seat:1 t:kh/-/-/-/-/-/- f:-/-/-/-/-/-/-/-")
    assert search(ruleset(DuelTerms()), position, 0) is stuck


@pytest.mark.parametrize(
    ("text", "stuck"),
    [
        ("s:9C9DAS8C", False),
        ("s:9CAS9D8C", True),  # three a draw: only 9D and 8C ever come up
        ("w:9C9DAS8C", True),  # one pass: what is drawn stays under 8C
        ("w:9C9D8C s:7CJDAS", False),
    ],
)
def test_three_a_draw_and_one_pass(text: str, *, stuck: bool) -> None:
    position = parse_position(f"seat:0 t:KH/KS/KD/3C/4C/5C/7C {text} seat:1 t:kh/-/-/-/-/-/- f:-/-/-/-/-/-/-/-")
    assert search(ruleset(DuelTerms(draw=(3, 3), passes="one")), position, 0) is stuck


def test_a_search_that_hits_its_bound_decides_nothing() -> None:
    rules = ruleset(DuelTerms())
    text = "seat:0 t:QH/KS/(AS)KD/3C/4C/5C/7C seat:1 t:kh/-/-/-/-/-/- f:-/-/-/-/-/-/-/-"
    assert search(rules, parse_position(text), 0, limit=0) is None
    assert search(rules, parse_position(text), 0, limit=50) is False


def test_the_foundations_are_held_as_they_are() -> None:
    """The rival's plays may free a seat; its own search does not hope for them."""
    rules = ruleset(DuelTerms())
    board = "seat:0 t:2S/KH/KD/3C/4C/5C/7C seat:1 t:as/-/-/-/-/-/- f:{}/-/-/-/-/-/-/-"
    assert search(rules, parse_position(board.format("-")), 0) is True
    assert search(rules, parse_position(board.format("as")), 0) is False
