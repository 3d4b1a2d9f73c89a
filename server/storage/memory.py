"""A store in memory: for tests, and for a server that need remember nothing (``--memory``). It ends with its process.

It keeps the rules of every store, so that what is tested on it holds on the others: answers come on a later tick of the
loop, in order, and all appends of a tick are one batch. Several nodes of one process may share it, each by a door of
its own: so tests see what a store of many nodes does.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from server.storage.admit import Call, is_too_large, refusal
from server.storage.base import (
    DEAD_MS,
    IDLE_MS,
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


class _Shared:
    """What the doors of one store have in common. ``hosts``: the boot ids that host a match; ``beaten``: when each node
    gave its last sign of life, and ``knows``: which rules it knows. ``ends``, ``old``: when a log, an archive goes.
    ``gone``: told of each log that went.
    """

    def __init__(self, monotonic_ms: Callable[[], int], archive_ms: int | None) -> None:
        self.clock = PlayClock(monotonic_ms)
        self.archive_ms = archive_ms
        self.gone: Callable[[str], None] = _nobody
        self.logs: dict[str, list[Stored]] = {}
        self.archives: dict[str, bytes] = {}
        self.old: dict[str, int] = {}
        self.ends: dict[str, int] = {}
        self.live: dict[str, None] = {}
        self.hosts: dict[str, set[str]] = {}
        self.beaten: dict[str, int] = {}
        self.knows: dict[str, int] = {}
        self.doors: list[MemoryLog] = []

    def sweep(self, play: int) -> None:
        """Let logs and archives go whose time is over; a log in use that has not ended stays."""
        for match in [match for match, end in self.ends.items() if end <= play]:
            if match not in self.archives and (self.hosts.get(match) or match in self.live):
                self.ends[match] = play + IDLE_MS
                continue
            del self.ends[match], self.logs[match]
            self.hosts.pop(match, None)
            self.gone(match)
        for match in [match for match, end in self.old.items() if end <= play]:
            del self.old[match], self.archives[match]

    def let_die(self, now: int) -> None:
        """Let nodes be dead that gave no sign of life in time."""
        for boot in [boot for boot, at in self.beaten.items() if now - at >= DEAD_MS]:
            self.bury(boot)

    def bury(self, boot: str) -> None:
        """End a node's life, and all that it hosts."""
        self.beaten.pop(boot, None)
        self.knows.pop(boot, None)
        for hosts in self.hosts.values():
            hosts.discard(boot)

    def hint(self, match: str, sender: "MemoryLog") -> None:
        """Tell the other nodes that host the match."""
        hosts = self.hosts.get(match, ())
        for door in self.doors:
            if door is not sender and door.boot in hosts:
                asyncio.get_running_loop().call_soon(door.hinted, match)


def _nobody(_told: object) -> None:
    """Nobody listens."""


