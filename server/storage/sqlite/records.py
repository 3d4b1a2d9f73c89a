"""Identities, results and room codes in the file."""

import sqlite3
from functools import partial
from typing import Final

from server.storage.base import Identity
from server.storage.seeks import Seeks
from server.storage.sqlite.committer import Committer

_FIND_IDENTITY: Final = "SELECT id, name, made_at FROM token JOIN identity ON id = identity WHERE hash = ?"


class SqliteRecords:
    """``Records`` on the embedded store."""

    def __init__(self, committer: Committer) -> None:
        self._ask = committer.ask

    async def add_identity(self, identity: Identity, token_hash: bytes) -> None:
        """See ``Records.add_identity``."""
        await self._ask(partial(_add_identity, identity=identity, token_hash=token_hash))

    async def find_identity(self, token_hash: bytes) -> Identity | None:
        """See ``Records.find_identity``."""
        return await self._ask(partial(_find_identity, token_hash=token_hash))

    async def rename(self, identity: str, name: str) -> None:
        """See ``Records.rename``."""
        await self._ask(lambda db: db.execute("UPDATE identity SET name = ? WHERE id = ?", (name, identity)).rowcount)

    async def add_result(self, match: str, result: bytes) -> bool:
        """See ``Records.add_result``."""
        insert = "INSERT INTO result (name, data) VALUES (?, ?) ON CONFLICT DO NOTHING"
        return await self._ask(lambda db: db.execute(insert, (match, result)).rowcount > 0)

    async def results(self, after: int, limit: int = 1000) -> tuple[tuple[int, str, bytes], ...]:
        """See ``Records.results``."""
        select = "SELECT no, name, data FROM result WHERE no > ? ORDER BY no LIMIT ?"
        return await self._ask(lambda db: tuple(db.execute(select, (after, limit))))


class SqliteLobby(Seeks):
    """``Lobby`` on the embedded store: room codes in the file, seeks in the process, which has the file to itself."""

    def __init__(self, committer: Committer) -> None:
        super().__init__(committer.monotonic_ms)
        self._ask = committer.ask

    async def claim_code(self, code: str, match: str) -> bool:
        """See ``Lobby.claim_code``."""
        return await self._ask(partial(_claim, code=code, match=match))

    async def find_code(self, code: str) -> str | None:
        """See ``Lobby.find_code``."""
        return await self._ask(partial(_find_code, code=code))

    async def release_code(self, code: str) -> None:
        """See ``Lobby.release_code``."""
        await self._ask(lambda db: db.execute("DELETE FROM code WHERE code = ?", (code,)).rowcount)


def _add_identity(db: sqlite3.Connection, identity: Identity, token_hash: bytes) -> None:
    keep = "INSERT INTO identity VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name"
    db.execute(keep, (identity.identity, identity.name, identity.made_at))
    db.execute("INSERT OR REPLACE INTO token VALUES (?, ?)", (token_hash, identity.identity))


def _find_identity(db: sqlite3.Connection, token_hash: bytes) -> Identity | None:
    found = db.execute(_FIND_IDENTITY, (token_hash,)).fetchone()
    return None if found is None else Identity(identity=found[0], name=found[1], made_at=found[2])


def _claim(db: sqlite3.Connection, code: str, match: str) -> bool:
    db.execute("INSERT INTO code VALUES (?, ?) ON CONFLICT DO NOTHING", (code, match))
    return _find_code(db, code) == match


def _find_code(db: sqlite3.Connection, code: str) -> str | None:
    found = db.execute("SELECT name FROM code WHERE code = ?", (code,)).fetchone()
    return None if found is None else found[0]
