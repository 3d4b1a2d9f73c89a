"""How much one peer may ask for: token buckets and counts. Time is an argument, in ms."""

from typing import Final

from msgspec import Struct


class Limits(Struct, frozen=True):
    """What is allowed, with margins that no player meets: a fast human plays 10 cards a second, 30 in a burst.

    ``messages_per_second``, ``messages_burst``: of one connection; 0 a second = no limit. ``creates_*``: its new
    matches. ``seeks_*``: what it asks of the lobby. ``questions_*``: what it asks of the records. ``hints_*``: hints
    for one address, in all its games. ``replays_*``: replays fetched by one address. ``identities_*``: new guests of
    one address, which may be a whole school's. ``connections`` in all, ``connections_per_address`` of one.
    ``outbox_bytes``: what a slow reader may leave unread. ``malformed``: bad frames before a connection is closed;
    ``flood``: messages over the limit before it is. ``waiting``: messages that wait while one is served. ``hello_ms``:
    time to say hello.
    """

    messages_per_second: float = 20
    messages_burst: int = 60
    creates_per_second: float = 0.2
    creates_burst: int = 20
    seeks_per_second: float = 1
    seeks_burst: int = 30
    questions_per_second: float = 2
    questions_burst: int = 40
    hints_per_second: float = 5
    hints_burst: int = 100
    replays_per_second: float = 2
    replays_burst: int = 60
    identities_per_second: float = 5
    identities_burst: int = 2000
    connections: int = 20_000
    connections_per_address: int = 2000
    outbox_bytes: int = 512 * 1024
    malformed: int = 20
    flood: int = 400
    waiting: int = 64
    hello_ms: int = 30_000


class TokenBucket:
    """Lets ``burst`` through at once and ``per_second`` on; ``per_second`` 0 lets everything through."""

    __slots__ = ("_at", "_burst", "_level", "_per_ms")

    def __init__(self, per_second: float, burst: int, now_ms: int) -> None:
        self._per_ms = per_second / 1000
        self._burst = float(burst)
        self._level = float(burst)
        self._at = now_ms

    def take(self, now_ms: int) -> bool:
        """Take one token if there is one."""
        if not self._per_ms:
            return True
        level = self._level + (now_ms - self._at) * self._per_ms
        self._at = now_ms
        level = min(level, self._burst)
        if level < 1:
            self._level = level
            return False
        self._level = level - 1
        return True

    def is_full(self, now_ms: int) -> bool:
        """Whether it is as good as new."""
        return self._level + (now_ms - self._at) * self._per_ms >= self._burst


#: So many addresses are remembered before the full buckets among them are dropped.
_KEEP: Final = 4096


class AddressBuckets:
    """A bucket an address, kept only while it is not full."""

    def __init__(self, per_second: float, burst: int) -> None:
        self._per_second = per_second
        self._burst = burst
        self._buckets: dict[str, TokenBucket] = {}
        self._sweep_at = _KEEP

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, address: str, now_ms: int) -> bool:
        """Take a token of ``address`` if it has one."""
        if len(self._buckets) >= self._sweep_at:
            self._buckets = {key: bucket for key, bucket in self._buckets.items() if not bucket.is_full(now_ms)}
            self._sweep_at = max(_KEEP, 2 * len(self._buckets))
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = TokenBucket(self._per_second, self._burst, now_ms)
        return bucket.take(now_ms)
