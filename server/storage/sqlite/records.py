"""Identities, results and room codes in the file."""

import sqlite3
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from server.storage.keeping import MAX_GAMES, MAX_TOKENS, Identity, Move, TokenNote
from server.storage.seeks import Seeks
from server.storage.sqlite.committer import Committer

_FIND_IDENTITY: Final = "SELECT id, name, identity.made_at FROM token JOIN identity ON id = identity WHERE hash = ?"


class SqliteRecords:
    """``Records`` on the embedded store."""

    def __init__(self, committer: Committer) -> None:
        self._ask = committer.ask

    async def add_identity(self, identity: Identity, token_hash: bytes, label: str = "") -> None:
        """See ``Records.add_identity``."""
        token = TokenNote(token_hash, label, identity.made_at)
        await self._ask(partial(_add_identity, identity=identity, token=token))

    async def find_identity(self, token_hash: bytes) -> Identity | None:
        """See ``Records.find_identity``."""
        return await self._ask(partial(_find_identity, token_hash=token_hash))

    async def identity(self, identity: str) -> Identity | None:
        """See ``Records.identity``."""
        return await self._ask(partial(_identity, identity=identity))

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

    async def add_token(self, identity: str, token: TokenNote) -> bool:
        """See ``Records.add_token``."""
        return await self._ask(partial(_add_token, identity=identity, token=token))

    async def tokens(self, identity: str) -> tuple[TokenNote, ...]:
        """See ``Records.tokens``."""
        select = "SELECT hash, label, made_at FROM token WHERE identity = ? ORDER BY rowid"
        return await self._ask(lambda db: tuple(TokenNote(*row) for row in db.execute(select, (identity,))))

    async def drop_token(self, identity: str, token_hash: bytes) -> bool:
        """See ``Records.drop_token``."""
        delete = "DELETE FROM token WHERE identity = ? AND hash = ?"
        return await self._ask(lambda db: db.execute(delete, (identity, token_hash)).rowcount > 0)

    async def offer_move(self, code_hash: bytes, identity: str, until: int) -> None:
        """See ``Records.offer_move``."""
        insert = "INSERT OR REPLACE INTO move VALUES (?, ?, ?)"
        await self._ask(lambda db: db.execute(insert, (identity, code_hash, until)).rowcount)

    async def find_move(self, code_hash: bytes) -> Move | None:
        """See ``Records.find_move``."""
        return await self._ask(partial(_find_move, code_hash=code_hash))

    async def take_move(self, code_hash: bytes, now: int, token: TokenNote) -> Move | None:
        """See ``Records.take_move``."""
        return await self._ask(partial(_take_move, code_hash=code_hash, now=now, token=token))

    async def note_game(self, identity: str, match: str, note: bytes) -> None:
        """See ``Records.note_game``."""
        await self._ask(partial(_note_game, identity=identity, match=match, note=note))

    async def forget_game(self, identity: str, match: str) -> None:
        """See ``Records.forget_game``."""
        delete = "DELETE FROM open_game WHERE identity = ? AND name = ?"
        await self._ask(lambda db: db.execute(delete, (identity, match)).rowcount)

    async def games_of(self, identity: str) -> tuple[tuple[str, bytes], ...]:
        """See ``Records.games_of``."""
        select = "SELECT name, note FROM open_game WHERE identity = ? ORDER BY no DESC"
        return await self._ask(lambda db: tuple(db.execute(select, (identity,))))

    async def drop_books(self) -> None:
        """See ``Records.drop_books``."""
        await self._ask(_drop_books)

    async def books(self, keys: Sequence[str]) -> dict[str, bytes]:
        """See ``Records.books``."""
        return await self._ask(partial(_books, keys=keys))

    async def books_no(self) -> int:
        """See ``Records.books_no``."""
        return await self._ask(_books_no)

    async def keep_books(self, after: int, no: int, books: Mapping[str, bytes]) -> bool:
        """See ``Records.keep_books``."""
        return await self._ask(partial(_keep_books, after=after, no=no, books=books))

    async def secret(self, name: str, candidate: bytes) -> bytes:
        """See ``Records.secret``."""
        return await self._ask(partial(_secret, name=name, candidate=candidate))


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


