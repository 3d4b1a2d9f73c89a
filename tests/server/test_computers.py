"""A computer at the table: it plays by itself, by the door that people use, and never is away."""

from itertools import pairwise

import pytest

from server.computers import LATE_MS
from server.facts import Computer, Wished, unpack
from server.follow import fold_log
from server.ports import BadTerms
from server.room import Room
from server.storage.base import DEAD_MS, Appended
from shared.bots import NAMES, Bot
from shared.protocol import Snapshot
from shared.table import AgreeEnd, Player, Propose, Ready, Rematch
from shared.terms import DuelTerms, KlondikeTerms
from shared.view import view
from tests.server.fakes import FakeViewer
from tests.server.house import House, search_for_hidden_cards

NONCE = "ab" * 16


async def against(house: House, terms: DuelTerms | None = None, level: str = "expert") -> tuple[Room, FakeViewer]:
    """A match against the computer, entered."""
    room = await house.rooms.create("ann", "Ann", terms or DuelTerms(), level)  # type: ignore[arg-type]
    return room, await house.enter(room, "ann")


async def dealt(house: House, terms: DuelTerms | None = None, level: str = "expert") -> tuple[Room, FakeViewer]:
    room, ann = await against(house, terms, level)
    await house.play(room, ann, Ready(NONCE))
    await house.jump(3_100)
    assert room.state.running
    return room, ann


def bot_of(room: Room) -> Player:
    player = room.state.table.players[1]
    assert player is not None
    return player


async def wishes(house: House, room: Room, seat: int) -> list[tuple[int, Wished]]:
    """What a seat did: play time and entry."""
    answer = await house.store.log.read(room.match, 0)
    assert isinstance(answer, Appended)
    entries = [(stored.at, unpack(stored.data)) for stored in answer.entries]
    return [(at, entry) for at, entry in entries if isinstance(entry, Wished) and entry.seat == seat]


async def drive(house: House, room: Room, ann: FakeViewer, ms: int) -> None:
    """Let a second bot play the person's seat for a while."""
    hand = Bot("skilled", 0, 7)
    end = house.clock.ms + ms
    while room.state.running and house.clock.ms < end:
        state = room.state
        assert state.position is not None
        seen = view(state.rules, state.position, 0)
        due = hand.look(state.rules, seen, room.now(), state.logs[0].n)
        if due is not None and due <= room.now():
            command = hand.act(state.rules, seen, room.now(), state.logs[0].n)
            if command is not None:
                await house.play(room, ann, command)
        await house.jump(100)


async def test_the_computer_sits_and_is_ready_with_its_bytes_before_the_person_is() -> None:
    house = await House().start()
    room, ann = await against(house)
    table = room.state.table
    bot = bot_of(room)
    assert (bot.bot, bot.identity, bot.ready, bot.present, table.code) == (True, "bot:expert", True, True, None)
    assert table.commitment is not None
    assert bot.nonce is not None
    await house.play(room, ann, Ready(NONCE))
    assert room.state.table.phase == "countdown"
    assert room.state.nonces == [NONCE, bot.nonce]


@pytest.mark.parametrize("tempo", ["simultaneous", "alternating"])
@pytest.mark.parametrize("level", NAMES)
async def test_it_plays_whole_duels_and_nothing_of_it_is_refused(
    tempo: str, level: str, capsys: pytest.CaptureFixture[str]
) -> None:
    house = await House().start()
    room, ann = await dealt(house, DuelTerms(tempo=tempo), level)  # type: ignore[arg-type]
    await drive(house, room, ann, 900_000)
    table = room.state.table
    assert table.phase == "over"
    assert table.result is not None
    assert table.result.reason in {"out", "complete", "both_stuck", "both_declared", "both_passed", "time"}
    assert "computer refused" not in capsys.readouterr().out
    answer = await house.store.log.read(room.match, 0)
    assert isinstance(answer, Appended)
    _, done = fold_log(room.match, answer.entries)
    refused = {folded.refusal.code for folded, _ in done if folded.seat == 1 and folded.refusal is not None}
    assert refused <= {"overtaken"}
    plays = await wishes(house, room, 1)
    assert len(plays) > 20
    assert [entry.n for _, entry in plays] == list(range(1, len(plays) + 1))
    assert await search_for_hidden_cards(house, room) > 100
    assert await house.store.log.archived(room.match) is not None


async def test_it_takes_its_time() -> None:
    house = await House().start()
    room, _ = await dealt(house, level="expert")
    await house.jump(60_000)
    times = [at for at, _ in await wishes(house, room, 1)]
    gaps = [later - at for at, later in pairwise(times)]
    assert min(gaps) >= 400
    assert len(set(gaps)) > 5, "no metronome"


async def test_who_leaves_the_computer_loses_and_the_computer_is_never_away() -> None:
    house = await House().start()
    room, ann = await dealt(house)
    await drive(house, room, ann, 20_000)
    room.detach(ann)
    await house.jump(63_000)
    assert bot_of(room).present
    result = room.state.table.result
    assert result is not None
    assert (result.reason, result.winner) == ("left", 1)


