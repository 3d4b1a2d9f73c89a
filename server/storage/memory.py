"""A store in memory: for tests, and for a server that need remember nothing (``--memory``). It ends with its process.

It keeps the rules of every store, so that what is tested on it holds on the others: answers come on a later tick of the
loop, in order, and all appends of a tick are one batch.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final

from server.storage.admit import Call, is_too_large, refusal
from server.storage.base import (
    KEEP_MS,
    MAX_ADOPT,
    Appended,
    AppendResult,
    Beat,
    Durability,
    NotAppended,
    Stored,
)
from server.storage.memory_records import MemoryRecords
from server.storage.play_clock import PlayClock
from server.storage.seeks import Seeks

_log: Final = logging.getLogger(__name__)


class MemoryLog:
    """The logs of all matches, as lists."""

    durability: Durability = "process"

    def __init__(self, monotonic_ms: Callable[[], int]) -> None:
        self._clock = PlayClock(monotonic_ms)
        self._logs: dict[str, list[Stored]] = {}
        self._archives: dict[str, bytes] = {}
        self._ends: dict[str, int] = {}
        self._live: dict[str, None] = {}
        self._hosted: set[str] = set()
        self._pending: list[Call] = []

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
        if not self._pending:
            asyncio.get_running_loop().call_soon(self._flush)
        self._pending.append(Call(match, have, entries, done, if_head, 0))

    def _flush(self) -> None:
        calls, self._pending = self._pending, []
        for call in calls:
            result = self._take(call)
            try:
                call.done(result)
            except Exception:  # noqa: BLE001 - the other matches of the tick get their answers
                _log.exception("a room failed on the answer to an append; match %s", call.match)

    def _take(self, call: Call) -> AppendResult:
        log = self._logs.get(call.match)
        play = self._clock.advance()
        why = refusal(None if log is None else len(log), call.entries, call.if_head)
        if why is not None or log is None:
            return NotAppended(why or "gone")
        first = len(log) + 1
        log.extend(Stored(no, play, bytes(data)) for no, data in enumerate(call.entries, first))
        after = max(0, min(call.have, first - 1))
        return Appended(play_ms=play, entries=tuple(log[after:]), own=len(call.entries))

    async def create(self, match: str, first: bytes) -> AppendResult:
        """See ``MatchLog.create``."""
        if is_too_large((first,)):
            return NotAppended("too_large")
        if match in self._logs or match in self._archives:
            return NotAppended("exists")
        play = self._clock.advance()
        self._logs[match] = [Stored(1, play, first)]
        return Appended(play_ms=play, entries=tuple(self._logs[match]), own=1)

    async def read(self, match: str, after: int) -> AppendResult:
        """See ``MatchLog.read``."""
        log = self._logs.get(match)
        if log is None:
            return NotAppended("gone")
        return Appended(play_ms=self._clock.advance(), entries=tuple(log[max(0, after) :]))

    async def register(self, match: str) -> AppendResult:
        """See ``MatchLog.register``."""
        if match in self._logs:
            self._hosted.add(match)
        return await self.read(match, 0)

    def unregister(self, match: str) -> None:
        """See ``MatchLog.unregister``."""
        self._hosted.discard(match)

    async def join(self, boot: str) -> None:
        """See ``MatchLog.join``; there is no other node."""

    async def beat(self) -> Beat:
        """See ``MatchLog.beat``; lets logs go whose keeping time is over."""
        play = self._clock.advance()
        for match in [match for match, end in self._ends.items() if end <= play]:
            del self._ends[match], self._logs[match]
            self._hosted.discard(match)
        adopt = tuple(match for match in self._live if match not in self._hosted)[:MAX_ADOPT]
        self._hosted.update(adopt)
        return Beat(play_ms=play, adopt=adopt)

    async def set_live(self, match: str, *, live: bool) -> None:
        """See ``MatchLog.set_live``."""
        if live and match in self._logs and match not in self._archives:
            self._live[match] = None
        else:
            self._live.pop(match, None)

    async def finish(self, match: str, archive: bytes) -> bool:
        """See ``MatchLog.finish``."""
        play = self._clock.advance()
        self._live.pop(match, None)
        if match in self._archives:
            return False
        self._archives[match] = archive
        if match in self._logs:
            self._ends[match] = play + KEEP_MS
        return True

    async def archived(self, match: str) -> bytes | None:
        """See ``MatchLog.archived``."""
        return self._archives.get(match)

    async def archives(self, cursor: str = "", limit: int = 100) -> tuple[tuple[str, ...], str]:
        """See ``MatchLog.archives``."""
        names = tuple(sorted(name for name in self._archives if name > cursor)[:limit])
        return names, names[-1] if len(names) == limit else ""

    async def close(self) -> None:
        """Answer what still waits."""
        self._flush()


class MemoryLobby(Seeks):
    """Room codes, as a dictionary; seeks."""

    def __init__(self, monotonic_ms: Callable[[], int]) -> None:
        super().__init__(monotonic_ms)
        self._codes: dict[str, str] = {}

    async def claim_code(self, code: str, match: str) -> bool:
        """See ``Lobby.claim_code``."""
        return self._codes.setdefault(code, match) == match

    async def find_code(self, code: str) -> str | None:
        """See ``Lobby.find_code``."""
        return self._codes.get(code)

    async def release_code(self, code: str) -> None:
        """See ``Lobby.release_code``."""
        self._codes.pop(code, None)


class MemoryStore:
    """The three together. ``loses`` says, for the log of the start, what a crash takes."""

    loses = "everything: this store is in memory only"

    def __init__(self, monotonic_ms: Callable[[], int]) -> None:
        self.log = MemoryLog(monotonic_ms)
        self.lobby = MemoryLobby(monotonic_ms)
        self.records = MemoryRecords()

    async def close(self) -> None:
        """Answer what still waits."""
        await self.log.close()
