"""The transport on the `picows` package (extra `fast`): the frames are read in C.

It answers GET only (no HEAD), and learns a client's address after the handshake only; so a connection over the limit of
its address is closed with 1013 instead of refused.
"""

import asyncio
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, cast

import picows
from multidict import CIMultiDict
from picows import WSCloseCode, WSFrame, WSListener, WSMsgType, WSTransport

from server.link import CLOSE_SECONDS, NOT_UTF8, TOO_BIG, TOO_SLOW, Front, Receiver, Reply, join_frames
from server.link_websockets import MAX_FRAGMENTS, OPEN_SECONDS, PING_SECONDS
from shared.protocol import JSON, MAX_FRAME, MSGPACK

_TEXT: Final = WSMsgType.TEXT
_BINARY: Final = WSMsgType.BINARY
_CONTINUATION: Final = WSMsgType.CONTINUATION
_CLOSE: Final = WSMsgType.CLOSE


class PicowsLink(WSListener):  # type: ignore[misc,unused-ignore]  # the package is optional: its types may be absent
    """One connection."""

    def __init__(self, front: Front, request: picows.WSUpgradeRequest, subprotocol: str, open_links: set[Any]) -> None:
        self.address = ""
        self.subprotocol = subprotocol
        self._binary = subprotocol != JSON
        self._front = front
        self._request = request
        self._open_links = open_links
        self._transport: WSTransport | None = None
        self._receiver: Receiver | None = None
        self._begun: WSMsgType | None = None
        self._pieces = bytearray()
        self._piece_count = 0
        self._cut: asyncio.TimerHandle | None = None

    # For the gateway.

    def write(self, frames: Sequence[bytes]) -> None:
        """Send each of ``frames`` as a message, in one write."""
        transport = self._transport
        if transport is not None and not transport.is_close_frame_sent:
            transport.underlying_transport.write(join_frames(frames, binary=self._binary))

    def buffered(self) -> int:
        """Bytes that wait for the peer."""
        transport = self._transport
        if transport is None or transport.underlying_transport.is_closing():
            return 0
        return int(transport.underlying_transport.get_write_buffer_size())

    def close(self, code: int, reason: str) -> None:
        """Begin the closing handshake."""
        transport = self._transport
        if transport is not None and not transport.is_close_frame_sent:
            transport.send_close(WSCloseCode(code), reason.encode())
            loop = asyncio.get_running_loop()
            self._cut = loop.call_later(CLOSE_SECONDS, transport.underlying_transport.abort)

    # For the package.

    def on_ws_connected(self, transport: WSTransport) -> None:
        """The handshake is done."""
        self._transport = transport
        self._open_links.add(self)
        peer = transport.underlying_transport.get_extra_info("peername")
        self.address = str(peer[0]) if isinstance(peer, tuple) else ""
        headers = cast("Mapping[str, str]", self._request.headers)
        refusal = self._front.request("GET", self._request.path.decode("latin-1"), headers, self.address)
        if refusal is None:
            self._receiver = self._front.accept(self, headers)
        else:
            self.close(TOO_SLOW, refusal.body.decode().strip())

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """A frame came."""
        kind = frame.msg_type
        if kind is _CLOSE:
            transport.send_close(frame.get_close_code())
            transport.disconnect()
        elif transport.is_close_frame_sent or self._receiver is None:
            return
        elif kind is _BINARY and frame.fin:
            self._receiver.received(frame.get_payload_as_bytes())
        elif kind in {_TEXT, _BINARY, _CONTINUATION}:
            if frame.fin and kind is _TEXT:
                self._deliver(kind, frame.get_payload_as_bytes())
            else:
                self._collect(kind, frame.get_payload_as_bytes(), last=frame.fin)

    def on_ws_disconnected(self, transport: WSTransport) -> None:  # noqa: ARG002 - as the package calls it
        """The socket is gone."""
        self._open_links.discard(self)
        if self._cut is not None:
            self._cut.cancel()
        if self._receiver is not None:
            self._receiver.closed()

    def _collect(self, kind: WSMsgType, data: bytes, *, last: bool) -> None:
        if kind is not _CONTINUATION:
            self._begun, self._piece_count = kind, 0
            self._pieces.clear()
        if self._begun is None:
            self.close(WSCloseCode.PROTOCOL_ERROR.value, "nothing to continue")
            return
        self._pieces += data
        self._piece_count += 1
        if self._piece_count > MAX_FRAGMENTS or len(self._pieces) > MAX_FRAME:
            self.close(TOO_BIG, "too long a message")
        elif last:
            kind, self._begun = self._begun, None
            self._deliver(kind, bytes(self._pieces))

    def _deliver(self, kind: WSMsgType, data: bytes) -> None:
        receiver = self._receiver
        if receiver is None:
            return
        if kind is _BINARY:
            receiver.received(data)
            return
        try:
            text = data.decode()
        except UnicodeDecodeError:
            self.close(NOT_UTF8, "text that is not UTF-8")
            return
        receiver.received(text)


