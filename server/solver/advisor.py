"""What the server asks of the solver, on threads of its own: hints, winnable deals, whether a game can still be won."""

import asyncio
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from server.solver.hint import hint
from server.solver.line import Step
from server.solver.problem import Problem, from_position
from server.solver.question import position_question
from server.solver.search import Search
from server.solver.solve import Verdict, solve
from server.solver.winnable import Found, RandBytes, WinnablePool, find
from shared.notation import position_text
from shared.position import Position
from shared.protocol import Hint
from shared.ruleset import Ruleset
from shared.terms import KlondikeTerms, Terms

#: Bytes of each table of a thread that looks for proofs; the other threads' searches are shorter.
MEMORY: Final = 1 << 26
SHORT_MEMORY: Final = 1 << 24
#: A line for a hint that takes longer is none; a proof may take so long, if the player pauses so long.
HINT_SECONDS: Final = 0.25
PROOF_SECONDS: Final = 20.0


class Proof(Struct, frozen=True):
    """That a game cannot be won: a finished search of ``states`` states under ``terms`` from ``position``.

    ``command`` is a line for ``double-solitaire solve`` that has it proven again.
    """

    terms: Terms
    position: str
    states: int
    seconds: float
    command: str


def winning_line(problem: Problem, solve: Callable[[Problem, float], Verdict]) -> list[Step] | None:
    """A line that wins, one that takes no card from a foundation if such a one is found: a hint never says to.

    So who follows the hints stays on a line that wins, but for the few games that cannot be won without worry back.
    """
    line = solve(replace(problem, worry_back=False), HINT_SECONDS).moves
    if line is None and problem.worry_back:
        line = solve(problem, HINT_SECONDS).moves
    return line


class SolverAdvisor:
    """``server.ports.Advisor``; ``clock``: seconds that only grow; ``threads``: for hints, and as many for proofs.

    The searches run without the interpreter's lock, so that the event loop goes on meanwhile. Nobody who waits for an
    answer waits behind a proof, which is looked for while its player thinks, or behind the pool's filling.
    """

    def __init__(self, clock: Callable[[], float], *, threads: int = 2, memory: int = MEMORY) -> None:
        self._clock = clock
        self._memory = memory
        self._own = threading.local()
        self._closed = threading.Event()
        self._answers = ThreadPoolExecutor(threads, "solver", self._begin, (min(memory, SHORT_MEMORY),))
        self._proofs = ThreadPoolExecutor(threads, "proof", self._begin, (memory,))
        self._filling = ThreadPoolExecutor(1, "winnable", self._begin, (min(memory, SHORT_MEMORY),))
        self.pool = WinnablePool(self._find, self._answers, self._filling)

    def prepare(self, terms: Iterable[KlondikeTerms], randbytes: RandBytes) -> None:
        """Begin to look for winnable deals under ``terms``, so that the first players who want one need not wait."""
        for each in terms:
            self.pool.fill(each, randbytes)

    async def hint(self, rules: Ruleset, position: Position, at: int) -> Hint:
        """The hint at ``position`` of a solo game, at play time ``at``."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._answers, self._hint, rules, position, at)

    async def winnable(self, terms: KlondikeTerms, randbytes: RandBytes) -> tuple[int, bool]:
        """The number of a deal, and whether it is proven winnable under ``terms``."""
        found = await self.pool.get(terms, randbytes)
        return found.number, found.proven

    async def cannot_be_won(self, rules: Ruleset, position: Position) -> Proof | None:
        """A proof that no sequence of moves wins from ``position``, or ``None``: it can be won, or nobody knows.

        A caller that is cancelled ends the search.
        """
        unwanted = threading.Event()
        loop = asyncio.get_running_loop()
        try:
            verdict = await loop.run_in_executor(
                self._proofs, partial(self._solve, from_position(rules, position), PROOF_SECONDS, unwanted.is_set)
            )
        finally:
            unwanted.set()
        if verdict.result != "loss":
            return None
        question = position_question(rules, position)
        return Proof(rules.terms, position_text(position), verdict.states, verdict.seconds, question)

    async def close(self) -> None:
        """Stop all searches and wait for their threads."""
        self._closed.set()
        await self.pool.close()
        await asyncio.to_thread(self._shut)

    def _shut(self) -> None:
        for executor in (self._answers, self._proofs, self._filling):
            executor.shutdown(cancel_futures=True)

    def _begin(self, memory: int) -> None:
        """A thread's first act: a search with tables of its own."""
        self._own.search = Search(memory)

    def _hint(self, rules: Ruleset, position: Position, at: int) -> Hint:
        def wins(after: Position) -> bool:
            return winning_line(from_position(rules, after), self._solve) is not None

        return hint(rules, position, winning_line(from_position(rules, position), self._solve), at, wins)

    def _solve(self, problem: Problem, seconds: float, unwanted: Callable[[], bool] = lambda: False) -> Verdict:
        search: Search = self._own.search
        return solve(
            problem, search, self._clock, seconds=seconds, cancelled=lambda: unwanted() or self._closed.is_set()
        )

    def _find(self, terms: KlondikeTerms, randbytes: RandBytes) -> Found:
        return find(terms, randbytes, self._own.search, self._clock, self._closed.is_set)
