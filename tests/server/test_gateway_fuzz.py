"""Any bytes at all, in any order: the gateway answers or closes, and the other connection plays on."""

import json
from collections.abc import Callable
from typing import Any, get_args

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.protocol import JSON, MSGPACK, Ping, Pong, ToServer, Update
from tests.server.gateway_fakes import Bench
from tests.server.test_gateway import in_match, play

SCALARS = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text(max_size=30)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)
WORDS = st.sampled_from(
    ["hello", "create", "join", "leave", "play", "ask_legal", "ask_snapshot", "ask_hint", "ping", "x"]
)
FIELDS = st.sampled_from(
    ["token", "name", "terms", "match", "code", "watch", "since", "legal", "n", "seen", "do", "sent"]
)
#: Nearly right: the type and the names of fields are real, the values are not.
NEARLY = st.builds(lambda t, rest: {"t": t, **rest}, WORDS, st.dictionaries(FIELDS, ANYTHING | SCALARS, max_size=5))


@st.composite
def messages(draw: st.DrawFn, encode: Callable[[Any], bytes]) -> bytes:
    """Real messages of every type, built from the schema; numbers beyond 64 bits cannot be written."""
    message = draw(st.one_of(*(st.from_type(kind) for kind in get_args(ToServer))))
    try:
        return encode(message)
    except OverflowError:
        return b""


@st.composite
def damaged(draw: st.DrawFn, whole: st.SearchStrategy[bytes]) -> bytes:
    """A frame with a few bytes changed, cut or added."""
    data = bytearray(draw(whole))
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, max(0, len(data) - 1)))
        data[place : place + draw(st.integers(0, 3))] = draw(st.binary(max_size=3))
    return bytes(data)


def as_json(value: Any) -> bytes:
    return json.dumps(value).encode()


def as_msgpack(value: Any) -> bytes:
    return msgspec.msgpack.encode(value)


NEAR_MSGPACK = (NEARLY | ANYTHING).map(as_msgpack)
NEAR_JSON = (NEARLY | ANYTHING).map(as_json)
BINARY = st.binary(max_size=200) | NEAR_MSGPACK | damaged(NEAR_MSGPACK) | messages(msgspec.msgpack.encode)
TEXT = (
    st.text(max_size=200)
    | NEAR_JSON.map(bytes.decode)
    | damaged(NEAR_JSON).map(lambda data: data.decode(errors="replace"))
    | messages(msgspec.json.encode).map(bytes.decode)
)


async def survives(subprotocol: str, frames: list[Any]) -> None:
    bench = Bench(malformed=10**6, messages_per_second=0, creates_per_second=0)
    fuzzed, other = await in_match(bench, subprotocol), await in_match(bench)
    for frame in frames:
        fuzzed.raw(frame)
        await fuzzed.told()  # every answer is a message of the protocol, or this raises
    assert fuzzed.link.close_code is None
    assert bench.gateway.counts.faults == 0
    answer = await fuzzed.ask(Ping(sent=1))
    assert isinstance(answer, Pong)
    assert isinstance((await other.ask(play())), Update)


@settings(max_examples=150, deadline=None)
@given(st.lists(BINARY | TEXT, max_size=12))
async def test_any_frame_on_the_binary_subprotocol(frames: list[bytes | str]) -> None:
    await survives(MSGPACK, frames)


@settings(max_examples=150, deadline=None)
@given(st.lists(TEXT | BINARY, max_size=12))
async def test_any_frame_on_the_text_subprotocol(frames: list[bytes | str]) -> None:
    await survives(JSON, frames)
