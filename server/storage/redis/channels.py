"""The subscriptions to the channels of hints: made once at the start of a node's life, and again whenever they end."""

import asyncio
import logging
import math
from collections.abc import Callable
from typing import Any, Final

from redis.exceptions import RedisError

from server.storage.redis.line import Sender
from server.storage.redis.ways import Ways
from server.storage.redis.wire import TIMEOUT_S, PlainConnection, TlsConnection, dial, pack

_log: Final = logging.getLogger(__name__)
_AGAIN_S: Final = 0.1
_LONGEST_WAIT_S: Final = 1.0
#: Without a message for so long the server is asked for a sign of life; after twice as long it counts as away.
_QUIET_S: Final = 3.0


class Channels:
    """One connection to each server that sends hints. ``take`` is called with each message, ``began`` with the tags
    whose hints come from now on.
    """

    def __init__(
        self, ways: Ways, sender: Sender, take: Callable[[bytes], None], began: Callable[[tuple[str, ...]], None]
    ) -> None:
        self._ways = ways
        self._sender = sender
        self._take = take
        self._began = began
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, boot: str, tags: tuple[str, ...]) -> None:
        """Subscribe for the life ``boot``; returns once all subscriptions stand, or after a second without."""
        await self.stop()
        waiting = set(tags)
        stand: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def stands(some: tuple[str, ...]) -> None:
            waiting.difference_update(some)
            if not waiting and not stand.done():
                stand.set_result(None)

        self._spawn(boot, tags, stands)
        await asyncio.wait([stand], timeout=TIMEOUT_S)

    async def stop(self) -> None:
        """Listen no more."""
        while self._tasks:
            tasks = list(self._tasks)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._tasks.difference_update(tasks)

    def _spawn(self, boot: str, tags: tuple[str, ...], stands: Callable[[tuple[str, ...]], None]) -> None:
        task = asyncio.get_running_loop().create_task(self._follow(boot, tags, stands))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _follow(self, boot: str, tags: tuple[str, ...], stands: Callable[[tuple[str, ...]], None]) -> None:
        """Keep the subscriptions of ``tags``; those that are on several servers now are followed apart."""
        fails = 0
        while True:
            one, *others = self._by_server(tags)
            for other in others:
                self._spawn(boot, other, stands)
            tags = one
            try:
                await self._listen(boot, tags, stands)
            except (RedisError, OSError) as error:
                if fails == 0:
                    _log.warning("hints are away: %s", error)
                fails += 1
                self._ways.doubt(tags[0], error if isinstance(error, RedisError) else RedisError(str(error)))
            await asyncio.sleep(min(_AGAIN_S * max(1, fails), _LONGEST_WAIT_S))

    def _by_server(self, tags: tuple[str, ...]) -> list[tuple[str, ...]]:
        servers: dict[object, list[str]] = {}
        for tag in tags:
            servers.setdefault(self._ways.wire(tag), []).append(tag)
        return [tuple(group) for group in servers.values()]

    async def _listen(self, boot: str, tags: tuple[str, ...], stands: Callable[[tuple[str, ...]], None]) -> None:
        """Subscribe and take what comes, until the server is away or has not all of the tags any more."""
        commands = self._commands(boot, tags)
        connection = await self._ways.connection(tags[0])
        try:
            async with asyncio.timeout(2 * TIMEOUT_S):
                await dial(connection)
                connection.write(b"".join(commands))
                for _ in commands:
                    await connection.read_response(timeout=math.inf, disable_decoding=True)
            stands(tags)
            self._began(tags)
            await self._read(connection)
        finally:
            await connection.disconnect(nowait=True)

    def _commands(self, boot: str, tags: tuple[str, ...]) -> list[bytes]:
        prefix = self._sender.prefix
        if not self._sender.sharded:
            return [pack(b"SUBSCRIBE", f"{prefix}:hints:{boot}".encode())]
        return [pack(b"SSUBSCRIBE", f"{prefix}:{{{tag}}}:hints:{boot}".encode()) for tag in tags]

    async def _read(self, connection: PlainConnection | TlsConnection) -> None:
        quiet = 0
        while True:
            message: Any = await connection.read_response(timeout=_QUIET_S, disable_decoding=True)
            if message is None:
                quiet += 1
                if quiet > 1:
                    raise RedisError("no sign of life")
                connection.write(pack(b"PING"))
                continue
            quiet = 0
            if message[0] in {b"message", b"smessage"}:
                self._take(message[2])
            elif message[0] == b"sunsubscribe":
                raise RedisError("a lane went to another node of the cluster")
