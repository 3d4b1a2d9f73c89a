"""Books from results: what counts, what does not, and that it is the same in whatever batches it comes."""

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.archive import encode
from server.books import keeper
from server.books.keeper import Keeper
from server.storage.memory_records import MemoryRecords
from shared.protocol import AskBoard, AskDaily, AskHistory, AskProfile, Failed, ResetBank
from shared.table import GameResult
from shared.terms import DuelTerms, KlondikeTerms, TwoDeckTerms
from tests.books.made import DAY_MS, WALL, Office, duel, solo

RATED = DuelTerms(rated=True)


async def test_who_never_played_has_a_profile_without_games() -> None:
    office = Office()
    profile = await office.ask(AskProfile(1))
    assert (profile.identity, profile.own, profile.duels, profile.solos, profile.bank) == ("ann", True, (), (), None)
    history = await office.ask(AskHistory(2))
    assert (history.rows, history.before) == ((), None)


async def test_nobody_has_no_profile() -> None:
    for question in (AskProfile(7, "nobody"), AskHistory(7, "nobody")):
        failed = await Office().ask(question)
        assert isinstance(failed, Failed)
        assert (failed.code, failed.field, failed.ask) == ("no_such_player", "identity", 7)


async def test_a_duel_counts_for_both_and_leaving_is_a_loss() -> None:
    office = Office()
    await office.enter(duel("m1"), duel("m2", winner=1, reason="left", counts=(40, 3)), duel("m3", winner=1))
    ann = (await office.ask(AskProfile(1))).duels[0]
    bob = (await office.ask(AskProfile(1, "bob"))).duels[0]
    assert (ann.played, ann.won, ann.left, ann.streak, ann.best_streak) == (3, 1, 1, 0, 1)
    assert (bob.played, bob.won, bob.left, bob.streak, bob.best_streak) == (3, 2, 0, 2, 2)
    assert (ann.counts[52], ann.counts[40], ann.counts[31], sum(ann.counts)) == (1, 1, 1, 3)
    history = await office.ask(AskHistory(1, rival="bob"))
    assert (history.against.won, history.against.lost, history.against.void) == (1, 2, 0)
    assert [(row.match, row.won, row.sums) for row in history.rows] == [
        ("m3", False, (31, 52)),
        ("m2", False, (40, 3)),
        ("m1", True, (52, 31)),
    ]


@pytest.mark.parametrize("games", [(), None], ids=["did not take place", "void"])
async def test_a_void_match_counts_for_nothing(games: Any) -> None:
    office = Office()
    given_games = {} if games is None else {"games": games}
    await office.enter(duel("m1", winner=None, counts=(0, 0), terms=RATED, **given_games))
    profile = await office.ask(AskProfile(1))
    assert profile.duels == ()
    assert len((await office.ask(AskHistory(1))).rows) == (games is None)


async def test_rated_matches_change_ratings_and_casual_ones_do_not() -> None:
    office = Office()
    await office.enter(duel("m1"))
    assert (await office.ask(AskProfile(1))).duels[0].rating is None
    await office.enter(*(duel(f"r{n}", terms=RATED) for n in range(10)))
    ann, bob = [(await office.ask(AskProfile(1, who))).duels[0].rating for who in ("ann", "bob")]
    assert ann.value > 1600
    assert bob.value < 1400
    assert ann.games == bob.games == 10
    rows = (await office.ask(AskHistory(1))).rows
    assert rows[0].rating == ann.value
    assert [row.change is None for row in rows] == [False] * 10 + [True]
    assert sum(row.change for row in rows[:10]) == pytest.approx(ann.value - 1500, abs=1)
    board = await office.ask(AskBoard(1, "rating", "simultaneous"))
    assert [(row.rank, row.name, row.mine) for row in board.rows] == [(1, "Ann", True), (2, "Bob", False)]
    assert (await office.ask(AskBoard(1, "rating", "alternating"))).rows == ()
    assert await office.desk.rating("ann", RATED) == ann.value
    assert await office.desk.rating("ann", DuelTerms()) is None


async def test_a_computer_is_measured_by_settled_people_who_lose_nothing_by_it() -> None:
    office = Office()
    against = ("ann", "bot:expert")
    await office.enter(duel("c1", against, 1), *(duel(f"r{n}", terms=RATED) for n in range(10)), duel("c2", against, 1))
    ann = (await office.ask(AskProfile(1))).duels[0]
    bot = (await office.ask(AskProfile(1, "bot:expert"))).duels[0]
    assert (bot.played, bot.won, bot.rating.games) == (2, 2, 1)
    assert ann.rating.games == 10
    assert (await office.ask(AskHistory(1))).rows[0].change is None


