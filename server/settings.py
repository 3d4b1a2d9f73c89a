"""What a server can be told at its start. Each setting is a flag and an environment variable (server/cli.py)."""

from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from server.lifetimes import Lifetimes
from server.limits import Limits

DEFAULT_PORT: Final = 8765
APP_NAME: Final = "double-solitaire"
#: The store in the data folder.
STORE_FILE: Final = "games.sqlite"

LogFormat = Literal["auto", "text", "json"]
Durable = Literal["disk", "process", "replica"]


class Settings(Struct, frozen=True):
    """The settings of one server.

    ``store``: URL of a Redis that nodes share (it may hold a password); ``None`` = a store of this node's own.
    ``data``: folder of the games, ``None`` = memory only. ``durability``: ``disk`` waits for the disk before a play
    counts, ``process`` only for the operating system (or for Redis), ``replica`` for a second Redis. ``origins``: other
    hosts whose pages may connect.
    ``daily_secret``: from which the daily deals follow, at least 16 bytes; ``None`` = one that the store keeps.
    ``drain_seconds``: how long players have to leave after SIGTERM.
    """

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    store: str | None = None
    data: Path | None = None
    durability: Durable = "disk"
    log_level: str = "info"
    log_format: LogFormat = "auto"
    metrics: bool = False
    origins: tuple[str, ...] = ()
    behind_proxy: bool = False
    drain_seconds: float = 1.0
    daily_secret: bytes | None = None
    limits: Limits = Limits()
    lifetimes: Lifetimes = Lifetimes()

    def __repr__(self) -> str:
        return f"Settings(host={self.host!r}, port={self.port})"  # store and secrets are nobody's to read


def version() -> str:
    """Return the version of the program as installed."""
    try:
        return metadata.version("double-solitaire")
    except metadata.PackageNotFoundError:  # run from a folder that was never installed
        return "0"


def default_data_dir(env: Mapping[str, str], platform: str, home: Path) -> Path:
    """Return where the user's data belongs on this ``platform`` (``sys.platform``)."""
    if platform == "darwin":
        return home / "Library" / "Application Support" / APP_NAME
    if platform == "win32":
        return Path(env.get("LOCALAPPDATA") or home / "AppData" / "Local") / APP_NAME
    given = Path(env.get("XDG_DATA_HOME") or "")
    return (given if given.is_absolute() else home / ".local" / "share") / APP_NAME
