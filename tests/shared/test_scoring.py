"""What plays are worth, in all scorings (docs/rules.md, the scoring tables)."""

from random import Random

import pytest

from shared.engine import Step, apply, legal, start
from shared.moves import Command, Draw, Drawn, Finish, Move, Moved, Recycle, Recycled, Turned
from shared.notation import parse_command, parse_position
from shared.position import Position, Tally
from shared.ruleset import Ruleset, ruleset
from shared.scoring import Scoring, score_text, shown_score, win_bonus
from shared.solo import tally_of
from shared.terms import KlondikeTerms, Terms, TwoDeckTerms
from tests.shared.made import easy, easy_decks, richest

TABLE = "t:KH/QS/(9D)JD/(2H)8STC/5S4H/(2D)AC/3C s:- w:7S6S2C"
FULL = ["".join(rank + suit for rank in "A23456789TJQK") for suit in "SHDC"]
F4 = "f:AS2S/AH2H3H/-/-"
F8 = "f:AS2S/-/AH2H3H/-/-/-/-/-"


def run(rules: Ruleset, position: Position, plays: list[Command], every_ms: int = 0) -> Position:
    for number, command in enumerate(plays):
        done = apply(rules, position, 0, command, number * every_ms)
        assert isinstance(done, Step), (command, done)
        position = done.position
    return position


EVENTS = [
    # terms, foundations, score before, recycles before, command, score after
    (KlondikeTerms(), F4, 100, 0, "AC>f", 115),  # +10 and the card under it turns
    (KlondikeTerms(), F4, 100, 0, "4H>f", 110),
    (KlondikeTerms(), F4, 100, 0, "JD>t1", 105),  # only the turned card pays
    (KlondikeTerms(), F4, 100, 0, "QS>t0", 100),
    (KlondikeTerms(), F4.replace("3H", ""), 100, 0, "2C>t1", None),
    (KlondikeTerms(), F4, 100, 0, "3H>t0", None),
    (KlondikeTerms(), F4, 100, 0, "recycle", 0),
    (KlondikeTerms(), F4, 250, 5, "recycle", 150),
    (KlondikeTerms(), F4, 30, 0, "recycle", 0),
    (KlondikeTerms(draw=3), F4, 30, 0, "recycle", 30),
    (KlondikeTerms(draw=3), F4, 30, 1, "recycle", 30),
    (KlondikeTerms(draw=3), F4, 30, 2, "recycle", 10),
    (KlondikeTerms(draw=3), F4, 15, 3, "recycle", 0),
    (KlondikeTerms(scoring="vegas"), F4, -52, 0, "AC>f", -47),
    (KlondikeTerms(scoring="vegas"), F4, -52, 0, "TC>t2", -52),
    (KlondikeTerms(scoring="vegas", draw=3), F4, -52, 0, "recycle", -52),
    (KlondikeTerms(scoring="none"), F4, 0, 0, "AC>f", 0),
    (KlondikeTerms(open_deal=True), F4, 0, 0, "4H>f", 10),
    (TwoDeckTerms(), F8, 100, 0, "AC>f", 115),
    (TwoDeckTerms(), F8, 100, 0, "QS>t0", 100),
    (TwoDeckTerms(), F8, 250, 3, "recycle", 150),
    (TwoDeckTerms(draw=3), F8, 250, 0, "recycle", 150),
    (TwoDeckTerms(), F8, 40, 0, "recycle", 0),
    (TwoDeckTerms(scoring="vegas"), F8, -104, 0, "AC>f", -99),
    (TwoDeckTerms(scoring="vegas"), F8, -104, 0, "TC>t2", -104),
]


@pytest.mark.parametrize(("terms", "up", "score", "recycles", "command", "after"), EVENTS)
def test_an_event_pays(terms: Terms, up: str, score: int, recycles: int, command: str, after: int | None) -> None:
    table = TABLE.replace("/3C", "/3C/-/-") if up == F8 else TABLE
    position = parse_position(f"{table} {up} tally:score={score},recycles={recycles}")
    done = apply(ruleset(terms), position, 0, parse_command(command), 5)
    assert (tally_of(done.position).score if isinstance(done, Step) else None) == after


WORRY = [
    (KlondikeTerms(), 100, 85, 95),
    (KlondikeTerms(), 10, 0, 10),  # never below 0, and then the card pays in full again
    (KlondikeTerms(scoring="vegas"), 10, 5, 10),
    (TwoDeckTerms(), 100, 100, 110),
    (TwoDeckTerms(scoring="vegas"), 10, 10, 15),
]


