"""What a client asks of the records: who played how, and where he stands. Each question has one answer.

``ask`` is any number of the client's own; the answer (``shared.protocol.answers``), or ``Failed``, carries it too. A
question needs no match, and does not leave the one that its connection is in.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from shared.terms import DateText, DrawCount

Ask = Annotated[int, Meta(ge=0, le=2**53)]
#: An identity or a match, by its id.
Id = Annotated[str, Meta(min_length=1, max_length=64)]
#: A month of the calendar: ``2026-12``.
MonthText = Annotated[str, Meta(pattern="^[0-9]{4}-(0[1-9]|1[0-2])$")]
#: Which game a board is of: the two solo games, and the duel by tempo.
Played = Literal["klondike", "two_deck", "simultaneous", "alternating"]
#: How a solo game is scored; ``normal`` is the two-deck game's, ``standard`` and ``none`` are Klondike's.
ScoringName = Literal["standard", "normal", "vegas", "none"]
#: What a board ranks: games won, highest score, fastest win, fewest moves, longest streak of days; of duels the rating.
BoardName = Literal["won", "score", "time", "moves", "streak", "rating"]


class _Question(Struct, frozen=True, tag_field="t", forbid_unknown_fields=True, omit_defaults=True):
    ask: Ask


class AskProfile(_Question, frozen=True, tag="ask_profile"):
    """Ask how somebody played so far; without ``identity`` how this client did. Answered by ``Profile``."""

    identity: Id | None = None


class AskHistory(_Question, frozen=True, tag="ask_history"):
    """Ask for somebody's finished games, the newest first; without ``identity`` this client's. Answered by ``History``.

    ``rival``: only duels against this identity, and their sum. ``match``: only this match. ``before``: those before
    the answer's ``before``.
    """

    identity: Id | None = None
    rival: Id | None = None
    match: Id | None = None
    before: Ask | None = None


class AskBoard(_Question, frozen=True, tag="ask_board"):
    """Ask for a leaderboard. Answered by ``Board``.

    ``board``: ``rating`` for duels (``game`` is their tempo), any other for solo games. ``draw``, ``scoring``: solo
    only. ``clean``: only games without undo, hint and worry back. ``rules``: version of the rules, ``None`` = the
    newest. ``date``: of the daily challenge of this date (``score``, ``time`` and ``moves``), else of all other games.
    """

    board: BoardName
    game: Played
    draw: DrawCount = 1
    scoring: ScoringName = "standard"
    clean: bool = False
    rules: Annotated[int, Meta(ge=1, le=1000)] | None = None
    date: DateText | None = None


class AskDaily(_Question, frozen=True, tag="ask_daily"):
    """Ask how this client did in the daily challenges of a month. Answered by ``DailyMonth``."""

    month: MonthText


class ResetBank(_Question, frozen=True, tag="reset_bank"):
    """Empty this client's cumulative Vegas bank: it starts from 0 again. Answered by ``Profile``."""


class AskGames(_Question, frozen=True, tag="ask_games"):
    """Ask for this client's games that can be gone on with, and those that it gave up lately. Answered by ``Games``."""


class AskSheet(_Question, frozen=True, tag="ask_sheet"):
    """Ask for the score of an own solo game that is over, line by line. Answered by ``Sheet``."""

    match: Id


#: What is asked of the records.
ToRecords = AskProfile | AskHistory | AskBoard | AskDaily | ResetBank | AskGames | AskSheet
