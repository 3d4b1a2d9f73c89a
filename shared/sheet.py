"""The score of a solo game line by line: what brought and took how many points (docs/rules.md, the scoring tables).

Law: the points of all lines add up to the score that is shown. What was undone is not in it.
"""

from collections.abc import Iterable
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from shared.moves import Event, Moved, Recycled, Restored, Tallied, Turned
from shared.position import Tally
from shared.ruleset import Ruleset
from shared.scoring import Scoring, shown_score
from shared.solo import scored

What = Literal[
    "start",  # what the deal costs (Vegas)
    "to_foundation",
    "waste_to_column",
    "turned",
    "worry_back",
    "recycle",
    "floor",  # points that were not taken, as none were left
    "bonus",
    "penalty",  # for time
]
_ORDER: Final[tuple[What, ...]] = (
    "start",
    "to_foundation",
    "waste_to_column",
    "turned",
    "worry_back",
    "recycle",
    "floor",
    "bonus",
    "penalty",
)

_Counts = dict[What, tuple[int, int]]


class SheetLine(Struct, frozen=True):
    """``times``: how often it was; ``points``: what all of it brought."""

    what: What
    times: int
    points: int


def sheet(rules: Ruleset, events: Iterable[Event]) -> tuple[SheetLine, ...]:
    """Return the lines of a game from all its ``events``, the deal first; of a restarted one those since then.

    Raises:
        ValueError: it is no solo game, or begins without a deal.
    """
    scoring = rules.scoring
    if scoring is None:
        return ()
    fold = _Fold(scoring)
    for event in events:
        fold.take(event)
    return fold.lines()


class _Fold:
    """``past`` and ``future``: what was counted at the positions that undo and redo lead to. ``tally``: after the last
    action. ``running``: within it, at full prices.
    """

    def __init__(self, scoring: Scoring) -> None:
        self._scoring = scoring
        self._full = replace(scoring, floored=False)
        self._counts: _Counts = {}
        self._past: list[_Counts] = []
        self._future: list[_Counts] = []
        self._tally: Tally | None = None
        self._running = Tally()

    def take(self, event: Event) -> None:
        if isinstance(event, Restored):
            self._restore(event)
        elif isinstance(event, Tallied):
            self._act(event)
        elif isinstance(event, Moved | Turned | Recycled):
            before = self._running
            score, recycles, worry_backs = scored(self._full, before, [event])
            self._running = replace(before, score=score, recycles=recycles, worry_backs=worry_backs)
            self._add(_what(event), score - before.score)

    def _act(self, event: Tallied) -> None:
        """An action begins: its counts come first, its plays follow."""
        if event.keeps:
            self._close()
            self._past.append(self._counts)
            self._future = []
            self._counts = dict(self._counts)
            self._running = self._last
        self._tally = event.tally

    def _restore(self, event: Restored) -> None:
        if event.step == 0:
            self._counts, self._past, self._future = {}, [], []
            self._add("start", self._scoring.start)
        else:
            self._close()
            source, other = (self._past, self._future) if event.step < 0 else (self._future, self._past)
            other.append(self._counts)
            self._counts = source.pop()
        self._tally = event.position.tally

    @property
    def _last(self) -> Tally:
        if self._tally is None:
            raise ValueError("events: expected a solo game's, the deal first")
        return self._tally

    def _close(self) -> None:
        """The action is over: what its plays cost beyond the score that was there, they did not take."""
        self._add("floor", self._last.score - sum(points for _, points in self._counts.values()))

    def _add(self, what: What | None, points: int) -> None:
        if what is not None and (points or what == "recycle"):
            times, sum_ = self._counts.get(what, (0, 0))
            self._counts[what] = times + 1, sum_ + points

    def lines(self) -> tuple[SheetLine, ...]:
        self._close()
        tally = self._last
        self._add("bonus", tally.bonus)
        shown = shown_score(self._scoring, tally, 0)  # the clock of an ended game stands
        self._add("penalty", shown - tally.bonus - tally.score)
        return tuple(SheetLine(what, *self._counts[what]) for what in _ORDER if what in self._counts)


def _what(event: Moved | Turned | Recycled) -> What | None:
    if isinstance(event, Turned):
        return "turned"
    if isinstance(event, Recycled):
        return "recycle"
    if event.target[0] == "f":
        return "to_foundation"
    if event.source == "w":
        return "waste_to_column"
    return "worry_back" if event.source[0] == "f" else None