@pytest.mark.parametrize(("terms", "score", "back", "again"), WORRY)
def test_a_worry_back_and_the_same_card_up_again(terms: Terms, score: int, back: int, again: int) -> None:
    two = isinstance(terms, TwoDeckTerms)
    position = parse_position(f"t:4S/5C/-/-/-/-/-{'/-/-' * two} {F8 if two else F4} tally:score={score}")
    rules = ruleset(terms)
    down = run(rules, position, [parse_command("3H>t0")])
    assert tally_of(down).score == back
    assert tally_of(down).worry_backs == 1
    assert tally_of(run(rules, down, [parse_command("3H>f")])).score == again


@pytest.mark.parametrize(("terms", "via", "direct"), [(KlondikeTerms(), 15, 10), (TwoDeckTerms(), 15, 10)])
def test_a_detour_over_a_column_pays_five_more(terms: Terms, via: int, direct: int) -> None:
    two = isinstance(terms, TwoDeckTerms)
    position = parse_position(
        f"t:3H/5C/-/-/-/-/-{'/-/-' * two} {F8 if two else F4} w:2C3S tally:".replace("3H/", "4H/")
    )
    rules = ruleset(terms)
    assert tally_of(run(rules, position, [parse_command("3S>f")])).score == direct
    assert tally_of(run(rules, position, [parse_command("3S>t0"), parse_command("3S>f")])).score == via


@pytest.mark.parametrize(
    ("seconds", "bonus"),
    [(0, 23_333), (29, 23_333), (30, 23_333), (31, 22_580), (240, 2_916), (599, 1_168), (600, 0), (601, 0), (9_999, 0)],
)
def test_win_bonus(seconds: int, bonus: int) -> None:
    assert win_bonus(seconds) == bonus


@pytest.mark.parametrize(
    ("played_ms", "bonus"),
    [(30_000, 23_333), (30_999, 23_333), (240_000, 2_916), (240_999, 2_916), (599_999, 1_168), (600_000, 0)],
)
def test_the_bonus_counts_played_seconds_rounded_down_once(played_ms: int, bonus: int) -> None:
    rules = ruleset(KlondikeTerms())
    up = f"{FULL[0]}/{FULL[1]}/{FULL[2]}/{FULL[3][:-2]}"
    position = parse_position(f"t:KC/-/-/-/-/-/- f:{up} tally:moves=1,running_since=1000")
    done = apply(rules, position, 0, parse_command("KC>f"), 1000 + played_ms)
    assert isinstance(done, Step)
    tally = tally_of(done.position)
    assert (tally.bonus, tally.played_ms, tally.running_since) == (bonus, played_ms, None)
    assert done.position.outcome is not None


@pytest.mark.parametrize("scoring", ["vegas", "none"])
def test_no_bonus_outside_standard(scoring: str) -> None:
    rules = ruleset(KlondikeTerms(scoring="vegas" if scoring == "vegas" else "none"))
    deck, plays = easy(rules, 0, Random(1))
    tally = tally_of(run(rules, start(rules, (deck,)), plays, 10))
    assert tally.bonus == 0
    assert tally.score == (208 if scoring == "vegas" else 0)


@pytest.mark.parametrize(
    ("score", "seconds", "bonus", "shown"),
    [
        (100, 0, 0, 100),
        (100, 9, 0, 100),
        (100, 10, 0, 98),
        (100, 499, 0, 2),
        (100, 500, 0, 0),
        (100, 9999, 0, 0),
        (100, 20, 7, 103),
    ],
)
def test_the_time_penalty_lowers_what_is_shown(score: int, seconds: int, bonus: int, shown: int) -> None:
    scoring = ruleset(KlondikeTerms(time_penalty=True)).scoring
    assert scoring is not None
    tally = Tally(score=score, bonus=bonus, running_since=0)
    assert shown_score(scoring, tally, seconds * 1000 + 999) == shown
    plain = ruleset(KlondikeTerms()).scoring
    assert plain is not None
    assert shown_score(plain, tally, seconds * 1000) == score + bonus


@pytest.mark.parametrize(("score", "text"), [(416, "$416"), (0, "$0"), (-104, "-$104"), (-4, "-$4")])
def test_dollars(score: int, text: str) -> None:
    assert score_text(Scoring(unit="dollars"), score) == text
    assert score_text(Scoring(), score) == str(score)


