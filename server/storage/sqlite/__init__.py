"""The embedded store: one SQLite file, one writer thread, many appends a commit. The default of the server."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

import msgspec

from server.storage.base import StoreError
from server.storage.play_clock import PlayClock
from server.storage.sqlite import rows
from server.storage.sqlite.committer import Committer
from server.storage.sqlite.file import open_file
from server.storage.sqlite.log import FOLD_ENTRIES, KEEP_ENTRIES, SqliteLog, Start
from server.storage.sqlite.records import SqliteLobby, SqliteRecords

_LOSES: Final = {
    "disk": "nothing that was acknowledged, even if the machine loses power (as far as its disk keeps what it flushed)",
    "process": "nothing if the server is killed; the last moments if the machine loses power",
}
#: Least time between two commits: under load each carries more, for a third of the work at the price of a millisecond.
_WINDOW_S: Final = 0.001


class SqliteStore:
    """The three together. ``loses`` says, for the log of the start, what a crash takes."""

    def __init__(self, log: SqliteLog, lobby: SqliteLobby, records: SqliteRecords, lock: sqlite3.Connection) -> None:
        self.log = log
        self.lobby = lobby
        self.records = records
        self.loses = _LOSES[log.durability]
        self._lock = lock

    async def close(self) -> None:
        """Write what was taken, close the file and let others use it."""
        await self.log.close()
        self._lock.close()


def open_sqlite(
    path: Path,
    monotonic_ms: Callable[[], int],
    *,
    durability: Literal["disk", "process"] = "disk",
    window_s: float = _WINDOW_S,
    fold_entries: int = FOLD_ENTRIES,
    keep_entries: int = KEEP_ENTRIES,
    archive_ms: int | None = None,
) -> SqliteStore:
    """Open the store in the file ``path``, making it if there is none. Needs no running loop yet.

    ``monotonic_ms``: the node's clock. ``durability``: ``disk`` flushes each commit to the disk, ``process`` leaves
    that to the system. ``fold_entries``: the journal is folded into chunks when it has so many entries.
    ``keep_entries``: so many of a match stay in memory beyond those that must. ``archive_ms``: how long archives stay,
    ms of play time; ``None`` = for ever.

    Raises:
        StoreError: another process uses the file; it is damaged, foreign or of another version; it cannot be read or
            written. It is left as it was.
    """
    db, lock = open_file(path, durability)
    try:
        play_ms, next_journal = rows.recover(db)
        live = rows.live_names(db)
    except (sqlite3.Error, msgspec.MsgspecError) as error:
        db.close()
        lock.close()
        raise StoreError(f"the store {path} cannot be read: {error}; it was left as it is") from error
    committer = Committer(db, path, monotonic_ms, window_s)
    clock = PlayClock(monotonic_ms, play_ms)
    start = Start(next_journal, live, fold_entries, keep_entries, archive_ms)
    log = SqliteLog(committer, clock, durability, start)
    return SqliteStore(log, SqliteLobby(committer), SqliteRecords(committer), lock)
