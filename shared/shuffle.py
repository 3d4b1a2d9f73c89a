"""Shuffles that are the same on every platform, for ever: Fisher-Yates over the bytes of HMAC-SHA-256.

docs/fair-deals.md documents every byte, so that anyone can compute the same order.
"""

import hashlib
import hmac
from collections.abc import Iterator

_WORD = 4


def hmac_words(key: bytes, prefix: bytes) -> Iterator[int]:
    """Yield 32-bit numbers without end: eight big-endian ones from each HMAC-SHA-256(``key``, ``prefix`` and a 4-byte
    big-endian counter that starts at 0).
    """
    counter = 0
    while True:
        digest = hmac.digest(key, prefix + counter.to_bytes(_WORD, "big"), hashlib.sha256)
        for at in range(0, len(digest), _WORD):
            yield int.from_bytes(digest[at : at + _WORD], "big")
        counter += 1


def shuffled(size: int, words: Iterator[int]) -> tuple[int, ...]:
    """Return 0..``size`` - 1 in the order that ``words`` (32-bit numbers) give: for i = ``size`` - 1 down to 1, swap
    place i with place x mod (i + 1).

    A number x at or above the largest multiple of i + 1 within 2^32 is thrown away, so every order is equally likely.
    """
    order = list(range(size))
    for i in range(size - 1, 0, -1):
        span = i + 1
        limit = (1 << 32) // span * span
        x = next(words)
        while x >= limit:
            x = next(words)
        j = x % span
        order[i], order[j] = order[j], order[i]
    return tuple(order)
