"""What it costs a node to open matches: the fold of a log by its length, and the adoption of many at once. In memory,
one process; run `python -m bench.adopt`. Prints µs an entry, ms a match, and how long the loop was held up.
"""

import asyncio
import gc
import logging
import os
import random
import time
from collections.abc import Sequence

import structlog

from bench.room import Clock, Sink, choose, ready_duel
from server.follow import Follower, Services
from server.life import Life
from server.match.arbiter import LAST_ENTRY
from server.room import Room
from server.rooms import Rooms
from server.storage.base import MAX_ADOPT, Appended, Stored
from server.storage.memory import MemoryStore
from shared.moves import Declare, Undo
from shared.position import Position
from shared.protocol import Join, Play, Wish
from shared.ruleset import Ruleset
from shared.terms import KlondikeTerms

MATCHES = 1000
ENTRIES = 300
LENGTHS = (300, 2000, LAST_ENTRY)


async def played(room: Room, sinks: Sequence[Sink], store: MemoryStore, length: int, chance: random.Random) -> None:
    """Play until the log is so long; of a solo game a play is taken back now and then, so that it does not end."""
    turn = idle = 0
    while room.state.no < length and idle < 4:
        seat = turn % len(sinks)
        turn += 1
        wish: Wish | None = Undo() if len(sinks) == 1 and chance.random() < 0.45 else choose(room, seat, chance)
        idle = idle + 1 if wish is None or isinstance(wish, Declare) else 0
        if wish is not None:
            room.play(sinks[seat], Play(room.state.logs[seat].n + 1, room.state.no, wish))
            store.log._flush()  # noqa: SLF001 - what the loop's next tick would do


async def logs() -> tuple[tuple[Stored, ...], tuple[Stored, ...]]:
    """Return the log of a duel and that of a long solo game."""
    clock, chance = Clock(), random.Random(2)
    store = MemoryStore(clock.mono_ms)
    rooms = Rooms(store, clock=clock, randbytes=random.Random(1).randbytes, life=Life(lambda: "b"))
    await rooms.start()
    duel, sinks = await ready_duel(rooms, 0)
    await asyncio.sleep(3.3)
    await played(duel, sinks, store, ENTRIES, chance)
    solo = await rooms.create("eve", "Eve", KlondikeTerms(draw=1))
    sink = Sink("b.9", "eve")
    solo.attach(sink, Join(match=solo.match, legal=True))
    await asyncio.sleep(0.01)
    await played(solo, [sink], store, max(LENGTHS), chance)
    found = [await store.log.read(room.match, 0) for room in (duel, solo)]
    await rooms.close()
    one, other = (answer.entries for answer in found if isinstance(answer, Appended))
    return one, other


class Holds:
    """Looks all the time how long the loop is away, by the time of its own thread: the machine may be busy."""

    def __init__(self) -> None:
        self.longest = 0.0
        self._task = asyncio.get_running_loop().create_task(self._look())

    async def _look(self) -> None:
        while True:
            begin = time.thread_time()
            await asyncio.sleep(0)
            self.longest = max(self.longest, time.thread_time() - begin)

    def stop(self) -> float:
        """Return the longest, ms."""
        self._task.cancel()
        return self.longest * 1e3


async def fold(entries: tuple[Stored, ...]) -> None:
    """Load one log; print what it took."""
    clock = Clock()
    store = MemoryStore(clock.mono_ms)
    services = Services(store.log, clock, os.urandom, lambda work: work.close(), lambda _match: None)
    rounds: list[tuple[float, float]] = []
    for _ in range(5):
        follower: Follower = Room("m", services).log
        holds = Holds()
        await asyncio.sleep(0)
        begin = time.thread_time()
        await follower.load(Appended(0, entries))
        spent = time.thread_time() - begin
        rounds.append((spent, holds.stop()))
    spent, held = min(rounds)
    each = spent / len(entries)
    print(f"  {len(entries):6} entries {spent * 1e3:8.1f} ms {each * 1e6:6.1f} µs each, held {held:5.1f} ms")


async def unsearched(_rules: Ruleset, _position: Position, _seat: int) -> bool | None:
    """Search nothing: a server does so in a process of its own."""
    return None


async def adopt(entries: tuple[Stored, ...]) -> None:
    """Put one log under many names, and let a node adopt them all, as many a beat as the store gives."""
    clock = Clock()
    store = MemoryStore(clock.mono_ms)
    for number in range(MATCHES):
        await store.log.create(f"{number:020x}", entries[0].data)
        store.log.append(f"{number:020x}", 1, [entry.data for entry in entries[1:]], lambda _answer: None)
        await store.log.set_live(f"{number:020x}", live=True)
    await asyncio.sleep(0)
    rooms = Rooms(store, clock=clock, randbytes=os.urandom, life=Life(lambda: "c"), stuck_search=unsearched)
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)  # as a server does
    holds = Holds()
    await rooms.start()
    await asyncio.sleep(0)
    begin, beats = time.thread_time(), 1
    longest = 0.0
    while len(rooms) < MATCHES:
        once = time.thread_time()
        beat = await store.log.beat()
        await rooms._take_beat(beat, frozenset())  # noqa: SLF001 - a beat, without its second
        longest = max(longest, time.thread_time() - once)
        beats += 1
    spent = time.thread_time() - begin
    print(
        f"  {MATCHES} matches of {len(entries)} entries: {spent:.2f} s in {beats} beats of {MAX_ADOPT}, "
        f"{spent / MATCHES * 1e3:.2f} ms a match; longest beat {longest * 1e3:.0f} ms, loop held {holds.stop():.1f} ms"
    )
    await rooms.close()


async def run() -> None:
    """Measure, print."""
    duel, solo = await logs()
    print("fold of a log, best of five, and how long the loop was held up by it")
    for length in LENGTHS:
        await fold(solo[:length])
    await fold(duel)
    print("adoption")
    await adopt(duel)


if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.INFO))
    asyncio.run(run())
