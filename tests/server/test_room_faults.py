"""What a room does when things fail: the store away, entries that cannot be folded, forks."""

import asyncio

import pytest

from server.facts import Tick, Wished, pack
from server.log import set_up_log
from server.match import plays
from server.match.presence import MAX_WRITTEN
from server.storage.base import Stored
from shared.moves import Draw, Move, Refusal, Resign
from shared.position import Outcome
from shared.protocol import Failed, Notice, Play, Refused, Snapshot, Update
from shared.table import AgreeEnd, Rematch, WaitOn
from shared.terms import DuelTerms
from tests.server.fakes import FakeViewer
from tests.server.house import House, no_store


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
    log = house.store.log._shared.logs[room.match]
    log.append(Stored(len(log) + 1, log[-1].at, b"\xc1"))
    house.send(room, ann, Draw())
    await house.settle()
    assert room.state.table.result == Outcome("void", counts=(0, 0), why="fault")
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
    assert reread.state.table.result == Outcome("void", counts=(0, 0), why="fault")


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


async def test_a_match_whose_log_is_gone_closes_its_room() -> None:
    house = await House().start()
    room, ann, _ = await house.duel()
    await house.play(room, ann, Resign())
    house.store.log._shared.logs.clear()
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


@pytest.mark.usefixtures("quiet_log")
async def test_logs_hold_no_seed_and_no_hidden_card(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_log("debug", "text")
    house = await House().start()
    room, ann, _ = await house.duel()
    seed, decks = room.state.seed, room.state.decks
    log = house.store.log._shared.logs[room.match]
    log.append(Stored(len(log) + 1, log[-1].at, b"\xc1"))
    house.send(room, ann, Draw())
    await house.settle()
    assert room.state.voided
    shown = capsys.readouterr()
    assert "fault" in shown.err
    assert seed is not None
    for secret in (repr(seed)[2:-1], seed.hex(), str(decks[0])[1:40], str(list(decks[1]))[1:40]):
        assert secret not in shown.err + shown.out


async def test_a_seat_that_wrote_all_it_may_changes_nothing_more_and_the_other_plays_on() -> None:
    house = await House().start()
    room, ann, bob = await house.duel()
    room.state.logs[1].written = MAX_WRITTEN - 1
    assert any(isinstance(told, Update) for told in await house.play(room, bob, AgreeEnd()))
    before = room.state.no
    for wish in (AgreeEnd(on=False), Draw(), Move(0, "f")):
        for seen in (before, 10**9):  # a number not shown yet passes the early judgement
            await house.play(room, bob, wish, seen=seen)
            assert bob.messages[-1] == Refused(bob.n, Refusal("too_fast"))
    late = await house.enter(room, "bob")
    assert late.messages == [Failed("too_many", "this seat has too many connections")]
    assert room.state.no == before
    assert any(isinstance(told, Update) for told in await house.play(room, ann, Draw()))
