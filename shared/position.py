"""The values a game is made of. All are frozen; undo is an earlier position.

Piles are named by short strings: ``t0``..``t8`` tableau columns, ``w`` waste, ``s`` stock, ``f0``..``f7`` foundations.
With n foundations the pile ``f{i}`` takes suit ``i * 4 // n`` (eight piles: two a suit, side by side). A pile's cards
run from its bottom to its top; the stock runs from the next card to be drawn to the last. Times are play time in
milliseconds. A view is a ``Position`` too: face-down cards are ``HIDDEN`` in it, and ``past`` and ``future`` are empty.
"""

from typing import Literal

from msgspec import Struct

Reason = Literal[
    "won",
    "cleared",
    "out",
    "complete",
    "both_stuck",
    "both_declared",
    "both_passed",
    "no_progress",
    "time",
    "agreed",
    "resigned",
    "left",
    "abandoned",
    "void",
]


#: Why a game or a match is void.
Why = Literal[
    "no_card",  # it ended before any card lay on a foundation
    "both_away",
    "not_ready",  # neither was ready in time
    "declined",  # one of two whom the lobby paired turned the match down
    "fork",  # the store lost what had been shown
    "log_full",
    "fault",
]


class Outcome(Struct, frozen=True, omit_defaults=True):
    """How a game ended. ``counts``: cards of each seat's own deck on the foundations. ``winner``: ``None`` if void.
    ``why``: only if it is void.
    """

    reason: Reason
    winner: int | None = None
    counts: tuple[int, ...] = ()
    why: Why | None = None


class Seat(Struct, frozen=True, omit_defaults=True, gc=False):
    """One player's own cards and what the rules remember of him.

    ``down[i]``: face-down cards of column i (its first ones). ``pass_number``: the trip through the stock under way,
    from 1. ``declared``: says he is stuck. ``stuck``: proven so (never in a view before the end). ``strikes``: times of
    the illegal moves that still count; ``wait_until``: all plays are refused before it (illegal-move penalty).
    """

    columns: tuple[tuple[int, ...], ...]
    down: tuple[int, ...]
    stock: tuple[int, ...]
    waste: tuple[int, ...] = ()
    pass_number: int = 1
    declared: bool = False
    stuck: bool = False
    strikes: tuple[int, ...] = ()
    wait_until: int = 0


class Turn(Struct, frozen=True, omit_defaults=True, gc=False):
    """Whose turn it is (alternating tempo).

    ``number``: turns since the start, from 1. ``acted``: it held a move, draw or recycle. ``passes``: passes in a row
    before it. ``barren``: turns in a row before it without a foundation play. ``played_up``: it held a foundation play.
    ``ends_at``: its clock.
    """

    seat: int
    number: int = 1
    acted: bool = False
    played_up: bool = False
    passes: int = 0
    barren: int = 0
    ends_at: int | None = None


class Tally(Struct, frozen=True, omit_defaults=True, gc=False):
    """What a solo game counts.

    ``score``: the move score (points, or dollars in Vegas). ``bonus``: the win bonus. ``moves``: accepted moves, draws
    and recycles. ``recycles``, ``worry_backs`` and ``actions`` belong to the line of play: how many led to this
    position, so that undo takes them back. ``undos``, ``hints``: how often used (undo takes none back).
    ``played_ms``: time played up to ``running_since``; ``running_since`` is ``None`` before the first move, while
    paused, after the end.
    """

    score: int = 0
    bonus: int = 0
    moves: int = 0
    recycles: int = 0
    worry_backs: int = 0
    undos: int = 0
    hints: int = 0
    played_ms: int = 0
    running_since: int | None = None
    paused: bool = False
    actions: int = 0


class Position(Struct, frozen=True, omit_defaults=True, gc=False):
    """A game at one moment.

    ``last_up``: the seat that made the last foundation play. ``ends_at``: the game clock. ``undo_depth``,
    ``redo_depth``: steps that can be taken back or repeated; ``past`` and ``future`` are the positions themselves (each
    with both empty), nearest last.
    """

    seats: tuple[Seat, ...]
    foundations: tuple[tuple[int, ...], ...]
    turn: Turn | None = None
    last_up: int | None = None
    ends_at: int | None = None
    tally: Tally | None = None
    outcome: Outcome | None = None
    undo_depth: int = 0
    redo_depth: int = 0
    past: tuple["Position", ...] = ()
    future: tuple["Position", ...] = ()
