"""The pages of the records with made-up answers: what they show, ask and remember, for every reader and screen."""

import calendar
import datetime as dt
from collections.abc import Callable, Iterator
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Browser

from shared.protocol.questions import AskBoard, AskDaily, AskHistory, AskProfile, ResetBank
from tests.browser.archive import AWAY, BEN, EMPTY, FULL, LONG, ME, MOZART, Reader, Told
from tests.browser.conftest import Server

pytestmark = pytest.mark.browser

PAGES = ("/", "/profile", f"/profile/{MOZART.identity}", "/history", f"/history/{ME}/{BEN.identity}", "/boards")
MORE = ("/boards?game=alternating", "/boards?date=2026-12-04&draw=3", "/calendar", "/calendar/2026-02")
TODAY = "2026-12-05T10:00:00Z"

TOO_WIDE = """() => [...document.querySelectorAll('.records *')]
  .filter((el) => el.offsetWidth && el.getBoundingClientRect().right > 391 && !el.closest('.off-screen'))
  .map((el) => el.outerHTML.slice(0, 80))"""

Open = Callable[..., Reader]


@pytest.fixture
def reader(browser: Browser, server: Server) -> Iterator[Open]:
    made: list[Reader] = []

    def make(path: str, told: dict[str, Told] | None = None, at: dt.datetime | None = None, **look: Any) -> Reader:
        new = Reader(browser, server.url, told or FULL, **{"zone": "Europe/Berlin", **look})
        made.append(new)
        if at is None:
            new.page.clock.set_fixed_time(TODAY)
        else:
            new.page.clock.install(time=at)
        new.open(path)
        return new

    yield make
    errors = [error for one in made for error in one.errors]
    for one in made:
        one.context.close()
    assert errors == []


def wait_for_answer(ann: Reader) -> None:
    ann.page.wait_for_selector("#app main")
    ann.page.wait_for_selector("[data-out=waiting-answer]", state="detached")
    ann.page.wait_for_selector("[aria-busy]", state="detached")


@pytest.mark.parametrize(("language", "told"), [("en", FULL), ("de", FULL), ("da", FULL), ("de", EMPTY)])
def test_no_page_is_wider_than_a_phone(reader: Open, language: str, told: dict[str, Told]) -> None:
    ann = reader("/", told, width=390, height=844, touch=True, language=language)
    for path in PAGES + MORE:
        ann.open(path)
        wait_for_answer(ann)
        for el in ann.page.locator(".counts summary").all():
            el.click()
        assert ann.page.evaluate("document.documentElement.scrollWidth") <= 390, path
        assert ann.page.evaluate(TOO_WIDE) == [], path


@pytest.mark.parametrize("path", PAGES[1:] + MORE)
def test_every_table_has_a_caption_and_the_page_says_where_one_is(reader: Open, path: str) -> None:
    ann = reader(path)
    wait_for_answer(ann)
    assert ann.page.locator("table:not(:has(caption))").count() == 0
    assert ann.page.locator("th:not([scope])").count() == 0
    here = ann.page.locator(".ways [aria-current=page]")
    assert here.get_attribute("data-to") == path.partition("?")[0].split("/")[1]
    assert ann.page.locator("h1").count() == 1


def test_a_profile_shows_the_figures_and_remembers_what_is_looked_at(reader: Open) -> None:
    ann = reader("/profile")
    wait_for_answer(ann)
    assert ann.asked == [AskProfile(1)]
    both = ann.page.locator("[data-tempo=simultaneous]")
    assert both.locator("[data-out=rating]").inner_text() == "1823 ± 62"
    assert both.locator("[data-out=won]").inner_text() == "6,789 (55%)"
    assert "not settled yet" in ann.page.inner_text("[data-tempo=alternating] .rating")
    assert "not settled" not in both.locator(".rating").inner_text()
    assert both.locator("table tbody tr").count() == both.locator("svg rect").count() == 46
    klondike = ann.page.locator("[data-kind='klondike 1 standard']")
    assert "Average time of won games\n5:12" in klondike.locator("dl").inner_text()
    assert ann.page.locator("[data-kind='klondike 3 vegas'] [data-out=average-time]").count() == 0
    ann.page.select_option("[name=filter_game]", "two_deck")
    assert ann.page.locator("[data-kind]").count() == 1
    ann.page.reload()
    wait_for_answer(ann)
    assert ann.page.input_value("[name=filter_game]") == "two_deck"
    assert ann.page.locator("[data-kind]").count() == 1


