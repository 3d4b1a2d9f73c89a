"""The composition root: the only file that picks the store, the clock, the randomness and the transport."""

import asyncio
import contextlib
import gc
import os
import signal
import socket
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from server import link_websockets
from server.books.desk import Desk
from server.books.keeper import Keeper
from server.devices import DeviceDesk
from server.front import Admission, ServerFront
from server.gateway import Gateway
from server.http import Site, load_web
from server.identity import Guests
from server.life import Life
from server.link import Listener
from server.matchmaker import Matchmaker
from server.metrics import LoopLag, make_metrics
from server.ports import Clock, Timer
from server.replays import Replays
from server.rooms import Rooms
from server.searcher import Searcher
from server.settings import STORE_FILE, Settings, version
from server.solver.advisor import SolverAdvisor
from server.solver.search import KERNEL_COMPILED
from server.storage.base import Store, StoreError
from server.storage.memory import MemoryStore
from server.storage.redis import open_redis
from server.storage.sqlite import open_sqlite
from server.workers import Worker, listening_socket, supervise
from shared.terms import KlondikeTerms

_log: Final = structlog.get_logger("app")

#: How long each step of stopping may take, seconds; together with the players' time to leave they stay below 5 s.
_STEP_SECONDS: Final = 0.7
_MAX_DRAIN_SECONDS: Final = 1.2
#: Rules whose players find a winnable deal ready from the start.
_USUAL: Final = tuple(KlondikeTerms(draw=draw, scoring=scoring) for draw in (1, 3) for scoring in ("standard", "vegas"))


def monotonic() -> float:
    """Seconds that only ever grow."""
    return time.monotonic()


class SystemClock:
    """The machine's clocks and the event loop's timers."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def mono_ms(self) -> int:
        """Milliseconds that only ever grow."""
        return time.monotonic_ns() // 1_000_000

    def wall_ms(self) -> int:
        """Milliseconds since the epoch."""
        return time.time_ns() // 1_000_000

    def call_later(self, delay_ms: int, call: Callable[[], None]) -> Timer:
        """Call ``call`` on the event loop, ``delay_ms`` from now."""
        return self._loop.call_later(delay_ms / 1000, call)


MakeClock = Callable[[asyncio.AbstractEventLoop], Clock]


class Node:
    """One server: made, started, drained, stopped."""

    def __init__(self, settings: Settings, make_clock: MakeClock = SystemClock, worker: Worker | None = None) -> None:
        self.settings = settings
        self._worker = worker
        self._make_clock = make_clock
        self._store: Store | None = None
        self._rooms: Rooms | None = None
        self._matchmaker: Matchmaker | None = None
        self._advisor: SolverAdvisor | None = None
        self._gateway: Gateway | None = None
        self._listener: Listener | None = None
        self._own: list[Listener] = []
        self._lag: LoopLag | None = None
        self._searcher = Searcher()

    @property
    def port(self) -> int:
        """The port it listens on."""
        assert self._listener is not None, "started"  # noqa: S101
        return self._listener.port

    @property
    def loses(self) -> str:
        """What a crash takes, in words."""
        assert self._store is not None, "started"  # noqa: S101
        return self._store.loses

    @property
    def gateway(self) -> Gateway:
        """Its connections."""
        assert self._gateway is not None, "started"  # noqa: S101
        return self._gateway

    async def start(self) -> None:
        """Open the store, read what runs, listen.

        Raises:
            StoreError: the store cannot be used.
            OSError: the port cannot be listened on.
        """
        loop = asyncio.get_running_loop()
        settings = self.settings
        clock = self._make_clock(loop)
        life = Life(lambda: os.urandom(6).hex())
        self._store = store = await open_store(settings, clock)
        if not KERNEL_COMPILED:
            _log.warning("the solver runs uncompiled: hints and proofs are slow", mend="make kernel")
        self._advisor = advisor = SolverAdvisor(monotonic)
        self._rooms = rooms = Rooms(
            store,
            clock=clock,
            randbytes=os.urandom,
            life=life,
            advisor=advisor,
            stuck_search=self._searcher.search,
            lifetimes=settings.lifetimes,
            daily_secret=settings.daily_secret,
        )
        await rooms.start()
        if KERNEL_COMPILED:  # else it would take the event loop's time
            advisor.prepare(_USUAL, os.urandom)
        guests = Guests(store.records, randbytes=os.urandom, wall_ms=clock.wall_ms)
        devices = DeviceDesk(store.records, randbytes=os.urandom, wall_ms=clock.wall_ms)
        keep = settings.lifetimes.solo_ms
        desk = Desk(
            store.records,
            Keeper(store.records),
            clock=clock,
            randbytes=os.urandom,
            archived=store.log.archived,
            keep_games_ms=keep,
        )
        self._matchmaker = lobby = Matchmaker(
            store.lobby, rooms, clock=clock, randbytes=os.urandom, life=life, rating=desk.rating
        )
        self._gateway = gateway = Gateway(
            rooms,
            guests,
            devices,
            lobby,
            desk,
            clock=clock,
            life=life,
            version=version(),
            limits=settings.limits,
            call_soon=loop.call_soon,
        )
        metrics = None
        if settings.metrics:
            self._lag = LoopLag(clock)
            self._lag.start()
            metrics = make_metrics(gateway.counts, self._lag)
        site = Site(load_web(), ready=lambda: rooms.available and not gateway.draining, metrics=metrics)
        admission = Admission(origins=frozenset(settings.origins), behind_proxy=settings.behind_proxy)
        front = ServerFront(gateway, site, admission, Replays(store.log, clock, settings.limits))
        sock = None if self._worker is None else socket.socket(fileno=self._worker.listen_fd)
        self._listener = await link_websockets.listen(front, settings.host, settings.port, sock)
        if self._worker is not None and settings.metrics:
            own = self._listener.port + 1 + self._worker.number
            self._own.append(await link_websockets.listen(front, settings.host, own))

    async def stop(self) -> None:
        """Tell the players, let them go, close everything; under 5 s. From the first moment on nobody new comes: who
        was told finds another node behind the same address, not this one again.
        """
        for listener in self._own if self._listener is None else (self._listener, *self._own):
            listener.stop()
        if self._gateway is not None:
            self._gateway.drain()
        if self._rooms is not None:
            self._rooms.drain()
        if self._gateway is not None and self._listener is not None:
            await self._gateway.wait_empty(min(self.settings.drain_seconds, _MAX_DRAIN_SECONDS))
            self._gateway.close()
            await _within(self._listener.wait_closed(), "connections")
        if self._lag is not None:
            self._lag.stop()
        if self._matchmaker is not None:
            await _within(self._matchmaker.close(), "lobby")
        if self._rooms is not None:
            await _within(self._rooms.close(), "rooms")
        await _within(self._searcher.close(), "search")
        if self._store is not None:
            await _within(self._store.close(), "store")
        if self._advisor is not None:
            await _within(self._advisor.close(), "solver")


async def _within(step: Awaitable[None], name: str) -> None:
    try:
        async with asyncio.timeout(_STEP_SECONDS):
            await step
    except TimeoutError:
        _log.warning("stopping takes too long, going on", step=name)


async def open_store(settings: Settings, clock: Clock) -> Store:
    """Open the store that the settings name.

    Raises:
        StoreError: it cannot be used.
    """
    if settings.store is not None:
        return await open_redis(
            settings.store,
            clock.mono_ms,
            randbytes=os.urandom,
            durability=settings.durability,
            archive_ms=settings.lifetimes.archive_ms,
        )
    if settings.durability == "replica":
        raise StoreError(
            "--durability replica is for a store with replicas, given by --store; expected disk or process"
        )
    if settings.data is None:
        return MemoryStore(clock.mono_ms, archive_ms=settings.lifetimes.archive_ms)
    return open_sqlite(
        settings.data / STORE_FILE,
        clock.mono_ms,
        durability=settings.durability,
        archive_ms=settings.lifetimes.archive_ms,
    )


def allow_many_files() -> None:
    """Let this process have as many sockets open as the system lets it."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - not on Windows

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        with contextlib.suppress(ValueError, OSError):  # some systems say "no limit" and mean less
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, hard), hard))


