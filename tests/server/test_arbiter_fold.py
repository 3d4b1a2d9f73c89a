"""The fold agrees with itself everywhere, and gives nothing away (the log's rules 2, 6, 7, 8, 9, 16)."""

import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.facts import (
    Committed,
    Created,
    Entry,
    Forked,
    Gone,
    GoneNode,
    Here,
    ProvedStuck,
    Sit,
    Tick,
    TurnedDown,
    Voided,
    Wished,
    pack,
    unpack,
)
from server.follow import Unfoldable, fold_log
from server.match import presence
from server.match.arbiter import LAST_ENTRY, Arbiter, Corrupt, Folded
from server.match.presence import MAX_WRITTEN
from server.match.state import HELD
from server.storage.base import Stored
from shared import engine
from shared.moves import Command, Declare, Draw, Move, Pass, Recycle, Resign
from shared.protocol import Wish
from shared.ruleset import VERSION
from shared.table import AgreeEnd, Emote, Propose, Ready, Rematch, Unready, WaitOn
from shared.terms import DuelTerms
from tests.server.script import SEED, Script

ROOT = Path(__file__).resolve().parents[2]


def wild(seed: int, length: int = 150, kind: type[Script] = Script) -> Script:
    """A match in which everything happens, in no sensible order."""
    chance = random.Random(seed)
    terms = DuelTerms(
        tempo="simultaneous" if chance.random() < 0.5 else "alternating",
        games=chance.choice([1, 3]),
        penalty=chance.random() < 0.5,
        play_on=chance.random() < 0.5,
        game_seconds=chance.choice([None, 60]),
        turn_seconds=5,
        grace_seconds=10,
    )
    script = kind(terms)
    for number in range(length):
        _one(script, chance, number)
    return script


def _one(script: Script, chance: random.Random, number: int) -> None:
    seat = chance.randrange(2)
    after = chance.choice([0, 1, 10, 100, 3000, 11_000 if chance.random() < 0.2 else 5])
    kind = chance.random()
    if kind < 0.6 and script.state.running:
        script.wish(
            seat, _command(script, seat, chance), after=after, seen=max(0, script.state.no - chance.randrange(70))
        )
    elif kind < 0.75:
        wishes: list[Wish] = [
            Ready(f"{number:032x}"),
            Ready(f"{seat:032x}"),
            Unready(),
            Rematch(),
            Rematch(on=chance.random() < 0.7, terms=DuelTerms(games=chance.choice([1, 3]))),
            WaitOn(),
            AgreeEnd(),
            AgreeEnd(on=False),
            Emote("wow"),
            Emote("hello"),
        ]
        wishes += [Propose(DuelTerms(games=3)), Draw(), Resign() if chance.random() < 0.1 else Draw()]
        script.wish(seat, chance.choice(wishes), after=after)
    elif kind < 0.9:
        conn = f"{chance.choice('bc')}.{chance.randrange(4)}"
        guest = f"p{chance.randrange(3)}"
        left = chance.random() < 0.3
        comings: list[Entry] = [Here(seat, conn, "X"), Gone(conn, left=left), GoneNode("c"), Sit(guest, "P", conn)]
        script.add(chance.choice(comings), after)
    else:
        proof = ProvedStuck(seat, max(1, script.state.no - 2))
        facts: list[Entry] = [Tick(), Committed(script.table.game, SEED), proof, TurnedDown(seat), Tick()]
        script.add(chance.choice(facts) if chance.random() < 0.95 else Forked(), after)


def _command(script: Script, seat: int, chance: random.Random) -> Command:
    legal = engine.legal(script.state.rules, script.position, seat, script.at)
    commands: list[Command] = [
        Draw(),
        Recycle(),
        Pass(),
        Move(chance.randrange(104), "f"),
        Move(chance.randrange(104), "t3"),
    ]
    commands += [Move(card, to) for card, targets in legal.moves.items() for to in targets] * 3
    if chance.random() < 0.02:
        commands.append(Declare())
    return chance.choice(commands)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9))
