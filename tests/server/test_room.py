"""A match among its viewers: who sees what, who plays, who comes back."""

import random

import pytest

from server.facts import ProvedStuck
from server.room import Room
from shared import engine
from shared.evolve import evolve
from shared.moves import Command, Draw, Ended, Move, Recycle, Refusal, Resign
from shared.position import Position
from shared.protocol import (
    JSON,
    MSGPACK,
    LegalNow,
    Play,
    Refused,
    Resumed,
    Snapshot,
    Update,
)
from shared.table import Ready
from shared.terms import DuelTerms
from shared.view import view
from tests.server.fakes import FakeViewer
from tests.server.house import House, positions, search_for_hidden_cards


def some_move(room: Room, seat: int, chance: random.Random) -> Command:
    position = room.state.position
    assert position is not None
    legal = engine.legal(room.state.rules, position, seat)
    moves: list[Command] = [Move(card, to) for card, targets in legal.moves.items() for to in targets]
    if "draw" in legal.commands:
        moves += [Draw()] * 3
    if "recycle" in legal.commands:
        moves.append(Recycle())
    return chance.choice(moves) if moves else Draw()


async def played(house: House, plays: int = 60, codec: str = MSGPACK) -> tuple[Room, FakeViewer, FakeViewer]:
    room, ann, bob = await house.duel(codec=codec)
    chance = random.Random(7)
    for number in range(plays):
        seat = number % 2
        await house.play(room, (ann, bob)[seat], some_move(room, seat, chance))
        if number % 10 == 9:
            await house.play(room, (ann, bob)[seat], Move(chance.randrange(104), "f"))
    return room, ann, bob


def folded(viewer: FakeViewer, rules: object, start: int = 0) -> tuple[int, Position | None]:
    """What a client that knows no rules has after its frames: the number and the position."""
    no, position = 0, None
    for message in viewer.messages[start:]:
        if isinstance(message, Snapshot):
            no, position = message.no, message.position
        elif isinstance(message, Update):
            assert message.no > no, "updates come in order, none twice"
            no = message.no
            for event in message.events:
                position = event.position if position is None else evolve(position, event)  # type: ignore[union-attr]
    return no, position


@pytest.mark.parametrize("codec", [MSGPACK, JSON])
async def test_every_viewer_has_the_view_of_his_seat_after_a_game(codec: str) -> None:
    house = await House().start()
    room, ann, bob = await played(house, codec=codec)
    cat = await house.enter(room, "cat", codec)
    chance = random.Random(8)
    for number in range(40):
        await house.play(room, (ann, bob)[number % 2], some_move(room, number % 2, chance))
    position = room.state.position
    assert position is not None
    for viewer, seat in ((ann, 0), (bob, 1), (cat, None)):
        assert folded(viewer, room.state.rules)[1] == view(room.state.rules, position, seat)
    assert await search_for_hidden_cards(house, room) > 200


async def test_no_frame_holds_a_hidden_card_or_the_seed_before_the_end() -> None:
    house = await House().start()
    room, ann, bob = await played(house, plays=120)
    await house.enter(room, "cat", watch=True)
    seed = room.state.seed
    assert seed is not None
    await search_for_hidden_cards(house, room)
    for viewer in house.viewers:
        assert not any(seed in frame or seed.hex().encode() in frame for frame in viewer.frames)
    await house.play(room, ann, Resign())
    last = bob.last(Update)
    assert isinstance(last, Update)
    assert last.table is not None
    assert last.table.games[0].seed == seed.hex()


async def test_resume_at_every_number_gives_what_the_others_have() -> None:
    house = await House().start()
    room, _, _ = await played(house, plays=40)
    truth = await positions(house.store, room.match)
    rules = room.state.rules
    begun = next(no for no, position in truth.items() if position is not None)
    for since in range(begun, room.state.no + 1):
        cat = await house.enter(room, "cat", watch=True, since=since)
        then = truth[since]
        assert then is not None
        position = view(rules, then, None)
        assert not any(isinstance(message, Snapshot) for message in cat.messages)
        assert cat.messages[-1] == Resumed(room.state.no)
        for message in cat.messages[:-1]:
            assert isinstance(message, Update)
            for event in message.events:
                position = evolve(position, event)
        now = room.state.position
        assert now is not None
        assert position == view(rules, now, None), since
        room.detach(cat)


@pytest.mark.parametrize("since", [0, 10**6])
async def test_what_is_not_kept_is_answered_by_a_snapshot(since: int) -> None:
    house = await House().start()
    room, _, _ = await played(house, plays=10)
    cat = await house.enter(room, "cat", watch=True, since=since)
    snapshot = cat.messages[0]
    assert isinstance(snapshot, Snapshot)
    assert snapshot.rewound == (since > 0)


async def test_a_seat_resumes_with_its_legal_targets_and_its_counter() -> None:
    house = await House().start()
    room, ann, _bob = await played(house, plays=21)
    room.detach(ann)
    await house.jump(20_000)
    assert room.state.running, "20 s are within the grace"
    again = await house.enter(room, "ann")
    snapshot = again.messages[0]
    assert isinstance(snapshot, Snapshot)
    assert (snapshot.seat, snapshot.n) == (0, room.state.logs[0].n)
    assert snapshot.legal is not None
    assert snapshot.position == view(room.state.rules, room.state.position, 0)  # type: ignore[arg-type]
    room.detach(again)
    once_more = await house.enter(room, "ann", since=snapshot.no)
    assert once_more.messages[-1] == Resumed(room.state.no, room.state.logs[0].n)
    legal = once_more.messages[-2]
    assert isinstance(legal, LegalNow)
    assert legal.legal == snapshot.legal


