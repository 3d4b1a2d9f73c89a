"""``double-solitaire rebuild``: makes all books anew from the log of results, and holds the results to the replays."""

from collections.abc import Callable
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from server.archive import Archive, Result, decode_archive, encode
from server.books.fold import read_entry
from server.books.keeper import Keeper
from server.storage.base import Store
from shared.engine import evolve
from shared.moves import Ended, Restored
from shared.position import Position, Tally
from shared.terms import DuelTerms

_SLICE: Final = 200
#: What a replay does not say of a result: they stay as they were written down.
_UNTOLD: Final = ("offset", "ended_ms")


class Rebuilt(Struct):
    """What was found. ``results``: entries of the log; ``checked``: of them, those held to a replay; ``missing``:
    replays whose result was not there and was made from them; ``wrong``: matches whose result is not what their
    replay says, and in what.
    """

    results: int = 0
    checked: int = 0
    missing: int = 0
    wrong: list[str] = []


async def rebuild(store: Store, tell: Callable[[str], None]) -> Rebuilt:
    """Make the books anew. Nothing but them is changed, and results that are not there are added.

    Raises:
        StoreError: the store is away.
    """
    found = Rebuilt(wrong=[])
    known: set[str] = set()
    while rows := await store.records.results(found.results, _SLICE):
        for _, match, data in rows:
            known.add(match)
            await _check(store, match, data, found)
        found.results = rows[-1][0]
        tell(f"{found.results} results read")
    await _add_missing(store, known, found)
    await store.records.drop_books()
    await Keeper(store.records).catch_up()
    return found


async def _check(store: Store, match: str, data: bytes, found: Rebuilt) -> None:
    """Hold a result to its replay, if there is one."""
    try:
        result = read_entry(match, data)
    except msgspec.MsgspecError:
        found.wrong.append(f"{match}: its result cannot be read, and counts for nothing")
        return
    packed = await store.log.archived(match)
    if packed is None or not isinstance(result, Result):
        return
    found.checked += 1
    told = result_of_replay(decode_archive(packed))
    names = [name for name in result.__struct_fields__ if getattr(result, name) != getattr(told, name)]
    if wrong := [name for name in names if name not in _UNTOLD]:
        found.wrong.append(f"{match}: its replay tells another {', '.join(wrong)}")


async def _add_missing(store: Store, known: set[str], found: Rebuilt) -> None:
    cursor = ""
    while True:
        names, cursor = await store.log.archives(cursor, _SLICE)
        for match in names:
            packed = None if match in known else await store.log.archived(match)
            if packed is not None:
                result = result_of_replay(decode_archive(packed))
                found.missing += await store.records.add_result(match, encode(result))
        if not cursor:
            return


def result_of_replay(archive: Archive) -> Result:
    """Return the result of a match as its replay tells it.

    Raises:
        ValueError: the match in it is not over.
    """
    table = archive.table
    if table.result is None:
        raise ValueError("archive: expected a match that is over")
    players = [player for player in table.players if player is not None]
    result = Result(
        match=archive.match,
        rules=archive.rules,
        terms=table.terms,
        identities=tuple(player.identity for player in players),
        names=tuple(player.name for player in players),
        outcome=table.result,
        wall_ms=archive.wall_ms,
        ended_ms=archive.entries[-1].at - archive.entries[0].at if archive.entries else 0,
        sums=table.sums,
        games=table.games,
        deal=table.deal_code,
        restarts=table.restarts,
    )
    if isinstance(table.terms, DuelTerms):
        return result
    tally, earned = _counted(archive)
    return replace(result, tally=tally, earned=earned)


def _counted(archive: Archive) -> tuple[Tally | None, int]:
    """Return what a solo game's last attempt counted at its end, and what those before it earned."""
    position: Position | None = None
    earned = 0
    for entry in archive.entries:
        for event in entry.events:
            if isinstance(event, Restored) and event.step == 0:
                tally = None if position is None else position.tally
                earned += tally.score if tally is not None and tally.moves else 0
                position = event.position
            elif position is not None:
                position = evolve(position, event)
            if isinstance(event, Ended):
                return None if position is None else position.tally, earned
    return None if position is None else position.tally, earned
