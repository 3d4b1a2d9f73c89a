"""What the gateway and a WebSocket transport ask of each other, so that the transport can be changed.

``server.link_websockets`` has the links of real sockets; tests have one in memory.
"""

from collections.abc import Awaitable, Mapping, Sequence
from struct import Struct as Packing
from typing import Final, Protocol

from msgspec import Struct

#: Close codes that the server sends (docs/protocol.md, Close codes).
NOT_UTF8: Final = 1007
POLICY: Final = 1008
TOO_BIG: Final = 1009
RESTARTING: Final = 1012
TOO_SLOW: Final = 1013

#: How long a peer has to answer a close frame, seconds; then the line is cut.
CLOSE_SECONDS: Final = 2.0


class Link(Protocol):
    """One open WebSocket. No call blocks or raises; on a closed link each does nothing.

    ``address``: the peer's IP address. ``subprotocol``: what was agreed.
    """

    @property
    def address(self) -> str:
        """The peer's IP address."""
        ...

    @property
    def subprotocol(self) -> str:
        """The subprotocol of the handshake."""
        ...

    def write(self, frames: Sequence[bytes]) -> None:
        """Send each of ``frames`` as a message (text or binary as the subprotocol has it), in one write."""
        ...

    def buffered(self) -> int:
        """Bytes that the peer's side of the line has not taken yet."""
        ...

    def line_ms(self) -> int | None:
        """There and back, by the last answer to a ping of ours, ms; ``None``: none came yet."""
        ...

    def close(self, code: int, reason: str) -> None:
        """Begin the closing handshake; after ``CLOSE_SECONDS`` without an answer cut the line."""
        ...


class Receiver(Protocol):
    """Who hears what a link brings. Neither call raises."""

    def received(self, frame: bytes | str) -> None:
        """A whole message came: bytes of a binary one, str of a text one."""
        ...

    def closed(self) -> None:
        """The link ended, for whatever reason; called once, last."""
        ...


class Reply(Struct, frozen=True):
    """An HTTP answer. ``body`` is what is sent, empty for HEAD; ``headers`` are complete but for ``Connection``."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes = b""


class Front(Protocol):
    """Where a transport takes what it gets from a new connection."""

    def request(
        self, method: str, path: str, headers: Mapping[str, str], address: str
    ) -> Reply | Awaitable[Reply] | None:
        """Answer an HTTP request, at once or in a while; ``None``: go on with the WebSocket handshake.

        Names of headers are in any case.
        """
        ...

    def accept(self, link: Link, headers: Mapping[str, str]) -> Receiver:
        """Take a link whose handshake is done."""
        ...


class Listener(Protocol):
    """A transport that listens."""

    @property
    def port(self) -> int:
        """The port it listens on."""
        ...

    def stop(self) -> None:
        """Take no new connection."""
        ...

    async def wait_closed(self) -> None:
        """Return once all connections are gone; ``stop`` comes first."""
        ...


_LONG: Final = Packing(">BBH")
_HUGE: Final = Packing(">BBQ")
#: The two bytes before a message of 0..125 bytes, by kind.
_SHORT: Final = {kind: [bytes((kind, length)) for length in range(126)] for kind in (0x81, 0x82)}


def join_frames(frames: Sequence[bytes], *, binary: bool) -> bytes:
    """Return the messages as a server's WebSocket frames (RFC 6455, 5.2: unmasked, unfragmented), one after another."""
    kind = 0x82 if binary else 0x81
    short = _SHORT[kind]
    parts: list[bytes] = []
    for frame in frames:
        length = len(frame)
        if length < 126:
            parts.append(short[length])
        elif length < 65536:
            parts.append(_LONG.pack(kind, 126, length))
        else:
            parts.append(_HUGE.pack(kind, 127, length))
        parts.append(frame)
    return b"".join(parts)
