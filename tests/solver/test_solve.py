"""Limits, stopping, and what a verdict holds."""

import importlib.util
import random
from itertools import count
from pathlib import Path
from types import ModuleType

import pytest
from msgspec.structs import replace

import server.solver
from server.solver import kernel, wide
from server.solver.problem import Problem, check
from server.solver.search import KERNEL_COMPILED, Search
from server.solver.solve import SLICE, solve
from tests.solver.small import ANY_CARD, ONE_DECK, RULES, TWO_DECKS, small

#: Seed 74 at draw 3 is a loss that takes more than a million states; seed 0 a quick win.
HARD, EASY = 74, 0


@pytest.fixture(scope="module")
def search() -> Search:
    return Search(1 << 24)


def deal(seed: int, draw: int = 3) -> Problem:
    deck = list(range(52))
    random.Random(seed).shuffle(deck)
    return Problem.deal(deck).under(draw=draw)


def hard(passes: int | None = 9) -> Problem:
    """With limited passes, so that the easier question of the stock as a reserve does not decide it."""
    return replace(deal(HARD), passes=passes)


def test_the_kernels_run_compiled() -> None:
    assert KERNEL_COMPILED


def test_a_win_has_a_line_and_a_loss_has_none(search: Search) -> None:
    won = solve(deal(EASY), search, lambda: 0.0)
    assert (won.result, won.limit) == ("win", None)
    assert won.moves
    lost = solve(deal(29), search, lambda: 0.0)
    assert (lost.result, lost.limit, lost.moves) == ("loss", None, None)


def test_verdicts_of_one_search_do_not_touch_each_other(search: Search) -> None:
    first = solve(deal(EASY), search, lambda: 0.0)
    solve(deal(29), search, lambda: 0.0)
    again = solve(deal(EASY), search, lambda: 0.0)
    assert (first.states, first.moves) == (again.states, again.moves)


def test_the_bound_on_states_ends_a_search() -> None:
    found = solve(deal(159, 3), Search(1 << 24), lambda: 0.0, states=1)
    assert (found.result, found.limit) == ("unknown", "states")
    assert 1 <= found.states <= 2 * SLICE


def test_the_bound_on_seconds_ends_a_search(search: Search) -> None:
    ticks = count()
    found = solve(deal(159, 3), search, lambda: float(next(ticks)), seconds=2.0)
    assert (found.result, found.limit) == ("unknown", "seconds")


def test_a_search_stops_when_it_is_told_to(search: Search) -> None:
    asked = count()
    found = solve(deal(159, 3), search, lambda: 0.0, cancelled=lambda: next(asked) == 2)
    assert (found.result, found.limit) == ("unknown", "cancelled")


def test_a_full_table_is_never_taken_for_a_loss() -> None:
    tiny = Search(1 << 15)
    found = solve(deal(HARD, 3), tiny, lambda: 0.0)
    assert (found.result, found.limit) in {("unknown", "memory"), ("loss", None)}
    limited = solve(replace(deal(21, 1), passes=1), tiny, lambda: 0.0)
    assert (limited.result, limited.limit) == ("unknown", "memory")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"draw": 2}, "draw"),
        ({"passes": 0}, "passes"),
        ({"down": (0,) * 6}, "down"),
        ({"down": (1, 1, 2, 3, 4, 5, 6)}, "down"),
        ({"foundations": ((),) * 5}, "foundations"),
        ({"foundations": ((1,), (), (), ())}, "foundations"),
        ({"waste": (5,)}, "cards"),
        ({"stock": ()}, "cards"),
    ],
)
def test_a_position_that_is_none_is_refused_by_its_field(change: dict[str, object], field: str) -> None:
    with pytest.raises(ValueError, match=rf"^{field}: "):
        check(replace(deal(1), **change))


def test_any_card_is_for_one_deck_only() -> None:
    with pytest.raises(ValueError, match=r"^empty_column"):
        check(replace(small(1, (15, 2, 3), 2), any_card=True))


def uncompiled(name: str) -> ModuleType:
    source = Path(server.solver.__file__).with_name(f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"plain_{name}", source)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert not module.KERNEL_COMPILED
    return module


@pytest.mark.parametrize("sort", ["one deck", "any card", "two decks"])
def test_the_kernels_count_the_same_uncompiled(monkeypatch: pytest.MonkeyPatch, sort: str) -> None:
    plain_kernel, plain_wide = uncompiled("kernel"), uncompiled("wide")
    compiled = Search(1 << 18)
    plain = Search(1 << 18)
    for number, rules in enumerate(RULES):
        if sort == "two decks":
            problem = small(number, TWO_DECKS[number % len(TWO_DECKS)], 2)
        else:
            shapes = ONE_DECK if sort == "one deck" else ANY_CARD
            problem = replace(small(number, shapes[number % len(shapes)]), any_card=sort == "any card")
        problem = replace(problem, **rules)
        with monkeypatch.context() as patch:
            patch.setattr("server.solver.search.Kernel", plain_kernel.Kernel)
            patch.setattr("server.solver.search.WideKernel", plain_wide.WideKernel)
            slow = solve(problem, plain, lambda: 0.0, states=3_000)
        fast = solve(problem, compiled, lambda: 0.0, states=3_000)
        assert (slow.result, slow.states, slow.moves) == (fast.result, fast.states, fast.moves)


def test_cards_beyond_the_deck_are_refused_not_stored() -> None:
    for module in (kernel.Kernel(1 << 16), wide.WideKernel(1 << 16)):
        with pytest.raises(ValueError, match=r"^columns, stock"):
            module.load([[60]], [0], [], 0, [0] * 8)
