"""The command line: ``double-solitaire serve`` and its companions. Bad input gets a sentence, never a traceback."""

import errno
import io
import os
import socket
import stat
import sys
from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Annotated, Literal, NoReturn

import typer

from server.cli_rebuild import rebuild
from server.lifetimes import Lifetimes
from server.limits import Limits
from server.log import set_up_log
from server.settings import DEFAULT_PORT, Durable, LogFormat, Settings, default_data_dir, version
from server.storage.base import StoreError
from shared import fair

PREFIX = "DOUBLE_SOLITAIRE_"

app = typer.Typer(
    name="double-solitaire",
    help="Klondike for two at one table, and for one alone.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


LogLevel = Literal["debug", "info", "warning", "error"]


def _show_version(asked: bool) -> None:
    if asked:
        print(f"double-solitaire {version()}")
        raise typer.Exit


@app.callback()
def double_solitaire(
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Klondike for two at one table, and for one alone."""


def _env(name: str) -> str:
    return PREFIX + name


_LIMITS = Limits()


@app.command()
def serve(
    host: Annotated[
        str, typer.Option(envvar=_env("HOST"), help="Address to listen on; 0.0.0.0 lets other machines in.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(envvar=_env("PORT"), min=0, max=65535, help="Port to listen on; 0: any free one.")
    ] = DEFAULT_PORT,
    store: Annotated[
        str | None,
        typer.Option(
            envvar=_env("STORE"),
            help="URL of a Redis that several servers share: redis://, rediss://, redis+sentinel://, redis+cluster://.",
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            envvar=_env("DATA"), file_okay=False, help="Folder of the games  [default: the user's data folder]"
        ),
    ] = None,
    memory: Annotated[
        bool, typer.Option("--memory", envvar=_env("MEMORY"), help="Keep games in memory only, no folder.")
    ] = False,
    durability: Annotated[
        Durable,
        typer.Option(
            envvar=_env("DURABILITY"),
            help="disk: a power cut loses no card that anybody saw; process: a crash of the server does not, "
            "one of the machine may, and process is faster; replica: with --store, a second Redis has it too.",
        ),
    ] = "disk",
    workers: Annotated[
        int,
        typer.Option(
            envvar=_env("WORKERS"),
            min=1,
            max=256,
            help="Processes on this port, each a server of its own; more than 1 need --store.",
        ),
    ] = 1,
    keep_rooms: Annotated[
        float, typer.Option(envvar=_env("KEEP_ROOMS"), min=0.1, help="Hours until a room goes in which no game began.")
    ] = 24,
    keep_games: Annotated[
        float, typer.Option(envvar=_env("KEEP_GAMES"), min=0.1, help="Days until a solo game goes that nobody plays.")
    ] = 30,
    keep_archives: Annotated[
        float | None,
        typer.Option(envvar=_env("KEEP_ARCHIVES"), min=1, help="Days until a replay goes  [default: never]"),
    ] = None,
    log_level: Annotated[LogLevel, typer.Option(envvar=_env("LOG_LEVEL"), help="How much the log tells.")] = "info",
    log_format: Annotated[
        LogFormat, typer.Option(envvar=_env("LOG_FORMAT"), help="auto: text on a terminal, JSON elsewhere.")
    ] = "auto",
    metrics: Annotated[
        bool, typer.Option("--metrics/--no-metrics", envvar=_env("METRICS"), help="Show figures at /metrics.")
    ] = False,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(
            envvar=_env("ALLOW_ORIGIN"),
            help="A page's origin (https://example.org) whose scripts may connect too. Repeatable.",
        ),
    ] = None,
    behind_proxy: Annotated[
        bool,
        typer.Option(
            "--behind-proxy",
            envvar=_env("BEHIND_PROXY"),
            help="A proxy stands before: trust X-Forwarded-For and -Host.",
        ),
    ] = False,
    max_connections: Annotated[
        int, typer.Option(envvar=_env("MAX_CONNECTIONS"), min=1, help="Connections in all.")
    ] = _LIMITS.connections,
    max_connections_per_address: Annotated[
        int, typer.Option(envvar=_env("MAX_CONNECTIONS_PER_ADDRESS"), min=1, help="Connections of one address.")
    ] = _LIMITS.connections_per_address,
    message_rate: Annotated[
        float,
        typer.Option(
            envvar=_env("MESSAGE_RATE"), min=0, help="Messages a second of one connection, after a burst; 0: no limit."
        ),
    ] = _LIMITS.messages_per_second,
    drain_seconds: Annotated[
        float,
        typer.Option(
            envvar=_env("DRAIN_SECONDS"), min=0, max=1.2, help="Time to leave for players, when told to stop."
        ),
    ] = 1.0,
    daily_secret: Annotated[
        str | None,
        typer.Option(
            envvar=_env("DAILY_SECRET"),
            help="From which the daily deals follow, 16 bytes or more  [default: random, kept in the store]",
        ),
    ] = None,
) -> None:
    """Start the server; it prints its address. Ctrl-C or SIGTERM stops it."""
    from server.app import run, run_workers
    from server.workers import Worker

    _check_workers(workers, store)
    if store is not None and (data is not None or memory):
        raise typer.BadParameter("expected one of --store, --data and --memory", param_hint="--store")
    where = None
    if not memory and store is None:
        where = data or default_data_dir(os.environ, sys.platform, Path.home())
    settings = Settings(
        host=host,
        port=port,
        store=store,
        data=where,
        durability=durability,
        log_level=log_level,
        log_format=log_format,
        metrics=metrics,
        origins=tuple(_origin(origin) for origin in allow_origin or ()),
        behind_proxy=behind_proxy,
        drain_seconds=drain_seconds,
        daily_secret=_daily_secret(daily_secret),
        limits=Limits(
            messages_per_second=message_rate,
            connections=max_connections,
            connections_per_address=max_connections_per_address,
        ),
        lifetimes=Lifetimes.read(keep_rooms, keep_games, keep_archives),
    )
    set_up_log(settings.log_level, settings.log_format)
    worker = Worker.read(os.environ)
    try:
        if workers > 1 and worker is None:
            raise typer.Exit(run_workers(settings, workers))
        speaks = worker is None or worker.number == worker.life == 0
        run(settings, lambda node: print(_banner(settings, node.port, node.loses), flush=True) if speaks else None)
    except StoreError as error:
        _fail(str(error))
    except OSError as error:
        _fail(_listen_error(error, host, port))
    except KeyboardInterrupt:  # Windows has no signal handlers
        pass


def _check_workers(workers: int, store: str | None) -> None:
    if workers > 1 and store is None:
        raise typer.BadParameter(
            f"expected 1 without --store, got {workers}: a folder has one process", param_hint="--workers"
        )
    if workers > 1 and sys.platform == "win32":
        raise typer.BadParameter("Windows has no such processes; start several servers", param_hint="--workers")


def _daily_secret(text: str | None) -> bytes | None:
    secret = None if text is None else text.encode()
    if secret is not None and len(secret) < fair.NONCE_BYTES:
        raise typer.BadParameter(
            f"expected at least {fair.NONCE_BYTES} bytes, got {len(secret)}", param_hint="--daily-secret"
        )
    return secret


def _origin(origin: str) -> str:
    scheme, found, rest = origin.partition("://")
    if scheme not in {"http", "https"} or not found or not rest or "/" in rest:
        raise typer.BadParameter(
            f"expected a scheme and a host, like https://example.org, got {origin!r}", param_hint="--allow-origin"
        )
    return origin


def _banner(settings: Settings, port: int, loses: str) -> str:
    from server.storage.redis.url import read_url

    shown = f"[{settings.host}]" if ":" in settings.host else settings.host
    lines = ["Double Solitaire is running."]
    if settings.host in {"0.0.0.0", "::"}:  # noqa: S104 - told apart here, not bound
        lines += [f"  Here:      http://localhost:{port}", f"  Elsewhere: http://{_own_address()}:{port}"]
    else:
        lines.append(f"  Open       http://{'localhost' if settings.host == '127.0.0.1' else shown}:{port}")
    if settings.store is not None:
        lines.append(f"  Games are kept in {read_url(settings.store).shown}")
    elif settings.data is None:
        lines.append("  Games are kept in memory only.")
    else:
        lines.append(f"  Games are kept in {settings.data}")
    lines.append(f"  A crash loses {loses}.")
    lines.append("  Ctrl-C stops it.")
    return "\n".join(lines)


def _own_address() -> str:
    """This machine's address in its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


def _listen_error(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} of {host} is in use, perhaps by another server. Choose another with --port."
    if error.errno == errno.EACCES and port < 1024:
        return f"Port {port} is for administrators. Choose one from 1024 up with --port."
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is no address of this machine. Choose another with --host."
    return f"The server cannot start: {error}"


def _fail(message: str) -> NoReturn:
    print(f"double-solitaire: {message}", file=sys.stderr)
    raise typer.Exit(1)


@app.command()
def solve(
    seconds: Annotated[float, typer.Option(min=0, help="Most for one deal.")] = 60.0,
    states: Annotated[int | None, typer.Option(min=1, help="Most states for one deal  [default: no limit]")] = None,
    memory: Annotated[int, typer.Option(min=1, help="Megabytes of table for each worker.")] = 128,
    workers: Annotated[int, typer.Option(min=1, max=256, help="Deals at a time, each on a core of its own.")] = 1,
    progress: Annotated[
        bool | None, typer.Option("--progress/--no-progress", help="A bar  [default: on a terminal]")
    ] = None,
) -> None:
    """Solve deals: JSON lines in, a JSON line out for each (docs/solver.md). Exit status 1 if a line was bad."""
    from server.app import monotonic
    from server.solver.command import Options, run

    options = Options(seconds=seconds, states=states, memory=memory << 20, workers=workers)
    text = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")
    bar = sys.stderr if (sys.stderr.isatty() if progress is None else progress) else None
    # Of a file the number of lines is known beforehand; a pipe is answered as it comes.
    lines = text.readlines() if bar is not None and is_file(text) else text
    try:
        status = run(lines, sys.stdout, options, monotonic, bar)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads any more: no word at the exit
        raise typer.Exit(1) from None
    raise typer.Exit(status)


def is_file(text: io.TextIOWrapper) -> bool:
    """Whether ``text`` is a file on a disk, which can be read to its end at once."""
    return stat.S_ISREG(os.fstat(text.fileno()).st_mode)


_FILE = Annotated[Path, typer.Argument(metavar="FILE", help="A replay, JSON or MessagePack; - reads standard input.")]


@app.command()
def replay(
    file: _FILE,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say only whether it is sound.")] = False,
) -> None:
    """Print a finished match play by play, and check it: legal plays, true ends, fair deals. Exit status 1 if not."""
    from server import commands

    try:
        words, sound = commands.replay(file, quiet=quiet)
    except commands.CommandError as error:
        _fail(str(error))
    print(words)
    raise typer.Exit(0 if sound else 1)


@app.command()
def verify(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="The replay of a duel; or give the values below.")
    ] = None,
    commitment: Annotated[str, typer.Option(help="The hash shown before the deal, 64 hex digits.")] = "",
    seed: Annotated[str, typer.Option(help="The seed revealed after the end, 64 hex digits.")] = "",
    nonces: Annotated[
        tuple[str, str], typer.Option("--nonces", help="Both seats' nonces, 32 hex digits each, or '' for none.")
    ] = ("", ""),
    mirror: Annotated[bool, typer.Option("--mirror", help="The game was a mirror game.")] = False,
) -> None:
    """Check that the deal of a finished duel was fair (docs/fair-deals.md). Exit status 1 if not."""
    from server import commands

    try:
        if file is not None:
            words, is_fair = commands.verify_file(file)
        elif commitment and seed:
            words, is_fair = commands.verify_values(commitment, seed, nonces, mirror=mirror)
        else:
            _fail("verify: expected a file, or --commitment and --seed (and --nonces)")
    except commands.CommandError as error:
        _fail(str(error))
    print(words)
    raise typer.Exit(0 if is_fair else 1)


app.command()(rebuild)


def add_commands(commands: Iterable[EntryPoint]) -> None:
    """Add the commands that other packages bring (pyproject.toml)."""
    for command in commands:
        app.command(command.name)(command.load())


def main() -> None:
    """Run the command line."""
    add_commands(entry_points(group="double_solitaire.commands"))
    app()


if __name__ == "__main__":
    main()
