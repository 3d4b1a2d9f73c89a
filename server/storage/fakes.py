"""Fakes for tests of whatever uses a store: a clock that jumps, and a store that is slow, silent or away.

They ship with the server, so that the tests of a bot or of a new game can use them too.
"""

import asyncio
import heapq
from collections.abc import Callable, Coroutine, Iterable, Sequence
from functools import partial
from itertools import count
from typing import Any, TypeVar

from server.ports import Clock
from server.storage.base import AppendResult, Beat, Durability, MatchLog, NotAppended, Store, StoreAway

_T = TypeVar("_T")


class JumpingTimer:
    """A call that is still to come."""

    def __init__(self, call: Callable[[], None]) -> None:
        self.call: Callable[[], None] | None = call

    def cancel(self) -> None:
        """Let it not come."""
        self.call = None


class JumpingClock:
    """``server.ports.Clock`` that stands still until told to move.

    ``mono``, ``wall``: where it starts, ms; neither is 0, so that nothing takes one for the other or for a duration.
    """

    def __init__(self, mono: int = 5_000_000, wall: int = 1_790_000_000_000) -> None:
        self._mono = mono
        self._wall = wall
        self._timers: list[tuple[int, int, JumpingTimer]] = []
        self._order = count()

    def mono_ms(self) -> int:
        """See ``Clock.mono_ms``."""
        return self._mono

    def wall_ms(self) -> int:
        """See ``Clock.wall_ms``."""
        return self._wall

    def call_later(self, delay_ms: int, call: Callable[[], None]) -> JumpingTimer:
        """See ``Clock.call_later``; called by the ``jump`` that reaches it."""
        timer = JumpingTimer(call)
        heapq.heappush(self._timers, (self._mono + max(0, delay_ms), next(self._order), timer))
        return timer

    def jump(self, ms: int) -> None:
        """Let ``ms`` pass: each timer on the way is called at its time."""
        end = self._mono + ms
        while self._timers and self._timers[0][0] <= end:
            due, _, timer = heapq.heappop(self._timers)
            self._move(max(0, due - self._mono))
            if timer.call is not None:
                timer.call()
        self._move(end - self._mono)

    def freeze(self, ms: int) -> None:
        """Let ``ms`` pass as for a process that was stopped: what was due meanwhile is called afterwards."""
        self._move(ms)
        self.jump(0)

    def step_wall(self, ms: int) -> None:
        """Set the time of day on or back; the monotonic time does not move."""
        self._wall += ms

    def step_mono(self, ms: int) -> None:
        """Set the monotonic time on or back, as no clock should. No timer is called."""
        self._mono += ms

    def _move(self, ms: int) -> None:
        self._mono += ms
        self._wall += ms


