"""How long matches stay that nobody plays (docs/storage.md, What goes when)."""

from typing import Final

from msgspec import Struct

from server.match.state import State

_HOUR_MS: Final = 3_600_000
DAY_MS: Final = 24 * _HOUR_MS


class Lifetimes(Struct, frozen=True):
    """Times since a match's room was let go, ms of play time.

    ``gathering_ms``: of a match that did not begin. ``solo_ms``: of a solo game. ``archive_ms``: of replays; ``None`` =
    for ever.
    """

    gathering_ms: int = DAY_MS
    solo_ms: int = 30 * DAY_MS
    archive_ms: int | None = None

    @classmethod
    def read(cls, rooms_hours: float, games_days: float, archives_days: float | None) -> "Lifetimes":
        """Return what the settings say."""
        archive_ms = None if archives_days is None else round(archives_days * DAY_MS)
        return cls(round(rooms_hours * _HOUR_MS), round(games_days * DAY_MS), archive_ms)

    def of(self, state: State) -> int | None:
        """Return how long the log of a match stays; ``None``: what becomes of it is settled otherwise."""
        if state.solo:
            return self.solo_ms
        return self.gathering_ms if state.table.phase == "gathering" else None
