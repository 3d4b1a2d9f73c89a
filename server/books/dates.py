"""Dates of the daily challenge, as the server sees them."""

import datetime as dt
from typing import Final

#: A date is over everywhere so long after it began in UTC: it ends last where it is UTC-12.
_ENDS: Final = dt.timedelta(hours=36)
_EPOCH: Final = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def day_is_over(date: str, wall_ms: int) -> bool:
    """Whether it is ``date`` nowhere on Earth any more, at ``wall_ms``."""
    begins = dt.datetime.combine(dt.date.fromisoformat(date), dt.time(), dt.UTC)
    return _EPOCH + dt.timedelta(milliseconds=wall_ms) >= begins + _ENDS
