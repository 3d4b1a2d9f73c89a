"""Run by test_sqlite_kill: appends to many matches as fast as it can and prints what was acknowledged, until killed."""

import asyncio
import sys
import time
from pathlib import Path

from server.storage.base import Appended, AppendResult
from server.storage.sqlite import open_sqlite

MATCHES = 20


async def main(path: Path, life: str) -> None:
    store = open_sqlite(path, lambda: time.monotonic_ns() // 1_000_000, fold_entries=700, keep_entries=2)
    lines: list[str] = []

    def note(match: str, result: AppendResult) -> None:
        assert isinstance(result, Appended)
        lines.extend(f"{match} {entry.no} {entry.data.decode()}" for entry in result.entries[-result.own :])

    for n in range(MATCHES):
        await store.log.create(f"m{n}", b"first")
    for turn in range(1_000_000):
        for n in range(turn % 7, MATCHES, 3):
            match = f"m{n}"
            store.log.append(match, 1_000_000, [b"%s-%d" % (life.encode(), turn)], lambda r, m=match: note(m, r))  # type: ignore[misc]
        await asyncio.sleep(0.001 if turn % 5 else 0)
        if turn % 50 == 0:
            await store.log.beat()
        if lines:
            print("\n".join(lines), flush=True)
            lines.clear()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
