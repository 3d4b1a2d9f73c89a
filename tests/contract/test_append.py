"""Rules of the log 1, 4, 6, 12, 18, 21: appending, creating, reading."""

import asyncio
from functools import partial

import pytest

from server.storage.base import MAX_BATCH, MAX_ENTRIES, MAX_ENTRY_BYTES, AppendResult
from tests.contract.stores import Rig, datas, numbers, taken, why


async def test_1_create_makes_a_match_once(rig: Rig) -> None:
    made = await rig.store.log.create("m", b"first")
    assert (datas(made), numbers(made), taken(made).own) == ([b"first"], [1], 1)
    assert why(await rig.store.log.create("m", b"other")) == "exists"
    assert await rig.data("m") == [b"first"]


async def test_18_of_many_creates_at_once_one_makes_it(rig: Rig) -> None:
    results = await asyncio.gather(*(rig.store.log.create("m", b"%d" % n) for n in range(10)))
    made = [datas(result)[0] for result in results if not hasattr(result, "why")]
    assert len(made) == 1
    assert await rig.data("m") == made


async def test_1_append_to_no_match_is_gone_and_makes_none(rig: Rig) -> None:
    assert why(await rig.append("m", b"a")) == "gone"
    assert why(await rig.store.log.read("m", 0)) == "gone"
    assert why(await rig.store.log.register("m")) == "gone"
    await rig.store.log.create("m", b"first")
    assert await rig.data("m") == [b"first"]


async def test_1_numbers_have_no_gaps(rig: Rig) -> None:
    await rig.store.log.create("m", b"1")
    await asyncio.gather(*(rig.start("m", b"%d" % n) for n in range(2, 20)))
    await rig.append("m", b"20", b"21", b"22")
    assert await rig.data("m") == [b"%d" % n for n in range(1, 23)]


async def test_1_the_answer_brings_all_that_the_caller_lacks(rig: Rig) -> None:
    await rig.store.log.create("m", b"1")
    await rig.append("m", b"2", b"3", b"4", b"5", b"6", b"7")
    for have in (0, 1, 3, 6, 7):
        if rig.kind.lasts:
            await rig.reopen()
        before = len(await rig.data("m"))
        result = await rig.append("m", b"x", b"y", have=have)
        assert taken(result).own == 2
        assert numbers(result) == list(range(have + 1, before + 3))
        assert datas(result)[-2:] == [b"x", b"y"]


async def test_1_two_callers_learn_of_each_other(rig: Rig) -> None:
    await rig.store.log.create("m", b"1")
    first, second = await asyncio.gather(rig.start("m", b"a", have=1), rig.start("m", b"b", have=1))
    assert datas(first) == [b"a"]
    assert datas(second) == [b"a", b"b"]
    assert (taken(first).own, taken(second).own) == (1, 1)


async def test_7_a_caller_that_holds_more_than_there_is_sees_it_by_the_numbers(rig: Rig) -> None:
    """A head below what is held is a fork: the caller must be able to tell."""
    await rig.store.log.create("m", b"1")
    result = taken(await rig.append("m", b"a", have=50))
    assert [entry.no for entry in result.entries] == [2]


async def test_1_an_append_of_nothing_only_asks(rig: Rig) -> None:
    await rig.store.log.create("m", b"1")
    await rig.append("m", b"2")
    result = await rig.append("m", have=1)
    assert (datas(result), taken(result).own) == ([b"2"], 0)
    assert await rig.data("m") == [b"1", b"2"]


async def test_6_if_head_appends_on_that_head_only(rig: Rig) -> None:
    await rig.store.log.create("m", b"1")
    assert datas(await rig.append("m", b"2", have=1, if_head=1)) == [b"2"]
    assert why(await rig.append("m", b"x", have=1, if_head=1)) == "stale"
    assert why(await rig.append("m", b"x", have=1, if_head=3)) == "stale"
    assert await rig.data("m") == [b"1", b"2"]


async def test_6_of_two_ticks_on_one_head_one_is_taken(rig: Rig) -> None:
    await rig.store.log.create("m", b"1")
    results = await asyncio.gather(*(rig.start("m", b"tick", have=1, if_head=1) for _ in range(5)))
    assert numbers(results[0]) == [2]
    assert [why(result) for result in results[1:]] == ["stale"] * 4
    assert await rig.data("m") == [b"1", b"tick"]


async def test_answers_come_in_the_order_of_the_calls_and_after_them(rig: Rig) -> None:
    await rig.store.log.create("m", b"1")
    await rig.append("m", b"2")
    if rig.kind.lasts:
        await rig.reopen()  # so that the match must be looked up first
    came: list[str] = []
    last = asyncio.get_running_loop().create_future()

    def note(name: str, result: AppendResult) -> None:
        came.append(f"{name} {getattr(result, 'why', 'taken')}")
        if name == "last":
            last.set_result(None)

    append = rig.store.log.append
    append("m", 2, [b"a"], partial(note, "a"))
    append("m", 2, [b"b"], partial(note, "b"), if_head=2)
    append("m", 0, [b"c"], partial(note, "c"))
    append("m", 2, [bytes(MAX_ENTRY_BYTES + 1)], partial(note, "d"))
    append("m", 2, [], partial(note, "e"))
    append("m", 2, [b"f"], partial(note, "last"), if_head=4)
    assert came == []
    await last
    assert came == ["a taken", "b stale", "c taken", "d too_large", "e taken", "last taken"]
    assert await rig.data("m") == [b"1", b"2", b"a", b"c", b"f"]


