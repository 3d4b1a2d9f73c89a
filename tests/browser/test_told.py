"""What players are told: passes before the start, codes as they are, an end that both see alike, who went away."""

from typing import TypeVar

import pytest
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from shared.codec import CODECS
from shared.engine import Step, apply, legal
from shared.moves import Command
from shared.protocol import JSON, Create, Hello, Play, Snapshot, ToServer, Update, Welcome
from shared.terms import KlondikeTerms
from tests.browser import lines
from tests.browser.conftest import NewPlayer, Server
from tests.browser.driver import Player
from tests.browser.duelist import begin, best, resign, result, turn_stock

pytestmark = pytest.mark.browser

T = TypeVar("T")


@pytest.mark.parametrize(
    ("game", "choices", "code", "passes"),
    [
        ("klondike", {}, "", "Unlimited"),
        ("klondike", {"draw": "1"}, "", "Unlimited"),
        ("klondike", {"scoring": "1"}, "", "1"),
        ("klondike", {"draw": "1", "scoring": "1"}, "", "3"),
        ("klondike", {"draw": "1", "passes": "1"}, "", "3"),
        ("klondike", {"passes": "10"}, "", "9"),
        ("klondike", {}, "kl1 d3v aaaaaab", "3"),
        ("two_deck", {}, "", "Unlimited"),
        ("two_deck", {"draw": "1", "scoring": "1"}, "", "1"),
        ("two_deck", {}, "DS1-D1V-AAAAAAB", "1"),
    ],
)
def test_the_passes_are_told_before_the_start(
    player: NewPlayer, game: str, choices: dict[str, str], code: str, passes: str
) -> None:
    ann = player("Ann")
    ann.open()
    ann.act(game)
    for field, value in choices.items():
        ann.choose(field, value)
    ann.page.fill("dialog input[name=code]", code)
    assert ann.out("passes").split(": ")[1] == passes
    ann.act("start")
    ann.page.wait_for_selector(".felt[data-ready=yes]")
    told = ann.out("pass")
    assert told.split(" of ")[1:] == ([] if passes == "Unlimited" else [passes])


def test_a_code_is_the_same_shown_copied_and_spoken(player: NewPlayer) -> None:
    ann = player("Ann")
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ann.deal(lines.TWO_DECK)
    alike(ann, "code", lines.TWO_DECK, "[data-out=code]")
    ann.host()
    code = ann.page.text_content("[data-out=code]") or ""
    alike(ann, "code", code, ".copy-row:has([data-out=code]) button")
    alike(ann, "link", f"{ann.url}/r/{code}", ".copy-row:has([data-out=link]) button")


def alike(one: Player, name: str, text: str, button: str) -> None:
    """What stands on the screen (styles applied), in the page, in the tree for screen readers and on the clipboard."""
    assert one.out(name) == one.page.text_content(f"[data-out={name}]") == text
    assert text in one.page.locator(f"[data-out={name}]").aria_snapshot()
    one.page.click(button)
    one.page.wait_for_selector(".toast")
    assert one.page.evaluate("navigator.clipboard.readText()") == text


class Line:
    """The player's own hand on another line: plays faster than a pointer."""

    def __init__(self, socket: ClientConnection) -> None:
        self._codec = CODECS[JSON]
        self._socket = socket

    def ask(self, message: ToServer, kind: type[T]) -> T:
        self._socket.send(self._codec.encode(message).decode())
        while True:
            answer = self._codec.read_server(self._socket.recv(timeout=10))
            if isinstance(answer, kind):
                return answer


def until_finish(code: str) -> list[Command]:
    """The winning line up to where Finish is offered."""
    rules, position = lines.rules_of(code), lines.opening(code)
    commands: list[Command] = []
    for command in lines.winning_line(code):
        if "finish" in legal(rules, position, 0).commands:
            return commands
        step = apply(rules, position, 0, command, 0)
        assert isinstance(step, Step)
        position = step.position
        commands.append(command)
    raise AssertionError(f"{code} never offers Finish")


