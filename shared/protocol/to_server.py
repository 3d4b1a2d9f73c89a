"""What a client sends."""

from typing import Annotated

from msgspec import Meta, Struct

from shared.bots import LevelName
from shared.moves import Command
from shared.protocol.devices import Label, MoveCode, ToDevices
from shared.protocol.questions import ToRecords
from shared.table import Action
from shared.terms import DuelTerms, Terms

MSGPACK = "ds.msgpack.v1"
JSON = "ds.json.v1"
#: Largest client frame, bytes.
MAX_FRAME = 4096

Name = Annotated[str, Meta(min_length=1, max_length=24)]
Token = Annotated[str, Meta(min_length=20, max_length=100)]
Counter = Annotated[int, Meta(ge=0, le=2**53)]
#: Minutes by which a local time is ahead of UTC.
Offset = Annotated[int, Meta(ge=-720, le=840)]

#: What a seat may send as a play: the commands of its game and its actions at the table.
Wish = Command | Action


class _ToServer(Struct, frozen=True, tag_field="t", forbid_unknown_fields=True, omit_defaults=True):
    pass


class Hello(_ToServer, frozen=True, tag="hello"):
    """First message of a connection. Without ``token`` a guest identity is made; ``name`` sets the nickname.

    ``offset``: minutes by which the player's local time is ahead of UTC; the date of a win follows from it. ``device``:
    how this device is called in the list of devices. ``move``: a one-time code that brings its identity to this device;
    ``token`` is then a new one, 32 random bytes that this client made, and the same hello may be said again until it is
    answered.
    """

    token: Token | None = None
    name: Name | None = None
    offset: Offset | None = None
    device: Label | None = None
    move: MoveCode | None = None


class Create(_ToServer, frozen=True, tag="create"):
    """Make a match with these terms and sit on seat 0. A solo game deals at once; a duel gets a room code and waits.

    ``legal``: as in ``Join``. ``bot``: a computer player of this level has seat 1 of the duel, which then has no code
    and cannot be rated. ``replaces``: a solo game of the player's own whose place this one takes: once it is made, that
    one is given up (``abandon``).
    """

    terms: Terms
    legal: bool = False
    bot: LevelName | None = None
    replaces: Annotated[str, Meta(max_length=64)] | None = None


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
    """Leave the match on this connection. A seat stays the player's own, but for a guest's before the start; a match
    that the lobby called to does then not take place.
    """


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


class TurnDown(_ToServer, frozen=True, tag="turn_down"):
    """Turn down a match that the lobby called to: it does not take place, and the other has his place back at once.
    Answered by ``Seeking`` without a seek.
    """

    match: Annotated[str, Meta(max_length=64)]


class WatchLobby(_ToServer, frozen=True, tag="watch_lobby"):
    """Get ``Lobby`` now and whenever it changes."""


class UnwatchLobby(_ToServer, frozen=True, tag="unwatch_lobby"):
    """Get ``Lobby`` no more."""


#: What is asked of the lobby.
ToLobby = FindOpponent | StopSeeking | AcceptSeek | TurnDown | WatchLobby | UnwatchLobby

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
    | TurnDown
    | WatchLobby
    | UnwatchLobby
    | ToRecords
    | ToDevices
)
