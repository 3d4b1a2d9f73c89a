"""What a match asks of the node beyond itself: to be watched over while it is live, its archive, its result, its
rematch.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Final

import structlog
from msgspec import Struct

from server.archive import Archive, Replayed, Result, encode, replayed, result_of
from server.facts import Created, pack
from server.follow import folding
from server.match.arbiter import Arbiter
from server.match.state import State
from server.ports import Clock, InThread
from server.room import Room
from server.storage.base import KEEP_MS, Appended, Store, Stored
from server.waiting import Waiting

_log: Final = structlog.get_logger("rooms")

#: Phases in which a deadline may run though nobody looks.
_LIVE: Final = frozenset({"countdown", "playing", "between"})

Spawn = Callable[[Coroutine[object, object, None]], None]


class Afterwards:
    """Looks at rooms that changed; each thing is done once per room, and is idempotent in the store."""

    def __init__(
        self, store: Store, clock: Clock, spawn: Spawn, in_thread: InThread, rules: Callable[[], int], solo_ms: int
    ) -> None:
        """``rules``: the version of the rules that new matches get; ``solo_ms``: how long the log of a solo game stays
        after its end.
        """
        self._store = store
        self._clock = clock
        self._spawn = spawn
        self._in_thread = in_thread
        self._rules = rules
        self._solo_ms = solo_ms
        self._waiting = Waiting(store.records, clock, spawn)
        self._live: set[str] = set()
        self._over: set[str] = set()
        self._rematched: set[str] = set()
        self.making: dict[str, asyncio.Event] = {}

    def see(self, room: Room) -> None:
        """Start what the room's state asks for."""
        state = room.state
        match = room.match
        if state.solo:
            self._waiting.see(state)
        if not state.solo and state.table.phase in _LIVE and match not in self._live:
            self._live.add(match)  # until it is finished
            self._spawn(self._store.log.set_live(match, live=True))
        # A solo game that ended may be played again before anybody looks.
        if (state.table.phase == "over" or (state.solo and state.table.games)) and match not in self._over:
            self._over.add(match)
            self._spawn(self._finish(match, state))
        next_match = state.table.next_match
        if next_match is not None and match not in self._rematched:
            self._rematched.add(match)
            self.making[next_match] = asyncio.Event()
            self._spawn(self._create_rematch(state, next_match))

    def forget(self, match: str) -> None:
        """The room was let go."""
        self._waiting.forget(match)
        for seen in (self._live, self._over, self._rematched):
            seen.discard(match)

    async def _finish(self, match: str, state: State) -> None:
        """Keep the result and the replay, after which the log goes in time: a solo game can be played again in it."""
        answer = await self._store.log.read(match, 0)
        if not isinstance(answer, Appended):
            _log.error("a finished match cannot be read", match=match, why=answer.why)
            return
        if state.solo:
            await self._waiting.ended(state)
        ended = await self._in_thread(lambda: _ended(match, answer.entries))
        if not _counts(ended.result):
            self._store.log.keep(match, KEEP_MS)
            return
        await self._store.records.add_result(match, encode(ended.result))
        # Only now a duel is no longer live: a crash before leaves it to whoever adopts it.
        await self._store.log.finish(match, encode(ended.archive), self._solo_ms if state.solo else None)
        if state.code is not None:
            await self._store.lobby.release_code(state.code)

    async def _create_rematch(self, state: State, match: str) -> None:
        """Make the match that was agreed on; another node may have been faster."""
        terms = state.table.rematch_terms or state.table.terms
        same_first = getattr(terms, "first", None) == getattr(state.table.terms, "first", None)
        people = [player for player in state.table.players if player is not None and not player.bot]
        first = Created(
            terms,
            tuple((player.identity, player.name) for player in people),
            self._clock.wall_ms(),
            self._rules(),
            first=state.first_next if same_first else None,
            computer=None if state.computer is None else state.computer.again(),
        )
        try:
            await self._store.log.create(match, pack(first))
        finally:
            self.making.pop(match).set()


class _Ended(Struct):
    """What stays of a match."""

    result: Result
    archive: Archive


def _counts(result: Result) -> bool:
    """Whether anything is to be kept: a solo game in which no card was played leaves no trace."""
    return result.tally is None or result.tally.moves > 0


def _ended(match: str, entries: tuple[Stored, ...]) -> _Ended:
    """Fold the log to its end, or to the first of a solo game: whoever does it, and whenever, finds the same."""
    arbiter = Arbiter(match)
    told: list[Replayed] = []
    for folded, _ in folding(arbiter, entries):
        if (found := replayed(folded)) is not None:
            told.append(found)
        if arbiter.state.table.phase == "over" and arbiter.state.solo:
            break
    state = arbiter.state
    result = result_of(state, begun_at=entries[0].at)
    return _Ended(result, Archive(match, state.version, state.wall_ms, state.table, tuple(told)))
