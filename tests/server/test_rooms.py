"""How matches are made, found, kept and let go."""

import asyncio
import itertools

import pytest

from server.archive import decode_archive, decode_result
from server.match.games import next_match_id
from server.opening import CODE_LETTERS, read_room_code
from server.ports import BadTerms, Unavailable
from server.rooms import IDLE_BEATS
from shared.evolve import evolve
from shared.moves import Draw, Resign, Restored
from shared.position import Position, Seat
from shared.terms import DuelTerms, KlondikeTerms, Terms, TwoDeckTerms
from tests.server.house import House
from tests.server.winning import win


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("abcde", "ABCDE"),
        (" AB-C DE ", "ABCDE"),
        ("ab\u2013cde", "ABCDE"),
        ("ＡＢＣＤＥ", "ABCDE"),  # noqa: RUF001 - typed on a Japanese keyboard
        ("ABCD", None),
        ("ABCDEF", None),
        ("ABCD1", None),
        ("ABCDI", None),
        ("ABCDO", None),
        ("", None),
        ("äBCDE", None),
    ],
)
def test_a_room_code_is_read_forgivingly(text: str, read: str | None) -> None:
    assert read_room_code(text) == read


def test_room_codes_have_no_letter_that_is_taken_for_another() -> None:
    assert set("ILO01") & set(CODE_LETTERS) == set()
    assert len(CODE_LETTERS) == 23


async def test_a_room_is_found_by_its_id_and_its_code_while_it_runs_and_by_its_code_no_more_after_it() -> None:
    house = await House().start()
    room, ann, bob = await house.duel()
    code = room.state.code
    assert code is not None
    assert await house.rooms.find(room.match) is room
    assert await house.rooms.by_code(code.lower()) is room
    await house.play(room, ann, Resign())
    assert await house.rooms.by_code(code) is None
    assert await house.rooms.find(room.match) is room
    assert room.attached(bob)


@pytest.mark.parametrize("match", ["", "nothing", "x" * 64, "../../etc", "0" * 20])
async def test_what_was_never_made_is_not_found(match: str) -> None:
    house = await House().start()
    assert await house.rooms.find(match) is None
    assert await house.rooms.by_code(match) is None


async def test_two_who_look_at_once_get_one_room() -> None:
    house = await House().start()
    room, _ = await house.create()
    await house.crash("c")
    one, two = await asyncio.gather(house.rooms.find(room.match), house.rooms.find(room.match))
    assert one is two
    assert one is not None


@pytest.mark.parametrize(
    ("terms", "code", "field"),
    [
        (KlondikeTerms(code="KL1-D1S-AAAAAA1"), "bad_code", "terms.code"),
        (KlondikeTerms(code="DS1-D1N-AAAAAAB"), "bad_code", "terms.code"),
        (TwoDeckTerms(code="KL1-D1S-AAAAAAB"), "bad_code", "terms.code"),
        (TwoDeckTerms(code="DS2-D1N-AAAAAAB"), "bad_code", "terms.code"),
        (DuelTerms(rated=True, draw=(1, 3)), "bad_terms", "terms"),
        (DuelTerms(rated=True, mirror=True), "bad_terms", "terms"),
    ],
)
async def test_bad_terms_are_told_by_field(terms: Terms, code: str, field: str) -> None:
    house = await House().start()
    with pytest.raises(BadTerms) as error:
        await house.rooms.create("ann", "Ann", terms)
    assert (error.value.code, error.value.field) == (code, field)


@pytest.mark.parametrize(
    ("typed", "terms", "deal"),
    [
        ("kl1 d3v aaaaaab", KlondikeTerms(code="KL1-D3V-AAAAAAB", draw=3, scoring="vegas"), "KL1-D3V-AAAAAAB"),
        ("ds1d3naaaaaab", TwoDeckTerms(code="DS1-D3N-AAAAAAB", draw=3), "DS1-D3N-AAAAAAB"),
    ],
)
async def test_a_deal_code_fixes_draw_and_scoring(typed: str, terms: Terms, deal: str) -> None:
    house = await House().start()
    asked = KlondikeTerms(code=typed) if isinstance(terms, KlondikeTerms) else TwoDeckTerms(code=typed)
    room = await house.rooms.create("ann", "Ann", asked)
    assert room.state.table.terms == terms
    assert room.state.table.deal_code == deal


async def test_without_a_code_each_deal_is_another_and_says_its_code() -> None:
    house = await House().start()
    rooms = [await house.rooms.create("ann", "Ann", KlondikeTerms(draw=3)) for _ in range(20)]
    codes = {room.state.table.deal_code or "" for room in rooms}
    assert len(codes) == 20
    assert all(code.startswith("KL1-D3S-") for code in codes)


async def test_no_match_is_made_while_the_node_drains_but_those_that_run_go_on() -> None:
    house = await House().start()
    room, ann, _ = await house.duel()
    house.rooms.drain()
    with pytest.raises(Unavailable):
        await house.rooms.create("cat", "Cat", DuelTerms())
    await house.play(room, ann, Draw())
    assert room.state.position is not None
    assert room.state.position.seats[0].waste


