"""The logs of all matches in the file: numbers are given on the loop, a group of appends is one row of the journal.

The newest entries of each match in use lie in memory as well: all that are not yet folded into chunks, and a few more.
"""

import logging
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final, NamedTuple

from server.storage.admit import Call, is_too_large, refusal
from server.storage.base import (
    IDLE_MS,
    KEEP_MS,
    MAX_ADOPT,
    MAX_BATCH,
    Appended,
    AppendResult,
    Beat,
    Durability,
    NotAppended,
    StoreAway,
    Stored,
    StoreError,
)
from server.storage.play_clock import PlayClock
from server.storage.sqlite import rows
from server.storage.sqlite.committer import Committer
from server.storage.sqlite.tail import Tail, give
from server.storage.sqlite.writer import Batch, Op

_log: Final = logging.getLogger(__name__)
FOLD_ENTRIES: Final = 4096
KEEP_ENTRIES: Final = 64
_UNAVAILABLE: Final = NotAppended("unavailable")


class Start(NamedTuple):
    """``next_journal``, ``live``: what the file says at the start. The others: see ``open_sqlite``."""

    next_journal: int
    live: Sequence[str]
    fold_entries: int
    keep_entries: int
    archive_ms: int | None = None


class _Taken(NamedTuple):
    """A call on its way: why it was refused, else its entries; ``history``: older ones that its caller lacks and that
    are not in memory.
    """

    call: Call
    tail: Tail
    refused: NotAppended | None
    stored: list[Stored]
    history: list[Stored] | None