async def test_an_illegal_play_is_refused_at_once_and_leaves_no_trace() -> None:
    house = await House().start()
    room, ann, bob = await house.duel()
    bob.new()
    head = room.state.no
    answer = await house.play(room, ann, Move(60, "f"))
    assert answer == []
    assert isinstance(ann.messages[-1], Refused)
    assert ann.messages[-1].n == ann.n
    assert room.state.no == head
    assert bob.new() == []


async def test_with_something_queued_the_log_judges() -> None:
    house = await House().start()
    room, ann, bob = await house.duel()
    head = room.state.no
    house.send(room, ann, Draw())
    house.send(room, bob, Move(3, "f"))
    await house.settle()
    assert room.state.no == head + 2
    assert isinstance(bob.messages[-1], Update)
    assert bob.messages[-1].refusal is not None
    assert ann.messages[-1].no == head + 1, "nobody else sees a refusal"  # type: ignore[union-attr]


async def test_two_plays_in_one_tick_both_count() -> None:
    house = await House().start()
    room, ann, bob = await house.duel()
    seen = room.state.no
    house.send(room, ann, Draw(), seen=seen)
    house.send(room, bob, Draw(), seen=seen)
    await house.settle()
    assert room.state.position is not None
    assert [len(seat.waste) for seat in room.state.position.seats] == [1, 1]


async def test_a_resent_play_counts_once() -> None:
    house = await House().start()
    room, ann, _ = await house.duel()
    for _ in range(3):
        room.play(ann, Play(ann.n + 1, room.state.no, Draw()))
        await house.settle()
    assert room.state.position is not None
    assert len(room.state.position.seats[0].waste) == 1


async def test_legal_targets_come_with_updates_to_who_asked_and_on_request() -> None:
    house = await House().start()
    room, ann, _ = await house.duel()
    plain = await house.enter(room, "bob", legal=False)
    await house.play(room, ann, Draw())
    mine, theirs = ann.messages[-1], plain.messages[-1]
    assert isinstance(mine, Update)
    assert isinstance(theirs, Update)
    assert mine.legal is not None
    assert theirs.legal is None
    room.ask_legal(plain)
    answer = plain.messages[-1]
    assert isinstance(answer, LegalNow)
    assert room.state.position is not None
    assert answer.legal == engine.legal(room.state.rules, room.state.position, 1)


async def test_two_stuck_seats_end_the_game_and_one_alone_is_told_to_nobody() -> None:
    """A seat whose proof is in the log alone brings no frame."""
    house = await House().start()
    room, ann, bob = await house.duel(DuelTerms(game_seconds=None))
    for viewer in (ann, bob):
        viewer.new()
    room.log.append(ProvedStuck(0, room.state.no))
    await house.settle()
    assert room.state.position is not None
    assert room.state.position.seats[0].stuck
    assert (ann.new(), bob.new()) == ([], [])
    snapshot = await house.enter(room, "cat")
    assert "stuck" not in repr([m for m in snapshot.frames if b"stuck" in m])
    room.log.append(ProvedStuck(1, room.state.no))
    await house.settle()
    events = [event for message in ann.new() if isinstance(message, Update) for event in message.events]
    assert [type(event) for event in events] == [Ended]


async def test_under_the_penalty_an_illegal_move_is_an_entry_and_the_wait_is_refused_without_one() -> None:
    house = await House().start()
    room, ann, bob = await house.duel(DuelTerms(penalty=True))
    bob.new()
    head = room.state.no
    for _ in range(3):
        await house.play(room, ann, Move(60, "f"))
    assert room.state.no == head + 3
    answer = ann.messages[-1]
    assert isinstance(answer, Update)
    assert answer.refusal == Refusal("not_yours") or answer.refusal == Refusal("no_such_card")
    await house.play(room, ann, Draw())
    assert ann.messages[-1] == Refused(ann.n, Refusal("waiting"))
    assert room.state.no == head + 3
    assert bob.new() == [], "the other seat learns nothing of it"
    await house.jump(3_000)
    await house.play(room, ann, Draw())
    assert isinstance(ann.messages[-1], Update)


async def test_who_has_seen_more_than_this_node_is_judged_by_the_log() -> None:
    house = await House().start()
    room, ann, _ = await house.duel()
    head = room.state.no
    await house.play(room, ann, Move(60, "f"), seen=head + 5)
    assert room.state.no == head + 1
    assert isinstance(ann.messages[-1], Update)
    assert ann.messages[-1].refusal is not None


async def test_a_play_at_the_moment_of_the_start_is_judged_by_the_log() -> None:
    """The node's timer has not fired yet: what it knows is not the law any more."""
    house = await House().start()
    room, ann = await house.create()
    bob = await house.enter(room, "bob")
    for viewer in (ann, bob):
        await house.play(room, viewer, Ready(viewer.identity.encode().hex().ljust(32, "0")))
    await house.jump(2_999)
    await house.play(room, ann, Draw())
    assert ann.messages[-1] == Refused(ann.n, Refusal("not_started"))
    house.clock.ms += 1
    await house.play(room, ann, Draw())
    update = ann.last(Update)
    assert isinstance(update, Update)
    assert (update.n, update.refusal, len(update.events)) == (ann.n, None, 2)
