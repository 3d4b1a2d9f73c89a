"""The closed vocabulary of a game: commands (what a seat wants), events (what happened), refusals (why not).

A ``Move`` names the card and its target, so that a late or doubled one is refused and never misread; for a foundation
the suit is the target and the rules choose the pile. Pile names: see ``shared.position``.
"""

from typing import Literal

from msgspec import Struct

from shared.position import Outcome, Position, Tally, Turn

Column = Literal["t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8"]
Target = Literal["t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8", "f"]


class _Command(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True, omit_defaults=True, gc=False):
    pass


class Move(_Command, frozen=True, tag="move"):
    """Play ``card`` (0..103), with every card lying on it, to column ``to`` or to its foundation (``f``)."""

    card: int
    to: Target


class Draw(_Command, frozen=True, tag="draw"):
    """Turn the next one or three cards of the stock to the waste."""


class Recycle(_Command, frozen=True, tag="recycle"):
    """Turn the waste over to be the stock again."""


class Pass(_Command, frozen=True, tag="pass"):
    """Give up the turn (alternating)."""


class Declare(_Command, frozen=True, tag="declare"):
    """Declare oneself stuck (simultaneous)."""


class Resign(_Command, frozen=True, tag="resign"):
    """Give up the game (duel)."""


class Undo(_Command, frozen=True, tag="undo"):
    """Take the last action back (solo)."""


class Redo(_Command, frozen=True, tag="redo"):
    """Repeat the action taken back last (solo)."""


class Finish(_Command, frozen=True, tag="finish"):
    """Play all remaining cards to the foundations (Klondike, when offered)."""


class Pause(_Command, frozen=True, tag="pause"):
    """Stop the clock (solo); ``hidden`` tells a hidden page from the Pause button."""

    hidden: bool = False


class Unpause(_Command, frozen=True, tag="unpause"):
    """Let the clock run again (solo)."""


class UseHint(_Command, frozen=True, tag="hint"):
    """Count one hint (Klondike); the hint itself is worked out outside the rules."""


Command = Move | Draw | Recycle | Pass | Declare | Resign | Undo | Redo | Finish | Pause | Unpause | UseHint


class _Event(Struct, frozen=True, tag_field="ev", omit_defaults=True, gc=False):
    pass


class Moved(_Event, frozen=True, tag="moved"):
    """``cards`` (lowest first) went from pile ``source`` to pile ``target``; columns and waste are of ``seat``."""

    cards: tuple[int, ...]
    source: str
    target: str
    seat: int = 0


class Turned(_Event, frozen=True, tag="turned"):
    """The last card of column ``column`` (0..8) of ``seat`` turned face up: it is ``card``."""

    column: int
    card: int
    seat: int = 0


class Drawn(_Event, frozen=True, tag="drawn"):
    """``cards`` went one after another from the stock to the waste of ``seat``; the last is the top."""

    cards: tuple[int, ...]
    seat: int = 0


class Recycled(_Event, frozen=True, tag="recycled"):
    """The waste of ``seat`` became its stock, ``cards`` in the order of drawing (``HIDDEN`` for a viewer); a new pass
    began.
    """

    cards: tuple[int, ...]
    seat: int = 0


class TurnIs(_Event, frozen=True, tag="turn"):
    """The turn is now as ``turn`` says (alternating)."""

    turn: Turn


class Declared(_Event, frozen=True, tag="declared"):
    """``seat`` declared itself stuck (``on``), or its declaration lapsed."""

    on: bool
    seat: int = 0


class Stuck(_Event, frozen=True, tag="stuck"):
    """``seat`` is proven stuck (``on``), or no longer. Never sent to anybody: views learn it from the outcome."""

    on: bool
    seat: int = 0


class Struck(_Event, frozen=True, tag="struck"):
    """The illegal-move count of ``seat`` is now ``strikes``; its plays are refused before ``wait_until``."""

    strikes: tuple[int, ...]
    wait_until: int
    seat: int = 0


class Tallied(_Event, frozen=True, tag="tallied"):
    """The counts of a solo game are now ``tally``, and so many steps can be taken back or repeated.

    ``keeps``: the position as it was before this event is one step back from here on, and none can be repeated (never
    so for a viewer: his views keep no earlier positions).
    """

    tally: Tally
    undo_depth: int = 0
    redo_depth: int = 0
    keeps: bool = False


class Restored(_Event, frozen=True, tag="restored"):
    """The whole position is now ``position``: a deal, an undo, a redo, a restart.

    ``step`` -1 (undo) or 1 (redo): the earlier and later positions are those known already, moved by one step, and
    ``position`` comes without them (never so for a viewer, as with ``Tallied.keeps``).
    """

    position: Position
    step: int = 0


class Ended(_Event, frozen=True, tag="ended"):
    """The game is over."""

    outcome: Outcome


Event = Moved | Turned | Drawn | Recycled | TurnIs | Declared | Stuck | Struck | Tallied | Restored | Ended

Code = Literal[
    # any game
    "no_such_card",  # the card is not one this seat can see on its own piles: one code, whatever is hidden where
    "no_such_pile",  # the target is no pile of this game
    "not_yours",  # a visible card of the other seat
    "covered",  # a face-up card that is not free: not the waste's top, or more than one card to a foundation
    "broken_run",  # the cards from this one on are no run
    "same_pile",  # it lies there already
    "wrong_suit",
    "wrong_rank",
    "wrong_colour",
    "needs_king",  # only a king goes to an empty column
    "no_worry_back",  # a foundation card stays, in this game
    "from_foundation",  # a foundation card never goes to a foundation
    "stock_empty",  # draw: recycle first
    "stock_not_empty",  # recycle: cards are left to draw
    "waste_empty",  # recycle: nothing to turn
    "no_more_passes",
    "nothing_to_undo",
    "undo_limit",  # the 200 last actions only
    "nothing_to_redo",
    "no_undo",  # not in this game
    "not_finishable",
    "no_hints_left",
    "no_hints",  # not in this game
    "paused",
    "not_paused",
    "not_in_this_game",  # this command does not belong to this variant or tempo
    "game_over",
    # duel
    "not_your_turn",
    "not_started",
    "waiting",  # illegal-move penalty
    "already_declared",
    "overtaken",  # the other seat was first
    "moved_away",  # an older connection of this seat: the seat is played from another tab now
    # table
    "not_now",  # the table action does not fit the moment
    "unavailable",  # the store is away and the play was never handed to it
    "too_fast",  # rate limit; nothing was done
]


class Refusal(Struct, frozen=True, omit_defaults=True):
    """Why a command was refused.

    For ``overtaken``: ``by`` is the number of the play that was first, ``by_ms`` how many ms before, ``card`` the card
    that lies there.
    """

    code: Code
    by: int | None = None
    by_ms: int | None = None
    card: int | None = None


class Legal(Struct, frozen=True, omit_defaults=True):
    """What a seat may do now.

    ``moves``: card -> its targets. ``tap``: card -> where a tap sends it; ``double``: card -> where a second tap sends
    it (docs/rules.md, Tap). ``commands``: tags of the other commands that would be accepted (``draw``, ``recycle``,
    ``undo`` …).
    """

    moves: dict[int, tuple[Target, ...]]
    tap: dict[int, Target]
    double: dict[int, Target]
    commands: tuple[str, ...] = ()
