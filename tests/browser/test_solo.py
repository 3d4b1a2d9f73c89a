"""Whole solo games through the page, and what a hand may do to a table (fault cases of such games)."""

from typing import Any

import pytest

from shared.engine import apply
from shared.evolve import Step
from shared.moves import Move
from tests.browser import lines
from tests.browser.conftest import NewPlayer
from tests.browser.driver import Frame

pytestmark = pytest.mark.browser


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize(("code", "cards"), [(lines.KLONDIKE, 52), (lines.TWO_DECK, 104)])
def test_a_known_deal_is_won_by_hand(player: NewPlayer, code: str, cards: int) -> None:
    """Drag and tap in turn, every card; the page shows the engine's score, and the win."""
    ann = player("Ann")
    ann.deal(code)
    assert ann.out("code") == code
    rules, position = lines.rules_of(code), lines.opening(code)
    for number, command in enumerate(lines.winning_line(code)):
        ann.perform(command, by_tap=number % 3 != 0)
        step = apply(rules, position, 0, command, 0)
        assert isinstance(step, Step)
        position = step.position
        frame = ann.see()
        assert ann.count_cards(frame) == cards
        assert position.tally is not None
        assert ann.out("moves") == str(position.tally.moves) == str(number + 1)
        if position.outcome is None:
            assert ann.out("score") == str(position.tally.score)
    panel = ann.page.wait_for_selector(".panel[data-reason=won]")
    assert panel is not None
    assert position.tally is not None
    assert ann.out("final-score") == str(position.tally.score)


def test_three_clicks_at_once_move_a_card_once(player: NewPlayer) -> None:
    ann = player("Ann")
    ann.deal(lines.KLONDIKE)
    for command in lines.winning_line(lines.KLONDIKE):
        frame = ann.see()
        movable = next((c for c in frame["cards"] if c["tap"] and c["pile"] != "0:w"), None)
        if movable:
            break
        ann.perform(command)
    assert movable is not None
    moves = int(ann.out("moves"))
    ann.page.mouse.click(*ann.grip(movable), click_count=3, delay=20)
    ann.settle(frame["no"])
    after = ann.see()
    assert ann.count_cards(after) == 52
    assert int(ann.out("moves")) == moves + 1
    assert ann.card(movable["card"], after)["pile"] != movable["pile"]


def test_a_double_click_leaves_the_stock_alone(player: NewPlayer) -> None:
    ann = player("Ann")
    ann.deal(lines.TWO_DECK)
    frame = ann.see()
    card = next(c for c in frame["cards"] if c["card"] >= 0 and not c["tap"] and not c["double"])
    ann.page.mouse.dblclick(*ann.grip(card))
    ann.page.wait_for_timeout(300)
    after = ann.see()
    assert after["piles"]["0:s"]["count"] == frame["piles"]["0:s"]["count"]
    assert after["piles"]["0:w"]["count"] == 0


def test_the_wrong_card_then_the_right_one(player: NewPlayer) -> None:
    """A tap that is no target selects that card instead; nothing moves."""
    ann = player("Ann")
    ann.deal(lines.TWO_DECK)
    frame = ann.see()
    tops = [c for c in frame["cards"] if c["card"] >= 0 and not c["tap"]]
    first = tops[0]
    second = next(c for c in tops if c is not first and c["pile"].split(":")[1] not in first["targets"])
    ann.tap(first["card"])
    assert ann.card(first["card"])["held"]
    ann.page.wait_for_timeout(350)
    ann.tap(second["card"])
    after = ann.see()
    assert ann.card(second["card"], after)["held"]
    assert not ann.card(first["card"], after)["held"]
    assert after["no"] == frame["no"]


def test_a_tap_on_a_foundation_moves_nothing(player: NewPlayer) -> None:
    ann = player("Ann")
    ann.deal(lines.KLONDIKE)
    up = None
    for command in lines.winning_line(lines.KLONDIKE):
        ann.perform(command)
        up = next((c for c in ann.see()["cards"] if c["pile"][0] == "f"), None)
        if up:
            break
    assert up is not None
    frame = ann.see()
    ann.tap(up["card"])
    ann.page.wait_for_timeout(200)
    assert ann.see()["no"] == frame["no"]
    assert ann.card(up["card"])["pile"] == up["pile"]


