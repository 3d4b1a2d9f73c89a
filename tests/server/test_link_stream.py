"""However the network cuts the bytes, and whoever reads a frame, we or the package: the same messages arrive."""

import asyncio
import itertools
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.asyncio.server import Server
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from server.link import Link, Receiver, Reply, join_frames
from server.link_websockets import WebSocketLink
from shared.protocol import JSON, MAX_FRAME

REQUEST = (
    b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Protocol: ds.json.v1\r\n\r\n"
)


class Wire:
    """A socket that keeps what was written."""

    def __init__(self) -> None:
        self.sent = b""

    def write(self, data: bytes) -> None:
        self.sent += data

    def __getattr__(self, name: str) -> Any:
        return lambda *_: None


class Ear:
    """Keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[bytes | str] = []

    def request(self, method: str, path: str, headers: Mapping[str, str], address: str) -> Reply | None:
        return None

    def accept(self, link: Link, headers: Mapping[str, str]) -> Receiver:
        return self

    def received(self, frame: bytes | str) -> None:
        self.heard.append(frame)

    def closed(self) -> None:
        """Nothing to keep."""


class Line:
    """A link whose handshake is done by hand, over a socket in memory."""

    def __init__(self, early: bytes = b"") -> None:
        async def handler(_: object) -> None:
            """The test does what the handler would."""

        class Ours(WebSocketLink):
            pass

        self.ear = Ear()
        self.wire = Wire()
        Ours.front = self.ear
        server = cast("Server", SimpleNamespace(handler=handler, handler_tasks=set()))
        self.protocol = ServerProtocol(subprotocols=[Subprotocol(JSON)], max_size=MAX_FRAME)
        self.link = Ours(self.protocol, server)
        self.link.connection_made(cast("asyncio.BaseTransport", self.wire))
        self.link.data_received(REQUEST + early)
        assert isinstance(self.link.request, Request)
        self.protocol.send_response(self.protocol.accept(self.link.request))
        self.link.send_data()
        self.link.open()


def masked(frame: Frame) -> bytes:
    return frame.serialize(mask=True)


#: A message and the frames that carry it.
TEXTS = st.text(max_size=20) | st.integers(120, 300).map("x".__mul__)
WHOLE = TEXTS.map(lambda text: (text, [Frame(Opcode.TEXT, text.encode())])) | st.binary(max_size=300).map(
    lambda data: (data, [Frame(Opcode.BINARY, data)])
)


@st.composite
def in_pieces(draw: st.DrawFn) -> tuple[bytes | str, list[Frame]]:
    text = draw(TEXTS)
    data = text.encode()
    cut = draw(st.integers(0, len(data)))
    between = [Frame(Opcode.PING, b"p")] if draw(st.booleans()) else []
    return text, [Frame(Opcode.TEXT, data[:cut], fin=False), *between, Frame(Opcode.CONT, data[cut:])]


SILENT = st.sampled_from([Frame(Opcode.PING, b""), Frame(Opcode.PING, b"x" * 125), Frame(Opcode.PONG, b"old")]).map(
    lambda frame: (None, [frame])
)


def chunks(data: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[start:end] for start, end in itertools.pairwise(places)]


@settings(max_examples=200, deadline=None)
@given(st.lists(WHOLE | in_pieces() | SILENT, max_size=8), st.lists(st.integers(0, 5000), max_size=12), st.booleans())
async def test_every_cut_of_the_stream_brings_the_same_messages(
    sent: list[tuple[bytes | str | None, list[Frame]]],
    cuts: list[int],
    early: bool,  # noqa: FBT001 - drawn
) -> None:
    """``early``: some of it came with the request, before our answer, so that the package reads all of it."""
    line = Line(early=masked(Frame(Opcode.PONG, b"")) if early else b"")
    for chunk in chunks(b"".join(masked(frame) for _, frames in sent for frame in frames), cuts):
        line.link.data_received(chunk)
    assert line.ear.heard == [message for message, _ in sent if message is not None]
    assert line.protocol.state is State.OPEN


@settings(max_examples=200, deadline=None)
@given(st.lists(WHOLE, max_size=3), st.binary(min_size=1, max_size=60), st.lists(st.integers(0, 400), max_size=6))
async def test_any_bytes_after_it_break_nothing_and_what_came_before_is_heard(
    sent: list[tuple[bytes | str, list[Frame]]], noise: bytes, cuts: list[int]
) -> None:
    line = Line()
    for chunk in chunks(b"".join(masked(frame) for _, frames in sent for frame in frames) + noise, cuts):
        line.link.data_received(chunk)
    assert line.ear.heard[: len(sent)] == [message for message, _ in sent]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\x81\x00", 1002),  # not masked
        (b"\x89\x00", 1002),
        (b"\x83\x80\x00\x00\x00\x00", 1002),  # no such kind
        (b"\xc1\x80\x00\x00\x00\x00", 1002),  # an extension that was not agreed
        (b"\x80\x80\x00\x00\x00\x00", 1002),  # nothing to continue
        (b"\x81\xfe\x10\x01\x00\x00\x00\x00", 1009),  # 4097 bytes
        (b"\x81\xff\x00\x00\x00\x00\x00\x00\x10\x01", 1009),
        (b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff", 1009),
        (b"\x81\x81\x00\x00\x00\x00\xff", 1007),
        (b"\x01\x80\x00\x00\x00\x00\x81\x80\x00\x00\x00\x00", 1002),  # a new message within another
    ],
)
async def test_what_is_against_the_rules_closes_with_its_code(data: bytes, code: int) -> None:
    for size in (len(data), 1):
        line = Line()
        for start in range(0, len(data), size):
            line.link.data_received(data[start : start + size])
        assert line.protocol.close_sent is not None
        assert line.protocol.close_sent.code == code
        assert line.ear.heard == []


async def test_a_length_written_in_eight_bytes_is_read_too() -> None:
    line = Line()
    line.link.data_received(
        b"\x81\xff\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00hi" + masked(Frame(Opcode.TEXT, b"x"))
    )
    assert line.ear.heard == ["hi", "x"]


async def test_after_the_close_nothing_is_heard() -> None:
    line = Line()
    line.link.close(1000, "")
    line.link.data_received(masked(Frame(Opcode.TEXT, b"late")))
    assert line.ear.heard == []


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65535, 65536, 70000])
@pytest.mark.parametrize("binary", [True, False])
def test_our_frames_are_those_of_the_package(size: int, binary: bool) -> None:  # noqa: FBT001 - a row of the table
    data = b"x" * size
    opcode = Opcode.BINARY if binary else Opcode.TEXT
    assert join_frames([data, b"y"], binary=binary) == (
        Frame(opcode, data).serialize(mask=False) + Frame(opcode, b"y").serialize(mask=False)
    )