class SqliteLog:
    """``MatchLog`` on the embedded store."""

    def __init__(self, committer: Committer, clock: PlayClock, durability: Durability, start: Start) -> None:
        self.durability: Durability = durability
        self._committer = committer
        self._clock = clock
        self._journal = start.next_journal
        self._live: dict[str, None] = dict.fromkeys(start.live)
        self._fold_entries = start.fold_entries
        self._keep_entries = start.keep_entries
        self._archive_ms = start.archive_ms
        self._hosted: set[str] = set()
        self._tails: dict[str, Tail] = {}
        self._pending: list[Call] = []
        self._loading: dict[str, list[Call]] = {}
        self._dirty: dict[str, Tail] = {}
        self._folded: list[Tail] = []
        self._unfolded = 0
        committer.serve(self)

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
        committer = self._committer
        call = Call(match, have, entries, done, if_head, committer.monotonic_ms())
        if committer.closed:
            give(call, _UNAVAILABLE)
            return
        self._pending.append(call)
        committer.wake()

    def waits(self) -> bool:
        """See ``Appends.waits``."""
        return bool(self._pending or self._loading)

    def fill(self, batch: Batch) -> None:
        """See ``Appends.fill``: give numbers to what waits, at most ``MAX_BATCH`` entries, and journal it."""
        play = self._clock.advance()
        self._tidy(play)
        groups: list[tuple[int, int, Sequence[bytes]]] = []
        taken: list[_Taken] = []
        count = size = 0
        for call in self._pending:
            size += len(call.entries)
            if size > MAX_BATCH and count:
                break
            count += 1
            tail = self._tails.get(call.match)
            if tail is None:
                self._load(call)
                continue
            one = self._take(call, tail, play)
            if one.stored:
                groups.append((tail.row, one.stored[0].no, call.entries))
            taken.append(one)
        del self._pending[:count]
        if groups:
            batch.journal = (self._journal, rows.pack_commit(play, groups))
            self._journal += 1
        if taken:
            batch.answer = partial(self._answer, taken)

    def _take(self, call: Call, tail: Tail, play: int) -> _Taken:
        """Give numbers to the entries of ``call``, or say why not."""
        why = refusal(None if tail.gone else tail.head, call.entries, call.if_head)
        if why is not None:
            return _Taken(call, tail, NotAppended(why), [], None)
        stored = [Stored(no, play, data) for no, data in enumerate(call.entries, tail.head + 1)]
        tail.head += len(stored)
        history: list[Stored] | None = None
        if call.have + 1 < tail.first:
            history = []
            read = partial(_read_between, row=tail.row, after=max(0, call.have), before=tail.first)
            self._committer.request(Op(read, partial(_keep_history, history)))
        return _Taken(call, tail, None, stored, history)

    def _answer(self, taken: list[_Taken]) -> None:
        """The batch is in: let its calls know, in their order."""
        play = self._clock.advance()
        for call, tail, refused, stored, history in taken:
            if refused is not None:
                give(call, refused)
                continue
            if stored:
                tail.entries += stored
                self._unfolded += len(stored)
                self._dirty[tail.name] = tail
            if stored and call.have >= stored[0].no - 1:
                entries = tuple(stored)
            else:
                entries = tail.after(call.have)
                if history is not None:
                    entries = (*history, *entries)
            give(call, Appended(play, entries, len(stored)))

    def _load(self, call: Call) -> None:
        """Let ``call`` wait until its match is known."""
        waiting = self._loading.get(call.match)
        if waiting is not None:
            waiting.append(call)
            return
        self._loading[call.match] = [call]
        self._committer.request(Op(partial(rows.find_head, name=call.match), partial(self._loaded, call.match)))

    def _loaded(self, match: str, found: object, error: Exception | None) -> None:
        calls = self._loading.pop(match)
        if isinstance(found, rows.Head):
            self._tails.setdefault(match, Tail(match, found.row, found.head))
            self._pending[:0] = calls  # before those that came later
            return
        if error is not None:
            _log.warning("match %s cannot be read: %s", match, error)
        for call in calls:
            give(call, _UNAVAILABLE if error is not None else NotAppended("gone"))

    def drop(self, before: int) -> None:
        """See ``Appends.drop``."""
        waiting = [*self._loading.values(), self._pending]
        late = [call for calls in waiting for call in calls if call.since < before]
        for calls in waiting:
            calls[:] = [call for call in calls if call.since >= before]
        for call in late:
            give(call, _UNAVAILABLE)

    def _tidy(self, play: int) -> None:
        """Drop from memory what the last fold put into chunks; fold again when there is enough. No batch is out."""
        for tail in self._folded:
            tail.trim(self._keep_entries)
            if tail.head == tail.folded and tail.name not in self._hosted:
                self._tails.pop(tail.name, None)
        self._folded = []
        if self._unfolded >= self._fold_entries:
            tails = [tail for tail in self._dirty.values() if not tail.gone]
            chunks = [chunk for tail in tails for chunk in rows.pack_chunks(tail.row, tail.unfolded())]
            heads = [(tail, tail.head) for tail in tails]
            fold = partial(rows.fold_journal, chunks=chunks, up_to=self._journal - 1, play_ms=play)
            self._committer.request(Op(fold, partial(self._fold_done, heads)))

    def _fold_done(self, heads: list[tuple[Tail, int]], _: object, error: Exception | None) -> None:
        self._unfolded = 0  # tried again after as many
        if error is not None:
            _log.error("the journal could not be folded, it stays as it is: %s", error)
            return
        for tail, head in heads:
            tail.folded = head
        self._folded = [tail for tail, _ in heads]
        self._dirty = {}

    async def create(self, match: str, first: bytes) -> AppendResult:
        """See ``MatchLog.create``."""
        if is_too_large((first,)):
            return NotAppended("too_large")
        play = self._now()

        def made(row: int | None) -> None:
            if row is not None:
                tail = self._tails[match] = Tail(match, row, 1)
                tail.first, tail.entries = 1, [Stored(1, play, first)]

        run = partial(rows.create_match, name=match, play_ms=play, first=first)
        try:
            row = await self._committer.ask(run, then=made)
        except StoreAway:
            return _UNAVAILABLE
        if row is None:
            return NotAppended("exists")
        return Appended(play_ms=self._now(), entries=(Stored(1, play, first),), own=1)

    async def read(self, match: str, after: int) -> AppendResult:
        """See ``MatchLog.read``; slice by slice, so that neither the loop nor the writer is held up."""
        found: list[Stored] = []
        after = max(0, after)
        while True:
            tail = self._tails.get(match)
            if tail is not None and tail.gone:
                return NotAppended("gone")
            if tail is not None and after + 1 >= tail.first:
                return Appended(play_ms=self._now(), entries=(*found, *tail.after(after)))
            try:
                part = await self._committer.ask(partial(_read_slice, name=match, after=after))
            except StoreAway:
                return _UNAVAILABLE
            if part is None:
                return NotAppended("gone")
            if not part and match not in self._tails:
                return Appended(play_ms=self._now(), entries=tuple(found))
            if not part and tail is self._tails.get(match):
                raise StoreError(f"the store is damaged: entries of {match} after {after} are missing")
            found += part
            after = found[-1].no if found else after

    async def register(self, match: str) -> AppendResult:
        """See ``MatchLog.register``."""
        self._hosted.add(match)
        result = await self.read(match, 0)
        if isinstance(result, NotAppended):
            self._hosted.discard(match)
        return result

    def unregister(self, match: str) -> None:
        """See ``MatchLog.unregister``."""
        self._hosted.discard(match)
        tail = self._tails.get(match)
        if tail is not None and tail.head == tail.folded and not tail.gone:
            del self._tails[match]

    def keep(self, match: str, ms: int) -> None:
        """See ``MatchLog.keep``."""
        self._keep_until((match,), self._now() + ms)

    def _keep_until(self, matches: Sequence[str], ends_at: int) -> None:
        if not self._committer.closed:
            run = partial(rows.keep_matches, names=matches, ends_at=ends_at)
            self._committer.request(Op(run, partial(_kept, matches), soft=True))

    def listen(self, hinted: Callable[[str], None], missed: Callable[[Iterable[str]], None]) -> None:
        """See ``MatchLog.listen``; the file has no other node."""

    async def join(self, boot: str, knows: int = 1) -> None:
        """See ``MatchLog.join``; the file has no other node."""

    async def beat(self) -> Beat:
        """See ``MatchLog.beat``; lets logs and archives go whose time is over. A log in use that has not ended stays.

        Raises:
            StoreAway: it was never handed over.
        """
        play = self._now()
        before = None if self._archive_ms is None else play - self._archive_ms
        over = await self._committer.ask(partial(rows.beat, play_ms=play, archives_before=before), soft=True)
        used = [match for match, ended in over if not ended and (match in self._hosted or match in self._live)]
        if used:
            self._keep_until(used, play + IDLE_MS)
        ended = [match for match, _ in over if match not in used]
        if ended:
            for match in ended:
                self._tails.setdefault(match, Tail(match, 0, 0)).gone = True
            self._committer.request(Op(partial(rows.delete_matches, names=ended), partial(self._deleted, ended)))
        adopt = tuple(match for match in self._live if match not in self._hosted)[:MAX_ADOPT]
        self._hosted.update(adopt)
        return Beat(play_ms=self._now(), adopt=adopt)

    def _deleted(self, matches: list[str], _: object, error: Exception | None) -> None:
        if error is not None:
            _log.warning("logs whose time is over could not be deleted, a later beat will: %s", error)
        for match in matches:
            self._tails.pop(match, None)
            self._hosted.discard(match)

    async def set_live(self, match: str, *, live: bool) -> None:
        """See ``MatchLog.set_live``."""

        def done(there: object) -> None:
            if live and there:
                self._live[match] = None
            else:
                self._live.pop(match, None)

        await self._committer.ask(partial(rows.set_live, name=match, live=int(live)), then=done)

    async def finish(self, match: str, archive: bytes, keep_ms: int | None = None) -> bool:
        """See ``MatchLog.finish``."""

        def done(_: object) -> None:
            self._live.pop(match, None)

        keep_ms = KEEP_MS if keep_ms is None else keep_ms
        run = partial(rows.finish_match, name=match, archive=archive, play_ms=self._now(), keep_ms=keep_ms)
        return await self._committer.ask(run, then=done)

    async def archived(self, match: str) -> bytes | None:
        """See ``MatchLog.archived``."""
        return await self._committer.ask(partial(rows.read_archive, name=match))

    async def archives(self, cursor: str = "", limit: int = 100) -> tuple[tuple[str, ...], str]:
        """See ``MatchLog.archives``."""
        names = await self._committer.ask(partial(rows.read_archive_names, after=cursor, limit=limit))
        return names, names[-1] if len(names) == limit else ""

    async def close(self) -> None:
        """See ``MatchLog.close``."""
        await self._committer.close()

    def _now(self) -> int:
        """Return the play time. While a batch is out it stands: if the disk hangs, nobody is charged for that."""
        return self._clock.play_ms if self._committer.busy else self._clock.advance()


def _kept(matches: Sequence[str], _: object, error: Exception | None) -> None:
    if error is not None:
        _log.warning("the time of %s could not be set: %s", matches, error)


def _read_slice(db: sqlite3.Connection, name: str, after: int) -> list[Stored] | None:
    head = rows.find_head(db, name)
    return None if head is None else rows.read_chunks(db, head.row, after)


def _read_between(db: sqlite3.Connection, row: int, after: int, before: int) -> list[Stored]:
    found: list[Stored] = []
    while after + 1 < before:
        part = [entry for entry in rows.read_chunks(db, row, after) if entry.no < before]
        if not part:
            break
        found += part
        after = part[-1].no
    return found


def _keep_history(history: list[Stored], found: object, error: Exception | None) -> None:
    """Put what was read where the answer looks for it. If it could not be read, the caller sees the gap and asks."""
    if error is not None or not isinstance(found, list):
        _log.error("older entries could not be read: %s", error)
        return
    history += found
