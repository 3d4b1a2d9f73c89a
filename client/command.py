"""``double-solitaire bot``: a computer player that comes to a table like any guest, over the public protocol."""

import asyncio
import random
import secrets
import sys
from typing import Annotated, Final, NoReturn

import typer

from client.connection import ServerError, connect
from client.level import LevelPlayer
from client.player import take_part
from shared.bots import LevelName
from shared.table import Table

LONGEST_NAME: Final = 24
#: A room code has five letters, with spaces and dashes perhaps; a match's id has twenty hex digits.
LONGEST_CODE: Final = 12


def bot(
    code: Annotated[str, typer.Option(help="The room code of the table, or the match's id.")],
    url: Annotated[str, typer.Option(help="The server.")] = "ws://127.0.0.1:8765/ws",
    level: Annotated[LevelName, typer.Option(help="How strong it is.")] = "casual",
    name: Annotated[str | None, typer.Option(help="Its name at the table  [default: Bot (LEVEL)]")] = None,
    seed: Annotated[int | None, typer.Option(help="Of its chance, to see the same again  [default: any]")] = None,
    seconds: Annotated[float, typer.Option(min=0, help="How long to wait for an answer before it gives up.")] = 10.0,
) -> None:
    """Join a table as a computer player and play the match to its end."""
    called = (name or f"Bot ({level})")[:LONGEST_NAME]
    at_hand = secrets.randbits(63) if seed is None else seed
    try:
        table = asyncio.run(play(url, code, level, called, at_hand, seconds))
    except TimeoutError:
        fail(f"{url}: no server answers there.")
    except ServerError as error:
        fail(f"{code}: {error.failed.message} ({error.failed.code}).")
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    result = table.result
    print("no result" if result is None else f"{result.reason}, winner: {result.winner}, cards: {result.counts}")


async def play(url: str, code: str, level: LevelName, name: str, seed: int, seconds: float) -> Table:
    """Play the match behind ``code`` at the server ``url``; return its table at the end.

    Raises:
        TimeoutError: the server did not let it in within ``seconds``.
        ServerError: it would not.
    """
    async with connect(url, chance=random.random, name=name) as connection:
        async with asyncio.timeout(seconds):
            await (connection.join(match=code) if len(code) > LONGEST_CODE else connection.join(code=code))
        if connection.session.seat is None:
            fail(f"{code}: no seat is free at this table.")
        loop = asyncio.get_running_loop()
        player = LevelPlayer(level, seed, lambda: int(loop.time() * 1000))
        return await take_part(connection, player, nonce=lambda: secrets.token_hex(16))


def fail(message: str) -> NoReturn:
    """Say what is wrong, and end with status 1."""
    print(f"double-solitaire: {message}", file=sys.stderr)
    raise typer.Exit(1)


app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
app.command()(bot)