def test_the_bank_is_reset_only_after_a_yes(reader: Open) -> None:
    ann = reader("/profile")
    wait_for_answer(ann)
    assert ann.out("bank") == "-$10452"
    ann.act("reset-bank")
    ann.page.keyboard.press("Escape")
    assert not any(isinstance(question, ResetBank) for question in ann.asked)
    ann.act("reset-bank")
    ann.act("yes")
    ann.page.wait_for_selector("[data-out=bank]:text-is('$0')")


def test_another_s_profile_has_no_bank_and_leads_to_the_games_between(reader: Open) -> None:
    ann = reader(f"/profile/{MOZART.identity}")
    wait_for_answer(ann)
    assert ann.page.inner_text("h1") == LONG
    assert ann.page.locator("[data-out=bank]").count() == 0
    ann.page.click("[data-to=between]")
    wait_for_answer(ann)
    assert ann.asked[-1] == AskHistory(ann.asked[-1].ask, identity=ME, rival=MOZART.identity)
    assert ann.page.inner_text("h1") == f"Ann against {LONG}"
    assert [ann.out(f"sum-{name}") for name in ("won", "lost", "void")] == ["5", "3", "1"]
    ann.page.go_back()
    wait_for_answer(ann)
    assert ann.page.inner_text("h1") == LONG


def test_history_tells_each_kind_of_game_and_goes_on(reader: Open) -> None:
    ann = reader("/history")
    wait_for_answer(ann)
    rows = ann.page.locator(".rows > li")
    kinds = [row.get_attribute("data-outcome") for row in rows.all()]
    assert kinds == ["won", "lost", "void", "won", "won", "abandoned", "won"]
    texts = [row.inner_text() for row in rows.all()]
    assert "31 : 27" in texts[0]
    assert "+12" in texts[0]
    assert "\N{MINUS SIGN}9" in texts[1]
    assert "by resignation" in texts[1]
    assert "Computer (Expert)" in texts[3]
    assert rows.nth(3).locator("a.person").count() == 0
    assert "Daily Challenge · Nov 30, 2026 · Draw 1" in texts[4]
    assert "6,120 points" in texts[4]
    assert "1 move · -$47" in texts[5]
    replays = [link.get_attribute("href") for link in ann.page.locator("[data-to=replay]").all()]
    assert replays == ["/replay/m1", "/replay/m2", "/replay/m4", "/replay/m5", "/replay/m7"]
    ann.page.focus("[data-act=more]")
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_selector("[data-match=m31]")
    assert ann.asked[-1] == AskHistory(ann.asked[-1].ask, before=7)
    assert ann.page.evaluate("document.activeElement.dataset.match") == "m30"
    assert ann.page.locator("[data-act=more]").count() == 0
    ann.page.click("[data-match=m2] a.person")
    ann.page.wait_for_url(f"**/profile/{BEN.identity}")


def test_own_games_and_another_s_are_told_apart(reader: Open) -> None:
    ann = reader("/history")
    for path, title in (("", "Your games"), (f"/{ME}", "Your games"), (f"/{BEN.identity}", f"Games of {LONG}")):
        ann.open(f"/history{path}")
        wait_for_answer(ann)
        assert ann.page.inner_text("h1") == title


