"""Run the measurements one after another, each in a process of its own: `python -m bench [NAME ...]`."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# From the inside out. Left out: relay, seats, serve and wire are parts of the load; arena measures players, not speed.
MEASURES = ("engine", "solver", "solver_lag", "store", "redis_store", "room", "adopt", "gateway", "duel_load")


def main(names: list[str]) -> int:
    """Run ``names``, all if there are none; return how many failed."""
    unknown = set(names) - set(MEASURES)
    if unknown:
        sys.exit(f"no such measurement: {', '.join(sorted(unknown))}; there are {', '.join(MEASURES)}")
    failed = 0
    for name in names or MEASURES:
        print(f"\n== {name}", flush=True)
        failed += subprocess.call([sys.executable, "-m", f"bench.{name}"], cwd=HERE.parent) != 0
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
