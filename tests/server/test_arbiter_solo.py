"""Solo games through the same fold: dealt at once, by code, restarted, slept through."""

import pytest

from server.facts import Hinted, ProvedLost
from shared.moves import Draw, Move, Pause, Redo, Refusal, Resign, Undo
from shared.position import Outcome, Position, Seat
from shared.table import Abandon, LossProof, Ready, Rematch, Restart
from shared.terms import KlondikeTerms, Terms, TwoDeckTerms
from tests.server.script import Script

CODE = "KL1-D1S-AAAAAAB"


def solo(terms: Terms | None = None) -> Script:
    return Script(terms or KlondikeTerms(code=CODE))


@pytest.mark.parametrize("terms", [KlondikeTerms(code=CODE), TwoDeckTerms(code="DS1-D1N-AAAAAAB")])
def test_a_solo_game_is_dealt_at_once(terms: Terms) -> None:
    script = solo(terms)
    assert (script.phase(), script.table.deal_code) == ("playing", terms.code)  # type: ignore[union-attr]
    assert script.wish(0, Draw()).refusal is None


def test_the_same_code_deals_the_same_cards() -> None:
    assert solo().position.seats == solo().position.seats


def test_undo_redo_and_restart() -> None:
    script = solo()
    dealt = script.position
    script.wish(0, Draw())
    drawn = script.position.seats
    script.wish(0, Undo())
    assert script.position.seats == dealt.seats
    script.wish(0, Redo())
    assert script.position.seats == drawn
    script.wish(0, Restart())
    assert (script.position.seats, script.table.restarts) == (dealt.seats, 1)
    assert script.position.undo_depth == 0


def win(script: Script) -> None:
    piles = tuple(tuple(range(suit * 13, suit * 13 + 13 - (suit == 3))) for suit in range(4))
    tally = script.position.tally
    columns = ((51,), *((),) * 6)
    script.state.position = Position((Seat(columns, (0,) * 7, ()),), piles, tally=tally)
    script.wish(0, Move(51, "f"))


def test_a_win_is_the_end_recorded_once_and_restart_plays_again() -> None:
    script = solo()
    win(script)
    assert script.phase() == "over"
    assert script.table.result is not None
    assert script.table.result.reason == "won"
    assert script.wish(0, Undo()).refusal == Refusal("game_over")
    script.wish(0, Restart())
    assert script.phase() == "playing"
    assert script.arbiter.state.table.result is None
    assert script.wish(0, Draw()).refusal is None
    win(script)
    assert len(script.table.games) == 2


def test_what_belongs_to_a_duel_is_not_in_this_game() -> None:
    script = solo()
    for wish in (Ready("0" * 32), Rematch(), Resign()):
        assert script.wish(0, wish).refusal == Refusal("not_in_this_game")


def test_the_clock_stands_while_its_player_is_away() -> None:
    script = solo()
    script.wish(0, Draw())
    script.leave(0, after=5_000)
    script.come(0, "b.7", after=1_000_000)
    script.wish(0, Draw(), after=0)
    tally = script.position.tally
    assert tally is not None
    assert not tally.paused
    assert tally.played_ms + script.at - (tally.running_since or 0) == 5_000
    assert script.arbiter.next_deadline() is None


def test_a_pause_of_his_own_lasts_until_he_ends_it() -> None:
    script = solo()
    script.wish(0, Pause())
    script.leave(0)
    script.come(0, "b.7")
    assert script.wish(0, Draw()).refusal == Refusal("paused")


def hints(script: Script) -> int:
    assert script.position.tally is not None
    return script.position.tally.hints


def test_hints_are_counted_once_a_position_and_end() -> None:
    script = solo()
    for count in (1, 2, 3):
        for _ in range(2):
            assert script.add(Hinted(0)).refusal is None
            assert hints(script) == count
        script.wish(0, Draw())
    assert script.add(Hinted(0)).refusal == Refusal("no_hints_left")
    assert script.add(Hinted(0)).refusal == Refusal("no_hints_left"), "what was refused is not had for nothing"
    assert hints(script) == 3


