"""Guests, results and books in memory."""

from collections.abc import Mapping, Sequence

from server.storage.keeping import MAX_GAMES, MAX_TOKENS, Identity, Move, TokenNote


class MemoryRecords:
    """``Records``, as dictionaries."""

    def __init__(self) -> None:
        self._identities: dict[str, Identity] = {}
        self._tokens: dict[str, dict[bytes, TokenNote]] = {}
        self._whose: dict[bytes, str] = {}
        self._moves: dict[bytes, Move] = {}
        self._games: dict[str, dict[str, bytes]] = {}
        self._results: dict[str, bytes] = {}
        self._books: dict[str, bytes] = {}
        self._books_no = 0
        self._secrets: dict[str, bytes] = {}

    async def add_identity(self, identity: Identity, token_hash: bytes, label: str = "") -> None:
        """See ``Records.add_identity``."""
        self._identities[identity.identity] = identity
        await self.add_token(identity.identity, TokenNote(token_hash, label, identity.made_at))

    async def find_identity(self, token_hash: bytes) -> Identity | None:
        """See ``Records.find_identity``."""
        return self._identities.get(self._whose.get(token_hash, ""))

    async def identity(self, identity: str) -> Identity | None:
        """See ``Records.identity``."""
        return self._identities.get(identity)

    async def rename(self, identity: str, name: str) -> None:
        """See ``Records.rename``."""
        old = self._identities.get(identity)
        if old is not None:
            self._identities[identity] = Identity(identity=identity, name=name, made_at=old.made_at)

    async def add_token(self, identity: str, token: TokenNote) -> bool:
        """See ``Records.add_token``."""
        if identity not in self._identities:
            return False
        tokens = self._tokens.setdefault(identity, {})
        tokens[token.hash] = token
        self._whose[token.hash] = identity
        while len(tokens) > MAX_TOKENS:
            del self._whose[tokens.pop(next(iter(tokens))).hash]
        return True

    async def tokens(self, identity: str) -> tuple[TokenNote, ...]:
        """See ``Records.tokens``."""
        return tuple(self._tokens.get(identity, {}).values())

    async def drop_token(self, identity: str, token_hash: bytes) -> bool:
        """See ``Records.drop_token``."""
        if self._whose.get(token_hash) != identity:
            return False
        del self._whose[token_hash], self._tokens[identity][token_hash]
        return True

    async def offer_move(self, code_hash: bytes, identity: str, until: int) -> None:
        """See ``Records.offer_move``."""
        self._moves = {code: move for code, move in self._moves.items() if move.identity != identity}
        self._moves[code_hash] = Move(identity, until)

    async def find_move(self, code_hash: bytes) -> Move | None:
        """See ``Records.find_move``."""
        return self._moves.get(code_hash)

    async def take_move(self, code_hash: bytes, now: int, token: TokenNote) -> Move | None:
        """See ``Records.take_move``."""
        move = self._moves.get(code_hash)
        if move is not None and now < move.until:
            self._moves[code_hash] = Move(move.identity, 0)
            await self.add_token(move.identity, token)
        return move

    async def note_game(self, identity: str, match: str, note: bytes) -> None:
        """See ``Records.note_game``."""
        games = self._games.setdefault(identity, {})
        games[match] = note
        while len(games) > MAX_GAMES:
            del games[next(iter(games))]

    async def forget_game(self, identity: str, match: str) -> None:
        """See ``Records.forget_game``."""
        self._games.get(identity, {}).pop(match, None)

    async def games_of(self, identity: str) -> tuple[tuple[str, bytes], ...]:
        """See ``Records.games_of``."""
        return tuple(reversed(self._games.get(identity, {}).items()))

    async def add_result(self, match: str, result: bytes) -> bool:
        """See ``Records.add_result``."""
        if match in self._results:
            return False
        self._results[match] = result
        return True

    async def results(self, after: int, limit: int = 1000) -> tuple[tuple[int, str, bytes], ...]:
        """See ``Records.results``."""
        rows = ((number, match, data) for number, (match, data) in enumerate(self._results.items(), 1))
        return tuple(row for row in rows if after < row[0] <= after + limit)

    async def drop_books(self) -> None:
        """See ``Records.drop_books``."""
        self._books.clear()
        self._books_no = 0

    async def books(self, keys: Sequence[str]) -> dict[str, bytes]:
        """See ``Records.books``."""
        return {key: self._books[key] for key in keys if key in self._books}

    async def books_no(self) -> int:
        """See ``Records.books_no``."""
        return self._books_no

    async def keep_books(self, after: int, no: int, books: Mapping[str, bytes]) -> bool:
        """See ``Records.keep_books``."""
        if after != self._books_no:
            return False
        self._books.update(books)
        self._books_no = no
        return True

    async def secret(self, name: str, candidate: bytes) -> bytes:
        """See ``Records.secret``."""
        return self._secrets.setdefault(name, candidate)
