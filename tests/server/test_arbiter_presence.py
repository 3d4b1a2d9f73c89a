"""Who sits and who is here: connections, grace, waiting, two tabs (docs/rules.md, Left; the log's rules 2, 3)."""

import pytest

from server.facts import Committed, Gone, GoneNode, Here, Sit
from server.match import presence
from server.match.presence import MAX_CONNS, MAX_HERES
from shared.moves import Draw, Move
from shared.ruleset import VERSION
from shared.table import Ready, WaitOn
from shared.terms import DuelTerms
from tests.server.script import Script


def duel(rules: int = VERSION, **terms: object) -> Script:
    return Script(DuelTerms(**terms), rules=rules).start()  # type: ignore[arg-type]


def test_two_who_open_one_link_get_two_seats_and_a_third_none() -> None:
    script = Script()
    script.add(Sit("bob", "Bob", "b.2"), after=0)
    script.add(Sit("cat", "Cat", "b.3"), after=0)
    assert [player.identity for player in script.table.players if player] == ["ann", "bob"]
    assert script.state.seat_of("cat") is None
    assert script.table.code is None


def test_the_same_player_twice_on_his_own_link_has_one_seat() -> None:
    script = Script()
    script.add(Sit("ann", "Ann", "b.9"))
    assert script.table.players[1] is None


def test_a_guest_who_goes_before_the_start_frees_his_seat_after_the_grace_time() -> None:
    script = Script().sit()
    script.leave(1)
    script.tick(59_999)
    assert script.state.seat_of("bob") == 1
    script.tick(1)
    assert script.state.free_seat() == 1
    assert script.table.code == "ABCDE"
    script.add(Sit("cat", "Cat", "b.3"))
    assert script.state.seat_of("cat") == 1


def test_a_host_who_goes_before_the_start_keeps_his_seat_and_is_ready_no_more() -> None:
    script = Script().sit()
    script.wish(0, Ready("0" * 32))
    script.leave(0)
    script.tick(600_000)
    assert not script.player(0).ready
    assert not script.player(0).present


@pytest.mark.parametrize(
    ("entries", "present"),
    [
        ("come b.3, gone b.2", True),  # a phone moves from one net to another
        ("come b.3, gone b.3", True),  # one of two tabs closes
        ("come b.3, gone b.2, gone b.3", False),
        ("gone b.2, come b.3", True),
        ("gone b.2, gone b.2", False),  # told twice
        ("gone b.9", True),  # never heard of
        ("come c.1, node b", True),
        ("node b", False),
        ("come c.1, gone b.2, node c", False),
    ],
)
def test_a_seat_is_away_when_no_connection_is_left(*, entries: str, present: bool) -> None:
    script = duel()
    for entry in entries.split(", "):
        what, name = entry.split()
        if what == "come":
            script.come(1, name)
        else:
            script.add(Gone(name) if what == "gone" else GoneNode(name))
    assert script.player(1).present == present
    assert (script.player(1).gone_until is None) == present


def test_coming_back_in_time_goes_on_and_a_new_absence_has_its_whole_grace() -> None:
    script = duel()
    script.leave(1)
    script.come(1, "b.7", after=59_000)
    script.tick(100)
    assert script.state.running
    assert script.player(1).gone_until is None
    script.leave(1)
    assert script.player(1).gone_until == script.at + 60_000


def test_clocks_run_on_while_somebody_is_away() -> None:
    script = duel(game_seconds=60, grace_seconds=600).both_up()
    script.leave(0)
    script.tick(60_000)
    assert script.table.result is not None
    assert script.table.result.reason == "time"


def test_the_present_player_may_wait_and_may_stop_waiting() -> None:
    script = duel()
    script.leave(1)
    assert script.wish(0, WaitOn()).refusal is None
    script.tick(200_000)
    assert script.state.running
    assert script.player(1).waited_for
    script.wish(0, WaitOn(on=False))
    script.tick(0)
    assert script.table.result is not None
    assert (script.table.result.reason, script.table.result.winner) == ("left", 0)


def test_who_is_waited_for_comes_back_into_the_running_game() -> None:
    script = duel()
    script.leave(1)
    script.wish(0, WaitOn())
    script.come(1, "b.5", after=300_000)
    assert script.state.running
    assert not script.player(1).waited_for
    assert script.wish(1, Draw()).refusal is None


