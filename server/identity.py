"""Guests: who somebody is without an account. A random token is the whole proof; the store knows its hash only."""

import hashlib
import unicodedata
from base64 import urlsafe_b64encode
from collections.abc import Callable
from typing import Final

from server.storage.base import Identity, Records

TOKEN_BYTES: Final = 32
#: Longest nickname, characters (``shared.protocol.Name``).
MAX_NAME: Final = 24
#: Longest label of a device, characters (``shared.protocol.devices.Label``).
MAX_LABEL: Final = 40
_MAX_MARKS: Final = 2


def token_hash(token: str) -> bytes:
    """Return what is stored of ``token``: its SHA-256. The token is random, so that nothing slower is needed."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def clean_name(name: str) -> str:
    """Return ``name`` as it may be shown, cut to ``MAX_NAME``; empty if nothing is left."""
    return clean_text(name, MAX_NAME)


def clean_text(text: str, most: int) -> str:
    """Return ``text`` as it may be shown: in composed form, without control, format and bidi characters, with single
    spaces and at most two combining marks in a row, cut to ``most`` characters; empty if nothing is left.
    """
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", text):
        category = unicodedata.category(char)
        if category.startswith("Z") or char in "\t\n\r":
            char = " "  # noqa: PLW2901 - every kind of space is one space
        elif category.startswith("C"):
            continue  # control, format (bidi overrides, zero width), surrogate, private, unassigned
        marks = marks + 1 if category.startswith("M") else 0
        if marks <= _MAX_MARKS:
            kept.append(char)
    return " ".join("".join(kept).split())[:most].strip()


class Guests:
    """Makes identities and knows them again. ``randbytes(n)`` returns n random bytes, ``wall_ms`` the time of day."""

    def __init__(self, records: Records, *, randbytes: Callable[[int], bytes], wall_ms: Callable[[], int]) -> None:
        self._records = records
        self._randbytes = randbytes
        self._wall_ms = wall_ms

    async def make(self, name: str | None, device: str | None = None) -> tuple[Identity, str]:
        """Make an identity; return it with its token, which nobody can be told again. ``device``: what has it."""
        token = urlsafe_b64encode(self._randbytes(TOKEN_BYTES)).rstrip(b"=").decode()
        shown = clean_name(name or "") or self._default_name()
        identity = Identity(identity=self._randbytes(8).hex(), name=shown, made_at=self._wall_ms() // 1000)
        await self._records.add_identity(identity, token_hash(token), clean_text(device or "", MAX_LABEL))
        return identity, token

    async def find(self, token: str) -> Identity | None:
        """Return whose token this is."""
        return await self._records.find_identity(token_hash(token))

    async def has(self, proof: bytes) -> bool:
        """Whether the token with this hash leads to somebody."""
        return await self._records.find_identity(proof) is not None

    async def rename(self, identity: Identity, name: str | None) -> Identity:
        """Return ``identity`` with the nickname ``name``, kept in the store; unchanged if ``name`` says nothing."""
        shown = clean_name(name or "")
        if not shown or shown == identity.name:
            return identity
        await self._records.rename(identity.identity, shown)
        return Identity(identity=identity.identity, name=shown, made_at=identity.made_at)

    def _default_name(self) -> str:
        return f"Guest {int.from_bytes(self._randbytes(4)) % 9000 + 1000}"
