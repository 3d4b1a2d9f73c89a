"""Over real sockets: handshake, frames, limits and the end of a connection."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.typing import Origin, Subprotocol

from server import link_websockets
from server.front import Admission, ServerFront
from server.http import Site, make_file
from server.link import RESTARTING, TOO_SLOW, Listener
from shared.codec import CODECS
from shared.moves import Draw
from shared.protocol import (
    JSON,
    MAX_FRAME,
    MSGPACK,
    Create,
    Hello,
    Ping,
    Play,
    Pong,
    Snapshot,
    ToClient,
    ToServer,
    Update,
    Welcome,
)
from shared.terms import KlondikeTerms
from tests.server.gateway_fakes import Bench

BOTH = pytest.mark.parametrize("subprotocol", [MSGPACK, JSON])


class Serving:
    def __init__(self, bench: Bench, listener: Listener) -> None:
        self.bench = bench
        self.listener = listener

    @contextlib.asynccontextmanager
    async def client(self, subprotocol: str | None = MSGPACK, **options: Any) -> AsyncIterator["Peer"]:
        subprotocols = None if subprotocol is None else [Subprotocol(subprotocol)]
        url = f"ws://127.0.0.1:{self.listener.port}/ws"
        async with connect(url, subprotocols=subprotocols, proxy=None, close_timeout=1, **options) as socket:
            yield Peer(socket)


class Peer:
    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.codec = CODECS[socket.subprotocol or ""]

    async def send(self, message: ToServer) -> None:
        await self.socket.send(self.codec.encode(message), text=not self.codec.binary)

    async def told(self) -> ToClient:
        return self.codec.read_server(await asyncio.wait_for(self.socket.recv(), 5))

    async def ask(self, message: ToServer) -> ToClient:
        await self.send(message)
        return await self.told()

    async def enter(self) -> None:
        assert isinstance(await self.ask(Hello()), Welcome)
        assert isinstance(await self.ask(Create(terms=KlondikeTerms())), Snapshot)

    def raw(self, *frames: Frame) -> None:
        """Send frames as they are."""
        for frame in frames:
            self.socket.protocol.writes.append(frame.serialize(mask=True, extensions=[]))
        self.socket.send_data()

    async def close_code(self) -> int | None:
        await asyncio.wait_for(self.socket.wait_closed(), 5)
        return self.socket.close_code


@pytest.fixture
async def serving() -> AsyncIterator[Serving]:
    bench = Bench()
    site = Site({"/index.html": make_file(b"<!doctype html>", ".html")}, ready=lambda: True)
    front = ServerFront(bench.gateway, site, Admission(origins=frozenset({"https://friend.example"})))
    listener = await link_websockets.listen(front, "127.0.0.1", 0)
    yield Serving(bench, listener)
    listener.stop()
    bench.gateway.close()
    await asyncio.wait_for(listener.wait_closed(), 5)


@BOTH
async def test_a_game_over_a_socket(serving: Serving, subprotocol: str) -> None:
    async with serving.client(subprotocol) as peer:
        assert peer.socket.subprotocol == subprotocol
        assert peer.socket.protocol.extensions == []
        await peer.enter()
        assert await peer.ask(Play(n=1, seen=0, do=Draw())) == Update(no=2, at=2, seat=0, n=1)
        assert await peer.ask(Ping(sent=2.5)) == Pong(sent=2.5, now=4321)
    await asyncio.sleep(0.05)
    assert not serving.bench.gateway.connections


async def test_many_at_once_arrive_in_order(serving: Serving) -> None:
    async with serving.client() as peer:
        await peer.enter()
        for n in range(1, 41):
            await peer.send(Play(n=n, seen=0, do=Draw()))
        updates = [await peer.told() for _ in range(40)]
        assert [update.n for update in updates if isinstance(update, Update)] == list(range(1, 41))


@pytest.mark.parametrize("subprotocol", [None, "ds.xml.v1", "chat"])
async def test_no_known_subprotocol_is_refused(serving: Serving, subprotocol: str | None) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with serving.client(subprotocol):
            pass
    assert refused.value.response.status_code == HTTPStatus.BAD_REQUEST


async def test_both_offered_msgpack_is_taken(serving: Serving) -> None:
    url = f"ws://127.0.0.1:{serving.listener.port}/ws"
    async with connect(url, subprotocols=[Subprotocol(JSON), Subprotocol(MSGPACK)], proxy=None) as socket:
        assert socket.subprotocol == MSGPACK


@pytest.mark.parametrize(("origin", "allowed"), [("https://evil.example", False), ("https://friend.example", True)])
async def test_the_page_that_connects_is_checked(serving: Serving, origin: str, allowed: bool) -> None:  # noqa: FBT001 - a row of the table
    if allowed:
        async with serving.client(origin=Origin(origin)) as peer:
            assert isinstance(await peer.ask(Hello()), Welcome)
        return
    with pytest.raises(InvalidStatus) as refused:
        async with serving.client(origin=Origin(origin)):
            pass
    assert refused.value.response.status_code == HTTPStatus.FORBIDDEN


@BOTH
async def test_a_message_too_long_closes_1009(serving: Serving, subprotocol: str) -> None:
    async with serving.client() as other, serving.client(subprotocol) as peer:
        await other.enter()
        await peer.socket.send("x" * (MAX_FRAME + 1) if subprotocol == JSON else b"x" * (MAX_FRAME + 1))
        assert await peer.close_code() == 1009
        assert isinstance(await other.ask(Play(n=1, seen=0, do=Draw())), Update)


async def test_the_longest_message_is_read(serving: Serving) -> None:
    async with serving.client(JSON) as peer:
        await peer.enter()
        await peer.socket.send('{"t":"ping","sent":1}'.ljust(MAX_FRAME))
        assert isinstance(await peer.told(), Pong)


async def test_pieces_that_are_too_long_together_close_1009(serving: Serving) -> None:
    async with serving.client(JSON) as peer:
        half = b" " * (MAX_FRAME // 2 + 1)
        peer.raw(Frame(Opcode.TEXT, half, fin=False), Frame(Opcode.CONT, half, fin=True))
        assert await peer.close_code() == 1009


async def test_too_many_pieces_close_1009(serving: Serving) -> None:
    async with serving.client(JSON) as peer:
        peer.raw(Frame(Opcode.TEXT, b"", fin=False), *[Frame(Opcode.CONT, b"", fin=False)] * 100)
        assert await peer.close_code() == 1009


async def test_a_message_in_pieces_is_read(serving: Serving) -> None:
    async with serving.client(JSON) as peer:
        await peer.enter()
        peer.raw(
            Frame(Opcode.TEXT, b'{"t":"ping",', fin=False),
            Frame(Opcode.PING, b"between", fin=True),
            Frame(Opcode.CONT, b'"sent":', fin=False),
            Frame(Opcode.CONT, b"3}", fin=True),
        )
        assert await peer.told() == Pong(sent=3, now=4321)


@pytest.mark.parametrize("data", [b"\xff\xfe", b'{"t":"hello","name":"\xc3\x28"}', b"\xed\xa0\x80"])
async def test_text_that_is_not_utf8_closes_1007(serving: Serving, data: bytes) -> None:
    async with serving.client(JSON) as peer:
        peer.raw(Frame(Opcode.TEXT, data))
        assert await peer.close_code() == 1007


async def test_a_broken_frame_closes_and_nobody_else_notices(serving: Serving) -> None:
    async with serving.client() as other, serving.client() as peer:
        await other.enter()
        peer.raw(Frame(Opcode.CONT, b"nothing to continue"))
        assert await peer.close_code() == 1002
        assert isinstance(await other.ask(Play(n=1, seen=0, do=Draw())), Update)


async def test_a_socket_that_is_cut_is_forgotten(serving: Serving) -> None:
    async with serving.client() as peer:
        await peer.enter()
        peer.socket.transport.abort()
        await asyncio.sleep(0.1)
        assert not serving.bench.gateway.connections
        assert serving.bench.rooms.rooms["m1"].viewers == []


async def test_who_does_not_read_is_closed_1013_and_the_others_play_on(serving: Serving) -> None:
    """The socket's own buffers are filled first, so the room has to say a great deal."""
    async with serving.client() as slow, serving.client() as other:
        await slow.enter()
        await other.enter()
        slow.socket.transport.pause_reading()
        (connection,) = (
            each for each in serving.bench.gateway.connections if each.room is serving.bench.rooms.rooms["m1"]
        )
        filler = connection.codec.encode(Hello(name="x" * 24)) * 4000
        for _ in range(200):
            connection.write(filler)
            await asyncio.sleep(0)
            if serving.bench.gateway.counts.slow_readers:
                break
        assert serving.bench.gateway.counts.slow_readers == 1
        assert isinstance(await other.ask(Play(n=1, seen=0, do=Draw())), Update)
        slow.socket.transport.resume_reading()
        with contextlib.suppress(ConnectionClosed):
            while True:
                await slow.socket.recv()
        assert await slow.close_code() == TOO_SLOW


