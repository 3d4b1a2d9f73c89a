"""The loop's side of the writer: gathers what is asked, hands over one batch at a time, gives the answers.

Nothing waits for the next tick when the writer is free; while it works, the next batch gathers. A call that was not
handed over within ``MAX_WAIT_MS`` is dropped; what was handed over is tried until it is in.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol, TypeVar

from server.storage.base import MAX_WAIT_MS, StoreAway
from server.storage.sqlite.writer import Batch, Op, Writer

_T = TypeVar("_T")
_log: Final = logging.getLogger(__name__)
_LOOK_S: Final = 0.1
_CLOSE_S: Final = 3.0


class Appends(Protocol):
    """Who fills the journal's part of a batch."""

    def fill(self, batch: Batch) -> None:
        """Put what waits into ``batch``."""
        ...

    def drop(self, before: int) -> None:
        """Answer ``unavailable`` to what has waited since before ``before``, ms."""
        ...

    def waits(self) -> bool:
        """Whether anything is there to fill a batch with."""
        ...


class Committer:
    """One batch in flight. ``window_s``: least time between two commits, so that they carry more each."""

    def __init__(self, db: sqlite3.Connection, path: Path, monotonic_ms: Callable[[], int], window_s: float) -> None:
        self.monotonic_ms = monotonic_ms
        self._window_s = window_s
        self._writer = Writer(db, path, self._told)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._appends: Appends | None = None
        self._ops: list[Op] = []
        self._woken = False
        self._watched = False
        self._not_before = 0.0
        self._idle: asyncio.Future[None] | None = None
        self.busy = False
        self.closed = False

    def serve(self, appends: Appends) -> None:
        """Let ``appends`` fill the batches."""
        self._appends = appends

    def wake(self) -> None:
        """Something waits: hand it over as soon as may be."""
        loop = self._loop
        if loop is None:
            loop = self._loop = asyncio.get_running_loop()
        if self.busy:
            if not self._watched:
                self._watched = True
                loop.call_later(_LOOK_S, self._look)
        elif not self._woken:
            self._woken = True
            if loop.time() >= self._not_before:
                loop.call_soon(self._flush)
            else:
                loop.call_at(self._not_before, self._flush)

    def request(self, op: Op) -> None:
        """Take ``op`` into the next batch."""
        op.since = self.monotonic_ms()
        self._ops.append(op)
        self.wake()

    async def ask(
        self,
        run: Callable[[sqlite3.Connection], _T],
        *,
        then: Callable[[_T], None] | None = None,
        soft: bool = False,
    ) -> _T:
        """Do ``run`` in the next batch and return what it returned, once durable. ``then`` is called with it first, in
        the order of the batch; the caller comes a tick later.

        Raises:
            StoreAway: it was never handed over.
            StoreError: the file is damaged.
        """
        if self.closed:
            raise StoreAway("the store is closed")
        future: asyncio.Future[_T] = asyncio.get_running_loop().create_future()

        def done(result: object, error: Exception | None) -> None:
            if error is None and then is not None:
                then(result)  # type: ignore[arg-type] # what run returned
            if future.done():
                return  # who asked went away
            if error is None:
                future.set_result(result)  # type: ignore[arg-type] # what run returned
            else:
                future.set_exception(error)

        self.request(Op(run, done, soft=soft))
        return await future

    def _flush(self) -> None:
        batch = Batch()
        if self._appends is not None:
            self._appends.fill(batch)
        batch.ops, self._ops = self._ops, []
        self._woken = False  # what fill() asked for is in this batch
        if not batch.ops and batch.journal is None:
            self._finish(batch)
            return
        self.busy = True
        if self._loop is not None:
            self._not_before = self._loop.time() + self._window_s
        self._writer.hand_over(batch)
        if self._waits():
            self.wake()

    def _told(self, batch: Batch) -> None:
        """Runs on the writer's thread."""
        try:
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._finish, batch)
        except RuntimeError:
            _log.warning("the loop ended before the store was closed")

    def _finish(self, batch: Batch) -> None:
        self.busy = False
        for op in batch.ops:
            try:
                op.done(op.result, op.error)
            except Exception:  # noqa: BLE001 - the others of the batch get their answers
                _log.exception("the answer of the store met a fault")
        if batch.answer is not None:
            batch.answer()
        if self._waits():
            self.wake()
        elif self._idle is not None and not self._idle.done():
            self._idle.set_result(None)

    def _look(self) -> None:
        """While the writer is busy: drop what has waited too long."""
        self._watched = False
        if not self.busy or not self._waits():
            return
        self._drop(self.monotonic_ms() - MAX_WAIT_MS)
        if self._waits():
            self.wake()

    def _drop(self, before: int) -> None:
        """Answer what has waited since before ``before``, ms: it was not handed over and will not be."""
        late = [op for op in self._ops if op.since < before]
        self._ops = [op for op in self._ops if op.since >= before]
        for op in late:
            op.done(None, StoreAway("the store took nothing for 2 s"))
        if self._appends is not None:
            self._appends.drop(before)

    def _waits(self) -> bool:
        return bool(self._ops) or (self._appends is not None and self._appends.waits())

    async def close(self) -> None:
        """Write what was taken, end the thread, close the file. What cannot be written within seconds is given up."""
        self.closed = True
        stuck = False
        if self.busy or self._woken or self._waits():
            self._idle = asyncio.get_running_loop().create_future()
            try:
                await asyncio.wait_for(self._idle, _CLOSE_S)
            except TimeoutError:
                stuck = True
                self._drop(self.monotonic_ms() + 1)
                _log.error("the store was closed while it could not write")
        self._writer.stop(give_up=stuck)
        await asyncio.get_running_loop().run_in_executor(None, self._writer.join)
