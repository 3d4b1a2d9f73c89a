"""A problem on a kernel: which kernel takes it, in what numbers, and its moves told as the game's."""

from server.solver.kernel import KERNEL_COMPILED, Kernel
from server.solver.line import Action, Step, line
from server.solver.problem import Problem
from shared.cards import RANK, SUIT

__all__ = ["KERNEL_COMPILED", "Kernels"]

#: Suit 0..3 (spades, hearts, diamonds, clubs) as the kernels count them: 0, 1 black, 2, 3 red.
SUIT_NUMBER = (0, 2, 3, 1)


def _bit(card: int) -> int:
    rank = RANK[card] - 1
    return 4 * rank + (SUIT_NUMBER[SUIT[card]] ^ (rank & 1) << 1)


BIT = tuple(map(_bit, range(52)))
CARD = {bit: card for card, bit in enumerate(BIT)}


class Kernels:
    """The kernels of one thread, with their tables."""

    def __init__(self, memory: int) -> None:
        self.one = Kernel(memory)

    def load(self, problem: Problem) -> None:
        bits = BIT
        suits = 0
        for s in range(4):
            suits |= (problem.suits >> s & 1) << SUIT_NUMBER[s]
        heights = [0] * 4
        for s in range(4):
            heights[SUIT_NUMBER[s]] = len(problem.foundations[s])
        self.one.load(
            [[bits[card] for card in column] for column in problem.columns],
            problem.down,
            [bits[card] for card in problem.waste + problem.stock],
            len(problem.waste),
            heights,
            ranks=problem.ranks,
            suits=suits,
            draw=problem.draw,
            passes=problem.passes or 0,
            worry_back=problem.worry_back,
        )

    def line(self, problem: Problem) -> list[Step]:
        return line(problem, [Action(code >> 6, CARD[code & 63]) for code in self.one.moves()])