class PicowsListener:
    """The package's server, as a ``Listener``."""

    def __init__(self, server: asyncio.Server, open_links: set[Any]) -> None:
        self._server = server
        self._open_links = open_links
        self._port = int(server.sockets[0].getsockname()[1])

    @property
    def port(self) -> int:
        """The port it listens on."""
        return self._port

    def stop(self) -> None:
        """Take no new connection; the open ones stay."""
        self._server.close()

    async def wait_closed(self) -> None:
        """Return once all connections are gone."""
        while self._open_links:  # noqa: ASYNC110 - once a process; an event would have to be kept in step by every link
            await asyncio.sleep(0.02)
        await self._server.wait_closed()


def _response(reply: Reply) -> picows.WSUpgradeResponseWithListener:
    response = picows.WSUpgradeResponse()
    response.version = b"HTTP/1.1"
    response.status = HTTPStatus(reply.status)
    # The package adds the length of a body itself.
    response.headers = CIMultiDict((name, value) for name, value in reply.headers if name != "Content-Length")
    response.body = reply.body
    if not reply.body and reply.status != HTTPStatus.NOT_MODIFIED:
        response.headers["Content-Length"] = "0"
    return picows.WSUpgradeResponseWithListener(response, None)


async def listen(front: Front, host: str, port: int) -> PicowsListener:
    """Listen on ``host`` and ``port`` (0: any free one).

    Raises:
        OSError: the port is taken or the host is none of this machine's.
    """
    open_links: set[Any] = set()

    def answer(request: picows.WSUpgradeRequest) -> picows.WSUpgradeResponseWithListener:
        headers = cast("Mapping[str, str]", request.headers)
        reply = front.request(request.method.decode("latin-1"), request.path.decode("latin-1"), headers, "")
        if reply is not None:
            return _response(reply)
        offered = [name.strip() for name in headers.get("Sec-WebSocket-Protocol", "").split(",")]
        chosen = next((name for name in (MSGPACK, JSON) if name in offered), None)
        if chosen is None:
            words = f"expected subprotocol {MSGPACK} or {JSON}\n".encode()
            return picows.WSUpgradeResponseWithListener(
                picows.WSUpgradeResponse.create_error_response(HTTPStatus.BAD_REQUEST, words), None
            )
        response = picows.WSUpgradeResponse.create_101_response({"Sec-WebSocket-Protocol": chosen})
        return picows.WSUpgradeResponseWithListener(response, PicowsLink(front, request, chosen, open_links))

    server = await picows.ws_create_server(
        answer,
        host,
        port,
        websocket_handshake_timeout=OPEN_SECONDS,
        enable_auto_ping=True,
        auto_ping_idle_timeout=PING_SECONDS,
        auto_ping_reply_timeout=PING_SECONDS,
        max_frame_size=MAX_FRAME,
        read_buffer_init_size=4096,
    )
    return PicowsListener(server, open_links)
