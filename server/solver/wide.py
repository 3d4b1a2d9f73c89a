# cython: language_level=3
"""The search kernel for two decks, and for one where any card may go to an empty column.

Slower than ``kernel`` and more general: it counts cards of a kind where that sets bits. A *kind* is suit and rank,
numbered like the cards of ``kernel``; the two kinds of one *type* (rank and colour) are ``2 * type`` and the next, and
the type that a type may lie on is 2 up. docs/solver.md tells what a state is and argues what moves are left out.
"""

import cython

if cython.compiled:
    from cython.cimports.libc.stdlib import free, malloc, realloc
    from cython.cimports.libc.string import memset
    from cython.cimports.server.solver.bits import leading_zeros, ones, prefetch, trailing_zeros, wide_pages
else:

    def trailing_zeros(x):
        """Zeros below the lowest bit."""
        return (x & -x).bit_length() - 1

    def leading_zeros(x):
        """Zeros above the highest of 64 bits."""
        return 64 - x.bit_length()

    def ones(x):
        """Bits that are set."""
        return x.bit_count()


KERNEL_COMPILED = bool(cython.compiled)

# What run() returns.
RUNNING, WIN, LOSS, FULL = 0, 1, 2, 3
# Kinds of moves in a line: code = kind * 1024 + argument * 2 + (1 if to an empty column without need).
# The argument is a column, a column, a kind, a place in the stock (twice), a kind (twice).
REVEAL, UP_LOCKED, UP_PLACED, STOCK_TABLEAU, STOCK_UP, WORRY_BACK, SHIFT = range(7)

if cython.compiled:
    Frame = cython.struct(
        live=cython.ulonglong,  # places of the stock that still hold a card
        reach=cython.ulonglong,  # of these, what can be had in this pass (unlimited passes: at all)
        again=cython.ulonglong,  # what takes another pass
        ground=cython.ulonglong,  # kinds that lie on the bare table (any card to an empty column)
        mixed=cython.ulonglong,  # the columns' counts as one mixed-radix number
        low=cython.ulonglong,  # the key's halves
        high=cython.ulonglong,
        placed=cython.uchar[52],  # cards of each kind on the tableau, but for locked ones
        seen=cython.uchar[32],  # cards of each type on the tableau
        laid=cython.uchar[32],  # of these, the ones that lie on another card
        heights=cython.uchar[8],  # two foundations a suit
        count=cython.uchar[10],  # cards of each column up to and with its locked one
        hidden=cython.int,
        empty=cython.int,
        passes=cython.int,
        offset=cython.int,
        need=cython.int,  # the type that the next move must use, or -1
        parent=cython.int,
        code=cython.int,
        open=cython.int,
    )
else:

    class Frame:
        """The struct above."""

        def copy_to(self, other):
            """What ``=`` does to structs."""
            other.__dict__.update({k: v[:] if isinstance(v, list) else v for k, v in self.__dict__.items()})


ONE = cython.declare(cython.ulonglong, 1)
WORD = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
MARK = cython.declare(cython.ulonglong, 0x8000000000000000)
MIX_A = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
MIX_B = cython.declare(cython.ulonglong, 0xD6E8FEB86659FD93)


