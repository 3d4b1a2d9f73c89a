"""What one play costs a node between its socket's two ends: judge, append, fold, deliver to two players with legal
targets. In memory, one process; run `python -m bench.room`. Prints µs per play by stage.
"""

import asyncio
import gc
import os
import random
import time
from collections.abc import Callable

from server.audience import Audience, Watcher
from server.facts import Wished, pack, unpack
from server.life import Life
from server.match.arbiter import Arbiter
from server.room import Room
from server.rooms import Rooms
from server.storage.base import Appended, Stored
from server.storage.memory import MemoryStore
from shared import engine
from shared.codec import CODECS
from shared.moves import Command, Draw, Move, Recycle
from shared.protocol import MSGPACK, Join, Play
from shared.table import Ready
from shared.terms import DuelTerms

PLAYS = 200
MATCHES = 60


class Clock:
    """The machine's."""

    def mono_ms(self) -> int:
        """The machine's clock."""
        return time.monotonic_ns() // 1_000_000

    def wall_ms(self) -> int:
        """No date matters here."""
        return 0

    def call_later(self, delay_ms: int, call: Callable[[], None]) -> asyncio.TimerHandle:
        """The loop's timer."""
        return asyncio.get_running_loop().call_later(delay_ms / 1000, call)


class Sink:
    """A connection that counts."""

    codec = CODECS[MSGPACK]

    def __init__(self, conn: str, identity: str) -> None:
        self.conn = conn
        self.identity = identity
        self.name = identity
        self.offset: int | None = None
        self.line_ms: int | None = None
        self.bytes = 0
        self.frames = 0

    def write(self, frame: bytes) -> None:
        """Count a frame."""
        self.bytes += len(frame)
        self.frames += 1


async def ready_duel(rooms: Rooms, number: int) -> tuple[Room, list[Sink]]:
    """Make a duel whose both seats are taken and ready."""
    room = await rooms.create("ann", "Ann", DuelTerms(game_seconds=None))
    sinks = [Sink(f"b.{number * 2}", "ann"), Sink(f"b.{number * 2 + 1}", "bob")]
    for sink in sinks:
        room.attach(sink, Join(match=room.match, legal=True))
        await asyncio.sleep(0.001)
    for seat, sink in enumerate(sinks):
        room.play(sink, Play(1, 0, Ready(f"{seat:032x}")))
        await asyncio.sleep(0.001)
    return room, sinks


def choose(room: Room, seat: int, chance: random.Random) -> Command | None:
    """Return a legal command of ``seat``."""
    position = room.state.position
    assert position is not None
    legal = engine.legal(room.state.rules, position, seat)
    moves: list[Command] = [Move(card, to) for card, targets in legal.moves.items() for to in targets]
    if "draw" in legal.commands:
        moves += [Draw()] * 2
    if "recycle" in legal.commands:
        moves.append(Recycle())
    return chance.choice(moves) if moves else None


async def whole(chance: random.Random) -> tuple[float, list[Stored], str, int, int]:
    """Play matches from start to end; return µs a play from ``Room.play`` to the last ``write``, and one log."""
    clock = Clock()
    store = MemoryStore(clock.mono_ms)
    rooms = Rooms(store, clock=clock, randbytes=os.urandom, life=Life(lambda: "b"))
    await rooms.start()
    made = [await ready_duel(rooms, number) for number in range(MATCHES)]
    await asyncio.sleep(3.3)
    spent, plays, sent, frames = 0.0, 0, 0, 0
    gc.collect()
    gc.freeze()
    for turn in range(PLAYS):
        for room, sinks in made:
            seat = turn % 2
            command = choose(room, seat, chance)
            if command is None or not room.state.running:
                continue
            before = [sink.bytes for sink in sinks]
            log = store.log
            begin = time.thread_time()  # of this thread alone: the machine may be busy
            room.play(sinks[seat], Play(room.state.logs[seat].n + 1, room.state.no, command))
            log._flush()  # noqa: SLF001 - what the loop's next tick would do
            spent += time.thread_time() - begin
            plays += 1
            sent += sum(sink.bytes for sink in sinks) - sum(before)
    frames = sum(sink.frames for _, sinks in made for sink in sinks)
    room = made[0][0]
    answer = await store.log.read(room.match, 0)
    assert isinstance(answer, Appended)
    await rooms.close()
    return spent / plays * 1e6, list(answer.entries), room.match, plays, sent // max(1, frames)


def clocked(name: str, call: Callable[[], object], count: int, rounds: int = 5) -> None:
    """Print the best of some rounds, per one of ``count``."""
    best = min(_once(call) for _ in range(rounds))
    print(f"  {name:<38} {best / count * 1e6:7.1f} µs")


def _once(call: Callable[[], object]) -> float:
    begin = time.thread_time()
    call()
    return time.thread_time() - begin


def stages(entries: list[Stored], match: str) -> None:
    """Time the parts alone, over the plays of one recorded log."""
    wishes = [unpack(stored.data) for stored in entries]
    plays = [wish for wish in wishes if isinstance(wish, Wished)]
    count = len(plays)

    def fold() -> Arbiter:
        arbiter = Arbiter(match)
        for stored in entries:
            arbiter.fold(stored)
        return arbiter

    def judge() -> None:
        for seat in (0, 1):
            for _ in range(count // 2):
                arbiter.refuse(seat, Draw(), 0, 0)

    arbiter = Arbiter(match)
    folded = [(arbiter.fold(stored), arbiter.state.position) for stored in entries]
    last = [(done, position) for done, position in folded if done.seat is not None and position is not None][2:]
    sinks = [Sink("b.1", "ann"), Sink("b.2", "bob")]

    def deliver(*, legal: bool) -> None:
        audience = Audience()
        for seat, sink in enumerate(sinks):
            audience.add(Watcher(sink, seat, 1, playing=True, legal=legal))
        state = arbiter.state
        kept = state.position
        for done, position in last:
            state.position = position
            audience.deliver(state, done)
        state.position = kept

    clocked("pack an entry", lambda: [pack(play) for play in plays], count)
    clocked("unpack an entry", lambda: [unpack(stored.data) for stored in entries], len(entries))
    clocked("judge early (a draw)", judge, count)
    clocked("fold (unpack, law, events, digest)", fold, len(entries))
    clocked("deliver to two players", lambda: deliver(legal=False), len(last))
    clocked("deliver, with legal targets", lambda: deliver(legal=True), len(last))


def main() -> None:
    """Measure, print."""
    cost, entries, match, plays, size = asyncio.run(whole(random.Random(1)))
    print(f"{plays} plays of {MATCHES} duels, memory store, msgpack, legal targets on; {size} bytes a frame")
    print(f"  {'whole: play -> two frames written':<38} {cost:7.1f} µs")
    stages(entries, match)


if __name__ == "__main__":
    main()
