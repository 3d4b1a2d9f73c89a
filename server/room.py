"""The shell of one match on this node: who comes and goes, what they play and ask."""

from collections.abc import Callable
from functools import partial
from typing import Final, Literal

import structlog
from msgspec.structs import replace

from server.audience import MAX_VIEWERS, Audience, Watcher
from server.facts import Entry, GivenUp, Gone, GoneNode, Here, Hinted, Sit, TurnedDown, Wished, boot_of
from server.follow import Follower, Services
from server.match import games, presence
from server.match.state import State
from server.ports import NO_SUCH_MATCH, Advisor, Timer, Viewer
from server.storage.base import Appended, AppendResult, NotAppended
from shared.moves import Move, Refusal, UseHint
from shared.protocol import Failed, Hint, Join, LegalNow, MovedAway, Play, Refused, Wish

_log: Final = structlog.get_logger("room")

#: A seat counts as away so long after its last socket's end, ms.
GONE_MS: Final = 2000
#: Refusals that the illegal-move penalty does not count, so that they leave no trace in the log.
_UNCOUNTED: Final = frozenset({"waiting", "game_over", "not_started"})

_MOVED_AWAY: Final = Refusal("moved_away")
_UNAVAILABLE: Final = Refusal("unavailable")
_TOO_FAST: Final = Refusal("too_fast")


