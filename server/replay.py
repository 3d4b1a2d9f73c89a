"""Finished matches as files: read, folded again, and held to the rules and to their deals."""

from collections.abc import Iterator
from typing import Final, get_args

import msgspec
from msgspec import Struct

from server.archive import VERSION, Archive, Replayed, decode_archive
from shared import fair, stuck
from shared.cards import card_name
from shared.deals import CodeError, deck_for_code, parse_code
from shared.engine import Step, apply, evolve, refuse, start
from shared.moves import (
    Command,
    Draw,
    Drawn,
    Ended,
    Event,
    Finish,
    Move,
    Moved,
    Recycle,
    Recycled,
    Redo,
    Restored,
    Tallied,
    Target,
    Undo,
)
from shared.position import Position, Seat
from shared.ruleset import Ruleset, ruleset
from shared.table import GameResult
from shared.terms import DuelTerms

_decode_json: Final = msgspec.json.Decoder(Archive).decode


class ReplayError(ValueError):
    """The file is no replay; the text says what was expected."""


class Report(Struct, frozen=True):
    """What a check found. ``lines``: what happened, in words; ``problems``: what is wrong with it, empty if nothing."""

    lines: tuple[str, ...]
    problems: tuple[str, ...]


def read_archive(data: bytes) -> Archive:
    """Read a replay, JSON or MessagePack.

    Raises:
        ReplayError: it is none, or of a version that this program does not know.
    """
    try:
        archive = _decode_json(data) if data.lstrip()[:1] == b"{" else decode_archive(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise ReplayError(f"expected a replay: {error}") from error
    if archive.version != VERSION:
        raise ReplayError(f"version: expected {VERSION}, got {archive.version}")
    return archive


def check_deals(archive: Archive) -> tuple[str, ...]:
    """Return what is wrong with the deals of a duel: each must follow from its seed, that from what was shown."""
    terms = archive.table.terms
    if not isinstance(terms, DuelTerms):
        return ()
    problems: list[str] = []
    dealt = _deals(archive)
    for number, game in enumerate(archive.table.games, 1):
        position = next(dealt, None)
        seen = () if position is None else tuple(deal_order(seat) for seat in position.seats)
        found = fair.check_deal(game.commitment, game.seed, game.nonces, mirror=terms.mirror, seen=seen)
        problems += [f"game {number}: {problem}" for problem in found]
    return tuple(problems)


def deal_order(seat: Seat) -> tuple[int, ...]:
    """Return the cards of a freshly dealt seat in deal order (docs/rules.md, the deal), then its stock."""
    rows = range(max(map(len, seat.columns), default=0))
    dealt = [column[row] for row in rows for column in seat.columns if row < len(column)]
    return (*dealt, *seat.stock)


def _deals(archive: Archive) -> Iterator[Position]:
    for entry in archive.entries:
        for event in entry.events:
            if isinstance(event, Restored) and event.step == 0:
                yield event.position


def check(archive: Archive) -> Report:
    """Fold the match again: every play must be legal where it was made, every end as it is written down."""
    fold = _Fold(archive)
    for entry in archive.entries:
        fold.take(entry)
    return Report(tuple(fold.lines), (*fold.problems, *check_deals(archive)))


class _Fold:
    def __init__(self, archive: Archive) -> None:
        self.lines: list[str] = []
        self.problems: list[str] = []
        self._rules: Ruleset = ruleset(archive.table.terms)
        self._deal = archive.table.deal_code
        self._games: tuple[GameResult, ...] = archive.table.games
        self._ended = 0
        self._position: Position | None = None
        self._proofs = {proof.k for game in archive.table.games for proof in game.proofs}
        self._then: dict[int, Position] = {}

    def take(self, entry: Replayed) -> None:
        words = []
        for k in [k for k in self._proofs if k < entry.no]:
            self._proofs.remove(k)
            if self._position is not None:
                self._then[k] = self._position
        if self._rules.tempo == "solo":
            self._check_solo(entry)
        for event in entry.events:
            words.append(event_text(event))
            self._check(entry, event)
            self._evolve(entry, event)
        if entry.refusal is not None:
            words.append(f"refused: {entry.refusal.code}")
        who = "" if entry.seat is None else f"seat {entry.seat}: "
        self.lines.append(f"{entry.no:>5} {entry.at / 1000:>9.3f} s  {who}{', '.join(filter(None, words))}")

    def _check_solo(self, entry: Replayed) -> None:
        """A solo game is played again: its deal follows from its code, every count and score from what was played."""
        first = entry.events[0] if entry.events else None
        if isinstance(first, Restored) and first.step == 0:
            if self._deal is not None and not _is_deal(self._rules, self._deal, first.position):
                self.problems.append(f"entry {entry.no}: the deal is not that of {self._deal}")
            return
        command = _solo_command(entry.events)
        if command is None or self._position is None:
            return
        done = apply(self._rules, self._position, 0, command, entry.at)
        if isinstance(done, Step) and done.events != entry.events:
            self.problems.append(f"entry {entry.no}: what was counted does not follow from what was played")

    def _check(self, entry: Replayed, event: Event) -> None:
        position = self._position
        command = _command(event)
        if position is None or command is None or not isinstance(event, Moved | Drawn | Recycled):
            return
        refusal = refuse(self._rules, position, event.seat, command, entry.at)
        if refusal is not None:
            self.problems.append(f"entry {entry.no}: {event_text(event)} was not legal ({refusal.code})")

    def _evolve(self, entry: Replayed, event: Event) -> None:
        try:
            if isinstance(event, Restored) and event.step == 0:
                self._position = event.position
            elif self._position is None:
                self.problems.append(f"entry {entry.no}: {event_text(event)} before any deal")
            else:
                self._position = evolve(self._position, event)
        except (LookupError, ValueError, TypeError) as error:
            self.problems.append(f"entry {entry.no}: {event_text(event)} does not fit the position ({error})")
        if isinstance(event, Ended):
            game = self._games[self._ended] if self._ended < len(self._games) else None
            self._ended += 1
            if game is None or game.outcome != event.outcome:
                self.problems.append(
                    f"game {self._ended}: it ended {event.outcome.reason}, written down is another end"
                )
            elif game.outcome.reason == "both_stuck":
                self._prove(game)

    def _prove(self, game: GameResult) -> None:
        """Search again: each seat that has cards left must be stuck, from its proof's entry on."""
        now = self._position
        proven = {proof.seat: self._then.get(proof.k) for proof in game.proofs}
        for seat, own in enumerate(now.seats if now is not None else ()):
            then = proven.get(seat)
            if now is None or not any((own.stock, own.waste, *own.columns)):
                continue
            if then is None or then.foundations != now.foundations or stuck.search(self._rules, then, seat) is not True:
                self.problems.append(f"game {self._ended}: seat {seat} is not proven stuck")


def _is_deal(rules: Ruleset, code: str, position: Position) -> bool:
    """Whether the cards of ``position`` are dealt from ``code``."""
    try:
        deck = deck_for_code(parse_code(code))
    except CodeError:
        return False
    dealt = start(rules, (deck,))
    return (position.seats, position.foundations) == (dealt.seats, dealt.foundations)


def _solo_command(events: tuple[Event, ...]) -> Command | None:
    """The command of a solo game that these events, one entry's, must have come from; ``None``: a pause or the like."""
    first = events[0] if events else None
    if isinstance(first, Restored):
        return Undo() if first.step < 0 else Redo()
    if not isinstance(first, Tallied) or not first.keeps:
        return None
    moved = [event for event in events if isinstance(event, Moved)]
    if len(moved) > 1:
        return Finish()
    return next((command for event in events if (command := _command(event)) is not None), None)


def _command(event: Event) -> Command | None:
    """The play that an event must have come from."""
    if isinstance(event, Moved):
        to: Target = "f" if event.target[0] == "f" else _TARGETS[event.target]
        return Move(card=event.cards[0], to=to)
    if isinstance(event, Drawn):
        return Draw()
    return Recycle() if isinstance(event, Recycled) else None


_TARGETS: Final[dict[str, Target]] = {name: name for name in get_args(Target)}


def event_text(event: Event) -> str:
    """Return an event in words; empty for what only counts."""
    match event:
        case Moved(cards=cards, source=source, target=target):
            return f"{' '.join(map(card_name, cards))} {source} to {target}"
        case Drawn(cards=cards):
            return f"draws {' '.join(map(card_name, cards))}"
        case Recycled():
            return "turns the waste over"
        case Restored(step=step):
            return "the deal" if step == 0 else "undo" if step < 0 else "redo"
        case Ended(outcome=outcome):
            winner = "nobody wins" if outcome.winner is None else f"seat {outcome.winner} wins"
            return f"the end ({outcome.reason}): {winner}, {' to '.join(map(str, outcome.counts))}"
        case _:
            return ""
