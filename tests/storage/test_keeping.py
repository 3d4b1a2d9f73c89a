"""How long the embedded stores keep archives and room codes, and files of earlier versions."""

import sqlite3
from pathlib import Path

import pytest

from server.storage.base import IDLE_MS, MAX_STEP_MS, NotAppended, Store
from server.storage.fakes import JumpingClock
from server.storage.memory import MemoryStore
from server.storage.sqlite import open_sqlite

ARCHIVE_MS = 60_000


def open_one(kind: str, place: Path, clock: JumpingClock) -> Store:
    if kind == "memory":
        return MemoryStore(clock.mono_ms, archive_ms=ARCHIVE_MS)
    return open_sqlite(place / "games.sqlite", clock.mono_ms, archive_ms=ARCHIVE_MS)


async def pass_time(store: Store, clock: JumpingClock, ms: int) -> None:
    for _ in range(0, ms, MAX_STEP_MS):
        clock.jump(MAX_STEP_MS)
        await store.log.beat()
    await store.log.beat()


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
async def test_archives_go_when_they_are_told_to(kind: str, tmp_path: Path) -> None:
    clock = JumpingClock()
    store = open_one(kind, tmp_path, clock)
    await store.log.create("m", b"1")
    await store.log.finish("m", b"replay")
    await pass_time(store, clock, ARCHIVE_MS - 6000)
    assert await store.log.archived("m") == b"replay"
    await pass_time(store, clock, 12_000)
    assert await store.log.archived("m") is None
    assert await store.log.archives() == ((), "")
    await store.close()


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
async def test_a_room_code_goes_with_its_match(kind: str, tmp_path: Path) -> None:
    clock = JumpingClock()
    store = open_one(kind, tmp_path, clock)
    for code, match in (("ABCDE", "m"), ("BCDEF", "other")):
        assert await store.lobby.claim_code(code, match)
        await store.log.create(match, b"1")
    store.log.keep("m", MAX_STEP_MS)
    await pass_time(store, clock, 9000)
    assert await store.lobby.find_code("ABCDE") is None
    assert await store.lobby.find_code("BCDEF") == "other"
    assert await store.lobby.claim_code("ABCDE", "third")
    await store.close()


async def test_in_a_file_of_version_2_matches_get_a_time(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    clock = JumpingClock()
    store = open_sqlite(path, clock.mono_ms)
    await store.log.create("open", b"1")
    await store.log.create("ended", b"1")
    await store.log.finish("ended", b"replay")
    await store.close()
    with sqlite3.connect(path) as db:  # back to what version 2 had
        db.execute("UPDATE match SET ends_at = NULL WHERE name = 'open'")
        db.execute("DROP INDEX archive_made")
        db.execute("DROP INDEX code_name")
        db.execute("ALTER TABLE archive DROP COLUMN made_at")
        db.execute("PRAGMA user_version = 2")
    db.close()
    store = open_sqlite(path, clock.mono_ms)
    assert not isinstance(await store.log.read("open", 0), NotAppended)
    assert await store.log.archived("ended") == b"replay"
    await store.close()
    with sqlite3.connect(path) as db:
        (ends_at,) = db.execute("SELECT ends_at FROM match WHERE name = 'open'").fetchone()
    db.close()
    assert IDLE_MS <= ends_at <= IDLE_MS + 60_000
