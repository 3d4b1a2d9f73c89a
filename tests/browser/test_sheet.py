"""The end of a solo game explains its score line by line."""

import re

import pytest

from tests.browser import lines
from tests.browser.conftest import NewPlayer

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("language", ["en", "de", "da"])
def test_the_lines_add_up_to_the_total(player: NewPlayer, language: str) -> None:
    ann = player("Ann", language=language)
    ann.deal(lines.KLONDIKE)
    for command in lines.winning_line(lines.KLONDIKE)[:30]:
        ann.perform(command)
    shown = ann.out("score")
    first = ann.page.url.removeprefix(ann.url)
    ann.act("fresh")
    ann.act("start")
    ann.page.wait_for_function("(old) => location.pathname !== old", arg=first)
    ann.open(first)
    ann.page.click("[data-out=sheet] summary")
    ann.page.wait_for_selector("[data-out=sheet-total]")
    rows = ann.page.eval_on_selector_all(
        "[data-line]", "(els) => els.map((el) => [el.dataset.line, el.lastElementChild.textContent])"
    )
    points = [int(re.sub(r"[^\d-]", "", text.replace("\N{MINUS SIGN}", "-"))) for _, text in rows]
    assert {"to_foundation", "turned"} <= {line for line, _ in rows}
    assert str(sum(points)) == ann.out("sheet-total") == shown
