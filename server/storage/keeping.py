"""What a store keeps beside the matches: guests and their tokens, results, the books that are folded from them."""

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from msgspec import Struct

#: Most tokens (devices) of one identity: one more lets its oldest go.
MAX_TOKENS: Final = 20
#: Most solo games that wait for one identity: one more lets the oldest note go (not the game).
MAX_GAMES: Final = 100


class Identity(Struct, frozen=True):
    """A guest. ``made_at``: wall time, seconds since the epoch."""

    identity: str
    name: str
    made_at: int


class TokenNote(Struct, frozen=True):
    """A token of an identity: one device. ``hash``: its SHA-256. ``made_at``: wall time, seconds since the epoch."""

    hash: bytes
    label: str
    made_at: int


class Move(Struct, frozen=True):
    """A one-time code that gives a token of ``identity`` to whoever brings it before ``until`` (wall time, seconds);
    ``until`` 0: it was used.
    """

    identity: str
    until: int


class Records(Protocol):
    """Identities and results. ``results`` is one log, a match once; books are folds of it.

    Each call raises ``StoreAway`` if it was never handed to the store.
    """

    async def add_identity(self, identity: Identity, token_hash: bytes, label: str = "") -> None:
        """Keep a new identity; only the SHA-256 of its token is stored. ``label``: of the device that has the token."""
        ...

    async def find_identity(self, token_hash: bytes) -> Identity | None:
        """Return the identity of the token with this hash."""
        ...

    async def identity(self, identity: str) -> Identity | None:
        """Return the identity with this id."""
        ...

    async def rename(self, identity: str, name: str) -> None:
        """Give ``identity`` another nickname."""
        ...

    # Devices.

    async def add_token(self, identity: str, token: TokenNote) -> bool:
        """Let one more token lead to ``identity``; ``False`` if there is no such identity."""
        ...

    async def tokens(self, identity: str) -> tuple[TokenNote, ...]:
        """Return the tokens that lead to ``identity``, oldest first, the one of ``add_identity`` included."""
        ...

    async def drop_token(self, identity: str, token_hash: bytes) -> bool:
        """Let a token of ``identity`` lead nowhere; ``False`` if it is none of its."""
        ...

    async def offer_move(self, code_hash: bytes, identity: str, until: int) -> None:
        """Keep a one-time code, by its SHA-256, that gives a token of ``identity`` to whoever brings it before
        ``until`` (wall time, seconds). It takes the place of an earlier one of this identity.
        """
        ...

    async def find_move(self, code_hash: bytes) -> Move | None:
        """Return what a one-time code leads to, be it used or too old, for a day at least; ``None``: there is no such
        code, or a later one took its place.
        """
        ...

    async def take_move(self, code_hash: bytes, now: int, token: TokenNote) -> Move | None:
        """Use up a one-time code at ``now`` (wall time, seconds) and let ``token`` lead to its identity, in one step.
        Return what ``find_move`` would have returned before; with ``now`` not before ``until`` nothing was done.
        """
        ...

    # Solo games that can be gone on with.

    async def note_game(self, identity: str, match: str, note: bytes) -> None:
        """Remember that ``match`` of ``identity`` waits; what was noted of it before is replaced, its place kept."""
        ...

    async def forget_game(self, identity: str, match: str) -> None:
        """Forget ``match``: it ended."""
        ...

    async def games_of(self, identity: str) -> tuple[tuple[str, bytes], ...]:
        """Return (match, note) of the games that wait, the newest first."""
        ...

    # Results and what is folded from them.

    async def add_result(self, match: str, result: bytes) -> bool:
        """Append the result of ``match``; ``False`` if it is there already."""
        ...

    async def results(self, after: int, limit: int = 1000) -> tuple[tuple[int, str, bytes], ...]:
        """Return (number, match, result) of the results after number ``after``."""
        ...

    async def drop_books(self) -> None:
        """Forget all books, so that they can be made anew from the results."""
        ...

    async def books(self, keys: Sequence[str]) -> dict[str, bytes]:
        """Return those books of ``keys`` that there are."""
        ...

    async def books_no(self) -> int:
        """Return the number of the last result that the books hold, 0 at first."""
        ...

    async def keep_books(self, after: int, no: int, books: Mapping[str, bytes]) -> bool:
        """Replace ``books`` and let them hold the results up to ``no``, in one step, only if they held those up to
        ``after``; ``False``: another was faster, nothing was done.
        """
        ...

    # Secrets of the server.

    async def secret(self, name: str, candidate: bytes) -> bytes:
        """Return the secret ``name``: the first ``candidate`` that was ever handed in for it."""
        ...
