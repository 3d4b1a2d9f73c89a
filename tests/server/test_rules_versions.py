"""A log of older rules folds as it did when they were the newest."""

import hashlib

from server.facts import Hinted
from shared.moves import Draw, Undo
from shared.table import Restart
from shared.terms import DuelTerms, KlondikeTerms
from tests.server.script import Script

#: SHA-256 over the digests of all entries, as version 1 had them.
GOLDEN_1 = {"duel": "6274314a7fafb19a", "solo": "cc4f1542c9304340"}


def chained(script: Script) -> str:
    return hashlib.sha256(b"".join(held.digest for held in script.state.recent)).hexdigest()[:16]


def duel() -> Script:
    script = Script(DuelTerms(), rules=1).start().both_up()
    for number in range(12):
        script.come(1, f"x.{number}")
    script.leave(0)
    script.tick(60_000)
    return script


def solo() -> Script:
    script = Script(KlondikeTerms(code="KL1-D1S-AAAAAAB"), rules=1)
    for _ in range(4):
        script.add(Hinted(0))
        script.wish(0, Draw())
    script.wish(0, Undo())
    script.wish(0, Restart())
    return script


def test_version_1_folds_as_it_did() -> None:
    assert {"duel": chained(duel()), "solo": chained(solo())} == GOLDEN_1
