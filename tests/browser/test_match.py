"""What happens around the games of a duel: a best of three, a rematch with other rules, words, offers, lines."""

import pytest

from tests.browser.conftest import NewPlayer
from tests.browser.driver import Player
from tests.browser.duelist import begin, resign, result

pytestmark = pytest.mark.browser


def watch(eve: Player, ann: Player) -> None:
    eve.open(ann.page.url.removeprefix(ann.url))
    eve.page.wait_for_selector(".felt .card[data-card]")


def wait_for_game(one: Player, number: int) -> None:
    one.page.wait_for_selector(f".middle:has-text('Game {number} of 3')", timeout=20000)
    one.page.wait_for_selector(".table[data-phase=playing] .over:not(.on)", state="attached", timeout=20000)
    one.page.wait_for_selector(".felt .card[data-card]")


@pytest.mark.timeout(180)
def test_a_best_of_three_and_a_rematch_with_other_rules(player: NewPlayer) -> None:
    """The next game comes by itself, the sum runs on, all are told one end; watchers follow into the rematch."""
    ann, ben, eve = player("Ann"), player("Ben", width=390, height=844, touch=True), player("Eve")
    begin(ann, ben, games="1")
    watch(eve, ann)
    resign(ann)
    assert result(ben)["winner"] == "1"
    ann.page.wait_for_selector("[data-act=next]:has-text('Next game (')")
    for one in (ann, ben, eve):  # nobody presses anything
        wait_for_game(one, 2)
    assert "Match 0 : 52" in ann.page.inner_text(".middle .match")
    resign(ben)
    result(ann)
    ann.act("hold")
    assert ann.page.is_hidden("[data-act=hold]")
    ann.page.wait_for_selector("[data-act=next]:has-text('Next game (within 0:')")
    for one in (ann, ben):
        one.act("next")
    for one in (ann, ben, eve):
        wait_for_game(one, 3)
    assert "52 : 52" in ann.page.inner_text(".middle .match")
    resign(ben)
    ends = [result(one) for one in (ann, ben, eve)]
    assert [end.pop("title") for end in ends] == ["You win the match!", "Ann wins the match", "Ann wins the match"]
    assert ends[0] == ends[1] == ends[2]
    assert "104 : 52" in ann.page.inner_text(".panel .match")
    first = ann.page.url
    ann.act("rematch-other")
    ann.choose("tempo", "1")
    ann.choose("games", "0")
    ann.act("rematch-with")
    ben.page.wait_for_selector(".panel .note:has-text('Ann wants a rematch with other rules')")
    changed = ben.out("changed")
    assert "Both at once Taking turns" in changed
    assert "3 One game" in changed
    assert "Passes" not in changed
    ben.act("rematch")
    for one in (ann, ben, eve):
        one.page.wait_for_url(lambda url: url != first and "/m/" in url)
    assert ann.page.url == ben.page.url == eve.page.url
    eve.page.wait_for_selector(".room .note:has-text('watching')")
    ben.page.wait_for_selector(".terms dd:has-text('Taking turns')")


def test_two_rematches_that_differ_are_none_until_one_accepts(player: NewPlayer) -> None:
    ann, ben = player("Ann"), player("Ben")
    begin(ann, ben)
    resign(ann)
    result(ben)
    first = ann.page.url
    ann.act("rematch")
    ben.page.wait_for_selector("[data-act=decline]")
    ben.act("rematch-other")
    ben.choose("games", "1")
    ben.act("rematch-with")
    ann.page.wait_for_selector("[data-out=changed]:has-text('One game 3')")
    assert ann.page.url == first
    ann.act("decline")
    ben.page.wait_for_selector(".panel .note:has-text('Ann declined')")
    assert ben.page.locator("[data-act=rematch]").count() == 0
    ann.act("rematch")  # who declined may think better of it
    ben.act("rematch")
    for one in (ann, ben):
        one.page.wait_for_url(lambda url: url != first and "/m/" in url)


def test_a_word_is_shown_for_a_while_to_both_and_to_watchers_unless_muted(player: NewPlayer) -> None:
    ann, ben = player("Ann"), player("Ben", width=844, height=390, language="de")
    eve, dan = player("Eve"), player("Dan", mute=True)
    begin(ann, ben)
    watch(eve, ann)
    watch(dan, ann)
    ben.act("say")
    ben.page.click("[data-say=well_played]")
    for one, text in ((ann, "Well played!"), (ben, "Gut gespielt!"), (eve, "Well played!")):
        one.page.wait_for_selector(f"[data-bubble='1']:has-text('{text}')")
    assert dan.page.is_hidden("[data-bubble='1']")
    assert "Ben: Well played!" in ann.page.inner_text("#live")
    ann.page.wait_for_selector("[data-bubble='1']", state="hidden", timeout=8000)
    for one in (ann, eve):
        one.act("say")
        assert one.page.locator("[data-say]").count() == (8 if one is ann else 0), "who watches has no words"
        one.page.locator("dialog [name=mute]").check()
        one.page.keyboard.press("Escape")
    dan.act("say")
    dan.page.locator("dialog [name=mute]").uncheck()
    dan.page.keyboard.press("Escape")
    ben.act("say")
    ben.page.click("[data-say=wow]")
    dan.page.wait_for_selector("[data-bubble='1']:has-text('Wow!')")
    for one in (ann, eve):
        assert one.page.is_hidden("[data-bubble='1']")


