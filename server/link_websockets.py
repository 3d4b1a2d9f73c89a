"""The transport on the `websockets` package, by call-backs: no task and no queue between the socket and the gateway.

The package does the handshake and reads every frame but the plain ones: a whole message in one masked frame is read
here, for an eighth of the time. So that both can read one stream, the package is given whole frames only.
"""

import asyncio
import contextlib
import logging
import socket
from collections.abc import Awaitable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, cast

from websockets import ConnectionClosed, Headers, Request, Response, State
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.frames import Frame, Opcode
from websockets.protocol import Event
from websockets.typing import Subprotocol

from server.link import CLOSE_SECONDS, NOT_UTF8, TOO_BIG, Front, Receiver, Reply, join_frames
from shared.protocol import JSON, MAX_FRAME, MSGPACK

try:
    from websockets.speedups import apply_mask
except ImportError:  # the package without its C part
    from websockets.utils import apply_mask

#: Most pieces that one message may come in.
MAX_FRAGMENTS: Final = 64
PING_SECONDS: Final = 10
#: The first ping comes so soon, so that a line is known by the time a game begins.
FIRST_PING_SECONDS: Final = 1.0
OPEN_SECONDS: Final = 10

_OPEN: Final = State.OPEN
_TEXT_FRAME: Final = 0x81
_BINARY_FRAME: Final = 0x82


