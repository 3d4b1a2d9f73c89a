"""The exact stuck search (docs/rules.md, Duel: stuck): can a seat's own moves ever reach a foundation play, the
foundations held as they are?

A state is what the seat can still change: its columns (in any order, for columns are alike), the cards of stock and
waste in drawing order, how many of them are drawn, and the recycles left. Draws are not steps of their own: from a
state every waste top that drawing and recycling can bring up is tried. Two short cuts keep it small, both exact:
states whose waste tops to come are the same are one state, and a seat whose cards could not help even if no card ever
stood in another's way is stuck without a search.
"""

from collections.abc import Iterator
from typing import Final

from shared.cards import KING, RANK
from shared.law import KEY, TAKES, foundation_for
from shared.position import Position, Seat
from shared.ruleset import Ruleset

#: States looked at before a search gives up, unless it is told otherwise.
LIMIT: Final = 20_000

_UNLIMITED: Final = -1

Columns = tuple[tuple[tuple[int, ...], int], ...]
State = tuple[Columns, tuple[int, ...], int, int]


def search(rules: Ruleset, position: Position, seat: int, limit: int = LIMIT) -> bool | None:
    """Return whether ``seat`` is stuck, by exhaustive search; ``None`` if more than ``limit`` states would have to be
    looked at.

    ``position`` must be the whole position, not a view.
    """
    mine = position.seats[seat]
    cards = {card for column in mine.columns for card in column} | {*mine.stock, *mine.waste}
    wanted = frozenset(card for card in cards if foundation_for(position, card) is not None)
    if not wanted or not _could_help(rules, mine, wanted):
        return True
    space = _Space(rules.draw[seat], wanted, any_to_empty=rules.any_to_empty)
    left = _UNLIMITED if rules.passes is None else max(0, rules.passes - mine.pass_number)
    columns = tuple(zip(mine.columns, mine.down, strict=True))
    first = space.normal(columns, mine.waste + mine.stock, len(mine.waste), left)
    seen = {first}
    todo = [first]
    while todo:
        if len(seen) > limit:
            return None
        state = todo.pop()
        if space.reaches(state):
            return False
        for after in space.steps(state):
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return True


def _could_help(rules: Ruleset, mine: Seat, wanted: frozenset[int]) -> bool:
    """Return whether a wanted card might ever be free if a card once free stayed free and every stock card could be
    had.
    """
    stock = {*mine.stock, *mine.waste}
    if stock & wanted:
        return True
    free = {column[-1] for column in mine.columns if column}
    takes = {TAKES[card] for card in free}
    emptied = not all(mine.columns)
    grew = True
    while grew:
        if free & wanted:
            return True
        before = len(free), emptied
        for column, down in zip(mine.columns, mine.down, strict=True):
            for depth, card in enumerate(column):
                can_lift = depth >= down or card in free
                if can_lift and (KEY[card] in takes or (emptied and (rules.any_to_empty or RANK[card] == KING))):
                    free.add(card)
                    if depth:
                        free.add(column[depth - 1])
                    else:
                        emptied = True
        free |= {
            card for card in stock if KEY[card] in takes or (emptied and (rules.any_to_empty or RANK[card] == KING))
        }
        takes = {TAKES[card] for card in free}
        grew = before != (len(free), emptied)
    return False


class _Space:
    """The states of one seat under ``draw`` cards a draw; a goal is a state where a ``wanted`` card is free."""

    def __init__(self, draw: int, wanted: frozenset[int], *, any_to_empty: bool) -> None:
        self._draw = draw
        self._wanted = wanted
        self._any = any_to_empty

    def normal(self, columns: Columns, deck: tuple[int, ...], drawn: int, left: int) -> State:
        """Return the state, written so that equal prospects are equal."""
        if left == _UNLIMITED and (drawn % self._draw == 0 or drawn == len(deck)):
            drawn = 0
        return tuple(sorted(columns)), deck, drawn, left

    def tops(self, state: State) -> Iterator[tuple[int, int]]:
        """Yield each number of drawn cards that can come up, with the most recycles then left."""
        _, deck, drawn, left = state
        size = len(deck)
        here = set()
        if drawn:
            here.add(drawn)
            yield drawn, left
        at = drawn
        while at < size:
            at = min(at + self._draw, size)
            here.add(at)
            yield at, left
        if left != 0:
            rest = left if left == _UNLIMITED else left - 1
            for at in (*range(self._draw, size, self._draw), size):
                if at and at not in here:
                    yield at, rest

    def reaches(self, state: State) -> bool:
        """Return whether a wanted card is free, now or by drawing alone."""
        columns, deck, _, _ = state
        wanted = self._wanted
        if any(column and column[-1] in wanted for column, _ in columns):
            return True
        return any(deck[at - 1] in wanted for at, _ in self.tops(state))

    def steps(self, state: State) -> list[State]:
        """Return the states one tableau move away, those that turn a card last."""
        columns, deck, drawn, left = state
        quiet: list[State] = []
        turning: list[State] = []
        for at, rest in self.tops(state):
            card = deck[at - 1]
            less = deck[: at - 1] + deck[at:]
            onto = self._onto(columns, card)
            quiet += [self.normal(_laid(columns, j, (card,)), less, at - 1, rest) for j in onto]
        for i, (column, down) in enumerate(columns):
            for depth in _run_starts(column, down):
                turns = depth > 0 and depth == down
                source = (column[:depth], down - turns)
                for j in self._onto(columns, column[depth]):
                    if depth == 0 and not columns[j][0]:
                        continue  # a whole column to an empty one: the same state
                    after = _laid(columns, j, column[depth:])
                    after = (*after[:i], source, *after[i + 1 :])
                    (turning if turns else quiet).append(self.normal(after, deck, drawn, left))
        return quiet + turning

    def _onto(self, columns: Columns, card: int) -> Iterator[int]:
        """Yield the columns that take ``card``, of the empty ones only the first."""
        empty = RANK[card] == KING or self._any
        for j, (column, _) in enumerate(columns):
            if column:
                if TAKES[column[-1]] == KEY[card]:
                    yield j
            elif empty:
                empty = False
                yield j


def _laid(columns: Columns, j: int, cards: tuple[int, ...]) -> Columns:
    column, down = columns[j]
    return (*columns[:j], (column + cards, down), *columns[j + 1 :])


def _run_starts(column: tuple[int, ...], down: int) -> Iterator[int]:
    """Yield the depths of the cards that can be moved with all cards on them."""
    for depth in range(len(column) - 1, down - 1, -1):
        if depth + 1 < len(column) and KEY[column[depth + 1]] != TAKES[column[depth]]:
            return
        yield depth
