"""The one thread that writes: takes a batch, commits it, tries again until it is in, and tells the loop."""

import logging
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from typing import Final

import msgspec

from server.storage.base import StoreError

_log: Final = logging.getLogger(__name__)
_FIRST_WAIT_S: Final = 0.02
_LONGEST_WAIT_S: Final = 1.0
_JOIN_S: Final = 5.0
_CHECKPOINT_BYTES: Final = 4 * 1024 * 1024
_COMMITS_BETWEEN_LOOKS: Final = 128

_INSERT: Final = "INSERT INTO journal (id, data) VALUES (?, ?) ON CONFLICT (id) DO NOTHING"


class Op:
    """Something to do on the database, within the transaction of its batch.

    ``run`` is called on the writer's thread, again if the transaction was rolled back; ``done`` on the loop, with its
    result or what it raised. ``soft``: losing it in a power cut does no harm.
    """

    __slots__ = ("done", "error", "result", "run", "since", "soft")

    def __init__(
        self,
        run: Callable[[sqlite3.Connection], object],
        done: Callable[[object, Exception | None], None],
        *,
        since: int = 0,
        soft: bool = False,
    ) -> None:
        self.run = run
        self.done = done
        self.since = since
        self.soft = soft
        self.result: object = None
        self.error: Exception | None = None


class Batch:
    """What one transaction carries: operations, then one row of the journal. ``answer`` is called on the loop once it
    is durable.
    """

    __slots__ = ("answer", "journal", "ops")

    def __init__(self) -> None:
        self.ops: list[Op] = []
        self.journal: tuple[int, bytes] | None = None
        self.answer: Callable[[], None] | None = None


class Writer:
    """The thread and its queue. ``tell`` is called on the thread when a batch is in."""

    def __init__(self, db: sqlite3.Connection, path: Path, tell: Callable[[Batch], None]) -> None:
        self._db = db
        self._wal = Path(f"{path}-wal")
        self._tell = tell
        self._queue: SimpleQueue[Batch | None] = SimpleQueue()
        self._give_up = threading.Event()
        self._commits = 0
        (level,) = db.execute("PRAGMA synchronous").fetchone()
        self._level = self._hard = int(level)
        self._thread = threading.Thread(target=self._work, name="store-writer", daemon=True)
        self._thread.start()

    def hand_over(self, batch: Batch) -> None:
        """Let ``batch`` be committed."""
        self._queue.put(batch)

    def stop(self, *, give_up: bool) -> None:
        """Let the thread end after what it has; ``give_up``: also if that cannot be written."""
        if give_up:
            self._give_up.set()
        self._queue.put(None)

    def join(self) -> None:
        """Wait for the thread's end, but not for a disk that hangs."""
        self._thread.join(_JOIN_S)

    def _work(self) -> None:
        while (batch := self._queue.get()) is not None:
            if self._commit(batch):
                self._tell(batch)
                self._checkpoint()
        self._db.close()

    def _commit(self, batch: Batch) -> bool:
        """Commit ``batch``, however often it takes; ``False`` if told to give up."""
        wait = _FIRST_WAIT_S
        while True:
            try:
                if self._attempt(batch):
                    return True
            except sqlite3.Error as error:
                _log.error("the store cannot write, trying again: %s", error)
                self._roll_back()
                if self._give_up.wait(wait):
                    return False
                wait = min(2 * wait, _LONGEST_WAIT_S)

    def _attempt(self, batch: Batch) -> bool:
        """Try once; ``False`` if an operation failed by its own fault: it is marked, the others are tried again."""
        ops = [op for op in batch.ops if op.error is None]
        self._set_level(soft=batch.journal is None and all(op.soft for op in ops))
        if not ops:
            if batch.journal is not None:
                self._db.execute(_INSERT, batch.journal)
            return True
        self._db.execute("BEGIN")
        for op in ops:
            try:
                op.result = op.run(self._db)
            except sqlite3.OperationalError:
                raise
            except Exception as error:  # noqa: BLE001 - it is handed to whoever asked
                op.error = StoreError(f"the store is damaged: {error}") if _is_damage(error) else error
                self._roll_back()
                return False
        if batch.journal is not None:
            self._db.execute(_INSERT, batch.journal)
        self._db.execute("COMMIT")
        return True

    def _set_level(self, *, soft: bool) -> None:
        """Leave out the disk's flush for what may be lost in a power cut."""
        level = min(1, self._hard) if soft else self._hard
        if level != self._level:
            self._db.execute(f"PRAGMA synchronous = {level}")
            self._level = level

    def _roll_back(self) -> None:
        if self._db.in_transaction:
            try:
                self._db.execute("ROLLBACK")
            except sqlite3.Error as error:
                _log.warning("rolling back failed: %s", error)

    def _checkpoint(self) -> None:
        """Move what was logged into the file when there is enough of it, after the answers have gone."""
        self._commits += 1
        if self._commits % _COMMITS_BETWEEN_LOOKS or self._wal.stat().st_size < _CHECKPOINT_BYTES:
            return
        try:
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        except sqlite3.Error as error:
            _log.warning("the checkpoint failed, the next one will do: %s", error)


def _is_damage(error: Exception) -> bool:
    return type(error) is sqlite3.DatabaseError or isinstance(error, msgspec.MsgspecError)