def test_a_board_keeps_its_address_and_shows_ties_and_the_own_place(reader: Open) -> None:
    ann = reader("/boards")
    wait_for_answer(ann)
    assert [row.get_attribute("data-rank") for row in ann.page.locator("[data-rank]").all()] == [
        *("1", "2", "2", "4", "5", "1204")
    ]
    mine = ann.page.locator("tr.mine")
    assert mine.count() == 1
    assert "Ann (You)" in mine.inner_text()
    ann.page.focus("[name=board]")
    ann.page.select_option("[name=board]", "time")
    ann.page.wait_for_selector("caption:has-text('Fastest win')")
    assert ann.page.evaluate("document.activeElement.name") == "board"
    ann.page.select_option("[name=scoring]", "vegas")
    ann.page.select_option("[name=draw]", "3")
    ann.page.locator("[name=clean]").check()
    ann.page.select_option("[name=rules]", "1")
    wait_for_answer(ann)
    wanted = AskBoard(ann.asked[-1].ask, "time", "klondike", 3, "vegas", clean=True, rules=1)
    assert ann.asked[-1] == wanted
    address = ann.page.url
    eve = reader(address.removeprefix(ann.url))
    wait_for_answer(eve)
    assert eve.asked[-1] == AskBoard(1, "time", "klondike", 3, "vegas", clean=True, rules=1)
    eve.page.select_option("[name=game]", "alternating")
    eve.page.wait_for_selector("caption:has-text('Rating')")
    assert "1989 ± 45" in eve.page.inner_text("tr[data-rank='1']")
    assert eve.asked[-1] == AskBoard(eve.asked[-1].ask, "rating", "alternating", rules=None)
    assert eve.page.locator("[name=draw], [name=clean], [name=scoring]").count() == 0


def test_the_board_of_a_daily_steps_from_day_to_day(reader: Open) -> None:
    ann = reader("/boards")
    wait_for_answer(ann)
    ann.page.select_option("[name=game]", "daily")
    ann.page.wait_for_selector("[data-out=board-date]:text-is('Dec 5, 2026')")
    assert ann.page.is_disabled("[data-act=dayAfter]")
    for _ in range(5):
        ann.act("dayBefore")
    assert ann.out("board-date") == "Nov 30, 2026"
    wait_for_answer(ann)
    assert ann.asked[-1] == AskBoard(ann.asked[-1].ask, "time", "klondike", date="2026-11-30")
    assert ann.page.url.endswith("/boards?date=2026-11-30")
    assert ann.page.evaluate("document.activeElement.name") == "dayBefore"


def test_the_calendar_tells_each_day(reader: Open) -> None:
    ann = reader("/calendar")
    wait_for_answer(ann)
    assert ann.asked == [AskDaily(1, "2026-12")]
    states = {
        el.get_attribute("data-date"): el.get_attribute("data-state") for el in ann.page.locator("[data-date]").all()
    }
    assert [states[f"2026-12-0{day}"] for day in range(1, 7)] == ["won", "won", "missed", "won", "begun", "future"]
    assert len(states) == 31
    today = ann.page.locator("[aria-current=date]")
    assert today.get_attribute("data-date") == "2026-12-05"
    assert ann.out("day") == "Saturday, December 5, 2026"
    assert ann.page.is_visible("[data-act=resume-day]")
    assert ann.page.is_disabled("[data-date='2026-12-06']")
    ann.page.focus("[data-date='2026-12-03']")
    for key in (
        "ArrowLeft",
        "ArrowUp",
        "ArrowRight",
        "ArrowRight",
        "ArrowRight",
        "ArrowRight",
        "ArrowLeft",
        "ArrowLeft",
    ):
        ann.page.keyboard.press(key)
    assert ann.page.evaluate("document.activeElement.dataset.date") == "2026-12-03"
    ann.page.keyboard.press("ArrowLeft")
    ann.page.keyboard.press("Enter")
    assert ann.out("day-time") == "13:20"
    assert ann.page.evaluate("document.activeElement.dataset.date") == "2026-12-02"
    assert ann.page.get_attribute("[data-date='2026-12-02']", "aria-label") == "Wednesday, December 2, 2026: won, 13:20"
    ann.page.evaluate("() => { navigator.share = async ({ text }) => { window.shared = text; }; }")
    ann.act("share")
    shared = ann.page.evaluate("window.shared")
    assert shared == "Double Solitaire, Daily Challenge 2026-12-02 · Draw 1 · 13:20 · 133 moves · 6120 points"
    assert ann.page.get_attribute("[data-to=day-board]", "href") == "/boards?date=2026-12-02"
    ann.act("monthBefore")
    ann.page.wait_for_selector("[data-out=month]:text-is('November 2026')")
    wait_for_answer(ann)
    assert ann.page.locator("[data-date]").count() == 30
    ann.act("monthAfter")
    ann.page.wait_for_selector("[data-out=month]:text-is('December 2026')")
    assert ann.page.is_disabled("[data-act=monthAfter]")


