"""Rule of the log 5: play time."""

import pytest

from server.storage.base import MAX_STEP_MS
from tests.contract.stores import Rig, taken


async def play(rig: Rig) -> int:
    return (await rig.store.log.beat()).play_ms


async def test_5_play_time_moves_with_beats(rig: Rig) -> None:
    start = await play(rig)
    for _ in range(10):
        rig.clock.jump(1000)
        await rig.store.log.beat()
    assert await play(rig) == start + 10_000


@pytest.mark.parametrize(
    ("step", "counted"), [(MAX_STEP_MS, MAX_STEP_MS), (MAX_STEP_MS + 1, 0), (3_600_000, 0), (-1, 0), (-3_600_000, 0)]
)
async def test_5_an_outage_or_a_clock_step_charges_at_most_three_seconds(rig: Rig, step: int, counted: int) -> None:
    start = await play(rig)
    rig.clock.step_mono(step)
    assert await play(rig) == start + counted
    rig.clock.jump(1000)
    assert await play(rig) == start + counted + 1000


async def test_5_entries_carry_play_time_that_never_goes_back(rig: Rig) -> None:
    await rig.store.log.create("m", b"1")
    results = []
    for step in [0, 10, 2999, 5000, -700, 1, 250]:
        rig.clock.step_mono(step)
        results.append(taken(await rig.append("m", b"x", have=100)))
    log = taken(await rig.store.log.read("m", 0))
    ats = [entry.at for entry in log.entries]
    assert ats == sorted(ats)
    assert ats[-1] - ats[0] == 10 + 2999 + 1 + 250
    assert all(result.entries[-1].at <= result.play_ms for result in results)


async def test_5_reads_move_the_time_as_well(rig: Rig) -> None:
    await rig.store.log.create("m", b"1")
    start = taken(await rig.store.log.read("m", 0)).play_ms
    rig.clock.jump(1500)
    assert taken(await rig.store.log.read("m", 0)).play_ms == start + 1500


async def test_5_a_restart_goes_on_where_it_was(lasting: Rig) -> None:
    await lasting.store.log.create("m", b"1")
    for _ in range(30):
        lasting.clock.jump(1000)
        await lasting.store.log.beat()
    lasting.clock.jump(700)
    before = taken(await lasting.append("m", b"2", have=1))
    await lasting.store.close()
    lasting.clock.jump(600_000)
    lasting.store = await lasting.kind.open(lasting.place, lasting.clock)
    assert await play(lasting) == before.entries[-1].at == 30_700
    assert taken(await lasting.append("m", b"3", have=2)).entries[0].at == 30_700
