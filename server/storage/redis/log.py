"""``MatchLog`` on Redis: each call is an operation of ``lua/logs.lua`` in the next batch of its lane."""

import asyncio
import binascii
import logging
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Final

from msgspec import Struct

from server.storage.admit import is_too_large
from server.storage.base import (
    IDLE_MS,
    KEEP_MS,
    MAX_ADOPT,
    MAX_WAIT_MS,
    Appended,
    AppendResult,
    Beat,
    Durability,
    NotAppended,
    StoreAway,
    Stored,
    StoreError,
)
from server.storage.redis.hints import Hints
from server.storage.redis.line import Lines, Op, Sender

_log: Final = logging.getLogger(__name__)
LANES: Final = 64
_TAGS: Final = tuple(str(lane) for lane in range(LANES))
#: A read takes so many entries at a time, so that it holds up neither the server nor the loop.
SLICE: Final = 1000
_STAMP: Final = 6
_WHY: Final[dict[bytes, NotAppended]] = {
    b"gone": NotAppended("gone"),
    b"exists": NotAppended("exists"),
    b"stale": NotAppended("stale"),
    b"full": NotAppended("full"),
    b"too_large": NotAppended("too_large"),
    b"dead": NotAppended("unavailable"),  # this node's life ended, as the next beat tells
}
_UNAVAILABLE: Final = NotAppended("unavailable")


class Keeping(Struct, frozen=True):
    """How long logs stay, ms of play time. ``keep_ms``: of an ended match. ``idle_ms``: of one that has not ended, if
    no node hosts it, it is not live, and ``keep`` said nothing else; a room code stays as
    long. ``archive_ms``: archives; ``None`` = for ever.
    """

    keep_ms: int = KEEP_MS
    idle_ms: int = IDLE_MS
    archive_ms: int | None = None


@lru_cache(1 << 16)
def lane_of(name: str) -> str:
    """Return the tag of the lane that ``name`` lies in."""
    return _TAGS[binascii.crc32(name.encode()) % LANES]


