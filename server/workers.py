"""Several processes on one port: a parent that listens, starts the workers, and starts again one that died.

The workers take connections from the one socket that they inherit; it stays open while any of them is away, so that
nobody is refused. Each is a node of its own in the store. Where the parent dies, its workers stop by themselves.
"""

import asyncio
import contextlib
import os
import signal
import socket
from collections.abc import Mapping, Sequence
from typing import Final, Self

import structlog
from msgspec import Struct

_log: Final = structlog.get_logger("workers")

ENV: Final = "DOUBLE_SOLITAIRE_WORKER"
#: Pauses before a dead worker is started again, seconds; a life of ``STEADY`` makes the next one the first again.
FIRST_PAUSE: Final = 0.1
LONGEST_PAUSE: Final = 30.0
STEADY: Final = 10.0
#: How long a worker may take to stop; the parent kills it then.
STOP_SECONDS: Final = 6.0
BACKLOG: Final = 1024


class Worker(Struct, frozen=True):
    """Which worker this process is. ``listen_fd``: the socket of all; ``parent_fd``: readable once the parent is gone.
    ``life``: how often it was started before.
    """

    listen_fd: int
    parent_fd: int
    number: int
    life: int

    @classmethod
    def read(cls, env: Mapping[str, str]) -> Self | None:
        """Return what the parent says, ``None`` in a process that is no worker."""
        given = env.get(ENV)
        return None if given is None else cls(*map(int, given.split(":")))

    def written(self) -> str:
        """Return it as ``read`` reads it."""
        return f"{self.listen_fd}:{self.parent_fd}:{self.number}:{self.life}"


def listening_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens, for workers to inherit.

    Raises:
        OSError: the port is taken or the host is none of this machine's.
    """
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    both = family is socket.AF_INET6 and host == "::" and socket.has_dualstack_ipv6()
    return socket.create_server(address[:2], family=family, backlog=BACKLOG, dualstack_ipv6=both)


class Supervisor:
    """Keeps ``count`` workers alive. ``command`` starts one."""

    def __init__(self, command: Sequence[str], count: int, listen_fd: int, env: Mapping[str, str]) -> None:
        self._command = tuple(command)
        self._count = count
        self._listen_fd = listen_fd
        self._env = env
        self._stop = asyncio.Event()
        self._steady = False
        self._status = 0

    def stop(self) -> None:
        """Let all of them stop."""
        self._stop.set()

    async def run(self) -> int:
        """Run until told to stop; return the exit status: that of a worker where none could start."""
        parent_fd, held = os.pipe()
        try:
            await asyncio.gather(*(self._keep(number, parent_fd) for number in range(self._count)))
        finally:
            os.close(held)
            os.close(parent_fd)
        return self._status

    async def _keep(self, number: int, parent_fd: int) -> None:
        loop = asyncio.get_running_loop()
        pause, life = FIRST_PAUSE, 0
        while not self._stop.is_set():
            began = loop.time()
            status = await self._live(Worker(self._listen_fd, parent_fd, number, life))
            if self._stop.is_set():
                return
            lasted = loop.time() - began
            self._steady |= lasted >= STEADY
            if status == 1 and not self._steady:  # it said why: no store, a bad setting
                self._status = status
                self._stop.set()
                return
            pause = FIRST_PAUSE if lasted >= STEADY else min(LONGEST_PAUSE, pause * 2)
            _log.error("a worker ended and is started again", worker=number, status=status, pause=pause)
            life += 1
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._stop.wait()

    async def _live(self, worker: Worker) -> int:
        """Run one life of a worker; return its exit status."""
        process = await asyncio.create_subprocess_exec(
            *self._command,
            env={**self._env, ENV: worker.written()},
            pass_fds=(worker.listen_fd, worker.parent_fd),
            start_new_session=True,  # Ctrl-C is for the parent, which passes it on once
        )
        stopping = asyncio.ensure_future(self._stop.wait())
        ending = asyncio.ensure_future(process.wait())
        try:
            await asyncio.wait((stopping, ending), return_when=asyncio.FIRST_COMPLETED)
            if not ending.done():
                process.terminate()
                await asyncio.wait((ending,), timeout=STOP_SECONDS)
                if not ending.done():
                    _log.error("a worker does not stop and is killed", worker=worker.number)
                    process.kill()
            return await ending
        finally:
            stopping.cancel()


async def supervise(command: Sequence[str], count: int, listen_fd: int, env: Mapping[str, str]) -> int:
    """Run workers until SIGTERM or Ctrl-C; return the exit status."""
    supervisor = Supervisor(command, count, listen_fd, env)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, supervisor.stop)
    return await supervisor.run()
