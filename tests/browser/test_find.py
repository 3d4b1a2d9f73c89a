"""Finding an opponent through the page: quick match, the open seeks, and waiting while one plays alone."""

import pytest

from tests.browser.conftest import NewPlayer
from tests.browser.driver import Player

pytestmark = pytest.mark.browser


def seek(one: Player, **choices: str) -> None:
    """Look for an opponent from the first page."""
    one.open()
    one.page.wait_for_selector(".tile.find")
    for field, value in choices.items():
        one.choose(field, value)
    one.act("seek")


def wait_for_waiting(one: Player) -> None:
    one.page.wait_for_selector(".quick.waiting")


def test_quick_match_between_two_browsers(player: NewPlayer) -> None:
    """Both seek the same, are called, come, and see their cards; while Ann waits she plays alone, her place kept."""
    ann, ben = player("Ann"), player("Ben", width=390, height=844, touch=True)
    seek(ann, quick_draw="1")
    wait_for_waiting(ann)
    assert ann.out("waiting") == "Only you wait."
    ann.act("klondike")
    ann.act("start")
    ann.wait_for_cards()
    assert ann.page.is_visible("#seek [data-act=unseek]")
    ann.tap_pile("0:s")
    ann.settle()
    ben.open()
    ben.page.wait_for_selector("[data-seek]")
    assert "Ann" in ben.page.inner_text("[data-seek]")
    assert "Draw 3" in ben.page.inner_text("[data-seek]")
    assert ben.out("waiting") == "One player waits."
    ben.choose("quick_draw", "1")
    ben.act("seek")
    for one, rival in ((ann, "Ben"), (ben, "Ann")):
        one.page.wait_for_selector("dialog.call")
        assert f"{rival} is here to play." in one.page.inner_text("dialog.call")
        assert 10 <= int(one.out("call")) <= 15
    ann.act("take-call")
    ben.act("take-call")
    for one in (ann, ben):
        one.page.wait_for_selector(".table.duel")
        one.wait_for_cards()
        assert one.page.is_hidden("#seek")
    assert {one.see()["seat"] for one in (ann, ben)} == {"0", "1"}
    assert ann.count_cards() == ben.count_cards() == 104


def test_who_waits_may_play_the_computer_meanwhile_and_keeps_his_place(player: NewPlayer) -> None:
    ann, ben = player("Ann"), player("Ben")
    seek(ann, quick_tempo="1")
    wait_for_waiting(ann)
    ann.act("meanwhile")
    ann.page.wait_for_selector(".room .seats:has-text('Computer')")
    assert ann.page.is_visible("#seek [data-act=unseek]")
    ben.open()
    ben.page.wait_for_selector("[data-seek]:has-text('Taking turns')")
    ann.page.click("#seek [data-act=unseek]")


def test_an_open_seek_is_accepted_after_its_rules_are_seen(player: NewPlayer) -> None:
    ann, ben = player("Ann"), player("Ben")
    ann.open()
    ann.act("seek-options")
    ann.choose("draw.1", "1")
    ann.act("seek-with")
    wait_for_waiting(ann)
    ben.open()
    ben.page.click("[data-seek] [data-act=look]")
    rules = ben.page.inner_text("dialog .terms")
    assert "Ann draws\nDraw 1" in rules
    assert "Ben draws\nDraw 3" in rules
    ben.act("accept-seek")
    for one in (ann, ben):
        one.act("take-call")
    for one in (ann, ben):
        one.wait_for_cards()


def test_who_comes_keeps_his_place_if_the_other_does_not(player: NewPlayer) -> None:
    ann, ben = player("Ann"), player("Ben")
    seek(ann)
    wait_for_waiting(ann)
    seek(ben)
    ann.act("take-call")
    ben.page.wait_for_selector("dialog.call")
    ann.page.wait_for_selector(".quick.waiting", timeout=20000)
    assert ann.page.locator(".toast", has_text="You keep your place").count() == 1
    assert ben.page.is_visible("[data-act=seek]")
    ann.act("unseek")
    ann.page.wait_for_selector("[data-act=seek]")
    ben.page.locator("[data-out=waiting]", has_text="Nobody waits just now.").wait_for()


def test_not_now_is_told_to_the_other_at_once_and_gives_him_his_place_back(player: NewPlayer) -> None:
    """Whether he has looked at his call yet, or sits at the table already."""
    ann, ben = player("Ann"), player("Ben", width=390, height=844, touch=True)
    for taken in (False, True):
        seek(ann)
        wait_for_waiting(ann)
        seek(ben)
        for one in (ann, ben):
            one.page.wait_for_selector("dialog.call")
        if taken:
            ann.act("take-call")
            ann.page.wait_for_selector(".room .seats .ready")
        ben.act("no-call")
        ann.page.wait_for_selector(".toast:has-text('You keep your place')", timeout=3000)
        wait_for_waiting(ann)
        ann.page.wait_for_selector("dialog.call", state="detached")
        ben.page.wait_for_selector(".toast:has-text('You turned it down')")
        assert ben.page.is_visible("[data-act=seek]")
        ann.act("unseek")


def test_a_seek_comes_back_with_the_line(player: NewPlayer) -> None:
    ann, ben = player("Ann"), player("Ben")
    seek(ann)
    wait_for_waiting(ann)
    ben.open()
    ben.page.wait_for_selector("[data-seek]")
    first = ben.page.get_attribute("[data-seek]", "data-seek")
    ann.page.evaluate("window.sockets.at(-1).close()")
    ben.page.wait_for_selector(f"[data-seek]:not([data-seek='{first}'])")
    wait_for_waiting(ann)
    ann.act("unseek")


def test_a_rated_quick_match_changes_both_ratings(player: NewPlayer) -> None:
    """Rated and casual seeks do not meet; the end tells the change, the profile keeps it, the replay is there."""
    ann, ben, cat = player("Ann"), player("Ben"), player("Cat")
    seek(cat, quick_draw="0", quick_rated="0")
    wait_for_waiting(cat)
    seek(ann, quick_draw="0", quick_rated="1")
    wait_for_waiting(ann)
    seek(ben, quick_draw="0", quick_rated="1")
    for one in (ann, ben):
        one.page.wait_for_selector("dialog.call")
        one.act("take-call")
    for one in (ann, ben):
        one.wait_for_cards()
    assert cat.page.is_visible(".quick.waiting")
    first = ann if ann.see()["seat"] == "0" else ben
    other = ben if first is ann else ann
    first.tap_pile("0:s")
    first.act("menu")
    first.act("resign")
    first.act("yes")
    for one in (first, other):
        one.page.wait_for_selector("[data-out=rating-change] b", timeout=15000)
    assert "-" in first.out("rating-change").replace("\N{MINUS SIGN}", "-")
    assert "+" in other.out("rating-change")
    other.open("/profile")
    other.page.wait_for_selector("text=Rating, not settled yet: one rated match")
    other.open("/history")
    other.page.click("[data-to=replay]")
    other.page.wait_for_selector(".felt[data-index] .card")
