"""What the server asks: winnable deals from a pool, hints and proofs, beside a running event loop."""

import asyncio
import itertools
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest

from server.solver.advisor import SolverAdvisor
from server.solver.problem import from_deck
from server.solver.question import parse_question, problem_of
from server.solver.search import Search
from server.solver.solve import solve
from server.solver.winnable import TRIES, Found, WinnablePool, find
from shared.deals import DealCode, deck_for_code
from shared.engine import start
from shared.position import Position
from shared.protocol import Hint
from shared.ruleset import Ruleset, ruleset
from shared.terms import KlondikeTerms


def clock() -> float:
    return 0.0


def deck(seed: int) -> tuple[int, ...]:
    cards = list(range(52))
    random.Random(seed).shuffle(cards)
    return tuple(cards)


@pytest.fixture(scope="module")
def search() -> Search:
    return Search(1 << 24)


@pytest.mark.parametrize(
    "terms", [KlondikeTerms(), KlondikeTerms(draw=3), KlondikeTerms(scoring="vegas"), KlondikeTerms(empty_column="any")]
)
def test_a_winnable_deal_is_proven_under_its_own_rules(search: Search, terms: KlondikeTerms) -> None:
    found = find(terms, random.Random(1).randbytes, search, clock)
    assert found.proven
    cards = deck_for_code(DealCode(game="KL", draw=terms.draw, scoring=terms.scoring, number=found.number))
    assert solve(from_deck(ruleset(terms), cards), search, clock).result == "win"


def test_after_forty_losses_an_ordinary_deal_says_so(search: Search) -> None:
    asked = []

    def same(count: int) -> bytes:
        asked.append(count)
        return lost.to_bytes(4)

    terms = KlondikeTerms(draw=3, passes=1)
    lost = next(
        number
        for number in range(100)
        if solve(
            from_deck(ruleset(terms), deck_for_code(DealCode(game="KL", draw=3, scoring="standard", number=number))),
            search,
            clock,
        ).result
        == "loss"
    )
    assert find(terms, same, search, clock) == Found(lost, proven=False)
    assert len(asked) == TRIES + 1


async def test_the_pool_hands_out_each_deal_once_and_fills_up() -> None:
    numbers = iter(range(1000))
    with ThreadPoolExecutor(1) as threads:
        pool = WinnablePool(lambda *_: Found(next(numbers), proven=True), threads, threads, size=3)
        got = [(await pool.get(KlondikeTerms(), random.randbytes)).number for _ in range(10)]
        assert len(set(got)) == 10
        await pool.close()


async def test_the_pool_keeps_rules_apart_and_drops_the_oldest() -> None:
    with ThreadPoolExecutor(1) as threads:
        pool = WinnablePool(lambda terms, _: Found(terms.draw, proven=True), threads, threads, size=2, most=1)
        for draw in (1, 3, 1, 3):
            assert (await pool.get(KlondikeTerms(draw=draw), random.randbytes)).number == draw
        await pool.close()


async def test_unproven_deals_are_never_kept() -> None:
    looked = []

    def fail(*_: object) -> Found:
        looked.append(1)
        return Found(len(looked), proven=False)

    with ThreadPoolExecutor(1) as threads:
        pool = WinnablePool(fail, threads, threads)
        assert not (await pool.get(KlondikeTerms(), random.randbytes)).proven
        await asyncio.sleep(0.05)
        assert len(looked) == 2  # the player's own, and one in the background that gave up
        await pool.close()


async def test_hints_winnable_deals_and_proofs_come_through_the_advisor() -> None:
    advisor = SolverAdvisor(time.monotonic, memory=1 << 24)
    try:
        rules = ruleset(KlondikeTerms(draw=3))
        hint = await advisor.hint(rules, start(rules, (deck(0),)), 0)
        assert hint != Hint()
        assert (await advisor.winnable(KlondikeTerms(), random.randbytes))[1]
        assert await advisor.cannot_be_won(rules, start(rules, (deck(0),))) is None
        proof = await advisor.cannot_be_won(rules, start(rules, (deck(29),)))
        assert proof is not None
        assert proof.states > 0
        again = problem_of(parse_question(proof.command))
        assert solve(again, Search(1 << 24), clock).result == "loss"
        assert msgspec.json.decode(proof.command)["position"].startswith("seat:0")
    finally:
        await advisor.close()


