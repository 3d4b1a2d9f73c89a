"""The lobby on a node: seeks, pairs, calls, and the races between them. A jumping clock; a store in memory."""

import asyncio

from server.matchmaker import READY_MS, ROUND_MS
from shared.moves import Refusal
from shared.protocol import (
    AcceptSeek,
    Assigned,
    Failed,
    FindOpponent,
    Lobby,
    Refused,
    Seeking,
    StopSeeking,
    UnwatchLobby,
    WatchLobby,
)
from shared.table import Propose, Ready
from shared.terms import DuelTerms
from tests.server.hall import BOTH, TURNS, Hall


async def test_two_who_want_the_same_are_called_to_one_match(hall: Hall) -> None:
    ann, bob, call = await hall.pair()
    assert (call.rival, call.terms, call.ms) == ("Bob", BOTH, READY_MS)
    assert await hall.open() == []
    for viewer in (ann, bob):
        await hall.ready(viewer, call.match)
    await hall.house.jump(3100)
    room = await hall.house.rooms.find(call.match)
    assert room is not None
    assert room.state.running
    assert [player.identity for player in room.state.table.players if player] == ["ann", "bob"]
    assert room.state.table.ready_until is None
    await hall.house.jump(READY_MS)
    assert room.state.running
    assert isinstance((await hall.seek(ann))[-1], Seeking)  # nothing holds them any more


async def test_other_terms_wait(hall: Hall) -> None:
    await hall.seeker("ann")
    await hall.seeker("bob", TURNS)
    await hall.house.jump(40_000)
    assert await hall.open() == ["ann", "bob"]


async def test_bad_terms_are_told(hall: Hall) -> None:
    (answer,) = await hall.seek(hall.guest("ann"), DuelTerms(draw=(1, 3), rated=True))
    assert isinstance(answer, Failed)
    assert (answer.code, answer.field) == ("bad_terms", "terms")
    assert await hall.open() == []


async def test_a_seek_is_taken_back(hall: Hall) -> None:
    ann = await hall.seeker("ann")
    assert await hall.ask(ann, StopSeeking()) == [Seeking()]
    assert await hall.open() == []
    assert await hall.ask(ann, StopSeeking()) == [Seeking()]
    await hall.seeker("bob")
    assert ann.new() == []


async def test_a_seek_ends_with_its_connection(hall: Hall) -> None:
    ann = await hall.seeker("ann")
    hall.lobby.gone(ann)
    await hall.house.settle()
    assert await hall.open() == []
    bob = await hall.seeker("bob")
    assert bob.new() == []


async def test_a_connection_that_ends_while_it_is_served_seeks_nothing(hall: Hall) -> None:
    ann = hall.guest("ann")
    serving = asyncio.ensure_future(hall.lobby.serve(ann, FindOpponent(BOTH)))
    opened = hall.house.store.lobby.open_seek
    reached, go = asyncio.Event(), asyncio.Event()

    async def slow(seek: object) -> object:
        reached.set()
        await go.wait()
        return await opened(seek)  # type: ignore[arg-type] # what was passed

    hall.house.store.lobby.open_seek = slow  # type: ignore[assignment,method-assign]
    await reached.wait()
    hall.lobby.gone(ann)
    go.set()
    await serving
    await hall.house.settle()
    assert await hall.open() == []


async def test_in_two_tabs_one_seeks_and_the_other_is_told(hall: Hall) -> None:
    first = await hall.seeker("ann")
    second = await hall.seeker("ann", TURNS)
    assert first.new() == [Seeking()]
    hall.lobby.gone(first)
    await hall.house.settle()
    assert await hall.open() == ["ann"]
    bob = await hall.seeker("bob")
    assert bob.new() == []
    await hall.seek(bob, TURNS)
    assert isinstance(second.new()[0], Assigned)
    assert first.new() == []


