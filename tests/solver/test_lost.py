"""Positions of which games say too soon that nothing goes any more: one line that wins forbids it (docs/rules.md)."""

import pytest

from server.solver.problem import check, from_position
from server.solver.search import Search
from server.solver.solve import Result, solve
from shared.notation import parse_position
from shared.ruleset import ruleset
from shared.terms import KlondikeTerms

RANKS = "A23456789TJQK"


def foundations(spades: int, hearts: int, diamonds: int, clubs: int) -> str:
    """Foundations of these heights."""
    piles = zip("SHDC", (spades, hearts, diamonds, clubs), strict=True)
    return "/".join("".join(rank + suit for rank in RANKS[:height]) or "-" for suit, height in piles)


@pytest.fixture(scope="module")
def search() -> Search:
    return Search(1 << 24)


FREE = KlondikeTerms()
STAY = KlondikeTerms(worry_back=False)
CASES: list[tuple[str, str, KlondikeTerms, Result]] = [
    ("only a king back from its foundation helps", "t:JCQCKC/-/-/-/-/-/-", FREE, "win"),
    ("and it may not come back", "t:JCQCKC/-/-/-/-/-/-", STAY, "loss"),
    ("only a king to an empty column helps", "t:JCKC/QC/-/-/-/-/-", STAY, "win"),
    ("only another pass helps", "t:KC/-/-/-/-/-/- w:JCQC", STAY, "win"),
    ("and there is one", "t:KC/-/-/-/-/-/- w:JCQC", KlondikeTerms(worry_back=False, passes=2), "win"),
    ("and there is none", "t:KC/-/-/-/-/-/- w:JCQC", KlondikeTerms(worry_back=False, passes=1), "loss"),
    ("the last pass is not over", "t:KC/-/-/-/-/-/- s:QCJC", KlondikeTerms(worry_back=False, passes=1), "win"),
    ("the second of three passes", "t:KC/-/-/-/-/-/- w:JCQC pass:2", KlondikeTerms(worry_back=False, passes=3), "win"),
    ("any card to an empty column", "t:JCQCKC/-/-/-/-/-/-", KlondikeTerms(worry_back=False, empty_column="any"), "win"),
    ("one card more, no pass left", "t:KC/-/-/-/-/-/- w:QCJC", KlondikeTerms(scoring="vegas"), "win"),
    ("face-down cards under a run", "t:(QCJC)KC/-/-/-/-/-/-", STAY, "win"),
]


@pytest.mark.parametrize(("text", "terms", "result"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_lost_is_said_when_no_line_wins_and_only_then(
    search: Search, text: str, terms: KlondikeTerms, result: Result
) -> None:
    position = parse_position(f"{text} f:{foundations(13, 13, 13, 10)} tally:score=0")
    problem = from_position(ruleset(terms), position)
    check(problem)
    assert solve(problem, search, lambda: 0.0).result == result


def test_the_last_card_wins_with_no_pass_left(search: Search) -> None:
    position = parse_position(f"t:-/-/-/-/-/-/- w:KC f:{foundations(13, 13, 13, 12)} tally:score=0")
    found = solve(from_position(ruleset(KlondikeTerms(passes=1)), position), search, lambda: 0.0)
    assert found.result == "win"
    assert found.moves is not None
    assert len(found.moves) == 1
