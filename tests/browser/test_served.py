"""What the solver serves, through the page: hints, winnable deals, Finish, and the word that a game cannot be won."""

import json
import re
import subprocess
import sys

import pytest
from playwright.sync_api import Browser, WebSocketRoute

from server.solver.problem import from_deck
from server.solver.search import Search
from server.solver.solve import solve
from shared.codec import CODECS
from shared.deals import deck_for_code, parse_code
from shared.engine import legal, start
from shared.moves import Finish, Move
from shared.notation import parse_position
from shared.position import Position
from shared.protocol import JSON, Play, Snapshot, ToClient, Welcome
from shared.ruleset import ruleset
from shared.table import Player as Sitting
from shared.table import Table
from shared.terms import KlondikeTerms
from tests.browser import lines
from tests.browser.conftest import ROOT, NewPlayer, Server
from tests.browser.driver import Player

pytestmark = pytest.mark.browser

#: Deals without a line that wins, which a search shows in a moment.
LOST = "KL1-D3S-AAAAACX"
LOST_TOO = "KL1-D1S-AAAAADY"
#: The player must have done nothing for 5 s; then the server looks once a second.
THOUGHT = 9000


def ask_hint(one: Player) -> str:
    """Press Hint; what it says."""
    one.page.evaluate("() => document.querySelectorAll('.toast').forEach((el) => el.remove())")
    one.act("hint")
    return one.page.wait_for_selector(".toast").inner_text()  # type: ignore[union-attr]


def test_a_hint_shows_its_card_and_target_on_the_table_and_counts(player: NewPlayer) -> None:
    ann = player("Ann")
    ann.deal(lines.KLONDIKE)
    assert ann.out("hints") == "3"
    before = ann.see()
    for left in (2, 1, 0):
        said = ask_hint(ann)
        assert said.startswith("Hint: ")
        assert said.endswith(f"{left} left.")
        ann.page.wait_for_function(f"() => document.querySelector('[data-out=hints]').textContent === '{left}'")
        frame = ann.see()
        lit = [name for name, pile in frame["piles"].items() if pile["lit"]]
        held = [card for card in frame["cards"] if card["held"]]
        if "draw from the stock" in said:
            assert (lit, held) == (["0:s"], [])
            ann.tap_pile("0:s")
        else:
            top = held[0]
            target = next(t for t in top["targets"] if (t if t == "f" else f"0:{t}") in {lit[0], lit[0][0]})
            ann.drag(top["card"], target, frame)
        ann.settle(frame["no"])
        assert not [card for card in ann.see()["cards"] if card["held"]], "gone with the next action"
    assert ann.see()["no"] > before["no"]
    assert ask_hint(ann) == "No hints left in this game."
    ann.act("undo")
    ann.settle(ann.see()["no"] - 1)
    assert ann.out("hints") == "0", "undo gives none back"


@pytest.mark.parametrize(("language", "word"), [("de", "Tipp: "), ("da", "Tip: ")])
def test_a_hint_speaks_the_players_language(player: NewPlayer, language: str, word: str) -> None:
    ann = player("Ann", language=language)
    ann.deal(lines.KLONDIKE)
    assert ask_hint(ann).startswith(word)


def test_hints_without_limit_show_no_number(player: NewPlayer) -> None:
    ann = player("Ann")
    ann.open()
    ann.act("klondike")
    ann.page.locator("summary").first.click()
    ann.page.check("input[name=unlimited_hints]")
    ann.act("start")
    ann.wait_for_cards()
    for _ in range(4):
        assert "left" not in ask_hint(ann)
    assert not ann.page.is_visible("[data-out=hints]")


