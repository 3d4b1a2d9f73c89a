"""The computer player as a guest: over memory lines in pieces, over a real server as a program."""

import asyncio
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib.metadata import EntryPoint
from random import Random

import pytest
from typer.testing import CliRunner

from client.level import LevelPlayer
from client.player import take_part
from server import cli
from shared.bots import NAMES
from shared.moves import Resign
from shared.protocol import MSGPACK, DuelTerms
from shared.table import Player, Ready
from tests.live.node import ROOT, node_here
from tests.live.table import Guest

RUNNER = CliRunner()


def fast(speed: float) -> Callable[[], int]:
    loop = asyncio.get_running_loop()
    return lambda: int(loop.time() * 1000 * speed)


@pytest.mark.live
@pytest.mark.slow
@pytest.mark.parametrize("tempo", ["simultaneous", "alternating"])
async def test_two_of_them_play_a_duel_over_sockets(tempo: str) -> None:
    async with node_here(speed=100) as node:
        chance = Random(1)
        ann, ben = (Guest(node.url, MSGPACK, chance) for _ in range(2))
        async with ann.connection, ben.connection:
            await ann.connection.create(DuelTerms(tempo=tempo))  # type: ignore[arg-type]
            assert ann.session.table is not None
            await ben.connection.join(match=ann.session.table.match)
            players = [LevelPlayer(level, 3, fast(100)) for level in ("expert", "casual")]
            nonce = lambda: "0" * 32  # noqa: E731
            both = (
                take_part(guest.connection, player, nonce=nonce, ms_a_second=100_000)
                for player, guest in zip(players, (ann, ben), strict=True)
            )
            table, _ = await asyncio.wait_for(asyncio.gather(*both), 90)
            assert table.result is not None
            assert table.result.reason in {"out", "complete", "both_stuck", "both_declared", "both_passed", "time"}
            _, done = await node.refold(table.match)
            refused = [folded.refusal.code for folded, _ in done if folded.refusal is not None]
            assert set(refused) <= {"overtaken"}


@pytest.mark.live
async def test_the_command_plays_a_match_and_says_how_it_ended() -> None:
    """The clock is the real one: a fast one would end the game before a slow machine has started the command."""
    async with node_here() as node:
        ann = Guest(node.url, MSGPACK, Random(2))
        async with ann.connection, asyncio.timeout(60):
            await ann.connection.create(DuelTerms())
            table = ann.session.table
            assert table is not None
            command = [sys.executable, "-m", "client", "--url", node.url, "--code", table.code or "", "--seed", "1"]
            run = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=subprocess.PIPE)
            await ann.connection.until(lambda session: session.table is not None and None not in session.table.players)
            await ann.connection.play(Ready("1" * 32))
            await ann.connection.until(lambda session: session.table is not None and session.table.phase == "playing")
            begun = ann.session.no
            await ann.connection.until(lambda session: session.no > begun)  # Ann does nothing: the command played
            await ann.connection.play(Resign())
            out, _ = await run.communicate()
            assert run.returncode == 0
            assert re.fullmatch(r"resigned, winner: 1, cards: .*\n", out.decode()), out
            assert ann.session.table is not None
            [_, bot] = ann.session.table.players
            assert isinstance(bot, Player)
            assert bot.name == "Bot (casual)"


@pytest.mark.live
async def test_the_command_says_what_is_wrong() -> None:
    async with node_here() as node:
        command = [sys.executable, "-m", "client", "--url", node.url, "--code", "ZZZZZ"]
        run = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stderr=subprocess.PIPE)
        _, error = await asyncio.wait_for(run.communicate(), 30)
        assert run.returncode == 1
        assert "ZZZZZ: no room has this code" in error.decode()
    command += ["--seconds", "0.2"]
    run = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stderr=subprocess.PIPE)
    _, error = await asyncio.wait_for(run.communicate(), 30)
    assert run.returncode == 1
    assert "no server answers there" in error.decode()


def test_the_command_line_has_it() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    [(name, value)] = project["project"]["entry-points"]["double_solitaire.commands"].items()
    app_commands = len(cli.app.registered_commands)
    try:
        cli.add_commands([EntryPoint(name, value, "double_solitaire.commands")])
        shown = RUNNER.invoke(cli.app, ["bot", "--help"], env={"COLUMNS": "200", "TERM": "dumb"})
    finally:
        del cli.app.registered_commands[app_commands:]
    assert shown.exit_code == 0, shown.output
    for word in ("--url", "--code", "--level", *NAMES):
        assert word in shown.output
