"""The command line as a person meets it: the real program in a process of its own."""

import asyncio
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from server.cli import app
from server.settings import default_data_dir
from shared.codec import CODECS
from shared.engine import replay
from shared.moves import Draw
from shared.protocol import (
    JSON,
    AskHint,
    AskSnapshot,
    Create,
    Hello,
    Hint,
    Join,
    Notice,
    Play,
    Snapshot,
    ToClient,
    ToServer,
    Update,
    Welcome,
)
from shared.terms import KlondikeTerms

ROOT = Path(__file__).resolve().parents[2]


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DOUBLE_SOLITAIRE_")}
    return {**kept, "NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "200", **more}


def cli(*args: str, stdin: bytes = b"", env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    run = subprocess.run(
        [sys.executable, "-m", "server", *args],
        cwd=ROOT,
        input=stdin,
        capture_output=True,
        env=environment(**(env or {})),
        timeout=30,
        check=False,
    )
    return subprocess.CompletedProcess(run.args, run.returncode, run.stdout.decode(), run.stderr.decode())


def told(*args: str, stdin: bytes = b"", env: dict[str, str] | None = None) -> Result:
    """The same in this process, for what ends before a server runs."""
    return CliRunner().invoke(app, args, input=stdin, env={**os.environ, **environment(**(env or {}))})


class Running:
    def __init__(self, process: asyncio.subprocess.Process, printed: str) -> None:
        self.process = process
        self.printed = printed
        self.port = int(re.findall(r"http://localhost:(\d+)", printed)[0])

    async def end(self, number: int) -> tuple[int, float, str]:
        """Send a signal; return the exit status, how long it took, and the log."""
        loop = asyncio.get_running_loop()
        started = loop.time()
        self.process.send_signal(number)
        _, errors = await asyncio.wait_for(self.process.communicate(), 10)
        assert self.process.returncode is not None
        return self.process.returncode, loop.time() - started, errors.decode()


@contextlib.asynccontextmanager
async def serving(*args: str, **env: str) -> AsyncIterator[Running]:
    process = await asyncio.create_subprocess_exec(
        *[sys.executable, "-m", "server", "serve", *args],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(**env),
    )
    assert process.stdout is not None
    try:
        lines: list[str] = []
        while not lines or "Ctrl-C" not in lines[-1]:
            line = (await asyncio.wait_for(process.stdout.readline(), 20)).decode()
            assert line, (await process.communicate())[1].decode()
            lines.append(line)
        yield Running(process, "".join(lines))
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


class Player:
    """A JSON client."""

    def __init__(self, socket: object) -> None:
        self.socket = socket

    async def send(self, message: ToServer) -> None:
        await self.socket.send(CODECS[JSON].encode(message).decode())  # type: ignore[attr-defined]

    async def ask(self, message: ToServer) -> ToClient:
        await self.send(message)
        return await self.told()

    async def told(self) -> ToClient:
        return CODECS[JSON].read_server(await asyncio.wait_for(self.socket.recv(), 5))  # type: ignore[attr-defined]


@contextlib.asynccontextmanager
async def player(port: int) -> AsyncIterator[Player]:
    async with connect(f"ws://127.0.0.1:{port}/ws", subprotocols=[Subprotocol(JSON)], proxy=None) as socket:
        yield Player(socket)


def get(port: int, path: str) -> tuple[int, bytes]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
        return answer.status, answer.read()


async def test_serve_prints_where_it_is_and_ends_cleanly_on_sigterm() -> None:
    async with serving("--memory", "--port", "0") as server:
        assert "in memory only" in server.printed
        assert get(server.port, "/healthz") == (200, b"ok\n")
        assert get(server.port, "/readyz")[0] == 200
        assert b"<html" in get(server.port, "/")[1]
        async with player(server.port) as ann:
            assert isinstance(await ann.ask(Hello(name="Ann")), Welcome)
            assert isinstance(await ann.ask(Create(terms=KlondikeTerms())), Snapshot)
            server.process.send_signal(signal.SIGTERM)
            assert await ann.told() == Notice(what="draining")
            with pytest.raises(ConnectionClosed) as closed:
                await ann.told()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
        _, errors = await asyncio.wait_for(server.process.communicate(), 5)
        assert server.process.returncode == 0
        assert b"Traceback" not in errors


async def test_ctrl_c_is_a_clean_end() -> None:
    async with serving("--memory", "--port", "0") as server:
        status, seconds, errors = await server.end(signal.SIGINT)
        assert status == 0
        assert seconds < 5
        assert "Traceback" not in errors


async def test_a_player_that_does_not_react_does_not_hold_up_the_end() -> None:
    async with serving("--memory", "--port", "0") as server:
        _reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(
            b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            b"Sec-WebSocket-Protocol: ds.json.v1\r\n\r\n"
        )
        _idle = await asyncio.open_connection("127.0.0.1", server.port)
        await asyncio.sleep(0.2)
        status, seconds, _ = await server.end(signal.SIGTERM)
        assert status == 0
        assert seconds < 5
        writer.close()
        _idle[1].close()


async def test_a_restart_on_the_same_folder_keeps_the_game_and_the_guest(tmp_path: Path) -> None:
    async with serving("--data", str(tmp_path / "games"), "--port", "0") as server:
        assert str(tmp_path / "games") in server.printed
        async with player(server.port) as ann:
            welcome = await ann.ask(Hello(name="Ann"))
            assert isinstance(welcome, Welcome)
            before = await ann.ask(Create(terms=KlondikeTerms()))
            assert isinstance(before, Snapshot)
        assert (await server.end(signal.SIGTERM))[0] == 0
    async with serving("--data", str(tmp_path / "games"), "--port", "0") as server, player(server.port) as ann:
        again = await ann.ask(Hello(token=welcome.token))
        assert isinstance(again, Welcome)
        assert (again.identity, again.name, again.token) == (welcome.identity, "Ann", None)
        after = await ann.ask(Join(match=before.table.match))
        assert isinstance(after, Snapshot)
        assert after.position == before.position
    stored = b"".join(path.read_bytes() for path in (tmp_path / "games").iterdir())
    assert welcome.token is not None
    assert welcome.token.encode() not in stored
    assert welcome.identity.encode() in stored


async def test_a_killed_server_has_kept_what_was_shown(tmp_path: Path) -> None:
    play = Play(n=1, seen=2, do=Draw())
    async with serving("--data", str(tmp_path), "--port", "0") as server:
        async with player(server.port) as ann:
            welcome = await ann.ask(Hello())
            created = await ann.ask(Create(terms=KlondikeTerms()))
            shown = await ann.ask(play)
            server.process.kill()
        await server.process.communicate()
    assert isinstance(welcome, Welcome)
    assert isinstance(created, Snapshot)
    assert isinstance(shown, Update)
    assert shown.events
    async with serving("--data", str(tmp_path), "--port", "0") as server, player(server.port) as ann:
        await ann.ask(Hello(token=welcome.token))
        back = await ann.ask(Join(match=created.table.match))
        assert isinstance(back, Snapshot)
        assert back.n == 1
        assert back.no >= shown.no
        assert back.position is not None
        assert created.position is not None
        assert back.position.seats == replay(created.position, shown.events).seats
        await ann.ask(AskSnapshot())
        await ann.send(play)  # sent again, as after a lost line: it counts once
        after = await ann.ask(AskSnapshot())
        assert isinstance(after, Snapshot)
        assert after.position == back.position


async def test_settings_come_from_the_environment_too() -> None:
    env = {"DOUBLE_SOLITAIRE_MEMORY": "1", "DOUBLE_SOLITAIRE_PORT": "0", "DOUBLE_SOLITAIRE_METRICS": "1"}
    async with serving(**env, DOUBLE_SOLITAIRE_ALLOW_ORIGIN="https://a.example https://b.example") as server:
        status, body = get(server.port, "/metrics")
        assert status == 200
        assert b"double_solitaire_connections 0.0" in body
        async with connect(
            f"ws://127.0.0.1:{server.port}/ws",
            subprotocols=[Subprotocol(JSON)],
            origin="https://b.example",  # type: ignore[arg-type]
            proxy=None,
        ) as socket:
            assert socket.subprotocol == JSON


async def test_a_port_in_use_is_told_in_a_sentence() -> None:
    async with serving("--memory", "--port", "0") as server:
        second = cli("serve", "--memory", "--port", str(server.port))
        assert second.returncode == 1
        assert second.stderr.strip().splitlines()[-1] == (
            f"double-solitaire: Port {server.port} of 127.0.0.1 is in use, perhaps by another server. "
            "Choose another with --port."
        )


async def test_a_folder_in_use_is_told_in_a_sentence(tmp_path: Path) -> None:
    async with serving("--data", str(tmp_path), "--port", "0"):
        second = cli("serve", "--data", str(tmp_path), "--port", "0")
        assert second.returncode == 1
        assert "Traceback" not in second.stderr
        assert str(tmp_path) in second.stderr


@pytest.mark.parametrize(
    ("args", "env", "words"),
    [
        (["serve", "--port", "99999"], {}, "--port"),
        (["serve", "--port", "abc"], {}, "--port"),
        (["serve"], {"DOUBLE_SOLITAIRE_PORT": "x"}, "DOUBLE_SOLITAIRE_PORT"),
        (["serve", "--log-level", "loud"], {}, "--log-level"),
        (["serve", "--allow-origin", "example.org"], {}, "https://example.org"),
        (["serve", "--durability", "stone"], {}, "--durability"),
        (["serve", "--drain-seconds", "60"], {}, "--drain-seconds"),
        (["serve", "--nonsense"], {}, "--nonsense"),
        (["dance"], {}, "dance"),
        (["replay"], {}, "FILE"),
    ],
)
def test_a_wrong_option_is_named(args: list[str], env: dict[str, str], words: str) -> None:
    run = told(*args, env=env)
    assert run.exit_code == 2
    assert words in run.stderr
    assert "Traceback" not in run.stderr


def test_a_host_of_another_machine_is_told() -> None:
    run = cli("serve", "--memory", "--port", "0", "--host", "192.0.2.1")
    assert run.returncode == 1
    assert "192.0.2.1 is no address of this machine" in run.stderr


def test_a_foreign_file_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "games.sqlite").write_text("somebody's notes, much longer than a header is\n" * 50)
    run = cli("serve", "--port", "0", "--data", str(tmp_path))
    assert run.returncode == 1
    assert "games.sqlite" in run.stderr
    assert "Traceback" not in run.stderr
    assert (tmp_path / "games.sqlite").read_text().startswith("somebody's notes")


def test_help_lists_every_setting_with_its_variable() -> None:
    text = told("serve", "--help").stdout
    options = set(re.findall(r"--([a-z][a-z-]+)", text)) - {"help", "no-metrics"}
    options = {option for option in options if f"--{option} " in text}
    assert {"host", "port", "data", "memory", "log-level", "allow-origin", "metrics"} <= options
    for option in ("host", "port", "data", "memory", "log-level", "log-format", "metrics", "behind-proxy"):
        assert f"DOUBLE_SOLITAIRE_{option.replace('-', '_').upper()}" in text


def test_solve_answers_each_line_in_its_place() -> None:
    lines = [b'{"id": 1, "code": "KL1-D1S-AAAAAAB"}', b"nonsense", b"", b'{"id": "x", "code": "KL9"}', b"\xff\xfe"]
    run = cli("solve", "--seconds", "20", "--memory", "16", "--workers", "2", stdin=b"\n".join(lines))
    assert run.returncode == 1
    won, *bad = [json.loads(line) for line in run.stdout.splitlines()]
    assert (won["id"], won["result"]) == (1, "win")
    assert won["moves"]
    assert [(each["id"], each["line"]) for each in bad] == [(None, 2), ("x", 4), (None, 5)]
    assert all(each["error"] for each in bad)
    assert run.stderr == ""


def test_solve_of_good_lines_ends_well() -> None:
    run = cli("solve", "--memory", "16", "--progress", stdin=b'{"id": 1, "code": "KL1-D1S-AAAAAAB"}\n')
    assert run.returncode == 0
    assert "1 win" in run.stderr


async def test_a_hint_comes_and_one_under_way_does_not_hold_up_the_end() -> None:
    async with serving("--memory", "--port", "0") as server, player(server.port) as ann:
        await ann.ask(Hello())
        await ann.ask(Create(terms=KlondikeTerms(code="KL1-D1S-AAAAAAB")))
        await ann.send(AskHint())
        hint = await ann.told()
        while not isinstance(hint, Hint):
            hint = await ann.told()
        assert hint.card is not None or hint.do is not None
        assert hint.left == 2
        await ann.send(AskHint())
        status, seconds, errors = await server.end(signal.SIGTERM)
        assert status == 0
        assert seconds < 5
        assert "Traceback" not in errors


def test_version() -> None:
    run = told("--version")
    assert run.exit_code == 0
    assert run.stdout.startswith("double-solitaire ")


@pytest.mark.parametrize(
    ("args", "status", "words"),
    [
        (["verify"], 1, "expected a file, or --commitment and --seed"),
        (["verify", "nothing.json"], 1, "nothing.json: No such file"),
        (["verify", "--commitment", "00" * 32, "--seed", "11" * 32], 1, "WRONG: seed: its SHA-256 is"),
        (["verify", "--commitment", "zz", "--seed", "11"], 1, "seed: expected 32 bytes, got 1"),
        (["replay", "-"], 1, "expected a replay"),
    ],
)
def test_verify_and_replay_say_what_is_wrong(args: list[str], status: int, words: str) -> None:
    run = told(*args, stdin=json.dumps({"a": 1}).encode())
    assert run.exit_code == status
    assert words in run.stdout + run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize(
    ("env", "platform", "expected"),
    [
        ({}, "linux", "{home}/.local/share/double-solitaire"),
        ({"XDG_DATA_HOME": "/data"}, "linux", "/data/double-solitaire"),
        ({"XDG_DATA_HOME": "relative"}, "linux", "{home}/.local/share/double-solitaire"),
        ({"XDG_DATA_HOME": "/data"}, "darwin", "{home}/Library/Application Support/double-solitaire"),
        ({"LOCALAPPDATA": "/local"}, "win32", "/local/double-solitaire"),
        ({}, "win32", "{home}/AppData/Local/double-solitaire"),
    ],
)
def test_where_data_belongs(env: dict[str, str], platform: str, expected: str) -> None:
    found = default_data_dir(env, platform, Path("/h"))
    assert found.as_posix() == expected.format(home="/h")


def test_workers_need_a_store_that_they_can_share() -> None:
    run = cli("serve", "--memory", "--workers", "2")
    assert run.returncode == 2
    assert "--workers" in run.stderr
    assert "--store" in run.stderr
