"""What a room does when things fail: the store away, entries that cannot be folded, forks, a node's death."""

import asyncio
from collections.abc import Callable, Sequence

import pytest
import structlog

from server.facts import Tick, Wished, pack
from server.log import set_up_log
from server.match import plays
from server.storage.base import AppendResult, Beat, NotAppended, Stored
from server.storage.memory import MemoryLog
from shared.moves import Draw, Refusal, Resign
from shared.position import Outcome
from shared.protocol import Failed, Notice, Play, Refused, Snapshot, Update
from shared.table import Rematch, WaitOn
from shared.terms import DuelTerms
from shared.view import view
from tests.server.fakes import FakeViewer
from tests.server.house import House, search_for_hidden_cards

Log = MemoryLog


def no_store(house: House) -> None:
    """From now on the store takes nothing."""

    def append(
        match: str,
        have: int,
        entries: Sequence[bytes],
        done: Callable[[AppendResult], None],
        *,
        if_head: int | None = None,
    ) -> None:
        house.clock.call_later(2000, lambda: done(NotAppended("unavailable")))

    house.store.log.append = append  # type: ignore[method-assign]


async def test_a_play_the_store_never_took_is_told_unavailable() -> None:
    house = await House().start()
    room, ann, _ = await house.duel()
    before = room.state.no
    no_store(house)
    await house.play(room, ann, Draw())
    await house.jump(2_000)
    assert Refused(ann.n, Refusal("unavailable")) in ann.messages
    assert room.state.no == before


async def test_who_enters_while_the_store_is_away_is_told_and_not_in() -> None:
    house = await House().start()
    room, _ = await house.create()
    no_store(house)
    bob = await house.enter(room, "bob")
    assert room.attached(bob), "on his way"
    await house.jump(2_000)
    assert [m.code for m in bob.messages if isinstance(m, Failed)] == ["unavailable"]
    assert not room.attached(bob)


async def test_viewers_are_told_when_the_store_goes_and_when_it_is_back() -> None:
    house = await House().start()
    room, ann, _ = await house.duel()
    beat, log = house.store.log.beat, house.store.log
    back: list[object] = []

    async def never() -> object:
        waiting: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        back.append(waiting)
        await waiting
        return await beat()

    log.beat = never  # type: ignore[method-assign,assignment]
    await house.jump(4_000)
    assert ann.last(Notice) == Notice("unavailable")
    seen = [house.rooms.available]
    log.beat = beat  # type: ignore[method-assign]
    back[0].set_result(None)  # type: ignore[attr-defined]
    await house.settle()
    assert ann.last(Notice) == Notice("available")
    seen.append(house.rooms.available)
    assert seen == [False, True]
    assert room.state.running


async def test_an_entry_that_cannot_be_folded_makes_its_match_void_and_no_other() -> None:
    house = await House().start()
    room, ann, bob = await house.duel()
    other, cat = await house.create()
    log = house.store.log._logs[room.match]
    log.append(Stored(len(log) + 1, log[-1].at, b"\xc1"))
    house.send(room, ann, Draw())
    await house.settle()
    assert room.state.table.result == Outcome("void", counts=(0, 0))
    assert room.state.voided
    for viewer in (ann, bob):
        snapshot = viewer.last(Snapshot)
        assert isinstance(snapshot, Snapshot)
        assert snapshot.rewound
        assert snapshot.table.phase == "over"
    assert len(log) >= 10, "the log is kept"
    assert other.state.table.phase == "gathering"
    assert other.attached(cat)
    again = await House(house.store, house.clock, "c").start()
    reread = await again.rooms.find(room.match)
    assert reread is not None
    assert reread.state.table.result == Outcome("void", counts=(0, 0))


