"""A duel against the computer, from the first page."""

import pytest

from tests.browser.conftest import NewPlayer
from tests.browser.driver import Player
from tests.browser.duelist import best, turn_stock

pytestmark = pytest.mark.browser


def seat_down(ann: Player, level: str, tempo: str) -> None:
    ann.open()
    ann.choose("computer_level", level)
    ann.choose("computer_tempo", tempo)
    ann.act("computer")
    ann.page.wait_for_selector(".seats .ready")


def test_a_few_moves_against_the_computer(player: NewPlayer) -> None:
    ann = player("Ann")
    seat_down(ann, "expert", "simultaneous")
    assert "Computer (Expert)" in ann.page.inner_text(".seats")
    assert ann.page.locator("[data-out=link]").count() == 0, "nobody is to be invited"
    ann.ready()
    ann.wait_for_cards()
    rival = {name: pile["count"] for name, pile in ann.see()["piles"].items() if name[:2] == "1:"}
    for _ in range(3):
        frame = ann.see()
        move = best(frame)
        if move:
            ann.drag(*move, frame)
        else:
            turn_stock(ann, frame)
        ann.settle(frame["no"])
    ann.page.wait_for_function(
        "(before) => Object.entries(before).some(([name, count]) =>"
        " Number(document.querySelector(`.pile[data-pile='${name}']`).dataset.count) !== count)",
        arg=rival,
        timeout=20000,
    )
    assert ann.page.inner_text(".chip.far .who") == "Computer (Expert)"
    assert ann.count_cards() == 104


def test_by_turns_the_computer_gives_the_turn_back(player: NewPlayer) -> None:
    ann = player("Ann", width=390, height=844, touch=True)
    seat_down(ann, "skilled", "alternating")
    ann.ready()
    ann.wait_for_cards()
    ann.page.wait_for_selector(".table[data-turn='0']", timeout=60000)
    frame = ann.see()
    turn_stock(ann, frame)
    ann.page.wait_for_selector(".table[data-turn='1']")
    ann.page.wait_for_selector(".table[data-turn='0']", timeout=60000)


def test_the_choice_is_kept_and_told_in_the_readers_language(player: NewPlayer) -> None:
    ann = player("Ann", language="de")
    seat_down(ann, "beginner", "alternating")
    assert "Computer (Anfänger)" in ann.page.inner_text(".seats")
    ann.open()
    assert ann.page.input_value("select[name=computer_level]") == "beginner"
    assert ann.page.input_value("select[name=computer_tempo]") == "alternating"