@pytest.mark.parametrize(
    ("terms", "up", "below", "above"),
    [(KlondikeTerms(scoring="vegas"), 10, -2, 3), (TwoDeckTerms(scoring="vegas"), 20, -4, 1)],
)
@pytest.mark.parametrize("draw", [1, 3])
def test_where_vegas_turns_positive(terms: Terms, up: int, below: int, above: int, draw: int) -> None:
    rules = ruleset(type(terms)(draw=draw, scoring="vegas"))  # type: ignore[call-arg, arg-type]
    deck, plays = easy(rules, 0, Random(draw))
    position = start(rules, (deck,))
    assert tally_of(position).score == (-52 if rules.decks == 1 else -104)
    scores = []
    for command in plays:
        position = run(rules, position, [command])
        if isinstance(command, Move):
            scores.append(tally_of(position).score)
    assert scores[up - 1 : up + 1] == [below, above]
    assert scores[-1] == (208 if rules.decks == 1 else 416)


@pytest.mark.parametrize("draw", [1, 3])
@pytest.mark.parametrize("seed", range(5))
def test_a_won_two_deck_game_pays_1220(draw: int, seed: int) -> None:
    rules = ruleset(TwoDeckTerms(draw=3 if draw == 3 else 1))
    deck, plays = easy(rules, 0, Random(seed))
    won = run(rules, start(rules, (deck,)), plays)
    assert won.outcome is not None
    assert tally_of(won).score == 1220


def test_the_richest_klondike_win() -> None:
    rules = ruleset(KlondikeTerms())
    deck, plays = richest()
    won = run(rules, start(rules, (deck,)), plays, 310)
    tally = tally_of(won)
    assert (tally.score, tally.bonus, tally.score + tally.bonus) == (745, 22_580, 23_325)
    fast = tally_of(run(rules, start(rules, (deck,)), plays, 290))
    assert fast.score + fast.bonus == 24_078


def forward(rules: Ruleset, position: Position, random: Random) -> Command:
    """Return a random command that takes nothing back; cards go up only half of the time, so that detours happen."""
    can = legal(rules, position, 0)
    up: list[Command] = [Move(card, to) for card, targets in can.moves.items() for to in targets if to == "f"]
    on_foundations = {pile[-1] for pile in position.foundations if pile}
    across: list[Command] = [
        Move(card, to) for card, targets in can.moves.items() for to in targets if card not in on_foundations
    ]
    if up and random.random() < 0.5:
        return random.choice(up)
    return random.choice([*across, *[Draw()] * ("draw" in can.commands), *[Recycle()] * ("recycle" in can.commands)])


@pytest.mark.parametrize("terms", [KlondikeTerms(), KlondikeTerms(draw=3), TwoDeckTerms(), TwoDeckTerms(draw=3)])
def test_a_win_without_worry_back_pays_by_the_identity(terms: Terms) -> None:
    """Win = 10 a card + 5 a turned card + 5 a card from waste to column - what recycles really took."""
    rules = ruleset(terms)
    wins = losses = 0
    for seed in range(24):
        random = Random(seed)
        position = start(rules, easy_decks(rules, random))
        detours = taken = 0
        for _ in range(1500):
            done = apply(rules, position, 0, forward(rules, position, random), 0)
            assert isinstance(done, Step)
            detours += sum(isinstance(it, Moved) and (it.source, it.target[0]) == ("w", "t") for it in done.events)
            if any(isinstance(event, Recycled) for event in done.events):
                taken += tally_of(position).score - tally_of(done.position).score
            position = done.position
            if position.outcome is not None:
                wins += 1
                losses += taken > 0
                assert tally_of(position).score == (1220 if rules.decks == 2 else 625) + 5 * detours - taken
                break
    assert wins >= 3
    assert losses >= 1 or rules.draw == (3,)


def test_finish_pays_every_card() -> None:
    rules = ruleset(KlondikeTerms())
    position = parse_position(
        f"t:KCQD/KD/QC/-/-/-/- f:{FULL[0]}/{FULL[1]}/{FULL[2][:-4]}/{FULL[3][:-4]} "
        "tally:score=500,moves=90,running_since=0"
    )
    done = apply(rules, position, 0, Finish(), 45_000)
    assert isinstance(done, Step)
    tally = tally_of(done.position)
    assert (tally.score, tally.moves, tally.played_ms, tally.bonus) == (540, 94, 45_000, 15_555)
    assert [type(event) for event in done.events[1:-1]] == [Moved] * 4
    assert not any(isinstance(event, Drawn | Turned) for event in done.events)
