"""Hints of other nodes that a match which this node hosts has more entries: by channels, numbered per lane.

A hint may be lost. Then the numbers have a gap, or differ from what a beat tells, or the channel was away: each means
that all hosted matches of the lane are to be read.
"""

import asyncio
import logging
import math
from collections.abc import Callable, Iterable
from typing import Any, Final

import msgpack
from redis.exceptions import RedisError

from server.storage.redis.line import Sender
from server.storage.redis.ways import Ways
from server.storage.redis.wire import TIMEOUT_S, PlainConnection, TlsConnection, dial, pack

_log: Final = logging.getLogger(__name__)
_AGAIN_S: Final = 0.1
#: A hint that was sent before a beat is here so soon after the beat's answer, or it is lost.
GRACE_S: Final = 0.2
#: Without a message for so long the channel is asked for a sign of life.
_QUIET_S: Final = 3.0


class Hints:
    """See the module. Bounded by what is hosted: what changed is told at once, and keeps no queue."""

    def __init__(self, ways: Ways, sender: Sender, tags: tuple[str, ...]) -> None:
        self._ways = ways
        self._sender = sender
        self._tags = tags
        self._hosted: dict[str, set[str]] = {tag: set() for tag in tags}
        self._numbers: dict[str, int] = dict.fromkeys(tags, 0)
        self._hinted: Callable[[str], None] | None = None
        self._missed: Callable[[Iterable[str]], None] | None = None
        self._tasks: list[asyncio.Task[None]] = []

    def listen(self, hinted: Callable[[str], None], missed: Callable[[Iterable[str]], None]) -> None:
        """See ``MatchLog.listen``."""
        self._hinted, self._missed = hinted, missed

    def hosted(self, tag: str, match: str) -> None:
        """This node hosts ``match`` from now on."""
        self._hosted[tag].add(match)

    def unhosted(self, tag: str, match: str) -> None:
        """It does no more."""
        self._hosted[tag].discard(match)

    async def start(self, boot: str) -> None:
        """Subscribe for the life ``boot``; returns once all subscriptions stand, or after a second without."""
        await self.stop()
        for tag in self._tags:
            self._hosted[tag].clear()
            self._numbers[tag] = 0
        groups = [("", self._tags)] if not self._sender.sharded else [(tag, (tag,)) for tag in self._tags]
        ready = [asyncio.get_running_loop().create_future() for _ in groups]
        for (tag, tags), stands in zip(groups, ready, strict=True):
            work = self._follow(boot, tag, tags, stands)
            self._tasks.append(asyncio.get_running_loop().create_task(work))
        await asyncio.wait(ready, timeout=TIMEOUT_S)

    async def stop(self) -> None:
        """Listen no more."""
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _follow(self, boot: str, tag: str, tags: tuple[str, ...], stands: "asyncio.Future[None]") -> None:
        """Keep a subscription, and make it anew each time it ends."""
        prefix = self._sender.prefix
        if self._sender.sharded:
            command = pack(b"SSUBSCRIBE", f"{prefix}:{{{tag}}}:hints:{boot}".encode())
        else:
            command = pack(b"SUBSCRIBE", f"{prefix}:hints:{boot}".encode())
        while True:
            try:
                async with asyncio.timeout(2 * TIMEOUT_S):
                    connection = await self._ways.connection(tag)
                    await dial(connection)
                    connection.write(command)
                    await connection.read_response(timeout=math.inf, disable_decoding=True)
                try:
                    if stands.done():
                        self.miss(tags)
                    else:
                        stands.set_result(None)
                    await self._read(connection)
                finally:
                    await connection.disconnect(nowait=True)
            except (RedisError, OSError) as error:
                _log.warning("hints are away: %s", error)
                self._ways.doubt(tag, error if isinstance(error, RedisError) else RedisError(str(error)))
            await asyncio.sleep(_AGAIN_S)

    async def _read(self, connection: PlainConnection | TlsConnection) -> None:
        quiet = 0
        while True:
            message = await connection.read_response(timeout=_QUIET_S, disable_decoding=True)
            if message is None:
                quiet += 1
                if quiet > 1:
                    raise RedisError("no sign of life")
                connection.write(pack(b"PING"))
                continue
            quiet = 0
            if isinstance(message, list) and message[0] in {b"message", b"smessage"}:
                self.take(message[2])

    def take(self, packed: bytes) -> None:
        """Take a message: [[lane, number, [match, ...]], ...]."""
        parts: list[Any] = msgpack.unpackb(packed, raw=True)
        for tag_bytes, number, matches in parts:
            tag = tag_bytes.decode()
            before = self._numbers.get(tag)
            if before is None or number <= before:
                continue  # of an earlier life, or told already
            self._numbers[tag] = number
            if number != before + 1:
                self.miss((tag,))
                continue
            hosted = self._hosted[tag]
            for name in dict.fromkeys(matches):
                match = name.decode()
                if self._hinted is not None and match in hosted:
                    self._hinted(match)

    def numbers(self) -> dict[str, int]:
        """Return the number of the last hint of each lane."""
        return dict(self._numbers)

    def compare(self, seen: dict[str, int], sent: dict[str, int]) -> None:
        """Look soon whether all hints came that had been sent (``sent``, of each lane) when a beat was answered;
        ``seen``: those that had come when it was asked.
        """
        lost = [tag for tag, number in sent.items() if number < seen[tag]]
        for tag in lost:  # the server lost its newest entries
            self._numbers[tag] = sent[tag]
        if lost:
            self.miss(lost)
        if any(self._numbers[tag] < number for tag, number in sent.items()):
            asyncio.get_running_loop().call_later(GRACE_S, self._compare, sent, self._sender.boot)

    def _compare(self, sent: dict[str, int], boot: str) -> None:
        if boot != self._sender.boot:
            return
        lost = [tag for tag, number in sent.items() if self._numbers[tag] < number]
        for tag in lost:
            self._numbers[tag] = sent[tag]
        if lost:
            self.miss(lost)

    def miss(self, tags: Iterable[str]) -> None:
        """Tell that all hosted matches of ``tags`` are to be read."""
        matches = [match for tag in tags for match in self._hosted[tag]]
        if matches and self._missed is not None:
            self._missed(matches)

    def back(self, tag: str) -> None:
        """The line of ``tag`` (``""``: of all) was away, and is back."""
        self.miss(self._tags if not tag else (tag,))
