"""The score of a finished solo game line by line, from its replay."""

from collections.abc import Awaitable, Callable

from server.archive import Archive, decode_archive
from shared.evolve import evolve
from shared.moves import Ended, Event, Restored
from shared.position import Position
from shared.protocol import AskSheet, Failed, Sheet
from shared.ruleset import ruleset
from shared.sheet import sheet

#: Returns the replay of a match, if there is one.
Archived = Callable[[str], Awaitable[bytes | None]]


async def answer(archived: Archived, identity: str, question: AskSheet) -> Sheet | Failed:
    """Return the sheet of a game of ``identity``.

    Raises:
        StoreError: the store is away.
    """
    packed = await archived(question.match)
    archive = None if packed is None else decode_archive(packed)
    owner = None if archive is None else archive.table.players[0]
    if archive is None or len(archive.table.players) != 1 or owner is None or owner.identity != identity:
        words = "this is no solo game of yours that is over"
        return Failed("no_such_match", words, "match", ask=question.ask)
    lines = sheet(ruleset(archive.table.terms), events_of(archive))
    seconds = played_ms(archive) // 1000
    return Sheet(question.ask, question.match, lines, sum(line.points for line in lines), seconds)


def events_of(archive: Archive) -> list[Event]:
    """Return all that happened in a match, in order."""
    return [event for entry in archive.entries for event in entry.events]


def played_ms(archive: Archive) -> int:
    """Return the play time that a solo game counted at its end."""
    position: Position | None = None
    for event in events_of(archive):
        if isinstance(event, Restored) and event.step == 0:
            position = event.position
        elif position is not None:
            position = evolve(position, event)
        if isinstance(event, Ended):
            break
    return 0 if position is None or position.tally is None else position.tally.played_ms