MIDNIGHTS = [
    ("Pacific/Pago_Pago", dt.date(2026, 12, 1)),
    ("America/New_York", dt.date(2026, 11, 2)),
    ("UTC", dt.date(2027, 1, 1)),
    ("Europe/Berlin", dt.date(2026, 3, 29)),
    ("Asia/Kolkata", dt.date(2028, 2, 29)),
    ("Australia/Lord_Howe", dt.date(2026, 10, 4)),
    ("Pacific/Kiritimati", dt.date(2027, 3, 1)),
]


@pytest.mark.parametrize(("zone", "morrow"), MIDNIGHTS)
def test_a_calendar_left_open_over_midnight_shows_the_new_day(reader: Open, zone: str, morrow: dt.date) -> None:
    midnight = dt.datetime.combine(morrow, dt.time(), ZoneInfo(zone)).astimezone(dt.UTC)
    ann = reader("/calendar", EMPTY, zone=zone, at=midnight - dt.timedelta(seconds=60))
    for date in (morrow - dt.timedelta(days=1), morrow):
        ann.page.wait_for_selector(f"[aria-current=date][data-date='{date}'][data-state=new]")
        wait_for_answer(ann)
        assert ann.asked[-1] == AskDaily(ann.asked[-1].ask, f"{date:%Y-%m}")
        assert ann.page.locator("[data-date]").count() == calendar.monthrange(date.year, date.month)[1]
        ann.page.clock.run_for(70_000)


def test_the_first_page_tells_how_far_today_s_daily_is(reader: Open) -> None:
    ann = reader("/")
    ann.page.wait_for_selector(".daily[data-state=begun]")
    assert ann.out("daily-streak") == "Streak: 3 days"
    ann.act("daily-resume")
    ann.page.wait_for_function("() => true")
    assert {"t": "join", "match": "d5", "legal": True} in ann.wished
    eve = reader("/", EMPTY)
    eve.page.wait_for_selector(".daily[data-state=new] [data-act=daily]")
    assert eve.page.is_hidden("[data-out=daily-streak]")


@pytest.mark.parametrize("path", PAGES[1:] + MORE)
def test_a_store_that_is_away_is_told_and_asked_again(reader: Open, path: str) -> None:
    ann = reader(path, dict(AWAY))
    ann.page.wait_for_selector("[role=alert] [data-act=ask-again]")
    assert "cannot do that just now" in ann.page.inner_text("[role=alert]")
    ann.told = FULL
    ann.act("ask-again")
    ann.page.wait_for_selector("[role=alert]", state="detached")
    wait_for_answer(ann)


def test_an_answer_that_comes_too_late_is_not_shown(reader: Open) -> None:
    """Whoever changes the filter faster than the answers come sees the last one asked for."""
    ann = reader("/boards")
    wait_for_answer(ann)
    held: list[AskBoard] = []
    ann.told = {"AskBoard": held.append}
    ann.page.select_option("[name=board]", "time")
    ann.page.select_option("[name=board]", "moves")
    ann.page.wait_for_function("() => true")
    for question in reversed(held):
        ann.answer(FULL["AskBoard"](question))
    ann.page.wait_for_selector("caption:has-text('Least moves')")
    ann.page.wait_for_timeout(100)
    assert "Least moves" in ann.page.inner_text("caption")


def test_a_seek_shows_its_rating_and_the_own_one_stands_by(reader: Open) -> None:
    ann = reader("/")
    ann.page.wait_for_selector("[data-out=own-rating]:has-text('1823 ± 62')")
    seeks = [{"seek": "s1", "name": "Ben", "terms": {"type": "duel", "rated": True}, "rating": 1611.7}]
    ann.answer(
        {"t": "lobby", "waiting": 2, "seeks": [*seeks, {"seek": "s2", "name": "Eve", "terms": {"type": "duel"}}]}
    )
    ann.page.wait_for_selector("[data-seek=s1] [data-out=seek-rating]:text-is('1612')")
    assert ann.page.locator("[data-seek=s2] [data-out=seek-rating]").count() == 0
    ann.act("seek-options")
    ann.page.click("dialog details summary")
    ann.page.wait_for_selector("dialog label:has([name=rated]) [data-out=own-rating]:has-text('1823')")
