"""Answers questions to the records from the books (``shared.protocol.questions``)."""

import datetime as dt
from collections.abc import Awaitable, Callable
from typing import Any, Final

from msgspec.structs import replace

from server.books import games, ratings, sheets
from server.books.boards import group, ranks
from server.books.dates import day_is_over
from server.books.fold import RESET, BankReset, encode_reset
from server.books.keeper import Keeper
from server.books.solos import wins_of
from server.books.values import (
    PAGE,
    VERSIONS,
    AgainstBook,
    BoardBook,
    Days,
    DuelBook,
    HistoryPage,
    MonthBook,
    Place,
    PlayerBook,
    SoloBook,
    Versions,
    against_key,
    board_key,
    days_key,
    month_key,
    page_key,
    player_key,
)
from server.ports import Clock, Viewer
from server.storage.base import Records
from shared.protocol import (
    Against,
    Answer,
    AskBoard,
    AskDaily,
    AskGames,
    AskHistory,
    AskProfile,
    AskSheet,
    Board,
    BoardRow,
    DailyMonth,
    DayStreak,
    DuelRecord,
    Failed,
    GameNote,
    Games,
    History,
    HistoryRow,
    Profile,
    ResetBank,
    SoloRecord,
    ToRecords,
)
from shared.ruleset import VERSION
from shared.streaks import streak
from shared.terms import DuelTerms

#: Rows of a board that are shown.
SHOWN: Final = 100
#: Pages of a history that are looked through for one match.
_LAST_PAGES: Final = 3
_DAILY_BOARDS: Final = frozenset({"score", "time", "moves"})
_SCORINGS: Final = {"klondike": ("standard", "vegas", "none"), "two_deck": ("normal", "vegas")}
_RESET_BYTES: Final = 8
_MINUTE_MS: Final = 60_000
#: As the settings have it (``server.lifetimes``).
KEEP_GAMES_MS: Final = 30 * 86_400_000


