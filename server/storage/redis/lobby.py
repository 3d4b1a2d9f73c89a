"""``Lobby`` on Redis: one slot, each call one operation of ``lua/lobby.lua``."""

from typing import Any, Final

import msgspec

from server.storage.base import LobbyView, Pairing, Seek, Seeker
from server.storage.redis.line import Lines
from shared.terms import DuelTerms

_TAG: Final = "lobby"
_encode: Final = msgspec.msgpack.Encoder(order="deterministic").encode
_decode_terms: Final = msgspec.msgpack.Decoder(DuelTerms).decode
_decode_rating: Final = msgspec.msgpack.Decoder(float | None).decode


class RedisLobby:
    """See ``Lobby``. ``code_ms``: so long a room code leads anywhere after it was last asked for."""

    def __init__(self, lines: Lines, code_ms: int) -> None:
        self._lines = lines
        self._code_ms = code_ms

    async def claim_code(self, code: str, match: str) -> bool:
        """See ``Lobby.claim_code``."""
        return bool(await self._lines.ask("claim_code", _TAG, code, match, self._code_ms))

    async def find_code(self, code: str) -> str | None:
        """See ``Lobby.find_code``."""
        found = await self._lines.ask("find_code", _TAG, code, self._code_ms)
        return None if found is False else str(found.decode())

    async def release_code(self, code: str) -> None:
        """See ``Lobby.release_code``."""
        await self._lines.ask("release_code", _TAG, code)

    async def open_seek(self, seek: Seek) -> Seek | Pairing:
        """See ``Lobby.open_seek``."""
        since = False if seek.since is None else seek.since
        who = seek.who
        args = (seek.seek, who.identity, who.conn, since, _encode(seek.terms), _encode(seek.rating), who.name)
        opened, held = await self._lines.ask("open_seek", _TAG, *args)
        return _pairing(held) if held is not False else msgspec.structs.replace(seek, since=opened)

    async def close_seek(self, conn: str) -> bool:
        """See ``Lobby.close_seek``."""
        return bool(await self._lines.ask("close_seek", _TAG, conn))

    async def look(self, boot: str) -> LobbyView:
        """See ``Lobby.look``."""
        now, seeks, pairings = await self._lines.ask("look", _TAG, boot)
        opened = sorted(map(_seek, seeks), key=lambda seek: (seek.since or 0, seek.seek))
        return LobbyView(now, tuple(opened), tuple(map(_pairing, pairings)))

    async def pair(self, match: str, seeks: tuple[str, str]) -> Pairing | None:
        """See ``Lobby.pair``."""
        made = await self._lines.ask("pair", _TAG, match, *seeks)
        return None if made is False else _pairing(made)

    async def accept(self, match: str, seek: str, who: Seeker) -> Pairing | None:
        """See ``Lobby.accept``."""
        made = await self._lines.ask("accept", _TAG, match, seek, who.identity, who.conn, who.name)
        return None if made is False else _pairing(made)

    async def settle(self, match: str) -> None:
        """See ``Lobby.settle``."""
        await self._lines.ask("settle", _TAG, match)

    def beat(self) -> None:
        """Give a sign of life of this node; its seeks stand as long."""
        self._lines.ask("beat", _TAG)

    def leave(self) -> None:
        """End this node's life, and its seeks."""
        self._lines.ask("leave", _TAG)


def _seek(packed: list[Any]) -> Seek:
    seek, identity, conn, since, terms, rating, name = packed
    who = Seeker(identity.decode(), name.decode(), conn.decode())
    return Seek(seek.decode(), who, _decode_terms(terms), since, _decode_rating(rating))


def _pairing(packed: list[Any]) -> Pairing:
    match, at, terms, one, other, seek, another = packed
    players = (_player(one), _player(other))
    seeks = (_seek(seek) if seek else None, _seek(another) if another else None)
    return Pairing(match.decode(), _decode_terms(terms), players, seeks, at)


def _player(packed: list[bytes]) -> Seeker:
    identity, conn, name = packed
    return Seeker(identity.decode(), name.decode(), conn.decode())