def test_two_folds_of_one_log_agree_in_all(seed: int) -> None:
    script = wild(seed)
    again, done = fold_log("m", tuple(script.entries))
    assert again.state.digest == script.state.digest
    assert again.state.position == script.state.position
    assert again.state.table == script.state.table
    assert len(done) == len(script.entries)
    assert not any(folded.forked for folded, _ in done)


def test_wild_matches_do_reach_games_and_ends() -> None:
    scripts = [wild(seed) for seed in range(120)]
    assert sum(bool(script.table.games) for script in scripts) >= 30
    assert {game.outcome.reason for script in scripts for game in script.table.games} >= {"left", "void", "resigned"}


def test_the_digest_is_the_same_whatever_the_hash_seed() -> None:
    code = (
        "from tests.server.test_arbiter_fold import wild\n"
        "print(*[wild(seed, 300).state.digest.hex() for seed in range(8)])"
    )
    printed = [
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "4242")
    ]
    assert printed[0] == printed[1]
    assert len(set(printed[0].split())) == 8


def test_another_digest_is_a_fork_while_the_entry_is_held() -> None:
    script = Script().start()
    state = script.state

    def said(have: int, digest: bytes) -> bool:
        return script.add(Wished(0, state.logs[0].g, 100 + state.no, state.no, Draw(), have, digest)).forked

    assert not said(state.no, state.digest)
    held = state.recent[0]
    assert not said(held.no, held.digest)
    assert said(state.no, bytes(8))
    for _ in range(HELD):
        script.tick(1)
    assert not said(held.no, bytes(8))


def test_a_fork_makes_the_running_game_void_and_deals_it_anew() -> None:
    script = Script().start().both_up()
    script.add(Forked())
    assert script.phase() == "between"
    assert script.table.games[0].outcome.reason == "void"


def test_deadlines_take_effect_in_their_order_before_the_entry_beyond_them() -> None:
    """The grace ends at 60 s and the game at 60 s and 5 ms: whoever looks first, at whatever moment, sees `left`."""
    for late in (60_000, 60_010, 500_000):
        script = Script(DuelTerms(game_seconds=60, grace_seconds=60)).start().both_up()
        begun = script.position.ends_at
        assert begun is not None
        script.leave(0, after=begun - script.at - 60_005)
        folded = script.tick(late)
        assert script.position.outcome is not None
        assert script.position.outcome.reason == "left"
        assert folded.table is not None


def test_at_one_moment_the_game_clock_goes_before_the_grace() -> None:
    script = Script(DuelTerms(game_seconds=60, grace_seconds=60)).start().both_up()
    begun = script.position.ends_at
    assert begun is not None
    script.leave(0, after=begun - script.at - 60_000)
    script.tick(70_000)
    assert script.position.outcome is not None
    assert script.position.outcome.reason == "time"


def test_several_turn_clocks_pass_before_one_late_entry() -> None:
    script = Script(DuelTerms(tempo="alternating", turn_seconds=5, grace_seconds=600, first="host")).start()
    turn = script.position.turn
    assert turn is not None
    script.wish(0, Draw())
    script.tick(60_000)
    assert script.phase() == "between", "two passes by the clock, no card played: void"
    assert script.arbiter.next_deadline() == script.at + 60_000


def test_a_tick_that_is_early_changes_nothing() -> None:
    script = Script().start()
    before = script.position, script.table
    folded = script.tick(10)
    assert (folded.events, folded.table) == ((), None)
    assert (script.position, script.table) == before


def test_entries_must_come_without_a_gap_and_the_creation_first() -> None:
    script = Script()
    with pytest.raises(Corrupt, match="expected entry 3"):
        script.arbiter.fold(Stored(4, 0, pack(Tick())))
    with pytest.raises(Corrupt, match="its creation"):
        Arbiter("m").fold(Stored(1, 0, pack(Tick())))
    with pytest.raises(Corrupt, match="entry 3"):
        script.arbiter.fold(Stored(3, 0, b"\xc1"))


