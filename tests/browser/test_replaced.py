"""A game whose place another takes is given up for good; one that is left goes on."""

import pytest

from tests.browser import lines
from tests.browser.conftest import NewPlayer
from tests.browser.driver import Player

pytestmark = pytest.mark.browser


def path(player: Player) -> str:
    return player.page.url.removeprefix(player.url)


def begun(player: Player) -> str:
    """Begin a game and play a card; return its address."""
    player.deal(lines.KLONDIKE)
    player.perform(lines.winning_line(lines.KLONDIKE)[0])
    return path(player)


def test_new_game_gives_up_the_one_whose_place_it_takes(player: NewPlayer) -> None:
    ann = player("Ann")
    first = begun(ann)
    ann.act("fresh")
    ann.act("start")
    ann.page.wait_for_function("(old) => location.pathname !== old", arg=first)
    ann.page.wait_for_selector(".felt[data-ready=yes]")
    ann.open("/")
    ann.page.wait_for_selector(".games li")
    assert ann.page.locator(".games li").count() == 1, "the first is no game to go on with"
    ann.open(first)
    assert ann.page.wait_for_selector(".panel[data-reason=abandoned]") is not None
    assert ann.page.locator("[data-act=again]").count() == 0


def test_a_code_that_deals_nothing_gives_nothing_up(player: NewPlayer) -> None:
    ann = player("Ann")
    first = begun(ann)
    ann.act("fresh")
    ann.page.fill("input[name=code]", "KL9-D1S-AAAAAAB")
    ann.act("start")
    ann.page.wait_for_selector(".toast")
    ann.open(first)
    ann.page.wait_for_selector(".felt[data-ready=yes]")
    assert ann.page.locator(".panel[data-reason]").count() == 0
    assert ann.out("moves") == "1"


def test_a_game_that_is_left_goes_on_beside_another(player: NewPlayer) -> None:
    ann = player("Ann")
    first = begun(ann)
    ann.open("/")
    begun(ann)
    ann.open(first)
    ann.page.wait_for_selector(".felt[data-ready=yes]")
    assert ann.out("moves") == "1"
