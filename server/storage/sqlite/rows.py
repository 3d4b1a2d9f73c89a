"""The SQL of the logs. Every function runs within a transaction, on the writer's thread (or before it starts)."""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct, msgpack

from server.storage.base import IDLE_MS, Stored

#: A chunk has at most so many entries, a slice of a read ends with the chunk that passes so many.
_CHUNK: Final = 256
_SLICE: Final = 2048

#: Consecutive entries of one match, as they lie in `chunk`: (at, entry).
Part = Sequence[tuple[int, bytes]]
#: A row for `chunk`: match id, first number, last number, packed part.
Chunk = tuple[int, int, int, bytes]

#: Whether a match is archived.
_ENDED: Final = "EXISTS (SELECT 1 FROM archive WHERE archive.name = match.name)"

_encode: Final = msgpack.Encoder().encode
_decode_part: Final = msgpack.Decoder(list[tuple[int, bytes]]).decode


class Commit(Struct, array_like=True, gc=False):
    """A row of `journal`. ``groups``: (match id, first number, entries)."""

    at: int
    groups: Sequence[tuple[int, int, Sequence[bytes]]]


_decode_commit: Final = msgpack.Decoder(Commit).decode


class Head(Struct, frozen=True):
    """A match in the file: its id there and how many entries its chunks hold."""

    row: int
    head: int


def pack_commit(at: int, groups: Sequence[tuple[int, int, Sequence[bytes]]]) -> bytes:
    """Return the journal's row of one group commit."""
    return _encode(Commit(at=at, groups=groups))


def pack_chunks(row: int, entries: Sequence[Stored]) -> list[Chunk]:
    """Return the chunks of consecutive ``entries`` of match ``row``."""
    parts = [entries[start : start + _CHUNK] for start in range(0, len(entries), _CHUNK)]
    return [(row, part[0].no, part[-1].no, _encode([(entry.at, entry.data) for entry in part])) for part in parts]


def find_head(db: sqlite3.Connection, name: str) -> Head | None:
    """Return the match called ``name``."""
    found = db.execute(
        "SELECT id, (SELECT max(last) FROM chunk WHERE match = id "
        "AND first = (SELECT max(first) FROM chunk WHERE match = id)) FROM match WHERE name = ?",
        (name,),
    ).fetchone()
    return None if found is None else Head(row=found[0], head=found[1] or 0)


def read_chunks(db: sqlite3.Connection, row: int, after: int) -> list[Stored]:
    """Return entries of match ``row`` that follow ``after``, as many as one slice has: none if no chunk has more."""
    chunks = db.execute(
        "SELECT first, data FROM chunk WHERE match = ?1 AND last > ?2 AND first >= "
        "coalesce((SELECT max(first) FROM chunk WHERE match = ?1 AND first <= ?2 + 1), 0) ORDER BY first",
        (row, after),
    )
    found: list[Stored] = []
    for first, packed in chunks:
        part = enumerate(_decode_part(packed), first)
        found += [Stored(no, at, data) for no, (at, data) in part if no > after]
        if len(found) >= _SLICE:
            break
    return found


def create_match(db: sqlite3.Connection, name: str, play_ms: int, first: bytes) -> int | None:
    """Make a match with its first entry; return its id, ``None`` if there is, or was, one of that name."""
    there = db.execute(
        "SELECT 1 FROM match WHERE name = ?1 UNION ALL SELECT 1 FROM archive WHERE name = ?1 "
        "UNION ALL SELECT 1 FROM result WHERE name = ?1",
        (name,),
    ).fetchone()
    if there is not None:
        return None
    row = db.execute("INSERT INTO match (name, ends_at) VALUES (?, ?)", (name, play_ms + IDLE_MS)).lastrowid
    if row is None:
        raise sqlite3.InterfaceError("an insert gave no row id")
    insert_chunks(db, pack_chunks(row, [Stored(1, play_ms, first)]))
    keep_play(db, play_ms)
    return row


def insert_chunks(db: sqlite3.Connection, chunks: Sequence[Chunk]) -> None:
    """Insert ``chunks`` in one statement: each statement gives the interpreter's lock away once, and a busy loop lets
    the writer wait for it.
    """
    if chunks:
        places = ", ".join(["(?, ?, ?, ?)"] * len(chunks))
        values = [value for chunk in chunks for value in chunk]
        db.execute(f"INSERT INTO chunk (match, first, last, data) VALUES {places} ON CONFLICT DO NOTHING", values)  # noqa: S608 - places are question marks


