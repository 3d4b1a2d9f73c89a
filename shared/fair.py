"""Deals that nobody can know or bend beforehand: the duel's commit and reveal, and the daily (docs/fair-deals.md).

Seeds, nonces and secrets are arguments: where they come from is the server's business, and so is keeping them.
"""

import datetime as dt
import hashlib
import hmac
from collections.abc import Sequence
from typing import Final

from shared.cards import HIDDEN, card_name
from shared.shuffle import hmac_words, shuffled

SEED_BYTES: Final = 32
NONCE_BYTES: Final = 16
_DECK: Final = 52
# The local times in use on Earth, as offsets from UTC.
_EARLIEST: Final = dt.timedelta(hours=-12)
_LATEST: Final = dt.timedelta(hours=14)

Decks = tuple[tuple[int, ...], tuple[int, ...]]


def commitment(seed: bytes) -> str:
    """Return what is shown before the deal: the SHA-256 of ``seed``, 64 small hex digits.

    Raises:
        ValueError: the seed is not of ``SEED_BYTES``.
    """
    _check_seed(seed)
    return hashlib.sha256(seed).hexdigest()


def duel_decks(seed: bytes, nonces: tuple[bytes, bytes], *, mirror: bool) -> Decks:
    """Return both seats' 52 cards in deal order; seat 0 has the cards 0..51, seat 1 the cards 52..103.

    ``nonces``: each seat's 16 random bytes; empty for a seat that sent none in time. ``mirror``: both seats get the
    same order of faces.

    Raises:
        ValueError: a seed or nonce of another length.
    """
    _check_seed(seed)
    for seat, nonce in enumerate(nonces):
        if len(nonce) not in (0, NONCE_BYTES):
            raise ValueError(f"nonce of seat {seat}: expected {NONCE_BYTES} bytes or none, got {len(nonce)}")
    first = _deck(seed, nonces, 0)
    second = first if mirror else _deck(seed, nonces, 1)
    return first, tuple(card + _DECK for card in second)


def daily_deck(secret: bytes, date: dt.date) -> tuple[int, ...]:
    """Return the 52 cards of the daily challenge of ``date`` in deal order, the same for both draws.

    ``secret``: the server's own, at least 16 bytes.

    Raises:
        ValueError: the secret is too short.
    """
    return daily_deal(daily_seed(secret, date))


def daily_seed(secret: bytes, date: dt.date) -> bytes:
    """Return the seed of the daily challenge of ``date``: HMAC-SHA-256(``secret``, the date as ISO 8601).

    Raises:
        ValueError: the secret is shorter than 16 bytes.
    """
    if len(secret) < NONCE_BYTES:
        raise ValueError(f"daily secret: expected at least {NONCE_BYTES} bytes, got {len(secret)}")
    return hmac.digest(secret, date.isoformat().encode("ascii"), hashlib.sha256)


def daily_deal(seed: bytes) -> tuple[int, ...]:
    """Return the 52 cards in deal order that follow from a daily's seed.

    Raises:
        ValueError: the seed is not of ``SEED_BYTES``.
    """
    _check_seed(seed)
    return _deck(seed, (b"", b""), 0)


def daily_match(secret: bytes, date: dt.date, identity: str) -> str:
    """Return the id of the one match in which ``identity`` plays the daily of ``date``: 20 hex digits, the same on
    every node, and nobody else's to know.
    """
    return hmac.digest(secret, f"match/{date.isoformat()}/{identity}".encode(), hashlib.sha256).hex()[:20]


def is_date_somewhere(date: dt.date, now: dt.datetime) -> bool:
    """Whether it is ``date`` anywhere on Earth at ``now``: UTC-12 .. UTC+14.

    Raises:
        ValueError: ``now`` has no time zone.
    """
    if now.tzinfo is None:
        raise ValueError("now: expected a time with its zone")
    utc = now.astimezone(dt.UTC)
    return (utc + _EARLIEST).date() <= date <= (utc + _LATEST).date()


def check_deal(
    committed: str,
    seed: str,
    nonces: Sequence[str],
    *,
    mirror: bool,
    own: tuple[int, str] | None = None,
    seen: Sequence[Sequence[int]] = (),
) -> tuple[str, ...]:
    """Check a finished game's deal from what was shown; return what is wrong with it, in words: nothing if it was fair.

    ``committed``: the hash shown before the deal, hex. ``seed``, ``nonces``: as revealed after the end, hex. ``own``: a
    player's seat and the nonce that his client sent. ``seen``: each seat's cards in deal order as far as they were
    seen, ``HIDDEN`` where not.
    """
    try:
        raw_seed = _from_hex("seed", seed)
        raw_nonces = [_from_hex(f"nonces[{seat}]", nonce) for seat, nonce in enumerate(nonces)]
        if len(raw_nonces) != 2:
            return (f"nonces: expected 2, got {len(raw_nonces)}",)
        decks = duel_decks(raw_seed, (raw_nonces[0], raw_nonces[1]), mirror=mirror)
    except ValueError as error:
        return (str(error),)
    problems = []
    if not hmac.compare_digest(commitment(raw_seed).encode(), committed.strip().lower().encode()):
        problems.append(f"seed: its SHA-256 is {commitment(raw_seed)}, but {committed} was shown before the deal")
    if own is not None and nonces[own[0]].lower() != own[1].lower():
        problems.append(f"nonce of seat {own[0]}: this client sent {own[1]}, but {nonces[own[0]]} was dealt with")
    for seat, cards in enumerate(seen):
        problems += _differences(seat, decks[seat], cards)
    return tuple(problems)


def _from_hex(field: str, text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        message = f"{field}: expected hex digits, two a byte, got {text!r}"
        raise ValueError(message) from None


def _differences(seat: int, deck: tuple[int, ...], seen: Sequence[int]) -> list[str]:
    """Return the first place where the cards seen are not those of ``deck``."""
    if len(seen) > len(deck):
        return [f"cards of seat {seat}: expected at most {len(deck)}, got {len(seen)}"]
    for place, (card, dealt) in enumerate(zip(seen, deck, strict=False), 1):
        if card not in (HIDDEN, dealt):
            name = card_name(card) if 0 <= card < 2 * _DECK else str(card)
            return [f"card {place} of seat {seat}: the seed deals {card_name(dealt)}, but {name} was played"]
    return []


def _deck(seed: bytes, nonces: tuple[bytes, bytes], seat: int) -> tuple[int, ...]:
    return shuffled(_DECK, hmac_words(seed, nonces[0] + nonces[1] + bytes([seat])))


def _check_seed(seed: bytes) -> None:
    if len(seed) != SEED_BYTES:
        raise ValueError(f"seed: expected {SEED_BYTES} bytes, got {len(seed)}")
