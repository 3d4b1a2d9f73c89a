"""``double-solitaire rebuild``, as the command line has it."""

import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from server.settings import STORE_FILE, Settings, default_data_dir
from server.storage.base import StoreError

if TYPE_CHECKING:
    from server.rebuild import Rebuilt


def rebuild(
    store: Annotated[
        str | None, typer.Option(envvar="DOUBLE_SOLITAIRE_STORE", help="URL of the Redis; servers may run meanwhile.")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            envvar="DOUBLE_SOLITAIRE_DATA",
            file_okay=False,
            help="Folder of the games; its server must be stopped  [default: the user's data folder]",
        ),
    ] = None,
) -> None:
    """Make statistics, ratings and boards anew from the log of results, and hold the results to their replays.

    Exit status 1 if a result is not what its replay tells.
    """
    if store is not None and data is not None:
        raise typer.BadParameter("expected one of --store and --data", param_hint="--store")
    where = None if store is not None else data or default_data_dir(os.environ, sys.platform, Path.home())
    if where is not None and not (where / STORE_FILE).exists():
        raise typer.BadParameter(f"expected a folder with games, {where} has none", param_hint="--data")
    try:
        found = asyncio.run(_rebuild(Settings(store=store, data=where)))
    except StoreError as error:
        print(f"double-solitaire: {error}", file=sys.stderr)
        raise typer.Exit(1) from None
    for wrong in found.wrong:
        print(f"WRONG: {wrong}")
    print(f"{found.results} results, {found.checked} held to their replays, {found.missing} added from replays alone.")
    raise typer.Exit(1 if found.wrong else 0)


async def _rebuild(settings: Settings) -> "Rebuilt":
    from server.app import SystemClock, open_store
    from server.rebuild import rebuild as make_anew

    opened = await open_store(settings, SystemClock(asyncio.get_running_loop()))
    try:
        return await make_anew(opened, lambda words: print(words, file=sys.stderr))
    finally:
        await opened.close()
