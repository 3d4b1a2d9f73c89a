"""What players say to each other around a game: words, offers to end, rematches, and why a game is void."""

import pytest

from server.facts import Committed, Forked, Gone, ProvedStuck, TurnedDown
from server.match.actions import MAX_WORDS, OFFER_AGAIN_MS, WORD_MS, WORDS_BURST
from server.match.games import READY_MS
from shared.moves import Declare, Move, Refusal, Resign
from shared.position import Position, Seat
from shared.table import AgreeEnd, Emote, Race, Ready, Rematch, Said, StuckProof
from shared.terms import DuelTerms, KlondikeTerms, Terms
from tests.server.script import Script

NOT_NOW, TOO_FAST = Refusal("not_now"), Refusal("too_fast")
WOW = Emote("wow")


def over(terms: DuelTerms | None = None) -> Script:
    """A match of one game that seat 0 resigned."""
    script = Script(terms).start()
    script.wish(0, Resign())
    assert script.phase() == "over"
    return script


# Words.


def test_a_word_is_on_the_table_with_its_time() -> None:
    script = Script().sit()
    assert script.wish(1, Emote("hello")).refusal is None
    assert script.player(1).said == Said("hello", script.at)
    assert script.player(0).said is None


def test_three_words_at_once_then_one_each_two_seconds() -> None:
    script = Script().start()
    told = [script.wish(0, WOW, after=0).refusal for _ in range(WORDS_BURST + 1)]
    assert told == [None] * WORDS_BURST + [TOO_FAST]
    assert script.wish(1, WOW, after=0).refusal is None, "each seat has words of its own"
    assert script.wish(0, WOW, after=WORD_MS - 1).refusal == TOO_FAST
    assert script.wish(0, WOW, after=1).refusal is None
    assert script.wish(0, WOW, after=0).refusal == TOO_FAST


def test_a_refused_word_changes_nothing() -> None:
    script = Script().start()
    for _ in range(WORDS_BURST):
        script.wish(0, WOW, after=0)
    before = script.table
    assert script.arbiter.refuse(0, Emote("oops"), script.state.no, script.at) == TOO_FAST
    assert script.wish(0, Emote("oops"), after=0).table is None
    assert script.table == before


def test_a_match_has_so_many_words_and_no_more() -> None:
    script = Script().start()
    for _ in range(MAX_WORDS):
        assert script.wish(0, WOW, after=WORD_MS).refusal is None
    assert script.wish(0, WOW, after=10 * WORD_MS).refusal == TOO_FAST
    assert script.state.running


def test_words_need_somebody_to_hear_them_and_stay_possible_after_the_end() -> None:
    alone = Script()
    assert alone.wish(0, WOW).refusal == NOT_NOW
    assert over().wish(1, Emote("good_game")).refusal is None
    solo = Script(KlondikeTerms(code="KL1-D1S-AAAAAAB"))
    assert solo.wish(0, WOW).refusal == Refusal("not_in_this_game")


# Offers to end.


def test_an_offer_to_end_can_be_declined_and_is_not_repeated_at_once() -> None:
    script = Script().start()
    script.wish(0, AgreeEnd())
    assert [script.player(seat).agrees_end for seat in (0, 1)] == [True, False]
    script.wish(1, AgreeEnd(on=False))
    assert [script.player(seat).agrees_end for seat in (0, 1)] == [False, False]
    assert script.table.end_declined == 1
    assert script.wish(0, AgreeEnd(), after=OFFER_AGAIN_MS - 1).refusal == TOO_FAST
    assert script.wish(0, AgreeEnd(), after=1).refusal is None
    assert script.table.end_declined is None


def test_who_declined_may_offer_himself_and_who_was_declined_may_accept_that() -> None:
    script = Script().start().both_up()
    script.wish(0, AgreeEnd())
    script.wish(1, AgreeEnd(on=False))
    script.wish(1, AgreeEnd())
    assert script.wish(0, AgreeEnd()).refusal is None
    assert script.table.games[0].outcome.reason == "agreed"
    assert script.table.end_declined is None


def test_an_offer_is_withdrawn_by_who_made_it_and_there_must_be_one() -> None:
    script = Script().start()
    assert script.wish(0, AgreeEnd(on=False)).refusal == NOT_NOW
    script.wish(0, AgreeEnd())
    script.wish(0, AgreeEnd(on=False))
    assert not script.player(0).agrees_end
    assert script.table.end_declined is None
    assert script.wish(0, AgreeEnd()).refusal is None, "a withdrawn offer was not declined"


# Rematches.

LONGER = DuelTerms(games=3, draw=(3, 3))


def test_both_at_once_are_one_rematch() -> None:
    script = over()
    for seat in (0, 1):
        script.wish(seat, Rematch(), after=0)
    assert script.table.next_match is not None
    assert script.table.rematch_terms is None


def test_a_rematch_with_other_options_is_one_once_both_want_the_same() -> None:
    script = over()
    script.wish(0, Rematch(terms=LONGER))
    assert (script.table.rematch_terms, script.table.next_match) == (LONGER, None)
    script.wish(1, Rematch(terms=LONGER))
    assert script.table.next_match
    assert script.table.rematch_terms == LONGER


@pytest.mark.parametrize(("first", "second"), [(LONGER, None), (None, LONGER), (LONGER, DuelTerms(games=5))])
def test_nobody_gets_options_that_he_did_not_name(first: DuelTerms | None, second: DuelTerms | None) -> None:
    """Two offers that differ: the later stands, the earlier is withdrawn, and its author may accept."""
    script = over()
    script.wish(0, Rematch(terms=first))
    script.wish(1, Rematch(terms=second))
    assert script.table.next_match is None
    assert (script.player(0).rematch, script.player(1).rematch) == (False, True)
    assert script.table.rematch_terms == second
    script.wish(0, Rematch(terms=second))
    assert script.table.next_match is not None


