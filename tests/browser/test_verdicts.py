"""Plays in flight against a scripted server: waiting, overtaken, rolled back, and no jump when all is accepted."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, WebSocketRoute

from shared.codec import CODECS
from shared.engine import legal, start
from shared.moves import Ended, Event, Moved, Refusal
from shared.position import Outcome, Position
from shared.protocol import JSON, Play, Pong, Refused, Snapshot, ToClient, Update, Welcome
from shared.ruleset import ruleset
from shared.table import GameResult, Race, Table
from shared.table import Player as Sitting
from shared.terms import DuelTerms
from tests.browser.conftest import Server
from tests.browser.driver import Player
from tests.shared.made import easy_decks

pytestmark = pytest.mark.browser

CODEC = CODECS[JSON]
TWO, THREE, RIVALS_TWO = 27, 28, 79  # diamonds
ACE = 26
_NEXT_PICTURE = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


class Script:
    """Stands for the server: answers hello and join, keeps every play, and says what the test tells it to."""

    def __init__(self, browser: Browser, url: str, position: Position) -> None:
        self.position = position
        self.plays: list[Play] = []
        self.no = 5
        self.ann = Player(browser, url, "Ann")
        self.ann.page.route_web_socket("**/ws", self._connect)
        self.ann.open("/m/scripted")
        self.ann.wait_for_cards()

    def _connect(self, line: WebSocketRoute) -> None:
        self.line = line
        line.on_message(self._read)

    def _read(self, frame: str | bytes) -> None:
        message = CODEC.read_client(frame)
        kind = type(message).__name__
        if kind == "Hello":
            self.say(Welcome(identity="a", name="Ann", version="0"))
        elif kind == "Join":
            table = Table("scripted", DuelTerms(), (Sitting("Ann"), Sitting("Ben")), "playing")
            rules = ruleset(DuelTerms())
            can = legal(rules, self.position, 0, 0)
            self.say(Snapshot(no=self.no, now=1000, table=table, seat=0, position=self.position, legal=can))
        elif isinstance(message, Play):
            self.plays.append(message)
        elif kind == "Ping":
            self.say(Pong(sent=0, now=1000))

    def say(self, message: ToClient) -> None:
        self.line.send(CODEC.encode(message).decode())

    def did(self, *events: Event, seat: int, n: int | None = None) -> None:
        """An entry of the log, as Ann sees it."""
        self.no += 1
        self.say(Update(no=self.no, at=1000 + self.no, events=events, seat=seat, n=n))

    def wait_for_plays(self, count: int) -> None:
        """Wait until so many plays came, and until the page, which sends first, has drawn them."""
        for _ in range(100):
            if len(self.plays) >= count:
                self.ann.page.evaluate(_NEXT_PICTURE)
                return
            self.ann.page.wait_for_timeout(20)
        raise AssertionError(f"expected {count} plays, got {self.plays}")


@pytest.fixture
def script(browser: Browser, server: Server) -> Any:
    """A duel in which Ann's two and three of diamonds lie open, and one ace on a foundation waits for either two."""
    rules = ruleset(DuelTerms())
    import random  # noqa: PLC0415 (a fixed seed: only the cards that follow matter)

    dealt = start(rules, easy_decks(rules, random.Random(1)), first=0)
    seat = dealt.seats[0]
    loose = {TWO, THREE, ACE}
    columns = [tuple(c for c in column if c not in loose) for column in seat.columns]
    stock = tuple(c for c in seat.stock if c not in loose)
    columns[0], columns[1] = (TWO,), (THREE,)
    down = tuple(max(0, len(column) - 1) for column in columns)
    hidden = tuple((-1,) * d + column[d:] for d, column in zip(down, columns, strict=True))
    changed = type(seat)(hidden, down, (-1,) * len(stock))
    foundations = tuple((ACE,) if i == 4 else () for i in range(8))
    made: list[Script] = []

    def make() -> Script:
        made.append(Script(browser, server.url, Position((changed, rival(dealt)), foundations)))
        return made[-1]

    yield make
    for one in made:
        one.ann.context.close()
        assert one.ann.errors == []


def rival(dealt: Position) -> Any:
    seat = dealt.seats[1]
    columns = [tuple(c for c in column if c != RIVALS_TWO) for column in seat.columns]
    columns[0] = (RIVALS_TWO,)
    down = tuple(max(0, len(column) - 1) for column in columns)
    return type(seat)(
        tuple((-1,) * d + column[d:] for d, column in zip(down, columns, strict=True)), down, (-1,) * len(seat.stock)
    )


