"""What goes out: frames that a connection gets in one turn of the event loop leave in one write; a slow reader is let
go.
"""

from collections.abc import Callable

from server.link import Link


class Postman:
    """Writes what the outboxes got, once a turn of the loop. ``call_soon`` is the loop's."""

    def __init__(self, call_soon: Callable[[Callable[[], None]], object]) -> None:
        self._call_soon = call_soon
        self._filled: list[Outbox] = []

    def call_for(self, outbox: "Outbox") -> None:
        """Come for ``outbox`` before the loop waits again."""
        if not self._filled:
            self._call_soon(self.deliver)
        self._filled.append(outbox)

    def deliver(self) -> None:
        """Write all that waits, now."""
        filled, self._filled = self._filled, []
        for outbox in filled:
            outbox.flush()


class Outbox:
    """The frames of one link that are still to be written.

    More than ``limit`` bytes unread by the peer: ``overflow`` is called, once, and nothing is written any more.
    """

    __slots__ = ("_frames", "_limit", "_link", "_overflow", "_postman", "_shut", "_size")

    def __init__(self, link: Link, postman: Postman, limit: int, overflow: Callable[[], None]) -> None:
        self._link = link
        self._postman = postman
        self._limit = limit
        self._overflow = overflow
        self._frames: list[bytes] = []
        self._size = 0
        self._shut = False

    def write(self, frame: bytes) -> None:
        """Send ``frame`` soon, after those before it."""
        if self._shut:
            return
        if not self._frames:
            self._postman.call_for(self)
        self._frames.append(frame)
        self._size += len(frame)

    def flush(self) -> None:
        """Write what is here."""
        if not self._frames or self._shut:
            return
        frames, self._frames = self._frames, []
        size, self._size = self._size, 0
        if self._link.buffered() + size > self._limit:
            self._shut = True
            self._overflow()
            return
        self._link.write(frames)

    def shut(self) -> None:
        """Write what is here, then nothing more."""
        self.flush()
        self._shut = True
        self._frames.clear()
