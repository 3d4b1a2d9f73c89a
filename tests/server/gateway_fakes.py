"""Stand-ins for what the gateway works with: a link in memory, a clock that jumps, rooms without games."""

import asyncio
import heapq
from collections.abc import Callable, Sequence
from typing import Any

from server.books.desk import Desk
from server.books.keeper import Keeper
from server.connection import Connection
from server.devices import DeviceDesk
from server.gateway import Gateway
from server.identity import Guests
from server.life import Life
from server.limits import Limits
from server.ports import BadTerms, RoomPort, Unavailable, Viewer
from server.storage.base import Identity, StoreError
from server.storage.memory_records import MemoryRecords
from shared.codec import CODECS
from shared.moves import Legal
from shared.protocol import (
    MSGPACK,
    Failed,
    Hello,
    Hint,
    Join,
    LegalNow,
    Lobby,
    Play,
    Snapshot,
    ToClient,
    ToLobby,
    ToServer,
    Update,
    Welcome,
)
from shared.table import Table
from shared.terms import KlondikeTerms, Terms


class JumpTimer:
    def __init__(self) -> None:
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class JumpClock:
    """A clock that stands still until it is told to jump."""

    def __init__(self) -> None:
        self.ms = 0
        self._due: list[tuple[int, int, Callable[[], None], JumpTimer]] = []
        self._count = 0

    def mono_ms(self) -> int:
        return self.ms

    def wall_ms(self) -> int:
        return 1_700_000_000_000 + self.ms

    def call_later(self, delay_ms: int, call: Callable[[], None]) -> JumpTimer:
        timer = JumpTimer()
        self._count += 1
        heapq.heappush(self._due, (self.ms + delay_ms, self._count, call, timer))
        return timer

    def jump(self, ms: int) -> None:
        end = self.ms + ms
        while self._due and self._due[0][0] <= end:
            self.ms, _, call, timer = heapq.heappop(self._due)
            if not timer.cancelled:
                call()
        self.ms = end


class MemoryLink:
    """A link whose other end is the test: `sent` holds what was written, `unread` is what the peer has not taken."""

    def __init__(self, subprotocol: str = MSGPACK, address: str = "192.0.2.7") -> None:
        self.subprotocol = subprotocol
        self.address = address
        self.sent: list[bytes] = []
        self.writes = 0
        self.unread = 0
        self.close_code: int | None = None
        self.close_reason = ""

    def write(self, frames: Sequence[bytes]) -> None:
        if self.close_code is None:
            self.sent += frames
            self.writes += 1

    def line_ms(self) -> int | None:
        return 42

    def buffered(self) -> int:
        return self.unread

    def close(self, code: int, reason: str) -> None:
        if self.close_code is None:
            self.close_code, self.close_reason = code, reason


class FakeRoom:
    """A match without a game: every play is taken at once and told to everybody."""

    def __init__(self, match: str, terms: Terms | None = None) -> None:
        self.match = match
        self.terms = terms or KlondikeTerms()
        self.viewers: list[Viewer] = []
        self.left: list[Viewer] = []
        self.joins: list[Join] = []
        self.plays: list[tuple[str, Play]] = []
        self.no = 1
        self.admits = True
        self.breaks = False

    def attach(self, viewer: Viewer, join: Join) -> None:
        self.joins.append(join)
        if not self.admits:
            self.tell(viewer, Failed(code="room_full", message="both seats are taken"))
            return
        if viewer not in self.viewers:
            self.viewers.append(viewer)
        self.ask_snapshot(viewer)

    def attached(self, viewer: Viewer) -> bool:
        return viewer in self.viewers

    def detach(self, viewer: Viewer, *, left: bool = False) -> None:
        if left:
            self.left.append(viewer)
        if viewer in self.viewers:
            self.viewers.remove(viewer)

    def play(self, viewer: Viewer, play: Play) -> None:
        if self.breaks:
            raise RuntimeError("broken on purpose")
        self.no += 1
        self.plays.append((viewer.identity, play))
        for each in self.viewers:
            self.tell(each, Update(no=self.no, at=self.no, seat=0, n=play.n))

    def ask_legal(self, viewer: Viewer) -> None:
        self.tell(viewer, LegalNow(no=self.no, legal=Legal(moves={}, tap={}, double={})))

    def ask_snapshot(self, viewer: Viewer) -> None:
        table = Table(match=self.match, terms=self.terms, players=())
        self.tell(viewer, Snapshot(no=self.no, now=self.no, table=table))

    def ask_hint(self, viewer: Viewer) -> None:
        self.tell(viewer, Hint())

    def now(self) -> int:
        return 4321

    def lines(self) -> tuple[int | None, ...]:
        return ()

    @staticmethod
    def tell(viewer: Viewer, message: ToClient) -> None:
        viewer.write(viewer.codec.encode(message))


