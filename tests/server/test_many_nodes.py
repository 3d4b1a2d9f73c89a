"""Nodes that share a store: hints, lost ones too, who is dead, who takes over, who lets go, forks, newer rules.

Each node has a door of its own to one store in memory; one clock jumps for all.
"""

import pytest
from msgspec.structs import replace

from server.facts import Created, Forked, Gone, GoneNode, pack, unpack
from server.ports import NewerRules
from server.room import Room
from server.rooms import IDLE_BEATS
from server.storage.base import DEAD_MS, Stored
from shared.moves import Draw
from shared.protocol import Failed, MovedAway, Snapshot, Update
from shared.ruleset import VERSION
from shared.terms import DuelTerms, KlondikeTerms
from tests.server.fakes import FakeViewer
from tests.server.house import House, no_store


async def two_nodes(terms: DuelTerms | None = None) -> tuple[House, House, Room, Room, FakeViewer, FakeViewer]:
    """A duel between Ann, on node b, and Bob, on node c."""
    house = await House().start()
    other = await house.beside("c")
    await house.jump(1_100)
    room, ann = await house.create(terms or DuelTerms())
    there = await other.rooms.find(room.match)
    assert there is not None
    bob = await other.enter(there, "bob")
    await house.ready(room, ann)
    await other.ready(there, bob)
    assert room.state.running
    assert there.state.running
    return house, other, room, there, ann, bob


def log_of(house: House, room: Room) -> list[Stored]:
    return house.store.log._shared.logs[room.match]


def facts(house: House, room: Room, kind: type) -> int:
    return sum(isinstance(unpack(stored.data), kind) for stored in log_of(house, room))


def stop(house: House) -> None:
    """The node's process is stopped: it beats no more, and hears nothing."""
    house.rooms._pulse.stop()
    house.store.log.hinted = lambda match: None


async def test_two_players_on_two_nodes_see_each_others_plays() -> None:
    house, other, room, there, ann, bob = await two_nodes()
    await house.play(room, ann, Draw())
    assert isinstance(bob.messages[-1], Update)
    assert bob.messages[-1].no == room.state.no
    await other.play(there, bob, Draw())
    assert ann.messages[-1].no == there.state.no  # type: ignore[union-attr]
    assert room.state.digest == there.state.digest
    assert [player.present for player in room.state.table.players if player] == [True, True]
    assert house.rooms._searches(room) != other.rooms._searches(there), "one of them looks for stuck seats"


@pytest.mark.parametrize("times", [0, 2, 5])
async def test_a_hint_that_comes_twice_changes_nothing_and_a_lost_one_is_made_good(times: int) -> None:
    house, other, room, there, ann, bob = await two_nodes()
    hinted = other.store.log.hinted

    def hint(match: str) -> None:
        for _ in range(times):
            hinted(match)

    other.store.log.hinted = hint
    await house.play(room, ann, Draw())
    if times == 0:
        assert there.state.no < room.state.no
        other.store.log.missed([room.match, "of another node"])
        await house.settle()
    assert there.state.digest == room.state.digest
    numbers = [message.no for message in bob.messages if isinstance(message, Update)]
    assert numbers == sorted(set(numbers)), "each once"


async def test_a_dead_node_is_buried_once_and_its_matches_are_taken_over() -> None:
    house, other, _, there, _, _ = await two_nodes()
    solo, _ = await house.create(KlondikeTerms())
    alone = await house.rooms.create("dan", "Dan", DuelTerms())
    assert alone.match not in other.rooms._open
    stop(house)
    await other.jump(DEAD_MS + 2_100)
    assert [player.present for player in there.state.table.players if player] == [False, True]
    assert facts(other, there, GoneNode) == 1
    assert solo.match not in other.rooms._open, "a solo game waits for its player"
    ann = await other.enter(there, "ann")
    assert isinstance(ann.last(Snapshot), Snapshot)
    assert [player.present for player in there.state.table.players if player] == [True, True]


async def test_a_match_that_both_players_nodes_left_is_adopted_and_its_clock_goes_on() -> None:
    house, other, room, _, _, _ = await two_nodes(DuelTerms(game_seconds=60))
    third = await house.beside("d")
    stop(house)
    stop(other)
    await third.jump(DEAD_MS + 2_100)
    taken = third.rooms._open[room.match]
    assert taken.state.table.players[0] is not None
    assert [player.present for player in taken.state.table.players if player] == [False, False]
    await third.jump(62_000)
    assert taken.state.table.games, "its deadline passed, with nobody there"


async def test_who_joined_since_the_last_beat_is_not_taken_for_dead() -> None:
    house, _, room, there, _, _ = await two_nodes()
    third = await house.beside("d")
    late = await third.rooms.find(room.match)
    assert late is not None
    await third.enter(late, "ann")
    fourth = await house.beside("e")  # knows nobody yet but who beat
    fourth.rooms._pulse.is_alone = False
    found = await fourth.rooms.find(room.match)
    assert found is not None
    await house.jump(3_000)
    assert facts(house, room, GoneNode) == 0
    assert there.state.table.players[0].present  # type: ignore[union-attr]


