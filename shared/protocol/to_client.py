"""What the server sends."""

from typing import Literal

from msgspec import Struct

from shared.moves import Event, Legal, Refusal
from shared.position import Position
from shared.protocol.answers import Answer
from shared.protocol.devices import DevicesAnswer
from shared.table import Race, Table
from shared.terms import DuelTerms


class _ToClient(Struct, frozen=True, tag_field="t", omit_defaults=True):
    pass


class Welcome(_ToClient, frozen=True, tag="welcome"):
    """Answer to ``Hello``. ``token`` is given once, when the identity is made: the server keeps only its hash."""

    identity: str
    name: str
    version: str
    token: str | None = None


class Snapshot(_ToClient, frozen=True, tag="snapshot"):
    """The whole match as this viewer may see it.

    ``no``: number of the last entry in it. ``seat``: the viewer's seat, ``None`` for a watcher. ``n``: last play of the
    seat that counted. ``rewound``: the store lost what was shown before; forget it.
    """

    no: int
    now: int
    table: Table
    seat: int | None = None
    n: int = 0
    position: Position | None = None
    legal: Legal | None = None
    rewound: bool = False


class Resumed(_ToClient, frozen=True, tag="resumed"):
    """A ``Join`` with ``since`` is answered: the updates before this message were all that came after it.

    ``no``: number of the last entry. ``n``: last play of the seat that counted; the client sends later ones again.
    """

    no: int
    n: int = 0


class Update(_ToClient, frozen=True, tag="update"):
    """What one entry of the log did, as this viewer may see it.

    ``seat`` and ``n``: whose play it was (``None``: nobody's). ``refusal``: it was refused (only its own seat is told).
    ``race``: it came too late for its place: everybody is told who was first. ``table``: the table, if it changed.
    """

    no: int
    at: int
    events: tuple[Event, ...] = ()
    seat: int | None = None
    n: int | None = None
    refusal: Refusal | None = None
    table: Table | None = None
    legal: Legal | None = None
    race: Race | None = None


class Refused(_ToClient, frozen=True, tag="refused"):
    """Play ``n`` was refused and left no trace in the log."""

    n: int
    refusal: Refusal


class LegalNow(_ToClient, frozen=True, tag="legal"):
    """Answer to ``AskLegal``, true after entry ``no``."""

    no: int
    legal: Legal


class Hint(_ToClient, frozen=True, tag="hint"):
    """A hint: play ``card`` to ``to``, or the command ``do``; all empty: no useful move. ``left``: hints left, ``None``
    = no limit. ``costs``: points that the command takes.
    """

    card: int | None = None
    to: str | None = None
    do: str | None = None
    left: int | None = None
    costs: int = 0


class Pong(_ToClient, frozen=True, tag="pong"):
    """``now``: play time of the match at the answer, ``None`` outside a match. ``lines``: by seat, how long the way to
    the player and back took last (ms); ``None``: not known, or he is connected elsewhere.
    """

    sent: float
    now: int | None = None
    lines: tuple[int | None, ...] = ()


class MovedAway(_ToClient, frozen=True, tag="moved_away"):
    """This seat is now played from another connection; this one only watches it. Join again to take it back."""


class Notice(_ToClient, frozen=True, tag="notice"):
    """Word of the server: ``draining`` (connect again), ``unavailable`` (the store is away), ``available``, ``dropped``
    (this device was taken away from its identity; the connection ends).
    """

    what: Literal["draining", "unavailable", "available", "dropped"]


class OpenSeek(Struct, frozen=True, omit_defaults=True):
    """One who seeks an opponent. ``waited``: ms so far; ``rating``: ``None`` = he has none."""

    seek: str
    name: str
    terms: DuelTerms
    waited: int = 0
    rating: float | None = None


class Lobby(_ToClient, frozen=True, tag="lobby"):
    """The open seeks, the longest wait first. ``waiting``: how many there are, also beyond those listed."""

    seeks: tuple[OpenSeek, ...] = ()
    waiting: int = 0


class Seeking(_ToClient, frozen=True, tag="seeking"):
    """How this connection's own seek stands; without ``seek`` it has none. ``waited``: ms so far."""

    seek: str | None = None
    terms: DuelTerms | None = None
    waited: int = 0


class Assigned(_ToClient, frozen=True, tag="assigned"):
    """An opponent is found: join ``match`` and be ready within ``ms``.

    ``seat``: his seat there. ``rival``: the other's nickname.
    """

    match: str
    seat: int
    terms: DuelTerms
    rival: str
    ms: int


class Failed(_ToClient, frozen=True, tag="failed"):
    """The message before could not be served. ``code`` is for programs, ``message`` for people; ``field`` names the
    culprit; ``ask``: the question that it answers.
    """

    code: Literal[
        "malformed",  # no message of this schema
        "hello_first",
        "no_such_match",
        "no_such_room",
        "no_such_seek",
        "no_such_player",
        "bad_question",
        "own_seek",
        "room_full",
        "not_in_match",
        "not_your_seat",
        "bad_terms",
        "bad_code",
        "bad_token",
        "no_such_move",
        "move_used",
        "move_expired",
        "no_such_device",
        "last_device",
        "too_fast",
        "too_many",
        "unavailable",
        "internal",
    ]
    message: str
    field: str | None = None
    ask: int | None = None


ToClient = (
    Welcome
    | Snapshot
    | Resumed
    | Update
    | Refused
    | LegalNow
    | Hint
    | Pong
    | MovedAway
    | Notice
    | Lobby
    | Seeking
    | Assigned
    | Answer
    | DevicesAnswer
    | Failed
)
