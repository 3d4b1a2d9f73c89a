"""Two browsers at one table: whole duels in both tempos, and what happens when the line or a tab is lost."""

import time

import pytest

from tests.browser.conftest import NewPlayer
from tests.browser.driver import Frame, Player
from tests.browser.duelist import begin, best, over, resign, result, turn_stock

pytestmark = pytest.mark.browser


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_a_whole_simultaneous_duel(player: NewPlayer) -> None:
    """One drags, one taps; they play till neither gets on, say so, and both pages tell the same end."""
    ann, ben = player("Ann"), player("Ben", width=390, height=844, touch=True)
    begin(ann, ben)
    idle = {ann.name: 0, ben.name: 0}
    said: set[str] = set()
    until = time.monotonic() + 150
    while not (over(ann) or over(ben)) and time.monotonic() < until:
        for one in (ann, ben):
            if over(one) or one.name in said:
                continue
            step(one, idle)
            if idle[one.name] > 26:
                declare(one, said)
        if len(said) == 1:
            said -= lapsed(ann, ben, said)
    first, second = result(ann), result(ben)
    assert first["winner"] == second["winner"] != ""
    assert first["counts"] == second["counts"]
    assert first["reason"] == second["reason"] in {"both_declared", "both_stuck", "out"}
    assert ("You win!" in first["title"]) != ("You win!" in second["title"])
    assert sum(int(count) for count in first["counts"]) == sum(
        p["count"] for name, p in ann.see()["piles"].items() if name[0] == "f"
    )
    assert ann.count_cards() == ben.count_cards() == 104


def step(one: Player, idle: dict[str, int]) -> None:
    frame = one.see()
    if not frame["ready"] or frame["flights"]:
        return
    move = best(frame)
    if move:
        card, to = move
        shown = one.card(card, frame)
        one.tap(card, frame) if one.name == "Ben" and shown["tap"] == to else one.drag(card, to, frame)
        idle[one.name] = 0
    elif turn_stock(one, frame):
        idle[one.name] += 1
    else:
        idle[one.name] = 99
        return
    one.settle(frame["no"])


def declare(one: Player, said: set[str]) -> None:
    button = one.page.locator("[data-act=declare]")
    if button.is_enabled():
        button.click()
        one.settle()
        said.add(one.name)


def lapsed(ann: Player, ben: Player, said: set[str]) -> set[str]:
    """Who had said so and, by a card of the other's, has not any more."""
    return {one.name for one in (ann, ben) if one.name in said and one.page.locator("[data-act=declare]").is_enabled()}


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_a_whole_alternating_duel(player: NewPlayer) -> None:
    """Turn by turn; after forty turns both pass, which ends it."""
    ann, ben = player("Ann"), player("Ben")
    begin(ann, ben, tempo="1", turn_seconds="4")
    turns = 0
    while not over(ann) and turns < 60:
        for one in (ann, ben):
            frame = one.see()
            if over(one) or frame["turn"] != frame["seat"]:
                continue
            assert "Your turn" in one.page.inner_text(".middle")
            play_turn(one, tired=turns >= 40)
            turns += 1
        ann.page.wait_for_timeout(30)
    first, second = result(ann), result(ben)
    assert first["reason"] == second["reason"] in {"both_passed", "both_stuck"}
    assert first["winner"] == second["winner"]
    assert first["counts"] == second["counts"]


def play_turn(one: Player, *, tired: bool) -> None:
    """All its moves, then the draw that ends the turn, or a pass."""
    for _ in range(60):
        frame = one.see()
        if over(one) or frame["turn"] != frame["seat"]:
            return
        move = None if tired else best(frame)
        if move:
            one.drag(*move, frame)
        elif tired or not turn_stock(one, frame):
            one.act("pass")
        one.settle(frame["no"])


def test_the_rivals_card_comes_back_with_the_reason(player: NewPlayer) -> None:
    """A card dropped where it may not go goes home, and the page says why."""
    ann, ben = player("Ann"), player("Ben")
    begin(ann, ben)
    frame = ann.see()
    card = next(c for c in frame["cards"] if c["pile"] == "0:t0")
    to = next(f"t{i}" for i in range(1, 7) if f"t{i}" not in card["targets"])
    ann.drag(card["card"], to, frame)
    ann.page.wait_for_selector(".toast.bad")
    ann.settle()
    after = ann.see()
    assert ann.card(card["card"], after)["at"] == pytest.approx(card["at"], abs=1)
    theirs = next(c for c in after["cards"] if c["pile"] == "1:t0")
    ann.tap(theirs["card"], after)
    assert not ann.card(theirs["card"])["held"]


