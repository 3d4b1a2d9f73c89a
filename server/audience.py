"""Who sees a match on this node, and what each may see of an entry: encoded once per kind of viewer and codec."""

from collections import deque
from collections.abc import Iterable
from typing import Final

from server.match.arbiter import Folded
from server.match.state import State
from server.ports import Viewer
from shared import engine
from shared.codec import Codec
from shared.moves import Event, Legal
from shared.position import Position
from shared.protocol import LegalNow, MovedAway, Resumed, Snapshot, ToClient, Update
from shared.ruleset import Ruleset
from shared.view import redact, view

#: How many entries back a viewer may resume; before that he gets a snapshot.
KEPT: Final = 128
MAX_VIEWERS: Final = 500


class Watcher:
    """A viewer and what he is here. ``g``: number of the entry by which his connection plays ``seat``; ``playing``: it
    is the newest of the seat; ``legal``: he plays and asked for legal targets.
    """

    __slots__ = ("_asked", "g", "legal", "playing", "seat", "viewer")

    def __init__(self, viewer: Viewer, seat: int | None, g: int, *, playing: bool, legal: bool) -> None:
        self.viewer = viewer
        self.seat = seat
        self.g = g
        self._asked = legal
        self.set_playing(playing=playing)

    def set_playing(self, *, playing: bool) -> None:
        """He plays his seat from now on, or only watches it."""
        self.playing = playing
        self.legal = self._asked and playing

    def send(self, message: ToClient) -> None:
        """Send a message to him alone."""
        self.viewer.write(self.viewer.codec.encode(message))


