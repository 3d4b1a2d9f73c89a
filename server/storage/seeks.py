"""Open seeks and pairings of a store that one process has to itself: they end with it, as its connections do."""

from collections.abc import Callable

from msgspec.structs import replace

from server.storage.base import PAIRING_MS, LobbyView, Pairing, Seek, Seeker
from server.storage.play_clock import PlayClock


class Seeks:
    """The part of ``Lobby`` that is about seeks. No call awaits anything, so each is one step."""

    def __init__(self, monotonic_ms: Callable[[], int]) -> None:
        self._clock = PlayClock(monotonic_ms)
        self._seeks: dict[str, Seek] = {}  # by identity
        self._pairings: dict[str, Pairing] = {}  # by match

    async def open_seek(self, seek: Seek) -> Seek | Pairing:
        """See ``Lobby.open_seek``."""
        now = self._advance()
        holding = self._holding(seek.who.identity)
        if holding is not None:
            return holding
        opened = replace(seek, since=now) if seek.since is None else seek
        self._seeks[seek.who.identity] = opened
        return opened

    async def close_seek(self, conn: str) -> bool:
        """See ``Lobby.close_seek``."""
        closed = [identity for identity, seek in self._seeks.items() if seek.who.conn == conn]
        for identity in closed:
            del self._seeks[identity]
        return bool(closed)

    async def look(self, boot: str) -> LobbyView:
        """See ``Lobby.look``."""
        now = self._advance()
        seeks = sorted(self._seeks.values(), key=lambda seek: (seek.since or 0, seek.seek))
        prefix = f"{boot}."
        mine = (p for p in self._pairings.values() if any(who.conn.startswith(prefix) for who in p.players))
        return LobbyView(now, tuple(seeks), tuple(mine))

    async def pair(self, match: str, seeks: tuple[str, str]) -> Pairing | None:
        """See ``Lobby.pair``."""
        now = self._advance()
        one, other = map(self._open, seeks)
        if one is None or other is None or one is other or one.terms != other.terms:
            return None
        return self._hold(Pairing(match, one.terms, (one.who, other.who), (one, other), now))

    async def accept(self, match: str, seek: str, who: Seeker) -> Pairing | None:
        """See ``Lobby.accept``."""
        now = self._advance()
        taken = self._open(seek)
        if taken is None or taken.who.identity == who.identity or self._holding(who.identity) is not None:
            return None
        own = self._seeks.get(who.identity)
        return self._hold(Pairing(match, taken.terms, (taken.who, who), (taken, own), now))

    async def settle(self, match: str) -> None:
        """See ``Lobby.settle``."""
        self._pairings.pop(match, None)

    def _open(self, seek: str) -> Seek | None:
        return next((found for found in self._seeks.values() if found.seek == seek), None)

    def _holding(self, identity: str) -> Pairing | None:
        holding = (p for p in self._pairings.values() if any(who.identity == identity for who in p.players))
        return next(holding, None)

    def _hold(self, pairing: Pairing) -> Pairing:
        for who in pairing.players:
            self._seeks.pop(who.identity, None)
        self._pairings[pairing.match] = pairing
        return pairing

    def _advance(self) -> int:
        """Move the lobby's time on, and let go what was held for too long."""
        now = self._clock.advance()
        for match, pairing in list(self._pairings.items()):
            if now - pairing.at >= PAIRING_MS:
                del self._pairings[match]
        return now
