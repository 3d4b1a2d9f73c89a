"""The computer players of the matches that this node has open: looks, waits, and plays by the same door as people.

A computer is played by the node of the newest connection of a person at its table; is there none, by the node that
took the match over; by any other only once that one is late. What two nodes play at once counts once, for both give it
the same number.
"""

from collections.abc import Callable, Container
from typing import Final

from msgspec import Struct

from server.facts import Computer, boot_of
from server.life import Life
from server.match.state import State
from server.ports import Clock, Timer
from server.room import Room
from shared.bots import Bot
from shared.protocol import Wish
from shared.table import AgreeEnd
from shared.view import view

#: A node that is not the one to play waits so much longer, ms.
LATE_MS: Final = 3000
#: After a play that was not taken, the next look comes so much later, ms.
AGAIN_MS: Final = 1000


class _Seat(Struct):
    """One computer in one game. ``flying``: a play of it is with the store."""

    bot: Bot
    game: int
    timer: Timer | None = None
    flying: bool = False


class Computers:
    """Plays the computers' seats. ``see`` is called whenever something changed in a match."""

    def __init__(self, find: Callable[[str], Room | None], clock: Clock, life: Life, adopted: Container[str]) -> None:
        """``adopted``: the matches that this node took over from a dead one."""
        self._find = find
        self._clock = clock
        self._life = life
        self._adopted = adopted
        self._seats: dict[str, _Seat] = {}
        self._stopped = False

    def see(self, room: Room) -> None:
        """Let the computer of ``room``, if it has one, look at its game."""
        state = room.state
        computer = state.computer
        if computer is None or self._stopped:
            return
        if not state.running:
            self.forget(room.match)
            return
        seat = self._seat(room.match, state, computer)
        if seat.flying:
            return
        if self._is_asked(state, seat.bot):
            self._play(room, seat, AgreeEnd(on=seat.bot.has_given_in))
            return
        position = state.position
        assert position is not None, "a game is running"  # noqa: S101
        number = seat.bot.seat
        seen = view(state.rules, position, number)
        due = seat.bot.look(state.rules, seen, room.now(), state.logs[number].n)
        self._arm(room, seat, due)

    def forget(self, match: str) -> None:
        """The game is over, or the room was let go."""
        seat = self._seats.pop(match, None)
        if seat is not None and seat.timer is not None:
            seat.timer.cancel()

    def stop(self) -> None:
        """Play no more."""
        self._stopped = True
        for match in list(self._seats):
            self.forget(match)

    def _seat(self, match: str, state: State, computer: Computer) -> _Seat:
        seat = self._seats.get(match)
        game = state.table.game
        if seat is None or seat.game != game:
            self.forget(match)
            bot = Bot(computer.level, len(state.logs) - 1, computer.chance(game))
            seat = self._seats[match] = _Seat(bot, game)
        return seat

    def _is_asked(self, state: State, bot: Bot) -> bool:
        """Whether the other offers to end the game: the computer agrees if it, too, sees no use in going on, and
        declines otherwise.
        """
        other, own = state.table.players[1 - bot.seat], state.table.players[bot.seat]
        offered = other is not None and other.agrees_end
        return bool(offered and own is not None and not own.agrees_end)

    def _arm(self, room: Room, seat: _Seat, due: int | None) -> None:
        if seat.timer is not None:
            seat.timer.cancel()
            seat.timer = None
        if due is not None:
            newest = room.state.logs[1 - seat.bot.seat].newest()
            own = room.match in self._adopted if newest is None else boot_of(newest) == self._life.boot
            late = 0 if own else LATE_MS
            delay = max(0, due - room.now()) + late
            seat.timer = self._clock.call_later(delay, lambda: self._act(room.match, seat))

    def _act(self, match: str, seat: _Seat) -> None:
        seat.timer = None
        room = self._find(match)
        if room is None or room.closed or self._seats.get(match) is not seat:
            return
        state = room.state
        if not state.running or state.position is None:
            return
        number = seat.bot.seat
        seen = view(state.rules, state.position, number)
        command = seat.bot.act(state.rules, seen, room.now(), state.logs[number].n)
        if command is None:
            self.see(room)
        else:
            self._play(room, seat, command)

    def _play(self, room: Room, seat: _Seat, wish: Wish) -> None:
        seat.flying = True
        before = room.state.logs[seat.bot.seat].n

        def done() -> None:
            seat.flying = False
            current = self._find(room.match)
            if current is None or current.closed:
                return
            if current.state.logs[seat.bot.seat].n > before:
                self.see(current)
            else:  # the store is away
                self._clock.call_later(AGAIN_MS, lambda: self._again(room.match))

        room.play_for_computer(seat.bot.seat, wish, done)

    def _again(self, match: str) -> None:
        room = self._find(match)
        if room is not None and not room.closed:
            self.see(room)
