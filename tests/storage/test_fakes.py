"""The fakes do what their words say, so that tests may rely on them."""

import asyncio

import pytest

from server.ports import Clock
from server.storage.base import Appended, AppendResult, MatchLog, NotAppended, StoreAway
from server.storage.fakes import FaultyLog, JumpingClock
from server.storage.memory import MemoryLog


def test_timers_are_called_at_their_time_in_their_order() -> None:
    clock = JumpingClock()
    start, came = clock.mono_ms(), list[tuple[str, int]]()

    def note(name: str) -> None:
        came.append((name, clock.mono_ms() - start))

    def note_and_go_on() -> None:
        note("a")
        clock.call_later(50, lambda: note("b"))

    clock.call_later(300, lambda: note("c"))
    clock.call_later(100, note_and_go_on)
    clock.call_later(200, lambda: note("never")).cancel()
    clock.call_later(-5, lambda: note("now"))
    clock.jump(299)
    assert came == [("now", 0), ("a", 100), ("b", 150)]
    clock.jump(1)
    assert came[3:] == [("c", 300)]


def test_a_stopped_process_finds_its_timers_due() -> None:
    clock = JumpingClock()
    start, came = clock.mono_ms(), list[int]()
    clock.call_later(100, lambda: came.append(clock.mono_ms() - start))
    clock.freeze(10_000)
    assert came == [10_000]


def test_the_time_of_day_moves_with_the_time_and_steps_without_it() -> None:
    clock = JumpingClock()
    mono, wall = clock.mono_ms(), clock.wall_ms()
    clock.jump(500)
    clock.step_wall(-3600_000)
    clock.step_mono(7)
    assert (clock.mono_ms() - mono, clock.wall_ms() - wall) == (507, 500 - 3600_000)


def faulty() -> tuple[FaultyLog, JumpingClock, list[AppendResult]]:
    clock = JumpingClock()
    log = FaultyLog(MemoryLog(clock.mono_ms), clock)
    as_clock: Clock = clock
    as_log: MatchLog = log
    assert (as_clock, as_log) == (clock, log)
    return log, clock, []


async def ticks() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_a_slow_store_answers_later_and_in_order() -> None:
    log, clock, came = faulty()
    await log.create("m", b"1")
    log.delay_ms = 50
    log.append("m", 1, [b"a"], came.append)
    await ticks()
    log.delay_ms = 10
    log.append("m", 2, [b"b"], came.append)
    await ticks()
    assert came == []
    clock.jump(49)
    assert came == []
    clock.jump(1)
    assert [result.entries[0].data for result in came if isinstance(result, Appended)] == [b"a", b"b"]


async def test_answers_kept_back_or_lost_belong_to_entries_that_are_in() -> None:
    log, _, came = faulty()
    await log.create("m", b"1")
    log.hold()
    log.append("m", 1, [b"a"], came.append)
    await ticks()
    assert came == []
    log.release()
    assert len(came) == 1
    log.hold()
    log.append("m", 2, [b"b"], came.append)
    await ticks()
    assert log.lose() == 1
    assert len(came) == 1
    result = await log.read("m", 0)
    assert isinstance(result, Appended)
    assert [entry.data for entry in result.entries] == [b"1", b"a", b"b"]


async def test_a_store_that_is_away_takes_nothing_so_many_times() -> None:
    log, _, came = faulty()
    await log.create("m", b"1")
    log.refuse = 4
    log.append("m", 1, [b"a"], came.append)
    assert await log.read("m", 0) == NotAppended("unavailable")
    assert await log.create("n", b"1") == NotAppended("unavailable")
    with pytest.raises(StoreAway):
        await log.beat()
    log.append("m", 1, [b"b"], came.append)
    await ticks()
    assert came[0] == NotAppended("unavailable")
    assert isinstance(came[1], Appended)
    assert await log.read("n", 0) == NotAppended("gone")
