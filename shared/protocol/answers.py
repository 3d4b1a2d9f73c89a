"""What the records answer. Numbers are of finished games; all follow from the log of results."""

from typing import Literal

from msgspec import Struct

from shared.position import Reason
from shared.protocol.questions import Ask, BoardName, Played, ScoringName
from shared.sheet import SheetLine
from shared.terms import DrawCount, Terms


class _Answer(Struct, frozen=True, tag_field="t", omit_defaults=True):
    ask: Ask


class Rating(Struct, frozen=True, omit_defaults=True):
    """A rating: the true one lies within ``plus_minus`` of ``value`` with 95 %. ``games``: rated games so far."""

    value: float
    plus_minus: float
    games: int


class DuelRecord(Struct, frozen=True, omit_defaults=True):
    """Somebody's duels in one tempo; void games do not count.

    ``left``: lost by leaving. ``streak``: wins in a row now, ``best_streak``: at most. ``counts[i]``: games that ended
    with ``i`` of his own cards on the foundations (0..52).
    """

    tempo: Literal["simultaneous", "alternating"]
    played: int = 0
    won: int = 0
    left: int = 0
    streak: int = 0
    best_streak: int = 0
    counts: tuple[int, ...] = ()
    rating: Rating | None = None


class SoloRecord(Struct, frozen=True, omit_defaults=True):
    """Somebody's solo games of one kind. A game counts once a card was played; it is lost once it is replaced.

    ``streak``, ``best_streak``: wins in a row. Times are ms; averages, bests and ``won_ms`` are of won games;
    ``played_ms`` is of all. ``best_score``: with bonus.
    """

    game: Literal["klondike", "two_deck"]
    draw: DrawCount
    scoring: ScoringName
    played: int = 0
    won: int = 0
    streak: int = 0
    best_streak: int = 0
    best_ms: int | None = None
    average_ms: int | None = None
    least_moves: int | None = None
    average_moves: int | None = None
    best_score: int | None = None
    average_score: int | None = None
    played_ms: int = 0


class DayStreak(Struct, frozen=True, omit_defaults=True):
    """Days in a row with a solo win: the streak that goes on, the longest, the date of the last win."""

    current: int = 0
    best: int = 0
    last: str | None = None


class Profile(_Answer, frozen=True, tag="profile"):
    """How ``identity`` played. ``own``: he is this client's. ``since``: wall time (s) of his first visit. ``bank``: his
    cumulative Vegas bank in dollars, told to himself only.
    """

    identity: str
    name: str
    own: bool = False
    since: int = 0
    duels: tuple[DuelRecord, ...] = ()
    solos: tuple[SoloRecord, ...] = ()
    days: DayStreak = DayStreak()
    bank: int | None = None


class Person(Struct, frozen=True, omit_defaults=True):
    """Somebody who was played against. ``bot``: a computer."""

    identity: str
    name: str
    bot: bool = False


#: Why a won solo game is on no board: a typed deal code, a restart, a house rule, a card worried back in a two-deck
#: game, or a time that hands cannot play.
OffBoards = Literal["code", "restart", "house_rule", "worry_back", "too_fast"]


class HistoryRow(Struct, frozen=True, omit_defaults=True):
    """A finished match or solo game, as ``identity`` of the question saw it.

    ``at``: wall time of its end, ms. ``reason``: how it ended. ``won``: ``None``
    if void. ``sums``: his and the rival's cards, over all games. ``score`` (with bonus), ``moves``, ``ms``: solo.
    ``rating``, ``change``: after it, and by it. ``date``: of a daily. ``replay``: it can be watched again.
    ``off``: why a solo win is on no board (empty: it counts for them).
    """

    match: str
    at: int
    terms: Terms
    reason: Reason
    won: bool | None = None
    rival: Person | None = None
    sums: tuple[int, ...] = ()
    score: int | None = None
    moves: int | None = None
    ms: int | None = None
    rating: float | None = None
    change: float | None = None
    date: str | None = None
    replay: bool = False
    off: tuple[OffBoards, ...] = ()


class Against(Struct, frozen=True, omit_defaults=True):
    """All matches between two: won and lost by the one who was asked for, and void."""

    won: int = 0
    lost: int = 0
    void: int = 0


class History(_Answer, frozen=True, tag="history"):
    """Finished games, the newest first. ``before``: ask with it for more; ``None``: these were the last."""

    identity: str
    name: str
    rows: tuple[HistoryRow, ...] = ()
    before: int | None = None
    against: Against | None = None


class BoardRow(Struct, frozen=True, omit_defaults=True):
    """A place on a board. ``value``: games, points, ms, moves, days or rating. ``match``: the game that brought it.
    ``at``: wall time of its end, ms. ``mine``: this client's own.
    """

    rank: int
    identity: str
    name: str
    value: float
    plus_minus: float | None = None
    match: str | None = None
    at: int | None = None
    mine: bool = False


class Board(_Answer, frozen=True, tag="board"):
    """A leaderboard, the best first. ``own``: this client's row, if he has one that is not among ``rows``. ``rules``:
    its version of the rules; ``versions``: those that have a board.
    """

    board: BoardName
    game: Played
    rows: tuple[BoardRow, ...] = ()
    own: BoardRow | None = None
    rules: int = 1
    versions: tuple[int, ...] = ()


class DailyDay(Struct, frozen=True, omit_defaults=True):
    """A daily challenge that was begun. Score (with bonus), moves and time (ms) are those of its first win."""

    date: str
    match: str
    draw: DrawCount
    won: bool = False
    score: int | None = None
    moves: int | None = None
    ms: int | None = None


class DailyMonth(_Answer, frozen=True, tag="daily_month"):
    """The dailies of a month that this client began, by date, and its streak of days with a win."""

    month: str
    days: tuple[DailyDay, ...] = ()
    streak: DayStreak = DayStreak()


class GameNote(Struct, frozen=True, omit_defaults=True):
    """A solo game that waits, or that was given up (``abandoned``). ``at``: wall time of the last play known, ms."""

    match: str
    terms: Terms
    at: int
    moves: int = 0
    abandoned: bool = False


class Games(_Answer, frozen=True, tag="games"):
    """This client's solo games that can be gone on with, the newest first; then those that it gave up."""

    games: tuple[GameNote, ...] = ()


class Sheet(_Answer, frozen=True, tag="sheet"):
    """The score of ``match`` line by line, which add up to ``total``. ``seconds``: time played, for the time bonus."""

    match: str
    lines: tuple[SheetLine, ...] = ()
    total: int = 0
    seconds: int = 0


Answer = Profile | History | Board | DailyMonth | Games | Sheet