async def test_a_fault_that_does_not_repeat_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    house = await House().start()
    room, ann, bob = await house.duel()
    whole, times = plays.play, [0]

    def once(*args: object) -> None:
        times[0] += 1
        if times[0] == 1:
            raise RuntimeError("a bit flipped")
        whole(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(plays, "play", once)
    house.send(room, ann, Draw())
    await house.settle()
    assert room.state.running
    assert room.state.position is not None
    assert len(room.state.position.seats[0].waste) == 1
    assert bob.messages[-1] == bob.last(Snapshot)
    assert room.log.status == "open"
    house.send(room, bob, Draw())
    await house.settle()
    assert isinstance(bob.messages[-1], Update)


async def test_a_fork_is_shown_again_and_its_game_dealt_anew() -> None:
    house = await House().start()
    room, ann, bob = await house.duel()
    state = room.state
    entry = Wished(0, state.logs[0].g, 50, state.no, Draw(), state.no, b"elsewise")
    house.store.log.append(room.match, 0, (pack(entry),), lambda _: None)
    house.send(room, bob, Draw())
    await house.settle()
    snapshot = ann.last(Snapshot)
    assert isinstance(snapshot, Snapshot)
    assert snapshot.rewound
    assert room.state.table.phase == "between"
    assert room.state.table.games[0].outcome.reason == "void"
    ann.n = snapshot.n
    await house.ready(room, ann, bob)
    assert room.state.running


async def test_what_another_node_appended_comes_with_the_next_answer() -> None:
    house = await House().start()
    room, ann, bob = await house.duel()
    other = await House(house.store, house.clock, "c").start()
    there = await other.rooms.find(room.match)
    assert there is not None
    await house.jump(100)
    cat = await other.enter(there, "cat", watch=True)
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
    other = await House(house.store, house.clock, "c").start()
    other.rooms._boots = house.rooms._boots = frozenset({"b", "c"})
    there = await other.rooms.find(room.match)
    assert there is not None
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
    assert again.state.table.games[0].outcome.reason == "void", "both away"
    await house.jump(62_000)
    assert again.state.table.result == Outcome("void", counts=(0, 0))


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


async def test_waiting_on_keeps_the_game_until_he_is_back() -> None:
    house = await House().start()
    room, ann, bob = await house.duel(DuelTerms(game_seconds=None))
    room.detach(bob)
    await house.jump(10_000)
    await house.play(room, ann, WaitOn())
    await house.jump(120_000)
    assert room.state.running
    back = await house.enter(room, "bob")
    back.n = room.state.logs[1].n
    assert any(isinstance(m, Update) for m in await house.play(room, back, Draw()))


async def test_a_log_that_moved_on_makes_a_tick_stale_and_harmless() -> None:
    house = await House().start()
    room, _, _ = await house.duel(DuelTerms(game_seconds=60))
    house.store.log.append(room.match, 0, (pack(Tick()),), lambda _: None)
    await house.settle()
    await house.jump(61_000)
    assert len(room.state.table.games) == 1
    assert room.log.status == "open"


async def test_a_closed_room_answers_and_does_no_more() -> None:
    house = await House().start()
    room, ann, _ = await house.duel()
    await house.rooms.close()
    assert [m.code for m in ann.messages if isinstance(m, Failed)] == ["unavailable"]
    room.play(ann, Play(50, 0, Draw()))
    room.detach(ann)
    await house.join(room, ann)
    assert isinstance(ann.messages[-1], Failed)
    assert not room.attached(ann)
    assert room.log.pending == 0


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


async def test_a_node_that_was_taken_for_dead_lets_its_rooms_go() -> None:
    house = await House().start()
    room, ann, _ = await house.duel()
    beat = house.store.log.beat

    async def dead() -> Beat:
        house.store.log.beat = beat  # type: ignore[method-assign]
        return Beat(play_ms=0, alive=False)

    house.store.log.beat = dead  # type: ignore[method-assign]
    await house.jump(1_000)
    assert [m.code for m in ann.messages if isinstance(m, Failed)] == ["unavailable"]
    again = await house.rooms.find(room.match)
    assert again is not None
    assert again is not room
    await house.join(again, ann)
    assert isinstance(ann.messages[-1], Snapshot)


async def test_a_match_whose_log_is_gone_closes_its_room() -> None:
    house = await House().start()
    room, ann, _ = await house.duel()
    await house.play(room, ann, Resign())
    house.store.log._logs.clear()
    await house.play(room, ann, Rematch())
    await house.jump(1_000)
    assert Refused(ann.n, Refusal("unavailable")) in ann.messages
    assert len(house.rooms) == 0
    assert await house.rooms.find(room.match) is None


async def test_a_write_that_ends_in_a_detach_disturbs_nobody() -> None:
    house = await House().start()
    room, ann, bob = await house.duel()
    slow = [house.viewer(name) for name in ("cat", "dan")]
    for viewer in slow:
        await house.join(room, viewer)

        def full(frame: bytes, viewer: FakeViewer = viewer) -> None:
            room.detach(viewer)

        viewer.write = full  # type: ignore[method-assign]
    bob.new()
    await house.play(room, ann, Draw())
    assert [type(message) for message in bob.new()] == [Update]
    assert not any(room.attached(viewer) for viewer in slow)
    assert room.log.status == "open"


async def test_logs_hold_no_seed_and_no_hidden_card(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_log("debug", "text")
    try:
        house = await House().start()
        room, ann, _ = await house.duel()
        seed, decks = room.state.seed, room.state.decks
        log = house.store.log._logs[room.match]
        log.append(Stored(len(log) + 1, log[-1].at, b"\xc1"))
        house.send(room, ann, Draw())
        await house.settle()
        assert room.state.voided
    finally:
        structlog.reset_defaults()
    shown = capsys.readouterr()
    assert "fault" in shown.err
    assert seed is not None
    for secret in (repr(seed)[2:-1], seed.hex(), str(decks[0])[1:40], str(list(decks[1]))[1:40]):
        assert secret not in shown.err + shown.out
