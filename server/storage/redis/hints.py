"""Hints of other nodes that a match which this node hosts has more entries: by channels, numbered per lane.

A hint may be lost. Then the numbers have a gap, or differ from what a beat tells, or the channel was away: each means
that all hosted matches of the lane are to be read.
"""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Final

import msgpack

from server.storage.redis.channels import Channels
from server.storage.redis.line import Sender
from server.storage.redis.ways import Ways

#: A hint that was sent before a beat is here so soon after the beat's answer, or it is lost.
GRACE_S: Final = 0.2


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
        self._channels = Channels(ways, sender, self.take, self.miss)

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
        await self._channels.start(boot, self._tags)

    async def stop(self) -> None:
        """Listen no more."""
        await self._channels.stop()

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
        forgot = [tag for tag, number in sent.items() if number < seen[tag]]  # the server lost its newest entries
        self._skip(forgot, sent)
        if any(self._numbers[tag] < number for tag, number in sent.items()):
            asyncio.get_running_loop().call_later(GRACE_S, self._compare, sent, self._sender.boot)

    def _compare(self, sent: dict[str, int], boot: str) -> None:
        if boot != self._sender.boot:
            return
        self._skip([tag for tag, number in sent.items() if self._numbers[tag] < number], sent)

    def _skip(self, tags: list[str], sent: dict[str, int]) -> None:
        """Go on from the numbers ``sent`` in ``tags``: what came between is to be read."""
        for tag in tags:
            self._numbers[tag] = sent[tag]
        self.miss(tags)

    def miss(self, tags: Iterable[str]) -> None:
        """Tell that all hosted matches of ``tags`` are to be read."""
        matches = [match for tag in tags for match in self._hosted[tag]]
        if matches and self._missed is not None:
            self._missed(matches)

    def back(self, tag: str) -> None:
        """The line of ``tag`` (``""``: of all) was away, and is back."""
        self.miss(self._tags if not tag else (tag,))
