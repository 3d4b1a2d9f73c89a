"""A daily begun before midnight and won after it, in the page, with the clocks of browser and server set: label, deal
and credit are of one date, in every zone and through nights of any length (docs/daily.md).
"""

import asyncio
import datetime as dt
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from client.connection import connect
from server.solver.problem import from_position
from server.solver.search import Search
from server.solver.solve import solve
from shared.engine import start
from shared.fair import daily_deck
from shared.moves import Command, Unpause
from shared.protocol import KlondikeTerms
from shared.ruleset import ruleset
from tests.browser.conftest import ROOT, NewPlayer
from tests.browser.driver import Player

pytestmark = pytest.mark.browser

#: Where it becomes which date at the midnight of the test.
NIGHTS = [
    ("Pacific/Pago_Pago", dt.date(2026, 12, 2)),
    ("America/New_York", dt.date(2026, 12, 2)),
    ("UTC", dt.date(2027, 1, 1)),
    ("Asia/Kolkata", dt.date(2026, 12, 2)),
    ("Pacific/Apia", dt.date(2026, 12, 2)),
    ("Pacific/Kiritimati", dt.date(2026, 12, 2)),
    # The day before the midnight had 23 or 25 hours.
    ("America/New_York", dt.date(2027, 3, 15)),
    ("Europe/Berlin", dt.date(2026, 10, 26)),
    # The day after it has.
    ("Europe/Berlin", dt.date(2027, 3, 28)),
    ("America/New_York", dt.date(2026, 11, 1)),
]


