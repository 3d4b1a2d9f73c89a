"""Before a match is made: are its terms sound, which deal is it, and how room codes are read."""

import datetime as dt
from collections.abc import Callable
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from server.facts import Created, pack
from server.match.actions import refuse_terms
from server.ports import Advisor, BadTerms, Unavailable
from server.storage.base import Lobby, MatchLog, NotAppended
from shared import fair
from shared.deals import CodeError, DealCode, parse_code
from shared.terms import DuelTerms, KlondikeTerms, Terms, TwoDeckTerms

#: Letters of room codes: none that is taken for a digit or for another.
CODE_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ"
_CODE_LENGTH: Final = 5

_FULL_WIDTH: Final = {0xFF21 + i: ord("A") + i for i in range(26)} | {0xFF41 + i: ord("A") + i for i in range(26)}


class Opening(Struct, frozen=True):
    """Terms that are sound. ``game``: which deals a solo game has. ``deal``: the code of the one that was asked for.
    ``daily``: the date of the daily challenge.
    """

    terms: Terms
    game: Literal["DS", "KL"] | None = None
    deal: str | None = None
    daily: dt.date | None = None

    async def draw(self, advisor: Advisor | None, randbytes: Callable[[int], bytes]) -> tuple[str, str | None]:
        """Return the code of a fresh deal, and what the player must know of it."""
        terms = self.terms
        if isinstance(terms, DuelTerms) or self.game is None:
            raise TypeError("terms: expected those of a solo game")
        notice = None
        if isinstance(terms, KlondikeTerms) and terms.winnable and advisor is not None:
            number, proven = await advisor.winnable(terms, randbytes)
            notice = None if proven else "not_proven_winnable"
        else:
            number = int.from_bytes(randbytes(4))
            if isinstance(terms, KlondikeTerms) and terms.winnable:
                notice = "not_proven_winnable"
        return str(DealCode(self.game, terms.draw, terms.scoring, number)), notice


def check_terms(terms: Terms, *, computer: bool = False, wall_ms: int = 0) -> Opening:
    """Return what is to be opened. A deal code fixes draw and scoring. ``computer``: one is to play.
    ``wall_ms``: now, by which a daily's date is held to be one somewhere on Earth.

    Raises:
        BadTerms: the terms contradict themselves, or the code is none of this game.
    """
    if isinstance(terms, DuelTerms):
        wrong = refuse_terms(terms, computer=computer)
        if wrong is not None:
            raise BadTerms(wrong)
        return Opening(terms)
    if computer:
        raise BadTerms("bot: expected none in a game for one", field="bot")
    game: Literal["DS", "KL"] = "KL" if isinstance(terms, KlondikeTerms) else "DS"
    if isinstance(terms, KlondikeTerms) and terms.daily is not None:
        return Opening(terms, game, daily=_daily_date(terms, terms.daily, wall_ms))
    if terms.code is None:
        return Opening(terms, game)
    try:
        code = parse_code(terms.code)
    except CodeError as error:
        raise BadTerms(str(error), code="bad_code", field="terms.code") from error
    if code.game != game:
        raise BadTerms(
            f"deal code: expected one of this game ({game}1-...), got {code}", code="bad_code", field="terms.code"
        )
    return Opening(_fixed(terms, code), game, str(code))


def _daily_date(terms: KlondikeTerms, text: str, wall_ms: int) -> dt.date:
    now = dt.datetime.fromtimestamp(wall_ms / 1000, dt.UTC)
    try:
        date = dt.date.fromisoformat(text)
    except ValueError as error:
        raise BadTerms(f"daily: expected a date like 2026-12-01, got {text!r}", field="terms.daily") from error
    plain = KlondikeTerms(draw=terms.draw, daily=text)
    for name in terms.__struct_fields__:
        if getattr(terms, name) != getattr(plain, name):
            raise BadTerms(f"{name}: of a daily challenge only the draw is free", field=f"terms.{name}")
    if not fair.is_date_somewhere(date, now):
        raise BadTerms(f"daily: expected a date that it is somewhere on Earth now, got {text}", field="terms.daily")
    return date


def _fixed(terms: KlondikeTerms | TwoDeckTerms, code: DealCode) -> KlondikeTerms | TwoDeckTerms:
    return replace(terms, draw=code.draw, scoring=code.scoring, code=str(code))


def read_room_code(text: str) -> str | None:
    """Return the room code that ``text`` means, in any case, with spaces, dashes or full-width letters; or ``None``."""
    letters = "".join(c for c in text.translate(_FULL_WIDTH).upper() if c.isalnum())
    return letters if len(letters) == _CODE_LENGTH and all(c in CODE_LETTERS for c in letters) else None


async def claim_code(lobby: Lobby, randbytes: Callable[[int], bytes], match: str) -> str:
    """Claim a free room code for ``match`` and return it."""
    while True:
        code = "".join(CODE_LETTERS[byte % len(CODE_LETTERS)] for byte in randbytes(_CODE_LENGTH))
        if await lobby.claim_code(code, match):
            return code


async def make_match(log: MatchLog, match: str, first: Created, *, others_may: bool = False) -> None:
    """Make ``match``. ``others_may``: another node may have been faster, with the same first entry but for its time.

    Raises:
        Unavailable: it could not be made.
    """
    answer = await log.create(match, pack(first))
    if isinstance(answer, NotAppended) and not (others_may and answer.why == "exists"):
        raise Unavailable(f"the match could not be made: {answer.why}")
