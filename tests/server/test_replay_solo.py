"""Replays of solo games: sound as they come, and found out when a card, a count or a point in them was changed."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from server.archive import Archive, Replayed, decode_archive
from server.replay import check
from shared.moves import Draw, Pause, Redo, Restored, Tallied, Undo, Unpause
from shared.table import Abandon, Restart
from shared.terms import KlondikeTerms, Terms, TwoDeckTerms
from tests.server.house import House
from tests.server.winning import win

CODE = "KL1-D1S-AAAAACH"
SOUND = [
    KlondikeTerms(code=CODE),
    KlondikeTerms(scoring="vegas"),
    KlondikeTerms(daily="2023-11-14"),
    TwoDeckTerms(draw=3),
]


async def archive_of(terms: Terms) -> Archive:
    """A game with undo, redo, a pause and a restart; won where a line is known, else given up."""
    house = await House().start()
    room, ann = await house.create(terms)
    for wish in (Draw(), Draw(), Undo(), Redo(), Undo(), Pause(), Unpause(), Draw(), Restart(), Draw(), Undo()):
        await house.play(room, ann, wish)
    if isinstance(terms, KlondikeTerms) and (terms.code or terms.daily):
        await win(house, room, ann)
    else:
        await house.play(room, ann, Draw())
        await house.play(room, ann, Abandon())
    await house.settle()
    found = await house.store.log.archived(room.match)
    assert found is not None
    return decode_archive(found)


@pytest.mark.parametrize("terms", SOUND, ids=repr)
async def test_a_real_game_is_sound(terms: Terms) -> None:
    assert check(await archive_of(terms)).problems == ()


def with_entry(archive: Archive, change: Callable[[Replayed], Replayed | None]) -> Archive:
    """The archive with the last entry changed that ``change`` has something else for."""
    for at in reversed(range(len(archive.entries))):
        other = change(archive.entries[at])
        if other is not None:
            return replace(archive, entries=(*archive.entries[:at], other, *archive.entries[at + 1 :]))
    raise AssertionError("nothing to change")


def richer(entry: Replayed) -> Replayed | None:
    first = entry.events[0] if entry.events else None
    if not isinstance(first, Tallied) or not first.keeps:
        return None
    return replace(
        entry, events=(replace(first, tally=replace(first.tally, score=first.tally.score + 5)), *entry.events[1:])
    )


def faster(entry: Replayed) -> Replayed | None:
    first = entry.events[0] if entry.events else None
    if not isinstance(first, Tallied) or not first.tally.bonus:
        return None
    return replace(entry, events=(replace(first, tally=replace(first.tally, played_ms=1)), *entry.events[1:]))


def undone(entry: Replayed) -> Replayed | None:
    first = entry.events[0] if entry.events else None
    if not isinstance(first, Restored) or first.step >= 0 or first.position.tally is None:
        return None
    position = replace(first.position, tally=replace(first.position.tally, undos=0))
    return replace(entry, events=(Restored(position, first.step),))


def dealt(entry: Replayed) -> Replayed | None:
    first = entry.events[0] if entry.events else None
    if not isinstance(first, Restored) or first.step:
        return None
    (seat,) = first.position.seats
    other = replace(seat, stock=seat.stock[::-1])
    return replace(entry, events=(Restored(replace(first.position, seats=(other,))),))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (richer, "what was counted does not follow"),
        (faster, "what was counted does not follow"),
        (undone, "what was counted does not follow"),
        (dealt, f"the deal is not that of {CODE}"),
    ],
)
async def test_what_was_changed_is_found_out(change: Callable[[Replayed], Replayed | None], words: str) -> None:
    archive = with_entry(await archive_of(KlondikeTerms(code=CODE)), change)
    assert any(words in problem for problem in check(archive).problems)
