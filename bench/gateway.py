"""What a frame costs before and after its room: decode, limits, dispatch; outbox, framing, write; and all of it
over real sockets. Run `python -m bench.gateway`; prints µs.
"""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

from websockets.frames import Frame, Opcode

from server.books.desk import Desk
from server.books.keeper import Keeper
from server.devices import DeviceDesk
from server.gateway import Gateway
from server.identity import Guests
from server.life import Life
from server.limits import Limits
from server.link import join_frames
from server.ports import Viewer
from server.storage.memory import MemoryStore
from shared.codec import CODECS, Codec
from shared.moves import Move, Moved, Turned
from shared.protocol import JSON, MSGPACK, Create, Hello, Join, Ping, Play, ToLobby, Update
from shared.terms import KlondikeTerms

ROUNDS = 20_000
SECONDS = 3.0
SOCKETS = 50
MOVE = Play(n=7, seen=41, do=Move(card=11, to="t4"))
UPDATE = Update(42, 61230, (Moved((11,), "t2", "t4"), Turned(2, 30)), 0, 7)


class Clock:
    """The machine's clock; no timer ever fires."""

    def mono_ms(self) -> int:
        """Milliseconds."""
        return time.monotonic_ns() // 1_000_000

    def wall_ms(self) -> int:
        """No date matters here."""
        return 0

    def call_later(self, delay_ms: int, call: Callable[[], None]) -> asyncio.TimerHandle:
        """The loop's timer."""
        return asyncio.get_running_loop().call_later(delay_ms / 1000, call)


class NullRoom:
    """A match that takes plays and says nothing."""

    match = "m"

    def attach(self, viewer: Viewer, join: Join) -> None:
        """Say nothing."""

    def attached(self, viewer: Viewer) -> bool:  # noqa: ARG002 - a stand-in
        """Everybody is."""
        return True

    def detach(self, viewer: Viewer, *, left: bool = False) -> None:
        """Say nothing."""

    def play(self, viewer: Viewer, play: Play) -> None:
        """Say nothing."""

    ask_legal = ask_snapshot = ask_hint = detach

    def now(self) -> int:
        """No time passes."""
        return 0

    def lines(self) -> tuple[int | None, ...]:
        """Nobody is known."""
        return ()


class NullLobby:
    """Knows nobody."""

    async def serve(self, viewer: Viewer, message: ToLobby) -> None:
        """Say nothing."""

    def gone(self, viewer: Viewer) -> None:
        """Nothing to do."""


class NullRooms:
    """Makes null rooms."""

    async def start(self) -> None:
        """Nothing to do."""

    async def create(self, identity: str, name: str, terms: object, bot: object = None) -> NullRoom:  # noqa: ARG002 - a stand-in
        """Make one."""
        return NullRoom()

    async def give_up(self, match: str, identity: str) -> None:
        """There is none."""

    async def find(self, match: str) -> None:
        """Know none."""

    async def by_code(self, code: str) -> None:
        """Know none."""

    def drain(self) -> None:
        """Nothing to do."""

    async def close(self) -> None:
        """Nothing to do."""


class NullLink:
    """A link into the void, framing included."""

    address = "192.0.2.1"

    def __init__(self, subprotocol: str) -> None:
        self.subprotocol = subprotocol
        self.binary = CODECS[subprotocol].binary
        self.sent = 0

    def write(self, frames: Sequence[bytes]) -> None:
        """Frame and count."""
        self.sent += len(join_frames(frames, binary=self.binary))

    def line_ms(self) -> int | None:
        """Not measured."""
        return None

    def buffered(self) -> int:
        """Nothing waits."""
        return 0

    def close(self, code: int, reason: str) -> None:
        """Nothing to do."""


