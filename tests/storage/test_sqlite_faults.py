"""Rule of the log 4 on the embedded store: what was handed over is tried until it is in, once; the rest is dropped."""

import asyncio
import resource
import sqlite3
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from server.storage.base import MAX_WAIT_MS, Appended, AppendResult, NotAppended, StoreAway
from server.storage.fakes import JumpingClock
from server.storage.sqlite import SqliteStore, open_sqlite


@pytest.fixture
def clock() -> JumpingClock:
    return JumpingClock()


@pytest.fixture
async def store(tmp_path: Path, clock: JumpingClock) -> AsyncIterator[SqliteStore]:
    made = open_sqlite(tmp_path / "store.sqlite3", clock.mono_ms)
    await made.log.create("m", b"1")
    yield made
    await made.close()


@contextmanager
def outage(path: Path) -> Iterator[None]:
    """Another program holds the file's write lock: every commit fails meanwhile."""
    other = sqlite3.connect(path / "store.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


def start(store: SqliteStore, data: bytes, match: str = "m") -> "asyncio.Future[AppendResult]":
    future: asyncio.Future[AppendResult] = asyncio.get_running_loop().create_future()
    store.log.append(match, 10_000, [data], future.set_result)
    return future


async def log_of(store: SqliteStore) -> list[bytes]:
    result = await store.log.read("m", 0)
    assert isinstance(result, Appended)
    assert [entry.no for entry in result.entries] == list(range(1, len(result.entries) + 1))
    return [entry.data for entry in result.entries]


async def in_flight(store: SqliteStore) -> None:
    while not store.log._committer.busy:
        await asyncio.sleep(0.001)


async def test_4_what_was_handed_over_is_tried_until_it_is_in_and_only_once(
    store: SqliteStore, tmp_path: Path, clock: JumpingClock, caplog: pytest.LogCaptureFixture
) -> None:
    with outage(tmp_path):
        sent = [start(store, b"a"), start(store, b"b")]
        await in_flight(store)
        waiting = start(store, b"c")
        await asyncio.sleep(0.3)
        clock.jump(MAX_WAIT_MS - 100)
        await asyncio.sleep(0.25)
        assert not any(future.done() for future in [*sent, waiting])
    results = await asyncio.gather(*sent, waiting)
    assert [result.entries[-1].no for result in results if isinstance(result, Appended)] == [2, 3, 4]
    assert await log_of(store) == [b"1", b"a", b"b", b"c"]
    assert "the store cannot write, trying again" in caplog.text


async def test_4_a_full_disk_delays_but_loses_and_doubles_nothing(
    store: SqliteStore, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The system refuses to let any file grow past a size, as a full disk does; later it lets it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, ((tmp_path / "store.sqlite3-wal").stat().st_size + 40_000, hard))
    try:
        sent = [start(store, b"%d" % n + bytes(2000)) for n in range(100)]
        await asyncio.sleep(0.3)
        assert not any(future.done() for future in sent)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    await asyncio.gather(*sent)
    assert await log_of(store) == [b"1", *(b"%d" % n + bytes(2000) for n in range(100))]
    assert "the store cannot write, trying again" in caplog.text


class LyingConnection:
    """A database that did as it was told and says that it failed, once."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        self.lies = 1

    @property
    def in_transaction(self) -> bool:
        return self.db.in_transaction

    def close(self) -> None:
        self.db.close()

    def execute(self, sql: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        cursor = self.db.execute(sql, values)
        if "INTO journal" in sql and self.lies:
            self.lies = 0
            raise sqlite3.OperationalError("disk I/O error")
        return cursor


async def test_4_what_is_sent_again_because_its_fate_was_unknown_is_not_appended_twice(store: SqliteStore) -> None:
    writer = store.log._committer._writer
    writer._db = liar = LyingConnection(writer._db)  # type: ignore[assignment]
    results = await asyncio.gather(start(store, b"a"), start(store, b"b"))
    assert liar.lies == 0
    assert [result.entries[0].no for result in results if isinstance(result, Appended)] == [2, 3]
    ask = store.log._committer.ask
    rows = await ask(lambda db: db.execute("SELECT count(*) FROM journal").fetchone())
    assert rows == (1,)


async def test_4_what_was_never_handed_over_is_unavailable_after_two_seconds(
    store: SqliteStore, tmp_path: Path, clock: JumpingClock
) -> None:
    with outage(tmp_path):
        sent = start(store, b"a")
        await in_flight(store)
        waiting = [start(store, b"b"), start(store, b"c"), start(store, b"d", match="unknown")]
        created = asyncio.ensure_future(store.log.create("n", b"1"))
        read = asyncio.ensure_future(store.log.read("n", 0))
        renamed = asyncio.ensure_future(store.records.rename("i", "n"))
        beat = asyncio.ensure_future(store.log.beat())
        await asyncio.sleep(0)
        clock.jump(MAX_WAIT_MS + 1)
        late = start(store, b"e")
        assert await asyncio.gather(*waiting) == [NotAppended("unavailable")] * 3
        assert [await created, await read] == [NotAppended("unavailable")] * 2
        for call in (renamed, beat):
            with pytest.raises(StoreAway):
                await call
        assert not sent.done()
    assert isinstance(await sent, Appended)
    assert isinstance(await late, Appended)
    assert await log_of(store) == [b"1", b"a", b"e"]
    assert await store.log.read("n", 0) == NotAppended("gone")


async def test_5_an_outage_is_charged_to_nobody(store: SqliteStore, tmp_path: Path, clock: JumpingClock) -> None:
    before = (await store.log.beat()).play_ms
    with outage(tmp_path):
        sent = start(store, b"a")
        await in_flight(store)
        for _ in range(60):
            clock.jump(1000)
            await store.log.read("m", 0)  # from memory: answered, but no sign that the store works
    result = await sent
    assert isinstance(result, Appended)
    assert result.play_ms == before
    clock.jump(400)
    assert (await store.log.beat()).play_ms == before + 400


async def test_an_operation_that_fails_by_its_own_fault_holds_up_no_other(store: SqliteStore) -> None:
    ask = store.log._committer.ask
    good = asyncio.ensure_future(store.log.create("n", b"1"))
    bad = asyncio.ensure_future(ask(lambda db: [db.execute("DELETE FROM match").rowcount, 1 // 0]))
    sent = start(store, b"a")
    with pytest.raises(ZeroDivisionError):
        await bad
    assert isinstance(await good, Appended)
    assert isinstance(await sent, Appended)
    assert await log_of(store) == [b"1", b"a"]


async def test_a_caller_that_goes_away_harms_nobody(store: SqliteStore) -> None:
    gone = asyncio.ensure_future(store.log.create("n", b"1"))
    await asyncio.sleep(0)
    gone.cancel()
    sent = start(store, b"a", match="n")
    result = await sent
    assert isinstance(result, Appended)
    assert [entry.no for entry in result.entries] == [2]


async def test_after_closing_nothing_is_taken(tmp_path: Path, clock: JumpingClock) -> None:
    store = open_sqlite(tmp_path / "store.sqlite3", clock.mono_ms)
    await store.log.create("m", b"1")
    await store.close()
    assert await start(store, b"a") == NotAppended("unavailable")
    assert await store.log.create("n", b"1") == NotAppended("unavailable")
    with pytest.raises(StoreAway):
        await store.records.rename("i", "n")


async def test_closing_in_an_outage_ends_all_the_same(tmp_path: Path, clock: JumpingClock) -> None:
    store = open_sqlite(tmp_path / "store.sqlite3", clock.mono_ms)
    await store.log.create("m", b"1")
    with outage(tmp_path):
        sent = start(store, b"a")
        await in_flight(store)
        waiting = start(store, b"b")
        await store.close()
        assert await waiting == NotAppended("unavailable")
        assert not sent.done()  # its fate is not told: it might be in
    again = open_sqlite(tmp_path / "store.sqlite3", clock.mono_ms)
    assert await log_of(again) == [b"1"]
    await again.close()
