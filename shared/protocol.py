"""Every message between a client and the server, by direction: schema, validation and documentation in one.

Two WebSocket subprotocols carry the same messages: ``ds.msgpack.v1`` (binary frames) and ``ds.json.v1`` (text frames).
A message is a map whose key ``t`` names its type. Fields at their default may be left out. A client's unknown type,
unknown field or wrong kind is answered by ``Failed`` and changes nothing. Cards are 0..103 and -1 for hidden
(``shared.cards``); piles are named as in ``shared.position``; ``now``, ``at`` and all deadlines are play time of the
match in ms. docs/protocol.md tells the order of messages.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from shared import moves
from shared.bots import LevelName
from shared.moves import Event, Legal, Refusal
from shared.position import Position
from shared.table import AgreeEnd, Propose, Ready, Rematch, Restart, Table, Unready, WaitOn
from shared.terms import DuelTerms, KlondikeTerms, Terms, TwoDeckTerms

MSGPACK = "ds.msgpack.v1"
JSON = "ds.json.v1"
#: Largest client frame, bytes.
MAX_FRAME = 4096

Name = Annotated[str, Meta(min_length=1, max_length=24)]
Token = Annotated[str, Meta(min_length=20, max_length=100)]
Counter = Annotated[int, Meta(ge=0, le=2**53)]

#: What a seat may send as a play: the commands of its game and its actions at the table.
Wish = (
    moves.Move
    | moves.Draw
    | moves.Recycle
    | moves.Pass
    | moves.Declare
    | moves.Resign
    | moves.Undo
    | moves.Redo
    | moves.Finish
    | moves.Pause
    | moves.Unpause
    | moves.UseHint
    | Ready
    | Unready
    | Propose
    | WaitOn
    | AgreeEnd
    | Rematch
    | Restart
)


class _ToServer(Struct, frozen=True, tag_field="t", forbid_unknown_fields=True, omit_defaults=True):
    pass


class Hello(_ToServer, frozen=True, tag="hello"):
    """First message of a connection. Without ``token`` a guest identity is made; ``name`` sets the nickname."""

    token: Token | None = None
    name: Name | None = None


class Create(_ToServer, frozen=True, tag="create"):
    """Make a match with these terms and sit on seat 0. A solo game deals at once; a duel gets a room code and waits.

    ``legal``: as in ``Join``. ``bot``: a computer player of this level has seat 1 of the duel, which then has no code
    and cannot be rated.
    """

    terms: Terms
    legal: bool = False
    bot: LevelName | None = None


class Join(_ToServer, frozen=True, tag="join"):
    """Enter a match by its id (``match``) or room code (``code``), one of them.

    The player's own seat is taken up again, else a free seat is taken (unless ``watch``), else one watches. ``since``:
    the last number this client has folded; the server sends what came after and then ``Resumed``, or a snapshot.
    ``legal``: send the legal targets with every update. A connection is in one match at a time: joining leaves the one
    before.
    """

    match: Annotated[str, Meta(max_length=64)] | None = None
    code: Annotated[str, Meta(max_length=32)] | None = None
    watch: bool = False
    since: Counter | None = None
    legal: bool = False


class Leave(_ToServer, frozen=True, tag="leave"):
    """Leave the match on this connection; a seat stays the player's own."""


class Play(_ToServer, frozen=True, tag="play"):
    """A wish of this seat.

    ``n``: the seat's own counter, one more than its last (``Snapshot.n``), so that a resent play counts once. ``seen``:
    number of the last update shown when the wish was made; it never makes a play legal, it only tells overtaken from
    illegal.
    """

    n: Counter
    seen: Counter
    do: Wish


class AskLegal(_ToServer, frozen=True, tag="ask_legal"):
    """Ask for the legal targets now."""


class AskSnapshot(_ToServer, frozen=True, tag="ask_snapshot"):
    """Ask for the whole view again."""


class AskHint(_ToServer, frozen=True, tag="ask_hint"):
    """Ask for a hint (Klondike). Answered by ``Hint``; it costs one unless there is no useful move."""


class Ping(_ToServer, frozen=True, tag="ping"):
    """``sent``: any number of the client's own, sent back."""

    sent: float


class FindOpponent(_ToServer, frozen=True, tag="seek"):
    """Seek an opponent who wants the same terms. Answered by ``Seeking``, and by ``Assigned`` once there is one.

    It takes the place of what this player sought before, from any connection, and ends with this connection.
    """

    terms: DuelTerms


class StopSeeking(_ToServer, frozen=True, tag="unseek"):
    """Seek no more. Answered by ``Seeking`` without a seek."""


class AcceptSeek(_ToServer, frozen=True, tag="accept"):
    """Take up an open seek of somebody else, with the terms that it has. Answered by ``Assigned``."""

    seek: Annotated[str, Meta(max_length=64)]


class WatchLobby(_ToServer, frozen=True, tag="watch_lobby"):
    """Get ``Lobby`` now and whenever it changes."""


class UnwatchLobby(_ToServer, frozen=True, tag="unwatch_lobby"):
    """Get ``Lobby`` no more."""


#: What is asked of the lobby.
ToLobby = FindOpponent | StopSeeking | AcceptSeek | WatchLobby | UnwatchLobby

ToServer = (
    Hello
    | Create
    | Join
    | Leave
    | Play
    | AskLegal
    | AskSnapshot
    | AskHint
    | Ping
    | FindOpponent
    | StopSeeking
    | AcceptSeek
    | WatchLobby
    | UnwatchLobby
)


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
    ``table``: the table, if it changed.
    """

    no: int
    at: int
    events: tuple[Event, ...] = ()
    seat: int | None = None
    n: int | None = None
    refusal: Refusal | None = None
    table: Table | None = None
    legal: Legal | None = None


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
    """``now``: play time of the match at the answer, ``None`` outside a match."""

    sent: float
    now: int | None = None


class MovedAway(_ToClient, frozen=True, tag="moved_away"):
    """This seat is now played from another connection; this one only watches it. Join again to take it back."""


class Notice(_ToClient, frozen=True, tag="notice"):
    """Word of the server: ``draining`` (connect again), ``unavailable`` (the store is away), ``available``."""

    what: Literal["draining", "unavailable", "available"]


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
    culprit.
    """

    code: Literal[
        "malformed",  # no message of this schema
        "hello_first",
        "no_such_match",
        "no_such_room",
        "no_such_seek",
        "own_seek",
        "room_full",
        "not_in_match",
        "not_your_seat",
        "bad_terms",
        "bad_code",
        "bad_token",
        "too_fast",
        "too_many",
        "unavailable",
        "internal",
    ]
    message: str
    field: str | None = None


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
    | Failed
)

__all__ = [
    "JSON",
    "MAX_FRAME",
    "MSGPACK",
    "AcceptSeek",
    "AskHint",
    "AskLegal",
    "AskSnapshot",
    "Assigned",
    "Create",
    "DuelTerms",
    "Failed",
    "FindOpponent",
    "Hello",
    "Hint",
    "Join",
    "KlondikeTerms",
    "Leave",
    "LegalNow",
    "Lobby",
    "MovedAway",
    "Notice",
    "OpenSeek",
    "Ping",
    "Play",
    "Pong",
    "Refused",
    "Resumed",
    "Seeking",
    "Snapshot",
    "StopSeeking",
    "ToClient",
    "ToLobby",
    "ToServer",
    "TwoDeckTerms",
    "UnwatchLobby",
    "Update",
    "WatchLobby",
    "Welcome",
    "Wish",
]
