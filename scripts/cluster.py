"""The topology of docker-compose.yml as processes of this machine: Redis, nodes, a balancer before them.

``python -m scripts.cluster`` runs it for a developer (``make cluster``); the chaos tests and the measurements use its
parts. Whatever it starts it ends itself, by process id.
"""

import argparse
import asyncio
import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Final, Self

from scripts.relay import Balancer

ROOT: Final = Path(__file__).resolve().parent.parent
START_SECONDS: Final = 20
#: What Python runs as a node.
PROGRAM: Final = ("-m", "server", "serve")


def free_port() -> int:
    """Return a port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Process:
    """One process of the cluster; it can be killed, stopped (as a frozen machine), let go on, and started again."""

    def __init__(self, command: Sequence[str], log: Path) -> None:
        self.command = list(command)
        self.log = log
        self.running: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Its process id; it must run."""
        assert self.running is not None, "started"
        return self.running.pid

    def start(self) -> None:
        """Start it; what it prints goes to the end of its log."""
        env = {name: value for name, value in os.environ.items() if not name.startswith("DOUBLE_SOLITAIRE_")}
        with self.log.open("ab") as log:
            self.running = subprocess.Popen(self.command, cwd=ROOT, stdout=log, stderr=log, env=env)

    def kill(self) -> None:
        """End it as a power cut would."""
        self._end(signal.SIGKILL)

    def terminate(self, timeout: float = 10) -> int:
        """Ask it to stop, and wait; return its exit status."""
        return self._end(signal.SIGTERM, timeout)

    def freeze(self) -> None:
        """Stop it where it is (SIGSTOP)."""
        os.kill(self.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        os.kill(self.pid, signal.SIGCONT)

    def _end(self, number: signal.Signals, timeout: float = 10) -> int:
        process, self.running = self.running, None
        if process is None:
            return 0
        process.send_signal(number)
        if number is not signal.SIGKILL:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGCONT)
        try:
            return process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return -9


class Redis(Process):
    """A Redis server with an append-only file, on one port for all its lives."""

    def __init__(self, folder: Path, *options: str, fsync: str = "everysec", port: int = 0) -> None:
        self.port = port or free_port()
        folder.mkdir(parents=True, exist_ok=True)
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(folder)]
        command += ["--appendonly", "yes", "--appendfsync", fsync, "--save", "", "--maxmemory-policy", "noeviction"]
        super().__init__([*command, *options], folder / "redis.log")

    @property
    def url(self) -> str:
        """What a node is given as ``--store``."""
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start it and wait until it answers."""
        super().start()
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1) as line:
                line.sendall(b"PING\r\n")
                if line.recv(64).startswith(b"+PONG"):
                    return
            time.sleep(0.02)
        raise RuntimeError(f"redis-server does not answer; see {self.log}")


class Node(Process):
    """A node, on one port for all its lives. ``main``: what is run instead of the program (for a test's own)."""

    def __init__(self, store: str, log: Path, *options: str, main: Sequence[str] = PROGRAM) -> None:
        self.port = free_port()
        command = [sys.executable, *main, "--store", store, "--port", str(self.port), "--log-format", "text", *options]
        super().__init__(command, log)

    def start(self) -> None:
        """Start it and wait until it printed its address."""
        self.launch()
        self.wait()

    def launch(self) -> None:
        """Start it; ``wait`` for it later."""
        self.log.touch()
        self._from = self.log.stat().st_size
        super().start()

    def wait(self) -> None:
        """Wait until it printed its address."""
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            with self.log.open("rb") as log:
                log.seek(self._from)
                if re.search(rb"http://[^\s:]+:\d+", log.read()):
                    return
            if self.running is not None and self.running.poll() is not None:
                break
            time.sleep(0.02)
        raise RuntimeError(f"a node does not start; see {self.log}:\n{self.log.read_text()[-2000:]}")


class Cluster:
    """Redis, nodes and a balancer on a free port; ``async with`` starts them together and ends them all."""

    def __init__(
        self,
        folder: Path,
        nodes: int = 2,
        *,
        options: Sequence[str] = (),
        fsync: str = "everysec",
        port: int = 0,
        main: Sequence[str] = PROGRAM,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.redis = Redis(folder / "redis", fsync=fsync)
        given = ("--message-rate", "0", "--max-connections-per-address", "20000", "--durability", "process", *options)
        self.nodes = [Node(self.redis.url, folder / f"node{number}.log", *given, main=main) for number in range(nodes)]
        self.balancer = Balancer(lambda: [node.port for node in self.nodes if node.running is not None])
        self._port = port

    @property
    def url(self) -> str:
        """Where players connect."""
        return f"ws://127.0.0.1:{self.balancer.port}/ws"

    async def __aenter__(self) -> Self:
        try:
            await asyncio.to_thread(self._start)
            await self.balancer.start(self._port)
        except BaseException:
            await asyncio.to_thread(self._end)
            raise
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.balancer.stop()
        await asyncio.to_thread(self._end)

    def _start(self) -> None:
        self.redis.start()
        for node in self.nodes:
            node.launch()
        for node in self.nodes:
            node.wait()

    def _end(self) -> None:
        for process in (*self.nodes, self.redis):
            process.kill()


@contextlib.asynccontextmanager
async def scratch_cluster(nodes: int, port: int) -> AsyncIterator[Cluster]:
    """Run a cluster in a folder that goes with it."""
    with tempfile.TemporaryDirectory(prefix="cluster-") as folder:
        async with Cluster(Path(folder), nodes, port=port) as cluster:
            yield cluster


async def _run(nodes: int, port: int) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with scratch_cluster(nodes, port) as cluster:
        print(f"Open http://127.0.0.1:{cluster.balancer.port}", flush=True)
        print(f"  Redis: process {cluster.redis.pid}, {cluster.redis.url}")
        for node in cluster.nodes:
            print(f"  Node:  process {node.pid}, http://127.0.0.1:{node.port}", flush=True)
        print("Kill a node and play on. Ctrl-C stops all; their games go with them.", flush=True)
        await stop.wait()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a cluster until Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m scripts.cluster", description=__doc__)
    parser.add_argument("--nodes", type=int, default=2)
    parser.add_argument("--port", type=int, default=8765, help="the balancer's; 0: any free one")
    options = parser.parse_args(arguments)
    asyncio.run(_run(options.nodes, options.port))


if __name__ == "__main__":
    main()