async def test_solo_statistics() -> None:
    office = Office()
    await office.enter(
        solo("m1", tally={"played_ms": 100_000, "moves": 130}),
        solo("m2", tally={"played_ms": 300_000, "moves": 110, "score": 745, "bonus": 0}),
        solo("m3", reason="abandoned", tally={"moves": 4, "played_ms": 9_000, "score": 3000}),
        solo("m4", reason="abandoned", tally={"moves": 0, "played_ms": 0}),
        solo("m5", terms=KlondikeTerms(draw=3, scoring="vegas"), reason="abandoned"),
    )
    one, other = (await office.ask(AskProfile(1))).solos
    assert (one.game, one.draw, one.scoring, one.played, one.won) == ("klondike", 1, "standard", 3, 2)
    assert (one.best_ms, one.average_ms, one.least_moves, one.average_moves) == (100_000, 200_000, 110, 120)
    assert (one.best_score, one.average_score, one.played_ms) == (800, 772, 409_000)
    assert (one.streak, one.best_streak) == (0, 2)
    assert (other.draw, other.scoring, other.played, other.won, other.best_score) == (3, "vegas", 1, 0, None)
    rows = (await office.ask(AskHistory(1))).rows
    assert [(row.match, row.won) for row in rows] == [("m5", False), ("m3", False), ("m2", True), ("m1", True)]


OFF_THE_BOARDS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "typed code": ({"terms": KlondikeTerms(code="KL1-D1S-AAAAAAB")}, ("code",)),
    "restart": ({"restarts": 1}, ("restart",)),
    "any card to an empty column": ({"terms": KlondikeTerms(empty_column="any")}, ("house_rule",)),
    "open deal": ({"terms": KlondikeTerms(open_deal=True), "restarts": 2}, ("restart", "house_rule")),
    "lost": ({"reason": "abandoned", "tally": {"score": 5000}}, ()),
    "faster than hands": ({"tally": {"played_ms": 19_999}}, ("too_fast",)),
    "faster than the server's clock": ({"ended_ms": 19_999}, ("too_fast",)),
}


@pytest.mark.parametrize(("given_", "why"), OFF_THE_BOARDS.values(), ids=OFF_THE_BOARDS)
async def test_off_the_boards(given_: dict[str, Any], why: tuple[str, ...]) -> None:
    office = Office()
    await office.enter(solo("m1", date="2026-12-01", **given_), solo("m2", "bob", date="2026-12-01"))
    for board in ("won", "score", "time", "moves", "streak"):
        rows = (await office.ask(AskBoard(1, board, "klondike"))).rows
        assert [row.name for row in rows] == ["Bob"], board
    assert (await office.ask(AskProfile(1))).solos[0].played == 1
    assert (await office.ask(AskHistory(1))).rows[0].off == why


async def test_two_decks_with_a_worry_back_are_off_the_boards() -> None:
    office = Office()
    terms = TwoDeckTerms(draw=3)
    await office.enter(solo("m1", terms=terms, tally={"worry_backs": 1}), solo("m2", "bob", terms=terms))
    rows = (await office.ask(AskBoard(1, "won", "two_deck", 3, "normal"))).rows
    assert [row.name for row in rows] == ["Bob"]
    assert (await office.ask(AskHistory(1))).rows[0].off == ("worry_back",)
    assert (await office.ask(AskHistory(1), "bob")).rows[0].off == ()


async def test_boards_rank_the_best_of_each_and_equals_share_a_rank() -> None:
    office = Office()
    await office.enter(
        solo("m1", tally={"moves": 120}),
        solo("m2", "bob", tally={"moves": 110}),
        solo("m3", "cat", tally={"moves": 110}),
        solo("m4", "ann", tally={"moves": 100, "undos": 1}),
        solo("m5", "ann", tally={"moves": 200}),
    )
    board = await office.ask(AskBoard(1, "moves", "klondike"))
    assert [(row.rank, row.name, row.value, row.match) for row in board.rows] == [
        (1, "Ann", 100, "m4"),
        (2, "Bob", 110, "m2"),
        (2, "Cat", 110, "m3"),
    ]
    clean = await office.ask(AskBoard(1, "moves", "klondike", clean=True))
    assert [(row.rank, row.name, row.value) for row in clean.rows] == [
        (1, "Bob", 110),
        (1, "Cat", 110),
        (3, "Ann", 120),
    ]
    won = await office.ask(AskBoard(1, "won", "klondike"))
    assert [(row.name, row.value) for row in won.rows] == [("Ann", 3), ("Bob", 1), ("Cat", 1)]


