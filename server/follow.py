"""One match's log, followed: append, fold, show. The log decides; nothing is shown that is not in it."""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from typing import Final, Literal

import msgspec
import structlog
from msgspec import Struct

from server.audience import KEPT, Audience
from server.facts import Committed, Entry, Forked, Tick, Voided, pack, unpack
from server.match import games
from server.match.arbiter import Arbiter, Folded
from server.match.state import State
from server.ports import Advisor, Clock, Timer
from server.storage.base import Appended, AppendResult, MatchLog, NotAppended, Stored
from shared.ruleset import Ruleset

_log: Final = structlog.get_logger("room")

#: A tick that came early is not repeated sooner, ms.
REARM_MS: Final = 50
#: So many entries of a log are folded at a time while it is loaded (2 to 3 ms).
SLICE: Final = 200
#: So many of the last entries are kept, to be compared with what the store says later.
HELD: Final = 64
#: A reading for which the store was away is tried again so much later, ms.
AGAIN_MS: Final = 500

#: Tag of a void within its entry: the others need not be read to find it.
_VOID_AT: Final = slice(1, 3)
_VOID: Final = pack(Voided(0))[_VOID_AT]

Done = Callable[[AppendResult], None]


class Services(Struct, frozen=True):
    """What a room is given: the log, time, chance, a place to run tasks, a solver.

    ``changed`` is called with the match after entries that changed its table or its game.
    """

    log: MatchLog
    clock: Clock
    randbytes: Callable[[int], bytes]
    spawn: Callable[[Coroutine[object, object, None]], None]
    changed: Callable[[str], None]
    advisor: Advisor | None = None


class Unfoldable(Exception):
    """Entry ``k`` of a log cannot be folded."""

    def __init__(self, match: str, k: int) -> None:
        super().__init__(f"match {match}: entry {k} cannot be folded")
        self.k = k


#: What an entry did, and the rules then.
Folding = tuple[Folded, Ruleset]


def folding(arbiter: Arbiter, entries: tuple[Stored, ...]) -> Iterator[Folding]:
    """Fold a log from its start, entry by entry; of a match made void at ``k``, what lies from ``k`` up to the void is
    passed over.

    Raises:
        Unfoldable: an entry is faulty, and no void in the log says so.
    """
    void = _void_of(entries)
    for stored in entries:
        if void is not None and void[0] <= stored.no < void[1]:
            arbiter.skip(stored)
            continue
        try:
            folded = arbiter.fold(stored)
        except Exception as error:
            raise Unfoldable(arbiter.match, stored.no) from error
        yield folded, arbiter.state.rules


def fold_log(match: str, entries: tuple[Stored, ...]) -> tuple[Arbiter, list[Folding]]:
    """Return the fold of a whole log, and what each entry did.

    Raises:
        Unfoldable: an entry is faulty, and no void in the log says so.
    """
    arbiter = Arbiter(match)
    return arbiter, list(folding(arbiter, entries))


def _void_of(entries: tuple[Stored, ...]) -> tuple[int, int] | None:
    """Return ``k`` and the number of the first void in a log."""
    for stored in entries:
        if stored.data[_VOID_AT] != _VOID:
            continue
        try:
            entry = unpack(stored.data)
        except msgspec.MsgspecError:
            continue  # it may be the faulty one
        if isinstance(entry, Voided):
            return entry.k, stored.no
    return None


