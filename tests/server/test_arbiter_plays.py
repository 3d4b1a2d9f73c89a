"""Plays that cross: whose was first, what is overtaken, what a retry changes (docs/rules.md, Duel, Simultaneous)."""

from server.facts import Committed, ProvedStuck
from shared.fair import commitment
from shared.moves import Draw, Ended, Move, Moved, Refusal, Resign
from shared.position import Position, Seat
from shared.table import Propose, Ready, Unready
from shared.terms import DuelTerms, KlondikeTerms
from tests.server.script import Script

ACE, ACE2, TWO, TWO2 = 0, 52, 1, 53


def table(one: tuple[int, ...], two: tuple[int, ...], *piles: tuple[int, ...]) -> Position:
    """Each seat has these cards, each in a column of its own, and a stock of three."""
    seats = tuple(
        Seat(
            tuple((card,) for card in cards) + ((),) * (7 - len(cards)),
            (0,) * 7,
            tuple(52 * i + c for c in (40, 41, 42)),
        )
        for i, cards in enumerate((one, two))
    )
    return Position(seats, tuple(piles) + ((),) * (8 - len(piles)), ends_at=10**9)


def duel(position: Position, **terms: object) -> Script:
    script = Script(DuelTerms(**terms)).start()  # type: ignore[arg-type]
    script.state.position = position
    script.tick(10)  # so that the position is held under a number
    return script


def test_two_plays_on_one_version_both_count() -> None:
    script = Script().start()
    seen = script.state.no
    for seat in (0, 1):
        assert script.wish(seat, Draw(), seen=seen, after=0).events
    assert [len(seat.waste) for seat in script.position.seats] == [1, 1]


def test_two_twos_for_one_ace_the_second_is_overtaken_and_told_by_what() -> None:
    script = duel(table((TWO,), (TWO2,), (ACE,)))
    seen = script.state.no
    first = script.wish(0, Move(TWO, "f"), seen=seen, after=0)
    second = script.wish(1, Move(TWO2, "f"), seen=seen, after=40)
    assert first.refusal is None
    assert second.refusal == Refusal("overtaken", by=first.no, by_ms=40, card=TWO)
    assert second.events == ()


def test_two_twos_for_two_aces_both_go_the_second_to_the_other_pile() -> None:
    script = duel(table((TWO,), (TWO2,), (ACE,), (ACE2,)))
    seen = script.state.no
    places = []
    for seat, card in ((0, TWO), (1, TWO2)):
        event = script.wish(seat, Move(card, "f"), seen=seen, after=0).events[0]
        assert isinstance(event, Moved)
        places.append(event.target)
    assert places == ["f0", "f1"]


def test_a_run_of_own_plays_behind_an_overtaken_one_is_overtaken_too() -> None:
    script = duel(table((TWO, 2), (TWO2,), (ACE2,)))
    seen = script.state.no
    script.wish(1, Move(TWO2, "f"), seen=seen, after=0)
    refusals = [script.wish(0, Move(card, "f"), seen=seen, after=0).refusal for card in (TWO, 2)]
    assert refusals[0] is not None
    assert refusals[0].code == "overtaken"
    assert refusals[1] is None, "the three goes on the rival's two: legal now is legal"


def test_old_sight_is_no_excuse() -> None:
    script = duel(table((TWO,), (TWO2,), (ACE,)))
    seen = script.state.no
    script.wish(0, Move(TWO, "f"), seen=seen, after=3000)
    late = script.wish(1, Move(TWO2, "f"), seen=seen, after=5001).refusal
    assert late is not None
    assert late.code != "overtaken"


def test_a_lull_before_the_race_makes_no_sight_old() -> None:
    script = duel(table((TWO,), (TWO2,), (ACE,)))
    seen = script.state.no
    script.wish(0, Move(TWO, "f"), seen=seen, after=60_000)
    late = script.wish(1, Move(TWO2, "f"), seen=seen, after=100).refusal
    assert late is not None
    assert (late.code, late.by_ms) == ("overtaken", 100)


def test_what_was_never_legal_is_illegal() -> None:
    script = duel(table((TWO,), (TWO2 + 1,), (ACE,)))
    seen = script.state.no
    script.wish(0, Move(TWO, "f"), seen=seen, after=0)
    assert script.wish(0, Move(TWO2 + 1, "f"), seen=seen).refusal == Refusal("not_yours")


def test_sight_of_the_future_never_makes_a_play_legal() -> None:
    script = duel(table((TWO,), (TWO2,), (ACE,)))
    refusal = script.wish(1, Move(TWO2 + 3, "f"), seen=10**6).refusal
    assert refusal is not None