def test_a_winnable_deal_is_there_at_once_and_can_be_won(player: NewPlayer) -> None:
    ann = player("Ann")
    ann.open()
    ann.act("klondike")
    ann.page.check("input[name=winnable]")
    ann.act("start")
    ann.wait_for_cards()
    code = parse_code(ann.out("code"))
    assert code.game == "KL"
    rules = ruleset(KlondikeTerms(draw=code.draw))
    assert solve(from_deck(rules, deck_for_code(code)), Search(1 << 26), lambda: 0.0).result == "win"
    assert not ann.page.is_visible("[data-out=notice]")


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_a_game_that_cannot_be_won_says_so_once_and_again_after_an_undo(player: NewPlayer) -> None:
    ann = player("Ann")
    ann.deal(LOST)
    ann.tap_pile("0:s")
    ann.settle()
    dialog = ann.page.locator("dialog.lost")
    dialog.wait_for(timeout=THOUGHT)
    assert dialog.locator("h2").inner_text() == "This Game Can't Be Won"
    assert dialog.locator(".buttons button").all_inner_texts() == ["New Game", "Undo", "Keep Playing"]
    dialog.locator("summary").click()
    command = ann.out("proof")
    question = re.fullmatch(r"echo '(.*)' \| double-solitaire solve", command)
    assert question is not None
    done = subprocess.run(
        [sys.executable, "-m", "server", "solve"],
        cwd=ROOT,
        input=question[1] + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["result"] == "loss"
    ann.act("lost-keep")
    ann.page.reload()
    ann.wait_for_cards()
    ann.page.wait_for_timeout(600)
    assert not dialog.is_visible(), "it was said"
    ann.tap_pile("0:s")
    ann.settle()
    ann.page.wait_for_timeout(THOUGHT)
    assert not dialog.is_visible(), "it was said, and nothing taken back"
    ann.act("undo")
    ann.settle()
    dialog.wait_for(timeout=THOUGHT)
    before = ann.see()
    ann.act("lost-undo")
    ann.settle(before["no"])
    assert not dialog.is_visible()
    assert ann.see()["piles"]["0:w"]["count"] == 0
    dialog.wait_for(timeout=THOUGHT)
    ann.act("lost-new")
    ann.page.wait_for_selector("dialog [data-act=start]")


@pytest.mark.slow
def test_an_untouched_deal_that_cannot_be_won_offers_no_undo(player: NewPlayer) -> None:
    ann = player("Ann", language="de")
    ann.deal(LOST_TOO)
    dialog = ann.page.locator("dialog.lost")
    dialog.wait_for(timeout=THOUGHT)
    assert dialog.locator(".buttons button").all_inner_texts() == ["Neue Partie", "Weiterspielen"]


class Scripted:
    """Stands for the server of one solo game that stands as told."""

    def __init__(self, one: Player, table: Table, position: Position) -> None:
        self.table, self.position = table, position
        self.plays: list[Play] = []
        one.page.route_web_socket("**/ws", self._connect)
        one.open("/m/scripted")
        one.wait_for_cards()

    def _connect(self, line: WebSocketRoute) -> None:
        line.on_message(lambda frame: self._read(line, frame))

    def _read(self, line: WebSocketRoute, frame: str | bytes) -> None:
        message = CODECS[JSON].read_client(frame)
        answer: ToClient | None = None
        if type(message).__name__ == "Hello":
            answer = Welcome(identity="a", name="Ann", version="0")
        elif type(message).__name__ == "Join":
            can = legal(ruleset(self.table.terms), self.position, 0, 0)
            answer = Snapshot(no=5, now=1000, table=self.table, seat=0, position=self.position, legal=can)
        elif isinstance(message, Play):
            self.plays.append(message)
        if answer is not None:
            line.send(CODECS[JSON].encode(answer).decode())


@pytest.mark.parametrize(
    ("language", "words"), [("en", "could not be proven"), ("de", "gewöhnliches"), ("da", "almindeligt")]
)
def test_an_ordinary_deal_says_that_none_was_proven_until_the_first_move(
    browser: Browser, server: Server, language: str, words: str
) -> None:
    ann = Player(browser, server.url, "Ann", language=language)
    terms = KlondikeTerms(winnable=True)
    code = "KL1-D1S-AAAAACH"
    position = start(ruleset(terms), (deck_for_code(parse_code(code)),))
    table = Table("scripted", terms, (Sitting("Ann"),), "playing", deal_code=code, notice="not_proven_winnable")
    Scripted(ann, table, position)
    assert words in ann.out("notice")
    ann.context.close()
    assert ann.errors == []


def test_finish_is_offered_when_the_server_says_so_and_sends_one_command(browser: Browser, server: Server) -> None:
    ann = Player(browser, server.url, "Ann")
    rank = "A23456789TJQK"
    up = "/".join("".join(r + suit for r in rank[:n]) for suit, n in zip("SHDC", (13, 13, 12, 12), strict=True))
    ready = parse_position(f"t:KCKD/-/-/-/-/-/- f:{up} tally:score=100,moves=90,running_since=0")
    table = Table("scripted", KlondikeTerms(), (Sitting("Ann"),), "playing", deal_code="KL1-D1S-AAAAACH")
    script = Scripted(ann, table, ready)
    assert ann.see()["commands"].count("finish") == 1
    ann.act("finish")
    ann.page.wait_for_function("() => document.querySelector('.felt').dataset.flights === '1'")
    assert [play.do for play in script.plays] == [Finish()]
    ann.context.close()
    assert ann.errors == []


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_finish_wins_a_real_game_and_is_hidden_before(player: NewPlayer) -> None:
    ann = player("Ann")
    ann.deal(lines.KLONDIKE)
    finish = ann.page.locator("[data-act=finish]")
    for number, command in enumerate(lines.winning_line(lines.KLONDIKE)):
        offered = "finish" in ann.see()["commands"]
        assert finish.is_visible() == offered
        if offered:
            break
        ann.perform(command, by_tap=isinstance(command, Move) and number % 2 == 0)
    assert offered, "the line ends without it"
    left = sum(pile["count"] for name, pile in ann.see()["piles"].items() if name[0] != "f")
    moves = int(ann.out("moves"))
    ann.act("finish")
    ann.page.wait_for_selector(".panel[data-reason=won]")
    assert int(ann.out("moves")) == moves + left, "each card counts as one move"
    assert not finish.is_visible()
