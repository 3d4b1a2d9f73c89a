"""Who comes and goes: tabs, phones, links, watchers, rematches (docs/rules.md, Left and Match)."""

from server.ports import NO_SUCH_MATCH
from shared.moves import Draw, Ended, Refusal, Resign
from shared.protocol import (
    JSON,
    Failed,
    Join,
    MovedAway,
    Play,
    Refused,
    Snapshot,
    Update,
)
from shared.table import Rematch
from shared.terms import KlondikeTerms
from tests.server.house import House


async def test_the_newer_tab_plays_the_older_is_told_and_may_take_it_back() -> None:
    house = await House().start()
    room, old, bob = await house.duel()
    new = await house.enter(room, "ann")
    assert old.last(MovedAway) is not None
    assert new.last(MovedAway) is None
    answer = await house.play(room, old, Draw())
    assert [m for m in old.messages if isinstance(m, Refused)][-1].refusal == Refusal("moved_away"), answer
    new.n = room.state.logs[0].n
    assert any(isinstance(m, Update) for m in await house.play(room, new, Draw()))
    assert isinstance(old.messages[-1], Update), "the older one keeps watching"
    await house.join(room, old)
    assert new.last(MovedAway) is not None
    old.n = room.state.logs[0].n
    await house.play(room, old, Draw())
    assert room.state.position is not None
    assert len(room.state.position.seats[0].waste) == 2
    assert bob.last(MovedAway) is None


async def test_when_the_newer_tab_closes_the_older_plays_again() -> None:
    house = await House().start()
    room, old, _ = await house.duel()
    new = await house.enter(room, "ann")
    room.detach(new)
    await house.jump(2_000)
    assert isinstance(old.messages[-1], Snapshot)
    assert room.state.table.players[0] is not None
    assert room.state.table.players[0].present
    old.n = room.state.logs[0].n
    assert any(isinstance(m, Update) for m in await house.play(room, old, Draw()))


async def test_a_phone_that_changes_its_net_is_never_away() -> None:
    house = await House().start()
    room, ann, bob = await house.duel()
    bob.new()
    room.detach(ann)
    await house.jump(1_000)
    await house.enter(room, "ann")
    await house.jump(5_000)
    told = [m.table for m in bob.new() if isinstance(m, Update) and m.table is not None]
    assert all(table.players[0] is not None and table.players[0].present for table in told)


async def test_leaving_is_told_after_two_seconds_with_the_end_of_the_grace() -> None:
    house = await House().start()
    room, ann, bob = await house.duel()
    bob.new()
    room.detach(ann)
    await house.jump(1_999)
    assert bob.new() == []
    await house.jump(1)
    update = bob.new()[-1]
    assert isinstance(update, Update)
    assert update.table is not None
    player = update.table.players[0]
    assert player is not None
    assert (player.present, player.gone_until) == (False, update.at + 60_000)
    await house.jump(61_000)
    assert room.state.table.result is not None
    assert (room.state.table.result.reason, room.state.table.result.winner) == ("left", 1)
    ended = bob.last(Update)
    assert isinstance(ended, Update)
    assert any(isinstance(event, Ended) for event in ended.events)


async def test_a_connection_that_comes_back_within_two_seconds_was_never_gone() -> None:
    house = await House().start()
    room, ann, bob = await house.duel()
    bob.new()
    head = room.state.no
    room.detach(ann)
    await house.jump(1_500)
    await house.join(room, ann)
    await house.jump(3_000)
    assert (room.state.no, bob.new()) == (head, [])


async def test_both_open_one_link_in_one_tick_and_a_third_watches() -> None:
    house = await House().start()
    room, _ = await house.create()
    guests = [house.viewer("bob"), house.viewer("cat", JSON)]
    for guest in guests:
        room.attach(guest, Join(match=room.match))
    await house.settle()
    seats = [guest.messages[0].seat for guest in guests]  # type: ignore[union-attr]
    assert seats == [1, None]


async def test_a_watcher_plays_nothing_and_asks_for_nothing_of_a_seat() -> None:
    house = await House().start()
    room, _, _ = await house.duel()
    cat = await house.enter(room, "cat")
    head = room.state.no
    room.play(cat, Play(1, 0, Draw()))
    room.ask_legal(cat)
    room.ask_hint(cat)
    await house.settle()
    assert [m.code for m in cat.messages if isinstance(m, Failed)] == ["not_your_seat"] * 3
    assert room.state.no == head


async def test_who_watches_by_choice_leaves_the_seat_free() -> None:
    house = await House().start()
    room, _ = await house.create()
    await house.enter(room, "cat", watch=True)
    assert room.state.free_seat() == 1


async def test_a_solo_game_of_somebody_else_is_no_match() -> None:
    house = await House().start()
    room, _ = await house.create(KlondikeTerms())
    eve = await house.enter(room, "eve")
    assert eve.messages == [NO_SUCH_MATCH], "as for an id that is no match's"
    assert not room.attached(eve)
    eve.frames.clear()
    room.ask_snapshot(eve)
    assert eve.frames == []


async def test_a_rematch_by_both_at_once_is_one_match_and_watchers_follow() -> None:
    house = await House().start()
    room, ann, bob = await house.duel()
    cat = await house.enter(room, "cat", watch=True)
    await house.play(room, ann, Resign())
    house.send(room, ann, Rematch())
    house.send(room, bob, Rematch())
    await house.settle()
    follow = {viewer: viewer.last(Update).table.next_match for viewer in (ann, bob, cat)}  # type: ignore[union-attr]
    assert len(set(follow.values())) == 1
    again = await house.rooms.find(follow[ann] or "")
    assert again is not None
    assert again is not room
    first = room.state.first
    assert first is not None
    room.detach(ann)
    room.detach(bob)
    for viewer in (ann, bob):
        viewer.n = 0
        await house.join(again, viewer)
    await house.join(again, cat)
    assert [again.state.seat_of(name) for name in ("ann", "bob", "cat")] == [0, 1, None]
    await house.ready(again, ann, bob)
    assert again.state.running
    assert again.state.first == 1 - first


async def test_a_declined_rematch_is_told_at_once() -> None:
    house = await House().start()
    room, ann, bob = await house.duel()
    await house.play(room, ann, Resign())
    await house.play(room, ann, Rematch())
    await house.play(room, bob, Rematch(on=False))
    told = ann.messages[-1]
    assert isinstance(told, Update)
    assert told.table is not None
    assert (told.table.declined, told.table.next_match) == (1, None)


async def test_two_tabs_that_come_in_one_tick_are_told_who_plays() -> None:
    house = await House().start()
    room, _ = await house.create()
    tabs = [house.viewer("bob") for _ in range(3)]
    for tab in tabs:
        room.attach(tab, Join(match=room.match))
    await house.settle()
    assert [tab.last(MovedAway) is None for tab in tabs] == [False, False, True]
    assert [isinstance(tab.messages[0], Snapshot) and tab.messages[0].seat == 1 for tab in tabs] == [True] * 3
    assert room.state.table.players[1] is not None