async def test_a_new_version_of_the_rules_opens_new_boards() -> None:
    office = Office()
    await office.enter(solo("m1"), solo("m2", "bob", rules=2))
    new = await office.ask(AskBoard(1, "won", "klondike"))
    old = await office.ask(AskBoard(1, "won", "klondike", rules=1))
    assert (new.rules, new.versions, [row.name for row in new.rows]) == (2, (1, 2), ["Bob"])
    assert [row.name for row in old.rows] == ["Ann"]


async def test_beyond_the_rows_shown_one_sees_his_own() -> None:
    office = Office()
    await office.enter(*(solo(f"m{n}", f"p{n}", tally={"moves": 100 + n}) for n in range(105)))
    board = await office.ask(AskBoard(1, "moves", "klondike"), "p103")
    assert len(board.rows) == 100
    assert (board.own.rank, board.own.value, board.own.mine) == (104, 203, True)


async def test_dailies_have_a_month_and_boards_of_their_date() -> None:
    office = Office()
    terms = KlondikeTerms(daily="2026-12-01", draw=3)
    await office.enter(
        solo("m1", terms=terms, date="2026-12-01"),
        solo("m2", "bob", terms=terms, date="2026-12-01", restarts=2),
    )
    month = await office.ask(AskDaily(1, "2026-12"))
    assert [(day.date, day.draw, day.won, day.score) for day in month.days] == [("2026-12-01", 3, True, 800)]
    assert len((await office.ask(AskDaily(1, "2026-12"), "bob")).days) == 1
    board = await office.ask(AskBoard(1, "time", "klondike", 3, date="2026-12-01"))
    assert [row.name for row in board.rows] == ["Ann"]
    streaks = await office.ask(AskBoard(1, "streak", "klondike", 3))
    assert {row.name for row in streaks.rows} == {"Ann", "Bob"}
    assert (await office.ask(AskBoard(1, "time", "klondike", 3))).rows == ()


async def test_a_daily_cannot_be_watched_while_it_is_that_date_somewhere() -> None:
    office = Office()
    date = "2023-11-14"  # of the fake clock
    await office.enter(solo("m1", terms=KlondikeTerms(daily=date), date=date))
    assert not (await office.ask(AskHistory(1))).rows[0].replay
    office.clock.ms += 2 * DAY_MS
    assert (await office.ask(AskHistory(1))).rows[0].replay


async def test_a_streak_goes_on_through_days() -> None:
    office = Office()
    days = ("2023-11-12", "2023-11-13", "2023-11-14")
    await office.enter(*(solo(f"m{n}", date=day, wall_ms=WALL - (2 - n) * DAY_MS) for n, day in enumerate(days)))
    streak = (await office.ask(AskProfile(1))).days
    assert (streak.current, streak.best, streak.last) == (3, 3, "2023-11-14")


async def test_the_bank_takes_each_start_and_can_be_emptied() -> None:
    office = Office()
    terms = KlondikeTerms(scoring="vegas", cumulative=True)
    await office.enter(
        solo("m1", terms=terms, reason="abandoned", tally={"score": -2}),
        solo("m2", terms=terms, tally={"score": 208}, earned=-52, restarts=1),
        solo("m3", terms=KlondikeTerms(scoring="vegas")),
        solo("m4", terms=terms, reason="abandoned", tally={"score": -52, "moves": 0}),
    )
    assert (await office.ask(AskProfile(1))).bank == 154
    assert (await office.ask(AskProfile(1), "bob")).bank is None
    assert (await office.ask(AskProfile(1, "ann"), "bob")).bank is None
    assert (await office.ask(ResetBank(2))).bank == 0
    await office.enter(solo("m5", terms=terms, reason="abandoned", tally={"score": -47}))
    assert (await office.ask(AskProfile(1))).bank == -47


WRONG_BOARDS = [
    (AskBoard(1, "rating", "klondike"), "board"),
    (AskBoard(1, "won", "simultaneous"), "board"),
    (AskBoard(1, "won", "klondike", scoring="normal"), "scoring"),
    (AskBoard(1, "won", "two_deck", scoring="standard"), "scoring"),
    (AskBoard(1, "score", "klondike", scoring="none"), "board"),
    (AskBoard(1, "time", "klondike", date="2026-13-41"), "date"),
    (AskBoard(1, "won", "klondike", date="2026-12-01"), "date"),
    (AskBoard(1, "time", "two_deck", scoring="normal", date="2026-12-01"), "date"),
]


