"""The devices of an identity: one-time codes that bring it to another, and taking a device away.

A code is random, good for ten minutes and once, and kept as its hash only; so is a token. The token of a new device is
made by that device and comes with the code: saying both again is the same as saying them once.
"""

from base64 import urlsafe_b64encode
from collections.abc import Callable, Sequence
from typing import Final, Literal

import segno
import structlog

from server.identity import MAX_LABEL, clean_text, token_hash
from server.storage.base import Identity, Records
from server.storage.keeping import MAX_TOKENS, Move, TokenNote
from shared.protocol import Failed
from shared.protocol.devices import (
    AskDevices,
    AskMove,
    Device,
    Devices,
    DevicesAnswer,
    DropDevice,
    MoveOf,
    MoveOffered,
    OfferMove,
    QrCode,
    ToDevices,
)

_log: Final = structlog.get_logger("devices")

#: A code is good for so long, s.
MOVE_SECONDS: Final = 600
CODE_BYTES: Final = 16
_ID_DIGITS: Final = 16
_QUIET_ZONE: Final = 4

_Code = Literal["no_such_move", "move_used", "move_expired"]
_WORDS: Final[dict[_Code, str]] = {
    "no_such_move": "this link leads nowhere: it is not whole, or a newer one took its place",
    "move_used": "this link was used already; have a new one made",
    "move_expired": "this link is too old; have a new one made",
}
_TOO_MANY: Final = f"an identity has {MAX_TOKENS} devices at most; take one away first"


class NotMoved(Exception):
    """A one-time code did not bring its identity here; ``failed`` says why."""

    def __init__(self, failed: Failed) -> None:
        super().__init__(failed.message)
        self.failed = failed


