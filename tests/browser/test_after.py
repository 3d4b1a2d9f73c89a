"""What the end of a solo game says of the records: statistics of its kind, and whether it counts for the boards."""

from typing import Any

import pytest

from shared.protocol.answers import History, Profile, SoloRecord
from shared.terms import KlondikeTerms, TwoDeckTerms
from tests.browser.archive import AWAY, ME, solo
from tests.browser.dealer import Dealer
from tests.browser.test_touches import Deal, deal
from tests.browser.test_wins import BOTH, WON, by_tap

__all__ = ["deal"]  # the fixture

pytestmark = pytest.mark.browser


def keep_records(table: Dealer, *, after: int, **row: Any) -> list[Any]:
    """Let the records know the game from the question of number ``after`` on; return the questions for it."""
    asked: list[Any] = []

    def history(question: Any) -> History:
        asked.append(question)
        known = len(asked) > after
        return History(question.ask, ME, "Ann", (solo(1, KlondikeTerms(), **row),) if known else ())

    def profile(question: Any) -> Profile:
        kind = SoloRecord("klondike", 1, "standard", 12, 5, best_ms=190_000)
        return Profile(question.ask, ME, "Ann", own=True, solos=(kind,))

    table.told = {"AskHistory": history, "AskProfile": profile}
    return asked


def test_the_statistics_are_those_with_this_game_in_them(deal: Deal) -> None:
    """The records may know it a moment later: they are asked until they do, and only then for the statistics."""
    table = deal(*WON)
    asked = keep_records(table, after=2)
    by_tap(table)
    table.page.page.wait_for_selector("[data-out=kind-stats]:has-text('12 played, 5 won (41.7%). Best time 3:10.')")
    assert len(asked) == 3
    assert {question.match for question in asked} == {"dealt"}
    assert table.page.out("counts") == "This win counts for the leaderboards."


def test_what_is_on_no_board_says_why(deal: Deal) -> None:
    table = deal(*WON)
    keep_records(table, after=0, off=("code", "restart"))
    by_tap(table)
    table.page.page.wait_for_selector("[data-out=counts]:not(:empty)")
    assert table.page.out("counts") == "Not on the leaderboards: a typed deal code, a restarted deal."


def test_records_that_are_away_do_not_hold_the_end_up(deal: Deal) -> None:
    table = deal(TwoDeckTerms(), BOTH[1], width=390, height=844, touch=True)
    table.told = AWAY
    by_tap(table)
    table.page.page.wait_for_selector(".panel[data-reason=won]")
    assert table.page.page.is_visible("[data-act=new]")
    table.page.page.wait_for_selector("[data-out=kind-stats]:has-text('in your statistics')", timeout=15000)
