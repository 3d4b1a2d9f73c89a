"""Computer players of the duel: named levels, from a seat's view to its next command, with no more than a person has.

``choose`` is a pure function of the view, of what the player remembers (``Memory``) and of a seed; it reads no hidden
card, so a view and any position that looks the same give the same choice. ``Bot`` paces it: it thinks, waits, looks
again and plays. A plan is worth what it lays on foundations, turns up and takes from the waste, the sooner the better
(``shared.plans``). Each of these lessens the cards that are left to do, and nothing else is ever worth a move; so a
bot does not shuffle cards for ever: after a trip through the stock that brought nothing it gives in.
"""

from typing import Final, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from shared.engine import legal
from shared.moves import Command, Declare, Draw, Legal, Move, Pass, Recycle
from shared.plans import Piles, Table, best, face_up, may_come
from shared.position import Position
from shared.ruleset import Ruleset
from shared.scoring import deck_counts

LevelName = Literal["beginner", "casual", "skilled", "expert"]


class Level(Struct, frozen=True):
    """How strong a player is.

    ``move_ms``, ``draw_ms``: a card's and a draw's usual time. ``attention``: the share of the possible moves that it
    notices at a look. ``whim``: how far it misjudges what a move is worth (a foundation play: 10, a card turned up:
    about 7). ``depth``: moves that it thinks ahead. ``remembers``: the order of its stock, once gone through.
    ``reckons``: with the count: ahead it ends a game that its rival gives up, behind it does not soon give up itself.
    """

    move_ms: int
    draw_ms: int
    attention: float
    whim: float
    depth: int
    remembers: bool = False
    reckons: bool = False


#: The levels, weakest first.
LEVELS: Final[dict[LevelName, Level]] = {
    "beginner": Level(move_ms=3600, draw_ms=2200, attention=0.2, whim=18, depth=1),
    "casual": Level(move_ms=2600, draw_ms=1600, attention=0.42, whim=13, depth=1),
    "skilled": Level(move_ms=1700, draw_ms=1000, attention=0.64, whim=8, depth=2),
    "expert": Level(move_ms=1000, draw_ms=650, attention=1, whim=0, depth=4, remembers=True, reckons=True),
}
NAMES: Final[tuple[LevelName, ...]] = get_args(LevelName)

#: A choice that the rival upset is thought over for this share of its usual time.
_REACTION: Final = 0.45
#: Trips through the stock that brought nothing, after which a player who is behind and reckons gives in, too.
_PATIENT_TRIPS: Final = 3
_MASK: Final = (1 << 64) - 1


class Memory(Struct, frozen=True, gc=False):
    """What a player remembers of its game.

    ``deck``: the waste when it was last turned over, which is the stock's order since, and the trip it was
    turned over in. ``left``: face-down, stock and waste cards, and foundation cards, when something last came of
    play; ``trip``, ``drawn``: where in the stock that was. ``been``: how its columns have lain since then,
    or since its last draw (``been_at``): there it does not go back.
    """

    deck: tuple[int, ...] = ()
    deck_trip: int = 0
    left: tuple[int, int, int] = (0, 0, 0)
    trip: int = 1
    drawn: int = 0
    been: tuple[Piles, ...] = ()
    been_at: tuple[int, int] = (1, 0)


class Choice(Struct, frozen=True):
    """``command`` after ``delay_ms``. ``gives_in``: for want of any use of going on."""

    command: Command
    delay_ms: int
    gives_in: bool = False


def notice(memory: Memory, view: Position, seat: int) -> Memory:
    """Return ``memory`` after a look at ``view``."""
    mine = view.seats[seat]
    left = (sum(mine.down), len(mine.stock) + len(mine.waste), sum(map(len, view.foundations)))
    place = (mine.pass_number, len(mine.waste))
    if left != memory.left:
        memory = replace(memory, left=left, trip=mine.pass_number, drawn=len(mine.waste), been=())
    lying = face_up(mine.columns, mine.down)
    if place != memory.been_at or not memory.been:
        memory = replace(memory, been=(lying,), been_at=place)
    elif lying not in memory.been:
        memory = replace(memory, been=(*memory.been, lying))
    if mine.waste and not mine.stock:
        memory = replace(memory, deck=mine.waste, deck_trip=mine.pass_number)
    return memory


def choose(
    level: LevelName, rules: Ruleset, view: Position, seat: int, memory: Memory, seed: int, at: int
) -> Choice | None:
    """Return what ``seat`` does at play time ``at`` and after how long; ``None``: wait until something changes.

    ``memory`` has noticed ``view``; ``seed``: a number for this decision alone.
    """
    skill = LEVELS[level]
    can = legal(rules, view, seat, at)
    if not can.moves and not {"draw", "recycle", "declare", "pass"} & set(can.commands):
        return None
    lead = _lead(view, seat)
    if skill.reckons and lead > 0 and _is_given_up(view, 1 - seat):
        return _give_in(skill, can, seed)
    table = Table.of(rules, view, seat, _known_stock(skill, view, seat, memory))
    command: Command | None = best(table, skill.depth, _liking(skill, can, seed), memory.been)
    spent = _is_spent(skill, rules, view, seat, memory, table)
    if command is None and spent:  # before it gives in, it looks with all its care
        command = best(table, max(2, skill.depth), dict.fromkeys(_moves(can), 0.0), memory.been)
    if command is None and spent and skill.reckons and lead < 0 and view.turn is not None:
        spent = view.seats[seat].pass_number - memory.trip > _PATIENT_TRIPS
    if command is None and not spent:
        command = Draw() if "draw" in can.commands else Recycle() if "recycle" in can.commands else None
    if command is not None:
        usual = skill.move_ms if isinstance(command, Move) else skill.draw_ms
        return Choice(command, _delay(usual, seed))
    return _give_in(skill, can, seed)


