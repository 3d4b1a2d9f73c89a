"""Streaks: dates and not hours, whatever the clocks do (docs/daily.md, Streak)."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.streaks import Streak, Win, streak

D = dt.date
ZONES = (-660, -300, 0, 330, 780, 840)


def at(zone: dt.tzinfo, *parts: int) -> Win:
    """Return a win at this local time."""
    local = dt.datetime(*parts, tzinfo=zone)  # type: ignore[arg-type,misc]
    offset = local.utcoffset() or dt.timedelta()
    return Win(local.date(), round(local.timestamp() * 1000), round(offset.total_seconds() / 60))


def zone(minutes: int) -> dt.timezone:
    """Return the zone that is ``minutes`` ahead of UTC."""
    return dt.timezone(dt.timedelta(minutes=minutes))


@pytest.mark.parametrize("minutes", ZONES)
def test_two_minutes_around_midnight_are_two_days(minutes: int) -> None:
    wins = [at(zone(minutes), 2026, 12, 1, 23, 59), at(zone(minutes), 2026, 12, 2, 0, 1)]
    assert streak(wins, D(2026, 12, 2)) == Streak(2, 2, D(2026, 12, 2))


def test_late_one_day_and_early_the_next_in_the_far_west() -> None:
    wins = [at(zone(-480), 2026, 1, 1, 23, 0), at(zone(-480), 2026, 1, 2, 17, 0)]
    assert streak(wins, D(2026, 1, 2)).current == 2


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("America/New_York", D(2026, 3, 8)),
        ("America/New_York", D(2026, 11, 1)),
        ("Europe/Berlin", D(2026, 3, 29)),
        ("Europe/Berlin", D(2026, 10, 25)),
        ("Australia/Lord_Howe", D(2026, 4, 5)),
        ("Australia/Lord_Howe", D(2026, 10, 4)),
    ],
)
@pytest.mark.parametrize("hour", [0, 23])
def test_a_night_of_another_length_breaks_nothing(name: str, change: dt.date, hour: int) -> None:
    days = [change + dt.timedelta(days=n) for n in (-2, -1, 0, 1, 2)]
    wins = [at(ZoneInfo(name), day.year, day.month, day.day, hour, 30) for day in days]
    assert streak(wins, days[-1]).current == 5
    missed = [win for win in wins if win.date != change]
    assert streak(missed, days[-1]).current == 2


def test_a_date_skipped_at_the_date_line_is_bridged_and_not_counted() -> None:
    wins = [at(zone(-600), 2026, 12, 1, 20, 0), at(zone(840), 2026, 12, 3, 10, 0)]
    assert streak(wins, D(2026, 12, 3)).current == 2
    stayed = [at(zone(-600), 2026, 12, 1, 20, 0), at(zone(-600), 2026, 12, 3, 1, 0)]
    assert streak(stayed, D(2026, 12, 3)).current == 1


def test_moving_the_clock_gains_no_days() -> None:
    hour = 3_600_000
    wins = [Win(D(2026, 12, 1) + dt.timedelta(days=n), n * hour, (n % 3) * 600 - 600) for n in range(10)]
    assert streak(wins, D(2026, 12, 10)).best == 2


def test_yesterday_keeps_it_and_the_day_before_does_not() -> None:
    wins = [Win(D(2026, 12, 1), 0)]
    assert streak(wins, D(2026, 12, 2)) == Streak(1, 1, D(2026, 12, 1))
    assert streak(wins, D(2026, 12, 3)) == Streak(0, 1, D(2026, 12, 1))
    assert streak([], D(2026, 12, 3)) == Streak()


_WINS = st.lists(
    st.builds(
        Win,
        st.dates(D(2026, 1, 1), D(2026, 2, 1)),
        st.integers(0, 40 * 86_400_000),
        st.sampled_from(ZONES),
    ),
    max_size=30,
)


@given(_WINS, st.randoms())
def test_the_order_of_wins_does_not_matter(wins: list[Win], random: object) -> None:
    mixed = list(wins)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert streak(mixed, D(2026, 1, 20)) == streak(wins, D(2026, 1, 20))


@given(_WINS)
def test_it_is_never_longer_than_the_dates_with_a_win(wins: list[Win]) -> None:
    found = streak(wins, D(2026, 1, 20))
    assert 0 <= found.current <= found.best <= len({win.date for win in wins})
    assert (found.best > 0) == bool(wins)
