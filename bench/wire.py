"""A WebSocket client of as little work as can be, so that the server is what is measured and not the load on it.

Frames are masked with a key of zeros (allowed, and free); messages are never fragmented; no extensions.
"""

import asyncio
import base64
from collections.abc import Callable
from typing import cast

BINARY = 2
TEXT = 1


class Wire(asyncio.Protocol):
    """One connection. ``on_frame`` gets each message; ``opened`` is done once frames may be sent."""

    def __init__(self, path: str, subprotocol: str | None, on_frame: Callable[[bytes], None]) -> None:
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed = False
        self._opcode = TEXT if subprotocol is not None and "json" in subprotocol else BINARY
        self._request = "\r\n".join(
            (
                f"GET {path} HTTP/1.1",
                "Host: 127.0.0.1",
                "Upgrade: websocket",
                "Connection: Upgrade",
                "Sec-WebSocket-Version: 13",
                f"Sec-WebSocket-Key: {base64.b64encode(bytes(16)).decode()}",
                *((f"Sec-WebSocket-Protocol: {subprotocol}",) if subprotocol else ()),
                "\r\n",
            )
        ).encode()
        self._on_frame = on_frame
        self._transport: asyncio.WriteTransport | None = None
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the handshake."""
        self._transport = cast("asyncio.WriteTransport", transport)
        self._transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the line is gone."""
        self.closed = True
        if not self.opened.done():
            self.opened.set_exception(exc or ConnectionError("the handshake was refused"))

    def send(self, frame: bytes) -> None:
        """Send one message below 64 kB."""
        size = len(frame)
        length = bytes((0x80 | size,)) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
        assert self._transport is not None
        self._transport.write(bytes((0x80 | self._opcode,)) + length + b"\0\0\0\0" + frame)

    def close(self) -> None:
        """Cut the line."""
        if self._transport is not None:
            self._transport.close()

    def data_received(self, data: bytes) -> None:
        """Hand over each whole message."""
        if self._rest:
            data = self._rest + data
        at = 0 if self.opened.done() else self._shake_hands(data)
        if not self.opened.done():
            self._rest = data
            return
        end = len(data)
        while end - at >= 2:
            opcode, size, start = data[at] & 15, data[at + 1], at + 2
            if size >= 126:
                wide = 2 if size == 126 else 8
                start += wide
                if end < start:
                    break
                size = int.from_bytes(data[start - wide : start], "big")
            if end < start + size:
                break
            at = start + size
            if opcode in {BINARY, TEXT}:
                self._on_frame(data[start:at])
            elif opcode == 9:  # a ping
                assert self._transport is not None
                self._transport.write(bytes((0x8A, 0x80 | size)) + b"\0\0\0\0" + data[start:at])
        self._rest = data[at:]

    def _shake_hands(self, data: bytes) -> int:
        """Return where the frames begin; 0 while the answer is not whole."""
        end = data.find(b"\r\n\r\n")
        if end < 0:
            return 0
        if not data.startswith(b"HTTP/1.1 101"):
            raise ConnectionError(data[:end].decode(errors="replace"))
        self.opened.set_result(None)
        return end + 4
