"""Any calls in any order: each store gives what a plain list would."""

import asyncio
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.contract.conftest import rig_of
from tests.contract.stores import KINDS, Kind, Rig, datas, taken, why

MATCHES = ["a", "b", "c"]
match = st.sampled_from(MATCHES)
entries = st.lists(st.binary(max_size=8), max_size=4).map(tuple)
step = st.one_of(
    st.tuples(st.just("create"), match),
    st.tuples(st.just("append"), match, entries, st.integers(0, 12), st.none() | st.integers(0, 12)),
    st.tuples(st.just("append"), match, entries, st.integers(0, 12), st.none()),
    st.tuples(st.just("read"), match, st.integers(0, 12)),
    st.tuples(st.just("reopen")),
)


async def check_append(rig: Rig, log: list[bytes] | None, todo: tuple[object, ...]) -> None:
    _, name, data, have, if_head = todo
    assert isinstance(name, str)
    assert isinstance(data, tuple)
    assert isinstance(have, int)
    assert if_head is None or isinstance(if_head, int)
    result = await rig.append(name, *data, have=have, if_head=if_head)
    if log is None:
        assert why(result) == "gone"
    elif if_head is not None and if_head != len(log):
        assert why(result) == "stale"
    else:
        before = len(log)
        log.extend(data)
        assert datas(result) == log[min(have, before) :]
        assert taken(result).own == len(data)


async def run(kind: Kind, steps: list[tuple[object, ...]]) -> None:
    logs: dict[object, list[bytes]] = {}
    with tempfile.TemporaryDirectory() as place:
        async with rig_of(kind, Path(place)) as rig:
            for todo in steps:
                log = logs.get(todo[1]) if len(todo) > 1 else None
                if todo[0] == "create":
                    result = await rig.store.log.create(str(todo[1]), b"first")
                    assert hasattr(result, "why") == (log is not None)
                    logs.setdefault(todo[1], [b"first"])
                elif todo[0] == "append":
                    await check_append(rig, log, todo)
                elif todo[0] == "read" and log is not None:
                    assert isinstance(todo[2], int)
                    assert datas(await rig.store.log.read(str(todo[1]), todo[2])) == log[todo[2] :]
                elif todo[0] == "reopen" and kind.lasts:
                    await rig.reopen()
            for name, log in logs.items():
                assert await rig.data(str(name)) == log


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(step, max_size=40))
def test_any_calls_give_what_a_plain_list_would(kind: Kind, steps: list[tuple[object, ...]]) -> None:
    asyncio.run(run(kind, steps))
