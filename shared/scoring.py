"""What plays are worth (docs/rules.md, the scoring tables), and how a duel's cards are counted."""

from typing import Final

from msgspec import Struct

from shared.position import Position, Tally


class Scoring(Struct, frozen=True):
    """A scoring table: points (or dollars) per event of a solo game.

    ``recycle`` is what a recycle costs once ``free_recycles`` are used up (a number <= 0). ``floored``: never below
    0. ``bonus``: a win is paid by its time. ``time_penalty``: the shown score falls with time. ``unit``: how it is
    written.
    """

    start: int = 0
    to_foundation: int = 0
    waste_to_column: int = 0
    turned: int = 0
    worry_back: int = 0
    recycle: int = 0
    free_recycles: int = 0
    floored: bool = True
    bonus: bool = False
    time_penalty: bool = False
    unit: str = "points"


_BONUS_POOL: Final = 700_000
_BONUS_LEAST_SECONDS: Final = 30
_BONUS_END_SECONDS: Final = 600


def win_bonus(seconds: int) -> int:
    """Return the bonus of a win after ``seconds`` of play (docs/rules.md, Klondike: none from 600 s)."""
    return 0 if seconds >= _BONUS_END_SECONDS else _BONUS_POOL // max(seconds, _BONUS_LEAST_SECONDS)


def played_ms(tally: Tally, at: int) -> int:
    """Return the time played until ``at`` (ms): the clock runs from the first move, save while paused."""
    since = tally.running_since
    return tally.played_ms if since is None else tally.played_ms + max(0, at - since)


def shown_score(scoring: Scoring, tally: Tally, at: int) -> int:
    """Return the score to show at ``at``: move score, less the time penalty if there is one, plus the win bonus."""
    score = tally.score
    if scoring.time_penalty:
        score = max(0, score - 2 * (played_ms(tally, at) // 10_000))
    return score + tally.bonus


def score_text(scoring: Scoring, score: int) -> str:
    """Return ``score`` as it is written: ``745``, or ``$416``, ``$0``, ``-$104``."""
    if scoring.unit != "dollars":
        return str(score)
    return f"-${-score}" if score < 0 else f"${score}"


def deck_counts(position: Position) -> tuple[int, ...]:
    """Return how many cards of each seat's own deck lie on the foundations (solo: all that lie there)."""
    up = sum(map(len, position.foundations))
    if len(position.seats) == 1:
        return (up,)
    second = sum(card >= 52 for pile in position.foundations for card in pile)
    return (up - second, second)