def per_call(call: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return µs a call, the best of five."""
    best = float("inf")
    for _ in range(5):
        started = time.perf_counter_ns()
        for _ in range(rounds):
            call()
        best = min(best, (time.perf_counter_ns() - started) / rounds / 1000)
    return best


async def in_memory(codec: Codec) -> None:
    """Print the stages without a socket."""
    clock = Clock()
    records = MemoryStore(clock.mono_ms).records
    guests = Guests(records, randbytes=os.urandom, wall_ms=clock.wall_ms)
    waiting: list[Callable[[], None]] = []
    gateway = Gateway(
        NullRooms(),
        guests,
        DeviceDesk(records, randbytes=os.urandom, wall_ms=clock.wall_ms),
        NullLobby(),
        Desk(
            records,
            Keeper(records),
            clock=clock,
            randbytes=os.urandom,
            archived=MemoryStore(clock.mono_ms).log.archived,
        ),
        clock=clock,
        life=Life(lambda: "b"),
        version="0",
        limits=Limits(messages_per_second=1e9, messages_burst=10**9),
        call_soon=waiting.append,
    )
    connection = gateway.accept(NullLink(codec.name), "192.0.2.1")
    read = (lambda frame: frame) if codec.binary else bytes.decode
    for message in (Hello(), Create(terms=KlondikeTerms())):
        connection.received(read(codec.encode(message)))
        await asyncio.sleep(0.01)
    move, update = read(codec.encode(MOVE)), codec.encode(UPDATE)

    def out(count: int) -> Callable[[], None]:
        def turn() -> None:
            for _ in range(count):
                connection.write(update)
            waiting.pop()()

        return turn

    while waiting:
        waiting.pop()()
    print(f"  decode {per_call(lambda: codec.read_client(move)):.2f}", end="  ")
    print(f"frame to room, decode included {per_call(lambda: connection.received(move)):.2f}", end="  ")
    print(f"encode an update {per_call(lambda: codec.encode(UPDATE)):.2f}", end="  ")
    print(f"outbox and framing, one a turn {per_call(out(1)):.2f}, eight a turn {per_call(out(8)) / 8:.2f} each")


async def _one(port: int, name: str, until: float) -> int:
    """Ping and wait for the pong, over and over, on a bare socket; return how often."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Protocol: " + name.encode() + b"\r\n\r\n"
    )
    await reader.readuntil(b"\r\n\r\n")
    codec = CODECS[name]
    opcode = Opcode.BINARY if codec.binary else Opcode.TEXT
    ping = Frame(opcode, codec.encode(Ping(sent=1.5))).serialize(mask=True)
    done = 0
    while time.perf_counter() < until:
        writer.write(ping)
        head = await reader.readexactly(2)
        await reader.readexactly(head[1])
        done += 1
    writer.close()
    return done


def cpu_seconds(pid: int) -> float:
    """Return the processor time that a process has used."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as stat:  # noqa: PTH123 - no file of ours
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def over_sockets(name: str) -> None:
    """Print the processor time of a server for a ping and its pong."""
    command = [sys.executable, "-m", "bench.serve"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        port = int(server.stdout.readline().rpartition(":")[2])
        try:
            before = cpu_seconds(server.pid)

            async def load() -> int:
                until = time.perf_counter() + SECONDS
                return sum(await asyncio.gather(*[_one(port, name, until) for _ in range(SOCKETS)]))

            done = asyncio.run(load())
            used = cpu_seconds(server.pid) - before
            cost = used / done * 1e6
            print(f"  {name}: {cost:5.1f} µs of the server a round, {done / SECONDS:.0f}/s")
        finally:
            server.terminate()


def main() -> None:
    """Measure and print."""
    for name in (MSGPACK, JSON):
        print(f"in memory, {name}, µs:")
        asyncio.run(in_memory(CODECS[name]))
    print(f"over {SOCKETS} sockets, a ping and its pong at a time each, {SECONDS:.0f} s:")
    for name in (MSGPACK, JSON):
        over_sockets(name)


if __name__ == "__main__":
    main()
