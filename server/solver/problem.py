"""What the solver is asked: a position of a solo game with every card known, and the rules it is played under."""

from collections import Counter
from collections.abc import Sequence
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from shared.cards import RANK, SUIT, SUITS, card_name
from shared.position import Position
from shared.ruleset import Ruleset


class Problem(Struct, frozen=True, gc=False):
    """A position with every card known.

    ``columns`` run from bottom to last card, ``down[i]`` of them face down; ``stock`` from the next card to be drawn,
    ``waste`` and ``foundations`` from bottom to top; of n foundations number i takes suit ``i * 4 // n``. ``passes``
    counts the one under way; ``None`` is unlimited. ``any_card``: any card may go to an empty column. ``ranks`` and
    ``suits`` (bit i: suit i) are smaller than 13 and 15 only in tests.
    """

    columns: tuple[tuple[int, ...], ...]
    down: tuple[int, ...]
    stock: tuple[int, ...]
    waste: tuple[int, ...]
    foundations: tuple[tuple[int, ...], ...]
    draw: int = 1
    passes: int | None = None
    worry_back: bool = True
    any_card: bool = False
    ranks: int = 13
    suits: int = 15

    @classmethod
    def deal(cls, deck: Sequence[int], columns: int | None = None, foundations: int | None = None) -> Self:
        """The deal of ``deck``, in deal order (docs/rules.md, Deal), under the default rules.

        A deck of 104 cards is dealt to 9 columns, any other to 7, unless told.
        """
        two = len(deck) > 52
        width = columns or (9 if two else 7)
        piles: list[list[int]] = [[] for _ in range(width)]
        cards = iter(deck)
        for row in range(width):
            for column in range(row, width):
                piles[column].append(next(cards))
        return cls(
            columns=tuple(map(tuple, piles)),
            down=tuple(range(width)),
            stock=tuple(cards),
            waste=(),
            foundations=((),) * (foundations or (8 if two else 4)),
        )

    def under(
        self, *, draw: int = 1, passes: int | None = None, worry_back: bool = True, any_card: bool = False
    ) -> Self:
        """The same cards under these rules."""
        return replace(self, draw=draw, passes=passes, worry_back=worry_back, any_card=any_card)

    @property
    def decks(self) -> int:
        """1 or 2."""
        return len(self.foundations) // 4

    @property
    def heights(self) -> tuple[int, ...]:
        """Cards on each foundation."""
        return tuple(map(len, self.foundations))

    @property
    def cards(self) -> tuple[int, ...]:
        """All cards, wherever they lie."""
        piles = (*self.columns, self.stock, self.waste, *self.foundations)
        return tuple(card for pile in piles for card in pile)


def from_position(rules: Ruleset, position: Position) -> Problem:
    """The solo game ``position`` under its own rules, the passes left counted from where it stands."""
    mine = position.seats[0]
    return Problem(
        columns=mine.columns,
        down=mine.down,
        stock=mine.stock,
        waste=mine.waste,
        foundations=position.foundations,
        draw=rules.draw[0],
        passes=None if rules.passes is None else rules.passes - mine.pass_number + 1,
        worry_back=rules.worry_back,
        any_card=rules.any_to_empty,
    )


def from_deck(rules: Ruleset, deck: Sequence[int]) -> Problem:
    """The deal of ``deck``, in deal order, under ``rules``."""
    problem = Problem.deal(deck).under(
        draw=rules.draw[0], passes=rules.passes, worry_back=rules.worry_back, any_card=rules.any_to_empty
    )
    return replace(problem, down=(0,) * len(problem.down)) if rules.open_deal else problem


def check(problem: Problem) -> None:
    """Raise ``ValueError``, naming the field, unless every card is there once and the rules are some that are known."""
    if problem.draw not in (1, 3):
        raise ValueError(f"draw: expected 1 or 3, got {problem.draw}")
    if problem.passes is not None and not 1 <= problem.passes <= 9:
        raise ValueError(f"passes: expected null or 1..9, got {problem.passes}")
    if len(problem.foundations) not in (4, 8):
        raise ValueError(f"foundations: expected 4 or 8 piles, got {len(problem.foundations)}")
    if problem.any_card and problem.decks == 2:
        raise ValueError("empty_column: any card only with one deck")
    for number, pile in enumerate(problem.foundations):
        suit = number * 4 // len(problem.foundations)
        if [(SUIT[card], RANK[card]) for card in pile] != [(suit, rank + 1) for rank in range(len(pile))]:
            raise ValueError(f"foundations: expected pile {number + 1} to run from its ace up in {SUITS[suit]}")
    if len(problem.down) != len(problem.columns):
        raise ValueError("down: expected one number a column")
    for number, (column, down) in enumerate(zip(problem.columns, problem.down, strict=True)):
        if not 0 <= down <= max(len(column) - 1, 0):
            raise ValueError(
                f"down: expected the last card of column {number + 1} face up, got {down} of {len(column)}"
            )
    _check_cards(problem)


def _check_cards(problem: Problem) -> None:
    """Every card of the decks lies in one place."""
    if len(set(problem.cards)) != len(problem.cards):
        raise ValueError("cards: the same card of the same deck lies in two places")
    cards = Counter((SUIT[card], RANK[card]) for card in problem.cards)
    for suit in range(4):
        for rank in range(1, problem.ranks + 1):
            expected = problem.decks if problem.suits >> suit & 1 else 0
            found = cards.pop((suit, rank), 0)
            if found != expected:
                name = card_name(suit * 13 + rank - 1)
                raise ValueError(f"cards: expected {name} {expected} time(s) in all piles together, got {found}")
    if cards:
        suit, rank = next(iter(cards))
        raise ValueError(f"cards: {card_name(suit * 13 + rank - 1)} does not belong to this deck")
