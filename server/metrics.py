"""What /metrics shows, for Prometheus. The server counts in plain integers; they are read when somebody asks."""

from collections.abc import Callable, Iterable

from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from server.house import Counts
from server.ports import Clock, Timer

PREFIX = "double_solitaire"

_COUNTERS = {
    "accepted": "Connections accepted",
    "frames_in": "Messages from clients",
    "frames_out": "Messages to clients",
    "bytes_out": "Bytes of messages to clients",
    "malformed": "Messages that were no message of the protocol",
    "too_fast": "Messages over the rate limit",
    "slow_readers": "Connections closed because their reader was too slow",
    "faults": "Faults of the server while serving a message",
}


class LoopLag:
    """How late the event loop runs what is due: asked twice a second, the worst since the last look is kept."""

    EVERY_MS = 500

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._worst_ms = 0
        self._timer: Timer | None = None

    def start(self) -> None:
        """Begin to measure."""
        due = self._clock.mono_ms() + self.EVERY_MS
        self._timer = self._clock.call_later(self.EVERY_MS, lambda: self._tick(due))

    def stop(self) -> None:
        """Measure no more."""
        if self._timer is not None:
            self._timer.cancel()

    def take(self) -> float:
        """Return the worst lateness since the last call, seconds."""
        worst, self._worst_ms = self._worst_ms, 0
        return worst / 1000

    def _tick(self, due: int) -> None:
        self._worst_ms = max(self._worst_ms, self._clock.mono_ms() - due)
        self.start()


class _Ours(Collector):
    def __init__(self, counts: Counts, lag: LoopLag) -> None:
        self._counts = counts
        self._lag = lag

    def collect(self) -> Iterable[Metric]:
        for name, words in _COUNTERS.items():
            yield CounterMetricFamily(f"{PREFIX}_{name}", words, value=getattr(self._counts, name))
        yield GaugeMetricFamily(f"{PREFIX}_connections", "Open connections", value=self._counts.connections)
        yield GaugeMetricFamily(
            f"{PREFIX}_loop_lag_seconds", "Worst lateness of the event loop since the last look", value=self._lag.take()
        )


def make_metrics(counts: Counts, lag: LoopLag) -> Callable[[], bytes]:
    """Return what writes the page of /metrics."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    GCCollector(registry=registry)
    registry.register(_Ours(counts, lag))
    return lambda: generate_latest(registry)
