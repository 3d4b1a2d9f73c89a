"""A game as a frozen value: its numbers, its options and the functions that make it a solo game or a duel.

The variants are the modules of ``shared.variants``: each names its terms' type as ``TERMS`` and makes rules of them
by ``rules``.
"""

from collections.abc import Callable
from functools import cache, lru_cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct

import shared.variants
from shared.moves import Command, Refusal
from shared.position import Position
from shared.scoring import Scoring
from shared.terms import Terms

if TYPE_CHECKING:
    from shared.evolve import Step

#: The version of the rules: a change that lets any log fold to another position raises it. A match keeps the version
#: that it was made with. 2: a solo game can be given up; a hint counts once a position; a seat's ninth connection takes
#: the place of its oldest.
VERSION: Final = 2


class Ruleset(Struct, frozen=True):
    """The rules of one game.

    ``decks``: cards dealt to each seat in packs of 52. ``draw``: cards a draw, per seat. ``passes``: trips through
    the stock, ``None`` = unlimited. ``undo_limit``: actions that can be taken back, 0 = no undo, ``None`` = all.
    ``hints``: 0 = none, ``None`` = unlimited. ``tap_to_column``: the first tap looks for a column too. Times are ms,
    ``None`` = no clock.

    ``refuse_other`` judges and ``commands`` lists the commands beyond move, draw and recycle, ``may_play`` says why a
    seat may play no card now, ``perform`` carries out what was not refused.
    """

    name: str
    terms: Terms
    seats: int
    decks: int
    columns: int
    foundations: int
    draw: tuple[int, ...]
    may_play: "Callable[[Ruleset, Position, int, int], Refusal | None]"
    refuse_other: "Callable[[Ruleset, Position, int, Command, int], Refusal | None]"
    commands: "Callable[[Ruleset, Position, int], list[str]]"
    perform: "Callable[[Ruleset, Position, int, Command, int], Step]"
    passes: int | None = None
    worry_back: bool = False
    any_to_empty: bool = False
    open_deal: bool = False
    tap_to_column: bool = False
    scoring: Scoring | None = None
    undo_limit: int | None = 0
    hints: int | None = 0
    finish: bool = False
    tempo: Literal["solo", "simultaneous", "alternating"] = "solo"
    clear_bonus: bool = False
    play_on: bool = False
    penalty: bool = False
    turn_ms: int | None = None
    game_ms: int | None = None


@cache
def variants() -> dict[type, ModuleType]:
    """Return the modules of ``shared.variants`` by the type of their terms."""
    names = sorted(found.name for found in iter_modules(shared.variants.__path__))
    modules = [import_module(f"shared.variants.{name}") for name in names]
    return {module.TERMS: module for module in modules}


@lru_cache(maxsize=1024)
def ruleset(terms: Terms) -> Ruleset:
    """Return the rules that ``terms`` agree on.

    Raises:
        TypeError: no variant has terms of this type.
    """
    module = variants().get(type(terms))
    if module is None:
        raise TypeError(f"terms: expected the terms of a variant, got {type(terms).__name__}")
    rules: Ruleset = module.rules(terms)
    return rules