async def test_a_node_that_was_taken_for_dead_begins_anew_under_another_name() -> None:
    house, other, room, there, ann, _ = await two_nodes()
    closed: list[str] = []
    house.life.on_death(lambda: closed.append(house.life.boot))
    old = house.life.boot
    beats, house.rooms._pulse._log = house.rooms._pulse._log, NoBeat(house)  # type: ignore[assignment]
    await other.jump(DEAD_MS + 2_100)
    assert facts(other, there, GoneNode) == 1
    house.rooms._pulse._log = beats
    await house.jump(1_100)
    assert closed == [f"{old}+"], "its connections were ended, and nothing of the old life is named by the new"
    assert room.closed
    assert not house.rooms._open
    assert [m.code for m in ann.messages if isinstance(m, Failed)] == ["unavailable"]
    again = await house.rooms.find(room.match)
    assert again is not None
    back = await house.enter(again, "ann")
    assert back.conn.startswith(f"{old}+.")
    await house.play(again, back, Draw())
    assert there.state.digest == again.state.digest
    assert there.state.table.players[0].present  # type: ignore[union-attr]
    await house.jump(3_000)
    assert facts(house, again, GoneNode) == 1, "it lives"


class NoBeat:
    """A log whose beats fail, as while the process is stopped."""

    def __init__(self, house: House) -> None:
        self.house = house

    async def beat(self) -> None:
        raise RuntimeError("stopped")


async def test_a_node_without_viewers_lets_go_what_a_players_node_sees_to() -> None:
    house, other, room, there, ann, _ = await two_nodes()
    room.detach(ann)
    moved = await other.enter(there, "ann")
    await house.jump(5_000)
    assert moved.last(MovedAway) is None
    await house.jump((IDLE_BEATS + 2) * 1_000)
    assert room.match not in house.rooms._open
    assert there.state.running
    assert other.store.log._shared.hosts[room.match] == {"c"}


async def test_a_lost_tail_is_noticed_at_the_next_reading_and_the_game_dealt_anew() -> None:
    house, _, room, there, ann, bob = await two_nodes()
    for _ in range(3):
        await house.play(room, ann, Draw())
    shown = room.state.no
    del log_of(house, room)[-2:]
    for node in (house.store.log, there._services.log):
        node.missed([room.match])  # type: ignore[attr-defined]
    await house.settle()
    assert room.state.digest == there.state.digest
    assert facts(house, room, Forked) >= 1
    for viewer in (ann, bob):
        rewound = [m for m in viewer.messages if isinstance(m, Snapshot) and m.rewound]
        assert rewound
        assert rewound[0].no < shown
    assert [game.outcome.reason for game in room.state.table.games] == ["void"]
    assert room.state.table.phase == "between"
    await house.jump(200)
    await house.ready(room, ann)
    bob.n = 0
    assert room.state.digest == there.state.digest


async def test_a_lost_tail_is_noticed_by_what_is_written_in_its_place() -> None:
    """No word of the store came: the number of an own entry, or of another node's, is held by another one here."""
    house, other, room, there, ann, bob = await two_nodes()
    for _ in range(3):
        await house.play(room, ann, Draw())
    del log_of(house, room)[-2:]
    await other.play(there, bob, Draw())
    assert facts(house, room, Forked) >= 1
    assert room.state.digest == there.state.digest
    assert [game.outcome.reason for game in room.state.table.games] == ["void"]


async def test_a_solo_game_goes_on_from_what_the_store_has() -> None:
    house = await House().start()
    await house.beside("c")
    room, ann = await house.create(KlondikeTerms())
    for _ in range(3):
        await house.play(room, ann, Draw())
    del log_of(house, room)[-1:]
    house.store.log.missed([room.match])
    await house.settle()
    snapshot = ann.last(Snapshot)
    assert isinstance(snapshot, Snapshot)
    assert snapshot.rewound
    assert room.state.running
    assert len(room.state.position.seats[0].waste) == 2  # type: ignore[union-attr]


async def test_a_match_is_made_with_the_rules_that_all_nodes_know() -> None:
    house = await House().start()
    other = await house.beside("c")
    await other.store.log.join("c", knows=VERSION - 1)
    await house.jump(1_100)
    match = "paired"
    await house.rooms.create_paired(match, (("ann", "Ann"), ("bob", "Bob")), DuelTerms(), 15_000)
    first = unpack(house.store.log._shared.logs[match][0].data)
    assert isinstance(first, Created)
    assert first.rules == VERSION - 1


@pytest.mark.parametrize("live", [False, True])
async def test_a_match_of_newer_rules_is_left_to_another_node(*, live: bool) -> None:
    house = await House().start()
    room, _ = await house.create()
    first = unpack(log_of(house, room)[0].data)
    assert isinstance(first, Created)
    await house.store.log.create("newer", pack(replace(first, rules=VERSION + 1)))
    if live:
        await house.store.log.set_live("newer", live=True)
        await house.jump(1_100)
        assert "newer" not in house.rooms._open
    with pytest.raises(NewerRules):
        await house.rooms.find("newer")
    assert len(house.store.log._shared.logs["newer"]) == 1, "it is not made void"


async def test_a_line_that_ended_while_the_store_was_away_is_gone_all_the_same() -> None:
    """Its end could not be written then; it is once the store is back."""
    house, _, room, there, ann, _ = await two_nodes()
    append = house.store.log.append
    no_store(house)
    room.detach(ann)
    await house.jump(4_500)
    assert there.state.table.players[0].present  # type: ignore[union-attr]
    house.store.log.append = append  # type: ignore[method-assign]
    await house.jump(4_000)
    assert not there.state.table.players[0].present  # type: ignore[union-attr]
    assert facts(house, room, Gone) == 1
