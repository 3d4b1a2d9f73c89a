"""A call of the lobby that is turned down: the other is told at once, and has his place back."""

from server.matchmaker import ROUND_MS
from shared.protocol import Assigned, Seeking, TurnDown
from tests.server.hall import BOTH, TURNS, Hall


async def test_who_turns_a_call_down_is_told_to_the_other_at_once_who_has_his_place_back(hall: Hall) -> None:
    """Ann has not even looked at her call yet."""
    ann, bob, call = await hall.pair()
    await hall.house.jump(10)
    await hall.seeker("cid", TURNS)
    assert await hall.ask(bob, TurnDown(call.match)) == [Seeking()]
    (back,) = ann.new()
    assert isinstance(back, Seeking)
    assert back.terms == BOTH
    assert await hall.open() == ["ann", "cid"]
    room = await hall.house.rooms.find(call.match)
    assert room is not None
    assert (room.state.table.phase, room.state.table.declined) == ("over", 1)
    assert isinstance((await hall.seek(bob))[-1], Assigned)  # and may seek again


async def test_a_call_of_others_or_of_nobody_is_not_turned_down(hall: Hall) -> None:
    ann, _, call = await hall.pair()
    assert await hall.ask(hall.guest("cid"), TurnDown(call.match)) == [Seeking()]
    assert await hall.ask(hall.guest("cid"), TurnDown("0" * 20)) == [Seeking()]
    assert ann.new() == []
    await hall.ready(ann, call.match)


async def test_who_leaves_a_called_match_gives_the_other_his_place_back(hall: Hall) -> None:
    ann, bob, call = await hall.pair()
    await hall.ready(ann, call.match)
    room = await hall.house.rooms.find(call.match)
    assert room is not None
    await hall.house.join(room, bob)
    ann.new()
    room.detach(bob, left=True)
    await hall.house.jump(ROUND_MS)
    assert [told.terms for told in ann.new() if isinstance(told, Seeking)] == [BOTH]


async def test_on_another_node_it_is_told_within_a_round(hall: Hall) -> None:
    other_house = await hall.house.beside("c")
    other = Hall(other_house, boot="c")
    try:
        ann = await hall.seeker("ann")
        bob = other.guest("bob")
        await other.seek(bob)
        await hall.house.jump(ROUND_MS)
        call = next(told for told in bob.messages if isinstance(told, Assigned))
        ann.new()
        await other.ask(bob, TurnDown(call.match))
        await hall.house.jump(ROUND_MS)
        assert [told.terms for told in ann.new() if isinstance(told, Seeking)] == [BOTH]
        assert await hall.open() == ["ann"]
    finally:
        await other.lobby.close()
        await other_house.rooms.close()