def fold_journal(db: sqlite3.Connection, chunks: Sequence[Chunk], up_to: int, play_ms: int) -> None:
    """Put the journal's rows up to ``up_to`` into ``chunks``."""
    insert_chunks(db, chunks)
    db.execute("DELETE FROM journal WHERE id <= ?", (up_to,))
    keep_play(db, play_ms)


def recover(db: sqlite3.Connection) -> tuple[int, int]:
    """Fold what the journal holds, at the start; return the play time where the store left off and the journal's next
    id.
    """
    db.execute("BEGIN")
    (play_ms,) = db.execute("SELECT play_ms FROM state").fetchone()
    rows = db.execute("SELECT id, data FROM journal ORDER BY id").fetchall()
    logs: dict[int, list[Stored]] = {}
    for _, packed in rows:
        commit = _decode_commit(packed)
        play_ms = max(play_ms, commit.at)
        for match, first, entries in commit.groups:
            log = logs.setdefault(match, [])
            log.extend(Stored(no, commit.at, data) for no, data in enumerate(entries, first))
    there = {row for (row,) in db.execute("SELECT id FROM match")} if logs else set()
    for match, log in logs.items():
        if match in there:
            insert_chunks(db, pack_chunks(match, log))
    last = rows[-1][0] if rows else 0
    fold_journal(db, (), last, play_ms)
    db.execute("COMMIT")
    return play_ms, last + 1


def keep_play(db: sqlite3.Connection, play_ms: int) -> None:
    """Remember the play time for the next start."""
    db.execute("UPDATE state SET play_ms = max(play_ms, ?)", (play_ms,))


def set_live(db: sqlite3.Connection, name: str, live: int) -> bool:
    """Mark a match that has not ended; return whether it is there."""
    return db.execute(f"UPDATE match SET live = ? WHERE name = ? AND NOT {_ENDED}", (live, name)).rowcount > 0  # noqa: S608


def live_names(db: sqlite3.Connection) -> list[str]:
    """Return the matches that need a host."""
    return [name for (name,) in db.execute("SELECT name FROM match WHERE live = 1 ORDER BY id")]


def keep_matches(db: sqlite3.Connection, names: Iterable[str], ends_at: int) -> None:
    """Let the logs of ``names`` that have not ended go at play time ``ends_at``."""
    for name in names:
        db.execute(f"UPDATE match SET ends_at = ? WHERE name = ? AND NOT {_ENDED}", (ends_at, name))  # noqa: S608


def finish_match(db: sqlite3.Connection, name: str, archive: bytes, play_ms: int, keep_ms: int) -> bool:
    """Archive ``name`` and let its log end in time; ``False`` if that was done before."""
    insert = "INSERT INTO archive (name, data, made_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
    if not db.execute(insert, (name, archive, play_ms)).rowcount:
        return False
    ends_at = play_ms + keep_ms
    db.execute("UPDATE match SET live = 0, ends_at = ? WHERE name = ?", (ends_at, name))
    return True


def read_archive(db: sqlite3.Connection, name: str) -> bytes | None:
    """Return the archive of ``name``."""
    found = db.execute("SELECT data FROM archive WHERE name = ?", (name,)).fetchone()
    return None if found is None else found[0]


def read_archive_names(db: sqlite3.Connection, after: str, limit: int) -> tuple[str, ...]:
    """Return the names of archives that follow ``after``."""
    found = db.execute("SELECT name FROM archive WHERE name > ? ORDER BY name LIMIT ?", (after, limit))
    return tuple(name for (name,) in found)


def beat(db: sqlite3.Connection, play_ms: int, archives_before: int | None) -> list[tuple[str, bool]]:
    """Remember the play time; return some of the matches whose time is over, and whether each is archived. Archives
    made before ``archives_before`` go.
    """
    keep_play(db, play_ms)
    if archives_before is not None:
        old = "SELECT name FROM archive WHERE made_at <= ? LIMIT 50"
        db.execute(f"DELETE FROM archive WHERE name IN ({old})", (archives_before,))  # noqa: S608
    over = f"SELECT name, {_ENDED} FROM match WHERE ends_at <= ? LIMIT 50"  # noqa: S608
    return [(name, bool(ended)) for name, ended in db.execute(over, (play_ms,))]


def delete_matches(db: sqlite3.Connection, names: Iterable[str]) -> None:
    """Let the logs of ``names`` go, and the room codes that lead there."""
    for name in names:
        db.execute("DELETE FROM code WHERE name = ?", (name,))
        db.execute("DELETE FROM chunk WHERE match = (SELECT id FROM match WHERE name = ?)", (name,))
        db.execute("DELETE FROM match WHERE name = ?", (name,))
