"""The session by itself: one table of plays in flight, duplicates, roll-back, resume."""

import pytest

from client.session import Received, Session, Settled
from shared.cards import HIDDEN, parse_card
from shared.moves import Draw, Drawn, Legal, Move, Moved, Refusal, Restored, Turned
from shared.position import Position, Seat
from shared.protocol import (
    AskLegal,
    Failed,
    Hello,
    Join,
    LegalNow,
    MovedAway,
    Play,
    Pong,
    Refused,
    Resumed,
    Snapshot,
    Update,
    Welcome,
)
from shared.table import Player, Race, Table
from shared.terms import DuelTerms

TABLE = Table("m1", DuelTerms(), (Player("Ada"), Player("Ben")), phase="playing")


def cards(text: str) -> tuple[int, ...]:
    return tuple(parse_card(name) for name in text.split())


def view() -> Position:
    """Seat 0 may play AS up, then 2S from the waste on it; 9H goes on TS, and 8C on 9H."""
    mine = Seat(
        columns=(cards("-- AS"), cards("-- -- 9H"), cards("TS"), cards("8C"), (), cards("-- 5D"), cards("4S")),
        down=(1, 2, 0, 0, 0, 1, 0),
        stock=(HIDDEN,) * 10,
        waste=cards("2S"),
    )
    other = Seat(columns=(cards("as"), *((),) * 6), down=(0,) * 7, stock=(HIDDEN,) * 24)
    return Position(seats=(mine, other), foundations=((),) * 8)


def seated() -> Session:
    session = Session()
    session.join(code="ABCD")
    snapshot = Snapshot(no=10, now=1000, table=TABLE, seat=0, n=3, position=view())
    session.receive(snapshot)
    return session


def move(card: str, to: str) -> Move:
    return Move(parse_card(card), to)  # type: ignore[arg-type]


def column(position: Position | None, index: int) -> tuple[int, ...]:
    assert position is not None
    return position.seats[0].columns[index]


def test_a_play_carries_its_number_and_what_was_shown() -> None:
    session = seated()
    assert session.play(Draw()) == Play(4, 10, Draw())
    assert session.play(Draw()) == Play(5, 10, Draw())


def test_a_play_is_shown_at_once_and_counts_only_by_its_update() -> None:
    session = seated()
    session.play(move("9H", "t2"))
    assert column(session.display, 2) == cards("TS 9H")
    assert column(session.position, 2) == cards("TS")
    moved = Moved(cards("9H"), "t1", "t2", 0)
    received = session.receive(Update(11, 1100, (moved, Turned(1, parse_card("KD"))), seat=0, n=4))
    assert received.settled == (Settled(4, no=11),)
    assert session.position == session.display
    assert column(session.position, 1) == cards("-- KD")


def test_only_the_refused_play_and_what_rests_on_it_roll_back() -> None:
    session = seated()
    session.play(move("9H", "t2"))
    session.play(move("8C", "t1"))  # rests on nothing of the others
    session.play(move("8C", "t2"))  # rests on the first: 8C on 9H
    session.play(move("AS", "f"))
    before = session.display
    assert before is not None
    assert before.foundations[0] == cards("AS")
    assert session.receive(Refused(4, Refusal("overtaken"))).settled == (Settled(4, Refusal("overtaken")),)
    assert column(session.display, 1) == cards("-- -- 9H")
    assert column(session.display, 2) == cards("TS")
    assert session.display is not None
    assert session.display.foundations[0] == cards("AS")
    assert [flight.play.n for flight in session.in_flight] == [5, 6, 7]


def test_accepted_plays_make_no_jump() -> None:
    session = seated()
    session.play(move("9H", "t2"))
    session.play(move("8C", "t2"))
    session.play(move("5D", "t4"))
    shown = session.display
    flown = (("9H", "t1", "t2"), ("8C", "t3", "t2"), ("5D", "t5", "t4"))
    for n, (card, source, target) in enumerate(flown, start=4):
        session.receive(Update(7 + n, 1000, (Moved(cards(card), source, target),), seat=0, n=n))
        assert session.display == shown
    assert session.position == shown


def test_a_place_taken_by_the_rival_shows_the_card_at_home_before_the_verdict() -> None:
    session = seated()
    session.play(move("AS", "f"))
    session.receive(Update(11, 1100, (Moved(cards("as"), "t0", "f0", 1),), seat=1, n=1))
    assert column(session.display, 0) == cards("-- AS")
    rerouted = session.receive(Update(12, 1101, (Moved(cards("AS"), "t0", "f1"),), seat=0, n=4))
    assert rerouted.settled == (Settled(4, no=12),)
    assert session.position is not None
    assert session.position.foundations[:2] == (cards("as"), cards("AS"))


def test_a_refusal_in_the_log_settles_and_moves_nothing() -> None:
    session = seated()
    session.play(move("AS", "f"))
    refusal = Refusal("overtaken", by=11, by_ms=3)
    received = session.receive(Update(12, 1100, seat=0, n=4, refusal=refusal))
    assert received.settled == (Settled(4, refusal, 12),)
    assert session.display == session.position == view()
    assert session.no == 12


@pytest.mark.parametrize("repeat", [10, 9, 1])
def test_an_update_folded_before_changes_nothing(repeat: int) -> None:
    session = seated()
    session.receive(Update(repeat, 900, (Moved(cards("9H"), "t1", "t2"),)))
    assert session.position == view()
    assert session.no == 10


