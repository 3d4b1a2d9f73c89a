"""Every way in which a game and a match end (docs/rules.md, Ends, Winner, Match)."""

from collections.abc import Callable

import pytest

from server.facts import Committed, ProvedStuck
from server.follow import fold_log
from server.match.arbiter import Folded
from shared.fair import check_deal
from shared.moves import Declare, Draw, Ended, Move, Pass, Recycle, Resign
from shared.position import Outcome, Position, Seat
from shared.table import AgreeEnd, Ready
from shared.terms import DuelTerms
from tests.server.script import Script

ALTERNATING = DuelTerms(tempo="alternating", first="host")


def duel(**terms: object) -> Script:
    return Script(DuelTerms(**terms)).start()  # type: ignore[arg-type]


def nearly(script: Script, seats: tuple[tuple[int, ...], tuple[int, ...]], last_up: int) -> None:
    """Let each seat have only these cards left, each in a column of its own; all others lie on the foundations."""
    left = {card for cards in seats for card in cards}
    piles: list[tuple[int, ...]] = []
    for suit in range(4):
        for deck in (0, 1):
            first = deck * 52 + suit * 13
            piles.append(tuple(card for card in range(first, first + 13) if card not in left))
    tables = tuple(Seat(tuple((card,) for card in cards) + ((),) * (7 - len(cards)), (0,) * 7, ()) for cards in seats)
    script.state.position = Position(tables, tuple(piles), last_up=last_up, ends_at=script.position.ends_at)


def by_out(script: Script) -> None:
    nearly(script, ((12,), (52 + 12, 52 + 25)), 1)
    script.wish(0, Move(12, "f"))


def by_complete(script: Script) -> None:
    nearly(script, ((12,), (64,)), 1)
    script.wish(0, Move(12, "f"))
    assert script.state.running, "play on"
    script.wish(1, Move(64, "f"))


def by_clear(script: Script) -> None:
    nearly(script, ((12,), (64,)), 1)
    mine = script.position.seats[0]
    waste = Seat(mine.columns, mine.down, (), (25,))
    hearts = tuple(pile[:-1] if pile[-1] == 25 else pile for pile in script.position.foundations)
    script.state.position = Position((waste, script.position.seats[1]), hearts, last_up=1)
    script.wish(0, Move(12, "f"))


def by_stuck(script: Script) -> None:
    script.both_up()
    script.play_up(1)
    for seat in (0, 1):
        shown = script.add(ProvedStuck(seat, script.state.no))
        assert (seat == 0) == script.state.running
        assert shown.table is None or seat == 1


def by_declaring(script: Script) -> None:
    script.both_up()
    script.play_up(1)
    script.wish(0, Declare())
    script.wish(1, Declare())


def by_passing(script: Script) -> None:
    while not any(script.position.foundations):
        turn = script.position.turn
        assert turn is not None
        cards = script.legal_up(turn.seat)
        mine = script.position.seats[turn.seat]
        if cards:
            script.wish(turn.seat, Move(cards[0], "f"))
        elif not mine.stock:
            script.wish(turn.seat, Recycle())
        else:
            script.wish(turn.seat, Draw())
    turn = script.position.turn
    assert turn is not None
    if turn.acted:
        script.wish(turn.seat, Pass())
        turn = script.position.turn
        assert turn is not None
    script.wish(turn.seat, Pass())
    assert script.state.running
    script.wish(1 - turn.seat, Pass())


def by_no_progress(script: Script) -> None:
    while script.state.running:
        turn = script.position.turn
        assert turn is not None
        cards = script.legal_up(turn.seat) if script.position.last_up is None else []
        mine = script.position.seats[turn.seat]
        if cards:
            script.wish(turn.seat, Move(cards[0], "f"))
        elif not mine.stock:
            script.wish(turn.seat, Recycle())
        else:
            script.wish(turn.seat, Draw())


def by_time(script: Script) -> None:
    script.both_up()
    script.play_up(0)
    script.tick(900_000)


def by_agreeing(script: Script) -> None:
    script.both_up()
    script.play_up(1)
    script.wish(0, AgreeEnd())
    script.wish(0, AgreeEnd(on=False))
    script.wish(1, AgreeEnd())
    assert script.state.running
    script.wish(0, AgreeEnd())


def by_resigning(script: Script) -> None:
    script.play_up(0)
    script.wish(0, Resign())


def by_leaving(script: Script) -> None:
    script.play_up(1)
    script.leave(1)
    assert script.player(1).gone_until == script.at + 60_000
    script.tick(59_999)
    assert script.state.running
    script.tick(1)


ENDS: list[tuple[str, dict[str, object], Callable[[Script], None], int | None]] = [
    ("out", {}, by_out, 0),
    ("complete", {"play_on": True}, by_complete, 1),
    ("cleared", {"clear_bonus": True}, by_clear, 0),
    ("both_stuck", {}, by_stuck, 1),
    ("both_declared", {}, by_declaring, 1),
    ("both_passed", {"tempo": "alternating", "turn_seconds": None}, by_passing, None),
    ("no_progress", {"tempo": "alternating", "turn_seconds": None}, by_no_progress, None),
    ("time", {}, by_time, 0),
    ("agreed", {}, by_agreeing, 1),
    ("resigned", {}, by_resigning, 1),
    ("left", {}, by_leaving, 0),
]


@pytest.mark.parametrize(("reason", "terms", "end", "winner"), ENDS, ids=[row[0] for row in ENDS])
def test_a_game_ends(reason: str, terms: dict[str, object], end: Callable[[Script], None], winner: int | None) -> None:
    script = duel(**terms)
    end(script)
    result = script.table.result
    assert script.phase() == "over"
    assert result is not None
    assert result.reason == reason
    assert result.winner in {0, 1}
    if winner is not None:
        assert result.winner == winner
    assert script.position.outcome == result
    ended = [folded for folded in refolded(script) if any(isinstance(event, Ended) for event in folded.events)]
    if end not in {by_out, by_complete, by_clear}:  # those begin from a position that is not in the log
        assert len(ended) == 1


