"""What stands for the world around a room: a clock that jumps, connections in memory, chance that repeats."""

import hashlib
from collections.abc import Callable

from shared.codec import CODECS, Codec
from shared.protocol import JSON, MSGPACK, ToClient

__all__ = ["JSON", "MSGPACK", "FakeViewer", "JumpClock", "chance"]


class JumpTimer:
    def __init__(self, at: int, call: Callable[[], None]) -> None:
        self.at = at
        self.call: Callable[[], None] | None = call

    def cancel(self) -> None:
        self.call = None


class JumpClock:
    """Stands until it is told to go on; timers fire in their order on the way."""

    def __init__(self) -> None:
        self.ms = 1_000
        self.timers: list[JumpTimer] = []

    def mono_ms(self) -> int:
        return self.ms

    def wall_ms(self) -> int:
        return 1_700_000_000_000 + self.ms

    def call_later(self, delay_ms: int, call: Callable[[], None]) -> JumpTimer:
        timer = JumpTimer(self.ms + max(0, delay_ms), call)
        self.timers.append(timer)
        return timer

    def next_at(self) -> int | None:
        self.timers = [timer for timer in self.timers if timer.call is not None]
        return min((timer.at for timer in self.timers), default=None)

    def fire_one(self) -> None:
        """Go to the next timer and fire it."""
        timer = min((timer for timer in self.timers if timer.call is not None), key=lambda timer: timer.at)
        self.ms = max(self.ms, timer.at)
        call, timer.call = timer.call, None
        assert call is not None
        call()


def chance(seed: str) -> Callable[[int], bytes]:
    """Bytes that are the same for the same seed."""
    count = 0

    def draw(n: int) -> bytes:
        nonlocal count
        count += 1
        return hashlib.shake_256(f"{seed}/{count}".encode()).digest(n)

    return draw


class FakeViewer:
    """A connection: keeps the frames, reads them as a client would."""

    def __init__(self, conn: str, identity: str, codec: str = MSGPACK) -> None:
        self.conn = conn
        self.identity = identity
        self.name = identity.capitalize()
        self.codec: Codec = CODECS[codec]
        self.line_ms: int | None = None
        self.offset: int | None = None
        self.frames: list[bytes] = []
        self.n = 0
        self.read = 0

    def write(self, frame: bytes) -> None:
        self.frames.append(frame)

    @property
    def messages(self) -> list[ToClient]:
        return [self.codec.read_server(frame if self.codec.binary else frame.decode()) for frame in self.frames]

    def new(self) -> list[ToClient]:
        """Messages since the last call."""
        got = self.messages[self.read :]
        self.read = len(self.frames)
        return got

    def last(self, kind: type) -> ToClient | None:
        found = [message for message in self.messages if isinstance(message, kind)]
        return found[-1] if found else None