Make = Callable[[], Script]


def test_an_overtaken_card_goes_home_and_says_by_whom(script: Make) -> None:
    table = script()
    ann = table.ann
    home = ann.card(TWO)["at"]
    ann.drag(TWO, "f")
    table.wait_for_plays(1)
    play = table.plays[0]
    assert (play.n, play.seen) == (1, 5)
    assert ann.card(TWO)["pile"] == "f4", "it waits where it lies"
    table.did(Moved((RIVALS_TWO,), "t0", "f4", 1), seat=1, n=1)
    table.say(Refused(n=1, refusal=Refusal("overtaken", by=6, by_ms=40, card=RIVALS_TWO)))
    ann.page.wait_for_selector(".toast.bad:has-text('2 of diamonds, 40 ms before you')")
    ann.page.wait_for_timeout(300)
    assert ann.card(TWO)["pile"] == "0:t0"
    assert ann.card(TWO)["at"] == pytest.approx(home, abs=1)
    assert ann.card(RIVALS_TWO)["pile"] == "f4"


def test_who_was_first_is_told_by_how_much_and_once_more_at_the_end(script: Make) -> None:
    """Ann's two was 42 ms before Ben's; the end lists the races of the game."""
    table = script()
    ann = table.ann
    ann.drag(TWO, "f")
    table.wait_for_plays(1)
    table.did(Moved((TWO,), "t0", "f4", 0), seat=0, n=1)
    race = Race(no=7, by=6, ms=42, winner=0, card=TWO)
    table.no += 1
    table.say(Update(no=table.no, at=1050, seat=1, n=1, race=race))
    ann.page.wait_for_selector(".toast:has-text('You were first: 2 of diamonds, 42 ms before Ben')")
    lost = Race(no=9, by=8, ms=7, winner=1, card=RIVALS_TWO)
    end = Outcome("agreed", 0, (2, 0))
    over = Table(
        "scripted", DuelTerms(), (Sitting("Ann"), Sitting("Ben")), "over",
        games=(GameResult(end, (2, 0), races=(race, lost)),), result=end,
    )  # fmt: skip
    table.no += 1
    table.say(Update(no=table.no, at=1060, events=(Ended(end),), table=over))
    ann.page.click("[data-out=races] summary")
    rows = ann.page.locator("[data-out=races] li").all_inner_texts()
    assert [" ".join(row.split()) for row in rows] == ["2 of diamonds Ann 42 ms", "2 of diamonds Ben 7 ms"]
    assert "2 close races" in ann.page.inner_text("[data-out=races] summary")


def test_three_in_flight_never_jump_when_accepted(script: Make) -> None:
    table = script()
    ann = table.ann
    ann.drag(TWO, "f")
    table.wait_for_plays(1)
    ann.drag(THREE, "f")
    ann.tap_pile("0:s")
    table.wait_for_plays(3)
    assert [play.n for play in table.plays] == [1, 2, 3]
    places = watch(ann)
    for n, card in ((1, TWO), (2, THREE)):
        ann.page.wait_for_timeout(150)
        table.did(Moved((card,), "t0" if n == 1 else "t1", "f4", 0), seat=0, n=n)
    ann.page.wait_for_timeout(300)
    assert watch(ann) == places
    assert ann.see()["flights"] == 1


def test_only_the_refused_and_what_needed_it_roll_back(script: Make) -> None:
    table = script()
    ann = table.ann
    ann.drag(TWO, "f")
    table.wait_for_plays(1)
    ann.tap_pile("0:s")
    table.wait_for_plays(2)
    waste = ann.see()["piles"]["0:w"]["count"]
    assert waste == 1
    table.say(Refused(n=1, refusal=Refusal("unavailable")))
    ann.page.wait_for_selector(".toast.bad")
    for _ in range(100):  # the word of the refusal may be up a frame before the cards are
        after = ann.see()
        if after["flights"] == 1 and ann.card(TWO, after)["pile"] == "0:t0":
            break
        ann.page.wait_for_timeout(20)
    assert ann.card(TWO, after)["pile"] == "0:t0"
    assert after["piles"]["0:w"]["count"] == 1
    assert after["flights"] == 1


def watch(one: Player) -> dict[int, tuple[str, float, float]]:
    return {c["card"]: (c["pile"], round(c["at"][0]), round(c["at"][1])) for c in one.see()["cards"] if c["card"] >= 0}
