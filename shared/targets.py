"""``legal``: what a seat may do now, looked up by the cards that could take each card instead of tried pair by pair."""

from typing import Final

from shared.cards import KING, RANK, SUIT
from shared.law import KEY, TAKES, refuse_draw, refuse_recycle
from shared.moves import Legal, Target
from shared.position import Position
from shared.ruleset import Ruleset

_NAMES: Final[tuple[Target, ...]] = ("t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8")
_UP: Final[tuple[Target, ...]] = ("f",)

Moves = dict[int, tuple[Target, ...]]


def legal(rules: Ruleset, position: Position, seat: int, at: int = 0) -> Legal:
    """Return what ``seat`` may do at play time ``at``; a view of the seat gives the same answer as its position."""
    if position.outcome is not None:
        return Legal({}, {}, {})
    commands = rules.commands(rules, position, seat)
    if rules.may_play(rules, position, seat, at) is not None:
        waits = position.seats[seat].wait_until > at
        return Legal({}, {}, {}, tuple(name for name in commands if not waits or name == "resign"))
    if refuse_draw(position, seat) is None:
        commands.append("draw")
    elif refuse_recycle(rules, position, seat) is None:
        commands.append("recycle")
    finder = _Finder(rules, position, seat)
    return Legal(finder.moves, finder.tap, finder.double, tuple(commands))


class _Finder:
    """The moves of one seat, found at once: ``moves``, ``tap`` and ``double`` as in ``Legal``."""

    __slots__ = ("_columns", "_empty", "_foundations", "_rules", "_takers", "double", "moves", "tap")

    def __init__(self, rules: Ruleset, position: Position, seat: int) -> None:
        mine = position.seats[seat]
        self._rules = rules
        self._columns = mine.columns
        self._foundations = position.foundations
        self._takers: dict[int, list[int]] = {}
        self._empty: list[int] = []
        self.moves: Moves = {}
        self.tap: dict[int, Target] = {}
        self.double: dict[int, Target] = {}
        takers = self._takers
        for i, column in enumerate(mine.columns):
            if column:
                takers.setdefault(TAKES[column[-1]], []).append(i)
            else:
                self._empty.append(i)
        for column, down in zip(mine.columns, mine.down, strict=True):
            if column:
                self._from_column(column, down)
        if mine.waste:
            self._add(mine.waste[-1], last=True, alone=False)
        if rules.worry_back:
            for pile in position.foundations:
                if pile:
                    self._from_foundation(pile[-1])

    def _from_column(self, column: tuple[int, ...], down: int) -> None:
        depth = len(column) - 1
        card = column[depth]
        self._add(card, last=True, alone=depth == 0)
        while depth > down:
            depth -= 1
            below = column[depth]
            if KEY[card] != TAKES[below]:
                return
            card = below
            if KEY[card] in self._takers or (self._empty and (RANK[card] == KING or self._rules.any_to_empty)):
                self._add(card, last=False, alone=depth == 0)

    def _add(self, card: int, *, last: bool, alone: bool) -> None:
        """Enter the moves of ``card``: ``last`` of its pile, or with a run on it; ``alone``: nothing lies under it."""
        rank = RANK[card]
        onto = self._takers.get(KEY[card])
        empty = self._empty if self._empty and (rank == KING or self._rules.any_to_empty) else None
        up = False
        if last:
            piles = self._foundations
            if len(piles) == 4:
                up = len(piles[SUIT[card]]) == rank - 1
            else:
                first = 2 * SUIT[card]
                up = len(piles[first]) == rank - 1 or len(piles[first + 1]) == rank - 1
        if onto is None and empty is None:
            if up:
                self.moves[card] = _UP
                self.tap[card] = "f"
            return
        targets = _named(onto, empty)
        self.moves[card] = _UP + targets if up else targets
        if up:
            self.tap[card] = "f"
            return
        if onto is not None:
            best = _NAMES[onto[0] if len(onto) == 1 else self._longest(onto)]
        elif empty is not None and not alone:
            best = _NAMES[empty[0]]
        else:
            return
        (self.tap if self._rules.tap_to_column else self.double)[card] = best

    def _from_foundation(self, card: int) -> None:
        onto = self._takers.get(KEY[card])
        empty = self._empty if self._empty and (RANK[card] == KING or self._rules.any_to_empty) else None
        if onto is not None or empty is not None:
            self.moves[card] = _named(onto, empty)

    def _longest(self, columns: list[int]) -> int:
        return max(columns, key=lambda i: len(self._columns[i]))


def _named(onto: list[int] | None, empty: list[int] | None) -> tuple[Target, ...]:
    if empty is None:
        return tuple([_NAMES[i] for i in onto or ()])
    return tuple([_NAMES[i] for i in (sorted(onto + empty) if onto else empty)])
