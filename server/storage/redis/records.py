"""``Records`` on Redis: each call is one operation of ``lua/records.lua``, or a few whose order leaves nothing half
done that anybody sees: what leads to an identity lies in a lane of its own, and counts only if the identity says so.
"""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import msgpack

from server.storage.keeping import MAX_GAMES, MAX_TOKENS, Identity, Move, TokenNote
from server.storage.redis.line import Lines
from server.storage.redis.log import lane_of

_TAG: Final = "records"
_unpack: Final = partial(msgpack.unpackb, raw=True)
#: A code that moves an identity is forgotten after so long, s, though its own time be longer.
_MOVE_SECONDS: Final = 2 * 24 * 3600


class RedisRecords:
    """See ``Records``."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines

    async def add_identity(self, identity: Identity, token_hash: bytes, label: str = "") -> None:
        """See ``Records.add_identity``."""
        tag = lane_of(identity.identity)
        await self._lines.ask("keep_identity", tag, identity.identity, identity.name, identity.made_at)
        await self.add_token(identity.identity, TokenNote(token_hash, label, identity.made_at))

    async def find_identity(self, token_hash: bytes) -> Identity | None:
        """See ``Records.find_identity``."""
        found = await self._led("token", token_hash)
        return None if found is None else await self._identity(found, token_hash)

    async def identity(self, identity: str) -> Identity | None:
        """See ``Records.identity``."""
        return await self._identity(identity, None)

    async def _identity(self, identity: str, token_hash: bytes | None) -> Identity | None:
        found = await self._lines.ask("identity", lane_of(identity), identity, token_hash or False)
        return None if found is False else Identity(identity, found[0].decode(), found[1])

    async def rename(self, identity: str, name: str) -> None:
        """See ``Records.rename``."""
        await self._lines.ask("rename", lane_of(identity), identity, name)

    async def add_token(self, identity: str, token: TokenNote) -> bool:
        """See ``Records.add_token``."""
        tag = lane_of(identity)
        args = (identity, token.hash, token.label, token.made_at, MAX_TOKENS)
        dropped = await self._lines.ask("add_token", tag, *args)
        if dropped is False:
            return False
        await self._lead("token", token.hash, identity)
        await asyncio.gather(*(self._lead_nowhere("token", old) for old in dropped))
        return True

    async def tokens(self, identity: str) -> tuple[TokenNote, ...]:
        """See ``Records.tokens``."""
        found = await self._lines.ask("tokens", lane_of(identity), identity)
        return tuple(TokenNote(token_hash, label.decode(), made_at) for token_hash, label, made_at in found)

    async def drop_token(self, identity: str, token_hash: bytes) -> bool:
        """See ``Records.drop_token``."""
        dropped = bool(await self._lines.ask("drop_token", lane_of(identity), identity, token_hash))
        if dropped:
            await self._lead_nowhere("token", token_hash)
        return dropped

    async def offer_move(self, code_hash: bytes, identity: str, until: int) -> None:
        """See ``Records.offer_move``."""
        await self._lead("move", code_hash, identity, _MOVE_SECONDS)
        await self._lines.ask("offer_move", lane_of(identity), identity, code_hash, until)

    async def find_move(self, code_hash: bytes) -> Move | None:
        """See ``Records.find_move``."""
        identity = await self._led("move", code_hash)
        if identity is None:
            return None
        until = await self._lines.ask("find_move", lane_of(identity), identity, code_hash)
        return None if until is False else Move(identity, until)

    async def take_move(self, code_hash: bytes, now: int, token: TokenNote) -> Move | None:
        """See ``Records.take_move``. The token leads to the identity before the code is used up: whoever is cut off in
        between has burnt nothing.
        """
        move = await self.find_move(code_hash)
        if move is None or now >= move.until:
            return move
        await self._lead("token", token.hash, move.identity)
        args = (move.identity, code_hash, now, token.hash, token.label, token.made_at, MAX_TOKENS)
        until, dropped = await self._lines.ask("take_move", lane_of(move.identity), *args)
        await asyncio.gather(*(self._lead_nowhere("token", old) for old in dropped))
        return None if until is False else Move(move.identity, until)

    async def note_game(self, identity: str, match: str, note: bytes) -> None:
        """See ``Records.note_game``."""
        await self._lines.ask("note_game", lane_of(identity), identity, match, note, MAX_GAMES)

    async def forget_game(self, identity: str, match: str) -> None:
        """See ``Records.forget_game``."""
        await self._lines.ask("forget_game", lane_of(identity), identity, match)

    async def games_of(self, identity: str) -> tuple[tuple[str, bytes], ...]:
        """See ``Records.games_of``."""
        found = await self._lines.ask("games_of", lane_of(identity), identity)
        return tuple((match.decode(), note) for match, note in found)

    async def add_result(self, match: str, result: bytes) -> bool:
        """See ``Records.add_result``."""
        return bool(await self._lines.ask("add_result", _TAG, match, result))

    async def results(self, after: int, limit: int = 1000) -> tuple[tuple[int, str, bytes], ...]:
        """See ``Records.results``."""
        found = await self._lines.ask("results", _TAG, after, limit)
        return tuple((no, match.decode(), data) for no, (match, data) in enumerate(map(_unpack, found), after + 1))

    async def drop_books(self) -> None:
        """See ``Records.drop_books``."""
        await self._lines.ask("drop_books", _TAG)

    async def books(self, keys: Sequence[str]) -> dict[str, bytes]:
        """See ``Records.books``."""
        found = await self._lines.ask("books", _TAG, keys)
        return {key: book for key, book in zip(keys, found, strict=True) if book is not False}

    async def books_no(self) -> int:
        """See ``Records.books_no``."""
        return int(await self._lines.ask("books_no", _TAG))

    async def keep_books(self, after: int, no: int, books: Mapping[str, bytes]) -> bool:
        """See ``Records.keep_books``."""
        return bool(await self._lines.ask("keep_books", _TAG, after, no, list(books), list(books.values())))

    async def secret(self, name: str, candidate: bytes) -> bytes:
        """See ``Records.secret``."""
        return bytes(await self._lines.ask("secret", _TAG, name, candidate))

    async def _lead(self, kind: str, what: bytes, identity: str, seconds: int | None = None) -> None:
        await self._lines.ask("lead", lane_of(what.hex()), f"{kind}:{what.hex()}", identity, seconds or False)

    async def _lead_nowhere(self, kind: str, what: bytes) -> None:
        await self._lines.ask("lead_nowhere", lane_of(what.hex()), f"{kind}:{what.hex()}")

    async def _led(self, kind: str, what: bytes) -> str | None:
        found = await self._lines.ask("led", lane_of(what.hex()), f"{kind}:{what.hex()}")
        return None if found is False else str(found.decode())