class MemoryLog:
    """The logs of all matches, as lists: the door of one node to them."""

    durability: Durability = "process"

    def __init__(
        self, monotonic_ms: Callable[[], int], beside: "MemoryLog | None" = None, archive_ms: int | None = None
    ) -> None:
        self.boot = ""
        self.hinted: Callable[[str], None] = _nobody
        self.missed: Callable[[Iterable[str]], None] = _nobody
        self._shared: _Shared = _Shared(monotonic_ms, archive_ms) if beside is None else beside._shared  # noqa: SLF001 - one of its kind
        self._shared.doors.append(self)
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
        log = self._shared.logs.get(call.match)
        play = self._shared.clock.advance()
        why = refusal(None if log is None else len(log), call.entries, call.if_head)
        if why is not None or log is None:
            return NotAppended(why or "gone")
        first = len(log) + 1
        log.extend(Stored(no, play, bytes(data)) for no, data in enumerate(call.entries, first))
        self._shared.hint(call.match, self)
        after = max(0, min(call.have, first - 1))
        return Appended(play_ms=play, entries=tuple(log[after:]), own=len(call.entries))

    async def create(self, match: str, first: bytes) -> AppendResult:
        """See ``MatchLog.create``."""
        if is_too_large((first,)):
            return NotAppended("too_large")
        logs = self._shared.logs
        if match in logs or match in self._shared.archives:
            return NotAppended("exists")
        play = self._shared.clock.advance()
        logs[match] = [Stored(1, play, first)]
        self._shared.ends[match] = play + IDLE_MS
        return Appended(play_ms=play, entries=tuple(logs[match]), own=1)

    async def read(self, match: str, after: int) -> AppendResult:
        """See ``MatchLog.read``."""
        log = self._shared.logs.get(match)
        if log is None:
            return NotAppended("gone")
        return Appended(play_ms=self._shared.clock.advance(), entries=tuple(log[max(0, after) :]))

    async def register(self, match: str) -> AppendResult:
        """See ``MatchLog.register``."""
        if match in self._shared.logs:
            self._shared.hosts.setdefault(match, set()).add(self.boot)
        return await self.read(match, 0)

    def unregister(self, match: str) -> None:
        """See ``MatchLog.unregister``."""
        hosts = self._shared.hosts.get(match, set())
        hosts.discard(self.boot)
        if not hosts:
            self._shared.hosts.pop(match, None)

    def keep(self, match: str, ms: int) -> None:
        """See ``MatchLog.keep``."""
        shared = self._shared
        if match in shared.logs and match not in shared.archives:
            shared.ends[match] = shared.clock.advance() + ms

    def when_gone(self, tell: Callable[[str], None]) -> None:
        """Let ``tell`` know of each log that went."""
        self._shared.gone = tell

    def listen(self, hinted: Callable[[str], None], missed: Callable[[Iterable[str]], None]) -> None:
        """See ``MatchLog.listen``; nothing is ever lost here, unless a test says so."""
        self.hinted, self.missed = hinted, missed

    async def join(self, boot: str, knows: int = 1) -> None:
        """See ``MatchLog.join``."""
        shared = self._shared
        shared.bury(self.boot)
        self.boot = boot
        shared.beaten[boot], shared.knows[boot] = shared.clock.advance(), knows

    async def beat(self) -> Beat:
        """See ``MatchLog.beat``; lets logs go whose time is over."""
        shared = self._shared
        play = shared.clock.advance()
        shared.sweep(play)
        alive = self.boot in shared.beaten
        if alive:
            shared.beaten[self.boot] = play
        shared.let_die(play)
        if not alive:
            return Beat(play_ms=play, alive=False, boots=tuple(shared.beaten))
        adopt = tuple(match for match in shared.live if not shared.hosts.get(match))[:MAX_ADOPT]
        for match in adopt:
            shared.hosts.setdefault(match, set()).add(self.boot)
        if len(shared.doors) == 1:
            return Beat(play_ms=play, adopt=adopt)
        return Beat(play_ms=play, adopt=adopt, boots=tuple(shared.beaten), knows=min(shared.knows.values()))

    async def set_live(self, match: str, *, live: bool) -> None:
        """See ``MatchLog.set_live``."""
        shared = self._shared
        if live and match in shared.logs and match not in shared.archives:
            shared.live[match] = None
        else:
            shared.live.pop(match, None)

    async def finish(self, match: str, archive: bytes, keep_ms: int | None = None) -> bool:
        """See ``MatchLog.finish``."""
        shared = self._shared
        play = shared.clock.advance()
        shared.live.pop(match, None)
        if match in shared.archives:
            return False
        shared.archives[match] = archive
        if shared.archive_ms is not None:
            shared.old[match] = play + shared.archive_ms
        if match in shared.logs:
            shared.ends[match] = play + (KEEP_MS if keep_ms is None else keep_ms)
        return True

    async def archived(self, match: str) -> bytes | None:
        """See ``MatchLog.archived``."""
        return self._shared.archives.get(match)

    async def archives(self, cursor: str = "", limit: int = 100) -> tuple[tuple[str, ...], str]:
        """See ``MatchLog.archives``."""
        names = tuple(sorted(name for name in self._shared.archives if name > cursor)[:limit])
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

    def forget(self, match: str) -> None:
        """Let no code lead to ``match`` any more: its log went."""
        for code in [code for code, there in self._codes.items() if there == match]:
            del self._codes[code]


class MemoryStore:
    """The three together. ``loses`` says, for the log of the start, what a crash takes. ``beside``: another node's
    door to the same store. ``archive_ms``: how long archives stay, ms of play time; ``None`` = for ever.
    """

    loses = "everything: this store is in memory only"

    def __init__(
        self, monotonic_ms: Callable[[], int], beside: "MemoryStore | None" = None, *, archive_ms: int | None = None
    ) -> None:
        self.log: MemoryLog = MemoryLog(monotonic_ms, None if beside is None else beside.log, archive_ms)
        self.lobby: MemoryLobby = MemoryLobby(monotonic_ms) if beside is None else beside.lobby
        self.log.when_gone(self.lobby.forget)
        self.records: MemoryRecords = MemoryRecords() if beside is None else beside.records

    async def close(self) -> None:
        """Answer what still waits."""
        await self.log.close()
