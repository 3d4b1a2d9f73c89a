"""Ratings, one a tempo: Plackett-Luce by openskill, on a scale that people know (docs/records.md, Ratings).

A rating starts at 1500. What is shown as its uncertainty holds the true strength with 95 %.
"""

from typing import Final

from openskill.models import PlackettLuce

from server.books.values import DuelBook
from shared.protocol.answers import Rating

#: Points of the shown scale for one of the model's: 25 becomes 1500.
_SCALE: Final = 60.0
_TWO_SIDED_95: Final = 1.96
#: So many rated games, and a rating is settled: it comes on the board, and measures computers.
SETTLED: Final = 10
#: Kept digits: a rating is the same after the way through a store.
_DIGITS: Final = 6

#: Where everybody starts, on the shown scale.
START: Final = 1500.0

_MODEL: Final = PlackettLuce()


def rate(winner: DuelBook, loser: DuelBook, *, winner_too: bool = True, loser_too: bool = True) -> None:
    """Take a match into both ratings, or only one: the other's is its measure."""
    pair = [[_rating(winner)], [_rating(loser)]]
    [[won], [lost]] = _MODEL.rate(pair)
    if winner_too:
        _keep(winner, won.mu, won.sigma)
    if loser_too:
        _keep(loser, lost.mu, lost.sigma)


def _rating(book: DuelBook):  # type: ignore[no-untyped-def]  # noqa: ANN202 - the model's own type
    return _MODEL.rating() if book.mu is None else _MODEL.rating(mu=book.mu, sigma=book.sigma)


def _keep(book: DuelBook, mu: float, sigma: float) -> None:
    book.mu, book.sigma = round(mu, _DIGITS), round(sigma, _DIGITS)
    book.rated += 1


def shown(book: DuelBook) -> Rating | None:
    """Return the rating as it is shown; ``None``: no rated game yet."""
    if book.mu is None or book.sigma is None:
        return None
    return Rating(round(book.mu * _SCALE, 1), round(_TWO_SIDED_95 * book.sigma * _SCALE, 1), book.rated)


def value(book: DuelBook | None) -> float | None:
    """Return the rating's value alone."""
    found = None if book is None else shown(book)
    return None if found is None else found.value