def test_a_reload_comes_back_to_the_same_table(player: NewPlayer) -> None:
    ann, ben = player("Ann"), player("Ben")
    begin(ann, ben)
    dealt = ann.see()
    ann.tap_pile("0:s")
    ann.settle(dealt["no"])
    before = ann.see()
    ann.page.reload()
    ann.wait_for_cards()
    after = ann.see()
    assert after["seat"] == before["seat"]
    assert shown(after) == shown(before)


def shown(frame: Frame) -> set[tuple[object, object, object]]:
    return {(c["card"], c["pile"], c["index"]) for c in frame["cards"]}


def test_a_second_tab_takes_over_and_gives_back(player: NewPlayer) -> None:
    ann, ben = player("Ann"), player("Ben")
    begin(ann, ben)
    first, second = ann.page, ann.new_page()
    second.goto(first.url)
    first.wait_for_selector("[data-act=take-back]")
    assert "elsewhere" in first.inner_text(".panel")
    second.wait_for_selector(".felt[data-ready=yes]")
    first.click("[data-act=take-back]")
    second.wait_for_selector("[data-act=take-back]")
    first.wait_for_selector("[data-act=take-back]", state="detached")
    before = ann.see()
    ann.tap_pile("0:s")
    ann.settle(before["no"])
    assert ann.see()["piles"]["0:w"]["count"] == 1


def test_a_cut_line_is_told_and_mended(player: NewPlayer) -> None:
    """What is played while the line is down counts once, when it is back; the rival sees who is away."""
    ann, ben = player("Ann"), player("Ben")
    begin(ann, ben)
    before = ann.see()
    cut(ann)
    ann.page.wait_for_selector("#line:not([hidden])")
    ann.tap_pile("0:s")
    ben.page.wait_for_selector("[data-act=wait]", timeout=15000)
    ann.page.evaluate("window.cutOff = false")
    ann.page.wait_for_selector("#line[hidden]", state="attached", timeout=15000)
    ann.settle(before["no"])
    assert ann.see()["piles"]["0:w"]["count"] == 1
    ben.page.wait_for_selector("[data-act=wait]", state="detached", timeout=15000)


def cut(one: Player) -> None:
    """Close the page's sockets, and let it open none until told: what a dead network looks like from inside."""
    one.page.evaluate("() => { window.cutOff = true; for (const socket of window.sockets) socket.close(); }")


def test_an_end_in_mid_drag_cancels_the_drag(player: NewPlayer) -> None:
    ann, ben = player("Ann"), player("Ben")
    begin(ann, ben)
    frame = ann.see()
    card = next(c for c in frame["cards"] if c["pile"] == "0:t0")
    x, y = ann.grip(card)
    ann.page.mouse.move(x, y)
    ann.page.mouse.down()
    ann.page.mouse.move(x + 40, y + 40)
    ann.page.mouse.move(x + 60, y + 60)
    ann.page.wait_for_timeout(50)
    assert ann.card(card["card"])["drag"]
    resign(ben)
    end = result(ann)
    assert end["reason"] == "resigned"
    assert end["winner"] == "0"
    assert not ann.card(card["card"])["drag"]
    ann.page.mouse.up()
    assert result(ben)["title"] == "Ann wins"


def test_both_agree_to_end(player: NewPlayer) -> None:
    """Without a foundation card such a game is void; an open menu does not hide the end."""
    ann, ben = player("Ann"), player("Ben")
    begin(ann, ben)
    ann.act("menu")
    ann.act("agree-end")
    ben.page.wait_for_selector("[data-act=agree]")
    ann.act("menu")
    ben.act("agree")
    for one in (ann, ben):
        one.page.wait_for_selector(".panel, .room")
    assert ann.page.locator("dialog[open]").count() == 0


def test_a_rematch_is_a_new_match(player: NewPlayer) -> None:
    ann, ben = player("Ann"), player("Ben")
    begin(ann, ben)
    resign(ann)
    result(ben)
    first = ann.page.url
    ann.act("rematch")
    ben.page.wait_for_selector("[data-act=decline]")
    ben.act("rematch")
    for one in (ann, ben):
        one.page.wait_for_url(lambda url: url != first and "/m/" in url)
    assert ann.page.url == ben.page.url


def test_a_declined_rematch_is_told_at_once(player: NewPlayer) -> None:
    ann, ben = player("Ann"), player("Ben")
    begin(ann, ben)
    resign(ann)
    result(ben)
    ann.act("rematch")
    ben.act("decline")
    ann.page.wait_for_selector(".panel .note:has-text('Ben declined')")