class Clock:
    """The time of day of a server in a process of its own, which deals the dailies of a known secret."""

    def __init__(self, folder: Path, secret: bytes) -> None:
        self._file = folder / "ahead"
        self.set(dt.datetime.now(dt.UTC))
        command = [sys.executable, "-m", "tests.browser.clocked_node", "--ahead", str(self._file), "--secret"]
        self._process = subprocess.Popen([*command, secret.hex()], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().strip()

    def set(self, now: dt.datetime) -> None:
        ahead = round((now.timestamp() - time.time()) * 1000)
        new = self._file.with_suffix(".new")
        new.write_text(str(ahead))
        new.replace(self._file)

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


def winning_line(secret: bytes, date: dt.date) -> tuple[Command, ...] | None:
    """Moves that win the daily of ``date``, if the solver finds some soon."""
    rules = ruleset(KlondikeTerms(daily=date.isoformat()))
    position = start(rules, (daily_deck(secret, date),))
    moves = solve(from_position(rules, position), Search(1 << 22), time.monotonic, seconds=2).moves
    return None if moves is None else tuple(moves)


def winnable(dates: tuple[dt.date, dt.date]) -> tuple[bytes, dict[dt.date, tuple[Command, ...]]]:
    """A secret whose dailies of both dates can be won, and how."""
    for n in range(50):
        secret = bytes([n]) * 32
        lines = {date: line for date in dates if (line := winning_line(secret, date)) is not None}
        if len(lines) == len(dates):
            return secret, lines
    raise AssertionError("no secret found")


@pytest.fixture(params=NIGHTS, ids=lambda night: f"{night[0]} {night[1]}")
def night(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[tuple[str, dt.date, Clock, dict[dt.date, tuple[Command, ...]]]]:
    zone, morrow = request.param
    secret, lines = winnable((morrow - dt.timedelta(days=1), morrow))
    clock = Clock(tmp_path, secret)
    yield zone, morrow, clock, lines
    clock.stop()


def play(url: str, token: str, match: str, line: tuple[Command, ...]) -> None:
    """Win ``match`` as the player of ``token``, on another line; in a thread, since the browser's loop runs here."""

    async def win() -> None:
        async with connect(url.replace("http", "ws") + "/ws", token=token, chance=lambda: 0.5) as line_of_his:
            await line_of_his.join(match=match)
            start = line_of_his.session.position
            paused = start is not None and start.tally is not None and start.tally.paused
            for command in (Unpause(), *line) if paused else line:
                settled = await line_of_his.play(command)
                assert settled.refusal is None, settled
            position = line_of_his.session.position
            assert position is not None
            assert position.outcome is not None
            assert position.outcome.winner == 0

    failed: list[BaseException] = []

    def run() -> None:
        try:
            asyncio.run(win())
        except BaseException as error:  # noqa: BLE001 - told by the test
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(60)
    assert not failed, failed


def words(date: dt.date) -> str:
    return f"{date:%A, %B} {date.day}, {date.year}"


class Snapshots:
    """What the page was told of its tables."""

    def __init__(self, player: Player) -> None:
        self.last: dict[str, Any] = {}
        player.page.on("websocket", lambda line: line.on("framereceived", self._heard))

    def _heard(self, frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["t"] == "snapshot":
            self.last = message


def begin(ann: Player, snapshots: Snapshots) -> tuple[str, str, list[Any]]:
    """Press the daily's button; the match, its date and its open cards."""
    snapshots.last = {}
    ann.act("daily")
    ann.wait_for_cards()
    table, position = snapshots.last["table"], snapshots.last["position"]
    return table["match"], table["terms"]["daily"], position["seats"][0]["columns"]


def state_of(ann: Player, date: dt.date) -> str | None:
    """What the calendar says of a day."""
    ann.open(f"/calendar/{date:%Y-%m}")
    day = ann.page.locator(f"[data-date='{date}']")
    day.wait_for()
    ann.page.wait_for_selector("[aria-busy]", state="detached")
    return day.get_attribute("data-state")


def is_won(ann: Player, date: dt.date) -> bool:
    """Whether the calendar says so; a win is written down a moment after it."""
    for _ in range(10):
        if state_of(ann, date) == "won":
            return True
        time.sleep(0.3)
    return False


def test_label_deal_and_credit_are_of_one_date(
    player: NewPlayer, night: tuple[str, dt.date, Clock, dict[dt.date, tuple[Command, ...]]]
) -> None:
    zone, morrow, clock, lines = night
    day = morrow - dt.timedelta(days=1)
    midnight = dt.datetime.combine(morrow, dt.time(), ZoneInfo(zone)).astimezone(dt.UTC)
    clock.set(midnight - dt.timedelta(minutes=2))
    ann = player("Ann", url=clock.url, zone=zone)
    snapshots = Snapshots(ann)
    ann.page.clock.install(time=midnight - dt.timedelta(minutes=2))
    ann.open()
    ann.page.wait_for_selector("[data-act=daily]")
    assert ann.out("daily-date") == words(day)
    match, dated, cards = begin(ann, snapshots)
    assert dated == day.isoformat()
    token = ann.page.evaluate("JSON.parse(localStorage.getItem('ds.token'))")

    clock.set(midnight + dt.timedelta(minutes=3))
    ann.page.clock.run_for(300_000)
    # Else the page, whose clock ran on, finds its line dead and takes its seat back.
    ann.page.evaluate("() => { window.cutOff = true; window.sockets.forEach((line) => line.close()); }")
    play(clock.url, token, match, lines[day])
    ann.open()
    ann.page.wait_for_selector(".daily[data-state=new] [data-act=daily]")
    assert ann.out("daily-date") == words(morrow), "today's is still open"
    assert is_won(ann, day), "won for the day on which it was begun"
    assert state_of(ann, morrow) == "new"
    ann.open()
    ann.page.wait_for_selector(".daily[data-state=new] [data-act=daily]")
    second, dated, others = begin(ann, snapshots)
    assert dated == morrow.isoformat()
    assert second != match
    assert others != cards
    ann.tap_pile("0:s")
    ann.settle(ann.see()["no"] - 1)
    ann.page.keyboard.press("u")
    ann.page.wait_for_function("() => document.querySelector('[data-pile=\"0:s\"].pile').dataset.count === '24'")
    ann.settle()
    assert state_of(ann, morrow) == "begun"
    play(clock.url, token, second, lines[morrow])
    assert is_won(ann, morrow)
    ann.open()
    ann.page.wait_for_selector("[data-out=daily-streak]:not([hidden])")
    assert ann.out("daily-streak") == "Streak: 2 days"
