"""A problem on a kernel: which kernel takes it, in what numbers, and its moves told as the game's."""

from typing import Final, Protocol

from server.solver import kernel as _kernel
from server.solver.kernel import KERNEL_COMPILED as ONE_COMPILED
from server.solver.kernel import Kernel
from server.solver.line import REVEAL, SHIFT, STOCK_TABLEAU, STOCK_UP, UP, WORRY_BACK, Action, Step, Table, line
from server.solver.problem import Problem
from server.solver.wide import KERNEL_COMPILED as WIDE_COMPILED
from server.solver.wide import WideKernel
from shared.cards import RANK, SUIT

__all__ = ["FULL", "KERNEL_COMPILED", "LOSS", "RUNNING", "WIN", "Search"]

KERNEL_COMPILED: Final[bool] = ONE_COMPILED and WIDE_COMPILED

#: What ``Search.run`` returns.
RUNNING: Final[int] = _kernel.RUNNING
WIN: Final[int] = _kernel.WIN
LOSS: Final[int] = _kernel.LOSS
FULL: Final[int] = _kernel.FULL

#: Suit 0..3 (spades, hearts, diamonds, clubs) as the kernels count them: 0, 1 black, 2, 3 red.
SUIT_NUMBER = (0, 2, 3, 1)


def _kind(card: int) -> int:
    rank = RANK[card] - 1
    return 4 * rank + (SUIT_NUMBER[SUIT[card]] ^ (rank & 1) << 1)


#: The kernels' number of each card, and the card of deck 0 of each number.
KIND = tuple(map(_kind, range(104)))
CARD = {kind: card for card, kind in enumerate(KIND[:52])}

#: Moves tried before it is asked whether the same cards could be won with the stock as a reserve.
PATIENCE = 3000
#: Moves tried, and bytes of table, for that question: enough for all of a thousand deals.
RELAXED = 1 << 23
RELAXED_MEMORY = 1 << 24


class _Kernel(Protocol):
    """What both kernels have in common."""

    def run(self, limit: int) -> int:
        """Search on until ``limit`` more moves are tried."""
        ...

    def counts(self) -> tuple[int, int]:
        """States stored, moves tried."""
        ...

    def moves(self) -> list[int]:
        """The line that wins."""
        ...


class Search:
    """The kernels of one thread, with their tables, which are kept from problem to problem.

    ``memory``: bytes for the table of each kernel; pages of it are used when a search first needs them.
    """

    def __init__(self, memory: int) -> None:
        self._memory = memory
        self._one: Kernel | None = None
        self._wide: WideKernel | None = None
        self._relaxed: Kernel | None = None
        self._kernel: _Kernel
        self._asked = True
        self._problem: Problem
        self._more = 0

    def load(self, problem: Problem) -> None:
        """Set a problem that ``check`` finds well formed.

        Raises:
            ValueError: it is larger than what a kernel takes.
        """
        self._problem = problem
        self._more = 0
        kinds = KIND
        columns = [[kinds[card] for card in column] for column in problem.columns]
        stock = [kinds[card] for card in problem.waste + problem.stock]
        suits = sum((problem.suits >> suit & 1) << SUIT_NUMBER[suit] for suit in range(4))
        waste, passes = len(problem.waste), problem.passes or 0
        heights = [0, 0, 0, 0] if problem.decks == 1 else [0] * 8
        share = problem.decks
        for number, pile in enumerate(problem.foundations):
            heights[SUIT_NUMBER[number // share] * share + number % share] = len(pile)
        if problem.decks == 2 or problem.any_card:
            if self._wide is None:
                self._wide = WideKernel(self._memory)
            self._kernel = self._wide
            self._asked = True
            self._wide.load(
                columns,
                problem.down,
                stock,
                waste,
                heights if share == 2 else [height for height in heights for _ in (0, 1)],
                ranks=problem.ranks,
                suits=suits,
                decks=share,
                draw=problem.draw,
                passes=passes,
                worry_back=problem.worry_back,
                any_card=problem.any_card,
            )
            return
        if self._one is None:
            self._one = Kernel(self._memory)
        self._kernel = self._one
        self._asked = problem.draw == 1 and problem.passes is None
        self._one.load(
            columns,
            problem.down,
            stock,
            waste,
            heights,
            ranks=problem.ranks,
            suits=suits,
            draw=problem.draw,
            passes=passes,
            worry_back=problem.worry_back,
        )
        if not self._asked:
            self._question = (columns, stock, waste, heights, suits)

    def run(self, moves: int) -> int:
        """Search on for about ``moves`` moves tried: ``RUNNING``, ``WIN``, ``LOSS``, or ``FULL`` (memory used up)."""
        kernel: _Kernel = self._kernel
        if self._asked:
            return kernel.run(moves)
        if kernel.counts()[1] < PATIENCE:
            return kernel.run(min(moves, PATIENCE))
        return self._relax(moves)

    def _relax(self, moves: int) -> int:
        """Ask whether the cards could be won with every stock card at hand all the time; if not, they cannot at all."""
        if self._relaxed is None:
            self._relaxed = Kernel(min(self._memory, RELAXED_MEMORY))
        if not self._more:
            columns, stock, waste, heights, suits = self._question
            self._relaxed.load(
                columns,
                self._problem.down,
                stock,
                waste,
                heights,
                ranks=self._problem.ranks,
                suits=suits,
                worry_back=self._problem.worry_back,
            )
        relaxed: _Kernel = self._relaxed
        verdict = relaxed.run(moves)
        states, tried = relaxed.counts()
        self._more = states
        if verdict == LOSS:
            return LOSS
        if verdict != RUNNING or tried > RELAXED:
            self._asked = True
        return RUNNING

    @property
    def states(self) -> int:
        """States stored so far."""
        return self._kernel.counts()[0] + self._more

    def codes(self) -> list[int]:
        """After ``WIN``: the kernel's line."""
        return self._kernel.moves()

    def line(self, codes: list[int]) -> list[Step]:
        """The game's moves for the kernel's line ``codes`` of the problem loaded last."""
        return line_of(self._problem, codes)


def line_of(problem: Problem, codes: list[int]) -> list[Step]:
    """The game's moves for a kernel's line ``codes`` of ``problem``."""
    if problem.decks == 1 and not problem.any_card:
        return line(problem, codes, lambda _, code: Action(code >> 6, CARD[code & 63]))
    order = problem.waste + problem.stock

    def read(table: Table, code: int) -> Action:
        move, number, ground = code >> 10, code >> 1 & 511, bool(code & 1)
        if move == 0:
            return Action(REVEAL, table.locked(number), ground)
        if move == 1:
            return Action(UP, table.locked(number))
        if move == 2:
            return Action(UP, table.put_there(CARD[number]))
        if move == 3:
            return Action(STOCK_TABLEAU, order[number], ground)
        if move == 4:
            return Action(STOCK_UP, order[number])
        if move == 5:
            return Action(WORRY_BACK, table.raised(CARD[number]), ground)
        return Action(SHIFT, CARD[number], ground)

    return line(problem, codes, read)