class Room:
    """One match. See ``server.ports.RoomPort`` for what each call promises."""

    def __init__(self, match: str, services: Services) -> None:
        self.match = match
        self.audience = Audience()
        self.log = Follower(match, services, self.audience)
        self._services = services
        self._entering: dict[str, tuple[Viewer, Join]] = {}
        self._leaving: dict[str, Timer] = {}
        self._hinting = False
        self._told: Hint | None = None  # the one that was counted last

    @property
    def state(self) -> State:
        """The match as it stands."""
        return self.log.state

    @property
    def closed(self) -> bool:
        """Its log could not be followed any more, or the node let it go."""
        return self.log.status == "closed"

    @property
    def is_quiet(self) -> bool:
        """Nobody looks at it here or is on his way in or out, and nothing is being written."""
        busy = self.audience.watchers or self._entering or self._leaving or self.log.pending
        return not busy and self.log.status == "open"

    @property
    def is_idle(self) -> bool:
        """It is quiet, and no deadline runs."""
        return self.is_quiet and self.log.arbiter.next_deadline() is None

    def boots(self) -> frozenset[str]:
        """Return the nodes that the players' connections came to."""
        return frozenset(boot_of(conn) for log in self.state.logs for conn in log.conns)

    def now(self) -> int:
        """Play time of the match, ms."""
        return self.log.now()

    def lines(self) -> tuple[int | None, ...]:
        """By seat, how long the way to its player and back took last, ms."""
        state = self.state
        return () if state.solo else self.audience.lines(len(state.logs))

    def turn_down(self, seat: int, done: Callable[[AppendResult], None]) -> None:
        """Say that ``seat`` does not want a match to which the lobby called."""
        self.log.append(TurnedDown(seat), done)

    def give_up(self, seat: int, done: Callable[[AppendResult], None]) -> None:
        """Give up the solo game of ``seat``; of rules that know no such thing nothing is written."""
        if self.state.version >= games.CAN_GIVE_UP:
            self.log.append(GivenUp(seat), done)
        else:
            done(NotAppended("stale"))

    # Coming and going.

    def attached(self, viewer: Viewer) -> bool:
        """Whether the viewer is here, or on his way in."""
        return viewer.conn in self.audience.watchers or viewer.conn in self._entering

    def attach(self, viewer: Viewer, join: Join) -> None:
        """Let the viewer in; his seat is taken up by an entry first."""
        conn = viewer.conn
        self.audience.remove(conn)
        leaving = self._leaving.pop(conn, None)
        if leaving is not None:
            leaving.cancel()
        if self.log.status != "open":
            _fail(viewer, "unavailable", "this match cannot be entered now; join again")
            return
        state = self.state
        seat = state.seat_of(viewer.identity)
        if seat is not None:
            self._take_up(viewer, join, seat)
        elif state.solo:
            viewer.write(viewer.codec.encode(NO_SUCH_MATCH))
        elif not join.watch and state.free_seat() is not None and state.table.phase == "gathering":
            self._enter(viewer, join, Sit(viewer.identity, viewer.name, conn))
        elif len(self.audience.watchers) >= MAX_VIEWERS:
            _fail(viewer, "room_full", "too many are watching")
        else:
            self._admit(viewer, join)

    def _take_up(self, viewer: Viewer, join: Join, seat: int) -> None:
        if self.state.logs[seat].newest() == viewer.conn and not self.log.pending:
            self._admit(viewer, join)
        elif not presence.may_arrive(self.state, seat, viewer.conn):
            _fail(viewer, "too_many", "this seat has too many connections")
        else:
            wall_ms = self._services.clock.wall_ms()
            self._enter(viewer, join, Here(seat, viewer.conn, viewer.name, wall_ms, viewer.offset))

    def _enter(self, viewer: Viewer, join: Join, entry: Entry) -> None:
        self._entering[viewer.conn] = (viewer, join)

        def done(answer: AppendResult) -> None:
            entering = self._entering.get(viewer.conn)
            if entering is None or entering[1] is not join:
                return
            del self._entering[viewer.conn]
            if not isinstance(answer, Appended) or self.log.status != "open":
                _fail(viewer, "unavailable", "the store is away; join again")
                return
            try:
                self._admit(viewer, join)
            except Exception:  # noqa: BLE001 - nobody else is to notice
                _log.exception("fault", match=self.match, conn=viewer.conn)
                self.audience.remove(viewer.conn)
                _fail(viewer, "internal", "a fault of the server; it is logged")

        self.log.append(entry, done)

    def _admit(self, viewer: Viewer, join: Join) -> None:
        """Register and answer, with no wait in between: nothing is missed, nothing comes twice."""
        state = self.state
        seat = state.seat_of(viewer.identity)
        g = 0 if seat is None else state.logs[seat].conns.get(viewer.conn, 0)
        playing = seat is not None and g != 0 and state.logs[seat].newest() == viewer.conn
        watcher = Watcher(viewer, seat, g, playing=playing, legal=join.legal)
        self.audience.add(watcher)
        if join.since is None or not self.audience.resume(watcher, join.since, state):
            rewound = join.since is not None and join.since > state.no
            self.audience.show(watcher, state, self.now(), rewound=rewound)
        if seat is not None and not playing:  # a newer connection came in the same breath, or there are too many
            watcher.send(MovedAway())

    def detach(self, viewer: Viewer, *, left: bool = False) -> None:
        """Show him nothing more; two seconds later his seat's connection is gone, at once if he said so (``left``)."""
        conn = viewer.conn
        entering = self._entering.pop(conn, None)
        watcher = self.audience.get(conn)
        self.audience.remove(conn)
        if self.closed or conn in self._leaving or (entering is None and (watcher is None or watcher.seat is None)):
            return
        if left:
            self.log.append(Gone(conn, left=True))
            return
        self._leaving[conn] = self._services.clock.call_later(GONE_MS, lambda: self._gone(conn))

    def _gone(self, conn: str) -> None:
        if self._leaving.pop(conn, None) is not None and not self.closed:
            self.log.append(Gone(conn))

    def end_strays(self, boot: str) -> None:
        """Say of this node's connections that are not here any more that they are gone: the store was away when it was
        to be said, or took up what came to it only then. ``boot``: the node's life.
        """
        here = self.audience.watchers.keys() | self._entering.keys() | self._leaving.keys()
        for conn in [conn for log in self.state.logs for conn in log.conns if conn not in here]:
            if boot_of(conn) == boot:
                self._leaving[conn] = self._services.clock.call_later(GONE_MS, partial(self._gone, conn))

    def end_nodes(self, dead: frozenset[str]) -> None:
        """Say of the connections of ``dead`` nodes that they are gone."""
        for boot in sorted(self.boots() & dead):
            self.log.append(GoneNode(boot))

    def close(self) -> None:
        """Follow the log no more, let the viewers go."""
        self.log.close()
        for timer in self._leaving.values():
            timer.cancel()
        self._leaving.clear()
        gone = Failed("unavailable", "this match is closed here; join again")
        self.audience.tell(gone)
        self.audience.watchers.clear()
        for viewer, _ in self._entering.values():
            viewer.write(viewer.codec.encode(gone))
        self._entering.clear()

    # Playing.

    def play(self, viewer: Viewer, play: Play) -> None:
        """Judge early what is surely refused; append all else, for the log to decide."""
        watcher = self.audience.get(viewer.conn)
        if watcher is None and viewer.conn in self._entering:
            viewer.write(viewer.codec.encode(Refused(play.n, Refusal("not_now"))))
        elif watcher is None or watcher.seat is None:
            _fail(viewer, "not_your_seat", "you only watch this match")
        elif not watcher.playing:
            watcher.send(Refused(play.n, _MOVED_AWAY))
        elif play.n <= self.state.logs[watcher.seat].n:
            return  # sent again, and answered before
        elif not presence.may_write(self.state, watcher.seat):
            watcher.send(Refused(play.n, _TOO_FAST))
        elif (refusal := self._judge(watcher.seat, play)) is not None:
            watcher.send(Refused(play.n, refusal))
        else:
            self._submit(watcher, watcher.seat, play)

    def play_for_computer(self, seat: int, wish: Wish, done: Callable[[], None]) -> None:
        """Take a wish of the computer on ``seat``, as ``play`` does; ``done`` is called once it is folded, or was not
        taken.
        """
        state = self.state
        log = state.logs[seat]
        play = Play(log.n + 1, state.no, wish)
        refusal = self._judge(seat, play)
        if refusal is not None:
            _log.error("computer refused", match=self.match, wish=wish, code=refusal.code)
            done()
            return
        entry = Wished(seat, log.g, play.n, play.seen, wish, state.no, state.digest)
        self.log.append(entry, lambda _: done())

    def _judge(self, seat: int, play: Play) -> Refusal | None:
        """Return the refusal of a play that leaves no trace: only with nothing queued, and nothing unseen here."""
        arbiter = self.log.arbiter
        if self.log.status == "closed":
            return _UNAVAILABLE
        if self.log.pending or arbiter.head < play.seen or self.log.status == "frozen":
            return None
        now = self.log.now()
        if self.log.due is not None and self.log.due <= now:
            return None
        refusal = arbiter.refuse(seat, play.do, play.seen, now)
        if refusal is None or refusal.code == "overtaken":  # who was first is told to both, and kept
            return None
        counts = self.state.rules.penalty and isinstance(play.do, Move) and refusal.code not in _UNCOUNTED
        return None if counts else refusal

    def _submit(self, watcher: Watcher, seat: int, play: Play) -> None:
        state = self.state
        entry = Wished(seat, watcher.g, play.n, min(play.seen, state.no), play.do, state.no, state.digest)

        def done(answer: AppendResult) -> None:
            if isinstance(answer, NotAppended) and self.audience.get(watcher.viewer.conn) is watcher:
                _log.warning("play not taken", match=self.match, why=answer.why)
                watcher.send(Refused(play.n, _UNAVAILABLE))

        self.log.append(entry, done)

    # Asking.

    def ask_legal(self, viewer: Viewer) -> None:
        """Answer with the legal targets."""
        watcher = self.audience.get(viewer.conn)
        if watcher is None or watcher.seat is None:
            _fail(viewer, "not_your_seat", "you only watch this match")
            return
        legal = self.audience.legal(self.state, watcher.seat, self.now())
        if legal is None:
            watcher.send(Refused(0, Refusal("not_started")))
        else:
            watcher.send(LegalNow(self.state.no, legal))

    def ask_snapshot(self, viewer: Viewer) -> None:
        """Answer with the whole match."""
        watcher = self.audience.get(viewer.conn)
        if watcher is not None:
            self.audience.show(watcher, self.state, self.now())

    def ask_hint(self, viewer: Viewer) -> None:
        """Answer with a hint once the advisor has one; a refusal has the number 0."""
        watcher = self.audience.get(viewer.conn)
        if watcher is None or watcher.seat is None or not watcher.playing:
            _fail(viewer, "not_your_seat", "you only watch this match")
            return
        advisor = self._services.advisor
        again = games.is_hinted(self.state)
        if again and self._told is not None:
            watcher.send(self._counted(self._told))
            return
        refusal = None if again else self.log.arbiter.refuse(watcher.seat, UseHint(), self.state.no, self.now())
        if refusal is None and self._hinting:  # one search a game, and two taps are one hint
            refusal = Refusal("not_now")
        if refusal is None and advisor is not None:
            self._hinting = True
            self._services.spawn(self._hint(watcher, watcher.seat, advisor))
        else:
            watcher.send(Refused(0, refusal or Refusal("no_hints")))

    async def _hint(self, watcher: Watcher, seat: int, advisor: Advisor) -> None:
        """Ask the advisor; the hint counts in the log before it is shown. A game that went on meanwhile gets none."""
        position = self.state.position
        try:
            hint = Hint() if position is None else await advisor.hint(self.state.rules, position, self.now())
        except Exception:
            _fail(watcher.viewer, "internal", "a fault of the server; it is logged")
            raise
        finally:
            self._hinting = False

        def counted(answer: AppendResult) -> None:
            self._hinting = False
            self._told = hint if isinstance(answer, Appended) else None
            watcher.send(self._counted(hint) if isinstance(answer, Appended) else Refused(0, _UNAVAILABLE))

        if self.closed or self.state.position is not position:
            watcher.send(Refused(0, Refusal("not_now")))
        elif hint.card is None and hint.do is None:
            watcher.send(self._counted(hint))
        else:
            self._hinting = True
            self.log.append(Hinted(seat), counted)

    def _counted(self, hint: Hint) -> Hint:
        rules, position = self.state.rules, self.state.position
        used = 0 if position is None or position.tally is None else position.tally.hints
        left = None if rules.hints is None else max(0, rules.hints - used)
        return replace(hint, left=left)


def _fail(
    viewer: Viewer,
    code: Literal["room_full", "not_your_seat", "too_many", "unavailable", "internal"],
    message: str,
) -> None:
    viewer.write(viewer.codec.encode(Failed(code, message)))
