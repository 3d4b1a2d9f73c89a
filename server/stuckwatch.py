"""Looks for stuck seats in quiet duels, off the event loop, one search at a time (docs/rules.md, Stuck).

A verdict goes to the log as a fact; a search that hit its bound says nothing and is not repeated for the same cards.
"""

from collections import deque
from collections.abc import Callable
from typing import Final

import structlog

from server.facts import ProvedStuck
from server.ports import InThread, StuckSearch
from server.room import Room
from shared import engine, stuck
from shared.position import Position
from shared.ruleset import Ruleset

_log: Final = structlog.get_logger("stuck")

#: A game is searched once no foundation card was played for so long, ms.
QUIET_MS: Final = 1500


class StuckWatch:
    """Remembers which rooms changed, and searches them when they are quiet."""

    def __init__(self, find: Callable[[str], Room | None], search: StuckSearch) -> None:
        self._find = find
        self._search_for = search
        self._changed: dict[str, None] = {}
        self._searched: dict[tuple[str, int], Position] = {}
        self._queue: deque[tuple[Room, int]] = deque()

    def note(self, match: str) -> None:
        """The match changed."""
        self._changed[match] = None

    def forget(self, match: str) -> None:
        """The match is no longer here."""
        self._changed.pop(match, None)
        for seat in (0, 1):
            self._searched.pop((match, seat), None)

    def look(self) -> bool:
        """Queue what is worth a search; return whether something waits."""
        for match in list(self._changed):
            room = self._find(match)
            if room is None or room.state.solo or not room.state.running:
                del self._changed[match]
                continue
            if room.now() - room.state.up_at >= QUIET_MS:
                del self._changed[match]
                self._queue.extend((room, seat) for seat in (0, 1) if self._is_worth_it(room, seat))
        return bool(self._queue)

    def _is_worth_it(self, room: Room, seat: int) -> bool:
        state = room.state
        position = state.position
        if position is None or position.seats[seat].stuck:
            return False
        before = self._searched.get((room.match, seat))
        same = before is not None and _same_cards(before, position, seat)
        return not same and not _can_play_up(room, position, seat)

    async def work(self) -> None:
        """Search all that is queued."""
        while self._queue:
            room, seat = self._queue.popleft()
            if not room.closed and room.state.running and self._is_worth_it(room, seat):
                await self._search(room, seat)

    async def _search(self, room: Room, seat: int) -> None:
        state = room.state
        position, rules, k = state.position, state.rules, state.no
        if position is None:
            return
        self._searched[room.match, seat] = position
        verdict = await self._search_for(rules, position, seat)
        _log.debug("searched", match=room.match, seat=seat, k=k, verdict=verdict)
        if verdict and not room.closed:
            room.log.append(ProvedStuck(seat, k))


def _same_cards(before: Position, now: Position, seat: int) -> bool:
    return before.seats[seat] is now.seats[seat] and before.foundations is now.foundations


def _can_play_up(room: Room, position: Position, seat: int) -> bool:
    """Whether a foundation play lies open: then no search is needed."""
    if position.turn is not None and position.turn.seat != seat:
        return False
    return any("f" in targets for targets in engine.legal(room.state.rules, position, seat, room.now()).moves.values())


def search_by(in_thread: InThread) -> StuckSearch:
    """Return a search that runs in a thread."""

    async def search(rules: Ruleset, position: Position, seat: int) -> bool | None:
        return await in_thread(lambda: stuck.search(rules, position, seat))

    return search
