"""The daily challenge in the page: which date it is there, and what it asks for (docs/daily.md)."""

import datetime as dt
import json
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tests.browser.conftest import NewPlayer
from tests.browser.driver import Player

#: A page left open over midnight; test_midnight.py has all zones, with games played through it.
MIDNIGHTS = [
    ("UTC", dt.date(2026, 12, 2)),
    ("Pacific/Kiritimati", dt.date(2026, 12, 2)),
    # After the first midnight the day is short or long, before the second it was.
    ("America/New_York", dt.date(2026, 3, 8)),
    ("Europe/Berlin", dt.date(2026, 10, 26)),
    ("Australia/Lord_Howe", dt.date(2026, 4, 5)),
    ("Australia/Lord_Howe", dt.date(2026, 10, 5)),
]


def sent(player: Player) -> list[dict[str, Any]]:
    """Gather what the page sends from now on."""
    frames: list[dict[str, Any]] = []
    player.page.on("websocket", lambda line: line.on("framesent", lambda frame: frames.append(json.loads(frame))))
    return frames


def words(date: dt.date) -> str:
    return f"{date:%A, %B} {date.day}, {date.year}"


@pytest.mark.parametrize(("zone", "morrow"), MIDNIGHTS)
def test_a_page_left_open_over_midnight_offers_the_new_day(player: NewPlayer, zone: str, morrow: dt.date) -> None:
    ann = player("Ann", zone=zone)
    frames = sent(ann)
    midnight = dt.datetime.combine(morrow, dt.time(), ZoneInfo(zone)).astimezone(dt.UTC)
    ann.page.clock.install(time=midnight - dt.timedelta(seconds=60))
    ann.open()
    ann.page.wait_for_selector("[data-act=daily]")
    assert ann.out("daily-date") == words(morrow - dt.timedelta(days=1))
    ann.page.clock.run_for(70_000)
    assert ann.out("daily-date") == words(morrow)
    ann.act("daily")
    ann.page.wait_for_function("() => true")
    hello = next(frame for frame in frames if frame["t"] == "hello")
    local = (midnight - dt.timedelta(seconds=60)).astimezone(ZoneInfo(zone)).utcoffset()
    assert local is not None
    assert hello["offset"] == local.total_seconds() / 60
    asked = next(frame for frame in frames if frame["t"] == "create")
    assert asked["terms"]["daily"] == morrow.isoformat()


def test_the_first_start_pins_the_draw_and_the_next_opens_the_same_game(player: NewPlayer) -> None:
    """Also from a page that was open before, and still offers to begin; a new one offers to go on."""
    ann = player("Ann")
    ann.open()
    ann.page.wait_for_selector("[data-act=daily]")
    before = ann.new_page()
    before.goto(ann.url)
    before.wait_for_selector("[data-act=daily]")
    ann.page.select_option("[name=daily_draw]", "3")
    ann.act("daily")
    ann.wait_for_cards()
    assert ann.page.is_hidden("[data-out=code]")
    ann.tap_pile("0:s")
    ann.settle(ann.see()["no"] - 1)
    assert ann.see()["piles"]["0:s"]["count"] == 21
    before.select_option("[name=daily_draw]", "1")
    before.click("[data-act=daily]")
    before.wait_for_selector(".pile[data-pile='0:s'][data-count='21']")
    before.close()
    ann.open()
    ann.page.wait_for_selector(".daily[data-state=begun]")
    assert ann.page.locator("[name=daily_draw]").count() == 0
    ann.act("daily-resume")
    ann.page.wait_for_selector(".pile[data-pile='0:s'][data-count='21']")
    ann.open("/calendar")
    ann.page.wait_for_selector("[aria-current=date][data-state=begun]")
    assert "Draw 3" in ann.page.inner_text(".day")
    ann.act("resume-day")
    ann.page.wait_for_selector(".pile[data-pile='0:s'][data-count='21']")
