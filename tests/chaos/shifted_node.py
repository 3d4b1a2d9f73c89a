"""A node whose clocks are an hour off, in both: what a machine whose time was set wrong, and back, would have."""

import argparse
import asyncio
import time

from server.app import Node, SystemClock, serve
from server.limits import Limits
from server.log import set_up_log
from server.settings import Settings

HOUR_MS = 3_600_000


class ShiftedClock(SystemClock):
    """An hour ahead, and every few seconds an hour back for a while: the time of day steps, both ways."""

    def wall_ms(self) -> int:
        steps = int(time.monotonic()) // 3 % 2
        return super().wall_ms() + HOUR_MS * (1 if steps else -1)

    def mono_ms(self) -> int:
        return super().mono_ms() + HOUR_MS


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--store", required=True)
    parser.add_argument("--port", type=int, required=True)
    options, _ = parser.parse_known_args()
    limits = Limits(messages_per_second=0, connections_per_address=20_000)
    settings = Settings(port=options.port, store=options.store, durability="process", limits=limits)

    def started(node: Node) -> None:
        print(f"http://127.0.0.1:{node.port}", flush=True)

    set_up_log("warning", "text")
    asyncio.run(serve(settings, started, ShiftedClock))


if __name__ == "__main__":
    main()
