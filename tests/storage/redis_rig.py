"""Several nodes on one Redis, each with its store, on one clock that jumps."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import redis

from server.storage.base import Appended, AppendResult
from server.storage.fakes import JumpingClock
from server.storage.redis import RedisStore, open_redis
from server.storage.redis.log import Keeping
from tests.redis_servers import AOF, shared_cluster_nodes, shared_server

_count = count()


def new_prefix() -> str:
    """A prefix that no other test of this machine uses."""
    return f"t{os.getpid()}-{next(_count)}-{os.urandom(3).hex()}"


@dataclass
class Node:
    """A store in use under a boot id, and what it was told of other nodes."""

    store: RedisStore
    boot: str
    hinted: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    def listen(self) -> None:
        def missed(matches: Iterable[str]) -> None:
            self.missed += matches

        self.store.log.listen(self.hinted.append, missed)

    def start(self, match: str, *entries: bytes, have: int = 0) -> "asyncio.Future[AppendResult]":
        future: asyncio.Future[AppendResult] = asyncio.get_running_loop().create_future()
        self.store.log.append(match, have, entries, future.set_result)
        return future

    async def append(self, match: str, *entries: bytes, have: int = 0) -> AppendResult:
        return await self.start(match, *entries, have=have)

    async def data(self, match: str) -> list[bytes]:
        """What a log holds, after a check of its numbers."""
        result = await self.store.log.read(match, 0)
        assert isinstance(result, Appended), result
        assert [entry.no for entry in result.entries] == list(range(1, 1 + len(result.entries)))
        return [entry.data for entry in result.entries]


class Nodes:
    """Opens nodes at `url`; `die` ends one as a kill does, without a word."""

    def __init__(self, url: str, *, jumping: bool = True, **settings: Any) -> None:
        self.url = f"{url}?prefix={new_prefix()}"
        self.clock = JumpingClock()
        self.settings = settings
        self.jumping = jumping
        self.all: list[Node] = []

    async def open(self, boot: str, knows: int = 1) -> Node:
        now_ms = self.clock.mono_ms if self.jumping else None
        mono = self.clock.mono_ms
        store = await open_redis(self.url, mono, randbytes=os.urandom, now_ms=now_ms, **self.settings)
        node = Node(store, boot)
        node.listen()
        await store.log.join(boot, knows)
        self.all.append(node)
        return node

    def all_keys(self) -> set[bytes]:
        """All keys of this store."""
        servers = [self.url] if "cluster" not in self.url else [s.url for s in shared_cluster_nodes()]
        prefix = self.url.partition("prefix=")[2]
        found: set[bytes] = set()
        for url in servers:
            with redis.Redis.from_url(url.partition("?")[0]) as client:
                found |= set(client.scan_iter(f"{prefix}:*", count=10_000))
        return found

    async def die(self, node: Node) -> None:
        self.all.remove(node)
        node.store._sender.boot = ""  # it says nothing when it goes
        await node.store.close()

    async def pass_time(self, ms: int, *nodes: Node) -> None:
        """Let time pass, second by second; those who live beat."""
        for _ in range(0, ms, 1000):
            self.clock.jump(1000)
            for node in nodes:
                await node.store.log.beat()


@asynccontextmanager
async def nodes_at(url: str = "", **settings: Any) -> AsyncIterator[Nodes]:
    made = Nodes(url or shared_server(*AOF).url, **settings)
    try:
        yield made
    finally:
        for node in made.all:
            await node.store.close()


async def until(said: Callable[[], object], seconds: float = 10.0) -> None:
    """Wait until `said()`."""
    end = asyncio.get_running_loop().time() + seconds
    while not said():
        assert asyncio.get_running_loop().time() < end
        await asyncio.sleep(0.005)


__all__ = ["Keeping", "Node", "Nodes", "nodes_at", "until"]
