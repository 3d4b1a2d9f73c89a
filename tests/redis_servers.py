"""Redis servers that the tests start: on free ports, in folders of their own, ended by their process.

A machine without Redis fails the tests that need it, with what to install.
"""

import atexit
import functools
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry


def redis_program() -> str:
    """The path of redis-server (or of Valkey's)."""
    found = shutil.which("redis-server") or shutil.which("valkey-server")
    assert found is not None, "no redis-server found: install the package redis-server"
    return found


def free_port() -> int:
    """A port that nobody listens on, with the one 10000 above it free too (a cluster's nodes talk there)."""
    while True:
        with socket.socket() as one, socket.socket() as other:
            one.bind(("127.0.0.1", 0))
            port = int(one.getsockname()[1])
            if port > 50_000:
                continue
            try:
                other.bind(("127.0.0.1", port + 10_000))
            except OSError:
                continue
            return port


class RedisServer:
    """One server process. `stop`, `start` again on the same port and folder; `freeze` it; `kill` it."""

    def __init__(self, folder: Path, *settings: str, port: int | None = None, sentinel: bool = False) -> None:
        self.folder = folder
        self.port = port or free_port()
        self.settings = settings
        self.sentinel = sentinel
        self.process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> "RedisServer":
        config = self.folder / "redis.conf"
        if not config.exists():
            lines = [f"port {self.port}", "bind 127.0.0.1", f"dir {self.folder}", "daemonize no"]
            if not self.sentinel:
                lines += ["save ''", "enable-debug-command yes"]
            config.write_text("\n".join([*lines, *self.settings]) + "\n")
        command: Sequence[str] = [redis_program(), str(config), *(["--sentinel"] if self.sentinel else [])]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)
        self.wait_ready()
        return self

    def client(self) -> "redis.Redis":
        return redis.Redis(host="127.0.0.1", port=self.port, socket_timeout=5)

    def wait_ready(self) -> None:
        assert self.process is not None
        until = time.monotonic() + 10
        while True:
            try:
                with redis.Redis(host="127.0.0.1", port=self.port, retry=Retry(NoBackoff(), 0)) as client:
                    client.ping()
            except redis.AuthenticationError:
                return
            except redis.RedisError:
                assert self.process.poll() is None, (self.folder / "log").read_text()
                assert time.monotonic() < until, (self.folder / "log").read_text()
                time.sleep(0.02)
            else:
                return

    def signal(self, number: int) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    def stop(self) -> None:
        """End it, however it stands, and wait for its end."""
        process, self.process = self.process, None
        if process is not None:
            process.kill()
            process.wait()


AOF = ("appendonly yes", "appendfsync always")


def make_cluster(folder: Path, count: int = 3) -> list[RedisServer]:
    """So many masters that share the slots."""
    settings = ("cluster-enabled yes", "cluster-node-timeout 1000", "cluster-require-full-coverage no", *AOF)
    servers = [RedisServer(folder / str(n), *settings).start() for n in range(count)]
    step = 16384 // count
    for n, server in enumerate(servers):
        last = 16383 if n == count - 1 else (n + 1) * step - 1
        with server.client() as client:
            client.execute_command("CLUSTER", "ADDSLOTSRANGE", n * step, last)
            client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", n + 1)
            for other in servers[:n]:
                client.execute_command("CLUSTER", "MEET", "127.0.0.1", other.port)
    until = time.monotonic() + 15
    for server in servers:
        with server.client() as client:
            while True:
                info = client.execute_command("CLUSTER", "INFO")
                state = str(info)
                slots = client.execute_command("CLUSTER", "SLOTS")
                if ("cluster_state': 'ok" in state or "cluster_state:ok" in state) and len(slots) == count:
                    break
                assert time.monotonic() < until, state
                time.sleep(0.05)
    return servers


class Trio:
    """A master, a replica, and three sentinels that take one for dead after half a second; ready once made."""

    def __init__(self, folder: Path) -> None:
        self.master = RedisServer(folder / "master", *AOF, "repl-ping-replica-period 1").start()
        following = (f"replicaof 127.0.0.1 {self.master.port}", "repl-diskless-sync-delay 0")
        self.replica = RedisServer(folder / "replica", *AOF, *following).start()
        watch = (
            f"sentinel monitor games 127.0.0.1 {self.master.port} 2",
            "sentinel down-after-milliseconds games 500",
            "sentinel failover-timeout games 2000",
        )
        self.sentinels = [RedisServer(folder / f"sentinel{n}", *watch, sentinel=True).start() for n in range(3)]
        self.all = [self.master, self.replica, *self.sentinels]
        with self.master.client() as client:
            _until(lambda: client.wait(1, 100) == 1)
        for sentinel in self.sentinels:
            with sentinel.client() as client:
                _until(lambda: _knows_all(client))

    @property
    def url(self) -> str:
        return f"redis+sentinel://{','.join(f'127.0.0.1:{one.port}' for one in self.sentinels)}/games"


def _knows_all(client: "redis.Redis") -> bool:
    found = client.sentinel_master("games")
    assert isinstance(found, dict)
    return int(found["num-slaves"]) == 1 and int(found["num-other-sentinels"]) == 2


def _until(said: Callable[[], object], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not said():
        assert time.monotonic() < end
        time.sleep(0.05)


@functools.cache
def shared_trio() -> Trio:
    """A master with its replica and sentinels that all tests of this process share."""
    folder = tempfile.TemporaryDirectory()
    trio = Trio(Path(folder.name))
    atexit.register(_end, folder, *trio.all)
    return trio


@functools.cache
def shared_server(*settings: str) -> RedisServer:
    """A server that all tests of this process share, each under a prefix of its own; it ends with the process."""
    folder = tempfile.TemporaryDirectory()
    server = RedisServer(Path(folder.name) / "redis", *settings).start()
    atexit.register(_end, folder, server)
    return server


def shared_cluster() -> RedisServer:
    """One node of a cluster that all tests of this process share."""
    return shared_cluster_nodes()[0]


@functools.cache
def shared_cluster_nodes() -> list[RedisServer]:
    """All its nodes."""
    folder = tempfile.TemporaryDirectory()
    servers = make_cluster(Path(folder.name))
    atexit.register(_end, folder, *servers)
    return servers


def _end(folder: "tempfile.TemporaryDirectory[str]", *servers: RedisServer) -> None:
    for server in servers:
        server.stop()
    folder.cleanup()
