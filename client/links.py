"""Lines of whole frames between a client and a server; the one over WebSockets."""

from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_websocket
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from shared.codec import Codec

#: The longest frame a server sends, bytes: a snapshot with its legal targets stays far below.
MAX_SERVER_FRAME: Final = 1 << 20
#: A server that is silent for three times as long is not there any more, whatever the line says.
PING_SECONDS: Final = 5.0
#: The close code of a server that restarts: another one, or the next of this place, is there at once.
RESTARTING: Final = 1012


class LinkClosed(Exception):
    """The line is down; the text tells what is known of why. ``elsewhere``: another line is to be had at once."""

    def __init__(self, why: str, *, elsewhere: bool = False) -> None:
        super().__init__(why)
        self.elsewhere = elsewhere


class Link(Protocol):
    """A line of whole frames, in order. ``send`` and ``receive`` raise ``LinkClosed`` once it is down."""

    async def send(self, frame: bytes) -> None:
        """Send one frame."""
        ...

    async def receive(self) -> bytes | str:
        """Wait for the next frame."""
        ...

    async def close(self) -> None:
        """Close the line; more than once is harmless."""
        ...


class WebSocketLink:
    """A link over one WebSocket: binary frames for MessagePack, text frames for JSON."""

    def __init__(self, socket: ClientConnection, *, text: bool) -> None:
        self._socket = socket
        self._text = text

    async def send(self, frame: bytes) -> None:
        """Send one frame."""
        try:
            await self._socket.send(frame, text=self._text)
        except ConnectionClosed as error:
            raise LinkClosed(str(error)) from error

    async def receive(self) -> bytes | str:
        """Wait for the next frame."""
        try:
            return await self._socket.recv()
        except ConnectionClosed as error:
            restarts = error.rcvd is not None and error.rcvd.code == RESTARTING
            raise LinkClosed(str(error), elsewhere=restarts) from error

    async def close(self) -> None:
        """Close the line."""
        await self._socket.close()


def websocket_links(url: str, codec: Codec, *, open_timeout: float = 5.0) -> Callable[[], Awaitable[Link]]:
    """Return what opens a link to ``url`` (``ws://host:port/path``) and raises ``LinkClosed`` if it cannot."""

    async def open_link() -> Link:
        try:
            socket = await open_websocket(
                url,
                subprotocols=[Subprotocol(codec.name)],
                compression=None,
                max_size=MAX_SERVER_FRAME,
                open_timeout=open_timeout,
                ping_interval=PING_SECONDS,
                ping_timeout=2 * PING_SECONDS,
                close_timeout=1,
                proxy=None,
            )
        except (OSError, WebSocketException, TimeoutError) as error:
            raise LinkClosed(f"{url}: {error}") from error
        return WebSocketLink(socket, text=not codec.binary)

    return open_link
