"""A small TCP relay: a balancer before nodes, or a line that can be cut, held, slowed. For tests and measurements."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import Final, cast

#: A node that does not answer /readyz within this time is not ready, seconds.
CHECK_SECONDS: Final = 0.5
CHECK_EVERY: Final = 0.2
_BACKLOG: Final = 1024
#: Bytes that wait for a slow reader before the writer is held up.
_HIGH: Final = 1 << 16


class _Side(asyncio.Protocol):
    """One end of a relayed connection."""

    def __init__(self, relay: "Relay") -> None:
        self.relay = relay
        self.other: _Side | None = None
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.transport.set_write_buffer_limits(_HIGH)
        self.relay.sides.add(self)
        if self.relay.held:
            self.transport.pause_reading()

    def data_received(self, data: bytes) -> None:
        if self.relay.delay and self.other is not None:
            asyncio.get_running_loop().call_later(self.relay.delay, self.other.write, data)
        elif self.other is not None:
            self.other.write(data)

    def write(self, data: bytes) -> None:
        if self.transport is not None and not self.transport.is_closing():
            self.transport.write(data)

    def pause_writing(self) -> None:
        if self.other is not None and self.other.transport is not None:
            self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.other is not None and self.other.transport is not None and not self.relay.held:
            self.other.transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        self.relay.sides.discard(self)
        if self.other is not None and self.other.transport is not None:
            if exc is None:
                self.other.transport.close()
            else:
                self.other.transport.abort()


class _Client(_Side):
    """The end towards the client: it finds the other one."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        assert self.transport is not None, "made"
        self.transport.pause_reading()
        task = asyncio.get_running_loop().create_task(self._connect())
        self.relay.tasks.add(task)
        task.add_done_callback(self.relay.tasks.discard)

    async def _connect(self) -> None:
        assert self.transport is not None, "made"
        loop = asyncio.get_running_loop()
        for port in () if self.relay.refuses else self.relay.ports():
            side = _Side(self.relay)
            side.other = self
            try:
                await loop.create_connection(lambda side=side: side, "127.0.0.1", port)  # type: ignore[misc]
            except OSError:
                continue
            self.other = side
            if self.transport.is_closing():
                self.connection_lost(None)
            elif not self.relay.held:
                self.transport.resume_reading()
            return
        self.transport.abort()


class Relay:
    """Listens on ``port`` and relays each connection to the first of ``ports()`` that takes it.

    ``held``: bytes go nowhere, and nothing is lost; set it by ``hold``. ``delay``: each byte comes so much later,
    seconds. ``refuses``: new connections are ended at once.
    """

    def __init__(self, ports: Callable[[], Sequence[int]]) -> None:
        self.ports = ports
        self.port = 0
        self.held = False
        self.delay = 0.0
        self.refuses = False
        self.sides: set[_Side] = set()
        self.tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def start(self, port: int = 0, host: str = "127.0.0.1") -> None:
        """Listen; on any free port for 0."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Client(self), host, port, backlog=_BACKLOG)
        self.port = int(self._server.sockets[0].getsockname()[1])

    def cut(self) -> None:
        """End all connections, as a lost network does; new ones are taken."""
        for side in list(self.sides):
            if side.transport is not None:
                side.transport.abort()

    def hold(self, *, held: bool) -> None:
        """Let no byte through from now on, or let them all go on."""
        self.held = held
        for side in list(self.sides):
            if side.transport is None or side.other is None:
                continue
            if held:
                side.transport.pause_reading()
            else:
                side.transport.resume_reading()

    async def stop(self) -> None:
        """Listen no more, end everything."""
        if self._server is not None:
            self._server.close()
        for task in list(self.tasks):
            task.cancel()
        self.cut()
        await asyncio.sleep(0)


class Balancer(Relay):
    """A relay that asks each node five times a second whether it is ready, and gives new connections to those in turn.
    Open ones stay with their node. With no node ready all are tried.
    """

    def __init__(self, nodes: Callable[[], Sequence[int]]) -> None:
        super().__init__(self._in_turn)
        self._nodes = nodes
        self._ready: dict[int, bool] = {}
        self._turn = 0
        self._checking: asyncio.Task[None] | None = None

    async def start(self, port: int = 0, host: str = "127.0.0.1") -> None:
        """See ``Relay.start``."""
        await super().start(port, host)
        self._checking = asyncio.get_running_loop().create_task(self._check())

    async def stop(self) -> None:
        """See ``Relay.stop``."""
        if self._checking is not None:
            self._checking.cancel()
            await asyncio.wait((self._checking,))
        await super().stop()

    def _in_turn(self) -> Sequence[int]:
        nodes = list(self._nodes())
        self._turn += 1
        at = self._turn % max(1, len(nodes))
        nodes = nodes[at:] + nodes[:at]
        return sorted(nodes, key=lambda port: not self._ready.get(port, True))

    async def _check(self) -> None:
        while True:
            ports = tuple(self._nodes())
            answers = await asyncio.gather(*(is_ready(port) for port in ports))
            self._ready = dict(zip(ports, answers, strict=True))
            await asyncio.sleep(CHECK_EVERY)


async def is_ready(port: int, path: str = "/readyz") -> bool:
    """Ask a node on this machine whether it is ready."""
    try:
        async with asyncio.timeout(CHECK_SECONDS):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                return b" 200 " in await reader.readline()
            finally:
                writer.close()
                with contextlib.suppress(OSError):
                    await writer.wait_closed()
    except (OSError, TimeoutError):
        return False