async def test_closing_stops_what_runs() -> None:
    advisor = SolverAdvisor(time.monotonic, memory=1 << 24)
    rules = ruleset(KlondikeTerms(draw=3))
    question = asyncio.create_task(advisor.cannot_be_won(rules, start(rules, (deck(159),))))
    await asyncio.sleep(0.02)
    await advisor.close()
    assert await question is None


def hard() -> tuple[Ruleset, Position]:
    """A deal that takes millions of states: a search of it is still at work when the test goes on."""
    rules = ruleset(KlondikeTerms(passes=2))
    return rules, start(rules, (deck(33),))


async def test_who_is_no_longer_interested_ends_the_search() -> None:
    advisor = SolverAdvisor(clock, threads=1, memory=1 << 24)  # its clock stands: no time runs out
    try:
        question = asyncio.create_task(advisor.cannot_be_won(*hard()))
        await asyncio.sleep(0.02)
        question.cancel()
        rules = ruleset(KlondikeTerms(draw=3))
        assert await advisor.cannot_be_won(rules, start(rules, (deck(29),))) is not None
        assert question.cancelled()
    finally:
        await advisor.close()


async def test_a_search_that_was_cut_short_proves_nothing() -> None:
    """Time-out means unknown, never unwinnable."""
    ticks = itertools.count()
    advisor = SolverAdvisor(lambda: 1000.0 * next(ticks), memory=1 << 24)
    try:
        assert await advisor.cannot_be_won(*hard()) is None
    finally:
        await advisor.close()


async def test_a_hint_waits_for_no_proof() -> None:
    advisor = SolverAdvisor(time.monotonic, threads=1, memory=1 << 24)
    try:
        proofs = [asyncio.create_task(advisor.cannot_be_won(*hard())) for _ in range(3)]
        await asyncio.sleep(0.02)
        rules = ruleset(KlondikeTerms())
        assert await advisor.hint(rules, start(rules, (deck(0),)), 0) != Hint()
        assert not proofs[-1].done()
        for proof in proofs:
            proof.cancel()
    finally:
        await advisor.close()


async def test_a_player_waits_for_no_filling_of_the_pool() -> None:
    gate = threading.Event()

    def slow(*_: object) -> Found:
        if threading.current_thread().name.startswith("filling"):
            gate.wait(10)
        return Found(5, proven=True)

    with ThreadPoolExecutor(1) as asking, ThreadPoolExecutor(1, "filling") as filling:
        pool = WinnablePool(slow, asking, filling)
        pool.fill(KlondikeTerms(), random.randbytes)
        await asyncio.sleep(0)
        assert await pool.get(KlondikeTerms(), random.randbytes) == Found(5, proven=True)
        assert not gate.is_set()
        gate.set()
        await pool.close()


async def test_what_was_prepared_is_there_at_once_under_any_scoring_of_the_same_rules() -> None:
    advisor = SolverAdvisor(time.monotonic, memory=1 << 24)
    try:
        advisor.prepare([KlondikeTerms(draw=3)], random.randbytes)
        alike = KlondikeTerms(draw=3, scoring="none", winnable=True, unlimited_hints=True)
        while not advisor.pool.ready(alike):
            await asyncio.sleep(0.01)
        ready = advisor.pool.ready(alike)
        number, proven = await advisor.winnable(alike, random.randbytes)
        assert proven
        assert advisor.pool.ready(alike) == ready - 1, "taken from the pool, without a search"
        cards = deck_for_code(DealCode(game="KL", draw=3, scoring="none", number=number))
        assert solve(from_deck(ruleset(alike), cards), Search(1 << 24), clock).result == "win"
        assert advisor.pool.ready(KlondikeTerms(draw=3, scoring="vegas")) == 0, "one with fewer passes"
    finally:
        await advisor.close()