async def test_calls_that_come_while_a_match_is_looked_up_keep_their_order(lasting: Rig) -> None:
    await lasting.store.log.create("m", b"1")
    await lasting.reopen()
    sent = []
    for n in range(6):
        sent.append(lasting.start("m", b"%d" % n, have=n + 1))
        await asyncio.sleep(0)
    assert [numbers(await future) for future in sent] == [[n] for n in range(2, 8)]


async def test_a_fault_in_one_answer_keeps_no_other_from_its(rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    await rig.store.log.create("m", b"1")

    def fail(_: AppendResult) -> None:
        raise RuntimeError("the room is broken")

    rig.store.log.append("m", 1, [b"a"], fail)
    assert datas(await rig.append("m", b"b", have=2)) == [b"b"]
    assert "the room is broken" in caplog.text


async def test_4_an_entry_or_a_call_that_is_too_large_changes_nothing(rig: Rig) -> None:
    await rig.store.log.create("m", b"1")
    assert taken(await rig.append("m", bytes(MAX_ENTRY_BYTES), have=1)).own == 1
    assert why(await rig.append("m", b"a", bytes(MAX_ENTRY_BYTES + 1))) == "too_large"
    assert taken(await rig.append("m", *[b"e"] * MAX_BATCH, have=2)).own == MAX_BATCH
    assert why(await rig.append("m", *[b"e"] * (MAX_BATCH + 1))) == "too_large"
    assert why(await rig.store.log.create("n", bytes(MAX_ENTRY_BYTES + 1))) == "too_large"
    assert len(await rig.data("m")) == 2 + MAX_BATCH


async def test_21_a_match_has_a_most_and_is_never_trimmed(rig: Rig) -> None:
    await rig.store.log.create("m", b"1")
    batches = [[b"%d" % no for no in range(first, first + 500)] for first in range(2, MAX_ENTRIES - 498, 500)]
    results = await asyncio.gather(*(rig.start("m", *batch, have=MAX_ENTRIES) for batch in batches))
    head = taken(results[-1]).entries[-1].no
    assert head == MAX_ENTRIES - 499
    assert why(await rig.append("m", *[b"x"] * 500)) == "full"
    assert numbers(await rig.append("m", *[b"y"] * 499, have=head)) == list(range(head + 1, MAX_ENTRIES + 1))
    assert why(await rig.append("m", b"x", have=head)) == "full"
    assert datas(await rig.append("m", have=MAX_ENTRIES)) == []
    if rig.kind.lasts:
        await rig.reopen()
    assert await rig.data("m") == [b"%d" % no for no in range(1, head + 1)] + [b"y"] * 499
    assert len(await rig.data("m", MAX_ENTRIES - 3)) == 3


async def test_12_registering_and_appending_leave_no_hole(rig: Rig) -> None:
    """What a host read by registering and what answers bring from there on is the whole log, whatever runs beside."""
    await rig.store.log.create("m", b"1")
    await rig.append("m", *[b"%d" % no for no in range(2, 30)])
    if rig.kind.lasts:
        await rig.reopen()
    others = [rig.start("m", b"other %d" % n) for n in range(5)]
    read = taken(await rig.store.log.register("m"))
    others += [rig.start("m", b"later %d" % n) for n in range(5)]
    after = await rig.append("m", b"mine", have=len(read.entries))
    await asyncio.gather(*others)
    held = [entry.no for entry in read.entries] + numbers(after)
    assert held == list(range(1, len(held) + 1))
    assert [entry.data for entry in read.entries] + datas(after) == (await rig.data("m"))[: len(held)]


async def test_matches_do_not_mix(rig: Rig) -> None:
    names = [f"match-{n}" for n in range(30)]
    await asyncio.gather(*(rig.store.log.create(name, name.encode()) for name in names))
    await asyncio.gather(*(rig.start(name, f"{name} {n}".encode()) for n in range(10) for name in names))
    if rig.kind.lasts:
        await rig.reopen()
    for name in names:
        assert await rig.data(name) == [name.encode(), *(f"{name} {n}".encode() for n in range(10))]


async def test_entries_may_be_any_bytes(rig: Rig) -> None:
    odd = [b"", b"\0", bytes(range(256)), "déjà".encode(), b"\xc1" * 100]
    await rig.store.log.create("m", b"")
    await rig.append("m", *odd)
    if rig.kind.lasts:
        await rig.reopen()
    assert await rig.data("m") == [b"", *odd]
    assert all(type(data) is bytes for data in await rig.data("m"))


async def test_16_an_answer_does_not_show_what_it_holds(rig: Rig) -> None:
    """An entry may hold a seed: no line of a log may have it."""
    created = await rig.store.log.create("m", b"a-secret-seed")
    appended = await rig.append("m", b"a-secret-seed", have=0)
    read = await rig.store.log.read("m", 0)
    assert numbers(read) == [1, 2]
    assert "secret" not in f"{created!r} {appended!r} {read!r} {taken(read).entries}"