def refolded(script: Script) -> list[Folded]:
    return [folded for folded, _ in fold_log("m", tuple(script.entries))[1]]


@pytest.mark.parametrize("reason", ["time", "agreed", "both_declared", "both_stuck"])
def test_without_a_foundation_card_a_game_is_void_and_dealt_anew(reason: str) -> None:
    script = duel()
    if reason == "time":
        script.tick(900_000)
    elif reason == "agreed":
        script.wish(0, AgreeEnd())
        script.wish(1, AgreeEnd())
    elif reason == "both_declared":
        script.wish(0, Declare())
        script.wish(1, Declare())
    else:
        script.add(ProvedStuck(0, script.state.no))
        script.add(ProvedStuck(1, script.state.no))
    assert script.position.outcome == Outcome("void", None, (0, 0), "no_card")
    assert (script.phase(), script.table.game, script.table.sums) == ("between", 2, (0, 0))
    first = script.position
    first_seat = script.state.first
    script.ready(bytes(32))
    assert script.state.running
    assert script.position.seats != first.seats
    assert script.state.first == first_seat


@pytest.mark.parametrize(("seconds", "reason"), [(60, "left"), (10, "left"), (600, "left")])
def test_the_grace_time_is_as_agreed(seconds: int, reason: str) -> None:
    script = duel(grace_seconds=seconds, game_seconds=None)
    script.leave(0)
    script.tick(seconds * 1000 - 1)
    assert script.state.running
    script.tick(1)
    assert script.table.result is not None
    assert (script.table.result.reason, script.table.result.winner) == (reason, 1)


def test_both_away_as_a_grace_time_ends_is_void() -> None:
    script = duel().both_up()
    script.leave(0)
    script.leave(1, after=50_000)
    script.tick(10_000)
    assert script.position.outcome is not None
    assert script.position.outcome.reason == "void"
    assert (script.phase(), script.table.sums) == ("between", (0, 0))


def test_the_seed_is_revealed_at_the_end_and_deals_what_was_played() -> None:
    script = duel()
    shown = script.table.commitment
    dealt = script.state.decks
    assert shown is not None
    by_resigning(script)
    game = script.table.games[0]
    assert game.commitment == shown
    assert check_deal(shown, game.seed, game.nonces, mirror=False, own=(1, f"{1:032x}"), seen=dealt) == ()


def credited(script: Script) -> tuple[int, ...]:
    return script.table.games[-1].credited


def test_who_resigned_keeps_his_count_and_the_other_is_credited_with_52() -> None:
    script = duel(games=3)
    script.play_up(0)
    script.wish(0, Resign())
    assert credited(script) == (1, 52)
    assert (script.phase(), script.table.sums, script.table.game) == ("between", (1, 52), 2)


def test_a_match_of_three_goes_by_the_sum_and_the_first_seat_alternates() -> None:
    script = Script(DuelTerms(games=3, first="guest")).start()
    firsts = [script.state.first]
    for seat in (1, 1, 0):
        if not script.state.running:
            script.ready(bytes([len(firsts)]) * 32)
            firsts.append(script.state.first)
        script.wish(seat, Resign())
    assert firsts == [1, 0, 1]
    assert script.phase() == "over"
    assert script.table.result == Outcome("resigned", 0, (104, 52))


def test_a_tied_sum_is_followed_by_one_more_game_as_often_as_needed() -> None:
    script = Script(DuelTerms(games=3)).start()
    for number, loser in enumerate((0, 1, None, None, None, 1), 1):
        assert script.phase() != "over", number
        if not script.state.running:
            script.ready(bytes([number]) * 32)
        if loser is None:
            script.both_up()
            script.wish(0, AgreeEnd())
            script.wish(1, AgreeEnd())
            assert script.table.sums[0] == script.table.sums[1]
        else:
            script.wish(loser, Resign())
    assert script.table.result == Outcome("resigned", 0, script.table.sums)
    assert len(script.table.games) == 6


def test_a_single_game_is_won_by_its_own_rule_even_if_the_counts_are_equal() -> None:
    script = duel().both_up()
    script.wish(0, AgreeEnd())
    script.wish(1, AgreeEnd())
    assert script.table.result == Outcome("agreed", 1, (1, 1))


def test_a_void_game_does_not_count_towards_the_match() -> None:
    script = Script(DuelTerms(games=3)).start()
    for number in range(1, 5):
        if not script.state.running:
            script.ready(bytes([number]) * 32)
        if number == 2:
            script.tick(900_000)
        else:
            script.wish(1, Resign())
    assert script.phase() == "over"
    assert [game.outcome.reason for game in script.table.games] == ["resigned", "void", "resigned", "resigned"]


@pytest.mark.parametrize(("ready", "expected"), [((0,), ("left", 0)), ((1,), ("left", 1)), ((), ("void", None))])
def test_not_ready_in_a_minute_is_left(ready: tuple[int, ...], expected: tuple[str, int | None]) -> None:
    script = Script(DuelTerms(games=3)).start()
    script.wish(0, Resign())
    script.add(Committed(2, bytes(32)), after=0)
    for seat in ready:
        script.wish(seat, Ready(f"{seat:032x}"), after=0)
    script.tick(59_999)
    assert script.phase() == "between"
    script.tick(1)
    assert script.phase() == "over"
    result = script.table.result
    assert result is not None
    assert (result.reason, result.winner, result.counts) == (*expected, script.table.sums)