def test_a_void_in_the_log_takes_out_what_cannot_be_folded() -> None:
    script = Script().start().both_up()
    good = list(script.entries)
    k = len(good) + 1
    bad = [Stored(k, script.at, b"\xc1"), Stored(k + 1, script.at, pack(Tick()))]
    with pytest.raises(Unfoldable) as error:
        fold_log("m", (*good, *bad))
    assert error.value.k == k
    void = Stored(k + 2, script.at, pack(Voided(k)))
    arbiter, done = fold_log("m", (*good, *bad, void, Stored(k + 3, script.at, pack(Tick()))))
    assert arbiter.state.table.phase == "over"
    assert arbiter.state.table.result is not None
    assert arbiter.state.table.result.reason == "void"
    assert arbiter.head == k + 3
    assert len(done) == len(good) + 2


def test_seeds_are_in_no_repr() -> None:
    entry = Committed(1, SEED)
    shown = repr(entry) + str(entry) + f"{entry!r}"
    script = Script().start()
    shown += repr(script.state) + repr(script.arbiter) + repr(script.table) + repr(script.state.recent[-1].digest)
    for secret in (SEED.hex(), repr(SEED), repr(SEED)[2:-1], str(list(SEED))):
        assert secret not in shown


def test_an_entry_survives_its_bytes() -> None:
    for entry in [
        Committed(1, SEED),
        Tick(),
        Here(1, "b.1", "Å"),
        Wished(1, 2, 3, 4, Propose(DuelTerms()), 5, b"12345678"),
    ]:
        assert unpack(pack(entry)) == entry


def test_a_play_is_a_small_entry() -> None:
    assert len(pack(Wished(1, 20_000, 20_000, 20_000, Move(103, "t6"), 20_000, bytes(8)))) <= 64


def test_a_duel_ends_void_before_its_log_is_full() -> None:
    script = Script().start().both_up()
    for _ in range(LAST_ENTRY):
        if script.phase() == "over":
            break
        script.tick(1)
    assert script.state.no == LAST_ENTRY + 1
    assert script.table.result is not None
    assert script.table.result.reason == "void"
    assert script.table.games[0].outcome.reason == "void"


def test_two_seats_that_write_all_they_may_do_not_fill_the_log() -> None:
    script = Script().start()
    facts = script.state.no
    while any(presence.may_write(script.state, seat) for seat in (0, 1)):
        for seat in (0, 1):
            if presence.may_write(script.state, seat):
                script.wish(seat, Move(0, "f"), after=0, n=0)  # sent again: no play, and an entry all the same
    assert script.phase() == "playing"
    assert script.state.no - facts > MAX_WRITTEN
    assert script.state.no < LAST_ENTRY


def test_rules_of_another_version_are_not_guessed() -> None:
    first = Created(DuelTerms(), (("ann", "Ann"),), 0, VERSION + 1)
    with pytest.raises(Corrupt, match=f"version {VERSION + 1}, this server knows 1 to {VERSION}"):
        Arbiter("m").fold(Stored(1, 0, pack(first)))


class Foretold(Script):
    """A script that asks before each wish what would become of it."""

    asked = 0

    def wish(self, seat: int, wish: Wish, *, after: int = 10, seen: int | None = None, **at_will: int | None) -> Folded:
        at = self.at + after
        due = self.arbiter.next_deadline()
        shown = self.state.no if seen is None else seen
        foretold = self.arbiter.refuse(seat, wish, shown, at)
        before = self.state.digest, self.state.position, self.state.table
        folded = super().wish(seat, wish, after=after, seen=seen, **at_will)
        assert before != (self.state.digest, self.state.position, self.state.table)
        if (due is None or due > at) and folded.seat is not None:
            type(self).asked += 1
            assert folded.refusal == foretold
        return folded


def test_what_is_judged_early_is_what_the_log_would_have_said() -> None:
    for seed in range(60):
        wild(seed, kind=Foretold)
    assert Foretold.asked > 2000
