"""What is agreed before a game: one value a variant, validated by its types.

The terms are what travels (a seek, a link, the log's first entry); ``shared.ruleset.ruleset`` turns them into rules.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

DrawCount = Literal[1, 3]
PassCount = Annotated[int, Meta(ge=1, le=9)]
#: A date of the calendar, as ISO 8601 writes it: ``2026-12-01``.
DateText = Annotated[str, Meta(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]


class KlondikeTerms(Struct, frozen=True, tag="klondike", forbid_unknown_fields=True, omit_defaults=True):
    """Solo Klondike (docs/rules.md, Klondike).

    ``passes``: ``unlimited``, ``strict`` (1 at draw 1, 3 at draw 3) or a fixed number 1..9; Vegas is always strict.
    ``code``: a deal code; ``None`` lets the server deal. ``winnable``: try for a proven winnable deal. ``daily``: the
    daily challenge of this date (docs/daily.md), of which only the draw is free.
    """

    draw: DrawCount = 1
    scoring: Literal["standard", "vegas", "none"] = "standard"
    passes: Literal["unlimited", "strict"] | PassCount = "unlimited"
    worry_back: bool = True
    empty_column: Literal["king", "any"] = "king"
    open_deal: bool = False
    time_penalty: bool = False
    cumulative: bool = False
    unlimited_hints: bool = False
    finish: bool = True
    winnable: bool = False
    code: str | None = None
    daily: DateText | None = None


class TwoDeckTerms(Struct, frozen=True, tag="two_deck", forbid_unknown_fields=True, omit_defaults=True):
    """Solo Double Solitaire with two mixed decks (docs/rules.md, Two-deck)."""

    draw: DrawCount = 1
    scoring: Literal["normal", "vegas"] = "normal"
    code: str | None = None


class DuelTerms(Struct, frozen=True, tag="duel", forbid_unknown_fields=True, omit_defaults=True):
    """The two-player game (docs/rules.md, Duel). ``draw`` is per seat; times are seconds, ``None`` = no clock."""

    tempo: Literal["simultaneous", "alternating"] = "simultaneous"
    draw: tuple[DrawCount, DrawCount] = (1, 1)
    passes: Literal["unlimited", "one"] = "unlimited"
    clear_bonus: bool = False
    play_on: bool = False
    first: Literal["host", "guest", "random", "low_card"] = "random"
    turn_seconds: Annotated[int, Meta(ge=5, le=3600)] | None = 60
    game_seconds: Annotated[int, Meta(ge=60, le=7200)] | None = 900
    grace_seconds: Annotated[int, Meta(ge=10, le=600)] = 60
    games: Literal[1, 3, 5] = 1
    rated: bool = False
    mirror: bool = False
    penalty: bool = False


Terms = KlondikeTerms | TwoDeckTerms | DuelTerms