def test_by_the_rules_of_version_1_each_hint_counts() -> None:
    script = Script(KlondikeTerms(code=CODE), rules=1)
    for _ in range(3):
        script.add(Hinted(0))
    assert hints(script) == 3
    assert script.add(Hinted(0)).refusal == Refusal("no_hints_left")


def test_a_game_that_is_given_up_is_over_for_good() -> None:
    script = solo()
    script.wish(0, Draw())
    script.wish(0, Abandon(), after=5_000)
    outcome, tally = script.position.outcome, script.position.tally
    assert script.phase() == "over"
    assert script.table.result == outcome == Outcome("abandoned", None, (0,))
    assert tally is not None
    assert (tally.played_ms, tally.running_since, tally.paused) == (5_000, None, False)
    assert script.table.games[-1].date is None
    assert script.wish(0, Draw()).refusal == Refusal("game_over")
    for again in (Restart(), Abandon()):
        assert script.wish(0, again).refusal == Refusal("not_now")


def test_a_paused_game_can_be_given_up() -> None:
    script = solo()
    script.wish(0, Draw())
    script.wish(0, Pause(), after=1_000)
    script.wish(0, Abandon(), after=9_000)
    assert script.position.tally is not None
    assert script.position.tally.played_ms == 1_000


def test_a_won_game_is_not_given_up() -> None:
    script = solo()
    win(script)
    assert script.wish(0, Abandon()).refusal == Refusal("not_now")


def test_a_daily_is_not_given_up() -> None:
    script = solo(KlondikeTerms(code=CODE, daily="2026-12-01"))
    assert script.wish(0, Abandon()).refusal == Refusal("not_now")


def test_nothing_is_given_up_by_the_rules_of_version_1_nor_in_a_duel() -> None:
    assert Script(KlondikeTerms(code=CODE), rules=1).wish(0, Abandon()).refusal == Refusal("not_in_this_game")
    assert Script().start().wish(0, Abandon()).refusal == Refusal("not_in_this_game")


def lost(k: int) -> ProvedLost:
    return ProvedLost(k, 12, 3, "{}")


def test_what_cannot_be_won_is_told_once_and_again_only_after_an_undo() -> None:
    script = solo()
    script.wish(0, Draw())
    told = script.add(lost(script.state.no))
    assert told.table is not None
    assert told.table.notice == "cannot_be_won"
    gone = script.wish(0, Draw())
    assert gone.table is not None
    assert gone.table.notice is None
    assert script.add(lost(script.state.no)).table is None, "told before"
    script.wish(0, Undo())
    assert script.add(lost(script.state.no)).table is not None


def test_a_proof_of_what_was_before_the_last_action_says_nothing() -> None:
    script = solo()
    k = script.state.no
    script.wish(0, Draw())
    assert script.add(lost(k)).table is None


def test_a_restart_forgets_what_was_told() -> None:
    script = solo()
    script.wish(0, Draw())
    script.add(lost(script.state.no))
    script.wish(0, Restart())
    assert script.arbiter.state.table.notice is None
    assert script.add(lost(script.state.no)).table is not None


def test_the_proof_is_shown_while_the_notice_is_and_only_with_a_deal_code() -> None:
    script = solo()
    assert script.add(lost(script.state.no)).table is not None
    assert script.table.proof == LossProof(12, 3, "{}")
    gone = script.wish(0, Draw())
    assert gone.table is not None
    assert gone.table.proof is None
    script = solo()
    script.state.change_table(deal_code=None)
    script.add(lost(script.state.no))
    assert script.table.proof == LossProof(12, 3), "its line would name cards that nothing else tells"


def test_a_duel_is_never_said_to_be_lost() -> None:
    script = Script().start()
    assert script.add(lost(script.state.no)).table is None
