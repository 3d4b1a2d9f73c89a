"""Solo games that wait for their player: noted in the store, so that his other devices can go on with them."""

from collections.abc import Callable, Coroutine
from typing import Final

import msgspec
from msgspec import Struct

from server.match.state import State
from server.ports import Clock
from server.storage.base import Records
from shared.terms import Terms


class Note(Struct, frozen=True, omit_defaults=True):
    """A game that waits. ``at``: wall time of the last play known, ms; ``moves``: its moves then."""

    terms: Terms
    at: int
    moves: int


encode_note: Final = msgspec.msgpack.Encoder().encode
decode_note: Final = msgspec.msgpack.Decoder(Note).decode


class Waiting:
    """Notes a solo game at its first move and whenever its player goes, and forgets it at its end."""

    def __init__(
        self, records: Records, clock: Clock, spawn: Callable[[Coroutine[object, object, None]], None]
    ) -> None:
        self._records = records
        self._clock = clock
        self._spawn = spawn
        self._noted: dict[str, int] = {}

    def see(self, state: State) -> None:
        """Look whether the game is to be noted. One that was won is not, though it is played again."""
        player = state.table.players[0]
        tally = None if state.position is None else state.position.tally
        if player is None or tally is None or not state.running or state.table.games:
            return
        match, noted = state.table.match, self._noted.get(state.table.match, 0)
        if tally.moves and (not noted or (tally.moves != noted and not player.present)):
            self._noted[match] = tally.moves
            note = Note(state.table.terms, self._clock.wall_ms(), tally.moves)
            self._spawn(self._records.note_game(player.identity, match, encode_note(note)))

    def forget(self, match: str) -> None:
        """The room was let go."""
        self._noted.pop(match, None)

    async def ended(self, state: State) -> None:
        """The game waits no more."""
        await self._records.forget_game(state.owner, state.table.match)
