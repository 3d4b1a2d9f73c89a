"""What the server asks of the solver, on threads of its own: hints, winnable deals, whether a game can still be won."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, TypeVar

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

T = TypeVar("T")

MEMORY: Final = 1 << 26
#: A line for a hint that takes longer is none; a proof may take as long as the player pauses.
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
    """``server.ports.Advisor`` on ``threads`` threads; ``clock``: seconds that only grow.

    The searches run without the interpreter's lock, so that the event loop goes on meanwhile.
    """

    def __init__(self, clock: Callable[[], float], *, threads: int = 2, memory: int = MEMORY) -> None:
        self._clock = clock
        self._memory = memory
        self._own = threading.local()
        self._closed = threading.Event()
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="solver")
        # Filling the pool keeps to one thread: a player's question never waits behind it.
        self._background = ThreadPoolExecutor(1, thread_name_prefix="winnable")
        self.pool = WinnablePool(self._find, self._background)

    async def hint(self, rules: Ruleset, position: Position, at: int) -> Hint:  # noqa: ARG002 - no clock bears on it
        """The hint at ``position`` of a solo game."""
        return await self._run(self._hint, rules, position)

    async def winnable(self, terms: KlondikeTerms, randbytes: RandBytes) -> tuple[int, bool]:
        """The number of a deal, and whether it is proven winnable under ``terms``."""
        found = await self.pool.get(terms, randbytes)
        return found.number, found.proven

    async def cannot_be_won(self, rules: Ruleset, position: Position) -> Proof | None:
        """A proof that no sequence of moves wins from ``position``, or ``None``: it can be won, or nobody knows."""
        verdict = await self._run(self._prove, rules, position)
        if verdict.result != "loss":
            return None
        return Proof(
            rules.terms,
            position_text(position),
            verdict.states,
            verdict.seconds,
            position_question(rules, position),
        )

    async def close(self) -> None:
        """Stop all searches and wait for their threads."""
        self._closed.set()
        await self.pool.close()
        await asyncio.to_thread(self._shut)

    def _shut(self) -> None:
        self._executor.shutdown(cancel_futures=True)
        self._background.shutdown(cancel_futures=True)

    async def _run(self, call: Callable[..., T], *args: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._executor, partial(call, *args))

    def _hint(self, rules: Ruleset, position: Position) -> Hint:
        return hint(rules, position, winning_line(from_position(rules, position), self._solve))

    def _prove(self, rules: Ruleset, position: Position) -> Verdict:
        return self._solve(from_position(rules, position), PROOF_SECONDS)

    def _solve(self, problem: Problem, seconds: float) -> Verdict:
        return solve(problem, self._search(), self._clock, seconds=seconds, cancelled=self._closed.is_set)

    def _find(self, terms: KlondikeTerms, randbytes: RandBytes) -> Found:
        return find(terms, randbytes, self._search(), self._clock, self._closed.is_set)

    def _search(self) -> Search:
        """The calling thread's own search, with its tables."""
        search: Search | None = getattr(self._own, "search", None)
        if search is None:
            search = self._own.search = Search(self._memory)
        return search
