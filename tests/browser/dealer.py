"""A server of one match in the page's line: it starts at any position, plays by the engine, and keeps every play."""

from typing import Any

import msgspec
from playwright.sync_api import Browser, WebSocketRoute

from shared.codec import CODECS
from shared.engine import Step, apply, end, legal
from shared.moves import Command, Refusal
from shared.notation import parse_command, parse_position
from shared.position import Reason
from shared.protocol import JSON, Failed, Play, Pong, Refused, Snapshot, ToClient, Update, Welcome
from shared.ruleset import ruleset
from shared.table import Player as Sitting
from shared.table import Table
from shared.terms import DuelTerms, Terms
from shared.view import redact, view
from tests.browser.archive import EMPTY, Told, answer_to
from tests.browser.driver import Player

CODEC = CODECS[JSON]


class Dealer:
    """``page``: the player of seat 0. ``plays``: what the page wished for, in order; ``refused``: the codes of those
    that were refused. Time goes on by a second an entry. ``told``: what the records say.
    """

    def __init__(self, browser: Browser, url: str, terms: Terms, text: str, **look: Any) -> None:
        self.terms, self.rules = terms, ruleset(terms)
        self.position = parse_position(text)
        self.no, self.n = 5, 0
        self.plays: list[Play] = []
        self.refused: list[str] = []
        self.ended = 0
        self.told: dict[str, Told] = EMPTY
        self.page = Player(browser, url, "Ann", **look)
        self.page.page.route_web_socket("**/ws", self._connect)
        self.page.open("/m/dealt")
        self.page.page.wait_for_selector(".felt[data-ready=yes]")

    def _connect(self, line: WebSocketRoute) -> None:
        self._line = line
        line.on_message(self._read)

    @property
    def _now(self) -> int:
        return self.no * 1000

    def _read(self, frame: str | bytes) -> None:
        answered = answer_to(frame, self.told)
        if answered:
            self._line.send(msgspec.json.encode(answered[1]).decode())
            return
        message = CODEC.read_client(frame)
        kind = type(message).__name__
        if kind == "Hello":
            self._say(Welcome(identity="a", name="Ann", version="0"))
        elif kind == "Join":
            players = (Sitting("Ann"), Sitting("Ben")) if isinstance(self.terms, DuelTerms) else (Sitting("Ann"),)
            seen = view(self.rules, self.position, 0)
            can = legal(self.rules, self.position, 0, self._now)
            table = Table("dealt", self.terms, players, "playing")
            self._say(Snapshot(no=self.no, now=self._now, table=table, seat=0, n=self.n, position=seen, legal=can))
        elif isinstance(message, Play):
            self.plays.append(message)
            self.n = message.n
            refusal = self._play(0, message.do, message.n)  # type: ignore[arg-type]
            if refusal is not None:
                self.refused.append(refusal.code)
                self._say(Refused(n=message.n, refusal=refusal))
        elif kind == "Ping":
            self._say(Pong(sent=0, now=self._now))
        elif kind != "Leave":
            self._say(Failed("internal", f"no {kind} here"))

    def _play(self, seat: int, command: Command, n: int) -> Refusal | None:
        done = apply(self.rules, self.position, seat, command, self._now + 1000)
        if not isinstance(done, Step):
            return done
        self._show(done, seat, n)
        return done.refusal

    def _show(self, done: Step, seat: int | None, n: int | None) -> None:
        self.no += 1
        self.position = done.position
        self.ended += sum(type(event).__name__ == "Ended" for event in done.events)
        told = tuple(seen for event in done.events if (seen := redact(self.rules, event, 0)) is not None)
        can = legal(self.rules, self.position, 0, self._now)
        self._say(Update(no=self.no, at=self._now, events=told, seat=seat, n=n, legal=can))

    def _say(self, message: ToClient) -> None:
        self._line.send(CODEC.encode(message).decode())

    def rival(self, text: str) -> None:
        """Seat 1 plays."""
        assert self._play(1, parse_command(text), self.no) is None
        self.page.page.wait_for_function(f"() => Number(document.querySelector('.felt').dataset.no) >= {self.no}")

    def end(self, reason: Reason, winner: int | None) -> None:
        """The game ends by something else than a play of the page."""
        self._show(end(self.rules, self.position, reason, winner), None, None)

    def settle(self) -> None:
        """Wait until the page has had its answers and shows where the engine is."""
        self.page.page.wait_for_timeout(60)
        self.page.settle(self.no - 1)

    def names(self) -> list[str]:
        """What the page wished for, by name."""
        return [type(play.do).__name__ for play in self.plays]
