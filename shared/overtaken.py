"""Overtaken or illegal (docs/rules.md, Duel, simultaneous): a play that the rival's play spoiled is no illegal move."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from shared.cards import RANK
from shared.engine import Step, apply, refuse
from shared.law import foundation_for
from shared.moves import Command, Move, Refusal
from shared.position import Position
from shared.ruleset import Ruleset

#: How long (ms) before a play the position that its player saw may have passed.
SEEN_MS: Final = 5_000


class Played(Struct, frozen=True):
    """A command of the log: its number there, its seat and its play time (ms)."""

    number: int
    seat: int
    command: Command
    at: int


def overtaken(
    rules: Ruleset,
    then: Position,
    now: Position,
    since: Sequence[Played],
    seat: int,
    command: Command,
    at: int,
) -> Refusal | None:
    """Return the ``overtaken`` refusal of a ``command`` that is refused now, or ``None`` if it is simply illegal.

    ``then``: the position that the player saw; ``since``: every command folded between it and ``now``, refused ones
    too, for a play may build on one that was itself overtaken. Overtaken means: legal ``then`` with the seat's own
    later plays, and spoiled by a play of the rival. What he saw was true until the rival's first foundation play since,
    which may be at most ``SEEN_MS`` ago, however long nothing had happened before it.
    """
    rival = [played for played in since if played.seat != seat and _went_up(played.command, then, now)]
    if rules.tempo != "simultaneous" or not isinstance(command, Move) or not rival or at - rival[0].at > SEEN_MS:
        return None
    if now.outcome is not None or at < now.seats[seat].wait_until or refuse(rules, now, seat, command, at) is None:
        return None
    mine = then
    for played in since:
        if played.seat == seat:
            done = apply(rules, mine, seat, played.command, played.at)
            mine = done.position if isinstance(done, Step) and done.refusal is None else mine
    if mine.outcome is not None or refuse(rules, mine, seat, command, at) is not None:
        return None
    lies = _lying(mine, now, command)
    by = next(
        (played for played in rival if isinstance(played.command, Move) and played.command.card == lies), rival[0]
    )
    return Refusal("overtaken", by.number, max(0, at - by.at), lies)


def _went_up(command: Command, then: Position, now: Position) -> bool:
    """Return whether ``command`` is a play that brought its card to a foundation between ``then`` and ``now``."""
    if not isinstance(command, Move) or command.to != "f":
        return False
    card = command.card
    return any(card in pile for pile in now.foundations) and not any(card in pile for pile in then.foundations)


def _lying(mine: Position, now: Position, move: Move) -> int | None:
    """Return the card that lies where ``move`` would have gone; ``None`` if it meant a column."""
    pile = foundation_for(mine, move.card) if move.to == "f" else None
    if pile is None or len(now.foundations[pile]) < RANK[move.card]:
        return None
    return now.foundations[pile][RANK[move.card] - 1]
