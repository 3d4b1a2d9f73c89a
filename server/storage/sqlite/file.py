"""The one file of the embedded store: made whole or not at all, checked before it is used, used by one process."""

import os
import sqlite3
from pathlib import Path
from typing import Final

from server.storage.base import IDLE_MS, Durability, StoreError

_MAGIC: Final = b"SQLite format 3\0"
APPLICATION_ID: Final = int.from_bytes(b"DSOL", "big")
SCHEMA_VERSION: Final = 3
#: Files up to this size are checked wholly at the start, bytes: 0.2 s for 211 MB that the system had in memory.
_CHECKED_BYTES: Final = 256 * 1024 * 1024

# A group commit is one row of `journal`: [at, [[match id, first number, [entry, ...]], ...]], MessagePack. From time to
# time the writer folds the journal into `chunk`: rows of consecutive entries of one match, [[at, entry], ...]. So a
# commit writes one or two pages however many matches it has, and reading a match reads little else.
_SCHEMA: Final = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = 1;
BEGIN;
CREATE TABLE state (one INTEGER PRIMARY KEY CHECK (one = 1), play_ms INTEGER NOT NULL) STRICT;
INSERT INTO state VALUES (1, 0);
CREATE TABLE match (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, live INTEGER NOT NULL DEFAULT 0, ends_at INTEGER
) STRICT;
CREATE INDEX match_ends ON match (ends_at) WHERE ends_at IS NOT NULL;
CREATE TABLE journal (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
CREATE TABLE chunk (
    match INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (match, first)
) STRICT, WITHOUT ROWID;
CREATE TABLE archive (name TEXT PRIMARY KEY, data BLOB NOT NULL) STRICT;
CREATE TABLE result (no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, data BLOB NOT NULL) STRICT;
CREATE TABLE identity (id TEXT PRIMARY KEY, name TEXT NOT NULL, made_at INTEGER NOT NULL) STRICT;
CREATE TABLE token (hash BLOB PRIMARY KEY, identity TEXT NOT NULL) STRICT;
CREATE TABLE code (code TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT;
COMMIT;
"""  # noqa: S608 - made of our own number

# Version 2: devices of an identity, games that wait, books, secrets. A new file is made by the same steps as an old one
# is brought up to date, so that both are alike.
_TO_VERSION_2: Final = """
BEGIN;
ALTER TABLE token ADD COLUMN label TEXT NOT NULL DEFAULT '';
ALTER TABLE token ADD COLUMN made_at INTEGER NOT NULL DEFAULT 0;
UPDATE token SET made_at = coalesce((SELECT made_at FROM identity WHERE id = identity), 0);
CREATE INDEX token_identity ON token (identity);
CREATE TABLE move (identity TEXT PRIMARY KEY, code BLOB NOT NULL UNIQUE, until INTEGER NOT NULL) STRICT;
CREATE TABLE open_game (
    no INTEGER PRIMARY KEY AUTOINCREMENT, identity TEXT NOT NULL, name TEXT NOT NULL, note BLOB NOT NULL,
    UNIQUE (identity, name)
) STRICT;
CREATE TABLE book (key TEXT PRIMARY KEY, data BLOB NOT NULL) STRICT;
CREATE TABLE books (one INTEGER PRIMARY KEY CHECK (one = 1), no INTEGER NOT NULL) STRICT;
INSERT INTO books VALUES (1, 0);
CREATE TABLE secret (name TEXT PRIMARY KEY, data BLOB NOT NULL) STRICT;
PRAGMA user_version = 2;
COMMIT;
"""

# Version 3: logs that have not ended go too, and archives can.
_TO_VERSION_3: Final = f"""
BEGIN;
UPDATE match SET ends_at = (SELECT play_ms FROM state) + {IDLE_MS} WHERE ends_at IS NULL;
ALTER TABLE archive ADD COLUMN made_at INTEGER NOT NULL DEFAULT 0;
UPDATE archive SET made_at = (SELECT play_ms FROM state);
CREATE INDEX archive_made ON archive (made_at);
CREATE INDEX code_name ON code (name);
PRAGMA user_version = 3;
COMMIT;
"""  # noqa: S608 - made of our own number
_STEPS: Final = (_TO_VERSION_2, _TO_VERSION_3)


def open_file(path: Path, durability: Durability) -> tuple[sqlite3.Connection, sqlite3.Connection]:
    """Open the store at ``path``, making it if there is none; return the connection and the lock to hold beside it.

    Raises:
        StoreError: another process uses it; it is damaged, or no store of this version; it cannot be read or written.
            It is left as it was.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # it holds the seeds of games under way
        lock = _lock(path)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"the directory of {path} cannot be used: {error}; give another by --data") from error
    try:
        if not path.exists() or path.stat().st_size == 0:
            _make(path)
        _check_header(path)
        _check_whole(path)
        return _connect(path, durability), lock
    except (OSError, sqlite3.Error) as error:
        lock.close()
        raise StoreError(f"the store {path} cannot be used: {error}; it was left as it is") from error
    except StoreError:
        lock.close()
        raise


def _lock(path: Path) -> sqlite3.Connection:
    """Hold the lock beside ``path`` until the connection is closed or the process ends, however it ends.

    An exclusive transaction on an empty file: the system lets it go with the process, and no forked child holds it on.
    """
    lock = sqlite3.connect(f"{path}.lock", timeout=0, isolation_level=None, check_same_thread=False)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        if "locked" not in str(error):
            raise
        raise StoreError(
            f"another server is using {path}: stop it, or give this one a directory of its own by --data"
        ) from error
    return lock


def _make(path: Path) -> None:
    """Make an empty store beside ``path`` and move it there in one step."""
    if Path(f"{path}-wal").exists():
        raise StoreError(
            f"{path} is missing but {path}-wal is there: put the file back from where it went, or move both away"
        )
    new = Path(f"{path}.new")
    for rest in (new, Path(f"{new}-journal"), Path(f"{new}-wal"), Path(f"{new}-shm")):
        rest.unlink(missing_ok=True)
    db = sqlite3.connect(new, isolation_level=None)
    try:
        db.executescript(_SCHEMA)
        for step in _STEPS:
            db.executescript(step)
        db.execute("PRAGMA journal_mode = WAL")
    finally:
        db.close()
    new.replace(path)
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def _check_header(path: Path) -> None:
    """Raise unless the first bytes are those of a store of this version. Only reads."""
    with path.open("rb") as file:
        header = file.read(100)
    if len(header) < 100 or not header.startswith(_MAGIC):
        raise StoreError(f"{path} is no store: it is another kind of file, or damaged; it was left as it is")
    if int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise StoreError(f"{path} is a database of another program; it was left as it is")
    version = int.from_bytes(header[60:64], "big")
    if not 1 <= version <= SCHEMA_VERSION:
        raise StoreError(
            f"{path} was written by a store of version {version}, this program reads up to version {SCHEMA_VERSION}; "
            "it was left as it is"
        )


def _check_whole(path: Path) -> None:
    """Raise if the file is damaged. Looks at it read-only, so that a damaged one stays as it was found."""
    if path.stat().st_size > _CHECKED_BYTES:
        return
    mode = "mode=ro" if Path(f"{path}-wal").exists() else "immutable=1"
    db = sqlite3.connect(f"{path.resolve().as_uri()}?{mode}", uri=True)
    try:
        (found,) = db.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        found = str(error)
    finally:
        db.close()
    if found != "ok":
        raise StoreError(f"{path} is damaged ({found}); it was left as it is: put back a copy, or move it away")


def _connect(path: Path, durability: Durability) -> sqlite3.Connection:
    """Return the writer's connection: no transaction of its own accord, no waiting for locks."""
    db = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
    (mode,) = db.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise StoreError(f"{path} lies on a file system without shared memory: give a local directory by --data")
    (version,) = db.execute("PRAGMA user_version").fetchone()
    for step in _STEPS[version - 1 :]:
        db.executescript(step)
    db.execute(f"PRAGMA synchronous = {'FULL' if durability == 'disk' else 'NORMAL'}")
    db.execute("PRAGMA wal_autocheckpoint = 0")  # the writer does it between two commits
    db.execute("PRAGMA journal_size_limit = 67108864")
    return db