def test_the_same_options_named_are_the_same_as_none_named() -> None:
    script = over()
    script.wish(0, Rematch(terms=DuelTerms()))
    assert script.table.rematch_terms is None
    script.wish(1, Rematch())
    assert script.table.next_match is not None


def test_a_decline_ends_the_offer_until_its_author_thinks_better_of_it() -> None:
    script = over()
    script.wish(0, Rematch(terms=LONGER))
    script.wish(1, Rematch(on=False))
    assert script.table.declined == 1
    assert not script.player(0).rematch
    assert script.table.rematch_terms is None
    assert script.wish(0, Rematch()).refusal == NOT_NOW
    assert script.wish(1, Rematch()).refusal is None
    assert not script.table.declined
    script.wish(0, Rematch())
    assert script.table.next_match is not None


def test_options_that_make_no_game_are_refused() -> None:
    script = over()
    assert script.wish(0, Rematch(terms=DuelTerms(rated=True, mirror=True))).refusal == NOT_NOW
    assert not script.player(0).rematch


# Who was first.

ACE, TWO, TWO2 = 0, 1, 53


def race() -> Script:
    script = Script(DuelTerms()).start()
    seats = tuple(Seat(((card,),) + ((),) * 6, (0,) * 7, (52 * i + 40,)) for i, card in enumerate((TWO, TWO2)))
    script.state.position = Position(seats, ((ACE,),) + ((),) * 7, ends_at=10**9)
    script.tick(10)
    return script


def test_who_was_first_is_told_once_and_kept_with_the_game() -> None:
    script = race()
    seen = script.state.no
    first = script.wish(0, Move(TWO, "f"), seen=seen)
    late = script.wish(1, Move(TWO2, "f"), seen=seen, after=42)
    assert late.race == Race(no=late.no, by=first.no, ms=42, winner=0, card=TWO)
    again = script.wish(1, Move(TWO2, "f"), seen=seen, after=5)
    assert again.refusal is not None
    assert again.race is None, "the same race"
    script.wish(1, Resign())
    assert script.table.games[0].races == (late.race,)


def test_a_new_game_has_no_races_yet() -> None:
    script = Script(DuelTerms(games=3)).start()
    script.state.races = (Race(9, 8, 7, 0, ACE),)
    script.wish(1, Resign())
    script.ready()
    script.wish(1, Resign())
    assert [len(game.races) for game in script.table.games] == [1, 0]


# Why it is void, and what proves a dead game.


def by_no_card(script: Script) -> None:
    for seat in (0, 1):
        script.wish(seat, Declare())


def by_both_away(script: Script) -> None:
    for seat in (0, 1):
        script.leave(seat)
    script.tick(60_010)


def by_fork(script: Script) -> None:
    script.add(Forked())


@pytest.mark.parametrize(
    ("end", "why"), [(by_no_card, "no_card"), (by_both_away, "both_away"), (by_fork, "fork")], ids=lambda v: str(v)[:20]
)
def test_a_void_game_says_why(end: object, why: str) -> None:
    script = Script().start()
    end(script)  # type: ignore[operator]
    assert [game.outcome.why for game in script.table.games] == [why]
    script.tick(READY_MS)
    assert script.table.result is not None
    assert (script.table.result.reason, script.table.result.why) == ("void", "not_ready")


def test_a_dead_game_keeps_what_proves_it() -> None:
    script = Script().start().both_up()
    ks = []
    for seat in (1, 0):
        ks.append(script.state.no)
        script.add(ProvedStuck(seat, ks[-1]))
    (game,) = script.table.games
    assert game.outcome.reason == "both_stuck"
    assert game.proofs == (StuckProof(0, ks[1]), StuckProof(1, ks[0]))


# Before the start.


def called(terms: Terms | None = None) -> Script:
    """Two whom the lobby paired."""
    script = Script(terms).sit()
    script.state.change_table(ready_until=script.at + 15_000)
    return script


def test_a_match_that_is_turned_down_does_not_take_place() -> None:
    script = called()
    script.add(Committed(1, bytes(32)))
    script.wish(0, Ready("0" * 32))
    script.add(TurnedDown(1))
    assert script.table.result is not None
    assert (script.phase(), script.table.result.why, script.table.declined) == ("over", "declined", 1)
    assert script.table.games == ()


def test_a_match_that_began_or_is_not_the_lobbys_is_not_turned_down() -> None:
    friends = Script().sit()
    friends.add(TurnedDown(1))
    assert friends.phase() == "gathering"
    begun = called()
    begun.ready()
    begun.add(TurnedDown(1))
    assert begun.state.running


def test_who_says_that_he_leaves_a_called_match_turns_it_down() -> None:
    script = called()
    conn = script.state.logs[1].newest()
    assert conn is not None
    script.add(Gone(conn, left=True))
    assert script.table.declined == 1


def test_who_says_that_he_leaves_frees_his_seat_at_once_and_who_is_lost_keeps_it_for_the_grace_time() -> None:
    script = Script().sit()
    conn = script.state.logs[1].newest()
    assert conn is not None
    script.leave(1)
    assert script.player(1).gone_until is not None
    script.come(1, conn)
    script.add(Gone(conn, left=True))
    assert script.table.players[1] is None
    assert script.table.code == "ABCDE"


def test_one_of_two_tabs_that_leaves_frees_nothing() -> None:
    script = Script().sit()
    conn = script.state.logs[1].newest()
    assert conn is not None
    script.come(1, "b.9")
    script.add(Gone(conn, left=True))
    assert script.player(1).present