def _add_identity(db: sqlite3.Connection, identity: Identity, token: TokenNote) -> None:
    keep = "INSERT INTO identity VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name"
    db.execute(keep, (identity.identity, identity.name, identity.made_at))
    _add_token(db, identity.identity, token)


def _find_identity(db: sqlite3.Connection, token_hash: bytes) -> Identity | None:
    found = db.execute(_FIND_IDENTITY, (token_hash,)).fetchone()
    return None if found is None else Identity(identity=found[0], name=found[1], made_at=found[2])


def _identity(db: sqlite3.Connection, identity: str) -> Identity | None:
    found = db.execute("SELECT id, name, made_at FROM identity WHERE id = ?", (identity,)).fetchone()
    return None if found is None else Identity(*found)


def _add_token(db: sqlite3.Connection, identity: str, token: TokenNote) -> bool:
    if _identity(db, identity) is None:
        return False
    insert = "INSERT OR REPLACE INTO token (hash, identity, label, made_at) VALUES (?, ?, ?, ?)"
    db.execute(insert, (token.hash, identity, token.label, token.made_at))
    oldest = "SELECT rowid FROM token WHERE identity = ? ORDER BY rowid DESC LIMIT -1 OFFSET ?"
    db.execute(f"DELETE FROM token WHERE rowid IN ({oldest})", (identity, MAX_TOKENS))  # noqa: S608 - our own text
    return True


def _find_move(db: sqlite3.Connection, code_hash: bytes) -> Move | None:
    found = db.execute("SELECT identity, until FROM move WHERE code = ?", (code_hash,)).fetchone()
    return None if found is None else Move(*found)


def _take_move(db: sqlite3.Connection, code_hash: bytes, now: int, token: TokenNote) -> Move | None:
    move = _find_move(db, code_hash)
    if move is not None and now < move.until:
        db.execute("UPDATE move SET until = 0 WHERE code = ?", (code_hash,))
        _add_token(db, move.identity, token)
    return move


def _note_game(db: sqlite3.Connection, identity: str, match: str, note: bytes) -> None:
    upsert = "ON CONFLICT (identity, name) DO UPDATE SET note = excluded.note"
    db.execute(f"INSERT INTO open_game (identity, name, note) VALUES (?, ?, ?) {upsert}", (identity, match, note))  # noqa: S608 - our own text
    oldest = "SELECT no FROM open_game WHERE identity = ? ORDER BY no DESC LIMIT -1 OFFSET ?"
    db.execute(f"DELETE FROM open_game WHERE no IN ({oldest})", (identity, MAX_GAMES))  # noqa: S608 - our own text


def _drop_books(db: sqlite3.Connection) -> None:
    db.execute("DELETE FROM book")
    db.execute("UPDATE books SET no = 0")


def _books(db: sqlite3.Connection, keys: Sequence[str]) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for key in keys:
        row = db.execute("SELECT data FROM book WHERE key = ?", (key,)).fetchone()
        if row is not None:
            found[key] = row[0]
    return found


def _books_no(db: sqlite3.Connection) -> int:
    (no,) = db.execute("SELECT no FROM books").fetchone()
    return int(no)


def _keep_books(db: sqlite3.Connection, after: int, no: int, books: Mapping[str, bytes]) -> bool:
    if db.execute("UPDATE books SET no = ? WHERE no = ?", (no, after)).rowcount == 0:
        return False
    db.executemany("INSERT OR REPLACE INTO book VALUES (?, ?)", books.items())
    return True


def _secret(db: sqlite3.Connection, name: str, candidate: bytes) -> bytes:
    db.execute("INSERT INTO secret VALUES (?, ?) ON CONFLICT DO NOTHING", (name, candidate))
    (secret,) = db.execute("SELECT data FROM secret WHERE name = ?", (name,)).fetchone()
    return bytes(secret)


def _claim(db: sqlite3.Connection, code: str, match: str) -> bool:
    db.execute("INSERT INTO code VALUES (?, ?) ON CONFLICT DO NOTHING", (code, match))
    return _find_code(db, code) == match


def _find_code(db: sqlite3.Connection, code: str) -> str | None:
    found = db.execute("SELECT name FROM code WHERE code = ?", (code,)).fetchone()
    return None if found is None else found[0]
