"""The daily challenge on the server (docs/daily.md)."""

import asyncio
import datetime as dt

import pytest

from server.archive import decode_result
from server.facts import Created, pack, unpack
from server.match import games
from server.match.state import State
from server.opening import check_terms
from server.ports import BadTerms
from shared.fair import daily_deal, daily_seed
from shared.protocol import Snapshot
from shared.table import Restart
from shared.terms import KlondikeTerms
from tests.server.fakes import JumpClock
from tests.server.house import House
from tests.server.winning import win

NOW = 1_700_000_000_000  # 2023-11-14, 22:13 UTC: the 14th in the west, the 15th in the east
DAY = "2023-11-14"


def daily(date: str = DAY, **more: object) -> KlondikeTerms:
    return KlondikeTerms(daily=date, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("date", ["2023-11-13", "2023-11-16", "2023-02-30", "0000-01-01", "2024-11-14"])
def test_a_date_that_it_is_nowhere_is_refused_by_its_field(date: str) -> None:
    with pytest.raises(BadTerms) as refused:
        check_terms(daily(date), wall_ms=NOW)
    assert refused.value.field == "terms.daily"


@pytest.mark.parametrize("minutes", [-660, -300, 0, 330, 780, 840])
@pytest.mark.parametrize("minute", [-1, 0, 1])
def test_the_local_date_is_taken_around_every_midnight(minutes: int, minute: int) -> None:
    zone = dt.timezone(dt.timedelta(minutes=minutes))
    local = dt.datetime(2026, 12, 2, tzinfo=zone) + dt.timedelta(minutes=minute)
    date = local.date()
    assert check_terms(daily(date.isoformat()), wall_ms=round(local.timestamp() * 1000)).daily == date


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        (daily(scoring="vegas"), "scoring"),
        (daily(passes=3), "passes"),
        (daily(worry_back=False), "worry_back"),
        (daily(empty_column="any"), "empty_column"),
        (daily(open_deal=True), "open_deal"),
        (daily(winnable=True), "winnable"),
        (daily(unlimited_hints=True), "unlimited_hints"),
        (daily(code="KL1-D1S-AAAAAAB"), "code"),
    ],
)
def test_only_the_draw_is_free(terms: KlondikeTerms, field: str) -> None:
    with pytest.raises(BadTerms) as refused:
        check_terms(terms, wall_ms=NOW)
    assert refused.value.field == f"terms.{field}"


async def test_begun_at_two_before_midnight_and_won_at_three_after_counts_for_the_day_of_the_start() -> None:
    house = await House().start()
    await house.jump(104 * 60_000)  # 23:57 UTC, and a while
    room = await house.rooms.create("ann", "Ann", daily())
    viewer = house.viewer("ann")
    viewer.offset = 0
    await house.join(room, viewer)
    await house.jump(5 * 60_000)
    await win(house, room, viewer)
    assert room.state.table.games[0].date == DAY
    await house.play(room, viewer, Restart())
    await win(house, room, viewer)
    assert len(await house.store.records.results(0)) == 1  # the first win counts
    morrow = await house.rooms.create("ann", "Ann", daily("2023-11-15"))
    assert morrow.state.running


async def test_a_date_is_one_deal_for_all_and_one_match_for_each_whose_draw_is_pinned() -> None:
    house = await House().start()
    ann = await house.rooms.create("ann", "Ann", daily(draw=3))
    again = await house.rooms.create("ann", "Ann", daily())
    bob = await house.rooms.create("bob", "Bob", daily())
    morrow = await house.rooms.create("ann", "Ann", daily("2023-11-15"))
    assert again is ann
    assert ann.state.table.terms == daily(draw=3)
    assert len({ann.match, bob.match, morrow.match}) == 3
    assert ann.state.decks == bob.state.decks != morrow.state.decks


async def test_two_nodes_at_once_make_one_match() -> None:
    house = await House().start()
    other = await house.beside("c")
    one, two = await asyncio.gather(
        house.rooms.create("ann", "Ann", daily()), other.rooms.create("ann", "Ann", daily(draw=3))
    )
    assert one.match == two.match
    assert one.state.table.terms == two.state.table.terms


async def test_no_code_seed_or_secret_leaves_the_server() -> None:
    house = await House().start()
    room = await house.rooms.create("ann", "Ann", daily())
    ann = await house.enter(room, "ann")
    secret = await house.store.records.secret("daily", b"")
    seed = daily_seed(secret, dt.date.fromisoformat(DAY))
    assert room.state.decks == (daily_deal(seed),)
    told = ann.last(Snapshot)
    assert isinstance(told, Snapshot)
    assert told.table.deal_code is None
    assert told.position is not None
    assert [card for card in told.position.seats[0].stock if card != -1] == []
    for frame in ann.frames:
        for value in (seed, secret):
            assert value not in frame
            assert value.hex().encode() not in frame
    assert repr(seed) not in repr(Created(daily(), (("ann", "Ann"),), NOW, 1, daily=seed))


@pytest.mark.parametrize(
    ("minutes", "date"), [(-660, DAY), (-300, DAY), (0, DAY), (330, "2023-11-15"), (840, "2023-11-15")]
)
async def test_a_win_is_credited_to_the_local_date_then(minutes: int, date: str) -> None:
    house = await House().start()
    for terms, credited in ((KlondikeTerms(code="KL1-D1S-AAAAAAB"), date), (daily(), DAY)):
        room = await house.rooms.create("ann", "Ann", terms)
        viewer = house.viewer("ann")
        viewer.offset = minutes
        await house.join(room, viewer)
        await win(house, room, viewer)
        assert room.state.table.games[0].date == credited
        results = [
            decode_result(data) for _, match, data in await house.store.records.results(0) if match == room.match
        ]
        assert [result.games[0].date for result in results] == [credited]


def test_midnight_passes_during_the_game() -> None:
    terms = KlondikeTerms()
    state = State("m", terms, (("ann", "Ann"),), NOW)
    midnight = 1_700_006_400_000  # 2023-11-15, 00:00 UTC
    state.local, state.at = (midnight - 120_000, 500), 500 + 119_999
    assert games._date_of_win(state) == DAY
    state.at += 1
    assert games._date_of_win(state) == "2023-11-15"
    state.local = None
    assert games._date_of_win(state) is None


async def test_begun_before_midnight_goes_on_after_it_and_the_new_day_is_open() -> None:
    clock = JumpClock()
    house = await House(clock=clock).start()
    room = await house.rooms.create("ann", "Ann", daily())
    await house.jump(3 * 3_600_000)
    morrow = await house.rooms.create("ann", "Ann", daily("2023-11-15"))
    assert await house.rooms.find(room.match) is not None
    assert games._date_of_win(room.state) == DAY
    assert games._date_of_win(morrow.state) == "2023-11-15"


def test_the_log_keeps_what_it_was_dealt_from() -> None:
    first = Created(daily(), (("ann", "Ann"),), NOW, 1, daily=b"x" * 32)
    assert unpack(pack(first)) == first