def _give_in(skill: Level, can: Legal, seed: int) -> Choice | None:
    for tag, gives_in in (("declare", Declare()), ("pass", Pass())):
        if tag in can.commands:
            return Choice(gives_in, _delay(skill.move_ms, seed), gives_in=True)
    return None


def _lead(view: Position, seat: int) -> int:
    """Return how many more cards of its own ``seat`` has on the foundations; if equal, who laid the last one leads."""
    counts = deck_counts(view)
    return counts[seat] - counts[1 - seat] or (0 if view.last_up is None else 1 if view.last_up == seat else -1)


def _is_given_up(view: Position, seat: int) -> bool:
    """Whether ``seat`` said that it is stuck, or has just passed without a move."""
    turn = view.turn
    return view.seats[seat].declared if turn is None else turn.seat != seat and turn.passes > 0 and not turn.acted


def _moves(can: Legal) -> list[Move]:
    return [Move(card, to) for card, targets in can.moves.items() for to in targets]


def _liking(skill: Level, can: Legal, seed: int) -> dict[Move, float]:
    """Return the moves that the player sees at this look, and by how much it misjudges each."""
    moves = _moves(can)
    if skill.attention >= 1:
        return dict.fromkeys(moves, 0.0)
    liking = {}
    for move in moves:
        number = 8 + 2 * (16 * move.card + ord(move.to[-1]) % 16)
        if chance(seed, number) < skill.attention:
            liking[move] = skill.whim * (chance(seed, number + 1) - 0.5)
    return liking


def _known_stock(skill: Level, view: Position, seat: int, memory: Memory) -> tuple[int, ...]:
    """Return the stock as the player remembers it: nothing, or all of it."""
    mine = view.seats[seat]
    count = len(mine.stock)
    if not skill.remembers or not count or mine.pass_number != memory.deck_trip + 1 or count > len(memory.deck):
        return ()
    return memory.deck[-count:]


def _is_spent(skill: Level, rules: Ruleset, view: Position, seat: int, memory: Memory, table: Table) -> bool:
    """Whether going on through the stock is of no use: every card of it came up since anything changed, or the player
    knows them all and has no place for any.
    """
    mine = view.seats[seat]
    if not mine.stock and not mine.waste:
        return True
    if rules.passes is not None and not mine.stock and mine.pass_number >= rules.passes:
        return True
    knows_all = skill.remembers and len(table.ahead) == len(mine.stock)
    if knows_all and not may_come(table, recycles=rules.passes is None):
        return True
    trips = mine.pass_number - memory.trip
    return trips > 1 or (trips == 1 and len(mine.waste) >= memory.drawn)


def _delay(usual: int, seed: int) -> int:
    """Return a time about ``usual``: 0.7 to 1.3 of it, and one time in ten a pause to think, of up to as much again."""
    pause = chance(seed, 3) if chance(seed, 2) < 0.1 else 0.0
    return int(usual * (0.7 + 0.6 * chance(seed, 0) + pause))


def chance(seed: int, number: int) -> float:
    """Return draw ``number`` of ``seed``, in [0, 1): the same everywhere (splitmix64)."""
    z = (seed * 0x9E3779B97F4A7C15 + (number + 1) * 0xD1B54A32D192ED03) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return ((z ^ (z >> 31)) >> 11) / (1 << 53)


class Bot:
    """One computer player at one seat, without clock or socket: ``look`` at each change, ``act`` when it is due.

    ``seed``: of all its chance. ``has_given_in``: it sees no use in going on.
    """

    def __init__(self, level: LevelName, seat: int, seed: int) -> None:
        self.level = level
        self.seat = seat
        self.has_given_in = False
        self._seed = seed
        self._count = -1
        self._memory = Memory()
        self._choice: Choice | None = None
        self._due = 0
        self._view: Position | None = None

    def look(self, rules: Ruleset, view: Position, at: int, count: int) -> int | None:
        """Take in ``view`` at play time ``at``, after ``count`` plays of this seat; return when to call ``act`` (play
        time), ``None``: at the next change.
        """
        self._memory = notice(self._memory, view, self.seat)
        if count != self._count:
            self._count, self._choice = count, None
        if self._choice is None:
            self._choice = self._choose(rules, view, at)
            if self._choice is None:
                return None
            self._due = at + self._choice.delay_ms
        return self._due

    def act(self, rules: Ruleset, view: Position, at: int, count: int) -> Command | None:
        """Return the command that is due; ``None``: the rival upset it, ``look`` tells when the next one is."""
        due = self.look(rules, view, at, count)
        if due is None or due > at or self._choice is None:
            return None
        now = self._choice if view == self._view else self._choose(rules, view, at)
        if now is None or now.command != self._choice.command:
            self._choice = now
            self._due = at + int(now.delay_ms * _REACTION) if now else 0
            return None
        self._choice = None
        self.has_given_in = now.gives_in
        return now.command

    def _choose(self, rules: Ruleset, view: Position, at: int) -> Choice | None:
        self._view = view
        seed = (self._seed + self._count * 0x9E3779B1) & _MASK
        return choose(self.level, rules, view, self.seat, self._memory, seed, at)
