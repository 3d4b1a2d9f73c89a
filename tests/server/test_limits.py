"""Token buckets, with time as a number."""

from hypothesis import given
from hypothesis import strategies as st

from server.limits import AddressBuckets, TokenBucket


@given(
    st.floats(0.1, 50),
    st.integers(1, 50),
    st.lists(st.integers(0, 5000), max_size=200),
)
def test_never_more_than_the_burst_and_the_rate(per_second: float, burst: int, gaps: list[int]) -> None:
    bucket = TokenBucket(per_second, burst, 0)
    now = taken = 0
    for gap in gaps:
        now += gap
        taken += bucket.take(now)
    assert taken <= burst + per_second * now / 1000 + 1e-6


@given(st.floats(0.5, 50), st.integers(1, 50), st.integers(1, 200))
def test_at_its_rate_everything_passes(per_second: float, burst: int, count: int) -> None:
    bucket = TokenBucket(per_second, burst, 0)
    gap = int(1000 / per_second) + 1
    assert all(bucket.take(n * gap) for n in range(count))


def test_a_rate_of_zero_is_no_limit() -> None:
    bucket = TokenBucket(0, 1, 0)
    assert all(bucket.take(0) for _ in range(1000))


def test_addresses_do_not_share_and_full_ones_are_forgotten() -> None:
    buckets = AddressBuckets(per_second=1, burst=2)
    assert [buckets.take("a", 0) for _ in range(3)] == [True, True, False]
    assert buckets.take("b", 0)
    for number in range(10_000):
        buckets.take(f"10.0.{number}", 2000 + number * 10)
    assert len(buckets) < 6000
    assert not all(buckets.take("10.0.9999", 102_000) for _ in range(3))
