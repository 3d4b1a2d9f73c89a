"""What stays of a match: its archive, a self-contained replay, and its result, from which boards and histories are
folded.
"""

from typing import Final

import msgspec
from msgspec import Struct

from server.match.arbiter import Folded
from server.match.state import State
from shared.moves import Event, Refusal
from shared.position import Outcome, Tally
from shared.table import GameResult, Table
from shared.terms import Terms

#: Version of the two formats.
VERSION: Final = 1


class Replayed(Struct, frozen=True, omit_defaults=True):
    """One entry that did something: number, play time (ms), what happened, whose wish it was, why it was refused."""

    no: int
    at: int
    events: tuple[Event, ...] = ()
    seat: int | None = None
    n: int | None = None
    refusal: Refusal | None = None


class Archive(Struct, frozen=True, omit_defaults=True):
    """A whole match: its table at the end (the seeds revealed in it), and everything that happened, nothing hidden.

    ``wall_ms``: when it was created, ms since the epoch. ``rules``: version of the rules.
    """

    match: str
    rules: int
    wall_ms: int
    table: Table
    entries: tuple[Replayed, ...]
    version: int = VERSION


class Result(Struct, frozen=True, omit_defaults=True):
    """How a match ended. ``identities``, ``names``: by seat. ``ended_ms``: play time at its end, from its creation.

    ``tally``: of a solo game. ``deal``: its code. ``offset``: minutes by which its player's local time was ahead of
    UTC. ``earned``: points of its attempts before the last restart.
    """

    match: str
    rules: int
    terms: Terms
    identities: tuple[str, ...]
    names: tuple[str, ...]
    outcome: Outcome
    wall_ms: int
    ended_ms: int
    sums: tuple[int, ...] = ()
    games: tuple[GameResult, ...] = ()
    tally: Tally | None = None
    deal: str | None = None
    restarts: int = 0
    offset: int = 0
    earned: int = 0
    version: int = VERSION


def replayed(folded: Folded) -> Replayed | None:
    """Return what an entry did, or ``None`` if a replay need not know of it."""
    if not folded.events and folded.refusal is None:
        return None
    return Replayed(folded.no, folded.at, folded.events, folded.seat, folded.n, folded.refusal)


def result_of(state: State, *, begun_at: int) -> Result:
    """Return the result of a match that is over.

    Raises:
        ValueError: it is not.
    """
    table = state.table
    if table.result is None:
        raise ValueError("state: expected a match that is over")
    players = [player for player in table.players if player is not None]
    return Result(
        match=table.match,
        rules=state.version,
        terms=table.terms,
        identities=tuple(player.identity for player in players),
        names=tuple(player.name for player in players),
        outcome=table.result,
        wall_ms=state.wall_ms,
        ended_ms=state.at - begun_at,
        sums=table.sums,
        games=table.games,
        tally=None if state.position is None else state.position.tally,
        deal=state.deal,
        restarts=table.restarts,
        offset=state.offset,
        earned=state.earned,
    )


encode: Final = msgspec.msgpack.Encoder().encode
decode_archive: Final = msgspec.msgpack.Decoder(Archive).decode
decode_result: Final = msgspec.msgpack.Decoder(Result).decode
