"""The stores that the contract is run against, and short ways of asking them.

A new implementation joins by one more `Kind` in `KINDS`.
"""

import asyncio
import hashlib
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from server.storage.base import Appended, AppendResult, Durability, NotAppended, Store
from server.storage.fakes import FaultyStore, JumpingClock
from server.storage.memory import MemoryStore
from server.storage.redis import open_redis
from server.storage.sqlite import open_sqlite
from tests.redis_servers import AOF, shared_cluster, shared_server, shared_trio


@dataclass(frozen=True)
class Kind:
    """One way to open a store. `open` of a lasting kind finds what an earlier one of the same place wrote."""

    name: str
    open: Callable[[Path, JumpingClock], Awaitable[Store]]
    lasts: bool
    durability: Durability = "process"


async def open_memory(place: Path, clock: JumpingClock) -> Store:
    return MemoryStore(clock.mono_ms)


async def open_file(place: Path, clock: JumpingClock) -> Store:
    return open_sqlite(place / "store.sqlite3", clock.mono_ms)


async def open_folding(place: Path, clock: JumpingClock) -> Store:
    """Folds its journal all the time, so that chunks, tails and re-reading are met in every test."""
    return open_sqlite(place / "store.sqlite3", clock.mono_ms, fold_entries=3, keep_entries=1)


async def open_behind_faults(place: Path, clock: JumpingClock) -> Store:
    """The wrapper with no fault switched on must change nothing."""
    return FaultyStore(MemoryStore(clock.mono_ms), clock)


async def _redis(url: str, place: Path, clock: JumpingClock, durability: Durability) -> Store:
    prefix = "t" + hashlib.sha256(str(place).encode()).hexdigest()[:16]
    return await open_redis(
        f"{url}?prefix={prefix}",
        clock.mono_ms,
        randbytes=os.urandom,
        now_ms=clock.mono_ms,
        durability=durability,
    )


async def open_redis_disk(place: Path, clock: JumpingClock) -> Store:
    return await _redis(shared_server(*AOF).url, place, clock, "disk")


async def open_redis_fast(place: Path, clock: JumpingClock) -> Store:
    settings = ("appendonly yes", "appendfsync everysec")
    return await _redis(shared_server(*settings).url, place, clock, "process")


async def open_redis_cluster(place: Path, clock: JumpingClock) -> Store:
    return await _redis(f"redis+cluster://127.0.0.1:{shared_cluster().port}", place, clock, "disk")


async def open_redis_sentinel(place: Path, clock: JumpingClock) -> Store:
    return await _redis(shared_trio().url, place, clock, "replica")


KINDS = [
    Kind("memory", open_memory, lasts=False),
    Kind("sqlite", open_file, lasts=True, durability="disk"),
    Kind("sqlite_folding", open_folding, lasts=True, durability="disk"),
    Kind("faulty_memory", open_behind_faults, lasts=False),
    Kind("redis_disk", open_redis_disk, lasts=True, durability="disk"),
    Kind("redis_fast", open_redis_fast, lasts=True),
    Kind("redis_cluster", open_redis_cluster, lasts=True, durability="disk"),
    Kind("redis_sentinel", open_redis_sentinel, lasts=True, durability="replica"),
]


@dataclass
class Rig:
    """A store in use, its clock, and its place to open it again."""

    kind: Kind
    place: Path
    clock: JumpingClock
    store: Store
    closed: bool = field(default=False)

    async def reopen(self) -> None:
        """Close the store and open it again, as a restarted server does."""
        await self.store.close()
        self.store = await self.kind.open(self.place, self.clock)
        await self.store.log.join("boot-2")

    def start(
        self, match: str, *entries: bytes, have: int = 0, if_head: int | None = None
    ) -> "asyncio.Future[AppendResult]":
        """Append now; the future gets the answer. A second answer to one call is an error."""
        future: asyncio.Future[AppendResult] = asyncio.get_running_loop().create_future()
        self.store.log.append(match, have, entries, future.set_result, if_head=if_head)
        return future

    async def append(self, match: str, *entries: bytes, have: int = 0, if_head: int | None = None) -> AppendResult:
        return await self.start(match, *entries, have=have, if_head=if_head)

    async def data(self, match: str, after: int = 0) -> list[bytes]:
        """What a log holds, after a check of its numbers."""
        result = taken(await self.store.log.read(match, after))
        assert [entry.no for entry in result.entries] == list(range(after + 1, after + 1 + len(result.entries)))
        return [entry.data for entry in result.entries]


def taken(result: AppendResult) -> Appended:
    assert isinstance(result, Appended), result
    return result


def why(result: AppendResult) -> str:
    assert isinstance(result, NotAppended), result
    return result.why


def datas(result: AppendResult) -> list[bytes]:
    return [entry.data for entry in taken(result).entries]


def numbers(result: AppendResult) -> list[int]:
    return [entry.no for entry in taken(result).entries]
