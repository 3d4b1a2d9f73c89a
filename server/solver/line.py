"""From a kernel's moves to the game's: where each card lies, which run goes out of the way, when to draw.

A kernel does not know where a face-up card lies (docs/solver.md). Before a covered card is used, the run on it is
carried to the bare card of the same rank and colour that the kernel knows to exist.
"""

from collections.abc import Callable, Iterable
from typing import cast

from msgspec import Struct

from server.solver.problem import Problem
from shared.cards import RANK, RED, SUIT
from shared.moves import Draw, Move, Recycle, Target

Step = Move | Draw | Recycle

#: Kinds of a kernel's moves; the kernels have the same numbers.
REVEAL, UP, STOCK_TABLEAU, STOCK_UP, WORRY_BACK, SHIFT = range(6)


class Action(Struct, frozen=True, gc=False):
    """A kernel's move. ``ground``: to an empty column, be it needed or not."""

    kind: int
    card: int
    ground: bool = False


class Table:
    """A table with every card in its place; ``steps`` is what was done to it so far."""

    def __init__(self, problem: Problem) -> None:
        self.columns = [list(column) for column in problem.columns]
        self.down = list(problem.down)
        self.stock = list(problem.stock)
        self.waste = list(problem.waste)
        self.foundations = [list(pile) for pile in problem.foundations]
        self.draw = problem.draw
        self.top = problem.ranks
        self.any_card = problem.any_card
        self.steps: list[Step] = []

    def perform(self, action: Action) -> None:
        """Do one of the kernel's moves, and first what makes it possible.

        Raises:
            LookupError: the table does not allow it: the kernel and the rules do not agree.
        """
        card = action.card
        if action.kind in (REVEAL, SHIFT):
            self._carry(card, self._landing(card, ground=action.ground))
        elif action.kind == UP:
            column, place = self._where(card)
            if place + 1 < len(self.columns[column]):
                above = self.columns[column][place + 1]
                self._carry(above, self._taking(above, besides=column))
            self._cut(column, place)
            self._put_up(card)
        elif action.kind == WORRY_BACK:
            column = self._landing(card, ground=action.ground)
            next(pile for pile in self.foundations if pile and pile[-1] == card).pop()
            self._lay(card, column)
        else:
            self._fetch(card)
            if action.kind == STOCK_UP:
                self.waste.pop()
                self._put_up(card)
            else:
                column = self._landing(card, ground=action.ground)
                self.waste.pop()
                self._lay(card, column)

    def locked(self, number: int) -> int:
        """The lowest card of column ``number`` that can be moved."""
        column = self.columns[number]
        place = len(column) - 1
        while place > self.down[number] and self._fits(column[place], column[place - 1]):
            place -= 1
        return column[place]

    def put_there(self, kind: int) -> int:
        """A card of ``kind`` (0..51) that was put where it lies, a bare one rather than a covered one."""
        found: list[tuple[bool, int]] = []
        for number, column in enumerate(self.columns):
            for place, card in enumerate(column):
                if card % 52 != kind or place < self.down[number]:
                    continue
                dealt = card == self.locked(number) and (place > 0 or not (self.any_card or RANK[card] == self.top))
                if not dealt:
                    found.append((place + 1 < len(column), card))
        if not found:
            raise LookupError(f"no card of kind {kind} was put on the tableau")
        return min(found)[1]

    def raised(self, kind: int) -> int:
        """A card of ``kind`` on top of a foundation."""
        for pile in self.foundations:
            if pile and pile[-1] % 52 == kind:
                return pile[-1]
        raise LookupError(f"no card of kind {kind} is on top of a foundation")

    @staticmethod
    def _fits(card: int, on: int) -> bool:
        return RANK[card] + 1 == RANK[on] and RED[card] != RED[on]

    def _cut(self, number: int, place: int) -> None:
        """Take off the cards of a column from ``place`` on; the one bared turns up."""
        del self.columns[number][place:]
        self.down[number] = min(self.down[number], max(place - 1, 0))

    def _taking(self, card: int, besides: int | None = None) -> int:
        """The column whose last card takes ``card``."""
        for number, column in enumerate(self.columns):
            if number == besides or not column:
                continue
            if self._fits(card, column[-1]):
                return number
        raise LookupError(f"no column takes card {card}")

    def _landing(self, card: int, *, ground: bool) -> int:
        """Where ``card`` goes: an empty column for a king or where told, else a column that takes it."""
        if not ground and RANK[card] != self.top:
            return self._taking(card)
        if [] in self.columns:
            return self.columns.index([])
        raise LookupError("no column is empty")

    def _where(self, card: int) -> tuple[int, int]:
        """Column and place of ``card``."""
        for number, column in enumerate(self.columns):
            if card in column:
                return number, column.index(card)
        raise LookupError(f"card {card} is in no column")

    def _carry(self, card: int, to: int) -> None:
        """Move ``card`` and what lies on it to column ``to``."""
        number, place = self._where(card)
        self.columns[to] += self.columns[number][place:]
        self._cut(number, place)
        self.steps.append(Move(card, cast("Target", f"t{to}")))

    def _lay(self, card: int, to: int) -> None:
        """Lay a single ``card``, which has left its pile, on column ``to``."""
        self.columns[to].append(card)
        self.steps.append(Move(card, cast("Target", f"t{to}")))

    def _put_up(self, card: int) -> None:
        """Put ``card``, which has left its pile, on the first foundation that takes it."""
        share = len(self.foundations) // 4
        for number in range(SUIT[card] * share, (SUIT[card] + 1) * share):
            if len(self.foundations[number]) == RANK[card] - 1:
                self.foundations[number].append(card)
                self.steps.append(Move(card, "f"))
                return
        raise LookupError(f"no foundation takes card {card}")

    def _fetch(self, card: int) -> None:
        """Draw, and recycle if need be, until ``card`` is the waste's top."""
        for _ in range(2 * (len(self.stock) + len(self.waste)) + 2):
            if self.waste and self.waste[-1] == card:
                return
            if self.stock:
                self.waste += self.stock[: self.draw]
                del self.stock[: self.draw]
                self.steps.append(Draw())
            else:
                self.stock, self.waste = self.waste, []
                self.steps.append(Recycle())
        raise LookupError(f"card {card} never comes to lie on top of the waste")


def line(problem: Problem, codes: Iterable[int], read: Callable[[Table, int], Action]) -> list[Step]:
    """The game's moves for a kernel's; ``read`` tells what a code means on the table as it then stands."""
    table = Table(problem)
    for code in codes:
        table.perform(read(table, code))
    return table.steps
