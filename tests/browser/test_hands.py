"""Fingers and keys: what interrupts a drag, play without a pointer, and a table that fits every screen."""

from typing import Any

import pytest
from playwright.sync_api import CDPSession

from shared.moves import Draw, Move, Recycle
from tests.browser import lines
from tests.browser.conftest import NewPlayer
from tests.browser.driver import Player
from tests.browser.duelist import begin

pytestmark = pytest.mark.browser

SCREENS = [(1280, 800), (390, 844), (844, 390), (375, 620), (1024, 768)]


class Finger:
    """Touches through the browser's own input, so that cancelled ones are real."""

    def __init__(self, player: Player) -> None:
        self.line: CDPSession = player.context.new_cdp_session(player.page)

    def send(self, kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        self.line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


def held_card(player: Player, finger: Finger) -> tuple[dict[str, Any], float, float]:
    """A card of the first column, lifted by a finger."""
    card = next(c for c in player.see()["cards"] if c["pile"] == "0:t0")
    x, y = player.grip(card)
    finger.send("touchStart", (x, y))
    finger.send("touchMove", (x + 20, y + 30))
    finger.send("touchMove", (x + 40, y + 60))
    player.page.wait_for_timeout(80)
    assert player.card(card["card"])["drag"]
    return card, x + 40, y + 60


def assert_home(player: Player, card: dict[str, Any]) -> None:
    player.page.wait_for_timeout(80)
    after = player.card(card["card"])
    assert not after["drag"]
    assert after["pile"] == card["pile"]


def test_a_cancelled_touch_brings_the_card_home_and_the_next_works(player: NewPlayer) -> None:
    ann = player("Ann", width=390, height=844, touch=True)
    ann.deal(lines.KLONDIKE)
    finger = Finger(ann)
    card, x, y = held_card(ann, finger)
    finger.send("touchCancel")
    assert_home(ann, card)

    card, x, y = held_card(ann, finger)
    finger.send("touchStart", (x, y), (x + 60, y + 90))
    assert_home(ann, card)
    finger.send("touchEnd")

    card, x, y = held_card(ann, finger)
    ann.page.set_viewport_size({"width": 844, "height": 390})
    assert_home(ann, card)
    finger.send("touchEnd")
    ann.page.set_viewport_size({"width": 390, "height": 844})
    ann.page.wait_for_timeout(200)

    frame = ann.see()
    while not any(c["targets"] for c in frame["cards"]):
        ann.perform(Draw())
        frame = ann.see()
    movable = next(c for c in frame["cards"] if c["targets"])
    start, end = ann.grip(movable), ann.landing(movable["card"], movable["targets"][0], frame)
    finger.send("touchStart", start)
    finger.send("touchMove", ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2))
    finger.send("touchMove", end)
    finger.send("touchEnd")
    ann.settle(frame["no"])
    assert ann.count_cards() == 52


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_a_game_is_won_by_keys_alone(player: NewPlayer) -> None:
    ann = player("Ann")
    ann.deal(lines.KLONDIKE)
    press = ann.page.keyboard.press
    for command in lines.winning_line(lines.KLONDIKE):
        frame = ann.see()
        if isinstance(command, Draw | Recycle):
            press("d")
        elif isinstance(command, Move):
            card = ann.card(command.card, frame)
            if card["pile"].endswith(":w"):
                press("w")
            else:
                press(str(int(card["pile"][3:]) + 1))
                above = [c for c in frame["cards"] if c["pile"] == card["pile"] and c["index"] > card["index"]]
                for _ in above:
                    press("ArrowUp")
            if command.to == "f":
                press("f")
            else:
                press("Enter")
                press(str(int(command.to[1:]) + 1))
        ann.settle(frame["no"])
    ann.page.wait_for_selector(".panel[data-reason=won]")
    assert int(ann.out("final-moves")) == len(lines.winning_line(lines.KLONDIKE))


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_every_table_fits_its_screen(player: NewPlayer, width: int, height: int) -> None:
    """No scrolling, nothing outside, no control over another; fingers neither scroll nor zoom the table."""
    ann, ben = player("Ann", width=width, height=height), player("Ben")
    begin(ann, ben)
    fits(ann)
    for code in (lines.KLONDIKE, lines.TWO_DECK):
        ann.deal(code)
        fits(ann)
    assert ann.page.eval_on_selector(".felt", "el => getComputedStyle(el).touchAction") == "none"
    assert ann.page.eval_on_selector("html", "el => getComputedStyle(el).touchAction") == "manipulation"
    viewport = ann.page.get_attribute("meta[name=viewport]", "content") or ""
    assert "user-scalable" not in viewport
    assert "maximum-scale" not in viewport


def fits(one: Player) -> None:
    size = one.page.evaluate(
        "() => { const d = document.documentElement; return [d.scrollWidth, d.scrollHeight, innerWidth, innerHeight]; }"
    )
    assert size[0] <= size[2]
    assert size[1] <= size[3]
    felt = one.page.locator(".felt").bounding_box()
    assert felt is not None
    for card in one.see()["cards"]:
        x, y, width, height = card["at"]
        assert felt["x"] - 3 <= x, card
        assert x + width <= felt["x"] + felt["width"] + 3, card
        assert felt["y"] - 3 <= y, card
        assert y + height <= felt["y"] + felt["height"] + 3, card
    covered = one.page.evaluate(
        """() => [...document.querySelectorAll('button:not([hidden])')].filter((el) => {
          const r = el.getBoundingClientRect();
          if (!r.width) return false;
          const top = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
          return !(top && (el === top || el.contains(top)));
        }).map((el) => el.outerHTML.slice(0, 90))"""
    )
    assert covered == []


def test_a_card_shows_its_deck_by_pattern(player: NewPlayer) -> None:
    """Every face and back of a duel carries the mark of its deck: dots or bars, not colour alone."""
    ann, ben = player("Ann"), player("Ben")
    begin(ann, ben)
    for one in (ann, ben):
        marks = one.page.eval_on_selector_all(
            ".card",
            """cards => cards.map((el) => [el.dataset.pile[0],
              el.querySelectorAll('.band.near circle').length, el.querySelectorAll('.band.far path').length,
              !!el.querySelector('.back.near'), !!el.querySelector('.back.far')])""",
        )
        seat = one.see()["seat"]
        for pile, dots, bars, near_back, far_back in marks:
            mine = pile == seat
            assert (dots > 0 or near_back) is mine
            assert (bars > 1 or far_back) is not mine


def test_what_happens_is_told_to_a_screen_reader(player: NewPlayer) -> None:
    ann, ben = player("Ann"), player("Ben")
    begin(ann, ben)
    frame = ben.see()
    ben.tap_pile(f"{frame['seat']}:s", frame)
    ann.page.wait_for_function("() => /Ben: Drawn: .+ of .+/.test(document.querySelector('#live').textContent)")
    labels = ann.page.eval_on_selector_all(
        ".card[data-card]", "cards => cards.map((el) => el.getAttribute('aria-label'))"
    )
    assert all(" of " in label and ("your deck" in label or "rival" in label) for label in labels)
