"""Cards as small integers.

A card is ``deck * 52 + suit * 13 + rank - 1`` with deck 0 or 1, suit 0..3 in the order spades, hearts, diamonds, clubs
and rank 1 (ace) .. 13 (king), so every card lies in 0..103. ``HIDDEN`` stands for a card whose face the reader may not
know. The name of a card is rank then suit, capitals for deck 0 and small letters for deck 1: ``AS``, ``th``.
"""

from typing import Final

Card = int

HIDDEN: Final = -1
SUITS: Final = "SHDC"
RANKS: Final = "A23456789TJQK"

ACE: Final = 1
KING: Final = 13

#: Suit 0..3, rank 1..13, deck 0..1 and colour of each card, as tables: a look-up costs a third of the arithmetic.
SUIT: Final[tuple[int, ...]] = tuple(card % 52 // 13 for card in range(104))
RANK: Final[tuple[int, ...]] = tuple(card % 13 + 1 for card in range(104))
DECK: Final[tuple[int, ...]] = tuple(card // 52 for card in range(104))
RED: Final[tuple[bool, ...]] = tuple(SUIT[card] in (1, 2) for card in range(104))

_NAMES: Final[tuple[str, ...]] = tuple(
    (RANKS[RANK[card] - 1] + SUITS[SUIT[card]]).lower() if DECK[card] else RANKS[RANK[card] - 1] + SUITS[SUIT[card]]
    for card in range(104)
)
_CARDS: Final[dict[str, int]] = {name: card for card, name in enumerate(_NAMES)}


def make_card(deck: int, suit: int, rank: int) -> int:
    """Return the card of ``deck`` 0..1, ``suit`` 0..3 and ``rank`` 1..13."""
    return deck * 52 + suit * 13 + rank - 1


def card_name(card: int) -> str:
    """Return the two-letter name of ``card``; ``--`` for a hidden one."""
    return "--" if card == HIDDEN else _NAMES[card]


def parse_card(name: str) -> int:
    """Return the card called ``name`` (``AS``, ``td``; ``--`` is ``HIDDEN``).

    Raises:
        ValueError: ``name`` is no card's name.
    """
    if name == "--":
        return HIDDEN
    try:
        return _CARDS[name]
    except KeyError:
        message = f"card: expected a rank of {RANKS} and a suit of {SUITS}, both capital or both small, got {name!r}"
        raise ValueError(message) from None