def test_words_are_said_in_the_waiting_room_too(player: NewPlayer) -> None:
    ann, ben = player("Ann"), player("Ben", width=390, height=844, touch=True)
    ben.open(ann.host())
    ben.act("say")
    ben.page.click("[data-say=hello]")
    ann.page.wait_for_selector(".seats .said:has-text('Hello!')")
    ann.page.wait_for_selector(".seats .said", state="detached", timeout=8000)


def test_too_many_words_are_refused(player: NewPlayer) -> None:
    ann, ben = player("Ann"), player("Ben")
    begin(ann, ben)
    for _ in range(4):
        ann.act("say")
        ann.page.click("[data-say=oops]")
    ann.page.wait_for_selector(".toast.bad:has-text('Too fast')")


def test_an_offer_to_end_is_declined_and_that_is_told_at_once(player: NewPlayer) -> None:
    ann, ben = player("Ann"), player("Ben", width=390, height=844, touch=True)
    begin(ann, ben)
    ann.act("menu")
    ann.act("agree-end")
    ann.page.wait_for_selector("[data-act=withdraw]")
    ben.act("disagree")
    ann.page.wait_for_selector(".toast:has-text('Ben wants to go on')")
    assert ann.page.locator("[data-act=withdraw]").count() == 0
    assert ben.page.locator("[data-act=agree]").count() == 0
    assert ann.see()["phase"] == "playing"


def test_a_void_game_says_why_to_both(player: NewPlayer) -> None:
    ann, ben = player("Ann"), player("Ben")
    begin(ann, ben)
    for one in (ann, ben):
        one.act("declare")
    for one in (ann, ben):
        assert result(one)["reason"] == "void"
        assert "before any card lay on a foundation" in one.page.inner_text(".panel .reason")


def test_who_is_away_and_for_how_long_is_shown_to_watchers_too(player: NewPlayer) -> None:
    ann, ben, eve = player("Ann"), player("Ben"), player("Eve")
    begin(ann, ben)
    watch(eve, ann)
    ben.open("/")
    for one in (ann, eve):
        one.page.wait_for_selector(".chip[data-seat='1'] .state:has-text('away 0:5')", timeout=9000)
    ann.page.wait_for_selector(".banner:has-text('Ben is away. Back within 0:')")
    ann.act("wait")
    ann.page.wait_for_selector(".banner:has-text('You are waiting on')")
    eve.page.wait_for_selector(".chip[data-seat='1'] .state:text-is('away')")


def test_the_lines_of_both_are_shown(player: NewPlayer) -> None:
    ann, ben, eve = player("Ann"), player("Ben"), player("Eve")
    begin(ann, ben)
    watch(eve, ann)
    for one in (ann, ben, eve):
        for seat in (0, 1):
            one.page.wait_for_selector(f"[data-line='{seat}']:has-text(' ms')", timeout=12000)


def test_the_guest_sees_everything_that_is_agreed_before_he_is_ready(player: NewPlayer) -> None:
    ann, ben = player("Ann"), player("Ben", width=390, height=844, touch=True)
    path = ann.host(draw__1="1", games="2", passes="1")
    assert ann.page.is_visible("[data-out=only-here]") == any(name in ann.url for name in ("localhost", "127."))
    ben.open(path)
    ben.page.wait_for_selector("[data-act=ready]")
    rules = dict(line.split("\n") for line in ben.page.locator(".agreed .terms > div").all_inner_texts())
    assert rules == {
        "Tempo": "Both at once",
        "Ann draws": "Draw 1",
        "Ben draws": "Draw 3",
        "Games in the match": "5",
        "Time for the game": "15 min",
        "Passes through the stock": "One",
        "Clear bonus": "off",
        "Play on": "off",
        "Mirror deal": "off",
        "Penalty for illegal moves": "off",
        "Time to come back after a lost connection": "1 min",
    }
    ben.page.click(".room header .quiet")
    ann.page.wait_for_selector(".seats:has-text('free seat')", timeout=3000)  # at once, not after the grace time
