"""Rules of the log 11, 17, 20: hosts, ends, durability."""

import pytest

from server.storage.base import KEEP_MS, MAX_ADOPT, MAX_STEP_MS
from tests.contract.stores import Rig, datas, taken, why


async def pass_time(rig: Rig, ms: int) -> None:
    for _ in range(0, ms, MAX_STEP_MS):
        rig.clock.jump(MAX_STEP_MS)
        await rig.store.log.beat()
    await rig.store.log.beat()


async def test_11_a_live_match_without_a_host_is_adopted_once(rig: Rig) -> None:
    for match in ("live", "hosted", "solo"):
        await rig.store.log.create(match, b"1")
    await rig.store.log.set_live("live", live=True)
    await rig.store.log.set_live("hosted", live=True)
    await rig.store.log.register("hosted")
    assert (await rig.store.log.beat()).adopt == ("live",)
    assert (await rig.store.log.beat()).adopt == ()
    rig.store.log.unregister("hosted")
    assert (await rig.store.log.beat()).adopt == ("hosted",)


async def test_11_after_a_restart_live_matches_are_adopted(lasting: Rig) -> None:
    names = [f"m{n}" for n in range(MAX_ADOPT + 5)]
    for name in names:
        await lasting.store.log.create(name, b"1")
        await lasting.store.log.register(name)
        await lasting.store.log.set_live(name, live=True)
    await lasting.store.log.set_live("m0", live=False)
    await lasting.reopen()
    first, second, third = [await lasting.store.log.beat() for _ in range(3)]
    assert len(first.adopt) == MAX_ADOPT
    assert sorted(first.adopt + second.adopt) == sorted(names[1:])
    assert third.adopt == ()
    assert first.alive


async def test_11_what_is_no_longer_live_is_not_adopted(rig: Rig) -> None:
    await rig.store.log.create("m", b"1")
    await rig.store.log.set_live("m", live=True)
    await rig.store.log.set_live("m", live=False)
    await rig.store.log.set_live("none", live=True)
    assert (await rig.store.log.beat()).adopt == ()


async def test_17_a_match_is_archived_once(rig: Rig) -> None:
    await rig.store.log.create("m", b"1")
    assert await rig.store.log.archived("m") is None
    assert await rig.store.log.finish("m", b"replay")
    assert not await rig.store.log.finish("m", b"another")
    if rig.kind.lasts:
        await rig.reopen()
    assert not await rig.store.log.finish("m", b"another")
    assert await rig.store.log.archived("m") == b"replay"
    assert await rig.store.log.archived("none") is None


async def test_17_an_ended_match_leaves_the_live_ones(rig: Rig) -> None:
    await rig.store.log.create("m", b"1")
    await rig.store.log.set_live("m", live=True)
    await rig.store.log.finish("m", b"replay")
    assert (await rig.store.log.beat()).adopt == ()
    await rig.store.log.set_live("m", live=True)
    assert (await rig.store.log.beat()).adopt == ()
    if rig.kind.lasts:
        await rig.reopen()
        assert (await rig.store.log.beat()).adopt == ()


async def test_17_and_18_an_ended_log_stays_for_a_rematch_and_then_goes(rig: Rig) -> None:
    await rig.store.log.create("m", b"1")
    await rig.store.log.create("other", b"1")
    await rig.append("m", b"2")
    await rig.store.log.finish("m", b"replay")
    await pass_time(rig, KEEP_MS - 10_000)
    assert KEEP_MS >= 10 * 60 * 1000
    assert datas(await rig.append("m", b"rematch", have=2)) == [b"rematch"]
    assert await rig.data("m") == [b"1", b"2", b"rematch"]
    await pass_time(rig, 20_000)
    assert why(await rig.append("m", b"late", have=3)) == "gone"
    assert why(await rig.store.log.read("m", 0)) == "gone"
    assert why(await rig.store.log.create("m", b"again")) == "exists"
    if rig.kind.lasts:
        await rig.reopen()
    assert why(await rig.append("m", b"late", have=3)) == "gone"
    assert why(await rig.store.log.create("m", b"again")) == "exists"
    assert await rig.store.log.archived("m") == b"replay"
    assert await rig.data("other") == [b"1"]


async def test_an_ended_log_may_stay_longer(rig: Rig) -> None:
    await rig.store.log.create("m", b"1")
    await rig.store.log.finish("m", b"replay", KEEP_MS + 60_000)
    await pass_time(rig, KEEP_MS + 50_000)
    assert datas(await rig.append("m", b"again", have=1)) == [b"again"]
    await pass_time(rig, 20_000)
    assert why(await rig.append("m", b"late", have=2)) == "gone"


async def test_20_durability_is_told(rig: Rig) -> None:
    assert rig.store.log.durability == rig.kind.durability


async def test_20_what_was_acknowledged_is_there_after_a_restart(lasting: Rig) -> None:
    await lasting.store.log.create("m", b"1")
    for n in range(2, 40):
        await lasting.append("m", b"%d" % n, have=n - 1)
        if n % 7 == 0:
            await lasting.reopen()
    assert await lasting.data("m") == [b"%d" % n for n in range(1, 40)]


async def test_20_closing_writes_what_was_taken(lasting: Rig) -> None:
    await lasting.store.log.create("m", b"1")
    results = [lasting.start("m", b"%d" % n, have=n - 1) for n in range(2, 10)]
    await lasting.reopen()
    assert all(taken(result.result()).own == 1 for result in results)
    assert len(await lasting.data("m")) == 9


@pytest.mark.parametrize("fresh", [False, True])
async def test_a_log_read_in_parts_is_the_log(lasting: Rig, *, fresh: bool) -> None:
    await lasting.store.log.create("m", b"1")
    for n in range(2, 600):
        future = lasting.start("m", b"%d" % n, have=n - 1)
        if n % 2:
            await future
    await future
    if fresh:
        await lasting.reopen()
    for after in (0, 1, 2, 57, 256, 511, 598, 599, 5000):
        assert await lasting.data("m", after) == [b"%d" % n for n in range(after + 1, 600)]


async def test_archives_are_met_in_parts(rig: Rig) -> None:
    names = {f"m{n}" for n in range(7)}
    for name in sorted(names):
        await rig.store.log.create(name, b"first")
        await rig.store.log.finish(name, b"replay")
    met: list[str] = []
    cursor = ""
    for _ in range(100):
        part, cursor = await rig.store.log.archives(cursor, 3)
        met += part
        if not cursor:
            break
    assert set(met) == names
    assert not cursor
