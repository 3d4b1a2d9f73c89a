"""Rule of the log 20: a server that is killed loses nothing that it acknowledged."""

import subprocess
import sys
import time
from pathlib import Path

from server.storage.base import Appended
from server.storage.fakes import JumpingClock
from server.storage.sqlite import open_sqlite
from tests.storage.appender import MATCHES

ROOT = Path(__file__).resolve().parent.parent.parent


def live_and_be_killed(path: Path, life: str, seconds: float) -> dict[tuple[str, int], str]:
    """Let the appender run for a while, kill it, return what it said was in: (match, number) -> entry."""
    command = [sys.executable, "-m", "tests.storage.appender", str(path), life]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(seconds)
        process.kill()
        whole = (first + process.stdout.read()).rpartition("\n")[0]  # the last line may be cut
    said = (line.split() for line in whole.splitlines())
    return {(match, int(number)): data for match, number, data in said}


async def test_20_killed_while_appending_it_loses_nothing_acknowledged_and_leaves_no_gap(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    known: dict[tuple[str, int], str] = {}
    for life, seconds in enumerate([0.05, 0.2, 0.35, 0.5]):
        said = live_and_be_killed(path, str(life), seconds)
        assert said
        assert not said.keys() & known.keys()
        known |= said
        store = open_sqlite(path, JumpingClock().mono_ms)
        for n in range(MATCHES):
            result = await store.log.read(f"m{n}", 0)
            assert isinstance(result, Appended)
            assert [entry.no for entry in result.entries] == list(range(1, len(result.entries) + 1))
            assert [entry.at for entry in result.entries] == sorted(entry.at for entry in result.entries)
            held = {(f"m{n}", entry.no): entry.data.decode() for entry in result.entries}
            assert {key: data for key, data in known.items() if key[0] == f"m{n}"}.items() <= held.items()
            turns = [data for key, data in sorted(held.items()) if key[1] > 1]
            assert len(turns) == len(set(turns))  # nothing twice
        await store.close()
