"""One player in two browsers: by a link, with his name and games; and one of them taken away again."""

import json
import re

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.conftest import NewPlayer
from tests.browser.driver import Player
from tests.qr import read_qr

pytestmark = pytest.mark.browser


def make_link(one: Player) -> str:
    """A link to one more device, off the page; only what follows the server's address."""
    one.open("/devices")
    one.act("add-device")
    one.page.wait_for_selector("[data-out=move-link]")
    return one.out("move-link").removeprefix(one.url)


def klondike(one: Player) -> str:
    """Begin a game with one move; its address."""
    one.open()
    one.act("klondike")
    one.act("start")
    one.wait_for_cards()
    one.tap_pile("0:s")
    one.settle()
    return one.page.url.removeprefix(one.url)


def home_name(one: Player) -> str:
    one.page.wait_for_selector("body[data-page=home] [name=name]")
    return one.page.input_value("[name=name]")


def labels(one: Player) -> list[str]:
    one.page.wait_for_selector("[data-device]")
    return one.page.locator("[data-device] b").all_inner_texts()


def test_a_player_goes_on_at_another_device(player: NewPlayer) -> None:
    ann, phone = player("Ann"), player("", width=390, height=844, touch=True)
    game = klondike(ann)
    link = make_link(ann)
    assert re.fullmatch(r"/move#[A-Za-z0-9_-]{22}", link)
    phone.open(link)
    assert home_name(phone) == "Ann"
    assert phone.page.url == phone.url + "/"
    ann.page.wait_for_selector("[data-device] >> nth=1")  # it is told without being asked
    assert len(labels(ann)) == 2
    assert ann.page.locator("[data-out=move-link]").count() == 0, "the link is used"
    phone.page.click(f".games [data-match='{game.removeprefix('/m/')}'] button:not(.icon)")
    phone.act("unpause")
    phone.wait_for_cards()
    assert phone.see()["piles"]["0:s"]["count"] == 23
    phone.tap_pile("0:s")
    phone.settle(phone.see()["no"] - 1)
    assert phone.see()["piles"]["0:s"]["count"] == 22
    phone.open()
    phone.page.fill("[name=name]", "Anna")
    phone.page.locator("[name=name]").blur()
    ann.page.wait_for_timeout(300)
    ann.open()
    ann.page.wait_for_function("() => document.querySelector('[name=name]')?.value === 'Anna'")


def test_the_code_is_off_the_address_before_anything_is_asked(player: NewPlayer) -> None:
    ann, phone = player("Ann"), player("")
    link = make_link(ann)
    addresses: list[str] = []
    phone.page.on("request", lambda request: addresses.append(request.url + str(request.headers.get("referer"))))
    phone.open(link)
    assert home_name(phone) == "Ann"
    code = link.split("#")[1]
    assert addresses
    assert not any(code in address for address in addresses)
    assert code not in phone.page.url
    phone.page.go_back()
    assert code not in phone.page.url


def test_who_plays_here_already_is_asked_and_can_go_back(player: NewPlayer) -> None:
    ann, ben = player("Ann"), player("Ben")
    link = make_link(ann)
    game = klondike(ben)
    ben.open(link)
    ben.page.wait_for_selector("[data-act=become]")
    assert "Ann" in ben.page.inner_text(".card-page h1")
    ben.act("stay")
    assert home_name(ben) == "Ben"
    ben.open("/")
    ben.open(link)
    ben.act("become")
    ben.page.wait_for_function("() => document.querySelector('[name=name]')?.value === 'Ann'")
    assert ben.page.locator(".games li").count() == 0, "the games of Ben are not Ann's"
    ben.open("/devices")
    ben.act("back")
    ben.page.wait_for_function("() => document.querySelector('[name=name]')?.value === 'Ben'")
    ben.page.click(".games button:not(.icon)")
    ben.wait_for_cards()
    assert ben.page.url == ben.url + game
    assert ben.see()["piles"]["0:s"]["count"] == 23


def test_ones_own_link_changes_nothing(player: NewPlayer) -> None:
    ann = player("Ann")
    link = make_link(ann)
    ann.open("/")
    ann.open(link)
    expect(ann.page.locator(".card-page p")).to_contain_text("already")
    ann.open("/devices")
    assert len(labels(ann)) == 1


@pytest.mark.parametrize("hash_", ["", "#short", "#" + "x" * 21 + "!", "#" + "x" * 30])
def test_a_link_that_is_not_whole(player: NewPlayer, hash_: str) -> None:
    ann = player("Ann")
    ann.open("/move" + hash_)
    expect(ann.page.locator(".card-page h1")).to_have_text("This link is not whole")
    assert ann.page.url == ann.url + "/move"


def test_a_link_that_was_used_leaves_all_as_it_was(player: NewPlayer) -> None:
    ann, phone, late, ben = player("Ann"), player(""), player("Late"), player("Ben")
    link = make_link(ann)
    phone.open(link)
    assert home_name(phone) == "Ann"
    late.open(link)
    expect(late.page.locator("dialog.stays")).to_contain_text("used already")
    late.act("ok")
    assert home_name(late) == "Late"
    ben.open()
    ben.page.wait_for_function("() => localStorage.getItem('ds.token')")
    ben.open(link)
    expect(ben.page.locator(".card-page")).to_contain_text("used already")
    ben.act("home")
    assert home_name(ben) == "Ben"