async def test_an_idle_room_is_let_go_and_comes_back_when_asked_for() -> None:
    house = await House().start()
    room, ann = await house.create(KlondikeTerms())
    await house.play(room, ann, Draw())
    position = room.state.position
    await house.jump((IDLE_BEATS + 5) * 1000)
    assert len(house.rooms) == 1, "somebody looks at it"
    room.detach(ann)
    await house.jump((IDLE_BEATS + 5) * 1000)
    assert len(house.rooms) == 0
    again = await house.rooms.find(room.match)
    assert again is not None
    assert again is not room
    assert again.state.position is not None
    assert position is not None
    assert again.state.position.seats == position.seats
    back = await house.enter(again, "ann")
    back.n = again.state.logs[0].n
    await house.play(again, back, Draw())
    assert [len(seat.waste) for seat in again.state.position.seats] == [2]


async def test_a_running_duel_is_not_let_go_though_nobody_looks() -> None:
    house = await House().start()
    room, ann, bob = await house.duel(DuelTerms(grace_seconds=600))
    room.detach(ann)
    room.detach(bob)
    await house.jump((IDLE_BEATS + 5) * 1000)
    assert len(house.rooms) == 1


async def test_the_archive_replays_the_match_and_the_result_names_the_players() -> None:
    house = await House().start()
    room, ann, bob = await house.duel()
    for number in range(10):
        await house.play(room, (ann, bob)[number % 2], Draw())
    await house.play(room, bob, Resign())
    raw = await house.store.log.archived(room.match)
    assert raw is not None
    archive = decode_archive(raw)
    position: Position | None = None
    for entry in archive.entries:
        for event in entry.events:
            if position is None:
                assert isinstance(event, Restored)
                position = event.position
            else:
                position = evolve(position, event)
    assert position == room.state.position
    assert archive.table == room.state.table
    [(_, match, data)] = await house.store.records.results(0)
    result = decode_result(data)
    assert match == room.match
    assert (result.identities, result.names) == (("ann", "bob"), ("Ann", "Bob"))
    assert result.outcome.winner == 0
    assert result.games[0].seed


async def test_a_solo_win_is_recorded_once_and_its_log_stays() -> None:
    house = await House().start()
    room, ann = await house.create(KlondikeTerms(code="KL1-D1S-AAAAACH"))
    await win(house, room, ann)
    assert room.state.table.result is not None
    [(_, _, data)] = await house.store.records.results(0)
    result = decode_result(data)
    assert (result.outcome.reason, result.deal) == ("won", room.state.deal)
    assert result.tally is not None
    assert await house.store.log.archived(room.match) is not None


async def test_a_game_begun_in_the_moment_of_a_win_counts_too() -> None:
    """New Game while the cards of the win still fly: each win counts, and none is lost for being replaced."""
    house = await House().start()
    room, ann = await house.create(KlondikeTerms(code="KL1-D1S-AAAAACH"))
    for _ in range(3):
        before = room
        await win(house, room, ann)
        room = await house.rooms.create("ann", "Ann", KlondikeTerms(code="KL1-D1S-AAAAACH"))
        await house.join(room, ann)
        await house.rooms.give_up(before.match, "ann")
        await house.settle()
    reasons = [decode_result(data).outcome.reason for _, _, data in await house.store.records.results(0)]
    assert reasons == ["won"] * 3


def test_rematch_ids_are_derived_and_differ() -> None:
    ids = ["0123456789abcdef0123"]
    for _ in range(5):
        ids.append(next_match_id(ids[-1]))
    assert len(set(ids)) == 6
    assert {len(match) for match in ids} == {20}


async def test_stuck_seats_are_found_by_the_watch_and_end_the_game() -> None:
    """Both seats have one card each that can never go up: kings, their suits' piles empty."""
    house = await House().start()
    room, ann, bob = await house.duel(DuelTerms(game_seconds=None))
    position = room.state.position
    assert position is not None
    seats = tuple(Seat(((12 + 52 * i, 1 + 52 * i), *((),) * 6), (1, *(0,) * 6), (), (24 + 52 * i,)) for i in (0, 1))
    ace = tuple((13,) if i == 2 else () for i in range(8))
    room.state.position = Position(seats, ace, last_up=0)
    room.state.up_at = room.now()
    house.rooms._note(room.match)
    await house.jump(1_000)
    assert room.state.running, "a game is looked at when it is quiet"
    await house.jump(3_000)
    assert room.state.table.result is not None
    assert room.state.table.result.reason == "both_stuck"
    assert list(itertools.chain(ann.frames, bob.frames))


async def test_a_game_that_is_replaced_is_recorded_as_lost_and_one_without_a_move_leaves_nothing() -> None:
    house = await House().start()
    played, ann = await house.create(KlondikeTerms())
    await house.play(played, ann, Draw())
    untouched, _ = await house.create(KlondikeTerms())
    for room in (played, untouched):
        await house.rooms.give_up(room.match, "ann")
        await house.settle()
        assert room.state.table.phase == "over"
    [(_, match, data)] = await house.store.records.results(0)
    assert match == played.match
    result = decode_result(data)
    assert (result.outcome.reason, result.tally and result.tally.moves) == ("abandoned", 1)
    assert await house.store.log.archived(untouched.match) is None
    await house.rooms.give_up(played.match, "ann")
    assert len(await house.store.records.results(0)) == 1


async def test_nobody_gives_up_what_is_not_his_nor_a_duel() -> None:
    house = await House().start()
    solo, _ = await house.create(KlondikeTerms())
    duel, *_ = await house.duel()
    await house.rooms.give_up(solo.match, "bob")
    await house.rooms.give_up(duel.match, "ann")
    await house.rooms.give_up("no such match", "ann")
    assert (solo.state.table.phase, duel.state.table.phase) == ("playing", "playing")