class Follower:
    """The log side of a room: it owns the fold, its time and its timer.

    ``pending``: entries handed to the store, not yet answered. ``due``: the next deadline (play time, ms), as the last
    entry left it.
    """

    def __init__(self, match: str, services: Services, audience: Audience) -> None:
        self.match = match
        self.arbiter = Arbiter(match)
        self.pending = 0
        self.due: int | None = None
        self.status: Literal["open", "frozen", "closed"] = "open"
        self._services = services
        self._audience = audience
        self._play_ms = 0
        self._mono_ms = services.clock.mono_ms()
        self._timer: Timer | None = None
        self._seeded = 0
        self._held: deque[Stored] = deque(maxlen=HELD)
        self._reading = self._read_again = False

    @property
    def state(self) -> State:
        """The match as it stands."""
        return self.arbiter.state

    def now(self) -> int:
        """Play time of the match, ms."""
        return self._play_ms + self._services.clock.mono_ms() - self._mono_ms

    async def load(self, answer: Appended) -> None:
        """Take up the whole log, in slices: a long one holds up no other match.

        Raises:
            Unfoldable: an entry is faulty, and no void in the log says so.
        """
        arbiter = Arbiter(self.match)
        done = deque[Folding](maxlen=KEPT)
        for one in folding(arbiter, answer.entries):
            done.append(one)
            if arbiter.head % SLICE == 0:
                await asyncio.sleep(0)
        self.arbiter = arbiter
        self._held = deque(answer.entries, maxlen=HELD)
        self._audience.forget()
        self._audience.keep(done)
        self._set_time(answer.play_ms)

    def begin(self) -> None:
        """See to what the fold wants: the next game's seed, the next deadline."""
        state = self.state
        if games.wants_seed(state) and self._seeded < state.table.game:
            self._seeded = state.table.game
            self.append(Committed(state.table.game, self._services.randbytes(32)))
        self._arm(0)

    def take(self, answer: Appended) -> None:
        """Fold and show what the log holds beyond this fold."""
        self._set_time(answer.play_ms)
        if self.status != "open":
            return
        head = self.arbiter.head
        new = [stored for stored in answer.entries if stored.no > head] if head else answer.entries
        if len(new) < len(answer.entries) and self._contradicts(answer.entries):
            self._fork()
            return
        if not new:
            return
        if new[0].no != head + 1:
            self.refresh()
            return
        try:
            for stored in new:
                self._fold(stored)
            self.begin()
        except Exception:  # noqa: BLE001 - whatever it is, it is this match's alone
            _log.exception("fault", match=self.match, head=self.arbiter.head)
            self._freeze()

    def _contradicts(self, entries: tuple[Stored, ...]) -> bool:
        """Whether the store says of a number that is held here that another entry has it."""
        held = {stored.no: stored for stored in self._held}
        return any(held.get(stored.no, stored) != stored for stored in entries)

    def _fork(self) -> None:
        """The store lost entries that were folded and perhaps shown: begin again with what it has."""
        _log.error("fork", match=self.match, head=self.arbiter.head)
        self._freeze(forked=True)

    def _fold(self, stored: Stored) -> None:
        folded = self.arbiter.fold(stored)
        self._held.append(stored)
        state = self.arbiter.state
        self._audience.deliver(state, folded)
        if folded.table is not None or folded.conns:
            self._audience.settle(state)
        if folded.table is not None or folded.events:
            self._services.changed(self.match)
        if folded.forked:
            self._fork()

    def append(self, entry: Entry, done: Done | None = None, *, if_head: int | None = None) -> None:
        """Append ``entry``; once it is folded and shown, or surely not taken, call ``done``."""
        self.pending += 1

        def taken(answer: AppendResult) -> None:
            self.pending -= 1
            if self.status == "closed":
                return
            if isinstance(answer, Appended):
                self.take(answer)
            if done is not None:
                done(answer)
            if isinstance(answer, NotAppended) and answer.why == "gone":
                self.close()  # the log's keeping time is over

        self._services.log.append(self.match, self.arbiter.head, (pack(entry),), taken, if_head=if_head)

    def _set_time(self, play_ms: int) -> None:
        self._play_ms = play_ms
        self._mono_ms = self._services.clock.mono_ms()

    def _arm(self, least_ms: int) -> None:
        due = self.arbiter.next_deadline()
        if self._timer is not None:
            if due == self.due:
                return
            self._timer.cancel()
            self._timer = None
        self.due = due
        if due is not None and self.status != "closed":
            self._timer = self._services.clock.call_later(max(least_ms, due - self.now()), self._tick)

    def _tick(self) -> None:
        self._timer = None
        self.append(Tick(), self._ticked, if_head=self.arbiter.head)

    def _ticked(self, answer: AppendResult) -> None:
        if isinstance(answer, NotAppended) and answer.why == "stale":
            self.refresh()
        self._arm(REARM_MS)

    def refresh(self) -> None:
        """Read what others appended, and whether the store still has what is held; one reading at a time."""
        self._read_again = True
        if not self._reading and self.status != "closed":
            self._reading = True
            self._services.spawn(self._refresh())

    async def _refresh(self) -> None:
        try:
            while self._read_again and self.status != "closed":
                self._read_again = False
                head = self.arbiter.head
                answer = await self._services.log.read(self.match, max(0, head - 1))
                if isinstance(answer, NotAppended):
                    self._unread(answer)
                    return
                if answer.entries or not head:
                    self.take(answer)
                elif self.status == "open":
                    self._fork()  # the store has less than was folded
        finally:
            self._reading = False

    def _unread(self, answer: NotAppended) -> None:
        if answer.why == "gone":
            self.close()  # the log's keeping time is over
        else:
            self._services.clock.call_later(AGAIN_MS, self.refresh)

    def _freeze(self, *, forked: bool = False) -> None:
        if self.status == "open":
            self.status = "frozen"
            self._services.spawn(self._thaw(forked=forked))

    async def _thaw(self, *, forked: bool) -> None:
        if not await self.reload():
            self.close()
            return
        if self.status == "frozen":
            self.status = "open"
            if forked:
                self.append(Forked())
            self.begin()
            self.refresh()  # what was answered meanwhile

    async def reload(self) -> bool:
        """Read the whole log again; a fold that fails makes the match void, its log kept. ``False``: it stays
        unreadable.
        """
        for _ in range(2):
            answer = await self._services.log.read(self.match, 0)
            if not isinstance(answer, Appended):
                return False
            try:
                await self.load(answer)
                self._audience.rewind(self.state, self.now())
            except Exception as error:  # noqa: BLE001 - see ``take``
                _log.exception("fault again: the match is void", match=self.match)
                await self._void(error.k if isinstance(error, Unfoldable) else self.arbiter.head + 1)
            else:
                return True
        return False

    async def _void(self, k: int) -> None:
        if k == 1:
            return
        done = asyncio.get_running_loop().create_future()
        self._services.log.append(self.match, 0, (pack(Voided(k)),), done.set_result)
        await done

    def close(self) -> None:
        """Follow no more."""
        self.status = "closed"
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
