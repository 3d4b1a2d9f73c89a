"""Deals that are proven winnable (docs/rules.md, Winnable only), and a pool of them, filled in the background."""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Final

from msgspec import Struct

from server.solver.problem import from_deck
from server.solver.search import Search
from server.solver.solve import solve
from shared.deals import DealCode, deck_for_code
from shared.ruleset import ruleset
from shared.terms import KlondikeTerms

TRIES: Final = 40
#: States for one deal: with them more than 99 of 100 are decided; an unfinished search is a failed try.
STATES: Final = 200_000

RandBytes = Callable[[int], bytes]


class Found(Struct, frozen=True):
    """A deal's number, and whether it is proven winnable."""

    number: int
    proven: bool


def find(
    terms: KlondikeTerms,
    randbytes: RandBytes,
    search: Search,
    clock: Callable[[], float],
    cancelled: Callable[[], bool] = lambda: False,
) -> Found:
    """The first of up to ``TRIES`` deals that is proven winnable under ``terms``; else a fresh one that is not."""
    rules = ruleset(terms)
    for _ in range(TRIES):
        if cancelled():
            break
        number = int.from_bytes(randbytes(4))
        deck = deck_for_code(DealCode(game="KL", draw=terms.draw, scoring=terms.scoring, number=number))
        verdict = solve(from_deck(rules, deck), search, clock, states=STATES, cancelled=cancelled)
        if verdict.result == "win":
            return Found(number, proven=True)
    return Found(int.from_bytes(randbytes(4)), proven=False)


class WinnablePool:
    """Proven deals kept ready for each set of rules that was asked for; all calls are made on the event loop.

    ``find``: looks for one deal, in the threads of ``asking`` for a player who waits, of ``filling`` for the pool.
    ``size``: deals kept for each rules; ``most``: rules that are kept, the ones asked for longest ago are dropped.
    """

    def __init__(
        self,
        find: Callable[[KlondikeTerms, RandBytes], Found],
        asking: Executor,
        filling: Executor,
        *,
        size: int = 8,
        most: int = 16,
    ) -> None:
        self._find = find
        self._asking = asking
        self._filling = filling
        self._size = size
        self._most = most
        self._ready: dict[KlondikeTerms, deque[Found]] = {}
        self._tasks: dict[KlondikeTerms, asyncio.Task[None]] = {}

    async def get(self, terms: KlondikeTerms, randbytes: RandBytes) -> Found:
        """A deal for ``terms``: at once if one is ready, else when one was looked for."""
        key = _key(terms)
        ready = self._ready.pop(key, None)
        if ready is None:
            ready = deque()
        self._ready[key] = ready  # the last asked for is last
        while len(self._ready) > self._most:
            oldest = next(iter(self._ready))
            del self._ready[oldest]
        found = ready.popleft() if ready else await self._look(key, randbytes, self._asking)
        self.fill(key, randbytes)
        return found

    def fill(self, terms: KlondikeTerms, randbytes: RandBytes) -> None:
        """Begin to fill up what is ready for ``terms``."""
        key = _key(terms)
        self._ready.setdefault(key, deque())
        if key not in self._tasks:
            task = asyncio.get_running_loop().create_task(self._fill(key, randbytes))
            self._tasks[key] = task
            task.add_done_callback(lambda _: self._tasks.pop(key, None))

    def ready(self, terms: KlondikeTerms) -> int:
        """How many deals are ready for ``terms``."""
        return len(self._ready.get(_key(terms), ()))

    async def close(self) -> None:
        """Stop filling."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _fill(self, key: KlondikeTerms, randbytes: RandBytes) -> None:
        while (ready := self._ready.get(key)) is not None and len(ready) < self._size:
            found = await self._look(key, randbytes, self._filling)
            if not found.proven:
                return  # these rules hardly ever can be won: each player has his own search
            ready.append(found)

    async def _look(self, key: KlondikeTerms, randbytes: RandBytes, executor: Executor) -> Found:
        return await asyncio.get_running_loop().run_in_executor(executor, self._find, key, randbytes)


def _key(terms: KlondikeTerms) -> KlondikeTerms:
    """The terms with what does not bear on winning made equal: the same number is the same cards under any scoring."""
    passes = ruleset(terms).passes
    return KlondikeTerms(
        draw=terms.draw,
        passes="unlimited" if passes is None else passes,
        worry_back=terms.worry_back,
        empty_column=terms.empty_column,
        open_deal=terms.open_deal,
    )
