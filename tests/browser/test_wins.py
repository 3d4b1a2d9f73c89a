"""The last card wins by whatever hand it is laid, once; and what is then shown stays."""

from typing import Any

import pytest

from shared.cards import parse_card
from shared.position import Reason
from shared.terms import DuelTerms, KlondikeTerms, Terms, TwoDeckTerms
from tests.browser.dealer import Dealer
from tests.browser.test_life import turn_page
from tests.browser.test_touches import DUEL, Deal, deal, take_hold

__all__ = ["deal"]  # the fixture

pytestmark = pytest.mark.browser

SUITS = ["".join(rank + suit for rank in "A23456789TJQK") for suit in "SHDC"]
KING = parse_card("KC")
KLONDIKE = f"f:{SUITS[0]}/{SUITS[1]}/{SUITS[2]}/{SUITS[3][:-2]} t:-/-/KC/-/-/-/- tally:moves=120,running_since=0"
HALF = "/".join(f"{suit}/{suit.lower()}" for suit in SUITS)
TWO_DECK = f"f:{HALF[: HALF.index('KC')]}{HALF[HALF.index('KC') + 2 :]} t:-/-/KC/-/-/-/-/-/- tally:moves=300"
WON = (KlondikeTerms(), KLONDIKE)
BOTH = (TwoDeckTerms(), TWO_DECK)


def by_drag(table: Dealer) -> None:
    table.page.drag(KING, "f")


def by_tap(table: Dealer) -> None:
    table.page.tap(KING)


def by_double_tap(table: Dealer) -> None:
    table.page.page.mouse.dblclick(*table.page.grip(table.page.card(KING)))


def by_choice(table: Dealer) -> None:
    press = table.page.page.keyboard.press
    for key in ("3", "Enter", "ArrowUp"):
        press(key)
    table.page.tap_pile(f"f{len(table.position.foundations) * 3 // 4}")


def by_letter(table: Dealer) -> None:
    for key in ("3", "f"):
        table.page.page.keyboard.press(key)


def by_space(table: Dealer) -> None:
    for key in ("3", " "):
        table.page.page.keyboard.press(key)


def by_finish(table: Dealer) -> None:
    table.page.act("finish")


def by_redo(table: Dealer) -> None:
    """Elsewhere and back, undone and done again, then up."""
    table.page.drag(KING, "t5")
    for key in ("u", "r"):
        table.settle()
        table.page.page.keyboard.press(key)
    table.settle()
    table.page.drag(KING, "f")


def by_burst(table: Dealer) -> None:
    """Every way at once: it counts once."""
    ann = table.page
    x, y = ann.grip(ann.card(KING))
    ann.page.mouse.click(x, y, click_count=3)
    for key in ("f", "d", "u"):
        ann.page.keyboard.press(key)


WAYS = [by_drag, by_tap, by_double_tap, by_choice, by_letter, by_space, by_finish, by_redo, by_burst]


@pytest.mark.parametrize(
    ("terms", "text", "way"),
    [(*game, way) for game in (WON, BOTH) for way in WAYS if not (game is BOTH and way is by_finish)],
)
def test_the_last_card_wins_by_every_way(deal: Deal, terms: Terms, text: str, way: Any) -> None:
    table = deal(terms, text)
    way(table)
    table.page.page.wait_for_selector(".panel[data-reason=won]")
    table.page.page.wait_for_timeout(150)
    assert table.page.page.locator(".panel[data-reason=won]").count() == 1
    assert table.ended == 1
    assert table.position.outcome is not None


def test_the_time_of_a_won_game_stands(deal: Deal) -> None:
    table = deal(*WON)
    ann = table.page
    by_tap(table)
    ann.page.wait_for_selector(".panel[data-reason=won]")
    shown = (ann.out("final-time"), ann.out("time"), ann.out("bonus"))
    plays = len(table.plays)
    turn_page(ann, hidden=True)
    ann.page.wait_for_timeout(1200)
    turn_page(ann, hidden=False)
    ann.page.wait_for_timeout(300)
    assert (ann.out("final-time"), ann.out("time"), ann.out("bonus")) == shown
    assert len(table.plays) == plays


def test_a_hidden_page_pauses_no_duel(deal: Deal) -> None:
    table = deal(DuelTerms(), DUEL)
    turn_page(table.page, hidden=True)
    table.rival("draw")
    turn_page(table.page, hidden=False)
    table.page.page.wait_for_timeout(200)
    assert table.plays == []
    assert not table.page.page.locator("[data-act=unpause]").count()


JACK = parse_card("JD")
ENDS: list[tuple[Reason, int | None]] = [
    ("out", 1),
    ("complete", 1),
    ("cleared", 1),
    ("both_stuck", 0),
    ("time", 0),
    ("agreed", 1),
    ("resigned", 0),
    ("left", 0),
    ("void", None),
]


@pytest.mark.parametrize(("reason", "winner"), ENDS)
@pytest.mark.parametrize("hand", ["mouse", "keyboard"])
def test_an_end_takes_the_card_out_of_the_hand(deal: Deal, reason: Reason, winner: int | None, hand: str) -> None:
    """It is shown at once, whatever is held; letting go afterwards plays nothing."""
    table = deal(DuelTerms(), DUEL)
    ann = table.page
    if hand == "mouse":
        take_hold(ann, JACK)
    else:
        for key in ("3", "Enter"):
            ann.page.keyboard.press(key)
    frame = ann.see()
    assert [card for card in frame["cards"] if card["drag"] or card["held"]]
    table.end(reason, winner)
    ann.page.wait_for_selector(f".panel[data-reason={reason}]")
    assert not [card for card in ann.see()["cards"] if card["drag"] or card["held"]]
    if hand == "mouse":
        ann.page.mouse.up()
    else:
        ann.page.keyboard.press("Enter")
    ann.page.wait_for_timeout(100)
    assert table.plays == []