def test_twenty_moves_in_a_second_by_keyboard(player: NewPlayer) -> None:
    """Picture and model agree after a burst that waits for no animation."""
    ann = player("Ann", motion=True)
    ann.deal(lines.KLONDIKE)
    before = int(ann.out("moves"))
    for _ in range(20):
        ann.page.keyboard.press("d")
    ann.page.wait_for_function("() => document.querySelector('.felt').dataset.flights === '0'")
    ann.page.wait_for_timeout(400)
    frame = ann.see()
    assert int(ann.out("moves")) == before + 20
    assert frame["piles"]["0:w"]["count"] == 20
    assert frame["piles"]["0:s"]["count"] == 4
    assert ann.count_cards(frame) == 52
    position, rules = lines.opening(lines.KLONDIKE), lines.rules_of(lines.KLONDIKE)
    deck = position.seats[0].stock
    top = max((c for c in frame["cards"] if c["pile"] == "0:w"), key=lambda c: c["index"])
    assert rules.draw[0] == 1
    assert top["card"] == deck[19]
    assert top["at"][:2] == pytest.approx(frame["piles"]["0:w"]["at"][:2], abs=2)


def test_a_run_is_dragged_whole_and_a_cancelled_drag_goes_home(player: NewPlayer) -> None:
    ann = player("Ann")
    ann.deal(lines.KLONDIKE)
    for command in lines.winning_line(lines.KLONDIKE):
        frame = ann.see()
        run = next((c for c in frame["cards"] if c["targets"] and ":t" in c["pile"] and on_it(c, frame)), None)
        if run:
            break
        ann.perform(command)
    assert run is not None, "the line never moves a run"
    riders = on_it(run, frame)
    mouse = ann.page.mouse
    x, y = ann.grip(run)
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 30, y + 40)
    mouse.move(x + 60, y + 80)
    ann.page.wait_for_timeout(60)
    dragged = {c["card"] for c in ann.see()["cards"] if c["drag"]}
    assert dragged == {run["card"], *(c["card"] for c in riders)}
    ann.page.keyboard.press("Escape")
    mouse.up()
    after = ann.see()
    assert not [c for c in after["cards"] if c["drag"]]
    assert ann.card(run["card"], after)["at"] == pytest.approx(run["at"], abs=1)
    ann.perform(Move(run["card"], run["targets"][0]))
    after = ann.see()
    piles = {ann.card(card, after)["pile"] for card in dragged}
    assert piles == {f"0:{run['targets'][0]}"}


def on_it(card: dict[str, Any], frame: Frame) -> list[dict[str, Any]]:
    return [c for c in frame["cards"] if c["pile"] == card["pile"] and c["index"] > card["index"]]


def test_a_resize_during_a_move_ends_where_the_model_says(player: NewPlayer) -> None:
    ann = player("Ann", motion=True)
    ann.deal(lines.KLONDIKE)
    ann.tap_pile("0:s")
    ann.page.set_viewport_size({"width": 700, "height": 900})
    ann.page.wait_for_timeout(600)
    frame = ann.see()
    top = next(c for c in frame["cards"] if c["pile"] == "0:w")
    assert top["at"][:2] == pytest.approx(frame["piles"]["0:w"]["at"][:2], abs=2)


def test_undo_redo_and_restart(player: NewPlayer) -> None:
    ann = player("Ann")
    ann.deal(lines.KLONDIKE)
    line = lines.winning_line(lines.KLONDIKE)[:6]
    for command in line:
        ann.perform(command)
    score, before = ann.out("score"), ann.see()
    ann.act("undo")
    ann.settle(before["no"])
    ann.page.keyboard.press("r")
    ann.settle(before["no"] + 1)
    again = ann.see()
    assert places(again) == places(before)
    assert ann.out("score") == score
    assert ann.out("moves") == "6"
    ann.act("menu")
    ann.act("restart")
    ann.act("yes")
    ann.settle(again["no"])
    assert ann.out("moves") == "0"
    assert ann.see()["piles"]["0:s"]["count"] == 24


def places(frame: Frame) -> dict[int, tuple[str, int]]:
    return {c["card"]: (c["pile"], c["index"]) for c in frame["cards"] if c["card"] != -1}


def test_pause_hides_the_cards(player: NewPlayer) -> None:
    ann = player("Ann")
    ann.deal(lines.KLONDIKE)
    ann.tap_pile("0:s")
    ann.act("pause")
    ann.page.wait_for_selector("[data-act=unpause]")
    assert ann.page.eval_on_selector(".felt", "el => getComputedStyle(el).visibility") == "hidden"
    ann.act("unpause")
    ann.page.wait_for_function("() => getComputedStyle(document.querySelector('.felt')).visibility === 'visible'")
