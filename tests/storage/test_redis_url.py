"""URLs of the store: each part is read, a bad one is named, a password is never shown."""

import pytest

from server.storage.redis.url import BadUrl, Place, read_url


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("redis://localhost", Place("single", False, (("localhost", 6379),))),
        ("redis://localhost:7000/3", Place("single", False, (("localhost", 7000),), db=3)),
        ("rediss://ann:p%40ss@h:1/", Place("single", True, (("h", 1),), user="ann", password="p@ss")),
        ("redis://:secret@[::1]:7000", Place("single", False, (("::1", 7000),), password="secret")),
        ("redis://[::1]?prefix=a", Place("single", False, (("::1", 6379),), prefix="a")),
        (
            "rediss://h?ca=/c.pem&check_hostname=no",
            Place("single", True, (("h", 6379),), ca="/c.pem", check_hostname=False),
        ),
        (
            "redis://h?idle_days=7&archive_days=365",
            Place("single", False, (("h", 6379),), idle_days=7, archive_days=365),
        ),
        ("redis+sentinel://a,b:9/main", Place("sentinel", False, (("a", 26379), ("b", 9)), service="main")),
        (
            "redis+sentinel://u:p@a/main?sentinel_user=s&sentinel_password=q",
            Place("sentinel", False, (("a", 26379),), "main", 0, "u", "p", sentinel_user="s", sentinel_password="q"),
        ),
        ("redis+cluster://a:1,b:2,c:3", Place("cluster", False, (("a", 1), ("b", 2), ("c", 3)))),
        ("rediss+cluster://a/0", Place("cluster", True, (("a", 6379),))),
    ],
)
def test_a_url_is_read(url: str, place: Place) -> None:
    assert read_url(url) == place


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("localhost:6379", "expected one of redis://"),
        ("http://localhost", "expected one of redis://.* got 'http'"),
        ("redis://", "expected host or host:port, got ''"),
        ("redis://h:seventy", "expected a port from 1 to 65535 after h, got 'seventy'"),
        ("redis://h:70000", "got '70000'"),
        ("redis://h:", "got ''"),
        ("redis://a,b", "expected one host for redis://, got 2"),
        ("redis://h/main", "expected the number of a database, like /0, got /main"),
        ("redis://ann@h", "expected user:password@"),
        ("redis+sentinel://a,b", "expected the sentinels' name of the service"),
        ("redis+cluster://a/1", "a cluster has no databases"),
        ("redis://h?cache=1", "expected a setting of prefix, .* got 'cache'"),
        ("redis://h?idle_days=soon", "expected days from 1 to 36500 for idle_days, got 'soon'"),
        ("redis://h?archive_days=0", "expected days from 1 to 36500 for archive_days, got '0'"),
        ("redis://h?prefix=", "expected a value for prefix"),
        ("redis://h?prefix={a}", "expected a prefix without braces"),
        ("redis://h?ca=/c.pem", "ca is for TLS only"),
        ("rediss://h?check_hostname=maybe", "expected yes or no for check_hostname"),
    ],
)
def test_a_bad_part_is_named(url: str, said: str) -> None:
    with pytest.raises(BadUrl, match=said):
        read_url(url)


@pytest.mark.parametrize(
    "url", ["redis://ann:sesame@h:1/2", "redis+sentinel://ann:sesame@h/main?sentinel_password=sesame"]
)
def test_a_password_is_never_shown(url: str) -> None:
    place = read_url(url)
    assert "sesame" not in f"{place!r} {place} {place.shown}"
    assert "ann@h" in place.shown


@pytest.mark.parametrize("url", ["redis://ann:sesame@h:x", "redis://ann:sesame@h/x", "http://ann:sesame@h"])
def test_nor_in_an_error(url: str) -> None:
    with pytest.raises(BadUrl) as caught:
        read_url(url)
    assert "sesame" not in str(caught.value)