@cython.final
@cython.cclass
class WideKernel:
    """One search at a time over one table, which is kept from search to search."""

    frames: cython.pointer(Frame)
    table: cython.pointer(cython.ulonglong)  # two words a slot
    level: cython.ulonglong[16]
    start: cython.ulonglong[16]
    levels: cython.int
    at: cython.int
    slots: cython.ulonglong
    base: cython.ulonglong
    used: cython.ulonglong
    room: cython.ulonglong
    capacity: cython.int
    top: cython.int
    status: cython.int
    noted: cython.int
    notes: cython.int[128]
    opening: list
    states: cython.ulonglong
    visits: cython.ulonglong

    ranks: cython.int
    columns: cython.int
    suits: cython.int
    decks: cython.int
    draw: cython.int
    limited: cython.int
    reserve: cython.int
    worry: cython.int
    any_card: cython.int
    pile: cython.uchar[1024]  # column * 64 + place -> kind
    joined: cython.ulonglong[16]
    radix: cython.ulonglong[16]
    order: cython.uchar[64]  # place in the stock -> kind
    where: cython.ulonglong[52]  # kind -> its places in the stock
    pick: cython.uint[1024]

    def __init__(self, memory: cython.ulonglong = 1 << 27):
        """``memory``: bytes for the table."""
        total: cython.ulonglong = memory // 16
        size: cython.ulonglong = 1024
        if not cython.compiled:
            self.level, self.start = [0] * 16, [0] * 16
            self.pile, self.joined, self.radix = [0] * 1024, [0] * 16, [0] * 16
            self.order, self.where, self.pick, self.notes = [0] * 64, [0] * 52, [0] * 1024, [0] * 128
        if total < size:
            raise ValueError("memory: expected at least 16384 bytes")
        self.levels = 0
        self.base = 0
        while self.levels < 15:
            self.start[self.levels] = self.base
            if total - self.base < size * 5:
                size = total - self.base
                if size > 0xFFFFFFFF:
                    size = 0xFFFFFFFF
                self.level[self.levels] = size
                self.levels += 1
                break
            self.level[self.levels] = size
            self.levels += 1
            self.base += size
            size *= 4
        self.capacity = 1024
        if cython.compiled:
            self.table = cython.cast(cython.pointer(cython.ulonglong), malloc(total * 16))
            self.frames = cython.cast(cython.pointer(Frame), malloc(self.capacity * cython.sizeof(Frame)))
            if not self.table or not self.frames:
                raise MemoryError
            wide_pages(self.table, total * 16)
        else:
            self.table = [0] * (total * 2)
            self.frames = [Frame() for _ in range(self.capacity)]
        self.status = LOSS
        for phase in range(3):
            for byte in range(256):
                chosen, now = 0, phase
                for place in range(8):
                    if byte >> place & 1:
                        now += 1
                        if now == 3:
                            chosen |= 1 << place
                            now = 0
                self.pick[phase * 256 + byte] = chosen | now << 8

    def __dealloc__(self):
        if cython.compiled:
            free(self.table)
            free(self.frames)

    # ---- one problem ----

    def load(
        self,
        columns,
        down,
        stock,
        waste,
        heights,
        *,
        ranks=13,
        suits=15,
        decks=2,
        draw=1,
        passes=0,
        worry_back=True,
        any_card=False,
    ):
        """Set a problem, in kinds; ``heights``: two a suit. The rest is as in ``Kernel.load``."""
        f: cython.pointer(Frame)
        i: cython.int
        j: cython.int
        k: cython.int
        n: cython.int
        kind: cython.int
        radix: cython.ulonglong = 1
        if len(columns) > 10 or len(stock) > (59 if decks == 2 else 24):
            raise ValueError("columns, stock: more than this kernel takes")
        for pile in (*columns, stock):
            if pile and not 0 <= min(pile) <= max(pile) < 4 * ranks:
                raise ValueError("columns, stock: expected cards from 0 to four a rank")
        if cython.compiled:
            f = cython.address(self.frames[0])
        else:
            f = self.frames[0]
            f.placed, f.seen, f.laid = [0] * 52, [0] * 32, [0] * 32
            f.heights, f.count = [0] * 8, [0] * 10
        self.ranks = ranks
        self.columns = len(columns)
        self.suits = suits
        self.decks = decks
        self.draw = draw
        self.limited = passes > 0
        self.reserve = draw == 1 and not self.limited
        self.worry = worry_back
        self.any_card = any_card
        for i in range(52):
            f.placed[i] = 0
            self.where[i] = 0
        for i in range(32):
            f.seen[i] = 0
            f.laid[i] = 0
        f.live = f.ground = f.mixed = 0
        f.hidden = f.empty = 0
        f.need = -1
        for i in range(10):
            f.count[i] = 0
        for i in range(self.columns):
            column = columns[i]
            n = len(column)
            if n > 60:
                raise ValueError("columns: expected at most 60 cards in each")
            self.radix[i] = radix
            self.joined[i] = 0
            if n == 0:
                f.empty += 1
                continue
            j = n - 1
            while j > down[i] and self._fits(column[j], column[j - 1]):
                kind = column[j]
                f.placed[kind] += 1
                f.seen[kind >> 1] += 1
                f.laid[kind >> 1] += 1
                j -= 1
            for k in range(j + 1):
                kind = column[k]
                self.pile[i * 64 + k] = kind
                if k > down[i] and self._fits(kind, column[k - 1]):
                    self.joined[i] |= ONE << k
            kind = column[j]
            f.seen[kind >> 1] += 1
            f.hidden += j
            if j == 0 and self._grounds(f, kind):
                continue
            f.count[i] = j + 1
            f.mixed += radix * cython.cast(cython.ulonglong, j + 1)
            radix *= j + 2
            if radix > (1 << 26 if decks == 2 else 55000):
                raise ValueError("columns: too many face-down cards for this kernel")
        self.radix[self.columns] = radix
        for i in range(len(stock)):
            kind = stock[i]
            self.order[i] = kind
            self.where[kind] |= ONE << i
            f.live |= ONE << i
        for i in range(8):
            f.heights[i] = heights[i] if suits >> (i >> 1) & 1 and (decks == 2 or not i & 1) else ranks
        f.passes = passes
        f.offset = waste
        f.parent = -1
        f.code = 0
        f.open = 0
        self.states = 0
        self.visits = 0
        self.used = 0
        self.at = 0
        self.top = 0
        self._open_level()
        self._reach(f)
        self.noted = 0
        self.status = WIN if self._settle(f) else RUNNING
        self.opening = [self.notes[i] for i in range(self.noted)]
        self._hash(f)

    def run(self, limit: cython.ulonglong) -> int:
        """Search on until ``limit`` more moves are tried; the verdict, or ``RUNNING``."""
        with cython.nogil:
            self._search(limit)
        return self.status

    def counts(self):
        """(states stored, moves tried) since load()."""
        return self.states, self.visits

    def moves(self) -> list:
        """After ``WIN``: the line that wins, as codes."""
        path: list = []
        line: list = list(self.opening)
        i: cython.int = self.top
        g: cython.pointer(Frame)
        while i > 0:
            path.append((self.frames[i].code, self.frames[i].need))
            i = self.frames[i].parent
        if not self._room(self.top):
            raise MemoryError
        i = self.top + 1
        if cython.compiled:
            self.frames[i] = self.frames[0]
            g = cython.address(self.frames[i])
        else:
            g = self.frames[i]
            self.frames[0].copy_to(g)
        for code, need in reversed(path):
            self.noted = 0
            self._apply(g, code)
            if need < 0:
                self._settle(g)
            line += [self.notes[n] for n in range(self.noted)]
        return line

    # ---- the table ----

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _open_level(self) -> cython.void:
        i: cython.ulonglong
        self.slots = self.level[self.at]
        self.base = self.start[self.at]
        self.room = self.slots // 8 * (7 if self.at == self.levels - 1 else 5)
        if cython.compiled:
            memset(cython.address(self.table[2 * self.base]), 0, self.slots * 16)
        else:
            for i in range(2 * self.slots):
                self.table[2 * self.base + i] = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _grow(self) -> cython.int:
        """Carry all keys over to the next size; false when there is none."""
        i: cython.ulonglong
        j: cython.ulonglong
        old: cython.ulonglong = 2 * self.base
        size: cython.ulonglong = self.slots
        if self.at == self.levels - 1:
            return 0
        self.at += 1
        self._open_level()
        for i in range(size):
            if self.table[old + 2 * i]:
                j = 2 * (self.base + self._slot(self.table[old + 2 * i], self.table[old + 2 * i + 1]))
                while self.table[j]:
                    j += 2
                    if j == 2 * (self.base + self.slots):
                        j = 2 * self.base
                self.table[j] = self.table[old + 2 * i]
                self.table[j + 1] = self.table[old + 2 * i + 1]
        return 1

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _slot(self, low: cython.ulonglong, high: cython.ulonglong) -> cython.ulonglong:
        h: cython.ulonglong = (low ^ low >> 29) * MIX_A & WORD
        h = h ^ h >> 32 ^ high
        h = (h ^ h >> 31) * MIX_B & WORD
        h = (h ^ h >> 32) * MIX_A & WORD
        return (h >> 32) * self.slots >> 32

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _hash(self, f: cython.pointer(Frame)) -> cython.void:
        """Work out the state's key and have the table's memory fetched."""
        s: cython.int
        a: cython.ulonglong
        b: cython.ulonglong
        c: cython.ulonglong
        low: cython.ulonglong = 0
        rest: cython.ulonglong = cython.cast(cython.ulonglong, f.offset << 4 | f.passes)
        for s in range(4):
            a = f.heights[2 * s]
            b = f.heights[2 * s + 1]
            if self.decks == 1:
                low = low * 14 + a
            else:
                if a < b:
                    c = a
                    a = b
                    b = c
                low = low * 105 + a * (a + 1) // 2 + b
        if self.decks == 1:
            f.low = ((low * 55000 + f.mixed) << 24 | f.live) | MARK
            f.high = rest << 52 | f.ground
        else:
            f.low = ((low * self.radix[self.columns] + f.mixed) << 10 | rest) | MARK
            f.high = f.live
        if cython.compiled:
            prefetch(cython.address(self.table[2 * (self.base + self._slot(f.low, f.high))]))

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _seen(self, low: cython.ulonglong, high: cython.ulonglong) -> cython.int:
        """Whether the state was met before; if not, it is stored."""
        j: cython.ulonglong = 2 * (self.base + self._slot(low, high))
        while self.table[j]:
            if self.table[j] == low and self.table[j + 1] == high:
                return 1
            j += 2
            if j == 2 * (self.base + self.slots):
                j = 2 * self.base
        self.table[j] = low
        self.table[j + 1] = high
        self.used += 1
        self.states += 1
        return 0

    # ---- the rules ----

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _fits(self, kind: cython.int, on: cython.int) -> cython.int:
        return (kind >> 1) + 2 == on >> 1

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _grounds(self, f: cython.pointer(Frame), kind: cython.int) -> cython.int:
        """Whether ``kind`` on the bare table lies like any card that was put there; if so, it is put there."""
        if self.any_card:
            f.ground |= ONE << kind
        elif kind >> 2 != self.ranks - 1:
            return 0
        f.placed[kind] += 1
        return 1

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _bare(self, f: cython.pointer(Frame), kind: cython.int) -> cython.int:
        """How many cards of the type of ``kind`` can be bared at once."""
        t: cython.int = kind >> 1
        if t < 2:
            return f.seen[t]
        return f.seen[t] - f.laid[t - 2]

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _takes(self, f: cython.pointer(Frame), kind: cython.int) -> cython.int:
        """Whether some card of the tableau takes ``kind``."""
        if kind >> 2 >= self.ranks - 1:
            return 0
        return self._bare(f, kind + 4) > 0

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _opens(self, f: cython.pointer(Frame), kind: cython.int) -> cython.int:
        """Whether some empty column takes ``kind``."""
        return f.empty > 0 and (self.any_card or kind >> 2 == self.ranks - 1)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_safe(self, f: cython.pointer(Frame), pile: cython.int, h: cython.int) -> cython.int:
        """Whether the card that brings foundation ``pile`` from height ``h`` to ``h + 1`` is never missed below."""
        s: cython.int = pile >> 1
        o: cython.int = 2 * (s ^ 2)
        t: cython.int = 2 * (s ^ 1)
        if f.heights[o] < h or f.heights[o + 1] < h or f.heights[pile ^ 1] < h:
            return 0
        o = 2 * (s ^ 3)
        if f.heights[o] < h or f.heights[o + 1] < h:
            return 0
        return not self.worry or (f.heights[t] >= h - 1 and f.heights[t + 1] >= h - 1)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _next(self, pile: cython.int, h: cython.int) -> cython.int:
        """The kind that foundation ``pile`` takes at height ``h``."""
        return 4 * h + (pile >> 1 ^ (h & 1) << 1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _ends(self, places: cython.ulonglong) -> cython.ulonglong:
        """Of places still to be drawn from the first on, those that come to lie on top of the waste."""
        i: cython.int
        a: cython.uint = 0
        ends: cython.ulonglong = 0
        if self.draw == 1 or places == 0:
            return places
        for i in range(8):
            a = self.pick[(a >> 8) * 256 + (places >> (8 * i) & 255)]
            ends |= cython.cast(cython.ulonglong, a & 255) << (8 * i)
        return ends | ONE << (63 - leading_zeros(places))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _reach(self, f: cython.pointer(Frame)) -> cython.void:
        """Work out which stock cards can be had, and give ``offset`` its one value."""
        waste: cython.ulonglong
        ahead: cython.ulonglong
        fresh: cython.ulonglong
        f.again = 0
        if self.reserve:
            f.offset = 0
            f.reach = f.live
            return
        waste = f.live & ((ONE << f.offset) - 1)
        ahead = f.live ^ waste
        fresh = self._ends(f.live)
        f.offset = 64 - leading_zeros(waste) if waste else 0
        if not self.limited and (ahead == 0 or ones(waste) % 3 == 0):
            f.offset = 0
            f.reach = fresh
            return
        f.reach = self._ends(ahead)
        if waste:
            f.reach |= ONE << (f.offset - 1)
        if not self.limited:
            f.reach |= fresh
        elif f.passes > 1:
            f.again = fresh & ~f.reach

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _unlock(self, f: cython.pointer(Frame), i: cython.int) -> cython.void:
        """The locked card of column ``i`` leaves it: the next one turns up."""
        n: cython.int = f.count[i]
        m: cython.int = n - 1
        kind: cython.int
        if m == 0:
            f.empty += 1
        else:
            kind = self.pile[64 * i + m - 1]
            f.hidden -= 1
            while self.joined[i] >> (m - 1) & 1:
                f.seen[kind >> 1] += 1
                f.laid[kind >> 1] += 1
                f.placed[kind] += 1
                f.hidden -= 1
                m -= 1
                kind = self.pile[64 * i + m - 1]
            f.seen[kind >> 1] += 1
            if m == 1 and self._grounds(f, kind):
                m = 0
        f.count[i] = m
        f.mixed -= self.radix[i] * cython.cast(cython.ulonglong, n - m)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _land(self, f: cython.pointer(Frame), kind: cython.int, ground: cython.int) -> cython.void:
        """A card that is on the tableau already, or counted so, lies on another or on the bare table."""
        f.placed[kind] += 1
        if ground or kind >> 2 == self.ranks - 1:
            f.empty -= 1
            if self.any_card:
                f.ground |= ONE << kind
        else:
            f.laid[kind >> 1] += 1

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _lift(self, f: cython.pointer(Frame), kind: cython.int) -> cython.void:
        """The reverse of ``_land``."""
        f.placed[kind] -= 1
        if f.ground >> kind & 1 or (not self.any_card and kind >> 2 == self.ranks - 1):
            f.empty += 1
            f.ground &= ~(ONE << kind)
        else:
            f.laid[kind >> 1] -= 1

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _put_up(self, f: cython.pointer(Frame), kind: cython.int) -> cython.void:
        pile: cython.int = 2 * ((kind & 3) ^ (kind >> 2 & 1) << 1)
        if f.heights[pile] != kind >> 2:
            pile += 1
        f.heights[pile] += 1

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _take(self, f: cython.pointer(Frame), place: cython.int) -> cython.void:
        """A card leaves the stock."""
        f.live &= ~(ONE << place)
        if f.again >> place & 1:
            f.passes -= 1
        f.offset = place
        self._reach(f)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _apply(self, f: cython.pointer(Frame), code: cython.int) -> cython.void:
        """Make one move."""
        move: cython.int = code >> 10
        n: cython.int = code >> 1 & 511
        kind: cython.int
        self.notes[self.noted & 127] = code
        self.noted += 1
        if move == 0:
            kind = self.pile[64 * n + f.count[n] - 1]
            self._land(f, kind, code & 1)
            self._unlock(f, n)
        elif move == 1:
            kind = self.pile[64 * n + f.count[n] - 1]
            f.seen[kind >> 1] -= 1
            self._unlock(f, n)
            self._put_up(f, kind)
        elif move == 2:
            self._lift(f, n)
            f.seen[n >> 1] -= 1
            self._put_up(f, n)
        elif move == 3:
            kind = self.order[n]
            self._take(f, n)
            f.seen[kind >> 1] += 1
            self._land(f, kind, code & 1)
        elif move == 4:
            self._take(f, n)
            self._put_up(f, self.order[n])
        elif move == 5:
            kind = 2 * ((n & 3) ^ (n >> 2 & 1) << 1)
            if f.heights[kind] != (n >> 2) + 1:
                kind += 1
            f.heights[kind] -= 1
            f.seen[n >> 1] += 1
            self._land(f, n, code & 1)
        else:
            self._lift(f, n)
            self._land(f, n, code & 1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _rise(self, f: cython.pointer(Frame), kind: cython.int, stock: cython.int) -> cython.int:
        """The code of a move that brings a card of ``kind`` up, or -1; a locked one before one that was put there."""
        i: cython.int
        if self._bare(f, kind) > 0:
            for i in range(self.columns):
                if f.count[i] and self.pile[64 * i + f.count[i] - 1] == kind:
                    return 1024 | i << 1
            if f.placed[kind]:
                return 2048 | kind << 1
        if stock and self.where[kind] & f.live:
            return 4096 | trailing_zeros(self.where[kind] & f.live) << 1
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _settle(self, f: cython.pointer(Frame)) -> cython.int:
        """Play up what is safe; true when the rest goes up by itself (then it has been)."""
        p: cython.int = 0
        h: cython.int
        lowest: cython.int
        code: cython.int
        while p < 8:
            h = f.heights[p]
            if h < self.ranks and self._is_safe(f, p, h):
                code = self._rise(f, self._next(p, h), self.reserve)
                if code >= 0:
                    self._apply(f, code)
                    p = -1
            p += 1
        if f.hidden or not (self.reserve or f.live & (f.live - 1) == 0):
            return 0
        while True:
            lowest = 0
            for p in range(1, 8):
                if f.heights[p] < f.heights[lowest]:
                    lowest = p
            if f.heights[lowest] == self.ranks:
                return 1
            code = self._rise(f, self._next(lowest, f.heights[lowest]), 1)
            if code < 0:
                return 0
            self._apply(f, code)

    # ---- the search ----

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _push(self, i: cython.int, code: cython.int, kind: cython.int) -> cython.void:
        """Put the state that follows frame ``i`` by a move of a card of ``kind`` on the stack."""
        g: cython.pointer(Frame)
        if self.status:
            return
        self.top += 1
        if cython.compiled:
            self.frames[self.top] = self.frames[i]
            g = cython.address(self.frames[self.top])
        else:
            g = self.frames[self.top]
            self.frames[i].copy_to(g)
        g.parent = i
        g.code = code
        g.open = 0
        g.need = -1
        self.noted = 0
        self._apply(g, code)
        self.visits += 1
        if self.reserve and code >> 10 == 3:
            g.need = kind >> 1
            return
        if self._settle(g):
            self.status = 1
            return
        self._hash(g)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _places(
        self, i: cython.int, f: cython.pointer(Frame), move: cython.int, n: cython.int, kind: cython.int
    ) -> cython.void:
        """A move to the tableau, to each sort of place that takes the card."""
        if self._opens(f, kind) and f.need < 0:
            self._push(i, move << 10 | n << 1 | (1 if self.any_card else 0), kind)
        if self._takes(f, kind) and (f.need < 0 or f.need == (kind >> 1) + 2):
            self._push(i, move << 10 | n << 1, kind)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _expand(self, i: cython.int) -> cython.void:
        """All moves of frame ``i``; the last to be pushed is tried first."""
        f: cython.pointer(Frame)
        k: cython.int
        p: cython.int
        h: cython.int
        m: cython.ulonglong
        if cython.compiled:
            f = cython.address(self.frames[i])
        else:
            f = self.frames[i]
        if self.worry:
            for p in range(2 * self.decks * 2):
                k = p if self.decks == 2 else 2 * p
                h = f.heights[k]
                if not self.suits >> (k >> 1) & 1 or h == 0 or (self.decks == 2 and k & 1 and h == f.heights[k ^ 1]):
                    continue
                if not self._is_safe(f, k, h - 1):
                    self._places(i, f, 5, self._next(k, h - 1), self._next(k, h - 1))
        if self.any_card:
            for k in range(4 * self.ranks):
                if not f.placed[k]:
                    continue
                if f.ground >> k & 1:
                    if self._takes(f, k) and (f.need < 0 or f.need == (k >> 1) + 2):
                        self._push(i, 6144 | k << 1, k)
                elif f.empty and f.need < 0:
                    self._push(i, 6144 | k << 1 | 1, k)
        for k in range(4 * self.ranks):
            m = self.where[k] & (f.reach | f.again)
            if m and self.reserve:
                m = m & ~(m - 1)
                if self._bare(f, k) > 0:
                    continue
            while m:
                self._places(i, f, 3, trailing_zeros(m), k)
                m &= m - 1
        for p in range(self.columns):
            if f.count[p] == 0:
                continue
            k = self.pile[64 * p + f.count[p] - 1]
            if f.count[p] > 1:
                self._places(i, f, 0, p, k)
            elif self._takes(f, k) and (f.need < 0 or f.need == (k >> 1) + 2):
                self._push(i, p << 1, k)
        for p in range(8):
            h = f.heights[p]
            if h == self.ranks or (p & 1 and h == f.heights[p ^ 1]):
                continue
            k = self._next(p, h)
            m = self.where[k] & (f.reach | f.again)
            while m and f.need < 0:
                self._push(i, 4096 | trailing_zeros(m) << 1, k)
                m &= m - 1
            self._ups(i, f, k)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _ups(self, i: cython.int, f: cython.pointer(Frame), kind: cython.int) -> cython.void:
        """The moves that bring a card of ``kind``, which a foundation takes, up from the tableau."""
        p: cython.int
        if self._bare(f, kind) <= 0 or (f.need >= 0 and f.need != kind >> 1):
            return
        if f.placed[kind]:
            self._push(i, 2048 | kind << 1, kind)
        for p in range(self.columns):
            if f.count[p] and self.pile[64 * p + f.count[p] - 1] == kind:
                self._push(i, 1024 | p << 1, kind)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _search(self, limit: cython.ulonglong) -> cython.void:
        i: cython.int
        limit += self.visits
        while self.status == 0 and self.visits < limit:
            i = self.top
            if i < 0:
                self.status = 2
                self.top = 0
                return
            if self.frames[i].open:
                self.top -= 1
                continue
            if (self.used >= self.room and not self._grow()) or not self._room(i):
                self.status = 3
                return
            if self.frames[i].need < 0 and self._seen(self.frames[i].low, self.frames[i].high):
                self.top -= 1
                continue
            self.frames[i].open = 1
            self._expand(i)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _room(self, top: cython.int) -> cython.int:
        """Room on the stack for one state's moves; false at the bound or when memory is short."""
        frames: cython.pointer(Frame)
        if top + 256 < self.capacity:
            return 1
        if self.capacity >= 1 << 18:
            return 0
        if cython.compiled:
            frames = cython.cast(cython.pointer(Frame), realloc(self.frames, 2 * self.capacity * cython.sizeof(Frame)))
            if not frames:
                return 0
            self.frames = frames
        else:
            self.frames.extend(Frame() for _ in range(self.capacity))
        self.capacity *= 2
        return 1
