"""A server for the load: all of it, but for the limits on how fast one player may be. Prints its address."""

import argparse
from pathlib import Path

from server.app import Node, run
from server.limits import Limits
from server.log import set_up_log
from server.settings import Settings

UNLIMITED = Limits(messages_per_second=0, creates_per_second=0, identities_per_second=0, connections_per_address=20_000)


def main() -> None:
    """Serve until killed."""
    parser = argparse.ArgumentParser(prog="python -m bench.serve", description=__doc__)
    parser.add_argument("--data", type=Path)
    options = parser.parse_args()

    def started(node: Node) -> None:
        print(f"http://127.0.0.1:{node.port}", flush=True)

    set_up_log("warning")
    run(Settings(port=0, data=options.data, limits=UNLIMITED), started)


if __name__ == "__main__":
    main()
