"""A finished match is watched again, shared, saved; a running one is watched by link."""

import json
from pathlib import Path

import pytest

from server.commands import replay
from shared.moves import Draw
from tests.browser import lines
from tests.browser.conftest import NewPlayer
from tests.browser.driver import Player

pytestmark = pytest.mark.browser


def path(player: Player) -> str:
    return player.page.url.removeprefix(player.url)


def given_up(ann: Player, plays: int) -> str:
    """Play some cards of a known deal, and let another game take its place; return the address of the replay."""
    ann.deal(lines.KLONDIKE)
    for command in lines.winning_line(lines.KLONDIKE)[:plays]:
        ann.perform(command)
    first = path(ann)
    ann.act("fresh")
    ann.act("start")
    ann.page.wait_for_function("(old) => location.pathname !== old", arg=first)
    return first.replace("/m/", "/replay/")


def index(ann: Player) -> int:
    return int(ann.page.get_attribute(".felt", "data-index") or -1)


def shown(ann: Player) -> list[tuple[str, int]]:
    """Where the open cards lie."""
    cards = ann.page.eval_on_selector_all(
        ".felt .card:not(.leaving)[data-card]", "(els) => els.map((el) => [el.dataset.pile, Number(el.dataset.card)])"
    )
    return sorted((pile, card) for pile, card in cards)


def watch(ann: Player, address: str) -> None:
    ann.open(address)
    ann.page.wait_for_selector(".felt[data-index] .card")


def test_a_replay_is_scrubbed_by_hand_and_keys(player: NewPlayer, tmp_path: Path) -> None:
    ann = player("Ann")
    address = given_up(ann, 12)
    watch(ann, address)
    assert index(ann) == 0
    seen = [shown(ann)]
    for _ in range(8):
        ann.page.keyboard.press("ArrowRight")
        seen.append(shown(ann))
    assert index(ann) == 8
    assert len({str(cards) for cards in seen}) == 9
    ann.page.keyboard.press("End")
    last = index(ann)
    assert "given up" in ann.out("caption") or "gave" in ann.out("caption")
    for at in (5, 2, 7, 0):
        ann.page.fill("[data-out=scrubber]", str(at))
        assert shown(ann) == seen[at], "a frame is the same from whichever side it is reached"
    ann.page.keyboard.press("Home")
    ann.page.select_option("select[name=speed]", "8")
    ann.act("play")
    ann.page.wait_for_function("(last) => document.querySelector('.felt').dataset.index === String(last)", arg=last)
    with ann.page.expect_download() as saving:
        ann.act("download")
    saved = tmp_path / "replay.json"
    saving.value.save_as(saved)
    words, sound = replay(saved, quiet=False)
    assert sound, words
    assert "abandoned" in words


def test_cards_are_open_or_as_they_were_seen(player: NewPlayer) -> None:
    ann = player("Ann")
    watch(ann, given_up(ann, 3))
    assert len([card for pile, card in shown(ann) if pile.startswith("0:t")]) > 20
    ann.page.click(".reel .switch")
    assert len([card for pile, card in shown(ann) if pile.startswith("0:t")]) <= 8


@pytest.mark.parametrize("match", ["0" * 20, "no-such", "a%20b"])
def test_a_replay_that_is_not_there_is_told(player: NewPlayer, match: str) -> None:
    ann = player("Ann")
    ann.open(f"/replay/{match}")
    panel = ann.page.wait_for_selector("[role=alert]", timeout=15000)
    assert panel is not None
    ann.errors.clear()  # the browser logs each 404
    ann.act("home")
    ann.page.wait_for_selector("[data-act=duel]")


def test_a_duel_is_watched_by_link_and_then_as_a_replay(player: NewPlayer) -> None:
    """Who watches sees public cards only; the same link leads to the replay once the match is over."""
    ann, bob, eve = player("Ann"), player("Bob"), player("Eve")
    link = ann.host()
    bob.open(link)
    bob.page.wait_for_selector("[data-act=ready]")
    for one in (ann, bob):
        one.ready()
    ann.wait_for_cards()
    match = path(ann).removeprefix("/m/")
    frames: list[str] = []
    eve.page.on("websocket", lambda line: line.on("framereceived", lambda frame: frames.append(str(frame))))
    eve.open(f"/watch/{match}")
    eve.page.wait_for_selector(".felt .card[data-card]")
    assert eve.see()["seat"] == ""
    ann.perform(Draw())
    eve.page.wait_for_selector(".card[data-pile='0:w']")
    told = "\n".join(frames)
    snapshot = next(json.loads(frame) for frame in frames if '"snapshot"' in frame)
    for seat in snapshot["position"]["seats"]:
        assert set(seat["stock"]) == {-1}
        assert all(
            card == -1 for column, down in zip(seat["columns"], seat["down"], strict=True) for card in column[:down]
        )
    assert '"seed"' not in told
    ann.act("menu")
    ann.act("resign")
    ann.act("yes")
    for one in (ann, bob, eve):
        one.page.wait_for_selector(".panel[data-reason=resigned]")
    href = eve.page.get_attribute("[data-act=replay]", "href")
    assert href == f"/replay/{match}"
    watch(eve, str(href))
    assert eve.page.locator("[data-act=check]").count() == 1
    assert "Ann" in eve.out("facts")