class Audience:
    """The viewers of one match. A frame holds only what its reader may know: ``shared.view`` alone decides that."""

    def __init__(self) -> None:
        self.watchers: dict[str, Watcher] = {}
        self._kept: deque[tuple[Folded, Ruleset]] = deque(maxlen=KEPT)
        self._legal: list[tuple[Position, Legal] | None] = [None, None]

    def add(self, watcher: Watcher) -> None:
        """Let him see what comes from now on."""
        self.watchers[watcher.viewer.conn] = watcher

    def remove(self, conn: str) -> None:
        """Show him nothing any more."""
        self.watchers.pop(conn, None)

    def get(self, conn: str) -> Watcher | None:
        """Return who is here by ``conn``."""
        return self.watchers.get(conn)

    def legal(self, state: State, seat: int, at: int) -> Legal | None:
        """Return what ``seat`` may do now; kept while nothing that it depends on changes."""
        position = state.position
        if position is None:
            return None
        kept = self._legal[seat]
        if kept is not None and _same_for(kept[0], position, seat):
            return kept[1]
        found = engine.legal(state.rules, position, seat, at)
        if at >= position.seats[seat].wait_until:
            self._legal[seat] = (position, found)
        return found

    def keep(self, done: Iterable[tuple[Folded, Ruleset]]) -> None:
        """Keep entries that were folded before anybody looked, for those who resume."""
        self._kept.extend(done)

    def deliver(self, state: State, folded: Folded) -> None:
        """Show an entry to all who may see something of it, and keep it."""
        self._kept.append((folded, state.rules))
        frames: dict[tuple[int | None, bool, str], bytes | None] = {}
        for watcher in tuple(self.watchers.values()):  # a write may end in a detach
            codec = watcher.viewer.codec
            key = (watcher.seat, watcher.legal, codec.name)
            if key in frames:
                frame = frames[key]
            else:
                legal = watcher.legal and watcher.seat is not None and bool(folded.events or folded.table)
                targets = self.legal(state, watcher.seat or 0, folded.at) if legal else None
                frame = frames[key] = _frame(codec, folded, state.rules, watcher.seat, targets)
            if frame is not None:
                watcher.viewer.write(frame)

    def settle(self, state: State) -> None:
        """Tell a seat's older connections that they only watch; give one its seat back if the newer ones are gone."""
        for watcher in list(self.watchers.values()):
            if watcher.seat is None:
                continue
            log = state.logs[watcher.seat]
            watcher.g = log.conns.get(watcher.viewer.conn, watcher.g)
            newest = log.newest()
            if watcher.playing and newest not in {None, watcher.viewer.conn}:
                watcher.set_playing(playing=False)
                watcher.send(MovedAway())
            elif not watcher.playing and newest == watcher.viewer.conn:
                watcher.set_playing(playing=True)
                self.show(watcher, state, state.at)

    def show(self, watcher: Watcher, state: State, now: int, *, rewound: bool = False) -> None:
        """Send the whole match as he may see it."""
        seat = watcher.seat
        position = state.position
        legal = self.legal(state, seat, now) if watcher.legal and seat is not None else None
        snapshot = Snapshot(
            no=state.no,
            now=now,
            table=state.table,
            seat=seat,
            n=0 if seat is None else state.logs[seat].n,
            position=None if position is None else view(state.rules, position, seat),
            legal=legal,
            rewound=rewound,
        )
        watcher.send(snapshot)

    def resume(self, watcher: Watcher, since: int, state: State) -> bool:
        """Send what came after entry ``since``, the legal targets, and ``Resumed``; ``False`` if that is not kept, or
        the viewer may have had another seat then.
        """
        if since < max(1, state.seats_no, state.no - len(self._kept)) or since > state.no:
            return False
        for folded, rules in self._kept:
            if folded.no > since:
                frame = _frame(watcher.viewer.codec, folded, rules, watcher.seat, None)
                if frame is not None:
                    watcher.viewer.write(frame)
        legal = self.legal(state, watcher.seat, state.at) if watcher.legal and watcher.seat is not None else None
        if legal is not None:
            watcher.send(LegalNow(state.no, legal))
        watcher.send(Resumed(state.no, 0 if watcher.seat is None else state.logs[watcher.seat].n))
        return True

    def rewind(self, state: State, now: int) -> None:
        """Show everybody the whole match again: what was shown before may not hold."""
        for watcher in list(self.watchers.values()):
            self.show(watcher, state, now, rewound=True)

    def forget(self) -> None:
        """Keep no entry: what was shown does not hold any more."""
        self._kept.clear()
        self._legal = [None, None]

    def lines(self, seats: int) -> tuple[int | None, ...]:
        """Return, by seat, how long the way to its player and back took last (ms), as far as this node knows."""
        found: list[int | None] = [None] * seats
        for watcher in self.watchers.values():
            if watcher.seat is not None and watcher.playing:
                found[watcher.seat] = watcher.viewer.line_ms
        return tuple(found)

    def tell(self, message: ToClient) -> None:
        """Send one message to everybody."""
        frames: dict[str, bytes] = {}
        for watcher in tuple(self.watchers.values()):
            codec = watcher.viewer.codec
            frame = frames.get(codec.name)
            if frame is None:
                frame = frames[codec.name] = codec.encode(message)
            watcher.viewer.write(frame)


def _same_for(before: Position, now: Position, seat: int) -> bool:
    """Whether nothing changed that the seat's legal plays depend on."""
    if before is now:
        return True
    return (
        before.seats[seat] is now.seats[seat]
        and before.foundations is now.foundations
        and before.turn is now.turn
        and before.outcome is now.outcome
        and before.tally is now.tally
        and before.undo_depth == now.undo_depth
        and before.redo_depth == now.redo_depth
    )


def _frame(codec: Codec, folded: Folded, rules: Ruleset, seat: int | None, legal: Legal | None) -> bytes | None:
    """Return the update for ``seat`` (``None``: a spectator), or ``None`` if it may see nothing of the entry."""
    events: tuple[Event, ...] = ()
    if folded.events:
        shown = [redact(rules, event, seat) for event in folded.events]
        events = tuple([event for event in shown if event is not None])
    own = folded.seat is not None and folded.seat == seat
    if not (events or folded.table is not None or own or folded.race is not None):
        return None
    refusal = folded.refusal if own else None
    update = Update(folded.no, folded.at, events, folded.seat, folded.n, refusal, folded.table, legal, folded.race)
    return codec.encode(update)
