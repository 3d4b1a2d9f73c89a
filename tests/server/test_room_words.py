"""What a room tells of races, words, lines and rematches with other options, to players and to watchers."""

from server.room import Room
from shared.moves import Move, Resign
from shared.position import Position, Seat
from shared.protocol import Update
from shared.table import Emote, Race, Rematch, Said
from shared.terms import DuelTerms
from tests.server.fakes import FakeViewer
from tests.server.house import House

ACE, TWO, TWO2 = 0, 1, 53


async def for_one_place(house: House) -> tuple[Room, FakeViewer, FakeViewer]:
    """Each has a two of spades; one ace lies."""
    room, ann, bob = await house.duel()
    seats = tuple(Seat(((card,),) + ((),) * 6, (0,) * 7, (52 * i + 40,)) for i, card in enumerate((TWO, TWO2)))
    room.state.position = Position(seats, ((ACE,),) + ((),) * 7, ends_at=10**9)
    await house.jump(10)
    return room, ann, bob


def races(viewer: FakeViewer) -> list[Race]:
    return [told.race for told in viewer.messages if isinstance(told, Update) and told.race is not None]


async def test_both_and_watchers_are_told_who_was_first_and_by_how_much() -> None:
    house = await House().start()
    room, ann, bob = await for_one_place(house)
    cat = await house.enter(room, "cat", watch=True)
    await house.play(room, bob, Emote("hello"))  # an entry that holds this position
    seen = room.state.no
    await house.play(room, ann, Move(TWO, "f"), seen=seen)
    first = room.state.no
    await house.jump(42)
    answer = await house.play(room, bob, Move(TWO2, "f"), seen=seen)
    refused = [told for told in answer if isinstance(told, Update) and told.refusal is not None]
    assert [told.refusal and told.refusal.code for told in refused] == ["overtaken"]
    (race,) = races(ann)
    assert (race.winner, race.by, race.card) == (0, first, TWO)
    assert race.ms == 42
    assert races(bob) == races(cat) == [race]
    told = [update for update in ann.messages if isinstance(update, Update) and update.race is not None]
    assert told[0].refusal is None, "why it was refused is its own seat's"
    await house.play(room, bob, Resign())
    assert room.state.table.games[0].races == (race,)


async def test_a_word_is_shown_to_the_other_and_to_watchers() -> None:
    house = await House().start()
    room, ann, bob = await house.duel()
    cat = await house.enter(room, "cat", watch=True)
    await house.play(room, ann, Emote("well_played"))
    for viewer in (ann, bob, cat):
        last = viewer.last(Update)
        assert isinstance(last, Update)
        assert last.table is not None
        player = last.table.players[0]
        assert player is not None
        assert player.said == Said("well_played", last.at)


async def test_the_lines_of_both_are_known_and_none_of_a_watcher() -> None:
    house = await House().start()
    room, ann, bob = await house.duel()
    cat = await house.enter(room, "cat", watch=True)
    assert room.lines() == (None, None)
    ann.line_ms, bob.line_ms, cat.line_ms = 12, 80, 5
    assert room.lines() == (12, 80)
    tab = await house.enter(room, "ann")
    tab.line_ms = 30
    assert room.lines() == (30, 80), "the newest connection plays"
    room.detach(bob)
    assert room.lines() == (30, None)


async def test_a_rematch_is_made_with_the_options_that_were_agreed() -> None:
    house = await House().start()
    room, ann, bob = await house.duel()
    await house.play(room, ann, Resign())
    turns = DuelTerms(tempo="alternating", first="guest", draw=(1, 3))
    await house.play(room, ann, Rematch(terms=turns))
    await house.play(room, bob, Rematch(terms=turns))
    again = await house.rooms.find(room.state.table.next_match or "")
    assert again is not None
    assert again.state.table.terms == turns
    for viewer in (ann, bob):
        viewer.n = 0
        await house.join(again, viewer)
    await house.ready(again, ann, bob)
    assert again.state.first == 1, "as the new options say"
