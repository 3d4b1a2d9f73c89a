"""The file of the embedded store: one process, no damage, nothing foreign touched."""

import asyncio
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Literal

import pytest

from server.storage.base import StoreError
from server.storage.fakes import JumpingClock
from server.storage.keeping import TokenNote
from server.storage.sqlite import SqliteStore, file, open_sqlite

ROOT = Path(__file__).resolve().parent.parent.parent


def opened(path: Path) -> SqliteStore:
    return open_sqlite(path, JumpingClock().mono_ms)


async def filled(path: Path, count: int = 200) -> None:
    """Make a store with some matches, well above a page each."""
    store = opened(path)
    for n in range(count):
        await store.log.create(f"m{n}", os.urandom(400))
    await store.close()


def refused(path: Path) -> str:
    """The message; the file must be as it was, with nothing lost or made beside it that counts."""
    before = path.read_bytes()
    with pytest.raises(StoreError) as caught:
        opened(path)
    assert path.read_bytes() == before
    assert str(path) in str(caught.value)
    return str(caught.value)


async def test_a_second_store_on_the_same_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    store = opened(path)
    with pytest.raises(StoreError, match=r"another server is using .* stop it, or give this one a directory"):
        opened(path)
    await store.log.create("m", b"1")
    await store.close()
    again = opened(path)
    await again.close()


async def test_a_second_process_on_the_same_file_is_refused_until_the_first_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    script = (
        "import sys, time, pathlib\n"
        "from server.storage.sqlite import open_sqlite\n"
        "store = open_sqlite(pathlib.Path(sys.argv[1]), lambda: 0)\n"
        "print('open', flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script, path], cwd=ROOT, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "open\n"
        with pytest.raises(StoreError, match="another server is using"):
            opened(path)
        first.kill()
    store = opened(path)
    await store.log.create("m", b"1")
    await store.close()


async def test_a_file_of_another_kind_is_refused_and_left(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    path.write_text("Dear diary, " * 100)
    assert "is no store" in refused(path)
    path.write_bytes(b"SQLite")
    assert "is no store" in refused(path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["store.sqlite3", "store.sqlite3.lock"]


async def test_a_database_of_another_program_is_refused_and_left(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE match (name TEXT)")
    db.commit()
    db.close()
    assert "database of another program" in refused(path)


async def test_another_version_is_refused_and_left(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    await filled(path, 1)
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 7")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    assert "version 7, this program reads up to version 3" in refused(path)


@pytest.mark.parametrize("damage", ["torn", "short", "zeros"])
async def test_a_damaged_file_is_refused_and_left(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "store.sqlite3"
    await filled(path)
    whole = bytearray(path.read_bytes())
    assert len(whole) > 20 * 4096
    if damage == "torn":
        for page in range(4, len(whole) // 4096, 2):
            whole[page * 4096 : page * 4096 + 64] = os.urandom(64)
    elif damage == "short":
        del whole[len(whole) // 2 :]
    else:
        whole[8 * 4096 : 16 * 4096] = bytes(8 * 4096)
    path.write_bytes(whole)
    assert "damaged" in refused(path)


async def test_a_log_without_its_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    Path(f"{path}-wal").write_bytes(b"x" * 100)
    with pytest.raises(StoreError, match="is missing but"):
        opened(path)
    assert not path.exists()


async def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be used"):
        opened(tmp_path / "file" / "store.sqlite3")


async def test_a_directory_that_is_made_is_the_users_own(tmp_path: Path) -> None:
    path = tmp_path / "made" / "store.sqlite3"
    await filled(path, 1)
    assert path.parent.stat().st_mode & 0o077 == 0, "seeds of games under way are in it"


async def test_an_empty_file_and_rests_of_an_interrupted_start_are_no_hindrance(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "store.sqlite3"
    path.parent.mkdir(parents=True)
    path.touch()
    Path(f"{path}.new").write_bytes(b"half a file")
    await filled(path, 1)
    await filled(path, 0)


async def test_the_disk_is_flushed_at_each_commit_unless_told_otherwise(tmp_path: Path) -> None:
    levels = {}
    durabilities: list[Literal["disk", "process"]] = ["disk", "process"]
    for durability in durabilities:
        store = open_sqlite(tmp_path / durability, JumpingClock().mono_ms, durability=durability)
        ask = store.log._committer.ask
        await store.log.beat()
        await store.log.create("m", b"1")
        levels[store.log.durability] = await ask(lambda db: db.execute("PRAGMA synchronous").fetchone())
        assert await ask(lambda db: db.execute("PRAGMA journal_mode").fetchone()) == ("wal",)
        assert store.loses
        await store.close()
    assert levels == {"disk": (2,), "process": (1,)}


async def test_the_write_ahead_log_does_not_grow_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    store = open_sqlite(path, JumpingClock().mono_ms, window_s=0, durability="process")
    await store.log.create("m", b"1")
    for n in range(4000):
        future: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        store.log.append("m", n + 1, [bytes(3000)], future.set_result)
        await future
    grown = Path(f"{path}-wal").stat().st_size
    assert grown < 12 * 1024 * 1024
    await store.close()
    assert not Path(f"{path}-wal").exists()


async def test_a_file_of_version_1_is_brought_up_to_date_and_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    old = sqlite3.connect(path)
    old.executescript(file._SCHEMA)
    old.execute("INSERT INTO identity VALUES ('i-ann', 'Ann', 7)")
    old.execute("INSERT INTO token VALUES (?, 'i-ann')", (b"h" * 32,))
    old.execute("INSERT INTO result VALUES (1, 'm1', ?)", (b"r",))
    old.commit()
    old.close()
    for _ in range(2):
        store = opened(path)
        assert await store.records.tokens("i-ann") == (TokenNote(b"h" * 32, "", 7),)
        assert await store.records.results(0) == ((1, "m1", b"r"),)
        assert await store.records.books_no() == 0
        await store.close()