async def test_a_stop_closes_everybody_with_1012(serving: Serving) -> None:
    async with serving.client() as one, serving.client(JSON) as two:
        await one.enter()
        await two.enter()
        serving.listener.stop()
        serving.bench.gateway.close()
        assert [await one.close_code(), await two.close_code()] == [RESTARTING, RESTARTING]


async def test_a_peer_that_never_answers_the_close_is_cut(serving: Serving) -> None:
    reader, writer = await raw_handshake(serving.listener.port)
    await asyncio.sleep(0.05)
    serving.bench.gateway.close()
    started = asyncio.get_running_loop().time()
    with contextlib.suppress(ConnectionError):
        while await asyncio.wait_for(reader.read(1000), 5):
            pass  # takes the close frame, says nothing
        while serving.bench.gateway.connections:
            await asyncio.sleep(0.05)
            assert asyncio.get_running_loop().time() - started < 5
    writer.close()


async def raw_handshake(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Protocol: ds.msgpack.v1\r\n\r\n"
    )
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 5)
    assert b" 101 " in head
    return reader, writer


async def fetch(port: int, request: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    answer = await asyncio.wait_for(reader.read(), 5)
    writer.close()
    return answer


async def test_a_page_is_fetched_over_the_same_port(serving: Serving) -> None:
    answer = await fetch(serving.listener.port, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 ")
    assert head.lower().count(b"content-length: 15") == 1
    assert head.lower().count(b"content-length") == 1
    assert b"connection: close" in head.lower()
    assert body == b"<!doctype html>"


async def test_the_socket_path_without_a_handshake_says_what_it_is(serving: Serving) -> None:
    answer = await fetch(serving.listener.port, b"GET /ws HTTP/1.1\r\nHost: x\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 426 ")


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"\x16\x03\x01\x00\xa5" * 20 + b"\r\n\r\n",
        b"nonsense\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc",
        b"\r\n\r\n",
    ],
    ids=["tls", "nonsense", "post", "empty"],
)
async def test_what_is_no_request_ends_the_connection_only(serving: Serving, request_bytes: bytes) -> None:
    with contextlib.suppress(ConnectionError):
        await fetch(serving.listener.port, request_bytes)
    async with serving.client() as peer:
        await peer.enter()