@pytest.mark.parametrize(("question", "field"), WRONG_BOARDS)
async def test_a_board_that_there_is_not_is_told(question: AskBoard, field: str) -> None:
    failed = await Office().ask(question)
    assert isinstance(failed, Failed)
    assert (failed.code, failed.field, failed.ask) == ("bad_question", field, 1)


async def test_a_history_comes_in_parts() -> None:
    office = Office()
    await office.enter(*(solo(f"m{n}") for n in range(123)))
    met: list[str] = []
    before = None
    for _ in range(5):
        history = await office.ask(AskHistory(1, before=before))
        met += [row.match for row in history.rows]
        before = history.before
        if before is None:
            break
    assert met == [f"m{n}" for n in reversed(range(123))]
    (row,) = (await office.ask(AskHistory(1, match="m120"))).rows
    assert row.match == "m120"


async def test_a_result_that_cannot_be_read_holds_up_nobody() -> None:
    office = Office()
    await office.records.add_result("broken", b"\x00")
    await office.enter(solo("m1"))
    assert (await office.ask(AskProfile(1))).solos[0].won == 1


async def test_two_nodes_at_the_same_results_count_each_once() -> None:
    office = Office()
    await office.enter(*(duel(f"m{n}", terms=RATED) for n in range(100)))
    keepers = [Keeper(office.records) for _ in range(3)]
    assert await asyncio.gather(*(one.catch_up() for one in keepers)) == [100] * 3
    assert (await office.ask(AskProfile(1))).duels[0].played == 100


PEOPLE = st.sampled_from(["ann", "bob", "cat", "bot:expert"])
DUELS = st.builds(
    lambda players, winner, rated: duel("", players, winner, terms=RATED if rated else DuelTerms()),
    st.tuples(PEOPLE, PEOPLE).filter(lambda both: both[0] != both[1]),
    st.sampled_from([0, 1, None]),
    st.booleans(),
)
SOLOS = st.builds(
    lambda who, reason, draw, moves, undos, day: solo(
        "",
        who,
        reason=reason,
        terms=KlondikeTerms(draw=draw),
        tally={"moves": moves, "undos": undos},
        date=f"2023-11-{day:02}",
        wall_ms=WALL - (30 - day) * DAY_MS,
    ),
    PEOPLE,
    st.sampled_from(["won", "abandoned"]),
    st.sampled_from([1, 3]),
    st.integers(0, 300),
    st.integers(0, 2),
    st.integers(1, 30),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(DUELS, SOLOS), max_size=25), st.lists(st.integers(1, 9), min_size=1))
def test_books_are_the_same_in_whatever_batches_and_add_up(results: list[Any], batches: list[int]) -> None:
    async def whole(sizes: list[int]) -> MemoryRecords:
        records = MemoryRecords()
        for number, result in enumerate(results):
            await records.add_result(f"m{number}", encode(result))
        for size in [*sizes * 30][: len(results) or 1]:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(keeper, "BATCH", size)
                await Keeper(records).catch_up()
        return records

    async def check() -> None:
        at_once, in_parts = await whole([1000]), await whole(batches)
        assert at_once._books == in_parts._books
        office = Office()
        office.records = at_once
        office.desk = office.other()
        for who in ("ann", "bob", "cat"):
            profile = await office.ask(AskProfile(1, who), who)
            for one in (*profile.duels, *profile.solos):
                assert 0 <= one.streak <= one.best_streak <= one.won <= one.played
            rows = (await office.ask(AskHistory(1, who), who)).rows
            assert sum(record.won for record in (*profile.duels, *profile.solos)) == sum(
                row.won is True for row in rows
            )
            for rival in ("ann", "bob", "cat", "bot:expert"):
                against = (await office.ask(AskHistory(1, who, rival), who)).against
                other = [row for row in rows if row.rival is not None and row.rival.identity == rival]
                assert against.won + against.lost + against.void == len(other)

    asyncio.run(check())


def test_a_game_result_of_a_void_game_is_no_count() -> None:
    """Of a match with a void game in it only the others count."""

    async def check() -> None:
        office = Office()
        sound = duel("m1")
        void = GameResult(duel("x", winner=None, counts=(0, 0)).outcome)
        await office.enter(duel("m2", games=(void, *sound.games)))
        record = (await office.ask(AskProfile(1))).duels[0]
        assert (record.played, sum(record.counts)) == (1, 1)

    asyncio.run(check())
