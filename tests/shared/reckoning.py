"""The deals once more, straight from the words of docs/fair-deals.md, with nothing from shared/."""

import hashlib
import hmac


def order(size: int, key: bytes, prefix: bytes) -> list[int]:
    cards = list(range(size))
    counter, numbers = 0, b""
    i = size - 1
    while i >= 1:
        if not numbers:
            numbers = hmac.new(key, prefix + bytes([0, 0, counter // 256, counter % 256]), hashlib.sha256).digest()
            counter += 1
        x = numbers[0] * 16777216 + numbers[1] * 65536 + numbers[2] * 256 + numbers[3]
        numbers = numbers[4:]
        if x >= 4294967296 - 4294967296 % (i + 1):
            continue
        j = x % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
        i -= 1
    return cards


def names(cards: list[int]) -> str:
    """Rank then suit; small letters for the second deck."""
    words = []
    for card in cards:
        name = "A23456789TJQK"[card % 13] + "SHDC"[card % 52 // 13]
        words.append(name.lower() if card >= 52 else name)
    return " ".join(words)


def code_deal(game: str, number: int) -> list[int]:
    size = {"DS": 104, "KL": 52}[game]
    return order(size, b"double-solitaire/deal-code/" + game.encode() + b"1", number.to_bytes(4, "big"))


def duel_deal(seed: str, nonces: list[str], *, mirror: bool) -> list[list[int]]:
    both = bytes.fromhex("".join(nonces))
    first = order(52, bytes.fromhex(seed), both + b"\0")
    second = first if mirror else order(52, bytes.fromhex(seed), both + b"\1")
    return [first, [card + 52 for card in second]]


def daily_deal(secret: str, date: str) -> list[int]:
    return order(52, hmac.new(bytes.fromhex(secret), date.encode(), hashlib.sha256).digest(), b"\0")
