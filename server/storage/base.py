"""What the server asks of a store: three protocols, met alike by every implementation (tests/contract holds them to
it).

The log of a match is a totally ordered, durable list of entries; numbers start at 1 and have no gaps. An entry is
opaque bytes here: the store adds its number and ``at``, the play time (ms) at which it took the entry. Play time moves
with the store's own calls and beats, by the time since the last one, but by 0 where that is negative or above
``MAX_STEP_MS``: an outage or a step of a clock charges nobody more.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal, Protocol

from msgspec import Struct

from server.storage.keeping import Identity as Identity  # noqa: PLC0414 - part of this contract, in a file of its own
from server.storage.keeping import Records as Records  # noqa: PLC0414
from server.storage.keeping import TokenNote as TokenNote  # noqa: PLC0414
from shared.terms import DuelTerms

#: Most play time that passes between two signs of life of a store, ms.
MAX_STEP_MS: Final = 3000
#: Bounds of one append call and of one match.
MAX_BATCH: Final = 500
MAX_ENTRY_BYTES: Final = 4096
MAX_ENTRIES: Final = 20_000
#: How long a call waits to be handed over before it is dropped and answered ``unavailable``, ms.
MAX_WAIT_MS: Final = 2000
#: How long the log of a finished match stays readable, ms of play time (a rematch is agreed in it).
KEEP_MS: Final = 15 * 60 * 1000
#: How long a log stays whose match has not ended, ms of play time, unless ``keep`` says otherwise.
IDLE_MS: Final = 30 * 24 * 3600 * 1000
#: A node that gave no sign of life for so long is dead, ms of play time.
DEAD_MS: Final = 5000
#: Most matches that one beat adopts.
MAX_ADOPT: Final = 20
#: How long a pairing holds its two players by itself, ms of the lobby's time: after that whoever made it is gone.
PAIRING_MS: Final = 30_000

Durability = Literal["process", "disk", "replica"]


class Stored(Struct, frozen=True, gc=False):
    """An entry as it lies in the log. Its data is not shown: it may hold the seed of a deal."""

    no: int
    at: int
    data: bytes

    def __repr__(self) -> str:
        return f"Stored(no={self.no}, at={self.at}, data=<{len(self.data)} bytes>)"


class Appended(Struct, frozen=True, gc=False):
    """Answer to an append that was taken, or to a read.

    ``entries``: every entry after the ``have`` of the call, the caller's own included. ``own``: how many of the last
    ones are the caller's.
    """

    play_ms: int
    entries: tuple[Stored, ...]
    own: int = 0


class NotAppended(Struct, frozen=True, gc=False):
    """Nothing was appended, for certain.

    ``gone``: no such match; ``exists``: create of a match that is there; ``stale``: the head is not ``if_head``;
    ``full``: the match has ``MAX_ENTRIES``; ``too_large``: an entry above ``MAX_ENTRY_BYTES``; ``unavailable``: never
    handed to the store in time.
    """

    why: Literal["gone", "exists", "stale", "full", "too_large", "unavailable"]


AppendResult = Appended | NotAppended


class Beat(Struct, frozen=True):
    """Answer to a beat. ``alive``: this boot id is still joined; ``adopt``: live matches without a live host, now this
    node's, at most ``MAX_ADOPT``. ``boots``: the boot ids of all nodes that live; ``None``: there can be no other.
    ``knows``: the highest version of the rules that all of them know; ``None``: as ``boots``.
    """

    play_ms: int
    alive: bool = True
    adopt: tuple[str, ...] = ()
    boots: tuple[str, ...] | None = None
    knows: int | None = None


class StoreError(Exception):
    """The store cannot be used; the text tells why and what to do (for the person who starts the server)."""


class StoreAway(StoreError):
    """The store took nothing in time: what was asked did not happen, for certain, and may be asked again."""


class MatchLog(Protocol):
    """The logs of all matches. All calls are made on the event loop; ``done`` is called back on it, in the order of the
    calls of a match.
    """

    @property
    def durability(self) -> Durability:
        """What is survived by what was acknowledged."""
        ...

    def append(
        self,
        match: str,
        have: int,
        entries: Sequence[bytes],
        done: Callable[[AppendResult], None],
        *,
        if_head: int | None = None,
    ) -> None:
        """Append ``entries`` to ``match``; once they are durable call ``done`` with all entries after ``have``.

        The call itself never waits: a batch goes to the store per tick. What was handed to the store is retried until
        its fate is known.
        """
        ...

    async def create(self, match: str, first: bytes) -> AppendResult:
        """Make ``match`` with its first entry, only if it is absent."""
        ...

    async def read(self, match: str, after: int) -> AppendResult:
        """Return the entries after ``after``, none if that is beyond the head (``gone`` if there is no such match)."""
        ...

    async def register(self, match: str) -> AppendResult:
        """Make this node a host of ``match`` and read it from entry 1, in one step: no hint falls in between.

        A match that has not ended, is not live and has no host may be let go by the store after a long time (a setting
        of the store); this renews it.
        """
        ...

    def unregister(self, match: str) -> None:
        """Be no host of ``match`` any more."""
        ...

    def keep(self, match: str, ms: int) -> None:
        """Let the log of ``match``, which has not ended, go ``ms`` of play time from now: then its id and its room code
        lead nowhere. While a node hosts it, or it is live, it stays. Without this: ``IDLE_MS`` after its creation.
        """
        ...

    def listen(self, hinted: Callable[[str], None], missed: Callable[[Iterable[str]], None]) -> None:
        """Say whom to tell what other nodes do; once, before ``join``. A store without other nodes never calls.

        ``hinted(match)``: another node appended to a match that this node hosts. It may come twice, late, or for
        nothing. ``missed(matches)``: of these hosted matches hints may be lost, or what they hold may be less than it
        was: the store was away, another one took over.
        """
        ...

    async def join(self, boot: str, knows: int = 1) -> None:
        """Start this node's life under ``boot``; before any other call. Again, under another name, once a beat said
        that it is not alive: what the old life hosted is no longer hosted. ``knows``: the highest version of the rules
        that this node knows.
        """
        ...

    async def beat(self) -> Beat:
        """Give a sign of life; move the play time; take over matches whose hosts are dead."""
        ...

    async def set_live(self, match: str, *, live: bool) -> None:
        """Enter ``match`` among those that need a host while a deadline runs, or take it out."""
        ...

    async def finish(self, match: str, archive: bytes, keep_ms: int | None = None) -> bool:
        """Archive a match that ended and let its log go ``keep_ms`` of play time later (``None``: ``KEEP_MS``);
        ``False`` if it was done before (the first archive stays). Idempotent. Its id is never free again.
        """
        ...

    async def archived(self, match: str) -> bytes | None:
        """Return the archived replay of ``match``."""
        ...

    async def archives(self, cursor: str = "", limit: int = 100) -> tuple[tuple[str, ...], str]:
        """Return some matches that have an archive, about ``limit``, and the cursor for more (``""``: these were the
        last). Whoever goes on to the end from ``""`` meets each that was there all the time at least once.
        """
        ...

    async def close(self) -> None:
        """Write what was taken and let the store go."""
        ...


class Seeker(Struct, frozen=True):
    """Who seeks an opponent, and the connection that he seeks by."""

    identity: str
    name: str
    conn: str


class Seek(Struct, frozen=True):
    """An open seek.

    ``seek``: its id. ``since``: since when he waits, ms of the lobby's time; ``None`` = from its opening. ``rating``:
    ``None`` = he has none.
    """

    seek: str
    who: Seeker
    terms: DuelTerms
    since: int | None = None
    rating: float | None = None


class Pairing(Struct, frozen=True):
    """Two players and the match that they are called to.

    ``players``: by seat. ``seeks``: what each of them had open, to be opened again if the match does not take place.
    ``at``: the lobby's time, ms.
    """

    match: str
    terms: DuelTerms
    players: tuple[Seeker, Seeker]
    seeks: tuple[Seek | None, Seek | None]
    at: int


class LobbyView(Struct, frozen=True):
    """What is open. ``now``: the lobby's time, ms, counted as play time is. ``seeks``: who came first is first."""

    now: int
    seeks: tuple[Seek, ...]
    pairings: tuple[Pairing, ...]