@pytest.mark.timeout(90)
def test_a_tab_closed_with_finish_offered_loses_nothing(player: NewPlayer, server: Server) -> None:
    ann = player("Ann")
    ann.open()
    ann.page.wait_for_function("() => localStorage.getItem('ds.token')")
    token = ann.page.evaluate("JSON.parse(localStorage.getItem('ds.token'))")
    url = server.url.replace("http", "ws") + "/ws"
    with connect(url, subprotocols=[Subprotocol(JSON)]) as socket:
        line = Line(socket)
        line.ask(Hello(token=token), Welcome)
        shown = line.ask(Create(KlondikeTerms(code=lines.KLONDIKE)), Snapshot)
        for n, command in enumerate(until_finish(lines.KLONDIKE), 1):
            line.ask(Play(n=n, seen=shown.no, do=command), Update)
            ann.page.wait_for_timeout(45)  # as fast as the server lets anybody play on and on
        ann.open(f"/m/{shown.table.match}")
        ann.page.wait_for_selector(".felt[data-ready=yes]")
    ann.page.wait_for_selector("[data-act=finish]:not([hidden])")
    moves = ann.out("moves")
    ann.page.close()
    ann.page = ann.new_page()
    ann.open()
    ann.page.click(".games li button:not(.icon)")
    ann.page.wait_for_selector("[data-act=finish]:not([hidden])")
    assert ann.out("moves") == moves
    ann.act("finish")
    ann.page.wait_for_selector(".panel[data-reason=won]")
    ann.open()
    ann.page.wait_for_selector(".home")
    assert ann.page.locator(".games li").count() == 0


def test_both_are_told_the_same_end(player: NewPlayer) -> None:
    """Winner, reason and counts, alike for who resigned, for who won and for who watched."""
    ann, ben, eve = player("Ann"), player("Ben"), player("Eve")
    begin(ann, ben)
    eve.open(ann.page.url.removeprefix(ann.url))
    eve.page.wait_for_selector(".felt .card[data-card]")
    for turn in range(60):
        one = (ann, ben)[turn % 2]
        frame = one.see()
        move = best(frame)
        one.drag(*move, frame) if move else turn_stock(one, frame)
        one.settle(frame["no"])
        if move and move[1] == "f":
            break
    resign(ben)
    ends = {one.name: result(one) for one in (ann, ben, eve)}
    titles = {name: end.pop("title") for name, end in ends.items()}
    assert titles == {"Ann": "You win!", "Ben": "Ann wins", "Eve": "Ann wins"}
    assert ends["Ann"] == ends["Ben"] == ends["Eve"]
    assert sorted(ends["Ann"]["counts"]) == ["0", "1"]
    reasons = {one.page.inner_text(".panel .reason") for one in (ann, ben, eve)}
    assert len(reasons) == 1
    assert "Ben" in reasons.pop()


def test_who_goes_after_the_game_is_told_to_who_waits(player: NewPlayer) -> None:
    ann, ben = player("Ann"), player("Ben")
    begin(ann, ben)
    resign(ben)
    result(ann)
    ann.act("rematch")
    ben.page.wait_for_selector("[data-act=decline]")
    ben.open("/")
    ann.page.wait_for_selector(".panel .note:has-text('Ben')", timeout=4000)


def test_who_goes_from_the_waiting_room_is_told_to_who_waits(player: NewPlayer) -> None:
    ann, ben = player("Ann"), player("Ben")
    path = ann.host()
    ben.open(path)
    ben.ready()
    ann.page.wait_for_selector(".seats .ready")
    ben.open("/")
    ann.page.wait_for_selector(".seats li:has-text('Ben'):has-text('away')", timeout=4000)
    ben.open(path)
    ann.page.wait_for_selector(".seats li:has-text('Ben'):has-text('not ready')", timeout=4000)
