"""Streaks of days with a win (docs/daily.md, Streak). A pure fold: dates and times are arguments."""

import datetime as dt
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

_DAY: Final = dt.timedelta(days=1)
_DAY_MS: Final = 86_400_000
#: A local date can only be skipped whole, or nearly, by clocks put forward at least so far, minutes.
_SKIPS: Final = 12 * 60
#: Two local dates of which the one between was skipped begin less than so far apart.
_BRIDGE_MS: Final = 2 * _DAY_MS


class Win(Struct, frozen=True):
    """A win. ``date``: to which it is credited. ``wall_ms``: when it was; of a daily, when it was begun.
    ``offset``: the player's then, minutes.
    """

    date: dt.date
    wall_ms: int
    offset: int = 0


class Streak(Struct, frozen=True):
    """``current``: days of the streak that still goes on, ``best``: of the longest; ``last``: date of the last win."""

    current: int = 0
    best: int = 0
    last: dt.date | None = None


def streak(wins: Iterable[Win], today: dt.date) -> Streak:
    """Fold ``wins``, in any order, to the streaks as of ``today``, the player's local date.

    A streak goes on through today and, if today has no win yet, through yesterday.
    """
    first: dict[dt.date, Win] = {}
    for win in wins:
        have = first.get(win.date)
        if have is None or _when(win) < _when(have):
            first[win.date] = win
    best = current = 0
    last = None
    for run in _runs(sorted(first.values(), key=lambda win: win.date)):
        length = _length(run)
        best = max(best, length)
        last = run[-1].date
        current = length if last >= today - _DAY else 0
    return Streak(current, best, last)


def _when(win: Win) -> tuple[int, int]:
    return win.wall_ms, win.offset


def _runs(wins: list[Win]) -> list[list[Win]]:
    """Part ``wins``, one a date in order of date, into runs that nothing breaks."""
    runs: list[list[Win]] = []
    for win in wins:
        if runs and _follows(runs[-1][-1], win):
            runs[-1].append(win)
        else:
            runs.append([win])
    return runs


def _follows(before: Win, win: Win) -> bool:
    """Whether no day was missed between two wins: the next date; or the next but one, when clocks put forward skipped
    the one between.
    """
    days = (win.date - before.date).days
    skipped = win.offset - before.offset >= _SKIPS and 0 <= win.wall_ms - before.wall_ms < _BRIDGE_MS
    return days == 1 or (days == 2 and skipped)


def _length(run: list[Win]) -> int:
    """Return the days of a run: its dates, but never more than the time between its wins has room for."""
    times = [win.wall_ms for win in run]
    return min(len(run), (max(times) - min(times)) // _DAY_MS + 2)