class DeviceDesk:
    """Answers what connections ask about devices."""

    def __init__(
        self,
        records: Records,
        *,
        randbytes: Callable[[int], bytes],
        wall_ms: Callable[[], int],
    ) -> None:
        self._records = records
        self._randbytes = randbytes
        self._wall_ms = wall_ms
        self._close: Callable[[bytes], None] = lambda _: None

    def on_drop(self, close: Callable[[bytes], None]) -> None:
        """Have ``close`` end the open connections of the token with the hash that it is given."""
        self._close = close

    async def take(self, code: str, token: str, label: str | None) -> Identity:
        """Let ``token``, new and made by its device, lead to the identity of ``code``; return that identity. A token
        that leads somewhere already stays as it is, and the code too: the same was said before.

        Raises:
            NotMoved: the code is unknown, used or too old, or there are too many devices.
            StoreError: the store is away.
        """
        records = self._records
        mine = token_hash(token)
        known = await records.find_identity(mine)
        if known is not None:
            return known
        now = self._now()
        move = self._good(await records.find_move(token_hash(code)), now)
        if len(await records.tokens(move.identity)) >= MAX_TOKENS:
            raise NotMoved(Failed(code="too_many", message=_TOO_MANY, field="move"))
        note = TokenNote(mine, clean_text(label or "", MAX_LABEL), now)
        taken = await records.take_move(token_hash(code), now, note)
        known = await records.find_identity(mine)
        if known is None:  # another was faster, or said the same twice at once and was answered there
            self._good(taken, now)
            raise NotMoved(_failed("no_such_move"))
        _log.info("an identity has a device more", identity=known.identity)
        return known

    async def answer(self, identity: str, mine: bytes, question: ToDevices) -> DevicesAnswer | Failed:
        """Answer a connection of ``identity`` whose token has the hash ``mine``. A device that was taken away, be it on
        another node, learns and changes nothing: its connections are closed.

        Raises:
            StoreError: the store is away.
        """
        if isinstance(question, AskMove):
            return await self._whose(identity, question)
        notes = await self._records.tokens(identity)
        if not _among(notes, mine):
            return self._gone(mine, question.ask)
        if isinstance(question, AskDevices):
            return _list(notes, mine, question.ask)
        if isinstance(question, OfferMove):
            return await self._offer(identity, mine, question, len(notes))
        return await self._drop(identity, mine, question, notes)

    def _gone(self, mine: bytes, ask: int) -> Failed:
        self._close(mine)
        return Failed(code="bad_token", message="this device was taken away", field="token", ask=ask)

    async def _offer(self, identity: str, mine: bytes, question: OfferMove, count: int) -> MoveOffered | Failed:
        if count >= MAX_TOKENS:
            return Failed(code="too_many", message=_TOO_MANY, ask=question.ask)
        code = urlsafe_b64encode(self._randbytes(CODE_BYTES)).rstrip(b"=").decode()
        await self._records.offer_move(token_hash(code), identity, self._now() + MOVE_SECONDS)
        if not _among(await self._records.tokens(identity), mine):  # taken away meanwhile: its way back is closed
            await self._withdraw(identity)
            return self._gone(mine, question.ask)
        qr = None if question.origin is None else qr_code(f"{question.origin}/move#{code}")
        return MoveOffered(question.ask, code, MOVE_SECONDS * 1000, qr)

    async def _whose(self, identity: str, question: AskMove) -> MoveOf | Failed:
        try:
            move = self._good(await self._records.find_move(token_hash(question.code)), self._now())
        except NotMoved as error:
            return Failed(code=error.failed.code, message=error.failed.message, field="code", ask=question.ask)
        owner = await self._records.identity(move.identity)
        name = "" if owner is None else owner.name
        return MoveOf(question.ask, name, own=move.identity == identity)

    async def _withdraw(self, identity: str) -> None:
        """Let the code that was offered last lead nowhere."""
        await self._records.offer_move(token_hash(self._randbytes(CODE_BYTES).hex()), identity, 0)

    async def _drop(
        self, identity: str, mine: bytes, question: DropDevice, notes: Sequence[TokenNote]
    ) -> Devices | Failed:
        dropped = next((note for note in notes if _id(note) == question.device), None)
        if dropped is None:
            words = "there is no such device here, or it was taken away already"
            return Failed(code="no_such_device", message=words, field="device", ask=question.ask)
        if len(notes) == 1:
            words = "the last device cannot be taken away: nobody could be this player again"
            return Failed(code="last_device", message=words, field="device", ask=question.ask)
        await self._records.drop_token(identity, dropped.hash)
        await self._withdraw(identity)  # it may be that device's, and would bring it back
        _log.info("an identity has a device less", identity=identity)
        self._close(dropped.hash)
        return _list([note for note in notes if note is not dropped], mine, question.ask)

    def _good(self, move: Move | None, now: int) -> Move:
        if move is None:
            raise NotMoved(_failed("no_such_move"))
        if now >= move.until:
            raise NotMoved(_failed("move_used" if move.until == 0 else "move_expired"))
        return move

    def _now(self) -> int:
        return self._wall_ms() // 1000


def qr_code(text: str) -> QrCode:
    """Return ``text`` as a QR code (error correction M, quiet zone of four modules)."""
    code = segno.make_qr(text, error="m")
    rows = tuple(bytes(row) for row in code.matrix_iter(border=_QUIET_ZONE))
    strokes = "".join(f"M{start} {y}.5h{length}" for y, row in enumerate(rows) for start, length in _runs(row))
    return QrCode(size=len(rows), path=strokes)


def _runs(row: bytes) -> list[tuple[int, int]]:
    """The dark runs of a row: (start, length)."""
    runs: list[tuple[int, int]] = []
    for x, dark in enumerate(row):
        if dark and runs and sum(runs[-1]) == x:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        elif dark:
            runs.append((x, 1))
    return runs


def _among(notes: Sequence[TokenNote], mine: bytes) -> bool:
    return any(note.hash == mine for note in notes)


def _list(notes: Sequence[TokenNote], mine: bytes, ask: int) -> Devices:
    rows = (Device(_id(note), note.label, note.made_at, note.hash == mine) for note in notes)
    return Devices(ask, tuple(rows), MAX_TOKENS)


def _id(note: TokenNote) -> str:
    """How a device is called in lists: the first digits of its token's hash."""
    return note.hash.hex()[:_ID_DIGITS]


def _failed(code: _Code) -> Failed:
    return Failed(code=code, message=_WORDS[code], field="move")
