"""Solo games of a player that wait, and those that he gave up lately."""

from typing import Final

from server.storage.base import Records
from server.waiting import decode_note
from shared.protocol import DailyDay, GameNote, HistoryRow
from shared.terms import KlondikeTerms

#: Most given-up games that are told.
LATELY: Final = 10


async def waiting(records: Records, identity: str, now_ms: int, keep_ms: int) -> list[GameNote]:
    """Return the games that wait, the newest first. ``keep_ms``: how long a game stays that nobody plays.

    Raises:
        StoreError: the store is away.
    """
    found = [(match, decode_note(data)) for match, data in await records.games_of(identity)]
    notes = [GameNote(match, note.terms, note.at, note.moves) for match, note in found if now_ms - note.at < keep_ms]
    return sorted(notes, key=lambda note: -note.at)


def given_up(rows: list[HistoryRow]) -> list[GameNote]:
    """Return the given-up games among ``rows`` of a history, the newest first."""
    lost = [row for row in reversed(rows) if row.reason == "abandoned"]
    return [GameNote(row.match, row.terms, row.at, row.moves or 0, abandoned=True) for row in lost[:LATELY]]


def begun_dailies(notes: list[GameNote], month: str) -> dict[str, DailyDay]:
    """Return the dailies of ``month`` among the games that wait, by date."""
    found: dict[str, DailyDay] = {}
    for note in notes:
        terms = note.terms
        if isinstance(terms, KlondikeTerms) and terms.daily is not None and terms.daily.startswith(month):
            found[terms.daily] = DailyDay(terms.daily, note.match, terms.draw)
    return found