class RedisLog:
    """See ``MatchLog``. ``lives`` is called with each sign of life of this node: the lobby wants one too."""

    def __init__(
        self,
        lines: Lines,
        sender: Sender,
        hints: Hints,
        durability: Durability,
        keeping: Keeping,
        lives: Callable[[], None],
    ) -> None:
        self.durability: Durability = durability
        self._lives = lives
        self._lines = lines
        self._sender = sender
        self._hints = hints
        self._keeping = keeping

    def listen(self, hinted: Callable[[str], None], missed: Callable[[Iterable[str]], None]) -> None:
        """See ``MatchLog.listen``."""
        self._hints.listen(hinted, missed)

    def append(
        self,
        match: str,
        have: int,
        entries: Sequence[bytes],
        done: Callable[[AppendResult], None],
        *,
        if_head: int | None = None,
    ) -> None:
        """See ``MatchLog.append``."""
        tag = lane_of(match)
        sent = False if is_too_large(entries) else tuple(entries)
        args = ("append", tag, match, have, -1 if if_head is None else if_head, sent)
        self._lines.of(tag).put(_Append(args, done, entries))

    async def create(self, match: str, first: bytes) -> AppendResult:
        """See ``MatchLog.create``."""
        if is_too_large((first,)):
            return NotAppended("too_large")
        tag = lane_of(match)
        try:
            result = await self._lines.ask("create", tag, match, first, self._keeping.idle_ms)
        except StoreAway:
            return _UNAVAILABLE
        return _appended(match, 1, (first,), result)

    async def read(self, match: str, after: int) -> AppendResult:
        """See ``MatchLog.read``; slice by slice."""
        return await self._read(match, max(0, after), ("read", lane_of(match), match, max(0, after), SLICE))

    async def register(self, match: str) -> AppendResult:
        """See ``MatchLog.register``."""
        tag = lane_of(match)
        self._hints.hosted(tag, match)
        result = await self._read(match, 0, ("register", tag, match, 0, SLICE, self._keeping.idle_ms))
        if isinstance(result, NotAppended):
            self.unregister(match)
        return result

    async def _read(self, match: str, after: int, first: tuple[Any, ...]) -> AppendResult:
        found: list[Stored] = []
        ask = first
        while True:
            try:
                result = await self._lines.ask(*ask)
            except StoreAway:
                return _UNAVAILABLE
            if isinstance(result, bytes):
                return _WHY[result]
            play, head, packed = result
            found += _stored(packed, after + 1)
            after += len(packed)
            if after >= head or not packed:
                return Appended(play_ms=play, entries=tuple(found))
            ask = ("read", first[1], match, after, SLICE)

    def unregister(self, match: str) -> None:
        """See ``MatchLog.unregister``."""
        tag = lane_of(match)
        self._hints.unhosted(tag, match)
        self._lines.ask("unregister", tag, match)

    def keep(self, match: str, ms: int) -> None:
        """See ``MatchLog.keep``."""
        self._lines.ask("keep", lane_of(match), match, ms)

    async def join(self, boot: str, knows: int = 1) -> None:
        """See ``MatchLog.join``."""
        self._sender.boot = boot
        await self._hints.start(boot)
        self._lives()
        await self._all("join", knows)

    async def _all(self, name: str, *args: object) -> list[Any]:
        """Ask every lane.

        Raises:
            StoreAway: one did not answer in time.
        """
        asked = [self._lines.ask(name, tag, *args) for tag in _TAGS]
        _, late = await asyncio.wait(asked, timeout=MAX_WAIT_MS / 1000)
        if late:
            raise StoreAway("the store did not answer for 2 s")
        return [one.result() for one in asked]

    async def beat(self) -> Beat:
        """See ``MatchLog.beat``.

        Raises:
            StoreAway: some lane did not answer in time.
        """
        self._lives()
        seen = self._hints.numbers()
        lanes = await self._all("beat", self._keeping.idle_ms)
        alive = all(lane[1] for lane in lanes)
        if self._sender.boot and alive:
            self._hints.compare(seen, {tag: lane[4] for tag, lane in zip(_TAGS, lanes, strict=True)})
        boots = tuple(sorted({boot.decode() for lane in lanes for boot in lane[2]}))
        known = [lane[3] for lane in lanes if lane[3] is not False]
        adopt: list[str] = []
        for tag, lane in zip(_TAGS, lanes, strict=True):
            if alive and lane[5] and len(adopt) < MAX_ADOPT:
                adopt += await self._adopt(tag, MAX_ADOPT - len(adopt))
        play = max(lane[0] for lane in lanes)
        return Beat(play, alive=alive, adopt=tuple(adopt), boots=boots, knows=min(known) if known else None)

    async def _adopt(self, tag: str, most: int) -> list[str]:
        matches = [match.decode() for match in await self._lines.ask("adopt", tag, most)]
        for match in matches:
            self._hints.hosted(tag, match)
        return matches

    async def set_live(self, match: str, *, live: bool) -> None:
        """See ``MatchLog.set_live``."""
        await self._lines.ask("set_live", lane_of(match), match, live)

    async def finish(self, match: str, archive: bytes, keep_ms: int | None = None) -> bool:
        """See ``MatchLog.finish``."""
        keeping = self._keeping
        keep_ms = keeping.keep_ms if keep_ms is None else keep_ms
        args = (match, archive, keep_ms, keeping.archive_ms or False)
        return bool(await self._lines.ask("finish", lane_of(match), *args))

    async def archived(self, match: str) -> bytes | None:
        """See ``MatchLog.archived``."""
        found = await self._lines.ask("archived", lane_of(match), match)
        return None if found is False else bytes(found)

    async def archives(self, cursor: str = "", limit: int = 100) -> tuple[tuple[str, ...], str]:
        """See ``MatchLog.archives``: lane by lane; the cursor is ``<lane>:<the server's own>``."""
        lane, _, inner = cursor.partition(":")
        at, inner = int(lane or 0), inner or "0"
        names: list[str] = []
        while at < LANES and len(names) < limit:
            inner_found, found = await self._lines.ask("archives", _TAGS[at], inner, limit)
            names += [name.decode() for name in found]
            inner = inner_found.decode()
            if inner == "0":
                at += 1
        return tuple(names), f"{at}:{inner}" if at < LANES else ""

    async def leave(self, timeout_s: float) -> None:
        """End this node's life: its matches are free for others at once."""
        if self._sender.boot:
            asked = [self._lines.ask("leave", tag) for tag in _TAGS]
            await asyncio.wait(asked, timeout=timeout_s)

    async def close(self) -> None:
        """See ``MatchLog.close``; the store closes its lines."""


class _Append(Op):
    """An append on its way."""

    __slots__ = ("entries",)

    def __init__(self, args: tuple[Any, ...], done: Callable[[AppendResult], None], entries: Sequence[bytes]) -> None:
        self.args = args
        self.done = done
        self.weight = len(entries) or 1
        self.entries = entries

    def finish(self, result: Any) -> None:
        """See ``Op.finish``."""
        if type(result) is list and len(result) == 2 and self.weight == 1 and self.entries:
            play, before = result
            self.done(Appended(play, (Stored(before + 1, play, self.entries[0]),), 1))
        else:
            self.done(_appended(self.args[2], self.args[3], self.entries, result))


def _stored(packed: Sequence[bytes], first: int) -> list[Stored]:
    read = int.from_bytes
    return [Stored(no, read(entry[:_STAMP], "big"), entry[_STAMP:]) for no, entry in enumerate(packed, first)]


def _appended(match: str, have: int, entries: Sequence[bytes], result: Any) -> AppendResult:
    """Return the answer to an append. ``result``: [play time, number before the caller's own, older ones that he lacks]
    or why not.
    """
    if isinstance(result, list):
        play, before = result[0], result[1]
        own = [Stored(no, play, data) for no, data in enumerate(entries, before + 1)]
        if len(result) > 2:
            older = _stored(result[2], max(0, have) + 1)
            return Appended(play, (*older, *own), len(own))
        return Appended(play, tuple(own), len(own))
    if isinstance(result, bytes):
        return _WHY[result]
    if isinstance(result, StoreError) and not isinstance(result, StoreAway):
        _log.error("an append was refused; match %s: %s", match, result)
    return _UNAVAILABLE