class Desk:
    """See ``server.ports.RecordsPort``."""

    def __init__(
        self,
        records: Records,
        keeper: Keeper,
        *,
        clock: Clock,
        randbytes: Callable[[int], bytes],
        archived: sheets.Archived,
        keep_games_ms: int = KEEP_GAMES_MS,
    ) -> None:
        """``archived``: returns a match's replay; ``keep_games_ms``: how long a solo game stays that nobody plays."""
        self._archived = archived
        self._records = records
        self._keeper = keeper
        self._clock = clock
        self._randbytes = randbytes
        self._keep_games_ms = keep_games_ms

    async def answer(self, viewer: Viewer, question: ToRecords) -> Answer | Failed:
        """Return what the records know."""
        await self._keeper.catch_up()
        return await _SERVES[type(question)](self, viewer, question)

    async def rating(self, identity: str, terms: DuelTerms) -> float | None:
        """Return the rating by which ``identity`` is paired for ``terms``; ``None``: none, or they are casual."""
        if not terms.rated:
            return None
        await self._keeper.catch_up()
        player = await self._keeper.book(player_key(identity), PlayerBook)
        return ratings.value(player.duels.get(terms.tempo))

    # Profiles.

    async def _profile(self, viewer: Viewer, question: AskProfile) -> Answer | Failed:
        identity = question.identity or viewer.identity
        named = await self._named(viewer, identity)
        if named is None:
            return _nobody(question.ask)
        player = await self._keeper.book(player_key(identity), PlayerBook)
        days = await self._keeper.book(days_key(identity), Days)
        own = identity == viewer.identity
        return Profile(
            ask=question.ask,
            identity=identity,
            name=named[0],
            own=own,
            since=named[1],
            duels=tuple(_duel_record(tempo, book) for tempo, book in sorted(player.duels.items()) if book.played),
            solos=tuple(_solo_record(kind, book) for kind, book in sorted(player.solos.items())),
            days=self._streak(days, viewer),
            bank=player.bank if own else None,
        )

    async def _reset(self, viewer: Viewer, question: ResetBank) -> Answer | Failed:
        name = f"{RESET}{self._randbytes(_RESET_BYTES).hex()}"
        await self._records.add_result(name, encode_reset(BankReset(viewer.identity, self._clock.wall_ms())))
        await self._keeper.catch_up()
        return await self._profile(viewer, AskProfile(question.ask))

    async def _named(self, viewer: Viewer, identity: str) -> tuple[str, int] | None:
        """Return the nickname, and since when (s); ``None``: there is no such player."""
        if identity.startswith("bot:"):
            return f"Computer ({identity[4:]})", 0
        found = await self._records.identity(identity)
        if found is not None:
            return found.name, found.made_at
        return (viewer.name, 0) if identity == viewer.identity else None

    def _today(self, viewer: Viewer) -> dt.date:
        local = self._clock.wall_ms() + (viewer.offset or 0) * _MINUTE_MS
        return (dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(milliseconds=local)).date()

    def _streak(self, days: Days, viewer: Viewer) -> DayStreak:
        found = streak(wins_of(days), self._today(viewer))
        return DayStreak(found.current, found.best, None if found.last is None else found.last.isoformat())

    # Histories.

    async def _history(self, viewer: Viewer, question: AskHistory) -> Answer | Failed:
        identity = question.identity or viewer.identity
        named = await self._named(viewer, identity)
        if named is None:
            return _nobody(question.ask)
        player = await self._keeper.book(player_key(identity), PlayerBook)
        against, numbers = None, list(range(player.rows))
        if question.rival is not None:
            book = await self._keeper.book(against_key(identity, question.rival), AgainstBook)
            against, numbers = Against(book.won, book.lost, book.void), book.rows
        if question.before is not None:
            numbers = [number for number in numbers if number < question.before]
        if question.match is not None:
            numbers = numbers[-_LAST_PAGES * PAGE :]
        asked = numbers if question.match is not None else numbers[-PAGE:]
        rows = await self._rows(identity, asked)
        if question.match is not None:
            rows = [row for row in rows if row.match == question.match]
        more = question.match is None and len(numbers) > PAGE
        before = asked[0] if more else None
        return History(question.ask, identity, named[0], tuple(reversed(rows)), before, against)

    async def _rows(self, identity: str, numbers: list[int]) -> list[HistoryRow]:
        """Return these rows of a history, in this order."""
        pages = sorted({number // PAGE for number in numbers})
        books = {page: await self._keeper.book(page_key(identity, page), HistoryPage) for page in pages}
        return [self._shown(books[number // PAGE].rows[number % PAGE]) for number in numbers]

    def _shown(self, row: HistoryRow) -> HistoryRow:
        """A daily cannot be watched while others may still play it."""
        if row.date is None or self._is_over(row.date):
            return row
        return replace(row, replay=False)

    def _is_over(self, date: str) -> bool:
        """Whether it is that date nowhere any more."""
        return day_is_over(date, self._clock.wall_ms())

    # Boards.

    async def _board(self, viewer: Viewer, question: AskBoard) -> Answer | Failed:
        wrong = _refuse_board(question)
        if wrong is not None:
            return Failed("bad_question", wrong[1], wrong[0], ask=question.ask)
        versions = await self._keeper.book(VERSIONS, Versions)
        rules = question.rules or max(versions.rules, default=VERSION)
        kind = f"{question.game}:{question.draw}:{question.scoring}"
        of = group(kind, rules, clean=question.clean, date=question.date)
        key = board_key(question.board, question.game if question.board == "rating" else of)
        book = await self._keeper.book(key, BoardBook)
        placed = list(zip(ranks(question.board, book.places), book.places, strict=True))
        own = next((one for one in placed[SHOWN:] if one[1].identity == viewer.identity), None)
        return Board(
            ask=question.ask,
            board=question.board,
            game=question.game,
            rows=tuple(_board_row(rank, place, viewer) for rank, place in placed[:SHOWN]),
            own=None if own is None else _board_row(*own, viewer),
            rules=rules,
            versions=tuple(versions.rules),
        )

    # Dailies.

    async def _daily(self, viewer: Viewer, question: AskDaily) -> Answer | Failed:
        month = await self._keeper.book(month_key(viewer.identity, question.month), MonthBook)
        days = await self._keeper.book(days_key(viewer.identity), Days)
        found = games.begun_dailies(await self._waiting(viewer), question.month) | month.days
        shown = tuple(found[date] for date in sorted(found))
        return DailyMonth(question.ask, question.month, shown, self._streak(days, viewer))

    async def _games(self, viewer: Viewer, question: AskGames) -> Answer | Failed:
        player = await self._keeper.book(player_key(viewer.identity), PlayerBook)
        last = await self._rows(viewer.identity, list(range(max(0, player.rows - PAGE), player.rows)))
        return Games(question.ask, (*await self._waiting(viewer), *games.given_up(last)))

    async def _sheet(self, viewer: Viewer, question: AskSheet) -> Answer | Failed:
        return await sheets.answer(self._archived, viewer.identity, question)

    async def _waiting(self, viewer: Viewer) -> list[GameNote]:
        return await games.waiting(self._records, viewer.identity, self._clock.wall_ms(), self._keep_games_ms)


_SERVES: Final[dict[type, Callable[[Desk, Viewer, Any], Awaitable[Answer | Failed]]]] = {
    AskProfile: Desk._profile,  # noqa: SLF001 - its own
    AskHistory: Desk._history,  # noqa: SLF001
    AskBoard: Desk._board,  # noqa: SLF001
    AskDaily: Desk._daily,  # noqa: SLF001
    ResetBank: Desk._reset,  # noqa: SLF001
    AskGames: Desk._games,  # noqa: SLF001
    AskSheet: Desk._sheet,  # noqa: SLF001
}


def _nobody(ask: int) -> Failed:
    return Failed("no_such_player", "there is no such player", "identity", ask=ask)


def _refuse_board(question: AskBoard) -> tuple[str, str] | None:
    """Return the field of a question for a board that there is not, and what was expected there."""
    scorings = _SCORINGS.get(question.game)
    if (question.board == "rating") != (scorings is None):
        return "board", "expected `rating` for duels, another board for solo games"
    if scorings is not None and question.scoring not in scorings:
        return "scoring", f"expected one of {', '.join(f'`{name}`' for name in scorings)}"
    if question.board == "score" and question.scoring == "none":
        return "board", "expected another board than `score`: these games have none"
    if question.date is None:
        return None
    try:
        dt.date.fromisoformat(question.date)
    except ValueError:
        return "date", "expected a date of the calendar"
    if question.game != "klondike" or question.scoring != "standard" or question.board not in _DAILY_BOARDS:
        return "date", "expected `score`, `time` or `moves` of `klondike` with `standard` scoring: dailies are these"
    return None


def _duel_record(tempo: str, book: DuelBook) -> DuelRecord:
    return DuelRecord(
        tempo=tempo,  # type: ignore[arg-type] # as it was kept
        played=book.played,
        won=book.won,
        left=book.left,
        streak=book.streak,
        best_streak=book.best_streak,
        counts=tuple(book.counts),
        rating=ratings.shown(book),
    )


def _solo_record(kind: str, book: SoloBook) -> SoloRecord:
    game, draw, scoring = kind.split(":")
    won = book.won
    return SoloRecord(
        game=game,  # type: ignore[arg-type] # as it was kept
        draw=int(draw),  # type: ignore[arg-type]
        scoring=scoring,  # type: ignore[arg-type]
        played=book.played,
        won=won,
        streak=book.streak,
        best_streak=book.best_streak,
        best_ms=book.best_ms,
        average_ms=book.sum_ms // won if won else None,
        least_moves=book.least_moves,
        average_moves=book.sum_moves // won if won else None,
        best_score=None if scoring == "none" else book.best_score,
        average_score=book.sum_score // won if won and scoring != "none" else None,
        played_ms=book.played_ms,
    )


def _board_row(rank: int, place: Place, viewer: Viewer) -> BoardRow:
    return BoardRow(
        rank=rank,
        identity=place.identity,
        name=place.name,
        value=place.value,
        plus_minus=place.plus_minus,
        match=place.match,
        at=place.at,
        mine=place.identity == viewer.identity,
    )
