"""Around the games: rooms and codes, terms, watchers, matches, the deal's check, hidden pages, a killed server."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser import lines
from tests.browser.conftest import NewPlayer, Server
from tests.browser.driver import Player
from tests.browser.duelist import begin, best, resign, result, turn_stock

pytestmark = pytest.mark.browser


def test_a_room_code_is_read_forgivingly(player: NewPlayer) -> None:
    ann, ben = player("Ann"), player("Ben")
    ann.host()
    code = ann.out("code")
    ben.open()
    ben.page.fill(".tile.join input", f" {code.lower()[:2]}-{code.lower()[2:]} ")
    ben.act("join")
    ben.page.wait_for_selector("[data-act=ready]")
    ann.page.wait_for_selector(".seats li:has-text('Ben')")
    assert ann.page.locator("[data-out=link]").count() == 0


def test_a_code_of_nothing_says_so(player: NewPlayer) -> None:
    ann = player("Ann")
    ann.open("/r/ZZZZZ")
    ann.page.wait_for_selector(".toast.bad")
    ann.page.wait_for_selector(".home")
    ann.open("/?deal=DS2-D1N-AAAAAAB")
    assert "version" in ann.page.inner_text(".toast.bad")
    ann.page.wait_for_selector(".home")


def test_changed_rules_withdraw_both_readies_and_are_shown(player: NewPlayer) -> None:
    ann, ben = player("Ann"), player("Ben")
    path = ann.host()
    ben.open(path)
    ben.ready()
    ann.page.wait_for_selector(".seats .ready")
    ann.act("change")
    ann.page.locator("dialog input[name=tempo][value='1'] + span").click()
    ann.act("propose")
    ben.page.wait_for_selector(".terms dd:has-text('Taking turns')")
    assert ben.page.locator(".seats .ready").count() == 0


def test_the_guest_proposes_by_name_who_draws_what(player: NewPlayer) -> None:
    ann, ben = player("Ann"), player("Ben")
    ben.open(ann.host())
    ben.act("change")
    ben.page.locator("fieldset:has(legend:text-is('Ben draws')) label:has-text('Draw 3')").click()
    ben.act("propose")
    ann.page.wait_for_selector(".terms div:has(dt:text-is('Ben draws')) dd:text-is('Draw 3')")
    ann.page.wait_for_selector(".terms div:has(dt:text-is('Ann draws')) dd:text-is('Draw 1')")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844), (844, 390)])
def test_the_table_stays_where_it_is_when_a_player_is_said_to_be_stuck(
    player: NewPlayer, width: int, height: int
) -> None:
    """A felt of another size moves every card under the finger, and lets go of a dragged one."""
    ann, ben = player("Ann", width=width, height=height), player("Ben")
    begin(ann, ben)
    before = ann.page.locator(".felt").bounding_box()
    ben.act("declare")
    ann.page.wait_for_selector(".chip.far .state:not(:empty)")
    assert ann.page.locator(".felt").bounding_box() == before


def test_a_third_one_watches(player: NewPlayer) -> None:
    """He sees the table and no hidden card, and can move nothing."""
    ann, ben, eve = player("Ann"), player("Ben"), player("Eve")
    begin(ann, ben)
    eve.open(ann.page.url.removeprefix(ann.url))
    eve.page.wait_for_selector(".banner:has-text('watching')")
    eve.page.wait_for_selector(".card[data-card]")
    frame = eve.see()
    assert frame["seat"] == ""
    eve.tap_pile("0:s", frame)
    eve.page.wait_for_timeout(300)
    assert eve.see()["no"] == frame["no"]
    assert {c["card"] for c in frame["cards"]} == {c["card"] for c in ann.see()["cards"]}


def test_a_match_goes_on_to_its_next_game_and_the_deal_is_checked(player: NewPlayer) -> None:
    ann, ben = player("Ann"), player("Ben")
    begin(ann, ben, games="1")
    first = {c["card"] for c in ann.see()["cards"]}
    for turn in range(120):  # a game without any foundation card would be void
        one = (ann, ben)[turn % 2]
        frame = one.see()
        move = best(frame)
        if move:
            one.drag(*move, frame)
        else:
            turn_stock(one, frame)
        one.settle(frame["no"])
        if move and move[1] == "f":
            break
    resign(ben)
    assert result(ann)["winner"] == "0"
    ann.act("check")
    ann.page.wait_for_selector(".toast:has-text('fixed beforehand')")
    assert "52 : " in ann.page.inner_text(".panel .match")
    for one in (ann, ben):
        one.act("next")
    ann.page.wait_for_selector(".countdown .digits")
    for one in (ann, ben):
        one.page.wait_for_selector(".table[data-phase=playing] .over:not(.on)", state="attached")
        one.wait_for_cards()
        assert "Game 2 of 3" in one.page.inner_text(".middle")
    assert {c["card"] for c in ann.see()["cards"]} != first


def test_a_hidden_page_stops_a_solo_clock(player: NewPlayer) -> None:
    ann = player("Ann")
    ann.deal(lines.KLONDIKE)
    ann.tap_pile("0:s")
    ann.settle()
    ann.page.wait_for_function("() => document.querySelector('[data-out=time]').textContent !== '0:00'")
    turn_page(ann, hidden=True)
    ann.page.wait_for_selector("[data-act=unpause]")
    before = ann.out("time")
    ann.page.wait_for_timeout(1300)
    assert ann.out("time") == before
    turn_page(ann, hidden=False)
    ann.page.wait_for_selector("[data-act=unpause]", state="detached")


def turn_page(one: Player, *, hidden: bool) -> None:
    """What a switched tab looks like from inside; a headless browser has no tabs to switch."""
    one.page.evaluate(
        """(hidden) => {
          Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
          document.dispatchEvent(new Event('visibilitychange'));
        }""",
        hidden,
    )


def test_a_game_is_resumed_from_the_home_page(player: NewPlayer) -> None:
    ann = player("Ann")
    ann.deal(lines.TWO_DECK)
    frame = ann.see()
    ann.tap_pile("0:s", frame)
    ann.settle(frame["no"])
    ann.open()
    ann.page.click(".games li button:not(.icon)")
    ann.page.wait_for_selector(".felt[data-ready=yes]")
    assert ann.out("moves") == "1"
    assert ann.see()["piles"]["0:w"]["count"] == 1


def test_a_new_name_is_told_to_the_table(player: NewPlayer) -> None:
    ann = player("Ann")
    ann.open()
    ann.page.fill("input[name=name]", "Anna")
    ann.page.press("input[name=name]", "Tab")
    ann.act("duel")
    ann.act("start")
    ann.page.wait_for_selector(".seats li:has-text('Anna')")
    assert ann.page.locator(".toast").count() == 0, "the line was renewed by wish: nothing to tell"


def test_who_came_by_a_link_names_himself_at_the_table(player: NewPlayer) -> None:
    ann, ben = player("Ann"), player("")
    ben.open(ann.host())
    ben.act("ready")
    ben.act("rename")
    ben.page.fill("dialog input[name=name]", "Ben")
    ben.act("rename-yes")
    ann.page.wait_for_selector(".seats li.ready:has-text('Ben')")
    ben.page.wait_for_selector(".seats li:has-text('Ben (You)')")


def test_the_language_changes_at_once(player: NewPlayer) -> None:
    ann = player("Ann")
    ann.open()
    for language, words in (("de", "Anleitung"), ("da", "Hjælp"), ("en", "How to play")):
        ann.page.select_option(".side select", language)
        ann.page.wait_for_selector(f"text={words}")
        assert ann.page.get_attribute("html", "lang") == language


@pytest.mark.chaos
def test_a_killed_server_brings_everybody_back(browser: Browser, tmp_path: Path) -> None:
    """kill -9 in mid-duel, three times: the pages find their way back, to the same cards, and play on."""
    server = Server(tmp_path)
    ann, ben = Player(browser, server.url, "Ann"), Player(browser, server.url, "Ben")
    try:
        begin(ann, ben)
        for _ in range(3):
            frame = ann.see()
            ann.tap_pile("0:s", frame)
            ann.settle(frame["no"])
            ben.page.wait_for_function(
                "(n) => Number(document.querySelector('[data-pile=\"0:w\"]').dataset.count) === n",
                arg=ann.see()["piles"]["0:w"]["count"],
            )
            before = [shown(one) for one in (ann, ben)]
            server.kill()
            for one in (ann, ben):
                one.page.wait_for_selector("#line:not([hidden])")
            server.start()
            for one in (ann, ben):
                one.page.wait_for_selector("#line[hidden]", state="attached", timeout=15000)
            ann.page.wait_for_selector(".felt[data-ready=yes]")
            assert [shown(one) for one in (ann, ben)] == before
        assert ann.errors == ben.errors == []
    finally:
        ann.context.close()
        ben.context.close()
        server.stop()


def shown(one: Player) -> set[tuple[int, str, int]]:
    return {(c["card"], c["pile"], c["index"]) for c in one.see()["cards"]}


JUNK = [
    "null",
    "5",
    '"x"',
    "[]",
    "{}",
    "[null, 1, {}]",
    '{"name": 5, "klondike": 3, "language": []}',
    "not JSON",
    "\U0001f600",
]


@pytest.mark.parametrize("junk", JUNK)
def test_what_others_wrote_into_the_storage_stops_nobody(player: NewPlayer, junk: str) -> None:
    ann = player("Ann")
    keys = ["ds.token", "ds.settings", "ds.games", "ds.terms", "ds.quick", "ds.told", "ds.slept"]
    ann.context.add_init_script(f"for (const key of {keys}) localStorage.setItem(key, {json.dumps(junk)})")
    ann.open()
    ann.act("klondike")
    ann.act("start")
    ann.wait_for_cards()
    assert ann.errors == []


def test_a_storage_that_is_forbidden_stops_nobody(player: NewPlayer) -> None:
    ann = player("Ann")
    ann.open()
    forbidden = (
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError') } })"
    )
    ann.page.add_init_script(forbidden)
    ann.open()
    ann.act("klondike")
    ann.act("start")
    ann.wait_for_cards()