async def test_nobody_takes_his_own_seek(hall: Hall) -> None:
    ann = hall.guest("ann")
    (seeking,) = await hall.seek(ann)
    assert isinstance(seeking, Seeking)
    for tab in (ann, hall.guest("ann")):
        (answer,) = await hall.ask(tab, AcceptSeek(seeking.seek or ""))
        assert isinstance(answer, Failed)
        assert answer.code == "own_seek"
    assert await hall.open() == ["ann"]


async def test_an_open_seek_is_accepted_with_its_terms(hall: Hall) -> None:
    """Terms that never pair by themselves too; the seeker has seat 0."""
    terms = DuelTerms(draw=(1, 3), games=3)
    ann, bob = await hall.seeker("ann", terms), hall.guest("bob")
    (listed,) = await hall.ask(bob, WatchLobby())
    assert isinstance(listed, Lobby)
    assert [(seek.name, seek.terms) for seek in listed.seeks] == [("Ann", terms)]
    (call,) = await hall.ask(bob, AcceptSeek(listed.seeks[0].seek))
    assert isinstance(call, Assigned)
    assert (call.seat, call.rival, call.terms) == (1, "Ann", terms)
    await hall.house.jump(ROUND_MS)
    assert bob.new() == [Lobby()]
    (other,) = ann.new()
    assert isinstance(other, Assigned)
    assert (other.match, other.seat, other.rival) == (call.match, 0, "Bob")


async def test_of_two_who_accept_in_one_tick_one_is_told_he_was_late(hall: Hall) -> None:
    ann = hall.guest("ann")
    (seeking,) = await hall.seek(ann)
    assert isinstance(seeking, Seeking)
    rivals = [hall.guest("bob"), hall.guest("cid")]
    told = await asyncio.gather(*(hall.ask(rival, AcceptSeek(seeking.seek or "")) for rival in rivals))
    late = [answer for answers in told for answer in answers if isinstance(answer, Failed)]
    called = [answer for answers in told for answer in answers if isinstance(answer, Assigned)]
    assert [answer.code for answer in late] == ["no_such_seek"]
    assert len(called) == 1
    assert len(ann.new()) == 1


async def test_who_leaves_as_he_is_paired_costs_the_other_no_place(hall: Hall) -> None:
    """Bob is called and gone: Ann is ready, waits the time out, and is the first in the list again."""
    ann, bob, call = await hall.pair()
    hall.lobby.gone(bob)
    await hall.house.jump(500)
    await hall.seeker("cid", TURNS)
    await hall.ready(ann, call.match)
    ann.new()
    await hall.house.jump(READY_MS + ROUND_MS)
    room = await hall.house.rooms.find(call.match)
    assert room is not None
    assert (room.state.table.phase, room.state.table.games) == ("over", ())
    assert room.state.table.result is not None
    assert room.state.table.result.reason == "void"
    back = [told for told in ann.new() if isinstance(told, Seeking)]
    assert [told.terms for told in back] == [BOTH]
    assert back[0].waited >= READY_MS
    assert await hall.open() == ["ann", "cid"]
    assert [told for told in bob.new() if isinstance(told, Seeking)] == []


async def test_who_is_not_ready_loses_his_place(hall: Hall) -> None:
    ann, bob, call = await hall.pair()
    await hall.ready(bob, call.match)
    await hall.house.jump(READY_MS + ROUND_MS)
    assert await hall.open() == ["bob"]
    assert ann.new()[-1] == Seeking()
    assert isinstance((await hall.seek(ann))[-1], Assigned)  # and may seek again


async def test_a_called_seat_is_nobody_elses_however_short_the_grace_time(hall: Hall) -> None:
    """Bob is there, goes, and is back in the last second: the seat is his, and the game begins."""
    terms = DuelTerms(grace_seconds=10)
    ann = await hall.seeker("ann", terms)
    bob = hall.guest("bob")
    call = (await hall.seek(bob, terms))[-1]
    assert isinstance(call, Assigned)
    await hall.ready(bob, call.match)
    room = await hall.house.rooms.find(call.match)
    assert room is not None
    room.detach(bob)
    await hall.house.jump(READY_MS - 1500)
    assert [player.present for player in room.state.table.players if player] == [False, False]
    await hall.house.join(room, bob)
    await hall.house.play(room, bob, Ready("1" * 32))
    await hall.ready(ann, call.match)
    assert room.state.table.phase == "countdown"
    await hall.house.jump(3100)
    assert room.state.running


