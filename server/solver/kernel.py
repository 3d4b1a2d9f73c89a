# cython: language_level=3
"""The search kernel for one deck with kings only to empty columns: Cython 3 in pure-Python mode.

The same file runs uncompiled, slower by a factor of some hundreds, with the same counts. docs/solver.md tells what a
state is and why it holds nothing of where a face-up card lies, and argues every move that is left out here.

A card is a bit ``4 * rank + (suit ^ (2 if rank is odd else 0))`` with rank 0..12 and suit 0, 1 black, 2, 3 red. So the
two cards of one *type* (rank and colour) are neighbours at an even place, and the type that a card may lie on is 4 up.
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
# Kinds of moves in a line: code = kind * 64 + card.
REVEAL, UP, STOCK_TABLEAU, STOCK_UP, WORRY_BACK = 0, 1, 2, 3, 4

if cython.compiled:
    Frame = cython.struct(
        visible=cython.ulonglong,  # cards that lie face up on the tableau
        locked=cython.ulonglong,  # of these, the lowest of each column that still lies where it was dealt
        stock=cython.ulonglong,  # cards in stock and waste
        live=cython.ulonglong,  # the same as places in the order of the stock
        reach=cython.ulonglong,  # stock cards that can be had in this pass (unlimited passes: at all)
        again=cython.ulonglong,  # stock cards that take another pass
        next=cython.ulonglong,  # the next card of each foundation
        safe=cython.ulonglong,  # of these, the ones that may go up at once
        back=cython.ulonglong,  # foundation tops that may be worried back
        heights=cython.uint,  # a byte a suit
        count=cython.uint,  # a nibble a column: its cards up to and with the locked one
        mixed=cython.uint,  # the counts as one mixed-radix number
        hidden=cython.int,  # cards below the locked ones
        empty=cython.int,  # empty columns
        passes=cython.int,  # passes left, this one included
        offset=cython.int,  # places of the stock before this one are the waste
        last=cython.ulonglong,  # the card whose move would only take the last move back
        key=cython.ulonglong,  # the state as one number
        parent=cython.int,  # the frame this one was made from
        code=cython.int,  # by this move
        fresh=cython.int,  # any move may follow (else only one that this one made possible)
        open=cython.int,  # its moves are on the stack above it
    )
else:

    class Frame:
        """The struct above."""


EVEN = cython.declare(cython.ulonglong, 0x5555555555555555)
WORD = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
MIX_A = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
MIX_B = cython.declare(cython.ulonglong, 0xD6E8FEB86659FD93)
ONE = cython.declare(cython.ulonglong, 1)


@cython.final
@cython.cclass
class Kernel:
    """One search at a time over one table, which is kept from search to search."""

    frames: cython.pointer(Frame)
    table: cython.pointer(cython.ulonglong)
    level: cython.ulonglong[16]  # the table's sizes, smallest first
    start: cython.ulonglong[16]  # and where each begins
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
    notes: cython.int[64]
    opening: list
    do_reveal: cython.ulonglong  # moves of the state that is being opened
    do_up: cython.ulonglong
    do_lay: cython.ulonglong
    do_stock_up: cython.ulonglong
    do_lay_again: cython.ulonglong
    do_up_again: cython.ulonglong
    do_back: cython.ulonglong
    states: cython.ulonglong
    visits: cython.ulonglong

    ranks: cython.int
    draw: cython.int
    limited: cython.int
    reserve: cython.int
    worry: cython.int
    kings: cython.ulonglong
    deck: cython.ulonglong
    suits: cython.int
    pile: cython.uchar[256]  # column * 16 + place -> card
    joined: cython.uint[16]  # bit i: card i of the column goes along with card i - 1 below it
    column: cython.uchar[64]  # card -> column
    radix: cython.uint[16]
    place: cython.uchar[64]  # card -> place in the stock
    order: cython.uchar[64]  # place in the stock -> card
    cards: cython.ulonglong[768]  # places, a byte at a time -> cards
    pick: cython.uint[1024]  # phase, byte of live places -> places a draw ends on, next phase

    def __init__(self, memory: cython.ulonglong = 1 << 27):
        """``memory``: bytes for the table."""
        i: cython.int
        total: cython.ulonglong = memory // 8
        size: cython.ulonglong = 2048
        if not cython.compiled:
            self.level, self.start = [0] * 16, [0] * 16
            self.pile, self.joined, self.column = [0] * 256, [0] * 16, [0] * 64
            self.radix, self.place, self.order = [0] * 16, [0] * 64, [0] * 64
            self.cards, self.pick = [0] * 768, [0] * 1024
        if total < size:
            raise ValueError("memory: expected at least 16384 bytes")
        self.levels = 0
        self.base = 0
        while self.levels < 15:
            self.start[self.levels] = self.base
            if total - self.base < size * 5:  # the next but one would not fit: this one is the last
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
            self.table = cython.cast(cython.pointer(cython.ulonglong), malloc(total * 8))
            self.frames = cython.cast(cython.pointer(Frame), malloc(self.capacity * cython.sizeof(Frame)))
            if not self.table or not self.frames:
                raise MemoryError
            wide_pages(self.table, total * 8)
        else:
            self.table = [0] * total
            self.frames = [Frame() for _ in range(self.capacity)]
            self.notes = [0] * 64
        self.status = LOSS
        self._make_pick()

    def __dealloc__(self):
        if cython.compiled:
            free(self.table)
            free(self.frames)

    def _make_pick(self):
        """Tables for draw 3: the places on which a draw ends, and the phase carried on to the next byte."""
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

    # ---- one problem ----

    def load(self, columns, down, stock, waste, heights, *, ranks=13, suits=15, draw=1, passes=0, worry_back=True):
        """Set a problem: card numbers as the module tells.

        ``columns``: bottom first; ``down``: face-down cards of each. ``stock``: waste from its bottom, then the stock
        in order of drawing; the first ``waste`` of them are the waste. ``heights``: cards on each suit's foundation.
        ``suits``: bit i: suit i is in play. ``passes``: left, this one included; 0 = unlimited.
        """
        f: cython.pointer(Frame)
        i: cython.int
        j: cython.int
        n: cython.int
        card: cython.int
        radix: cython.ulonglong = 1
        if len(columns) > 8 or len(stock) > 24:
            raise ValueError("columns, stock: expected at most 8 columns and 24 cards")
        for pile in (*columns, stock):
            if pile and not 0 <= min(pile) <= max(pile) < 4 * ranks:
                raise ValueError("columns, stock: expected cards from 0 to four a rank")
        if cython.compiled:
            f = cython.address(self.frames[0])
        else:
            f = self.frames[0]
        self.ranks = ranks
        self.suits = suits
        self.draw = draw
        self.limited = passes > 0
        self.reserve = draw == 1 and not self.limited
        self.worry = worry_back
        self.kings = 15 * ONE << (4 * (ranks - 1))
        self.deck = (ONE << (4 * ranks)) - 1
        f.visible = f.locked = f.stock = f.live = 0
        f.count = f.mixed = 0
        f.hidden = f.empty = 0
        for i in range(len(columns)):
            column = columns[i]
            n = len(column)
            if n > 15 + 13:
                raise ValueError("columns: expected at most 28 cards in each")
            self.radix[i] = cython.cast(cython.uint, radix)
            self.joined[i] = 0
            if n == 0:
                f.empty += 1
                continue
            j = n - 1
            while j > down[i] and self._fits(column[j], column[j - 1]):
                f.visible |= ONE << cython.cast(cython.int, column[j])
                j -= 1
            if j >= 15:
                raise ValueError("columns: expected at most 15 cards below a run")
            for k in range(j + 1):
                card = column[k]
                self.pile[i * 16 + k] = card
                self.column[card] = i
                if k > down[i] and self._fits(card, column[k - 1]):
                    self.joined[i] |= cython.cast(cython.uint, 1) << k
            card = column[j]
            f.visible |= ONE << card
            if j == 0 and card >> 2 == ranks - 1:
                continue  # a king on the bare table lies like any king that was put there
            f.locked |= ONE << card
            f.count |= cython.cast(cython.uint, j + 1) << (4 * i)
            f.mixed += cython.cast(cython.uint, radix * (j + 1))
            f.hidden += j
            radix *= j + 2
            if radix > 55000:
                raise ValueError("columns: too many face-down cards for this kernel")
        for i in range(24):
            self.order[i] = 63
        for i in range(len(stock)):
            card = stock[i]
            self.order[i] = card
            self.place[card] = i
            f.stock |= ONE << card
            f.live |= ONE << i
        if not self.reserve:
            for i in range(3):
                self.cards[i * 256] = 0
                for j in range(1, 256):
                    card = self.order[8 * i + trailing_zeros(j)]
                    self.cards[i * 256 + j] = self.cards[i * 256 + (j & (j - 1))] | ONE << card
        f.heights = 0
        for i in range(4):
            n = heights[i] if suits >> i & 1 else ranks
            f.heights |= cython.cast(cython.uint, n) << (8 * i)
        f.passes = passes
        f.offset = waste
        self.states = 0
        self.visits = 0
        self.used = 0
        self.at = 0
        self._open_level()
        f.parent = -1
        f.code = 0
        f.fresh = 1
        f.open = 0
        f.last = 0
        self.top = 0
        self._foundation(f)
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
            path.append((self.frames[i].code, self.frames[i].fresh))
            i = self.frames[i].parent
        if not self._room(self.top):
            raise MemoryError
        i = self.top + 1
        if cython.compiled:
            self.frames[i] = self.frames[0]
            g = cython.address(self.frames[i])
        else:
            g = self.frames[i]
            g.__dict__.update(self.frames[0].__dict__)
        for code, fresh in reversed(path):
            self.noted = 0
            self._apply(g, code)
            if fresh:
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
        if self.at == self.levels - 1:
            self.room = self.slots // 8 * 7
        else:
            self.room = self.slots // 8 * 5
        if cython.compiled:
            memset(cython.address(self.table[self.base]), 0, self.slots * 8)
        else:
            for i in range(self.slots):
                self.table[self.base + i] = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _grow(self) -> cython.int:
        """Carry all keys over to the next size; false when there is none."""
        i: cython.ulonglong
        j: cython.ulonglong
        key: cython.ulonglong
        old: cython.ulonglong = self.base
        size: cython.ulonglong = self.slots
        if self.at == self.levels - 1:
            return 0
        self.at += 1
        self._open_level()
        for i in range(size):
            key = self.table[old + i]
            if key:
                j = self._slot(key)
                while self.table[self.base + j]:
                    j += 1
                    if j == self.slots:
                        j = 0
                self.table[self.base + j] = key
        return 1

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _slot(self, key: cython.ulonglong) -> cython.ulonglong:
        h: cython.ulonglong = key >> 4
        h = (h ^ h >> 29) * MIX_A & WORD
        h = (h ^ h >> 32) * MIX_B & WORD
        return (h >> 32) * self.slots >> 32

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _hash(self, f: cython.pointer(Frame)) -> cython.void:
        """Work out the state's key and have the table's memory fetched."""
        h: cython.uint = f.heights
        key: cython.ulonglong
        key = ((h >> 24) * 14 + (h >> 16 & 255)) * 196 + (h >> 8 & 255) * 14 + (h & 255)
        key = (key * 55000 + f.mixed) << 24 | f.live
        key = key << 5 | f.offset
        f.key = key << 4 | (f.passes if self.limited else 15)
        if cython.compiled:
            prefetch(cython.address(self.table[self.base + self._slot(f.key)]))

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _seen(self, key: cython.ulonglong) -> cython.int:
        """Whether the state was met before with no fewer passes left; if not, it is stored."""
        there: cython.ulonglong
        j: cython.ulonglong = self._slot(key)
        while True:
            there = self.table[self.base + j]
            if there == 0:
                self.table[self.base + j] = key
                self.used += 1
                self.states += 1
                return 0
            if (there ^ key) >> 4 == 0:
                if there >= key:
                    return 1
                self.table[self.base + j] = key
                self.states += 1
                return 0
            j += 1
            if j == self.slots:
                j = 0

    # ---- the rules ----

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _fits(self, card: cython.int, on: cython.int) -> cython.int:
        return (card >> 1) + 2 == on >> 1

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _uncovered(self, f: cython.pointer(Frame)) -> cython.ulonglong:
        """All cards of each type of which some visible card can be bared."""
        v: cython.ulonglong = f.visible
        p: cython.ulonglong = (v & ~f.locked) << 4
        u: cython.ulonglong = v ^ p
        u = (u ^ u >> 1 | v & v >> 1 & ~(p | p >> 1)) & EVEN
        return (u | u << 1) & self.deck

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _foundation(self, f: cython.pointer(Frame)) -> cython.void:
        """Work out ``next``, ``safe`` and ``back`` from the heights."""
        s: cython.int
        h: cython.int
        other: cython.int
        twin: cython.int
        low: cython.int
        bit: cython.ulonglong
        f.next = 0
        f.safe = 0
        f.back = 0
        for s in range(4):
            if not self.suits >> s & 1:
                continue
            h = f.heights >> (8 * s) & 255
            twin = f.heights >> (8 * (s ^ 1)) & 255
            other = f.heights >> (8 * (s ^ 2)) & 255
            low = f.heights >> (8 * (s ^ 3)) & 255
            if low > other:
                low = other
            if h < self.ranks:
                bit = ONE << (4 * h + (s ^ (h & 1) << 1))
                f.next |= bit
                if low >= h and (twin >= h - 1 or not self.worry):
                    f.safe |= bit
            if self.worry and h > 0 and not (low >= h - 1 and twin >= h - 2):
                h -= 1
                f.back |= ONE << (4 * h + (s ^ (h & 1) << 1))

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _cards(self, places: cython.ulonglong) -> cython.ulonglong:
        return self.cards[places & 255] | self.cards[256 + (places >> 8 & 255)] | self.cards[512 + (places >> 16 & 255)]

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _ends(self, places: cython.ulonglong) -> cython.ulonglong:
        """Of places still to be drawn from the first on, those that come to lie on top of the waste."""
        a: cython.uint
        b: cython.uint
        c: cython.uint
        if self.draw == 1 or places == 0:
            return places
        a = self.pick[places & 255]
        b = self.pick[(a >> 8) * 256 + (places >> 8 & 255)]
        c = self.pick[(b >> 8) * 256 + (places >> 16 & 255)]
        return (
            a & 255
            | cython.cast(cython.ulonglong, b & 255) << 8
            | cython.cast(cython.ulonglong, c & 255) << 16
            | ONE << (63 - leading_zeros(places))
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _reach(self, f: cython.pointer(Frame)) -> cython.void:
        """Work out which stock cards can be had, and give ``offset`` its one value."""
        waste: cython.ulonglong
        ahead: cython.ulonglong
        now: cython.ulonglong
        fresh: cython.ulonglong
        if self.reserve:
            f.offset = 0
            f.reach = f.stock
            f.again = 0
            return
        waste = f.live & ((ONE << f.offset) - 1)
        ahead = f.live ^ waste
        fresh = self._ends(f.live)
        f.offset = 64 - leading_zeros(waste) if waste else 0
        if not self.limited:
            if ahead == 0 or ones(waste) % 3 == 0:
                f.offset = 0
                now = fresh
            else:
                now = fresh | self._ends(ahead) | ONE << (f.offset - 1)
            f.reach = self._cards(now)
            f.again = 0
            return
        now = self._ends(ahead)
        if waste:
            now |= ONE << (f.offset - 1)
        f.reach = self._cards(now)
        f.again = self._cards(fresh & ~now) if f.passes > 1 else 0

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _unlock(self, f: cython.pointer(Frame), bit: cython.ulonglong) -> cython.void:
        """The locked card leaves its column: the next one turns up."""
        k: cython.int = self.column[trailing_zeros(bit)]
        n: cython.int = f.count >> (4 * k) & 15
        m: cython.int = n - 1
        card: cython.int
        f.locked &= ~bit
        if m == 0:
            f.empty += 1
        else:
            card = self.pile[16 * k + m - 1]
            f.hidden -= 1
            while self.joined[k] >> (m - 1) & 1:
                f.visible |= ONE << card
                f.hidden -= 1
                m -= 1
                card = self.pile[16 * k + m - 1]
            bit = ONE << card
            f.visible |= bit
            if m == 1 and bit & self.kings:
                m = 0
            else:
                f.locked |= bit
        f.count -= cython.cast(cython.uint, n - m) << (4 * k)
        f.mixed -= self.radix[k] * cython.cast(cython.uint, n - m)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _take(self, f: cython.pointer(Frame), bit: cython.ulonglong) -> cython.void:
        """A card leaves the stock."""
        place: cython.int = self.place[trailing_zeros(bit)]
        f.stock &= ~bit
        f.live &= ~(ONE << place)
        if f.again & bit:
            f.passes -= 1
        f.offset = place
        self._reach(f)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _raise(self, f: cython.pointer(Frame), bit: cython.ulonglong) -> cython.void:
        """A card goes to its foundation, from the tableau or the stock."""
        card: cython.int = trailing_zeros(bit)
        suit: cython.int = (card & 3) ^ (card >> 2 & 1) << 1
        if f.visible & bit:
            f.visible &= ~bit
            if f.locked & bit:
                self._unlock(f, bit)
            elif bit & self.kings:
                f.empty += 1
            self._note(64 | card)
        else:
            self._take(f, bit)
            self._note(192 | card)
        f.heights += cython.cast(cython.uint, 1) << (8 * suit)
        self._foundation(f)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _note(self, code: cython.int) -> cython.void:
        self.notes[self.noted & 63] = code
        self.noted += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _settle(self, f: cython.pointer(Frame)) -> cython.int:
        """Play up what is safe; true when the rest goes up by itself (then it has been)."""
        bits: cython.ulonglong
        while True:
            bits = f.safe & f.visible
            if bits:
                bits &= self._uncovered(f)
            if self.reserve:
                bits |= f.safe & f.stock
            if not bits:
                break
            self._raise(f, bits & ~(bits - 1))
        if f.hidden == 0 and (self.reserve or f.live & (f.live - 1) == 0):
            self._finish(f)
            return 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _finish(self, f: cython.pointer(Frame)) -> cython.void:
        """Nothing is hidden: always the lowest next card, on which no card can lie."""
        while f.next:
            self._raise(f, f.next & ~(f.next - 1))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _moves(self, f: cython.pointer(Frame)) -> cython.void:
        """Work out the moves of a state."""
        u: cython.ulonglong = self._uncovered(f)
        land: cython.ulonglong = u >> 4
        if f.empty:
            land |= self.kings
        self.do_reveal = f.locked & land
        self.do_up = f.visible & f.next & u & ~f.last
        self.do_lay = f.reach & land
        self.do_stock_up = f.reach & f.next
        self.do_lay_again = f.again & land
        self.do_up_again = f.again & f.next
        self.do_back = f.back & land & ~f.last
        if self.reserve:
            self.do_lay &= ~u

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_strict(
        self, f: cython.pointer(Frame), g: cython.pointer(Frame), kind: cython.int, bit: cython.ulonglong
    ) -> cython.int:
        """Whether the next move must be one that this one made possible; see docs/solver.md, Setups.

        ``kind``: of the move from ``f`` to ``g``, with card ``bit``.
        """
        wanted: cython.ulonglong
        twins: cython.ulonglong
        supply: cython.ulonglong
        card: cython.int
        k: cython.int
        n: cython.int
        if kind == 2:
            return 1
        if kind == 0:
            wanted = g.locked & ~f.locked
            if not wanted:
                return 1
        else:
            card = trailing_zeros(bit)
            if card < 4:
                return 1
            wanted = ONE << ((card - 4) ^ 2)
            if not wanted & g.back:
                return 1
        supply = self.deck & ~(g.visible | g.stock)
        if not self.worry:
            supply &= ~self._raised(g)
        if self.reserve:
            supply |= g.stock
        if wanted & self.kings:
            if g.empty and self.kings & ~wanted & (supply | g.locked) == 0:
                return 1
            return g.count == 0
        twins = (wanted | wanted >> 1) & EVEN
        twins |= twins << 1
        if twins << 4 & self._uncovered(g) and (twins ^ wanted) & (supply | g.locked) == 0:
            return 1
        if kind == 0:
            k = self.column[trailing_zeros(bit)]
            n = g.count >> (4 * k) & 15
            while n > 1:
                n -= 1
                supply &= ~(ONE << self.pile[16 * k + n - 1])
        return supply & twins << 4 == 0

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _raised(self, f: cython.pointer(Frame)) -> cython.ulonglong:
        """The cards on the foundations."""
        s: cython.int
        r: cython.int
        cards: cython.ulonglong = 0
        for s in range(4):
            for r in range(f.heights >> (8 * s) & 255):
                cards |= ONE << (4 * r + (s ^ (r & 1) << 1))
        return cards

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _dependent(
        self, f: cython.pointer(Frame), g: cython.pointer(Frame), kind: cython.int, bit: cython.ulonglong
    ) -> cython.void:
        """Of the moves of ``g`` keep those that the move from ``f`` made possible.

        ``kind``: of the move, with card ``bit``: a reveal, a stock card laid down (stock as reserve), a worry back.
        """
        need: cython.ulonglong = self._uncovered(g) & ~self._uncovered(f)
        land: cython.ulonglong = need >> 4
        same: cython.ulonglong
        card: cython.int
        if kind == 0:
            # A card that lays its own kind of place free as it takes one: whoever takes the one takes the other too.
            same = (bit | bit >> 1) & EVEN
            same = (same | same << 1) << 4 & g.visible & ~f.visible
            same = (same | same >> 1) & EVEN
            need |= same | same << 1
            land = need >> 4
        if g.empty and f.empty == 0:
            land |= self.kings
        self.do_reveal &= land | (g.locked & ~f.locked)
        self.do_up &= need | (g.visible & ~f.visible)
        self.do_lay &= land
        self.do_stock_up = 0
        self.do_lay_again &= land
        self.do_up_again = 0
        if kind == 4:
            card = trailing_zeros(bit)
            if card >= 4:
                land |= ONE << ((card - 4) ^ 2)
        self.do_back &= land

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _apply(self, g: cython.pointer(Frame), code: cython.int) -> cython.void:
        """Make one move."""
        card: cython.int = code & 63
        kind: cython.int = code >> 6
        bit: cython.ulonglong = ONE << card
        if kind == 1 or kind == 3:
            self._raise(g, bit)
            return
        self._note(code)
        if bit & self.kings:
            g.empty -= 1
        if kind == 0:
            self._unlock(g, bit)
            return
        g.visible |= bit
        if kind == 2:
            self._take(g, bit)
            return
        g.heights -= cython.cast(cython.uint, 1) << (8 * ((card & 3) ^ (card >> 2 & 1) << 1))
        self._foundation(g)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _push(self, i: cython.int, kind: cython.int, bits: cython.ulonglong) -> cython.void:
        """Put the states that follow frame ``i`` by moves of one kind on the stack."""
        f: cython.pointer(Frame)
        g: cython.pointer(Frame)
        card: cython.int
        bit: cython.ulonglong
        if cython.compiled:
            f = cython.address(self.frames[i])
        else:
            f = self.frames[i]
        while bits and self.status == 0:
            # the lowest card first where the stock is a reserve, else the highest: measured
            card = 63 - leading_zeros(bits) if self.reserve else trailing_zeros(bits)
            bit = ONE << card
            bits ^= bit
            self.top += 1
            if cython.compiled:
                self.frames[self.top] = self.frames[i]
                g = cython.address(self.frames[self.top])
            else:
                g = self.frames[self.top]
                g.__dict__.update(f.__dict__)
            g.parent = i
            g.code = kind << 6 | card
            g.open = 0
            g.last = 0
            self.noted = 0
            self._apply(g, g.code)
            self.visits += 1
            g.fresh = 1
            if kind == 0 or kind == 4 or (kind == 2 and self.reserve):
                g.fresh = not self._is_strict(f, g, kind, bit)
            if g.fresh:
                if self._settle(g):
                    self.status = 1
                    return
                self._hash(g)
            # Only where the state before is stored, or this one is not: else another way here would miss the move.
            if self.noted == 1 and (f.fresh or not g.fresh) and (kind == 4 or (kind == 1 and not f.locked & bit)):
                g.last = bit

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _search(self, limit: cython.ulonglong) -> cython.void:
        f: cython.pointer(Frame)
        i: cython.int
        limit += self.visits
        while self.status == 0 and self.visits < limit:
            i = self.top
            if i < 0:
                self.status = 2
                self.top = 0
                return
            if cython.compiled:
                f = cython.address(self.frames[i])
            else:
                f = self.frames[i]
            if f.open:
                self.top -= 1
                continue
            if (self.used >= self.room and not self._grow()) or not self._room(i):
                self.status = 3
                return
            if cython.compiled:
                f = cython.address(self.frames[i])
            if f.fresh and self._seen(f.key):
                self.top -= 1
                continue
            f.open = 1
            self._moves(f)
            if not f.fresh:
                if cython.compiled:
                    self._dependent(cython.address(self.frames[f.parent]), f, f.code >> 6, ONE << (f.code & 63))
                else:
                    self._dependent(self.frames[f.parent], f, f.code >> 6, ONE << (f.code & 63))
            # The last to be pushed is tried first: up, then what turns a card, then what only fills places.
            self._push(i, 4, self.do_back)
            self._push(i, 2, self.do_lay_again)
            self._push(i, 2, self.do_lay)
            self._push(i, 0, self.do_reveal)
            self._push(i, 3, self.do_up_again)
            self._push(i, 3, self.do_stock_up)
            self._push(i, 1, self.do_up)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _room(self, top: cython.int) -> cython.int:
        """Room on the stack for one state's moves; false at the bound or when memory is short."""
        frames: cython.pointer(Frame)
        if top + 64 < self.capacity:
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
