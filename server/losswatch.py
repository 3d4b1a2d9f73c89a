"""Looks whether a solo game can still be won, when its player pauses to think (docs/rules.md, Cannot be won).

Only a finished search says so, and what it says goes to the log as a fact, with the line that has it proven again.
"""

from collections.abc import Callable
from typing import Final

import structlog

from server.facts import ProvedLost
from server.ports import Advisor
from server.room import Room
from shared.terms import KlondikeTerms

_log: Final = structlog.get_logger("loss")

#: The player has made no action for so long, ms.
PAUSE_MS: Final = 5000
#: Searches at once.
AT_ONCE: Final = 2


class LossWatch:
    """Remembers which solo games changed, and has them searched once each is quiet."""

    def __init__(self, find: Callable[[str], Room | None], advisor: Advisor) -> None:
        self._find = find
        self._advisor = advisor
        self._changed: dict[str, None] = {}
        self._running = 0

    def note(self, match: str) -> None:
        """The match changed."""
        self._changed[match] = None

    def forget(self, match: str) -> None:
        """The match is no longer here."""
        self._changed.pop(match, None)

    def next(self) -> Room | None:
        """Return a room that is to be searched now, if another search may run."""
        if self._running >= AT_ONCE:
            return None
        for match in list(self._changed):
            room = self._find(match)
            if room is None or not _may_be_told(room):
                del self._changed[match]
            elif room.now() - room.state.acted_at >= PAUSE_MS:
                del self._changed[match]
                if room.audience.watchers:
                    return room
        return None

    async def search(self, room: Room) -> None:
        """Search ``room``'s game as it stands."""
        state = room.state
        position, k = state.position, state.no
        if position is None:
            return
        self._running += 1
        try:
            proof = await self._advisor.cannot_be_won(state.rules, position)
        finally:
            self._running -= 1
        _log.debug("searched", match=room.match, k=k, lost=proof is not None)
        if proof is not None and not room.closed and room.state.acted_no <= k:
            room.log.append(ProvedLost(k, proof.states, round(proof.seconds * 1000), proof.command))


def _may_be_told(room: Room) -> bool:
    """Whether the game is one that may be said to be lost, runs, and was not said to be since its last undo."""
    state = room.state
    tally = state.position.tally if state.position is not None else None
    playing = isinstance(state.table.terms, KlondikeTerms) and state.running and not state.told_lost
    return playing and tally is not None and tally.running_since is not None and not tally.paused