def test_a_page_closed_before_the_answer_came_has_lost_nothing(player: NewPlayer) -> None:
    ann, phone = player("Ann"), player("")
    link = make_link(ann)
    phone.page.add_init_script("window.cutOff = sessionStorage.getItem('on') === null")
    phone.open(link)
    phone.page.wait_for_function("() => localStorage.getItem('ds.moving')?.includes('move')")
    phone.page.evaluate("sessionStorage.setItem('on', '1')")
    phone.open("/")
    assert home_name(phone) == "Ann"
    assert phone.page.evaluate("localStorage.getItem('ds.moving')") == "{}"


def test_a_device_that_is_removed_tells_it_and_goes_on_as_a_guest(player: NewPlayer) -> None:
    ann, phone = player("Ann"), player("")
    phone.open(make_link(ann))
    assert home_name(phone) == "Ann"
    klondike(phone)
    ann.open("/devices")
    ann.page.wait_for_selector("[data-device] >> nth=1")
    ann.page.locator("[data-own=no] [data-act=drop]").click()
    ann.act("yes")
    expect(ann.page.locator("[data-device]")).to_have_count(1)
    expect(phone.page.locator("dialog.stays")).to_contain_text("removed from the devices of Ann")
    phone.act("ok")
    phone.page.wait_for_function("() => /^Guest \\d+$/.test(document.querySelector('[name=name]')?.value)")
    assert phone.page.locator(".games li").count() == 0
    phone.open("/devices")
    assert len(labels(phone)) == 1
    klondike(phone)


def test_a_device_that_was_away_when_it_was_removed_is_told_when_it_comes(player: NewPlayer) -> None:
    ann, phone = player("Ann"), player("")
    phone.open(make_link(ann))
    assert home_name(phone) == "Ann"
    phone.page.close()
    phone.page = phone.new_page()
    ann.open("/devices")
    ann.page.wait_for_selector("[data-device] >> nth=1")
    ann.page.locator("[data-own=no] [data-act=drop]").click()
    ann.act("yes")
    expect(ann.page.locator("[data-device]")).to_have_count(1)
    phone.open("/")
    expect(phone.page.locator("dialog.stays")).to_contain_text("device of Ann")
    phone.act("ok")
    klondike(phone)


def test_the_qr_code_that_is_shown_says_the_link(player: NewPlayer) -> None:
    ann = player("Ann")
    link = make_link(ann)
    path = ann.page.get_attribute("[data-out=qr] path", "d")
    box = ann.page.get_attribute("[data-out=qr] svg", "viewBox")
    assert path
    assert box
    assert read_qr(path, int(box.split()[2])) == ann.url + link
    colours = ann.page.evaluate(
        "() => [getComputedStyle(document.querySelector('.qr')).backgroundColor,"
        " getComputedStyle(document.querySelector('.qr path')).stroke]"
    )
    assert colours == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]


def test_the_link_expires_before_ones_eyes(player: NewPlayer) -> None:
    ann = player("Ann")
    ann.page.clock.install()
    ann.open("/devices")
    ann.act("add-device")
    ann.page.wait_for_selector("[data-out=left]")
    assert ann.out("left").startswith("Good for 9:") or ann.out("left") == "Good for 10:00"
    ann.page.clock.run_for(300_000)
    assert ann.out("left").startswith(("Good for 4:", "Good for 5:"))
    ann.page.clock.run_for(301_000)
    expect(ann.page.locator(".offer")).to_contain_text("expired")
    assert ann.page.locator("[data-out=qr]").count() == 0


def test_the_settings_lead_there(player: NewPlayer) -> None:
    ann = player("Ann")
    ann.open()
    ann.act("settings")
    ann.act("devices")
    assert labels(ann) == ["Chrome, Linux"]
    assert ann.page.url == ann.url + "/devices"


def test_a_server_that_cannot_say_who_this_is_is_asked_again(player: NewPlayer) -> None:
    """Nothing is given up for it: neither the token of a player nor the code of a link that is being brought."""
    phone = player("Ann")
    hellos: list[dict[str, str]] = []

    def connect(line: WebSocketRoute) -> None:
        def read(frame: str | bytes) -> None:
            message = json.loads(frame)
            if message["t"] != "hello":
                return
            hellos.append(message)
            answer = {"t": "welcome", "identity": "a", "name": "Ann", "version": "0"}
            if len(hellos) < 3:
                answer = {"t": "failed", "code": ("unavailable", "internal")[len(hellos) - 1], "message": "not now"}
            line.send(json.dumps(answer))

        line.on_message(read)

    phone.page.route_web_socket("**/ws", connect)
    phone.open("/move#" + "c" * 22)
    phone.page.wait_for_function("() => localStorage.getItem('ds.token')", timeout=20000)
    assert home_name(phone) == "Ann"
    assert len(hellos) == 3
    assert len({(hello["token"], hello["move"]) for hello in hellos}) == 1
    assert phone.page.evaluate("JSON.parse(localStorage.getItem('ds.token'))") == hellos[0]["token"]
