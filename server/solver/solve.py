"""``solve``: the verdict on a problem, within limits, in slices between which other threads run and a wish to stop is
heard.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Final, Literal

from server.solver.line import Step
from server.solver.problem import Problem
from server.solver.search import FULL, LOSS, RUNNING, WIN, Search, line_of

Result = Literal["win", "loss", "unknown"]
#: What ended a search that decided nothing.
Limit = Literal["states", "seconds", "memory", "cancelled"]

#: Moves tried between two looks at the clock: about 1 ms. The interpreter's lock is free meanwhile.
SLICE: Final = 20_000


class Verdict:
    """What a search found.

    ``win`` has a line of moves that wins; ``loss`` is the end of a finished search: no sequence of moves wins;
    ``unknown`` is everything else, and ``limit`` says what ended it. ``states`` were stored in ``seconds`` of the
    clock that was given.
    """

    def __init__(
        self, problem: Problem, result: Result, states: int, seconds: float, codes: list[int], limit: Limit | None
    ) -> None:
        self.problem = problem
        self.result = result
        self.states = states
        self.seconds = seconds
        self.limit = limit
        self._codes = codes

    @cached_property
    def moves(self) -> list[Step] | None:
        """The line that wins, draws and recycles included; ``None`` unless ``result`` is ``win``."""
        return line_of(self.problem, self._codes) if self.result == "win" else None


def solve(
    problem: Problem,
    search: Search,
    clock: Callable[[], float],
    *,
    states: int | None = None,
    seconds: float | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Verdict:
    """Decide ``problem``, which ``problem.check`` finds well formed.

    ``search``: the calling thread's own. ``clock``: seconds that only grow. ``cancelled`` is asked once a slice.

    Raises:
        ValueError: the problem is larger than a kernel takes.
    """
    start = clock()
    search.load(problem)
    limit: Limit | None = None
    while (found := search.run(SLICE)) == RUNNING:
        if states is not None and search.states >= states:
            limit = "states"
        elif seconds is not None and clock() - start >= seconds:
            limit = "seconds"
        elif cancelled():
            limit = "cancelled"
        else:
            continue
        break
    if found == FULL:
        limit = "memory"
    result: Result = "win" if found == WIN else "loss" if found == LOSS else "unknown"
    codes = search.codes() if found == WIN else []
    return Verdict(problem, result, search.states, clock() - start, codes, limit)
