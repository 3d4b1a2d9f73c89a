"""Looks whether a solo game can still be won, when its player pauses to think (docs/rules.md, Cannot be won).

Only a finished search says so, and what it says goes to the log as a fact, with the line that has it proven again.
"""

import asyncio
from collections.abc import Callable
from typing import Final

import structlog

from server.facts import ProvedLost
from server.ports import Advisor, LossProof
from server.room import Room
from shared.position import Position
from shared.terms import KlondikeTerms

_log: Final = structlog.get_logger("loss")

#: The player has made no action for so long, ms.
PAUSE_MS: Final = 5000
#: Searches at once.
AT_ONCE: Final = 2


class LossWatch:
    """Remembers which solo games changed, and has them searched once each is quiet. An action ends the search."""

    def __init__(self, find: Callable[[str], Room | None], advisor: Advisor) -> None:
        self._find = find
        self._advisor = advisor
        self._changed: dict[str, None] = {}
        self._running: dict[str, tuple[int, asyncio.Task[LossProof | None]]] = {}
        #: What the last finished search of a match was of, and found.
        self._known: dict[str, tuple[tuple[object, ...], LossProof | None]] = {}

    def note(self, match: str) -> None:
        """The match changed."""
        self._changed[match] = None
        running = self._running.get(match)
        room = self._find(match)
        if running is not None and (room is None or room.state.acted_no > running[0]):
            running[1].cancel()

    def forget(self, match: str) -> None:
        """The match is no longer here."""
        self._changed.pop(match, None)
        self._known.pop(match, None)
        if match in self._running:
            self._running[match][1].cancel()

    def next(self) -> Room | None:
        """Return a room that is to be searched now, if another search may run."""
        if len(self._running) >= AT_ONCE:
            return None
        for match in list(self._changed):
            room = self._find(match)
            if room is None or not _may_be_told(room):
                del self._changed[match]
            elif match not in self._running and room.now() - room.state.acted_at >= PAUSE_MS:
                del self._changed[match]
                if room.audience.watchers:
                    return room
        return None

    async def search(self, room: Room) -> None:
        """Search ``room``'s game as it stands, unless that was done."""
        match, k, position = room.match, room.state.acted_no, room.state.position
        if position is None or match in self._running:
            return
        known = self._known.get(match)
        if known is None or known[0] != _cards(position):
            asked = asyncio.ensure_future(self._advisor.cannot_be_won(room.state.rules, position))
            self._running[match] = k, asked
            try:
                proof = await asked
            except asyncio.CancelledError:
                if _is_cancelled():
                    raise
                return  # the game went on
            finally:
                del self._running[match]
            known = self._known[match] = _cards(position), proof
            _log.debug("searched", match=match, k=k, lost=proof is not None)
        proof = known[1]
        if proof is not None and not room.closed and room.state.acted_no == k:
            room.log.append(ProvedLost(k, proof.states, round(proof.seconds * 1000), proof.command))


def _cards(position: Position) -> tuple[object, ...]:
    """What of a position bears on winning."""
    return position.seats, position.foundations


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _may_be_told(room: Room) -> bool:
    """Whether the game is one that may be said to be lost, runs, and was not said to be since its last undo."""
    state = room.state
    tally = state.position.tally if state.position is not None else None
    playing = isinstance(state.table.terms, KlondikeTerms) and state.running and not state.told_lost
    return playing and tally is not None and not tally.paused