class FakeRooms:
    """Rooms `m1`, `m2`, … by their id, and `ROOM1`, … by code. `gate`: when set, each call waits for it."""

    def __init__(self) -> None:
        self.rooms: dict[str, FakeRoom] = {}
        self.given_up: list[tuple[str, str]] = []
        self.gate: asyncio.Event | None = None
        self.away = False
        self.draining = False

    async def start(self) -> None:
        """Nothing to do."""

    async def create(self, identity: str, name: str, terms: Terms, bot: object = None) -> RoomPort:
        await self._wait()
        if isinstance(terms, KlondikeTerms) and terms.code is not None:
            raise BadTerms("expected a code like KL1-D1S-AAAAAAB", code="bad_code", field="terms.code")
        match = f"m{len(self.rooms) + 1}"
        self.rooms[match] = FakeRoom(match, terms)
        return self.rooms[match]

    async def give_up(self, match: str, identity: str) -> None:
        await self._wait()
        self.given_up.append((match, identity))

    async def find(self, match: str) -> RoomPort | None:
        await self._wait()
        return self.rooms.get(match)

    async def by_code(self, code: str) -> RoomPort | None:
        await self._wait()
        return self.rooms.get(code.lower().replace("room", "m"))

    def drain(self) -> None:
        self.draining = True

    async def close(self) -> None:
        """Nothing to do."""

    async def _wait(self) -> None:
        if self.gate is not None:
            await self.gate.wait()
        if self.away:
            raise Unavailable("no answer for 2 s")


class FakeLobby:
    """Takes every wish, answers with an empty list."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, ToLobby]] = []
        self.left: list[str] = []

    async def serve(self, viewer: Viewer, message: ToLobby) -> ToClient | None:
        self.asked.append((viewer.conn, message))
        return Lobby()

    def gone(self, viewer: Viewer) -> None:
        self.left.append(viewer.conn)


class FakeRecords(MemoryRecords):
    """Records in memory; ``away``: nobody can be asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.away = False

    async def add_identity(self, identity: Identity, token_hash: bytes, label: str = "") -> None:
        self._check()
        await super().add_identity(identity, token_hash, label)

    async def find_identity(self, token_hash: bytes) -> Identity | None:
        self._check()
        return await super().find_identity(token_hash)

    async def rename(self, identity: str, name: str) -> None:
        self._check()
        await super().rename(identity, name)

    def _check(self) -> None:
        if self.away:
            raise StoreError("the disk is full")


def counting_bytes() -> Callable[[int], bytes]:
    """Bytes that differ from call to call and are the same in every run."""
    calls = iter(range(1, 1 << 30))
    return lambda count: next(calls).to_bytes(4) * ((count + 3) // 4)


async def no_replay(match: str) -> bytes | None:
    return None


class Bench:
    """A gateway with stand-ins all around it. Use it inside a running event loop."""

    def __init__(self, **limits: Any) -> None:
        self.clock = JumpClock()
        self.rooms = FakeRooms()
        self.records = FakeRecords()
        self.guests = Guests(self.records, randbytes=counting_bytes(), wall_ms=self.clock.wall_ms)
        self.devices = DeviceDesk(self.records, randbytes=counting_bytes(), wall_ms=self.clock.wall_ms)
        self.lobby = FakeLobby()
        self.desk = Desk(
            self.records, Keeper(self.records), clock=self.clock, randbytes=counting_bytes(), archived=no_replay
        )
        self.gateway = Gateway(
            self.rooms,
            self.guests,
            self.devices,
            self.lobby,
            self.desk,
            clock=self.clock,
            life=Life(lambda: "boot"),
            version="1.2.3",
            limits=Limits(**limits),
            call_soon=asyncio.get_running_loop().call_soon,
        )

    def connect(self, subprotocol: str = MSGPACK, address: str = "192.0.2.7") -> "Client":
        return Client(self, MemoryLink(subprotocol, address))

    async def guest(self, subprotocol: str = MSGPACK, address: str = "192.0.2.7") -> "Client":
        """A client that has said hello."""
        client = self.connect(subprotocol, address)
        answer = await client.ask(Hello())
        assert isinstance(answer, Welcome), answer
        client.welcome = answer
        return client


class Client:
    """The test's end of a memory link."""

    def __init__(self, bench: Bench, link: MemoryLink) -> None:
        self.link = link
        self.codec = CODECS[link.subprotocol]
        self.connection: Connection = bench.gateway.accept(link, link.address)
        self.welcome: Welcome | None = None
        self._read = 0

    def send(self, *messages: ToServer) -> None:
        for message in messages:
            frame = self.codec.encode(message)
            self.raw(frame if self.codec.binary else frame.decode())

    def raw(self, *frames: bytes | str) -> None:
        for frame in frames:
            self.connection.received(frame)

    async def told(self) -> list[ToClient]:
        """What came since the last call, after the loop has had its turns."""
        for _ in range(10):
            await asyncio.sleep(0)
        new = self.link.sent[self._read :]
        self._read = len(self.link.sent)
        return [self.codec.read_server(frame if self.codec.binary else frame.decode()) for frame in new]

    async def ask(self, *messages: ToServer) -> ToClient:
        """The one answer to the messages."""
        self.send(*messages)
        (answer,) = await self.told()
        return answer

    async def ask_raw(self, frame: bytes | str) -> list[ToClient]:
        self.raw(frame)
        return await self.told()

    def hang_up(self) -> None:
        self.connection.closed()
