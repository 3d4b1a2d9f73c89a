"""A server whose time of day is set by a file: so many ms ahead of the machine's. Anything a player does is allowed at
any speed.
"""

import argparse
import asyncio
from pathlib import Path

from server.app import Node, SystemClock, serve
from server.limits import Limits
from server.log import set_up_log
from server.settings import Settings


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--ahead", type=Path, required=True)
    parser.add_argument("--secret", required=True)
    options = parser.parse_args()
    ahead: Path = options.ahead

    class SetClock(SystemClock):
        def wall_ms(self) -> int:
            return super().wall_ms() + int(ahead.read_text())

    def started(node: Node) -> None:
        print(f"http://localhost:{node.port}", flush=True)

    limits = Limits(messages_per_second=0, creates_per_second=0)
    settings = Settings(port=0, limits=limits, daily_secret=bytes.fromhex(options.secret))
    set_up_log("warning", "text")
    asyncio.run(serve(settings, started, SetClock))


if __name__ == "__main__":
    main()
