"""Servers for the live tests: one in this process, whose play time runs as fast as asked, and one as a process of its
own that can be killed.
"""

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Final

from server import link_websockets
from server.app import SystemClock
from server.books.desk import Desk
from server.books.keeper import Keeper
from server.devices import DeviceDesk
from server.follow import fold_log
from server.front import Admission, ServerFront
from server.gateway import Gateway
from server.http import Site
from server.identity import Guests
from server.life import Life
from server.limits import Limits
from server.match.arbiter import Arbiter, Folded
from server.matchmaker import Matchmaker
from server.ports import Timer
from server.rooms import Rooms
from server.storage.base import Appended, Stored
from server.storage.memory import MemoryStore
from shared.ruleset import Ruleset

ROOT: Final = Path(__file__).resolve().parent.parent.parent
UNLIMITED: Final = Limits(
    messages_per_second=0, creates_per_second=0, identities_per_second=0, connections_per_address=20_000
)


class FastClock:
    """A clock that runs ``speed`` times as fast as the machine's: a countdown of 3 s is over in 3 s / ``speed``."""

    def __init__(self, loop: asyncio.AbstractEventLoop, speed: float) -> None:
        self._loop = loop
        self._speed = speed

    def mono_ms(self) -> int:
        return int(time.monotonic() * 1000 * self._speed)

    def wall_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def call_later(self, delay_ms: int, call: Callable[[], None]) -> Timer:
        return self._loop.call_later(delay_ms / 1000 / self._speed, call)


class HereNode:
    """A server in this process, over real sockets, with a store in memory."""

    def __init__(self, rooms: Rooms, store: MemoryStore, gateway: Gateway, port: int) -> None:
        self.rooms = rooms
        self.store = store
        self.gateway = gateway
        self.url = f"ws://127.0.0.1:{port}/ws"

    async def log(self, match: str) -> tuple[Stored, ...]:
        """The log of a match as the store has it."""
        answer = await self.store.log.read(match, 0)
        assert isinstance(answer, Appended)
        return answer.entries

    async def refold(self, match: str) -> tuple[Arbiter, list[tuple[Folded, Ruleset]]]:
        """The log of a match, folded anew."""
        return fold_log(match, await self.log(match))


@contextlib.asynccontextmanager
async def node_here(
    *, speed: float = 1.0, randbytes: Callable[[int], bytes] = os.urandom, limits: Limits = UNLIMITED
) -> AsyncIterator[HereNode]:
    """Run a server in this process. ``randbytes``: the chance of the deals and ids; ``speed``: of play time."""
    loop = asyncio.get_running_loop()
    clock, real = FastClock(loop, speed), SystemClock(loop)
    store = MemoryStore(clock.mono_ms)
    life = Life(lambda: os.urandom(6).hex())
    rooms = Rooms(store, clock=clock, randbytes=randbytes, life=life)
    await rooms.start()
    guests = Guests(store.records, randbytes=os.urandom, wall_ms=real.wall_ms)
    devices = DeviceDesk(store.records, randbytes=os.urandom, wall_ms=real.wall_ms)
    desk = Desk(store.records, Keeper(store.records), clock=clock, randbytes=os.urandom, archived=store.log.archived)
    lobby = Matchmaker(store.lobby, rooms, clock=clock, randbytes=os.urandom, life=life, rating=desk.rating)
    gateway = Gateway(
        rooms, guests, devices, lobby, desk, clock=real, life=life, version="0", limits=limits, call_soon=loop.call_soon
    )
    front = ServerFront(gateway, Site({}, ready=lambda: True), Admission())
    listener = await link_websockets.listen(front, "127.0.0.1", 0)
    try:
        yield HereNode(rooms, store, gateway, listener.port)
    finally:
        gateway.drain()
        listener.stop()
        gateway.close()
        await listener.wait_closed()
        await lobby.close()
        await rooms.close()
        await store.close()


class ServerProcess:
    """``python -m server serve`` with a folder, on one port for all its lives."""

    def __init__(self, data: Path, *options: str) -> None:
        self._data = data
        self._options = options
        self._process: subprocess.Popen[str] | None = None
        self.port = 0

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws"

    def start(self) -> None:
        """Start it and wait until it has printed its address."""
        command = [sys.executable, "-m", "server", "serve", "--data", str(self._data), "--port", str(self.port)]
        self._process = subprocess.Popen([*command, *self._options], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        for line in self._process.stdout:
            found = re.search(r"http://[^\s:]+:(\d+)", line)
            if found:
                self.port = int(found[1])
                return
        raise AssertionError("the server printed no address")

    def kill(self) -> None:
        """End it as a power cut would: no word, no clean-up."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Ask it to stop; return its exit status."""
        return self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> int:
        if self._process is None:
            return 0
        process, self._process = self._process, None
        process.send_signal(number)
        with process:
            return process.wait(timeout=10)
