"""The entries of a match's log: the wishes of its seats and the facts around them.

An entry is opaque bytes to a store, and never travels to a client: it may hold the seed of a deal. What is secret is
masked where an entry is shown (``repr``). Entries are packed as MessagePack arrays, shortest first; a later version may
add fields at the end.
"""

import hashlib
from typing import Final

import msgspec
from msgspec import Struct

from shared.bots import LevelName
from shared.protocol import Wish
from shared.terms import Terms


class _Entry(Struct, frozen=True, array_like=True, gc=False):
    pass


class Wished(_Entry, frozen=True, tag="w"):
    """A seat's wish.

    ``g``: number of the seat's newest ``Here`` or ``Sit`` when the node took it. ``n``: the seat's own counter.
    ``seen``: number of the last update its client had shown. ``have``, ``digest``: how far the node had folded, and to
    what.
    """

    seat: int
    g: int
    n: int
    seen: int
    wish: Wish
    have: int
    digest: bytes


class Computer(Struct, frozen=True, array_like=True, gc=False):
    """A computer player: how strong it is, and the secret that all its chance follows from, its nonces too."""

    level: LevelName
    seed: bytes

    def __repr__(self) -> str:
        return f"Computer(level={self.level!r}, seed=<secret>)"

    def nonce(self, game: int) -> str:
        """Return its 16 bytes for the deal of ``game``, hex."""
        return hashlib.sha256(b"nonce" + self.seed + game.to_bytes(4)).hexdigest()[:32]

    def chance(self, game: int) -> int:
        """Return the seed of its play in ``game``."""
        return int.from_bytes(hashlib.sha256(b"play" + self.seed + game.to_bytes(4)).digest()[:8])

    def again(self) -> "Computer":
        """Return it as it plays the rematch: every node derives the same."""
        return Computer(self.level, hashlib.sha256(b"rematch" + self.seed).digest())


class Created(_Entry, frozen=True, tag="c"):
    """The first entry. ``players``: identity and name of those who sit from the start. ``code``: the room code.

    ``deal``: the deal code of a solo game. ``first``: the seat that begins (a rematch alternates), ``None`` = as the
    terms say. ``rules``: version of the rules. ``notice``: what the player must know of the deal. ``computer``: plays
    seat 1. ``ready_ms``: of two whom the lobby paired, the time in which both must be ready, else the match does not
    take place. ``daily``: the secret seed of a daily challenge.
    """

    terms: Terms
    players: tuple[tuple[str, str], ...]
    wall_ms: int
    rules: int
    code: str | None = None
    deal: str | None = None
    first: int | None = None
    notice: str | None = None
    computer: Computer | None = None
    ready_ms: int | None = None
    daily: bytes | None = None

    def __repr__(self) -> str:
        return f"Created({self.terms!r}, players={self.players!r}, wall_ms={self.wall_ms}, rules={self.rules})"


class Sit(_Entry, frozen=True, tag="s"):
    """Somebody wants a free seat, from connection ``conn``."""

    identity: str
    name: str
    conn: str


class Here(_Entry, frozen=True, tag="h"):
    """Connection ``conn`` plays ``seat`` from now on.

    ``wall_ms``: the wall time then, ms since the epoch; ``offset``: minutes by which the player's local time is ahead
    of UTC, as his client says. From both, and the play time since, follows the local date of a win.
    """

    seat: int
    conn: str
    name: str
    wall_ms: int | None = None
    offset: int | None = None


class Gone(_Entry, frozen=True, tag="g"):
    """Connection ``conn`` ended. ``left``: its player said so; it was not lost."""

    conn: str
    left: bool = False


class GoneNode(_Entry, frozen=True, tag="n"):
    """All connections of node ``boot`` ended."""

    boot: str


class TurnedDown(_Entry, frozen=True, tag="d"):
    """``seat``, whom the lobby called to this match, does not want it."""

    seat: int


class Tick(_Entry, frozen=True, tag="t"):
    """A node saw a deadline pass."""


class Committed(_Entry, frozen=True, tag="k"):
    """The secret seed of game ``game``; the first of a game counts."""

    game: int
    seed: bytes

    def __repr__(self) -> str:
        return f"Committed(game={self.game}, seed=<secret>)"


class ProvedStuck(_Entry, frozen=True, tag="p"):
    """A finished search showed ``seat`` stuck in the position after entry ``k``."""

    seat: int
    k: int


class ProvedLost(_Entry, frozen=True, tag="l"):
    """A finished search of ``states`` states in ``ms`` ms showed that the solo game after entry ``k`` cannot be won.

    ``command`` is a line for ``double-solitaire solve`` that has it proven again.
    """

    k: int
    states: int
    ms: int
    command: str


class Hinted(_Entry, frozen=True, tag="i"):
    """``seat`` was given a hint, which counts."""

    seat: int


class GivenUp(_Entry, frozen=True, tag="a"):
    """``seat`` gave its solo game up, as another takes its place (rules from version 2 on)."""

    seat: int


class Forked(_Entry, frozen=True, tag="f"):
    """The store lost entries that had been shown."""


class Voided(_Entry, frozen=True, tag="v"):
    """The fold of entry ``k`` fails: the match is void, and nothing from ``k`` on counts."""

    k: int


Entry = (
    Wished
    | Created
    | Sit
    | Here
    | Gone
    | GoneNode
    | TurnedDown
    | Tick
    | Committed
    | ProvedStuck
    | ProvedLost
    | Hinted
    | GivenUp
    | Forked
    | Voided
)

pack: Final = msgspec.msgpack.Encoder().encode
_decoder: Final = msgspec.msgpack.Decoder(Entry)


def unpack(data: bytes) -> Entry:
    """Return the entry that ``data`` holds.

    Raises:
        msgspec.ValidationError: it is none of this version.
    """
    entry: Entry = _decoder.decode(data)
    return entry


def boot_of(conn: str) -> str:
    """Return the boot id of the node that connection ``conn`` came to (``<boot>.<counter>``)."""
    return conn.rpartition(".")[0]


class _Head(Struct, array_like=True, tag="c"):
    """What of a first entry can be read without knowing its rules."""

    terms: msgspec.Raw
    players: msgspec.Raw
    wall_ms: msgspec.Raw
    rules: int


_head: Final = msgspec.msgpack.Decoder(_Head)


def rules_of(first: bytes) -> int:
    """Return the version of the rules of the match with this first entry; 0 if it is none."""
    try:
        return _head.decode(first).rules
    except msgspec.MsgspecError:
        return 0
