"""What a match does when its node stops, dies, is taken for dead, or is not the only one."""

import asyncio

import pytest

from server.facts import Tick, pack
from shared.moves import Draw, Resign
from shared.position import Outcome
from shared.protocol import Snapshot, Update
from shared.terms import DuelTerms
from shared.view import view
from tests.server.house import House, no_store, search_for_hidden_cards


async def test_what_another_node_appended_comes_with_the_next_answer() -> None:
    house = await House().start()
    room, ann, bob = await house.duel()
    other = await house.beside("c")
    there = await other.rooms.find(room.match)
    assert there is not None
    await house.jump(100)
    cat = await other.enter(there, "cat", watch=True)
    other.store.log.hinted = lambda match: None
    await house.play(room, ann, Draw())
    assert there.state.no < room.state.no
    there.log.refresh()
    await other.settle()
    assert there.state.digest == room.state.digest
    assert isinstance(cat.messages[-1], Update)
    assert bob.messages[-1].no == room.state.no  # type: ignore[union-attr]


async def test_two_nodes_on_one_match_agree_and_one_tick_passes_a_deadline() -> None:
    house = await House().start()
    room, _, _ = await house.duel(DuelTerms(game_seconds=60))
    other = await house.beside("c")
    there = await other.rooms.find(room.match)
    assert there is not None
    await other.enter(there, "cat", watch=True)
    await house.jump(62_000)
    there.log.refresh()
    room.log.refresh()
    await house.settle()
    assert there.state.digest == room.state.digest
    assert len(room.state.table.games) == 1


@pytest.mark.parametrize("plays_made", [0, 1, 7])
async def test_after_a_crash_both_are_back_where_they_were(plays_made: int) -> None:
    house = await House().start()
    room, ann, bob = await house.duel()
    for number in range(plays_made):
        await house.play(room, (ann, bob)[number % 2], Draw())
    position, seen, hands = room.state.position, bob.messages[-1].no, room.state.decks  # type: ignore[union-attr]
    await house.crash("c")
    again = await house.rooms.find(room.match)
    assert again is not None
    assert again is not room
    assert again.state.position == position
    assert again.state.decks == hands
    assert [player.present for player in again.state.table.players if player] == [False, False]
    ann2 = await house.enter(again, "ann")
    bob2 = await house.enter(again, "bob", since=seen)
    assert [player.present for player in again.state.table.players if player] == [True, True]
    snapshot = ann2.messages[0]
    assert isinstance(snapshot, Snapshot)
    assert position is not None
    assert snapshot.position == view(again.state.rules, position, 0)
    assert not any(isinstance(message, Snapshot) for message in bob2.messages)
    ann2.n = snapshot.n
    await house.play(again, ann2, Draw())
    assert again.state.no > snapshot.no
    await search_for_hidden_cards(house, again)


async def test_clocks_go_on_after_a_crash_from_where_they_stood() -> None:
    """Adopted without a client; the outage is charged with 3 s at most, and less by what came after the last beat."""
    house = await House().start()
    room, _, _ = await house.duel(DuelTerms(game_seconds=60, grace_seconds=600))
    ends_at = room.state.position.ends_at if room.state.position else None
    await house.jump(20_000)
    at = room.now()
    house.clock.timers.clear()
    house.clock.ms += 3_600_000
    await house.crash("c")
    again = await house.rooms.find(room.match)
    assert again is not None
    assert at - 1_000 <= again.now() <= at + 3_000
    assert again.log.arbiter.next_deadline() == ends_at
    await house.jump((ends_at or 0) - again.now() + 100)
    assert again.state.table.games[0].outcome.reason == "void", "time, without a card played"


async def test_an_adopted_match_whose_players_stay_away_ends() -> None:
    house = await House().start()
    room, ann, _ = await house.duel()
    await house.play(room, ann, Draw())
    await house.crash("c")
    await house.jump(62_000)
    again = await house.rooms.find(room.match)
    assert again is not None
    assert again.state.table.games[0].outcome.why == "both_away"
    await house.jump(62_000)
    assert again.state.table.result == Outcome("void", counts=(0, 0), why="not_ready")


async def test_who_left_for_good_is_left_and_the_end_is_stored_once() -> None:
    house = await House().start()
    room, ann, bob = await house.duel()
    room.detach(bob)
    await house.jump(63_000)
    assert room.state.table.result == Outcome("left", 0, (0, 0))
    assert await house.store.log.archived(room.match) is not None
    assert len(await house.store.records.results(0)) == 1
    await house.play(room, ann, Resign())
    await house.crash("c")
    await house.rooms.find(room.match)
    await house.settle()
    assert len(await house.store.records.results(0)) == 1


async def test_a_node_that_stops_says_so_in_every_match() -> None:
    house = await House().start()
    room, _, bob = await house.duel()
    await house.rooms.close()
    again = await House(house.store, house.clock, "c").start()
    reread = await again.rooms.find(room.match)
    assert reread is not None
    assert [player.present for player in reread.state.table.players if player] == [False, False]
    assert reread.state.no == room.state.no
    assert isinstance(bob.messages[-2], Update), "then the room is closed"


async def test_a_node_that_stops_does_not_wait_for_a_store_that_is_away() -> None:
    house = await House().start()
    room, _, _ = await house.duel()
    no_store(house)
    await asyncio.wait_for(house.rooms.close(), 2)
    assert room.closed


async def test_a_long_log_is_loaded_in_slices_and_nothing_that_comes_meanwhile_is_missed() -> None:
    house = await House().start()
    room, _, _ = await house.duel()
    house.store.log.append(room.match, 0, [pack(Tick())] * 499, lambda _: None)
    await house.settle()
    await house.crash("c")
    house.rooms._open.clear()
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            if turns == 2:
                house.store.log.append(room.match, 0, [pack(Tick())], lambda _: None)
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    again = await house.rooms.find(room.match)
    counting.cancel()
    assert turns >= 2, "others had their turn"
    await house.settle()
    assert again is not None
    log = house.store.log._shared.logs[room.match]
    assert again.state.no == len(log) > 500