def test_a_card_that_cannot_be_seen_or_laid_is_not_shown_moved() -> None:
    session = seated()
    for wish in (Draw(), move("KH", "t4"), move("2S", "f"), move("9H", "t8")):
        session.play(wish)
        assert session.display == view(), wish


def test_after_a_lost_line_only_what_is_missing_is_sent_again_under_its_number() -> None:
    session = seated()
    for wish in (move("9H", "t2"), move("8C", "t2"), Draw()):
        session.play(wish)
    assert session.open() == (Hello(), Join(match="m1", since=10, legal=True))
    assert session.play(move("5D", "t4")) == Play(7, 10, move("5D", "t4"))
    assert not session.live
    received = session.receive(Snapshot(no=14, now=2000, table=TABLE, seat=0, n=5, position=view()))
    assert received.settled == (Settled(4), Settled(5))
    assert received.send == (Play(6, 10, Draw()), Play(7, 10, move("5D", "t4")))
    assert session.live


def test_updates_after_a_lost_line_bring_the_verdicts() -> None:
    session = seated()
    session.play(move("9H", "t2"))
    session.play(Draw())
    session.open()
    moved = Update(11, 1100, (Moved(cards("9H"), "t1", "t2"),), seat=0, n=4)
    assert session.receive(moved) == Received((), (Settled(4, no=11),))
    assert not session.live
    session.play(Draw())
    assert session.receive(Resumed(13, 5)) == Received((Play(6, 11, Draw()),), (Settled(5),))
    assert (session.live, session.no) == (True, 13)


def test_a_play_older_than_one_that_counted_can_count_no_more() -> None:
    session = seated()
    session.play(Draw())
    session.play(Draw())
    drawn = Update(11, 1100, (Drawn(cards("3H")),), seat=0, n=5)
    assert session.receive(drawn).settled == (Settled(4), Settled(5, no=11))


def test_what_the_store_lost_is_forgotten() -> None:
    session = seated()
    session.play(Draw())
    received = session.receive(Snapshot(no=4, now=50, table=TABLE, seat=0, n=1, position=None, rewound=True))
    assert received.settled == (Settled(4),)
    assert (session.no, session.position, session.rewound) == (4, None, 1)
    assert session.n == 4
    assert session.in_flight == []


def test_a_seat_moved_to_another_tab_sends_nothing_until_taken_back() -> None:
    session = seated()
    session.play(Draw())
    assert session.receive(MovedAway()).settled == (Settled(4, Refusal("moved_away")),)
    assert session.moved_away
    assert not session.live
    session.receive(Update(11, 1100, (Drawn(cards("3H")),), seat=0, n=4))
    assert (session.live, session.n) == (False, 4)
    session.join(match="m1")
    session.receive(Snapshot(no=12, now=1200, table=TABLE, seat=0, n=6, position=view()))
    assert (session.live, session.moved_away) == (True, False)
    assert session.play(Draw()).n == 7


def test_a_restored_position_replaces_all() -> None:
    session = seated()
    other = Position(seats=view().seats, foundations=(cards("AS"), *((),) * 7))
    session.receive(Update(11, 1100, (Restored(other),)))
    assert session.position == other


def test_legal_targets_are_those_of_the_last_entry() -> None:
    session = seated()
    legal, late = Legal({1: ("f",)}, {}, {}), Legal({2: ("f",)}, {}, {})
    session.receive(LegalNow(10, legal))
    session.receive(LegalNow(9, late))
    assert session.legal == legal
    session.receive(Update(11, 1100))
    assert session.legal == legal
    session.receive(Update(12, 1200, (Drawn(cards("3H")),)))
    assert session.legal is None


def test_who_one_is_is_kept() -> None:
    session = Session(name="Ada")
    assert session.open() == (Hello(name="Ada"),)
    session.receive(Welcome("id1", "Ada", "0.1.0", "t" * 20))
    session.receive(Failed("too_fast", "slower"))
    assert session.failed is not None
    assert session.open() == (Hello("t" * 20, "Ada"),)


def test_a_match_asked_for_on_a_lost_line_is_asked_for_again() -> None:
    session = Session()
    entry = session.join(code="ABCD", watch=True)
    assert session.open() == (Hello(), entry)
    assert AskLegal() not in session.open()


def test_nobody_plays_without_a_seat() -> None:
    session = Session()
    with pytest.raises(RuntimeError, match="seat"):
        session.play(Draw())


def test_races_and_lines_are_kept_until_another_match_is_entered() -> None:
    session = seated()
    race = Race(no=11, by=10, ms=42, winner=1, card=53)
    session.receive(Update(no=11, at=1100, seat=0, n=4, race=race))
    session.receive(Pong(sent=1.0, now=1200, lines=(38, None)))
    assert (session.races, session.lines) == ([race], (38, None))
    session.join(match="another")
    assert (session.races, session.lines) == ([], ())


def test_targets_that_come_after_an_entry_that_showed_nothing_are_taken() -> None:
    """After a way back the last entries may be none that this player sees; the targets bear their number."""
    session = Session()
    session.receive(Snapshot(no=10, now=0, table=Table("m1", DuelTerms(), (None, None)), seat=0, position=view()))
    legal = Legal(moves={}, tap={}, double={}, commands=("draw",))
    session.receive(LegalNow(12, legal))
    assert session.legal == legal