async def serve(
    settings: Settings,
    started: Callable[[Node], None],
    make_clock: MakeClock = SystemClock,
    worker: Worker | None = None,
) -> None:
    """Run a server until SIGTERM or Ctrl-C; ``started`` is called once it listens. A second signal ends it at once, the
    parent's end ends a ``worker``.
    """
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    node = Node(settings, make_clock, worker)

    def on_signal() -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C is a KeyboardInterrupt there
            loop.add_signal_handler(number, on_signal)
    if worker is not None:
        loop.add_reader(worker.parent_fd, _parent_gone, worker.parent_fd, stop)
    try:
        await node.start()
        _calm_collector()
        started(node)
        await stop.wait()
        _log.info("stopping")
    finally:
        await node.stop()


def _parent_gone(fd: int, stop: asyncio.Event) -> None:
    asyncio.get_running_loop().remove_reader(fd)
    stop.set()


def _calm_collector() -> None:
    """Let the garbage collector look seldom: what is here stays, and what plays leave behind is freed without it."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def run(settings: Settings, started: Callable[[Node], None]) -> None:
    """Run ``serve`` on the fastest event loop that is here; in a worker's process on its parent's socket."""
    allow_many_files()
    if sys.platform == "win32":
        asyncio.run(serve(settings, started))
        return
    import uvloop  # noqa: PLC0415 - not on Windows

    uvloop.run(serve(settings, started, worker=Worker.read(os.environ)))


def run_workers(settings: Settings, count: int) -> int:
    """Run ``count`` workers of this very command on one port; return the exit status.

    Raises:
        OSError: the port cannot be listened on.
    """
    with listening_socket(settings.host, settings.port) as listening:
        listening.set_inheritable(True)
        command = (sys.executable, "-m", "server", *sys.argv[1:])
        return asyncio.run(supervise(command, count, listening.fileno(), os.environ))
