"""Rule of the log 21: what has not ended goes too, when nobody comes any more."""

from server.storage.base import MAX_STEP_MS
from tests.contract.stores import Rig, why
from tests.contract.test_matches import pass_time


async def test_21_a_log_that_has_not_ended_goes_when_its_time_is_over(rig: Rig) -> None:
    for match in ("m", "other"):
        await rig.store.log.create(match, b"1")
    rig.store.log.keep("m", 10_000)
    await pass_time(rig, 6_000)
    assert await rig.data("m") == [b"1"]
    await pass_time(rig, 9_000)
    assert why(await rig.append("m", b"late", have=1)) == "gone"
    assert why(await rig.store.log.read("m", 0)) == "gone"
    assert why(await rig.store.log.register("m")) == "gone"
    assert await rig.data("other") == [b"1"]


async def test_21_its_time_begins_anew(rig: Rig) -> None:
    await rig.store.log.create("m", b"1")
    for _ in range(4):
        rig.store.log.keep("m", 10_000)
        await pass_time(rig, 6_000)
    assert await rig.data("m") == [b"1"]
    await pass_time(rig, 9_000)
    assert why(await rig.store.log.read("m", 0)) == "gone"


async def test_21_it_stays_while_it_is_hosted_or_live(rig: Rig) -> None:
    for match in ("hosted", "live", "neither"):
        await rig.store.log.create(match, b"1")
    await rig.store.log.register("hosted")
    await rig.store.log.set_live("live", live=True)
    for match in ("hosted", "live", "neither"):
        rig.store.log.keep(match, MAX_STEP_MS)
    await pass_time(rig, 15_000)
    assert await rig.data("hosted") == [b"1"]
    assert await rig.data("live") == [b"1"]
    assert why(await rig.store.log.read("neither", 0)) == "gone"
    rig.store.log.unregister("hosted")
    rig.store.log.keep("hosted", MAX_STEP_MS)
    await pass_time(rig, 9_000)
    assert why(await rig.store.log.read("hosted", 0)) == "gone"


async def test_21_a_live_match_may_end_as_any_other(rig: Rig) -> None:
    await rig.store.log.create("m", b"1")
    rig.store.log.keep("m", 60_000)
    await rig.store.log.set_live("m", live=True)
    assert await rig.store.log.finish("m", b"replay")
    rig.store.log.keep("m", MAX_STEP_MS)  # an ended match has its own time
    await pass_time(rig, 9_000)
    assert await rig.data("m") == [b"1"]


async def test_21_what_never_was_is_not_kept(rig: Rig) -> None:
    rig.store.log.keep("nothing", 60_000)
    assert why(await rig.store.log.read("nothing", 0)) == "gone"


async def test_21_its_time_goes_on_after_a_restart(lasting: Rig) -> None:
    await lasting.store.log.create("m", b"1")
    lasting.store.log.keep("m", 10_000)
    await pass_time(lasting, 3_000)
    await lasting.reopen()
    assert await lasting.data("m") == [b"1"]
    await pass_time(lasting, 12_000)
    assert why(await lasting.store.log.read("m", 0)) == "gone"
