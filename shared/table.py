"""A match around its games: who sits, who is here, what was agreed, how it stands. Public as a whole: it holds no
secret.

``Table`` is small and changes seldom, so it travels whole. Actions are what a seat wants of the table; they are entries
of the match's log like the commands of ``shared.moves``.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from shared.position import Outcome
from shared.terms import Terms

Nonce = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]

Phase = Literal[
    "gathering",  # seats are free or not ready
    "countdown",  # both ready; the cards appear at ``starts_at``
    "playing",
    "between",  # a game ended, the next one is offered
    "over",
]


class Player(Struct, frozen=True, omit_defaults=True):
    """Who sits on a seat. ``gone_until``: end of the grace time (play time, ms) while he is away; ``waited_for``: the
    other waits on. ``bot``: a computer plays, of the level in its identity (``bot:expert``); ``nonce``: its bytes for
    the next deal, shown before the other seat's are known.
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


class GameResult(Struct, frozen=True, omit_defaults=True):
    """One finished game of the match. ``credited``: what each seat adds to the sum. ``seed``, ``nonces``: revealed
    (hex), see Fair deals.
    """

    outcome: Outcome
    credited: tuple[int, ...] = ()
    commitment: str = ""
    seed: str = ""
    nonces: tuple[str, ...] = ()


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
    """Offer or accept to end the game as it stands; ``on=False`` withdraws."""

    on: bool = True


class Rematch(_Action, frozen=True, tag="rematch"):
    """Want a rematch (``on``), or decline it."""

    on: bool = True


class Restart(_Action, frozen=True, tag="restart"):
    """Play the same deal again from the start (solo)."""


Action = Ready | Unready | Propose | WaitOn | AgreeEnd | Rematch | Restart
