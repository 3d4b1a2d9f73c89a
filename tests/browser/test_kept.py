"""What the server keeps of games played through the page, as the pages of the records then show it."""

import re

import pytest

from server.books.ratings import SETTLED
from tests.browser import lines
from tests.browser.conftest import NewPlayer
from tests.browser.driver import Player
from tests.browser.duelist import resign, result

pytestmark = pytest.mark.browser


def rated_duel(ann: Player, ben: Player) -> None:
    """Both sit down to a rated duel and see their cards."""
    ann.open()
    ann.act("duel")
    ann.page.click("dialog details summary")
    ann.page.locator("dialog [name=rated]").check()
    ann.act("start")
    ben.open(ann.page.inner_text("[data-out=link]").removeprefix(ann.url))
    ben.page.wait_for_selector("[data-act=ready]")
    for one in (ben, ann):
        one.ready()
    for one in (ann, ben):
        one.wait_for_cards()


def change_of(one: Player) -> tuple[int, int]:
    """The rating before and after, off the end panel."""
    one.page.wait_for_selector("[data-out=rating-change] b", timeout=15000)
    found = re.search(r"(\d+) → (\d+)", one.out("rating-change"))
    assert found
    return int(found[1]), int(found[2])


def test_a_rated_duel_changes_both_ratings_and_stands_in_both_histories(player: NewPlayer) -> None:
    ann, ben = player("Ann"), player("Ben", width=390, height=844, touch=True)
    rated_duel(ann, ben)
    resign(ben)
    assert result(ann)["winner"] == result(ben)["winner"] == "0"
    (before, won), (also, lost) = change_of(ann), change_of(ben)
    assert before == also == 1500
    assert lost < 1500 < won
    match = ann.page.url.rsplit("/", 1)[1]
    for one, rival, outcome, rating in ((ann, "Ben", "won", won), (ben, "Ann", "lost", lost)):
        one.open("/history")
        row = one.page.locator(f"[data-match='{match}']")
        row.wait_for()
        assert row.get_attribute("data-outcome") == outcome
        assert str(rating) in row.locator("[data-out=row-rating]").inner_text()
        assert "by resignation" in row.inner_text()
        row.locator("a.person").click()
        one.page.wait_for_selector(f"h1:text-is('{rival}')")
        one.page.click("[data-to=between]")
        one.page.wait_for_selector("[data-out=sum-won]")
        assert one.out("sum-won") == ("1" if outcome == "won" else "0")
        one.open("/profile")
        one.page.wait_for_selector("[data-tempo=simultaneous] [data-out=rating]")
        assert one.page.inner_text("[data-tempo=simultaneous] [data-out=rating]").startswith(str(rating))
        assert "not settled yet" in one.page.inner_text("[data-tempo=simultaneous] .rating")
    ann.open()
    ann.page.wait_for_selector(f"[data-out=own-rating]:has-text('{won}')")


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_after_ten_rated_matches_both_stand_on_the_board(player: NewPlayer) -> None:
    """Nine are not enough. Whoever looks is shown where he stands."""
    ann, ben = player("Ann"), player("Ben", width=390, height=844, touch=True)
    rated_duel(ann, ben)
    for number in range(SETTLED):
        if number:
            for one in (ann, ben):
                one.act("rematch")
            for one in (ann, ben):
                one.page.wait_for_selector(".room [data-act=ready][aria-pressed=false]")
                one.ready()
            for one in (ann, ben):
                one.wait_for_cards()
        resign(ben)
        result(ann)
        result(ben)
        if number == SETTLED - 2:
            eve = player("Eve")
            eve.open("/boards?game=simultaneous")
            eve.page.wait_for_selector("caption, [data-out=empty-board]")
            assert eve.page.locator("th:has-text('Ann')").count() == 0
    (_, won), (_, lost) = change_of(ann), change_of(ben)
    for one, rating in ((ann, won), (ben, lost)):
        one.open("/boards?game=simultaneous")
        one.page.wait_for_selector("tr.mine")
        assert f"{one.name} (You)" in one.page.inner_text("tr.mine")
        assert one.page.inner_text("tr.mine .value").startswith(f"{rating} ")
    ranks = [int(row.get_attribute("data-rank") or 0) for row in ann.page.locator("[data-rank]").all()]
    assert ranks == sorted(ranks)
    ann.open("/profile")
    ann.page.wait_for_selector("[data-tempo=simultaneous] .rating:has-text('after 10 rated matches')")