async def test_neither_is_ready(hall: Hall) -> None:
    await hall.pair()
    await hall.house.jump(READY_MS + ROUND_MS)
    assert await hall.open() == []
    assert (await hall.house.store.lobby.look("b")).pairings == ()


async def test_who_is_called_is_called_again_from_another_tab(hall: Hall) -> None:
    _, _, call = await hall.pair()
    await hall.house.jump(2000)
    (again,) = await hall.seek(hall.guest("ann"))
    assert isinstance(again, Assigned)
    assert (again.match, again.seat) == (call.match, 0)
    assert again.ms <= READY_MS - 1000


async def test_what_the_lobby_paired_is_agreed(hall: Hall) -> None:
    ann, _, call = await hall.pair()
    room = await hall.house.rooms.find(call.match)
    assert room is not None
    await hall.house.join(room, ann)
    ann.new()
    hall.house.send(room, ann, Propose(TURNS))
    assert ann.new() == [Refused(1, Refusal("not_now"))]


async def test_the_list_is_live(hall: Hall) -> None:
    watcher = hall.guest("dan")
    assert await hall.ask(watcher, WatchLobby()) == [Lobby()]
    ann = await hall.seeker("ann")
    await hall.house.jump(ROUND_MS)
    (shown,) = watcher.new()
    assert isinstance(shown, Lobby)
    assert ([seek.name for seek in shown.seeks], shown.waiting) == (["Ann"], 1)
    await hall.house.jump(10 * ROUND_MS)
    assert watcher.new() == []  # nothing new, nothing told
    hall.lobby.gone(ann)
    await hall.house.jump(ROUND_MS)
    assert watcher.new() == [Lobby()]
    assert await hall.ask(watcher, UnwatchLobby()) == []
    await hall.seeker("bob")
    await hall.house.jump(ROUND_MS)
    assert watcher.new() == []


async def test_a_busy_lobby_is_shown_once_a_round(hall: Hall) -> None:
    watcher = hall.guest("dan")
    await hall.ask(watcher, WatchLobby())
    for n in range(50):
        await hall.seeker(f"p{n}", DuelTerms(grace_seconds=10 + n))
    assert len(watcher.new()) <= 1
    await hall.house.jump(ROUND_MS)
    last = watcher.new()[-1]
    assert isinstance(last, Lobby)
    assert last.waiting == 50


async def test_a_crowd_is_paired_and_nobody_twice(hall: Hall) -> None:
    crowd = [hall.guest(f"p{n}") for n in range(41)]
    await asyncio.gather(*(hall.seek(viewer) for viewer in crowd))
    await hall.house.jump(ROUND_MS)
    calls = {viewer.identity: [m for m in viewer.messages if isinstance(m, Assigned)] for viewer in crowd}
    assert sorted(len(found) for found in calls.values()) == [0] + [1] * 40
    matches = [found[0].match for found in calls.values() if found]
    assert all(matches.count(match) == 2 for match in matches)


async def test_two_nodes_pair_their_seekers(hall: Hall) -> None:
    """Each is called by his own node; the match is made once."""
    other_house = await hall.house.beside("c")
    other = Hall(other_house, boot="c")
    try:
        ann = await hall.seeker("ann")
        bob = other.guest("bob")
        await other.seek(bob)
        await hall.house.jump(ROUND_MS)
        (mine,) = ann.new()
        yours = next(told for told in bob.messages if isinstance(told, Assigned))
        assert isinstance(mine, Assigned)
        assert mine.match == yours.match
        assert {mine.seat, yours.seat} == {0, 1}
        await hall.ready(ann, mine.match)
        await hall.house.jump(READY_MS + 2 * ROUND_MS)
        assert await hall.open() == ["ann"]
        assert bob.new()[-1] == Seeking()
    finally:
        await other.lobby.close()
        await other_house.rooms.close()