class FaultyLog:
    """A ``MatchLog`` in front of another, with faults on demand.

    ``delay_ms``: each answer comes so much later by ``clock``, in order. ``hold()``: answers are kept back (the entries
    are in) until ``release()``; ``lose()`` throws the kept ones away, as a node's death does. ``refuse``: so many calls
    to come are never handed over: ``unavailable``, or ``StoreAway`` from the calls without such an answer. ``hints``:
    how often each hint comes: 0 = it is lost, 2 = it comes twice.
    """

    def __init__(self, log: MatchLog, clock: Clock) -> None:
        self._log = log
        self._clock = clock
        self._held: list[Callable[[], None]] | None = None
        self._last_due = 0
        self.delay_ms = 0
        self.refuse = 0
        self.hints = 1
        self.durability: Durability = log.durability

    def hold(self) -> None:
        """Keep the answers back from now on."""
        self._held = self._held or []

    def release(self) -> None:
        """Give the answers that were kept, in order, and keep no more."""
        held, self._held = self._held or [], None
        for give in held:
            give()

    def lose(self) -> int:
        """Throw away the answers that were kept; return how many. What is to come is answered again."""
        held, self._held = self._held or [], None
        return len(held)

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
        if self._refuses():
            asyncio.get_running_loop().call_soon(self._give, partial(done, NotAppended("unavailable")))
        else:
            self._log.append(match, have, entries, lambda result: self._give(partial(done, result)), if_head=if_head)

    def _refuses(self) -> bool:
        if self.refuse > 0:
            self.refuse -= 1
            return True
        return False

    def _give(self, give: Callable[[], None]) -> None:
        if self._held is not None:
            self._held.append(give)
            return
        due = max(self._last_due, self._clock.mono_ms() + self.delay_ms)
        if due > self._clock.mono_ms():
            self._last_due = due
            self._clock.call_later(due - self._clock.mono_ms(), give)
        else:
            give()

    async def _pass(self, call: Coroutine[Any, Any, _T]) -> _T:
        """Do ``call`` and let its answer come as late as the others'."""
        result = await call
        came: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._give(lambda: None if came.done() else came.set_result(None))
        await came
        return result

    async def _pass_result(self, call: Coroutine[Any, Any, AppendResult]) -> AppendResult:
        if self._refuses():
            call.close()
            return NotAppended("unavailable")
        return await self._pass(call)

    async def _pass_or_raise(self, call: Coroutine[Any, Any, _T]) -> _T:
        if self._refuses():
            call.close()
            raise StoreAway("the store was told to be away")
        return await self._pass(call)

    async def create(self, match: str, first: bytes) -> AppendResult:
        """See ``MatchLog.create``."""
        return await self._pass_result(self._log.create(match, first))

    async def read(self, match: str, after: int) -> AppendResult:
        """See ``MatchLog.read``."""
        return await self._pass_result(self._log.read(match, after))

    async def register(self, match: str) -> AppendResult:
        """See ``MatchLog.register``."""
        return await self._pass_result(self._log.register(match))

    def unregister(self, match: str) -> None:
        """See ``MatchLog.unregister``."""
        self._log.unregister(match)

    def keep(self, match: str, ms: int) -> None:
        """See ``MatchLog.keep``."""
        self._log.keep(match, ms)

    def listen(self, hinted: Callable[[str], None], missed: Callable[[Iterable[str]], None]) -> None:
        """See ``MatchLog.listen``."""

        def hint(match: str) -> None:
            for _ in range(self.hints):
                hinted(match)

        self._log.listen(hint, missed)

    async def join(self, boot: str, knows: int = 1) -> None:
        """See ``MatchLog.join``."""
        await self._pass_or_raise(self._log.join(boot, knows))

    async def beat(self) -> Beat:
        """See ``MatchLog.beat``."""
        return await self._pass_or_raise(self._log.beat())

    async def set_live(self, match: str, *, live: bool) -> None:
        """See ``MatchLog.set_live``."""
        await self._pass_or_raise(self._log.set_live(match, live=live))

    async def finish(self, match: str, archive: bytes, keep_ms: int | None = None) -> bool:
        """See ``MatchLog.finish``."""
        return await self._pass_or_raise(self._log.finish(match, archive, keep_ms))

    async def archived(self, match: str) -> bytes | None:
        """See ``MatchLog.archived``."""
        return await self._pass_or_raise(self._log.archived(match))

    async def archives(self, cursor: str = "", limit: int = 100) -> tuple[tuple[str, ...], str]:
        """See ``MatchLog.archives``."""
        return await self._pass_or_raise(self._log.archives(cursor, limit))

    async def close(self) -> None:
        """See ``MatchLog.close``."""
        await self._log.close()


class FaultyStore:
    """A ``Store`` whose log has faults on demand; its lobby and records are those of the other."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.log = FaultyLog(store.log, clock)
        self.lobby = store.lobby
        self.records = store.records
        self.loses = store.loses
        self._store = store

    async def close(self) -> None:
        """Close the store behind."""
        await self._store.close()