def test_a_glance_at_the_other_leaves_the_table_where_it_is(player: NewPlayer) -> None:
    """In the waiting room and in the game; and the game goes on under it, and its end closes it."""
    ann, ben = player("Ann"), player("Ben", width=390, height=844, touch=True)
    path = ann.host()
    ben.open(path)
    ben.page.wait_for_selector("[data-act=ready]")
    ben.page.click(".seats [data-act=person]:has-text('Ann')")
    ben.page.wait_for_selector("dialog:has-text('No duel yet.')")
    assert ben.page.get_attribute("dialog [data-to=person]", "target") == "_blank"
    ben.page.keyboard.press("Escape")
    for one in (ben, ann):
        one.ready()
    for one in (ann, ben):
        one.wait_for_cards()
    ben.act("person")
    ben.page.wait_for_selector("dialog.person-card h2:text-is('Ann')")
    with ben.context.expect_page() as opened:
        ben.page.click("dialog [data-to=person]")
    opened.value.wait_for_selector("h1:text-is('Ann')")
    opened.value.close()
    assert ben.page.locator(".table.duel").count() == 1
    resign(ann)
    result(ben)
    assert ben.page.locator("dialog").count() == 0


def test_who_plays_the_computer_sees_no_profile_of_it(player: NewPlayer) -> None:
    ann = player("Ann")
    ann.open()
    ann.act("computer")
    ann.page.wait_for_selector(".room .seats:has-text('Computer')")
    assert ann.page.locator(".seats [data-act=person]").count() == 1


def test_a_game_given_up_is_lost_and_the_bank_pays_until_it_is_reset(player: NewPlayer) -> None:
    ann = player("Ann")
    ann.open()
    ann.act("klondike")
    ann.choose("scoring", "1")
    ann.page.click("dialog details summary")
    ann.page.locator("dialog [name=cumulative]").check()
    ann.act("start")
    ann.wait_for_cards()
    ann.tap_pile("0:s")
    ann.settle(ann.see()["no"] - 1)
    first = ann.page.url
    ann.page.click("[data-act=fresh]")
    ann.act("start")
    ann.page.wait_for_url(lambda url: url != first and "/m/" in url)
    ann.wait_for_cards()
    ann.open("/history")
    ann.page.wait_for_selector("[data-outcome=abandoned]:has-text('1 move · -$52')")
    ann.open("/profile")
    ann.page.wait_for_selector("[data-out=bank]:text-is('-$52')")
    assert ann.page.inner_text("[data-kind='klondike 1 vegas'] [data-out=won]") == "0 (0%)"
    ann.act("reset-bank")
    ann.act("yes")
    ann.page.wait_for_selector("[data-out=bank]:text-is('$0')")


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_a_won_deal_of_a_code_counts_for_the_statistics_and_for_no_board(player: NewPlayer) -> None:
    ann = player("Ann")
    ann.deal(lines.KLONDIKE)
    line = lines.winning_line(lines.KLONDIKE)
    for command in line:
        ann.perform(command, by_tap=True)
    ann.page.wait_for_selector(".panel[data-reason=won]")
    ann.page.wait_for_selector("[data-out=kind-stats]:has-text('1 played, 1 won (100%)')", timeout=15000)
    assert ann.out("counts").startswith(
        "Not on the leaderboards: a typed deal code"
    )  # and too fast, on a quick machine
    score = ann.page.locator("[data-out=total], [data-out=final-score]").last.inner_text()
    ann.open("/profile")
    kind = ann.page.locator("[data-kind='klondike 1 standard']")
    kind.wait_for()
    assert kind.locator("[data-out=least-moves]").inner_text() == str(len(line))
    assert kind.locator("[data-out=best-score]").inner_text().replace(",", "") == score
    assert ann.out("days-now") == "1 day"
    ann.open("/history")
    ann.page.wait_for_selector(f"[data-outcome=won]:has-text('{len(line)} moves')")
    ann.open("/boards?board=moves")
    ann.page.wait_for_selector("caption, [data-out=empty-board]")
    assert ann.page.locator("tr.mine").count() == 0