class WebSocketLink(ServerConnection):
    """One connection of the package, made to hand its messages over as they come and to write many in one go."""

    front: Front

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._receiver: Receiver | None = None
        self._binary = True
        self._begun: Opcode | None = None
        self._pieces = bytearray()
        self._piece_count = 0
        self._cut: asyncio.TimerHandle | None = None
        self._early = False
        self._rest = b""
        self._measured = False
        self._pinging: asyncio.Task[None] | None = None

    @property
    def address(self) -> str:
        """The peer's IP address, empty where the socket is already gone."""
        peer = self.transport.get_extra_info("peername")
        return str(peer[0]) if isinstance(peer, tuple) else ""

    @property
    def subprotocol(self) -> Subprotocol:
        """The subprotocol of the handshake."""
        return self.protocol.subprotocol or Subprotocol("")

    def write(self, frames: Sequence[bytes]) -> None:
        """Send each of ``frames`` as a message, in one write."""
        if self.protocol.state is _OPEN:
            try:
                self.transport.write(join_frames(frames, binary=self._binary))
            except (OSError, RuntimeError):  # the socket broke this moment; connection_lost is on its way
                self.transport.abort()

    def buffered(self) -> int:
        """Bytes that wait for the peer."""
        return 0 if self.transport.is_closing() else self.transport.get_write_buffer_size()

    def line_ms(self) -> int | None:
        """There and back, ms."""
        return max(1, round(self.latency * 1000)) if self._measured else None  # some loops' time has whole ms only

    def close(self, code: int = 1000, reason: str = "") -> Any:
        """Begin the closing handshake. The awaitable that the package expects of it is done at once."""
        if self.protocol.state is _OPEN:
            self.protocol.send_close(code, reason)
            self.send_data()
            self._cut_later()
        done = self.loop.create_future()
        done.set_result(None)
        return done

    def open(self) -> Receiver:
        """Hand the link over, once."""
        if self._receiver is None:
            self._binary = self.subprotocol != JSON
            headers = self.request.headers if self.request is not None else Headers()
            self._receiver = self.front.accept(self, _joined(headers))
            self.loop.call_later(FIRST_PING_SECONDS, self._ping_once)
        return self._receiver

    def _ping_once(self) -> None:
        """Measure the line early; the package's own pings go on from there."""
        if self.protocol.state is _OPEN:
            self._pinging = self.loop.create_task(self._ping())

    async def _ping(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            await self.ping()

    def process_event(self, event: Event) -> None:
        """Take a frame: the package's hook for what came."""
        if not isinstance(event, Frame):
            super().process_event(event)  # the handshake
        elif event.opcode is Opcode.PONG:
            self.acknowledge_pings(bytes(event.data))
            self._measured = True
        elif self.protocol.state is _OPEN:
            if event.fin and event.opcode is not Opcode.CONT:
                self._deliver(event.opcode, event.data)
            else:
                self._collect(event)

    def data_received(self, data: bytes) -> None:
        """Take bytes of the socket."""
        receiver = self._receiver
        if receiver is None:
            self._shake_hands(data)
        elif self._early or self.protocol.state is not _OPEN:
            self._pass_on(data)
        else:
            self._read(receiver, self._rest + data if self._rest else data)

    def _shake_hands(self, data: bytes) -> None:
        if self.request is not None:
            self._early = True  # frames before our answer: then the package reads all of them
        super().data_received(data)
        if self.request is not None and not data.endswith(b"\r\n\r\n"):
            self._early = True

    def _read(self, receiver: Receiver, data: bytes) -> None:
        """Deliver the plain messages in ``data``, give the package the other frames, keep an unfinished one."""
        at, end = 0, len(data)
        self._rest = b""
        while end - at >= 2:
            length = data[at + 1] - 0x80
            start = at + 6
            if length == 126 and end - at >= 4:
                length = data[at + 2] << 8 | data[at + 3]
                start = at + 8
            stop = start + length
            if length < 0 or (length > MAX_FRAME) or (length == 127 and start == at + 6):
                self._pass_on(data[at:])  # unmasked or too long: an error that the package tells
                return
            if stop > end:
                break
            kind = data[at]
            if kind not in {_BINARY_FRAME, _TEXT_FRAME} or self.protocol.current_size is not None:
                self._pass_on(data[at:stop])
            elif kind == _BINARY_FRAME:
                receiver.received(apply_mask(data[start:stop], data[start - 4 : start]))
            else:
                self._deliver(Opcode.TEXT, apply_mask(data[start:stop], data[start - 4 : start]))
            at = stop
            if self.protocol.state is not _OPEN:
                self._pass_on(data[at:])
                return
        self._rest = data[at:]

    def _pass_on(self, data: bytes) -> None:
        """Let the package read; cut the line in time if that ended the connection."""
        if self._rest:
            data, self._rest = self._rest + data, b""
        super().data_received(data)
        if self._receiver is not None and self.protocol.state is not _OPEN:
            self._cut_later()

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is gone."""
        super().connection_lost(exc)
        if self._cut is not None:
            self._cut.cancel()
        if self._receiver is not None:
            self._receiver.closed()

    def _collect(self, frame: Frame) -> None:
        if frame.opcode is not Opcode.CONT:
            if frame.opcode not in {Opcode.TEXT, Opcode.BINARY}:
                return
            self._begun, self._piece_count = frame.opcode, 0
            self._pieces.clear()
        if self._begun is None:
            return
        self._pieces += frame.data
        self._piece_count += 1
        if self._piece_count > MAX_FRAGMENTS:
            self._fail(TOO_BIG, f"a message in more than {MAX_FRAGMENTS} pieces")
        elif frame.fin:
            opcode, self._begun = self._begun, None
            self._deliver(opcode, self._pieces)

    def _deliver(self, opcode: Opcode, data: Any) -> None:
        receiver = self._receiver or self.open()
        if opcode is Opcode.BINARY:
            receiver.received(bytes(data))
        elif opcode is Opcode.TEXT:
            try:
                text = str(data, "utf-8")
            except UnicodeDecodeError:
                self._fail(NOT_UTF8, "text that is not UTF-8")
                return
            receiver.received(text)

    def _fail(self, code: int, reason: str) -> None:
        self.protocol.fail(code, reason)
        self.send_data()
        self._cut_later()

    def _cut_later(self) -> None:
        if self._cut is None:
            self._cut = self.loop.call_later(CLOSE_SECONDS, self.transport.abort)


class WebSocketListener:
    """The package's server, as a ``Listener``."""

    def __init__(self, server: Server) -> None:
        self._server = server

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(next(iter(self._server.sockets)).getsockname()[1])

    def stop(self) -> None:
        """Take no new connection; the open ones stay."""
        self._server.close(close_connections=False)

    async def wait_closed(self) -> None:
        """Return once all connections are gone."""
        await self._server.wait_closed()


def _joined(headers: Headers) -> Mapping[str, str]:
    """Return ``headers`` with those that came more than once as one, by commas; the package raises for such."""
    joined = Headers()
    for name in headers:
        joined[name] = ", ".join(headers.get_all(name))
    return cast("Mapping[str, str]", joined)


def _response(reply: Reply) -> Response:
    headers = Headers([*reply.headers, ("Connection", "close")])
    return Response(reply.status, HTTPStatus(reply.status).phrase, headers, reply.body)


async def _later(reply: Awaitable[Reply]) -> Response:
    return _response(await reply)


async def listen(front: Front, host: str, port: int, sock: socket.socket | None = None) -> WebSocketListener:
    """Listen on ``host`` and ``port`` (0: any free one), or on ``sock``, which listens already.

    Raises:
        OSError: the port is taken or the host is none of this machine's.
    """

    def process_request(connection: ServerConnection, request: Request) -> Response | Awaitable[Response] | None:
        assert isinstance(connection, WebSocketLink)  # noqa: S101 - made below
        reply = front.request(request.method, request.path, _joined(request.headers), connection.address)
        if reply is None or isinstance(reply, Reply):
            return None if reply is None else _response(reply)
        return _later(reply)

    async def hold(connection: ServerConnection) -> None:
        assert isinstance(connection, WebSocketLink)  # noqa: S101 - made below
        if connection.state is _OPEN:
            connection.open()
        await connection.wait_closed()

    class Ours(WebSocketLink):
        pass

    Ours.front = front
    server = await serve(
        hold,
        *((host, port) if sock is None else ()),
        sock=sock,
        compression=None,  # deflate halves the throughput for frames of this size
        subprotocols=[Subprotocol(MSGPACK), Subprotocol(JSON)],
        process_request=process_request,
        server_header=None,
        open_timeout=OPEN_SECONDS,
        ping_interval=PING_SECONDS,
        ping_timeout=PING_SECONDS,
        close_timeout=CLOSE_SECONDS,
        max_size=MAX_FRAME,
        write_limit=2**20,  # the outbox has the say; awaited writes of the package are pings only
        create_connection=Ours,
        backlog=1024,  # after a restart everybody comes at once
        logger=logging.getLogger("websockets.server"),
    )
    return WebSocketListener(server)
