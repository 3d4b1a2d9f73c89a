"""The search in a process of its own answers as the search itself does, and ends with its server."""

import asyncio
import os
import random
from collections.abc import AsyncIterator

import pytest

from server.searcher import Searcher
from shared import engine, stuck
from shared.cards import make_card
from shared.position import Position, Seat
from shared.ruleset import ruleset
from shared.terms import DuelTerms

RULES = ruleset(DuelTerms())


@pytest.fixture
async def searcher() -> AsyncIterator[Searcher]:
    made = Searcher()
    yield made
    await made.close()


def dealt(seed: int) -> Position:
    chance = random.Random(seed)
    decks = [list(range(low, low + 52)) for low in (0, 52)]
    for deck in decks:
        chance.shuffle(deck)
    return engine.start(RULES, (tuple(decks[0]), tuple(decks[1])))


def hopeless() -> Position:
    """Two black kings and nothing else: no card ever reaches a foundation."""
    seat = Seat(columns=((make_card(0, 0, 13),), (make_card(0, 3, 13),), *((),) * 5), down=(0,) * 7, stock=())
    return Position((seat, seat), ((),) * 8)


async def test_it_answers_as_the_search_does(searcher: Searcher) -> None:
    assert await searcher.search(RULES, hopeless(), 0, 100) is True
    verdicts = set()
    for seed in range(12):
        position = dealt(seed)
        limit = 50 if seed % 2 else 2_000
        expected = stuck.search(RULES, position, seed % 2, limit)
        assert await searcher.search(RULES, position, seed % 2, limit) is expected
        verdicts.add(expected)
    assert False in verdicts


async def test_a_process_that_ended_is_replaced(searcher: Searcher) -> None:
    assert await searcher.search(RULES, hopeless(), 0, 100) is True
    process = searcher._process
    assert process is not None
    process.kill()
    await process.wait()
    assert await searcher.search(RULES, hopeless(), 0, 100) is True
    assert searcher._process is not process


async def test_questions_are_asked_one_at_a_time(searcher: Searcher) -> None:
    answers = await asyncio.gather(*(searcher.search(RULES, hopeless(), 0, 100) for _ in range(5)))
    assert answers == [True] * 5


async def test_it_ends_when_its_server_does(searcher: Searcher) -> None:
    """A killed server closes the pipe; nothing else needs to be told."""
    await searcher.search(RULES, hopeless(), 0, 100)
    process = searcher._process
    assert process is not None
    assert process.stdin is not None
    process.stdin.close()
    assert await asyncio.wait_for(process.wait(), 5) == 0


async def test_it_runs_below_everything_else(searcher: Searcher) -> None:
    await searcher.search(RULES, hopeless(), 0, 100)
    assert searcher._process is not None
    assert os.getpriority(os.PRIO_PROCESS, searcher._process.pid) == 19