class Lobby(Protocol):
    """Room codes, open seeks, pairings. Each call raises ``StoreAway`` if it was never handed to the store.

    An identity has one open seek at most, and none while a pairing holds it. A seek ends with the node of its
    connection; an embedded store keeps seeks and pairings in its process only.
    """

    async def claim_code(self, code: str, match: str) -> bool:
        """Let ``code`` lead to ``match``; ``False`` if it leads elsewhere already."""
        ...

    async def find_code(self, code: str) -> str | None:
        """Return the match that ``code`` leads to."""
        ...

    async def release_code(self, code: str) -> None:
        """Let ``code`` be free again."""
        ...

    async def open_seek(self, seek: Seek) -> Seek | Pairing:
        """Open ``seek`` in place of any other of its identity, and return it with its ``since``; or return the pairing
        that holds the identity.
        """
        ...

    async def close_seek(self, conn: str) -> bool:
        """Take back what is sought by ``conn``; ``False`` if nothing was."""
        ...

    async def look(self, boot: str) -> LobbyView:
        """Return all open seeks, and the pairings with a connection of node ``boot``."""
        ...

    async def pair(self, match: str, seeks: tuple[str, str]) -> Pairing | None:
        """Take both seeks, the first for seat 0, and hold their identities for ``match``, in one step.

        ``None``: nothing was done, as one of them is not open any more, both are the same, or their terms differ.
        """
        ...

    async def accept(self, match: str, seek: str, who: Seeker) -> Pairing | None:
        """Take ``seek`` for seat 0 and ``who`` for seat 1, with what he seeks himself, in one step.

        ``None``: nothing was done, as the seek is not open any more, is his own, or a pairing holds him.
        """
        ...

    async def settle(self, match: str) -> None:
        """Let the pairing for ``match`` hold its players no more."""
        ...


class Store(Protocol):
    """The three together, as the composition root hands them out."""

    @property
    def log(self) -> MatchLog:
        """The logs of all matches."""
        ...

    @property
    def lobby(self) -> Lobby:
        """Room codes, seeks and pairings."""
        ...

    @property
    def records(self) -> Records:
        """Identities and results."""
        ...

    @property
    def loses(self) -> str:
        """What a crash takes, in words for the person who starts the server."""
        ...

    async def close(self) -> None:
        """Close all three."""
        ...
