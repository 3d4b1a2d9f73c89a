"""A match around its games: who sits, who is here, what was agreed, how it stands. Public as a whole: it holds no
secret.

``Table`` is small and changes seldom, so it travels whole. Actions are what a seat wants of the table; they are entries
of the match's log like the commands of ``shared.moves``.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from shared.position import Outcome
from shared.terms import DuelTerms, Terms

Nonce = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]

Phase = Literal[
    "gathering",  # seats are free or not ready
    "countdown",  # both ready; the cards appear at ``starts_at``
    "playing",
    "between",  # a game ended, the next one is offered
    "over",
]


#: The words that players may say to each other: these, and no others.
EmoteName = Literal["hello", "good_luck", "well_played", "thanks", "oops", "wow", "one_moment", "good_game"]


class Said(Struct, frozen=True):
    """A word said at the table: which, and when (play time, ms)."""

    what: EmoteName
    at: int


class Player(Struct, frozen=True, omit_defaults=True):
    """Who sits on a seat. ``gone_until``: end of the grace time (play time, ms) while he is away; ``waited_for``: the
    other waits on. ``bot``: a computer plays, of the level in its identity (``bot:expert``); ``nonce``: its bytes for
    the next deal, shown before the other seat's are known. ``said``: his last word, to be shown for some seconds.
    """

    name: str
    identity: str = ""
    bot: bool = False
    present: bool = True
    ready: bool = False
    gone_until: int | None = None
    waited_for: bool = False
    rematch: bool = False
    agrees_end: bool = False
    nonce: str | None = None
    said: Said | None = None


class Race(Struct, frozen=True):
    """Two plays for one place. ``no``: entry of the one that came too late (``overtaken``); ``by``: of the one that was
    first; ``ms``: how many ms before, by the server's time; ``winner``: its seat; ``card``: the card that lies there.
    """

    no: int
    by: int
    ms: int
    winner: int
    card: int


class StuckProof(Struct, frozen=True):
    """A finished search showed that ``seat`` cannot reach a foundation play any more from the position after entry
    ``k`` on (``double-solitaire replay`` repeats it).
    """

    seat: int
    k: int


class GameResult(Struct, frozen=True, omit_defaults=True):
    """One finished game of the match. ``credited``: what each seat adds to the sum. ``seed``, ``nonces``: revealed
    (hex), see Fair deals. ``races``: who was first where both played to one place, the last ones. ``proofs``: of an end
    as ``both_stuck``. ``date``: of a solo win, the date to which it is credited: a daily's own, else the player's local
    date at the win (``None`` = his client did not say how late it was there).
    """

    outcome: Outcome
    credited: tuple[int, ...] = ()
    commitment: str = ""
    seed: str = ""
    nonces: tuple[str, ...] = ()
    races: tuple[Race, ...] = ()
    proofs: tuple[StuckProof, ...] = ()
    date: str | None = None


class LossProof(Struct, frozen=True, omit_defaults=True):
    """A finished search of ``states`` states in ``ms`` ms showed that a solo game cannot be won from its position on.

    ``question``: rules and position as one line of JSON, for ``double-solitaire solve`` to prove it again; empty where
    that would tell more than the game's deal code does.
    """

    states: int
    ms: int
    question: str = ""


class Table(Struct, frozen=True, omit_defaults=True):
    """The public state of a match.

    ``code``: room code while seats are free. ``game``: number of the game, from 1; voided ones count. ``sums``:
    contributions so far. ``starts_at``: when the cards appear (play time). ``ready_until``: not ready by then = left;
    before the first game (of two whom the lobby paired) the match then does not take place. ``commitment``: SHA-256 of
    the game's seed. ``deal_code``: the deal code of a solo game. ``proof``: of the notice that it cannot be won.
    ``result``: of the whole match, once over (``winner`` None = none). ``next_match``: the rematch, once agreed.
    ``rematch_terms``: what the rematch that is offered or agreed is played with, if it is not as this match.
    ``declined``: the seat that declined a rematch, or, of two whom the lobby paired, the match. ``end_declined``: the
    seat that declined the last offer to end the game.
    """

    match: str
    terms: Terms
    players: tuple[Player | None, ...]
    phase: Phase = "gathering"
    code: str | None = None
    game: int = 1
    sums: tuple[int, ...] = ()
    games: tuple[GameResult, ...] = ()
    starts_at: int | None = None
    ready_until: int | None = None
    commitment: str | None = None
    deal_code: str | None = None
    restarts: int = 0
    notice: str | None = None
    proof: LossProof | None = None
    result: Outcome | None = None
    next_match: str | None = None
    declined: int | None = None
    rematch_terms: DuelTerms | None = None
    end_declined: int | None = None


class _Action(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True, omit_defaults=True):
    pass


class Ready(_Action, frozen=True, tag="ready"):
    """Ready for the next game; ``nonce``: the seat's 16 random bytes for the deal, hex."""

    nonce: Nonce


class Unready(_Action, frozen=True, tag="unready"):
    """Not ready any more."""


class Propose(_Action, frozen=True, tag="propose"):
    """Change the terms before the start; withdraws both readies."""

    terms: Terms


class WaitOn(_Action, frozen=True, tag="wait"):
    """Wait for the absent player beyond his grace time (``on``), or no longer."""

    on: bool = True


class AgreeEnd(_Action, frozen=True, tag="agree_end"):
    """Offer or accept to end the game as it stands; ``on=False`` withdraws the own offer, or declines the other's."""

    on: bool = True


class Rematch(_Action, frozen=True, tag="rematch"):
    """Want a rematch (``on``), or decline it. ``terms``: with these; ``None``: as this match. It is agreed once both
    want the same.
    """

    on: bool = True
    terms: DuelTerms | None = None


class Emote(_Action, frozen=True, tag="emote"):
    """Say one of a few words to the table."""

    what: EmoteName


class Restart(_Action, frozen=True, tag="restart"):
    """Play the same deal again from the start (solo)."""


class Abandon(_Action, frozen=True, tag="abandon"):
    """Give the game up for good (solo, no daily): it counts as played and not won if a card was played."""


Action = Ready | Unready | Propose | WaitOn | AgreeEnd | Rematch | Emote | Restart | Abandon