async def test_a_crash_of_the_server_does_not_stop_it() -> None:
    house = await House().start()
    room, ann = await dealt(house)
    await drive(house, room, ann, 10_000)
    made = len(await wishes(house, room, 1))
    assert made > 3
    await house.crash("c")
    again = await house.rooms.find(room.match)
    assert again is not None
    ann2 = await house.enter(again, "ann")
    snapshot = ann2.messages[0]
    assert isinstance(snapshot, Snapshot)
    ann2.n = snapshot.n
    await drive(house, again, ann2, 600_000)
    plays = await wishes(house, again, 1)
    assert len(plays) > made + 10
    assert [entry.n for _, entry in plays] == list(range(1, len(plays) + 1))
    assert again.state.table.phase == "over"


@pytest.mark.parametrize("stays", [True, False])
async def test_two_nodes_do_not_play_it_twice(*, stays: bool) -> None:
    """The node of the person's connection plays; if there is none, any does, and what both play counts once."""
    house = await House().start()
    room, ann = await dealt(house)
    other = await house.beside("c")
    there = await other.rooms.find(room.match)
    assert there is not None
    await other.enter(there, "cat", watch=True)
    if not stays:
        room.detach(ann)
    for _ in range(250):
        await house.jump(200)
        there.log.refresh()
        await other.settle()
    room.log.refresh()
    there.log.refresh()
    await house.settle()
    plays = await wishes(house, room, 1)
    numbers = [entry.n for _, entry in plays]
    assert len(set(numbers)) > (30 if stays else 10)
    assert sorted(set(numbers)) == list(range(1, max(numbers) + 1))
    assert not stays or len(set(numbers)) == len(numbers)
    assert there.state.digest == room.state.digest


async def test_who_took_the_match_over_plays_it_at_its_pace() -> None:
    """A node that is only beside waits three seconds more for each play; the one that adopted it does not."""
    house = await House().start()
    room, _ = await dealt(house)
    other = await house.beside("c")
    house.rooms._pulse.stop()
    house.rooms._computers.stop()
    await other.jump(DEAD_MS + 2_100)
    there = other.rooms._open[room.match]
    assert all(player is None or player.bot or not player.present for player in there.state.table.players)
    made = len(await wishes(house, room, 1))
    await other.jump(20_000)
    assert len(await wishes(house, room, 1)) - made > 20_000 / LATE_MS


async def test_it_takes_a_rematch_and_plays_it_with_other_bytes() -> None:
    house = await House().start()
    room, ann = await dealt(house)
    first = room.state.table.game, room.state.nonces[1]
    await drive(house, room, ann, 900_000)
    await house.play(room, ann, Rematch())
    await house.settle()
    table = room.state.table
    assert table.next_match is not None
    again = await house.rooms.find(table.next_match)
    assert again is not None
    ann2 = await house.enter(again, "ann")
    bot = bot_of(again)
    assert (bot.identity, bot.ready) == ("bot:expert", True)
    assert bot.nonce not in {None, first[1]}
    await house.play(again, ann2, Ready(NONCE))
    await house.jump(20_000)
    assert len(await wishes(house, again, 1)) > 3


async def test_it_plays_all_games_of_a_match() -> None:
    house = await House().start()
    room, ann = await dealt(house, DuelTerms(games=3))
    await drive(house, room, ann, 900_000)
    assert room.state.table.phase == "between"
    assert bot_of(room).ready
    await house.play(room, ann, Ready(NONCE))
    await house.jump(13_000)
    assert room.state.table.game == 2
    assert any(entry.n for at, entry in await wishes(house, room, 1) if at > room.now() - 9_000)


async def test_it_agrees_to_end_a_game_only_when_it_sees_no_more_use() -> None:
    house = await House().start()
    room, ann = await dealt(house)
    await house.play(room, ann, AgreeEnd())
    assert room.state.table.end_declined == 1, "at once, while it has something to play"
    while not room.state.table.games:
        await house.jump(40_000)
        if not agrees(room):
            await house.play(room, ann, AgreeEnd())
    assert room.state.table.games[0].outcome.reason in {"agreed", "both_stuck"}


def agrees(room: Room) -> bool:
    player = room.state.table.players[0]
    return player is not None and player.agrees_end


async def test_games_with_it_are_never_rated_and_it_is_no_solo_player() -> None:
    house = await House().start()
    with pytest.raises(BadTerms, match="rated"):
        await against(house, DuelTerms(rated=True))
    with pytest.raises(BadTerms) as error:
        await house.rooms.create("ann", "Ann", KlondikeTerms(), "expert")
    assert error.value.field == "bot"
    room, ann = await against(house)
    await house.play(room, ann, Propose(DuelTerms(rated=True)))
    assert room.state.table.terms == DuelTerms()
    await house.play(room, ann, Propose(DuelTerms(draw=(3, 3))))
    assert room.state.table.terms == DuelTerms(draw=(3, 3))
    assert bot_of(room).ready, "at once again"


async def test_nobody_else_gets_its_seat() -> None:
    house = await House().start()
    room, _ = await against(house)
    bob = await house.enter(room, "bob")
    snapshot = bob.messages[0]
    assert isinstance(snapshot, Snapshot)
    assert snapshot.seat is None


def test_its_secret_is_masked_and_its_bytes_differ_by_game() -> None:
    computer = Computer("expert", bytes(32))
    assert "\\x00" not in repr(computer)
    assert len({computer.nonce(1), computer.nonce(2), computer.again().nonce(1)}) == 3
    assert computer.chance(1) != computer.chance(2)
