"""The browser's pure modules under node: the fold against the engine's, the session, geometry, gestures, words."""

import itertools
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from server.books.ratings import SETTLED
from shared.engine import Step, apply, legal
from shared.moves import Code
from shared.position import Position, Reason, Why
from shared.protocol import Failed
from shared.protocol.answers import OffBoards
from shared.table import EmoteName
from shared.terms import DuelTerms, KlondikeTerms, Terms, TwoDeckTerms
from shared.view import redact, view
from tests.shared import games

HERE = Path(__file__).parent
WEB = HERE.parents[1] / "client" / "web"
KNOWN = [games.ALL[i] for i in (0, 3, 4, 6, 9, 12, 13, 14, 16, 17, 19, 20)]


def plain(value: object) -> Any:
    """What travels as JSON, defaults left out: as the page gets it."""
    return json.loads(msgspec.json.encode(value))


def recorded(terms: Terms, seed: int) -> dict[str, Any]:
    """A random game as one viewer sees it: the opening, then the events of each step with the view after it."""
    steps: list[dict[str, Any]] = []
    opening: Position | None = None
    viewer = seed % 2 if isinstance(terms, DuelTerms) else 0
    for rules, position, seat, command, at in games.random_game(terms, seed, steps=260):
        opening = opening or view(rules, position, viewer)
        done = apply(rules, position, seat, command, at)
        assert isinstance(done, Step)
        events = [seen for seen in (redact(rules, event, viewer) for event in done.events) if seen is not None]
        steps.append({"events": plain(events), "view": plain(view(rules, done.position, viewer))})
    assert opening is not None
    return {"name": games.name(terms), "opening": plain(opening), "steps": steps}


def positions() -> list[dict[str, Any]]:
    """Middle games with their terms and legal targets, for layout and gestures."""
    found = []
    for terms in (KlondikeTerms(), KlondikeTerms(draw=3), TwoDeckTerms(draw=3), DuelTerms(draw=(3, 1)), DuelTerms()):
        game = list(games.random_game(terms, 7, steps=60))
        for rules, position, _, _, at in itertools.islice(game, 0, None, 6):
            found.append(
                {
                    "terms": plain(terms),
                    "view": plain(view(rules, position, 0)),
                    "legal": plain(legal(rules, position, 0, at)),
                }
            )
    return found


def run_node(name: str, data: object, tmp_path: Path) -> None:
    node = shutil.which("node")
    assert node is not None, "no node found: install the package nodejs"
    (tmp_path / "data.json").write_text(json.dumps(data))
    done = subprocess.run(
        [node, "--test", str(HERE / "modules" / name)],
        env={"DATA": str(tmp_path / "data.json"), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert re.search(r"^# pass [1-9]", done.stdout, re.MULTILINE), done.stdout[-1000:]


def test_the_page_folds_as_the_engine_does(tmp_path: Path) -> None:
    """evolve.js and evolve.py agree after every step of random games of every kind."""
    data = [recorded(terms, seed) for terms in KNOWN for seed in (3, 4, 6)]
    kinds = {event["ev"] for game in data for step in game["steps"] for event in step["events"]}
    assert kinds >= {"moved", "turned", "drawn", "recycled", "turn", "declared", "tallied", "restored", "ended"}
    run_node("evolve.test.js", data, tmp_path)


@pytest.mark.parametrize("name", ["layout.test.js", "aim.test.js", "session.test.js", "who.test.js", "help.test.js"])
def test_pure_modules(name: str, tmp_path: Path) -> None:
    run_node(name, positions(), tmp_path)


def test_the_pages_of_the_records_reckon_and_word_rightly(tmp_path: Path) -> None:
    """Dates and months, addresses of boards, figures; whatever keeps a win off the boards has its words."""
    run_node("records.test.js", {"off": list(get_args(OffBoards)), "settled": SETTLED}, tmp_path)


def test_every_language_has_every_text(tmp_path: Path) -> None:
    """Every refusal, every end and every failure has its words, and all languages have the same texts and blanks."""
    codes = {
        "refusal": list(get_args(Code)),
        "reason": list(get_args(Reason)),
        "why": list(get_args(Why)),
        "emotes": list(get_args(EmoteName)),
        "failed": [*get_args(Failed.__annotations__["code"])],
    }
    run_node("words.test.js", codes, tmp_path)


def words_of(language: str) -> str:
    """The files of a language's texts, but for the help."""
    files = [path for path in sorted(WEB.glob(f"js/lang/*{language}.js")) if not path.stem.startswith("help_")]
    return "".join(path.read_text() for path in files)


def test_every_text_asked_for_exists() -> None:
    """Each literal key in the page's code stands in the English dictionary, and each key there is used."""
    english = set(re.findall(r"^  '([\w.]+)':", words_of("en"), re.MULTILINE))
    code = "\n".join(path.read_text() for path in WEB.glob("js/**/*.js") if path.parent.name != "lang")
    asked = set(re.findall(r"\bt\('([\w.]+)'", code))
    assert asked <= english
    families = (
        "bot.",
        "refusal.",
        "reason.",
        "failed.",
        "rank.",
        "suit.",
        "terms.",
        "variant.",
        "pile.",
        "line.",
        "settings.",
        "emote.",
    )
    served = ("hint.", "end.check", "notice.")
    idle = {key for key in english if key.removesuffix(".one") not in code and not key.startswith((*families, *served))}
    assert idle == set()


@pytest.mark.parametrize("language", ["en", "de", "da"])
def test_each_text_stands_once(language: str) -> None:
    keys = re.findall(r"^  '([\w.]+)':", words_of(language), re.MULTILINE)
    assert sorted(keys) == sorted(set(keys))


LANGUAGES = sorted(path.stem for path in WEB.glob("js/lang/??.js"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_claims_what_is_not_proven(language: str) -> None:
    """Nothing is called the best, the fewest or the shortest possible."""
    texts = words_of(language) + (WEB / f"js/lang/help_{language}.js").read_text()
    english = "best possible|fewest|shortest|optimal|minimal"
    others = "kürzest|wenigste|bestmöglich|mindst mulig|bedst mulig|korteste"
    claims = f"{english}|{others}"
    assert re.findall(claims, texts, re.IGNORECASE) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_states_the_points_straight_up_and_over_a_column(language: str) -> None:
    help_text = (WEB / f"js/lang/help_{language}.js").read_text()
    (scoring,) = [line for line in help_text.splitlines() if "+5" in line and "+10" in line and "15" in line]
    assert re.search(r"\b5\b", scoring.split("15")[1]), "a detour's five points more"
