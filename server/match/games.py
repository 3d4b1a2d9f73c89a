"""The games of a match: their deals, how they end, and what their ends add up to (docs/rules.md, Match)."""

import datetime as dt
import hashlib
from typing import Final

from server.facts import ProvedLost
from server.match.state import Cards, Out, State
from shared import engine, fair
from shared.deals import deck_for_code, parse_code
from shared.moves import Restored
from shared.position import Outcome, Position, Why
from shared.ruleset import ruleset
from shared.table import GameResult, LossProof, StuckProof
from shared.terms import DuelTerms, KlondikeTerms

#: From both ready to the cards, ms.
COUNTDOWN_MS: Final = 3000
#: Not ready so long after the next game was offered = left, ms.
READY_MS: Final = 60_000
#: The table's notice that a solo game cannot be won; it goes with the next action.
CANNOT_BE_WON: Final = "cannot_be_won"
#: Versions of the rules since when a hint counts once a position, and a solo game can be given up.
HINTS_COUNT_ONCE: Final = 2
CAN_GIVE_UP: Final = 2
#: What a seat is credited with when the other resigned or left.
WHOLE_DECK: Final = 52
_EPOCH: Final = dt.datetime(1970, 1, 1)  # noqa: DTZ001 - counts a local time, which has no zone


def deal_solo(state: State, out: Out) -> None:
    """Deal the solo game that the log's first entry fixed; again at a restart."""
    if not state.decks:
        daily = state.daily
        state.decks = (deck_for_code(parse_code(state.deal or "")) if daily is None else fair.daily_deal(daily),)
    state.rules = ruleset(state.table.terms)
    _begin(state, engine.start(state.rules, state.decks, at=state.at, first=0), out)
    state.change_table(phase="playing", deal_code=state.deal, result=None)


def begin_countdown(state: State) -> None:
    """Both are ready: the cards appear in three seconds."""
    state.change_table(phase="countdown", starts_at=state.at + COUNTDOWN_MS, ready_until=None)


def start_game(state: State, at: int, out: Out) -> None:
    """The countdown ended: deal from the committed seed and the seats' own bytes."""
    terms = state.table.terms
    if state.seed is None or not isinstance(terms, DuelTerms):
        raise ValueError("no seed is committed")
    one, two = (bytes.fromhex(nonce or "") for nonce in state.nonces)
    state.decks = fair.duel_decks(state.seed, (one, two), mirror=terms.mirror)
    state.rules = ruleset(terms)
    first = _first_seat(state, terms)
    state.first = first
    for seat, player in enumerate(state.table.players):
        log = state.logs[seat]
        log.heres = 0
        absent = player is not None and not player.present
        until = at + terms.grace_seconds * 1000 if absent else None
        state.change_player(seat, ready=False, gone_until=until, waited_for=False, agrees_end=False, nonce=None)
    state.change_table(phase="playing", starts_at=None, end_declined=None)
    _begin(state, engine.start(state.rules, state.decks, at=at, first=first), out)


def _begin(state: State, position: Position, out: Out) -> None:
    state.position = position
    state.up_no, state.up_at = state.no, state.at
    state.acted_no, state.acted_at = state.no, state.at
    state.told_lost = False
    state.races, state.proofs = (), {}
    out.events.append(Restored(position))


def _first_seat(state: State, terms: DuelTerms) -> int:
    """Say who begins: as the terms say in the first game, then in turns."""
    if state.first_next is not None:
        return state.first_next
    drawn = "".join(nonce or "" for nonce in state.nonces).encode()
    coin = hashlib.sha256(b"first" + (state.seed or b"") + drawn).digest()[0] & 1
    if terms.first == "low_card":
        low = engine.low_card_first(state.rules, state.decks)
        return coin if low is None else low
    return {"host": 0, "guest": 1}.get(terms.first, coin)


def after_step(state: State) -> None:
    """See whether the game just ended, and go on from there."""
    position = state.position
    if state.table.phase != "playing" or position is None or position.outcome is None:
        return
    outcome = position.outcome
    if state.solo:
        date = _date_of_win(state) if outcome.reason == "won" else None
        games = (*state.table.games, GameResult(outcome=outcome, credited=outcome.counts, date=date))
        state.change_table(phase="over", games=games, result=outcome)
        return
    _close_game(state, outcome)
    _go_on(state, outcome)


def cards_of(position: Position) -> Cards:
    """Return the cards of a position, without what it counts."""
    return position.seats, position.foundations


def is_hinted(state: State) -> bool:
    """Whether a hint was counted for the cards as they lie."""
    return state.hinted is not None and state.position is not None and state.hinted == cards_of(state.position)


def _date_of_win(state: State) -> str | None:
    """Return the date to which a solo win now is credited (docs/daily.md)."""
    terms = state.table.terms
    if isinstance(terms, KlondikeTerms) and terms.daily is not None:
        return terms.daily
    if state.local is None:
        return None
    local_ms, at = state.local
    return (_EPOCH + dt.timedelta(milliseconds=local_ms + state.at - at)).date().isoformat()


