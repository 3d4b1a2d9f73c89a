"""The store for many nodes: Redis 7 or newer, or Valkey; one server, a master with sentinels, or a cluster."""

import asyncio
from collections.abc import Callable
from typing import Final

from redis.exceptions import RedisError

from server.storage.base import Durability, StoreError
from server.storage.redis import scripts
from server.storage.redis.check import check
from server.storage.redis.hints import Hints
from server.storage.redis.line import WINDOW_S, Lines, Sender
from server.storage.redis.lobby import RedisLobby
from server.storage.redis.log import LANES, Keeping, RedisLog
from server.storage.redis.records import RedisRecords
from server.storage.redis.url import Place, read_url
from server.storage.redis.ways import Ways, make_ways

#: How keys are laid out. A store of another layout is refused.
_LAYOUT: Final = b"1"
_CLOSE_S: Final = 0.5
_DAY_MS: Final = 24 * 3600 * 1000


class RedisStore:
    """The three together. ``loses`` says, for the log of the start, what a crash takes."""

    def __init__(self, ways: Ways, sender: Sender, durability: Durability, keeping: Keeping, loses: str) -> None:
        tags = tuple(str(lane) for lane in range(LANES))
        one = not sender.sharded
        self._ways = ways
        self._sender = sender
        self._hints = Hints(ways, sender, tags)
        logs = Lines(scripts.LOGS, ways, sender, one=one, back=self._hints.back)
        lobby = Lines(scripts.LOBBY, ways, sender, one=one)
        records = Lines(scripts.RECORDS, ways, sender, one=one)
        self._lines = (logs, lobby, records)
        self.lobby = RedisLobby(lobby, keeping.idle_ms)
        self.log = RedisLog(logs, sender, self._hints, durability, keeping, self.lobby.beat)
        self.records = RedisRecords(records)
        self.loses = loses

    async def close(self) -> None:
        """End this node's life in the store, send what was taken, let the connections go."""
        await self._hints.stop()
        if self._sender.boot:
            self.lobby.leave()
            await self.log.leave(_CLOSE_S)
        await asyncio.gather(*(lines.close(_CLOSE_S) for lines in self._lines))
        await self._ways.close()


async def open_redis(  # noqa: PLR0913 - settings, by name
    url: str,
    mono_ms: Callable[[], int],
    *,
    randbytes: Callable[[int], bytes],
    durability: Durability = "disk",
    now_ms: Callable[[], int] | None = None,
    keeping: Keeping | None = None,
    archive_ms: int | None = None,
    window_s: float = WINDOW_S,
) -> RedisStore:
    """Open the store at ``url`` (see ``url.read_url``).

    ``mono_ms``: the node's clock. ``now_ms``: the clock that play time is counted by; ``None``: that of the server,
    which all nodes share. ``durability``: ``disk``: Redis flushes each write to its disk; ``replica``: an answer waits
    for one replica; ``process``: what the server does by itself. ``keeping``: in place of what the URL says;
    ``archive_ms``: of that, how long archives stay. ``window_s``: least time between two batches.

    Raises:
        StoreError: the URL cannot be read, the server cannot be reached, or it may not be used; the text says why.
    """
    place = read_url(url)
    ways = make_ways(place)
    try:
        await ways.open()
        loses = await check(ways, place.shown, durability)
        ways.replicate(1 if durability == "replica" else 0)
    except (RedisError, OSError) as error:
        await ways.close()
        raise StoreError(f"the store {place.shown} cannot be reached: {error}") from error
    except StoreError:
        await ways.close()
        raise
    sender = Sender(
        prefix=place.prefix,
        name=randbytes(8).hex(),
        mono_ms=mono_ms,
        now_ms=now_ms,
        sharded=place.layout == "cluster",
        window_s=window_s,
    )
    store = RedisStore(ways, sender, durability, keeping or _keeping_of(place, archive_ms), loses)
    layout = await store.records.secret("layout", _LAYOUT)
    if layout != _LAYOUT:
        await store.close()
        raise StoreError(
            f"the store {place.shown} has its keys laid out in version {layout.decode(errors='replace')}, this program "
            f"knows version {_LAYOUT.decode()}: give another prefix by ?prefix="
        )
    return store


def _keeping_of(place: Place, archive_ms: int | None) -> Keeping:
    if archive_ms is None and place.archive_days is not None:
        archive_ms = place.archive_days * _DAY_MS
    return Keeping(idle_ms=place.idle_days * _DAY_MS, archive_ms=archive_ms)
