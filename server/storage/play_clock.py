"""Play time: what a store counts while it works, and does not count while it is away."""

from collections.abc import Callable

from server.storage.base import MAX_STEP_MS


class PlayClock:
    """Play time in ms, never going back.

    ``monotonic_ms``: the node's clock. ``start``: where the store left off.
    """

    def __init__(self, monotonic_ms: Callable[[], int], start: int = 0) -> None:
        self._monotonic_ms = monotonic_ms
        self._last = monotonic_ms()
        self.play_ms = start

    def advance(self) -> int:
        """Move on by the time since the last call, by 0 where that is negative or above ``MAX_STEP_MS``; return the
        play time.
        """
        now = self._monotonic_ms()
        step = now - self._last
        self._last = now
        if 0 < step <= MAX_STEP_MS:
            self.play_ms += step
        return self.play_ms