def test_an_overtaken_play_is_no_illegal_move_under_the_penalty_and_an_illegal_one_counts() -> None:
    script = duel(table((TWO,), (TWO2, 52 + 30), (ACE,)), penalty=True)
    seen = script.state.no
    script.wish(0, Move(TWO, "f"), seen=seen, after=0)
    assert script.wish(1, Move(TWO2, "f"), seen=seen).refusal is not None
    assert script.position.seats[1].strikes == ()
    for _ in range(3):
        script.wish(1, Move(52 + 30, "f"))
    waiting = script.wish(1, Draw())
    assert waiting.refusal is not None
    assert waiting.refusal.code == "waiting"
    assert script.wish(1, Draw(), after=3000).refusal is None


def test_both_play_an_end_in_one_tick_and_there_is_one_end() -> None:
    script = duel(table((12,), (64,), tuple(range(12)), tuple(range(52, 64))))
    for i in (0, 1):  # no stock left
        seats = list(script.position.seats)
        seats[i] = Seat(seats[i].columns, seats[i].down, ())
        script.state.position = Position(tuple(seats), script.position.foundations)
    seen = script.state.no
    first = script.wish(0, Move(12, "f"), seen=seen, after=0)
    second = script.wish(1, Move(64, "f"), seen=seen, after=0)
    assert any(isinstance(event, Ended) for event in first.events)
    assert second.events == ()
    assert second.refusal == Refusal("game_over")
    assert len(script.table.games) == 1


def test_a_retry_counts_once() -> None:
    script = Script().start()
    script.wish(0, Draw(), n=10)
    before = script.position
    for n in (10, 9, 1, 0):
        again = script.wish(0, Draw(), n=n)
        assert (again.seat, again.n, again.events) == (None, None, ())
    assert script.position is before
    assert script.wish(0, Draw(), n=11).events


def test_a_refused_play_uses_its_number_up() -> None:
    script = Script().start()
    refused = script.wish(0, Move(99, "f"), n=10)
    assert (refused.seat, refused.n) == (0, 10)
    assert refused.refusal is not None
    assert script.wish(0, Draw(), n=10).seat is None


def test_plays_before_the_cards_appear_are_refused_for_both() -> None:
    script = Script().sit()
    script.add(Committed(1, bytes(32)))
    assert script.wish(0, Draw()).refusal == Refusal("not_started")
    for seat in (0, 1):
        script.wish(seat, Ready("0" * 32), after=0)
    assert script.table.starts_at == script.at + 3000
    for seat in (0, 1):
        assert script.wish(seat, Draw(), after=0).refusal == Refusal("not_started")
        assert script.wish(seat, Unready(), after=0).refusal == Refusal("not_now")
    begun = script.wish(0, Draw(), after=3000)
    assert begun.refusal is None, "the start lies before this entry"
    assert len(begun.events) == 2
    assert script.wish(1, Draw(), after=0).refusal is None


def test_after_the_end_nothing_is_played() -> None:
    script = Script().start()
    script.wish(0, Resign())
    assert script.wish(1, Draw()).refusal == Refusal("game_over")
    assert script.wish(1, Resign()).refusal == Refusal("game_over")
    assert script.table.result is not None
    assert script.table.result.winner == 1


def test_a_proof_of_being_stuck_holds_until_a_foundation_card_is_played() -> None:
    script = Script().start().both_up()
    k = script.state.no
    script.play_up(0)
    script.add(ProvedStuck(0, k))
    assert script.stuck() == [False, False]
    script.add(ProvedStuck(0, script.state.no))
    assert script.stuck() == [True, False]
    script.play_up(1)
    assert script.stuck() == [False, False]


def test_ready_needs_the_commitment_and_new_terms_withdraw_it() -> None:
    script = Script().sit()
    assert script.wish(0, Ready("0" * 32)).refusal == Refusal("not_now")
    script.add(Committed(1, bytes(32)))
    script.wish(0, Ready("0" * 32))
    assert script.player(0).ready
    assert script.wish(1, Propose(DuelTerms())).table is None, "nothing changed"
    assert script.player(0).ready
    script.wish(1, Propose(DuelTerms(draw=(1, 3), games=3)))
    assert not script.player(0).ready
    assert script.table.terms == DuelTerms(draw=(1, 3), games=3)
    assert script.state.rules.draw == (1, 3)
    for bad in (DuelTerms(rated=True, draw=(1, 3)), DuelTerms(rated=True, mirror=True), KlondikeTerms()):
        assert script.wish(1, Propose(bad)).refusal == Refusal("not_now")


def test_the_first_commitment_of_a_game_counts_and_none_for_another_game() -> None:
    script = Script().sit()
    script.add(Committed(2, b"2" * 32))
    shown = [script.table.commitment]
    for seed in (b"1", b"3"):
        script.add(Committed(1, seed * 32))
        shown.append(script.table.commitment)
    assert shown == [None, commitment(b"1" * 32), commitment(b"1" * 32)]