def _close_game(state: State, outcome: Outcome) -> None:
    """Count the game, and reveal what it was dealt from."""
    credited = _credits(outcome)
    result = GameResult(
        outcome=outcome,
        credited=credited,
        commitment=state.table.commitment or "",
        seed=(state.seed or b"").hex(),
        nonces=tuple(nonce or "" for nonce in state.nonces),
        races=state.races,
        proofs=_proofs(state, outcome),
    )
    sums = tuple(have + more for have, more in zip(state.table.sums, credited, strict=True))
    state.seed = None
    state.nonces = [None] * len(state.logs)
    if outcome.reason != "void" and state.first is not None:
        state.first_next = 1 - state.first
    elif state.first is not None:
        state.first_next = state.first
    for seat in range(len(state.logs)):
        state.change_player(seat, ready=False, gone_until=None, waited_for=False, agrees_end=False)
    state.change_table(games=(*state.table.games, result), sums=sums, commitment=None, end_declined=None)


def _proofs(state: State, outcome: Outcome) -> tuple[StuckProof, ...]:
    """Return what showed the game to be dead."""
    if outcome.reason != "both_stuck" or state.position is None:
        return ()
    stuck = [seat for seat, own in enumerate(state.position.seats) if own.stuck]
    return tuple(state.proofs[seat] for seat in stuck)


def _credits(outcome: Outcome) -> tuple[int, ...]:
    if outcome.reason == "void":
        return (0, 0)
    if outcome.reason in {"resigned", "left"} and outcome.winner is not None:
        loser = outcome.counts[1 - outcome.winner]
        return (WHOLE_DECK, loser) if outcome.winner == 0 else (loser, WHOLE_DECK)
    return outcome.counts


def _go_on(state: State, outcome: Outcome) -> None:
    """End the match, or offer its next game."""
    terms = state.table.terms
    wanted = terms.games if isinstance(terms, DuelTerms) else 1
    counted = sum(1 for game in state.table.games if game.outcome.reason != "void")
    sums = state.table.sums
    if counted >= wanted and wanted == 1:
        end_match(state, outcome)
    elif counted >= wanted and sums[0] != sums[1]:
        end_match(state, Outcome(outcome.reason, winner=0 if sums[0] > sums[1] else 1, counts=sums))
    else:
        state.change_table(phase="between", game=state.table.game + 1, ready_until=state.at + READY_MS)


def end_match(state: State, result: Outcome) -> None:
    """Let the match be over, with ``result``."""
    state.change_table(phase="over", result=result, ready_until=None, starts_at=None)


def end_void(state: State, why: Why) -> None:
    """Let the match be over, without a result."""
    end_match(state, Outcome("void", counts=state.table.sums, why=why))


def turn_down(state: State, seat: int) -> None:
    """One of two whom the lobby paired does not want the match: it does not take place."""
    if state.table.phase == "gathering" and state.table.ready_until is not None:
        state.change_table(declined=seat)
        end_void(state, "declined")


def ready_time_over(state: State) -> None:
    """The next game was offered, and somebody is not ready: he left, and the match is lost; neither is, or it was the
    first game, of two whom the lobby paired: it is void.
    """
    ready = [player is not None and player.ready for player in state.table.players]
    if ready[0] == ready[1] or state.table.phase == "gathering":
        end_void(state, "not_ready")
    else:
        end_match(state, Outcome("left", winner=0 if ready[0] else 1, counts=state.table.sums))


def prove_lost(state: State, entry: ProvedLost) -> None:
    """Tell a solo game's player once that it cannot be won, if he did nothing since entry ``k``.

    The proof names every card: it is for him who has the deal's code, from which they follow anyway.
    """
    if state.solo and state.running and not state.told_lost and entry.k >= state.acted_no:
        state.told_lost = True
        question = "" if state.table.deal_code is None else entry.command
        state.change_table(notice=CANNOT_BE_WON, proof=LossProof(entry.states, entry.ms, question))


def void_match(state: State) -> None:
    """A fault of the server: the match ends without a winner, its log kept."""
    state.voided = True
    state.position = None
    end_void(state, "fault")


def void_game(state: State, out: Out, why: Why) -> None:
    """Let the game under way count for nothing; it is dealt anew once both are ready again."""
    if state.running and not state.solo and state.position is not None:
        state.take(engine.end(state.rules, state.position, "void", None, why), out)
        after_step(state)


def commit(state: State, game: int, seed: bytes) -> None:
    """Take the secret seed of ``game``; the first of a game counts."""
    if wants_seed(state) and game == state.table.game:
        state.seed = seed
        state.change_table(commitment=fair.commitment(seed))
        ready_computer(state)


def ready_computer(state: State) -> None:
    """The computer is ready as soon as it may be, and its bytes are fixed before the other's are known."""
    if state.computer is None or state.seed is None:
        return
    seat = len(state.logs) - 1
    state.nonces[seat] = nonce = state.computer.nonce(state.table.game)
    state.change_player(seat, ready=True, nonce=nonce)


def wants_seed(state: State) -> bool:
    """Whether the next game still lacks its seed: a node is to append one."""
    return state.seed is None and not state.solo and state.table.phase in {"gathering", "between"}


def next_match_id(match: str) -> str:
    """Return the id of the rematch of ``match``: every node derives the same."""
    return hashlib.sha256(f"{match}/rematch".encode()).hexdigest()[: len(match)]