SHAKE = b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n" + (
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: " + JSON.encode() + b"\r\n"
)


@pytest.mark.parametrize("path", [b"/", b"/ws"])
@pytest.mark.parametrize(
    "name", ["Host", "Origin", "Accept-Encoding", "If-None-Match", "Upgrade", "X-Forwarded-For", "X-Forwarded-Host"]
)
async def test_a_header_that_comes_twice_is_no_fault(serving: Serving, path: bytes, name: str) -> None:
    twice = f"{name}: a\r\n{name}: b\r\n".encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", serving.listener.port)
    writer.write(b"GET " + path + b" HTTP/1.1\r\n" + twice + SHAKE + b"\r\n")
    status = await asyncio.wait_for(reader.readline(), 5)
    writer.close()
    assert status.startswith((b"HTTP/1.1 1", b"HTTP/1.1 2", b"HTTP/1.1 4"))


@pytest.mark.parametrize("target", [b"//[", b"/ws[", b"//[bad/ws", b"//]/ws", b"?", b"*", b"http://[/ws", b"/%"])
async def test_a_target_that_is_no_address_is_not_found(serving: Serving, target: bytes) -> None:
    answer = await fetch(serving.listener.port, b"GET " + target + b" HTTP/1.1\r\nHost: x\r\n" + SHAKE + b"\r\n")
    assert answer.startswith(b"HTTP/1.1 404 "), answer


async def test_head_is_answered_without_a_body(serving: Serving) -> None:
    answer = await fetch(serving.listener.port, b"HEAD / HTTP/1.1\r\nHost: x\r\n\r\n")
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"Content-Length: 15" in head
    assert body == b""


async def test_the_way_to_a_client_and_back_is_measured(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a ping of the server's own, soon after the handshake."""
    monkeypatch.setattr(link_websockets, "FIRST_PING_SECONDS", 0.05)
    async with serving.client() as client:
        await client.enter()
        (connection,) = serving.bench.gateway.connections
        async with asyncio.timeout(5):
            while (took := connection.line_ms) is None:
                await asyncio.sleep(0.01)
        assert took >= 1
