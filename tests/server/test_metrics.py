"""What /metrics says, and the log's two forms."""

import json
import logging
import sys

import pytest
import structlog

from server.house import Counts
from server.log import set_up_log
from server.metrics import LoopLag, make_metrics
from tests.server.gateway_fakes import JumpClock


def test_what_is_counted_is_shown() -> None:
    counts = Counts(connections=3, accepted=7, frames_in=50, malformed=2)
    text = make_metrics(counts, LoopLag(JumpClock()))().decode()
    for line in (
        "double_solitaire_connections 3.0",
        "double_solitaire_accepted_total 7.0",
        "double_solitaire_frames_in_total 50.0",
        "double_solitaire_malformed_total 2.0",
        "double_solitaire_faults_total 0.0",
    ):
        assert line in text.splitlines()
    counts.frames_in += 1
    assert "double_solitaire_frames_in_total 51.0" in make_metrics(counts, LoopLag(JumpClock()))().decode()


def test_every_count_is_shown() -> None:
    text = make_metrics(Counts(), LoopLag(JumpClock()))().decode()
    for name in Counts.__struct_fields__:
        assert f"double_solitaire_{name}" in text


def test_the_lag_is_the_worst_since_the_last_look() -> None:
    clock = JumpClock()
    lag = LoopLag(clock)
    lag.start()
    clock.jump(10 * LoopLag.EVERY_MS)
    assert lag.take() == 0
    due = clock._due[0]
    clock.ms = due[0] + 250  # the loop was busy
    due[2]()
    assert lag.take() == 0.25
    assert lag.take() == 0
    lag.stop()


@pytest.mark.usefixtures("quiet_log")
def test_the_log_is_one_json_object_a_line_with_its_fault(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_log("info", "json")
    log = structlog.get_logger("test")
    log.debug("not told")
    log.info("slow reader", conn="b.1", unread=5)
    try:
        int("on purpose")
    except ValueError:
        log.exception("fault", match="m1")
    logging.getLogger("websockets.server").error("of a package %s", 1)
    logging.getLogger("websockets.server").info("what every connection does")
    told = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["event"] for line in told] == ["slow reader", "fault", "of a package 1"]
    assert told[0]["conn"] == "b.1"
    assert "ValueError: " in told[1]["exception"]
    assert all(line["level"] and line["timestamp"] for line in told)


@pytest.mark.usefixtures("quiet_log")
def test_for_people_it_is_text(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_log("warning", "text")
    structlog.get_logger("test").info("not told")
    structlog.get_logger("test").warning("the store is away", why="no answer")
    (line,) = capsys.readouterr().err.splitlines()
    assert "the store is away" in line
    assert "why=" in line
    assert sys.stderr.isatty() is False
    assert "\x1b" not in line
