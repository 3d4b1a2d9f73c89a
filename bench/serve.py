"""A server for the load: all of it, but for the limits on how fast one player may be. Prints its address."""

import argparse
from functools import partial
from pathlib import Path

from server import app
from server.app import Node, run
from server.lifetimes import Lifetimes
from server.limits import Limits
from server.log import set_up_log
from server.settings import Settings
from server.storage.redis import open_redis
from server.storage.redis.log import Keeping

UNLIMITED = Limits(messages_per_second=0, creates_per_second=0, identities_per_second=0, connections_per_address=20_000)


def main() -> None:
    """Serve until killed."""
    parser = argparse.ArgumentParser(prog="python -m bench.serve", description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--store")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--durability", default="disk")
    parser.add_argument("--log-format", choices=["text", "json"], default="text")
    parser.add_argument("--keep-seconds", type=int, help="how long an ended match stays in Redis, and all else thrice")
    options, _ = parser.parse_known_args()  # a node's other options are the defaults here
    lifetimes = Lifetimes()
    if options.keep_seconds is not None:
        keep_ms = options.keep_seconds * 1000
        lifetimes = Lifetimes(3 * keep_ms, 3 * keep_ms, 3 * keep_ms)
        keeping = Keeping(keep_ms=keep_ms, idle_ms=3 * keep_ms, archive_ms=3 * keep_ms)
        app.open_redis = partial(open_redis, keeping=keeping)  # type: ignore[attr-defined]

    def started(node: Node) -> None:
        print(f"http://127.0.0.1:{node.port}", flush=True)

    set_up_log("warning", options.log_format)
    durability = options.durability
    settings = Settings(
        port=options.port,
        data=options.data,
        store=options.store,
        durability=durability,
        limits=UNLIMITED,
        lifetimes=lifetimes,
    )
    run(settings, started)


if __name__ == "__main__":
    main()