def test_when_the_one_who_waited_goes_too_the_game_is_void() -> None:
    script = duel(game_seconds=None).both_up()
    script.leave(1)
    script.wish(0, WaitOn())
    script.leave(0, after=100_000)
    script.tick(60_000)
    assert script.position.outcome is not None
    assert script.position.outcome.reason == "void"


def test_nobody_waits_for_who_is_here() -> None:
    assert duel().wish(0, WaitOn()).refusal is not None


def test_the_newest_connection_plays_and_the_older_changes_nothing() -> None:
    script = duel()
    old = script.state.logs[1].g
    script.come(1, "b.5")
    before = script.position
    ignored = script.wish(1, Draw(), g=old, n=50)
    assert (ignored.seat, ignored.events, script.position) == (None, (), before)
    assert script.state.logs[1].n < 50
    assert script.wish(1, Draw()).events


def test_an_older_connection_takes_the_seat_back() -> None:
    script = duel()
    script.come(1, "b.5")
    script.come(1, "b.2")
    assert script.state.logs[1].newest() == "b.2"
    assert script.wish(1, Draw()).events


def test_here_from_the_connection_that_plays_already_folds_to_nothing() -> None:
    script = duel()
    before = script.state.logs[1].g
    assert script.come(1, "b.2").table is None
    assert script.state.logs[1].g == before


def test_when_the_newest_goes_the_one_before_plays_again() -> None:
    script = duel()
    script.come(1, "b.5")
    script.add(Gone("b.5"))
    assert script.state.logs[1].newest() == "b.2"
    assert script.wish(1, Draw()).events


def test_of_more_than_eight_connections_of_a_seat_the_oldest_goes() -> None:
    script = duel()
    for number in range(20):
        assert presence.may_arrive(script.state, 1, f"x.{number}")
        script.come(1, f"x.{number}")
        assert script.state.logs[1].newest() == f"x.{number}"
    assert list(script.state.logs[1].conns) == [f"x.{number}" for number in range(20 - MAX_CONNS, 20)]
    assert script.add(Gone("x.3")).table is None, "it is no connection of the seat any more"
    script.come(1, "x.12")
    script.come(1, "y.1")
    assert "x.12" in script.state.logs[1].conns, "who came again is not the oldest"
    assert "x.13" not in script.state.logs[1].conns


def test_by_the_rules_of_version_1_the_ninth_is_not_let_in() -> None:
    script = duel(rules=1)
    for number in range(20):
        script.come(1, f"x.{number}")
    assert len(script.state.logs[1].conns) == MAX_CONNS
    assert script.state.logs[1].newest() == f"x.{MAX_CONNS - 2}"


def test_a_seat_comes_five_hundred_times_in_a_game_at_most() -> None:
    script = duel()
    for number in range(MAX_HERES + 20):
        script.come(1, f"x.{number}", after=0)
        script.add(Gone(f"x.{number}"), after=0)
    assert script.state.logs[1].heres == MAX_HERES
    assert script.state.logs[1].newest() == "b.2"


def test_two_tabs_that_take_the_seat_from_each_other_do_so_five_hundred_times_at_most() -> None:
    script = duel()
    for number in range(MAX_HERES + 20):
        script.come(1, f"x.{number % 2}", after=0)
    assert script.state.logs[1].heres == MAX_HERES


def test_what_a_guest_did_who_left_before_the_start_does_not_bind_the_next() -> None:
    script = Script().sit()
    for number in range(MAX_HERES):
        script.come(1, f"x.{number % 2}", after=0)
    for conn in tuple(script.state.logs[1].conns):
        script.add(Gone(conn), after=0)
    script.tick(60_000)
    script.add(Sit("cat", "Cat", "b.3"))
    assert presence.may_arrive(script.state, 1, "b.4")


@pytest.mark.parametrize("seat", [2, -1, 99])
def test_a_seat_that_is_not_there_is_nobodys(seat: int) -> None:
    script = duel()
    assert script.add(Here(seat, "b.8", "Eve")).table is None


def test_absent_at_the_start_has_his_grace_from_the_start() -> None:
    script = Script().sit()
    script.add(Committed(1, bytes(32)))
    for seat in (0, 1):
        script.wish(seat, Ready("0" * 32))
    script.leave(1)
    begun = script.table.starts_at
    assert begun is not None
    script.tick(3000)
    assert script.player(1).gone_until == begun + 60_000
    assert script.wish(0, Move(0, "t0")).seat == 0
