"""The solver's verdicts are those of plain brute force, and its lines are played to the end by the same rules.

``SOLVER_DEALS=1000 pytest tests/solver/test_brute_force.py`` looks at that many deals of each sort instead of a few.
"""

import os
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from server.solver.problem import Problem
from server.solver.search import LOSS, RUNNING, WIN, Search
from tests.solver.oracle import brute_force, first, is_won, key, plays, replay
from tests.solver.small import ANY_CARD, ONE_DECK, RULES, TWO_DECKS, small, wander

DEALS = int(os.environ.get("SOLVER_DEALS", "6"))
MOST = 20_000

pytestmark = pytest.mark.timeout(120 + 30 * DEALS)


@pytest.fixture(scope="module")
def search() -> Search:
    return Search(1 << 22)


def verdict(search: Search, problem: Problem) -> int:
    search.load(problem)
    while (found := search.run(50_000)) == RUNNING:
        pass
    return found


def compare(search: Search, problem: Problem, most: int = MOST) -> bool:
    """Whether brute force came to an end; if so, the solver's verdict was the same and its line wins."""
    expected = brute_force(problem, most)
    if expected is None:
        return False
    assert verdict(search, problem) == (WIN if expected else LOSS), problem
    if expected:
        assert is_won(replay(problem, search.line(search.codes()))), problem
    return True


def deals(sort: str) -> Iterator[Problem]:
    for seed in range(DEALS):
        if sort == "two decks":
            yield small(seed, TWO_DECKS[seed % len(TWO_DECKS)], 2)
        elif sort == "any card":
            yield replace(small(seed, ANY_CARD[seed % len(ANY_CARD)]), any_card=True)
        else:
            yield small(seed, ONE_DECK[seed % len(ONE_DECK)], open_deal=sort == "open deal")


@pytest.mark.parametrize("sort", ["one deck", "open deal", "any card", "two decks"])
def test_the_verdict_on_a_deal_is_that_of_brute_force(search: Search, sort: str) -> None:
    decided = [
        compare(search, replace(problem, **rules), 6_000 if sort != "one deck" else MOST)
        for problem in deals(sort)
        for rules in RULES
    ]
    assert sum(decided) > len(decided) * 0.9


@pytest.mark.parametrize("sort", ["one deck", "open deal", "any card", "two decks"])
def test_the_verdict_on_a_position_in_mid_game_is_that_of_brute_force(search: Search, sort: str) -> None:
    for number, problem in enumerate(deals(sort)):
        for place, rules in enumerate(RULES):
            compare(search, wander(replace(problem, **rules), 100 * number + place, 3 + 2 * place), 6_000)


def test_one_pass_more_never_loses_a_game(search: Search) -> None:
    gained = 0
    for seed in range(max(30, DEALS)):
        for draw in (1, 3):
            problem = small(seed, (15, 5, 4)).under(draw=draw)
            wins = [verdict(search, replace(problem, passes=passes)) == WIN for passes in (1, 2, 3, 9, None)]
            assert wins == sorted(wins)
            gained += wins[-1] and not wins[0]
    assert gained, "passes matter in none of these deals: the test shows nothing"


def test_worrying_back_never_loses_a_game(search: Search) -> None:
    for seed in range(max(100, DEALS)):
        problem = small(seed, (15, 5, 4)).under(draw=3, passes=2)
        if verdict(search, replace(problem, worry_back=False)) == WIN:
            assert verdict(search, problem) == WIN


def wins_without_returning(problem: Problem, most: int) -> bool | None:
    """Brute force that never worries a card back to the column it came from."""
    start = (first(problem), frozenset[tuple[int, int]]())
    seen = {(start[0].columns, key(start[0]), start[1])}
    todo = [start]
    while todo:
        state, came_from = todo.pop()
        if is_won(state):
            return True
        for play, after in plays(problem, state):
            origins = came_from
            card = getattr(play, "card", None)
            if card is not None and any(pile and pile[-1] == card for pile in state.foundations):
                if (card, int(play.to[1])) in came_from:  # type: ignore[union-attr]
                    continue
                origins = frozenset(origin for origin in came_from if origin[0] != card)
            elif card is not None and play.to == "f":  # type: ignore[union-attr]
                column = next((i for i, cards in enumerate(state.columns) if card in cards), None)
                if column is not None:
                    origins = came_from | {(card, column)}
            mark = (after.columns, key(after), origins)
            if mark not in seen:
                if len(seen) >= most:
                    return None
                seen.add(mark)
                todo.append((after, origins))
    return False


@pytest.mark.parametrize(("seed", "shape", "draw", "passes"), [(597, (3, 6, 3), 1, 1)])
def test_a_card_may_have_to_return_to_the_column_it_came_from(
    search: Search, seed: int, shape: tuple[int, int, int], draw: int, passes: int | None
) -> None:
    problem = small(seed, shape).under(draw=draw, passes=passes)
    assert wins_without_returning(problem, 200_000) is False
    assert verdict(search, problem) == WIN
    assert is_won(replay(problem, search.line(search.codes())))
