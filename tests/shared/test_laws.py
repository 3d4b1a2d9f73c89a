"""Laws that hold for every ruleset, over random games (``RULES_GAMES`` sets how many)."""

from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from shared.engine import Step, apply, deadline, evolve, expire, legal, prove_stuck, refuse, replay
from shared.evolve import bare
from shared.moves import Command, Event, Move, Redo, Undo
from shared.notation import parse_position, position_text
from shared.position import Position
from shared.ruleset import Ruleset
from shared.stuck import search
from shared.terms import Terms
from shared.view import redact, view
from tests.shared.games import ALL, GAMES, OTHERS, TARGETS, brute_moves, dealt, name, random_game

each_ruleset = pytest.mark.parametrize("terms", ALL, ids=name)


def seeds(law: int, share: int = 1) -> range:
    """Return the seeds of a law's games: its own, so that every law is held to other games."""
    return range(1000 * law, 1000 * law + max(1, GAMES // share))


def cards_of(position: Position) -> list[int]:
    on_tables = [card for seat in position.seats for pile in (*seat.columns, seat.stock, seat.waste) for card in pile]
    return sorted(on_tables + [card for pile in position.foundations for card in pile])


def own_places_hold(position: Position) -> bool:
    """Return whether every seat's table holds cards of its own deck alone, and every foundation is one suit from the
    ace.
    """
    tables = len(position.seats) == 1 or all(
        card // 52 == i
        for i, seat in enumerate(position.seats)
        for pile in (*seat.columns, seat.stock, seat.waste)
        for card in pile
    )
    each = len(position.foundations) // 4
    piles = all(
        card % 52 == i // each * 13 + rank
        for i, pile in enumerate(position.foundations)
        for rank, card in enumerate(pile)
    )
    return tables and piles


def viewers(rules: Ruleset) -> list[int | None]:
    return [*range(rules.seats), None]


def random_command(random: Random) -> Command:
    if random.random() < 0.6:
        return Move(random.randrange(104), random.choice(TARGETS))
    return random.choice(list(OTHERS.values()))


def steps(terms: Terms, seed: int) -> Iterator[tuple[Ruleset, Position, Step]]:
    """Yield the steps of a random game, and now and then what else may happen to a position: clocks, proofs, illegal
    moves.
    """
    random = Random(f"{seed} steps")
    for rules, position, seat, command, at in random_game(terms, seed):
        done = apply(rules, position, seat, command, at)
        assert isinstance(done, Step)
        yield rules, position, done
        tried = apply(rules, position, seat, random_command(random), at)
        if isinstance(tried, Step):
            yield rules, position, tried
        due = deadline(rules, position)
        if due is not None and random.random() < 0.1:
            yield rules, position, expire(rules, position, due)
        if rules.seats == 2 and random.random() < 0.02 and search(rules, position, seat, 500):
            yield rules, position, prove_stuck(rules, position, seat)


@each_ruleset
def test_cards_are_conserved_and_stay_in_their_places(terms: Terms) -> None:
    for seed in seeds(0):
        whole = cards_of(dealt(terms, seed)[1])
        assert len(set(whole)) == len(whole)
        for _, _, step in steps(terms, seed):
            assert cards_of(step.position) == whole
            assert own_places_hold(step.position)


@each_ruleset
def test_a_column_never_ends_face_down(terms: Terms) -> None:
    for seed in seeds(1):
        for _, _, step in steps(terms, seed):
            for seat in step.position.seats:
                assert all(
                    down < len(column) or not column for column, down in zip(seat.columns, seat.down, strict=True)
                )


@each_ruleset
def test_the_events_are_the_whole_of_a_step(terms: Terms) -> None:
    for seed in seeds(2):
        for _, position, step in steps(terms, seed):
            assert replay(position, step.events) == step.position


@each_ruleset
def test_a_view_follows_its_redacted_events(terms: Terms) -> None:
    for seed in seeds(3):
        for rules, before, step in steps(terms, seed):
            seen = {viewer: view(rules, before, viewer) for viewer in viewers(rules)}
            position = before
            for event in step.events:
                position = evolve(position, event)
                for viewer, known in seen.items():
                    told = redact(rules, event, viewer)
                    seen[viewer] = known if told is None else evolve(known, told)
                    assert seen[viewer] == view(rules, position, viewer)


@each_ruleset
def test_a_view_holds_no_hidden_card(terms: Terms) -> None:
    for seed in seeds(4):
        for rules, before, step in steps(terms, seed):
            if rules.open_deal:
                return
            hidden = {
                card
                for seat in step.position.seats
                for pile in (*(c[:d] for c, d in zip(seat.columns, seat.down, strict=True)), seat.stock)
                for card in pile
            }
            for viewer in viewers(rules):
                assert not hidden & set(cards_of(view(rules, step.position, viewer)))
                told = [redact(rules, event, viewer) for event in step.events]
                shown = {card for event in told if event for card in _cards_in(event)}
                assert not hidden & shown, (before, step.events)


def _cards_in(event: Event) -> set[int]:
    """Return every card that ``event`` names, wherever in it."""
    if hasattr(event, "position"):
        return set(cards_of(event.position))
    return {*getattr(event, "cards", ()), *([event.card] if hasattr(event, "card") else [])}


@each_ruleset
def test_legal_is_a_function_of_the_view(terms: Terms) -> None:
    for seed in seeds(5):
        for rules, position, _, _, at in random_game(terms, seed):
            for seat in range(rules.seats):
                assert legal(rules, view(rules, position, seat), seat, at) == legal(rules, position, seat, at)


@each_ruleset
def test_refusals_are_a_function_of_the_view(terms: Terms) -> None:
    for seed in seeds(6):
        random = Random(seed)
        for rules, position, _, _, at in random_game(terms, seed):
            for seat in range(rules.seats):
                seen = view(rules, position, seat)
                for command in (random_command(random) for _ in range(8)):
                    assert refuse(rules, seen, seat, command, at) == refuse(rules, position, seat, command, at)


@each_ruleset
def test_fast_moves_are_what_refuse_lets_through(terms: Terms) -> None:
    for seed in seeds(7, 5):
        for number, (rules, position, seat, _, at) in enumerate(random_game(terms, seed)):
            if number % 12 == 0:
                can = legal(rules, position, seat, at)
                assert can.moves == brute_moves(rules, position, seat, at)
                accepted = {tag for tag, other in OTHERS.items() if refuse(rules, position, seat, other, at) is None}
                assert set(can.commands) == accepted


@each_ruleset
def test_taps_are_legal_and_one_of_a_kind(terms: Terms) -> None:
    for seed in seeds(8):
        for rules, position, seat, _, at in random_game(terms, seed):
            can = legal(rules, position, seat, at)
            assert not can.tap.keys() & can.double.keys()
            for card, to in (*can.tap.items(), *can.double.items()):
                assert to in can.moves[card]
                assert all(card not in pile for pile in position.foundations)


@each_ruleset
def test_positions_and_events_survive_the_codec_and_the_notation(terms: Terms) -> None:
    for seed in seeds(9, 3):
        for _, _, step in steps(terms, seed):
            whole = step.position
            assert msgspec.msgpack.decode(msgspec.msgpack.encode(whole), type=Position) == whole
            assert msgspec.json.decode(msgspec.json.encode(step.events), type=tuple[Event, ...]) == step.events
            plain = bare(whole)
            assert parse_position(position_text(plain)) == plain


@pytest.mark.parametrize("terms", [terms for terms in ALL if name(terms)[0] != "d"], ids=name)
def test_undo_and_redo_come_back_to_the_same_cards(terms: Terms) -> None:
    for seed in seeds(10):
        for rules, position, seat, command, at in random_game(terms, seed):
            done = apply(rules, position, seat, command, at)
            assert isinstance(done, Step)
            if done.position.undo_depth != position.undo_depth + 1 or done.position.outcome is not None:
                continue
            undone = apply(rules, done.position, seat, Undo(), at)
            assert isinstance(undone, Step)
            redone = apply(rules, undone.position, seat, Redo(), at)
            assert isinstance(redone, Step)
            assert undone.position.seats == position.seats
            assert undone.position.foundations == position.foundations
            assert redone.position.seats == done.position.seats
            assert [bare(p).seats for p in redone.position.past] == [bare(p).seats for p in done.position.past]
            then, back, again = position.tally, undone.position.tally, redone.position.tally
            assert then is not None
            assert back is not None
            assert again is not None
            assert done.position.tally is not None
            assert (back.score, back.recycles, back.worry_backs) == (then.score, then.recycles, then.worry_backs)
            assert back.moves == again.moves == done.position.tally.moves
            assert again.score == done.position.tally.score
