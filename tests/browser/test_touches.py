"""What clicks, drags and keys do on tables laid for it: each gesture does one thing, and loses no card."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from shared.cards import HIDDEN, parse_card
from shared.terms import DuelTerms, KlondikeTerms, Terms, TwoDeckTerms
from tests.browser.conftest import Server
from tests.browser.dealer import Dealer
from tests.browser.driver import Frame, Player

pytestmark = pytest.mark.browser

KLONDIKE = "f:AS2S/AH/-/- tally: t:KH/QS/(9D)JD/(2H)8C/5S4H/-/3C s:TH9H5C w:7S6S"
TWO_DECK = "f:AS2S/as/AH/-/-/-/-/- tally: t:KH/QS/(3h)JD/3H/(5S)4H/-/8S/7C/6D s:TH9H5C w:7S6S"
DUEL = """seat:0 t:KH/QS/(9D)JD/(2H)8C/5S4H/-/3C s:TH9H5C w:7S6S
          seat:1 t:kh/qs/(9d)jd/(2h)8c/5s4h/-/3c s:th9h5c w:7s6s f:AS2S/as/AH/-/-/-/-/-"""
TABLES: list[tuple[Terms, str]] = [(KlondikeTerms(), KLONDIKE), (TwoDeckTerms(), TWO_DECK), (DuelTerms(), DUEL)]
#: The nine that the jack bares under the same click could go on to the ten.
BARED = KLONDIKE.replace("t:KH/", "t:TS/")
every = pytest.mark.parametrize(("terms", "text"), TABLES, ids=["klondike", "two_deck", "duel"])

Deal = Callable[..., Dealer]


@pytest.fixture
def deal(browser: Browser, server: Server) -> Iterator[Deal]:
    made: list[Dealer] = []

    def make(terms: Terms, text: str, **look: Any) -> Dealer:
        made.append(Dealer(browser, server.url, terms, text, **look))
        return made[-1]

    yield make
    for one in made:
        one.page.context.close()
        assert one.page.errors == []


def counts(frame: Frame) -> dict[str, int]:
    return {pile: spot["count"] for pile, spot in frame["piles"].items()}


def take_hold(one: Player, card: int) -> dict[str, Any]:
    """Press on a card and move away with it."""
    spot = one.card(card)
    x, y = one.grip(spot)
    one.page.mouse.move(x, y)
    one.page.mouse.down()
    one.page.mouse.move(x + 20, y + 20)
    one.page.mouse.move(x + 40, y + 50)
    one.page.wait_for_timeout(80)
    return spot


@every
def test_a_double_click_on_any_card_leaves_the_stock_alone(deal: Deal, terms: Terms, text: str) -> None:
    table = deal(terms, text)
    ann = table.page
    before = ann.see()
    piles = [pile for pile in before["piles"] if pile not in {"0:s", "1:s", "0:w"}]
    for pile in piles:
        on = [c for c in ann.see()["cards"] if c["pile"] == pile]
        if on:
            ann.page.mouse.dblclick(*ann.grip(max(on, key=lambda c: c["index"])))
            table.settle()
    after = ann.see()
    for pile in ("0:s", "0:w"):
        assert after["piles"][pile]["count"] == before["piles"][pile]["count"]
    assert ann.count_cards(after) == ann.count_cards(before)
    assert set(table.names()) == {"Move"}, "and double clicks do play cards"


@pytest.mark.parametrize(
    ("terms", "text", "card"), [(KlondikeTerms(), BARED, "JD"), (*TABLES[1], "7C"), (*TABLES[2], "JD")]
)
def test_three_clicks_make_one_move_at_most(deal: Deal, terms: Terms, text: str, card: str) -> None:
    table = deal(terms, text)
    ann = table.page
    before = ann.see()
    spot = ann.card(parse_card(card), before)
    for _ in range(3):
        ann.page.mouse.click(*ann.grip(spot))
    table.settle()
    after = ann.see()
    assert len(table.plays) <= 1
    assert ann.count_cards(after) == ann.count_cards(before)
    assert counts(after)["0:s"] == counts(before)["0:s"]


@every
@pytest.mark.parametrize("first", ["w", "s"])
def test_the_waste_top_and_the_stock_touched_at_once_lose_no_card(
    deal: Deal, terms: Terms, text: str, first: str
) -> None:
    table = deal(terms, text.replace("w:7S6S", "w:7S3S"))
    ann = table.page
    before = ann.see()
    places = {
        "w": ann.grip(ann.card(parse_card("3S"), before)),
        "s": (before["piles"]["0:s"]["at"][0] + 20, before["piles"]["0:s"]["at"][1] + 30),
    }
    for pile in (first, "s" if first == "w" else "w"):
        ann.page.mouse.click(*places[pile])
    table.settle()
    after = ann.see()
    assert ann.count_cards(after) == ann.count_cards(before)
    assert "Draw" in table.names()
    shown = {c["pile"]: c["card"] for c in sorted(after["cards"], key=lambda c: c["index"])}
    assert shown["0:w"] == table.position.seats[0].waste[-1]
    assert counts(after)["0:s"] == len(table.position.seats[0].stock)


@pytest.mark.parametrize(
    ("terms", "text", "score"), [(*TABLES[0], [30, 15]), (*TABLES[1], [30, 30])], ids=["klondike", "two_deck"]
)
def test_a_foundation_card_goes_back_by_drag_or_by_choice_never_by_a_tap(
    deal: Deal, terms: Terms, text: str, score: list[int]
) -> None:
    table = deal(terms, text.replace("tally:", "tally:score=30").replace("/8S/", "/3D/").replace("/-/3C", "/3D/3C"))
    ann, two = table.page, parse_card("2S")
    ann.tap(two)
    table.settle()
    assert table.plays == []
    column = next(f"t{i}" for i, pile in enumerate(table.position.seats[0].columns) if parse_card("3D") in pile)
    ann.tap(parse_card("3D"))  # it is selected already: this is where it goes
    table.settle()
    assert ann.card(two)["pile"] == f"0:{column}"
    assert ann.out("score") == str(score[1])
    ann.act("undo")
    table.settle()
    assert ann.out("score") == str(score[0])
    ann.drag(two, column)
    table.settle()
    assert ann.card(two)["pile"] == f"0:{column}"
    assert ann.out("score") == str(score[1])


def test_in_a_duel_no_foundation_card_can_be_lifted(deal: Deal) -> None:
    table = deal(DuelTerms(), DUEL.replace("AS2S/as", "AS2S/as2s").replace("/-/3C", "/3D/3C"))
    ann = table.page
    for card in (parse_card("2S"), parse_card("2s")):
        take_hold(ann, card)
        assert not [c for c in ann.see()["cards"] if c["drag"]]
        ann.page.mouse.up()
        ann.tap(card)
        ann.tap(parse_card("3D"))
        ann.page.keyboard.press("Escape")
    assert table.plays == []


@every
def test_the_card_alone_is_under_the_hand_and_stays_where_it_was_gripped(deal: Deal, terms: Terms, text: str) -> None:
    table = deal(terms, text)
    ann, card = table.page, parse_card("JD")
    spot = take_hold(ann, card)
    dragged = [c for c in ann.see()["cards"] if c["drag"]]
    assert [c["card"] for c in dragged] == [card]
    assert dragged[0]["at"][0] == pytest.approx(spot["at"][0] + 40, abs=2)
    assert dragged[0]["at"][1] == pytest.approx(spot["at"][1] + 50, abs=2)
    ann.page.mouse.up()
    assert not [c for c in ann.see()["cards"] if c["drag"]]


def test_the_rivals_plays_leave_a_drag_in_the_hand(deal: Deal) -> None:
    table = deal(DuelTerms(), DUEL)
    ann, card = table.page, parse_card("JD")
    take_hold(ann, card)
    for play in ("draw", "jd>t1", "draw"):
        table.rival(play)
        ann.page.wait_for_timeout(50)
        assert [c["card"] for c in ann.see()["cards"] if c["drag"]] == [card]
    tx, ty = ann.landing(card, "t1", {**ann.see(), "cards": without_drag(ann.see(), 40, 50)})
    ann.page.mouse.move(tx, ty)
    ann.page.mouse.up()
    table.settle()
    assert ann.card(card)["pile"] == "0:t1"
    assert ann.card(parse_card("9D"))["pile"] == "0:t2", "what lay under it is turned"


def without_drag(frame: Frame, dx: float, dy: float) -> list[dict[str, Any]]:
    """The cards where they lie, not where they are held."""
    return [{**c, "at": [c["at"][0] - dx, c["at"][1] - dy, *c["at"][2:]]} if c["drag"] else c for c in frame["cards"]]


def test_a_card_taken_from_under_the_hand_is_let_go(deal: Deal) -> None:
    """An update that changes what is held ends the drag: no ghost is left."""
    table = deal(KlondikeTerms(), KLONDIKE)
    ann, card = table.page, parse_card("JD")
    take_hold(ann, card)
    ann.page.keyboard.press("3")  # the same card, by keys
    ann.page.keyboard.press("Enter")
    ann.page.keyboard.press("2")
    table.settle()
    assert not [c for c in ann.see()["cards"] if c["drag"]]
    ann.page.mouse.up()
    table.settle()
    assert ann.card(card)["pile"] == "0:t1"
    assert len(table.plays) == 1


@pytest.mark.parametrize("draw", [1, 3])
def test_of_the_fanned_waste_only_the_top_plays(deal: Deal, draw: int) -> None:
    table = deal(KlondikeTerms(draw=3 if draw == 3 else 1), KLONDIKE.replace("w:7S6S", "w:2C9C3D7S6S"))
    ann = table.page
    frame = ann.see()
    spots = {c["card"]: c for c in frame["cards"] if c["pile"] == "0:w"}
    fanned = {c["at"][0] for c in spots.values()}
    assert len(fanned) == draw
    assert ann.page.inner_text("[data-pile='0:w'] .note") == "5"
    assert {card for card, c in spots.items() if c["targets"] or c["tap"]} <= {parse_card("6S")}
    if draw == 3:
        lower = spots[parse_card("7S")]
        ann.page.mouse.move(lower["at"][0] + 4, lower["at"][1] + 30)
        ann.page.mouse.down()
        ann.page.mouse.move(lower["at"][0] + 60, lower["at"][1] + 90)
        ann.page.mouse.move(lower["at"][0] + 80, lower["at"][1] + 120)
        ann.page.wait_for_timeout(60)
        assert not [c for c in ann.see()["cards"] if c["drag"]]
        ann.page.mouse.up()
    assert table.plays == []


@pytest.mark.parametrize(
    ("terms", "number"),
    [
        (KlondikeTerms(scoring="vegas"), 1),
        (KlondikeTerms(scoring="vegas", draw=3), 3),
        (KlondikeTerms(passes=9), 9),
        (TwoDeckTerms(scoring="vegas"), 1),
        (TwoDeckTerms(scoring="vegas", draw=3), 1),
    ],
)
def test_without_a_pass_left_the_stock_says_so_and_a_tap_costs_nothing(deal: Deal, terms: Terms, number: int) -> None:
    text = KLONDIKE if isinstance(terms, KlondikeTerms) else TWO_DECK
    table = deal(terms, text.replace("s:TH9H5C", f"s:- pass:{number}").replace("tally:", "tally:score=-47,moves=9"))
    ann = table.page
    stock = ann.page.locator(".pile[data-pile='0:s']")
    assert stock.locator(".note").inner_text() == "✕"
    assert "No more passes" in (stock.get_attribute("aria-label") or "")
    assert f"{number} of {number}" in ann.out("pass")
    before = ann.see()
    for key in ("", "d"):
        ann.page.keyboard.press(key) if key else ann.tap_pile("0:s")
        ann.page.wait_for_selector(".toast.bad:has-text('No more passes')")
        table.settle()
    assert set(table.refused) == {"no_more_passes"}
    assert counts(ann.see()) == counts(before)
    assert ann.out("moves") == "9"
    assert ann.out("score") in {"-$47", "-47"}


@every
def test_an_undone_draw_is_a_back_again(deal: Deal, terms: Terms, text: str) -> None:
    table = deal(terms, text)
    ann, ten = table.page, parse_card("TH")
    ann.tap_pile("0:s")
    table.settle()
    assert ann.card(ten)["pile"] == "0:w"
    if isinstance(terms, DuelTerms):
        ann.page.keyboard.press("u")
        table.settle()
        assert table.refused == ["no_undo"]
        return
    ann.page.keyboard.press("u")
    table.settle()
    after = ann.see()
    assert ten not in {c["card"] for c in after["cards"]}
    top = max((c for c in after["cards"] if c["pile"] == "0:s"), key=lambda c: c["index"])
    assert top["card"] == HIDDEN
    assert ann.out("moves") == "1"
