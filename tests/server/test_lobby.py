"""Who meets whom (rule of the log 19): tables and laws of the pairing."""

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from server.lobby import LISTED, NO_WINDOW_MS, listing, pairs, window
from server.storage.base import LobbyView, Seek, Seeker
from shared.terms import DuelTerms

BOTH = DuelTerms()
TURNS = DuelTerms(tempo="alternating")
THREE = DuelTerms(draw=(3, 3))
RATED = DuelTerms(rated=True)
NOW = 100_000


def seek(name: str, waited: int = 1000, terms: DuelTerms = BOTH, rating: float | None = None) -> Seek:
    return Seek(f"s-{name}", Seeker(name.rstrip("'"), name, f"b.{name}"), terms, NOW - waited, rating)


@dataclass(frozen=True)
class Case:
    name: str
    seeks: tuple[Seek, ...]
    expected: tuple[str, ...]


CASES = (
    Case("nobody", (), ()),
    Case("one waits", (seek("a"),), ()),
    Case("two alike", (seek("a"), seek("b", 0)), ("ab",)),
    Case("another tempo", (seek("a"), seek("b", 0, TURNS)), ()),
    Case("another draw", (seek("a"), seek("b", 0, THREE)), ()),
    Case("rated and casual", (seek("a"), seek("b", 0, RATED)), ()),
    Case("in order of arrival", (seek("c", 1), seek("a", 3), seek("b", 2)), ("ab",)),
    Case("four", (seek("a", 4), seek("b", 3), seek("c", 2), seek("d", 1)), ("ab", "cd")),
    Case("two kinds", (seek("a", 4), seek("b", 3, TURNS), seek("c", 2), seek("d", 1, TURNS)), ("ac", "bd")),
    Case("not with himself", (seek("a", 2), seek("a'", 1)), ()),
    Case("past himself", (seek("a", 3), seek("a'", 2), seek("b", 1)), ("ab",)),
    Case("a handicap is accepted, not paired", tuple(seek(n, terms=DuelTerms(draw=(1, 3))) for n in "ab"), ()),
    Case("who begins must be open", tuple(seek(n, terms=replace(TURNS, first="host")) for n in "ab"), ()),
    Case("by the lowest card", tuple(seek(n, terms=replace(TURNS, first="low_card")) for n in "ab"), ("ab",)),
    Case("rated, none has a rating", tuple(seek(n, 0, RATED) for n in "ab"), ("ab",)),
    Case("near enough", (seek("a", 0, RATED, 1500), seek("b", 0, RATED, 1600)), ("ab",)),
    Case("too far", (seek("a", 0, RATED, 1500), seek("b", 0, RATED, 1601)), ()),
    Case("both have waited", (seek("a", 5001, RATED, 1500), seek("b", 5000, RATED, 1700)), ("ab",)),
    Case("one has waited", (seek("a", 60_000, RATED, 1500), seek("b", 0, RATED, 1700)), ()),
    Case("both for long", (seek("a", 31_000, RATED, 500), seek("b", 30_000, RATED, 2900)), ("ab",)),
    Case(
        "the nearest, not the first",
        (seek("a", 9000, RATED, 1500), seek("b", 8000, RATED, 1590), seek("c", 1000, RATED, 1510)),
        ("ac",),
    ),
    Case(
        "equally near: the first",
        (seek("a", 9000, RATED, 1500), seek("b", 1000, RATED, 1510), seek("c", 8000, RATED, 1490)),
        ("ac",),
    ),
    Case(
        "casual has no eye for ratings",
        (seek("a", 9, rating=500), seek("b", 8, rating=2900), seek("c", 7, rating=500)),
        ("ab",),
    ),
)


def names(found: list[tuple[Seek, Seek]]) -> tuple[str, ...]:
    return tuple(sorted(one.who.name + other.who.name for one, other in found))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_pairs(case: Case) -> None:
    assert names(pairs(case.seeks, NOW)) == case.expected


def test_the_window_grows_until_there_is_none() -> None:
    widths = [window(ms) for ms in range(0, NO_WINDOW_MS + 1000, 500)]
    assert widths == sorted(widths)
    assert widths[0] == 100
    assert window(NO_WINDOW_MS) == float("inf") > window(NO_WINDOW_MS - 1)


@st.composite
def crowds(draw: Any) -> list[Seek]:
    count = draw(st.integers(0, 12))
    return [
        Seek(
            f"s{n}",
            Seeker(f"i{draw(st.integers(0, 8))}", "x", f"b.{n}"),
            draw(st.sampled_from([BOTH, TURNS, RATED, DuelTerms(draw=(1, 3))])),
            NOW - draw(st.integers(0, 40_000)),
            draw(st.one_of(st.none(), st.floats(0, 3000))),
        )
        for n in range(count)
    ]


@given(crowds())
def test_nobody_is_in_two_pairs_and_nobody_is_left_who_fits(crowd: list[Seek]) -> None:
    found = pairs(crowd, NOW)
    taken = [seek.seek for pair in found for seek in pair]
    assert len(set(taken)) == len(taken)
    for one, other in found:
        assert one.terms == other.terms
        assert one.who.identity != other.who.identity
        assert (one.since or 0) <= (other.since or 0)
    left = [seek for seek in crowd if seek.seek not in taken]
    assert pairs(left, NOW) == []


@given(crowds(), st.randoms())
def test_the_order_of_the_list_does_not_matter(crowd: list[Seek], chance: Any) -> None:
    apart = [replace(seek, since=(seek.since or 0) * 16 + n) for n, seek in enumerate(crowd)]
    mixed = apart.copy()
    chance.shuffle(mixed)
    assert pairs(mixed, NOW * 16) == pairs(apart, NOW * 16)


def test_the_list_is_bounded_and_tells_how_many_wait() -> None:
    seeks = tuple(seek(f"{n:03}", waited=1000 - n) for n in range(LISTED + 5))
    shown = listing(LobbyView(NOW, seeks, ()))
    assert shown.waiting == LISTED + 5
    assert [entry.name for entry in shown.seeks] == [f"{n:03}" for n in range(LISTED)]
    assert (shown.seeks[0].waited, shown.seeks[0].terms) == (1000, BOTH)
    assert "b.000" not in repr(shown)  # a connection's name is nobody's business
