"""`serve --store`: what is printed, what is refused, and no password in either."""

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.redis_servers import AOF, RedisServer
from tests.server.test_cli import cli, serving


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path / "redis", *AOF, "requirepass sesame").start()
    yield server
    server.stop()


async def test_a_shared_store_is_told_without_its_password(guarded: RedisServer) -> None:
    url = f"redis://:sesame@127.0.0.1:{guarded.port}"
    async with serving("--port", "0", DOUBLE_SOLITAIRE_STORE=url) as one, serving("--port", "0", "--store", url) as two:
        for server in (one, two):
            assert f"Games are kept in redis://127.0.0.1:{guarded.port}" in server.printed
            assert "A crash loses nothing that was acknowledged" in server.printed
        status, took, log = await one.end(signal.SIGTERM)
        assert (status, "sesame" in one.printed + log) == (0, False)
        guarded.stop()
        await asyncio.sleep(0.5)
        status, took, log = await two.end(signal.SIGTERM)
        assert status == 0
        assert took < 5, "a store that is away does not hold up the end"
        assert "the store is away" in log
        assert "sesame" not in two.printed + log


@pytest.mark.parametrize(
    ("args", "status", "words"),
    [
        (["--store", "redis://h", "--memory"], 2, "one of --store, --data and --memory"),
        (["--store", "mysql://ann:sesame@h"], 1, "expected one of redis://"),
        (["--store", "redis://ann:sesame@h:x"], 1, "expected a port from 1 to 65535 after h, got 'x'"),
        (["--store", "redis://ann:sesame@127.0.0.1:1"], 1, "the store redis://ann@127.0.0.1:1 cannot be reached"),
        (["--memory", "--durability", "replica"], 1, "--durability replica is for a store with replicas"),
    ],
)
def test_a_store_that_cannot_be_is_told_in_a_sentence(args: list[str], status: int, words: str) -> None:
    run = cli("serve", "--port", "0", *args)
    assert run.returncode == status
    assert words in " ".join(run.stderr.replace("│", " ").split())
    assert "sesame" not in run.stderr + run.stdout
    assert "Traceback" not in run.stderr
