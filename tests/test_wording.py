"""What no committed file may say, and how long one may be."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
THIS = "tests/test_wording.py"

# Each in pieces, so that this file does not break its own rules.
FORBIDDEN = {
    "a path of someone's machine": r"(?<![\w.~-])/(?:" + "work|root|home|Users" + r")/\w",
    "a package registry's host": r"(?:registry\.npm" + r"js|py" + r"pi\.org|python" + r"hosted|deb\.debian)",
    "a placeholder": r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X|raise NotImplemented" + r"Error)\b",
}

LIMIT = 400
# Longer on purpose, each with its reason.
LONG = {
    "server/solver/kernel.py": "one search, compiled: its parts call each other as C functions, within one module only",
    "server/solver/wide.py": "see kernel.py",
}

SKIPPING = re.compile(r"(?:pytest|mark)\.(?:skip|skipif|xfail|importorskip)\b(?!\w)")


def committed() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def text_of(name: str) -> str:
    try:
        return (ROOT / name).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""  # a picture or other binary


def findings(name: str, text: str) -> list[str]:
    return [
        f"{name}:{number}: {what}: {line.strip()[:100]}"
        for number, line in enumerate(text.splitlines(), 1)
        for what, pattern in FORBIDDEN.items()
        if re.search(pattern, line)
    ]


def skips_without_reason(name: str, text: str) -> list[str]:
    """Skips and expected failures that do not say why within their call."""
    found = []
    for match in SKIPPING.finditer(text):
        call = text[match.start() : match.start() + 400]
        says_why = "reason=" in call or re.match(r"pytest\.skip\(\s*f?[\"']", call)
        if not says_why:
            found.append(f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {call.splitlines()[0]}")
    return found


@pytest.mark.parametrize(
    "line",
    [
        "cd /" + "home/ann/games",
        'path = "/' + 'work/main"',
        "https://py" + "pi.org/simple",
        '"resolved": "https://registry.npm' + 'js.org/x"',
        "# TO" + "DO: later",
        "raise NotImplemented" + "Error",
    ],
)
def test_a_forbidden_line_is_found(line: str) -> None:
    assert findings("x", line)


@pytest.mark.parametrize("line", ["GET /homes/", "the app's home page /", "https://example.com/work/x", "todo list"])
def test_an_ordinary_line_is_not(line: str) -> None:
    assert not findings("x", line)


def test_a_skip_without_reason_is_found() -> None:
    mark = "@pytest.mark." + "skip"
    assert skips_without_reason("x", f"{mark}\ndef test_x(): ...")
    assert skips_without_reason("x", f"{mark}if(True)\ndef test_x(): ...")
    assert not skips_without_reason("x", f'{mark}if(True, reason="needs a terminal")')
    assert not skips_without_reason("x", "pytest." + 'skip("needs a terminal")')


def test_no_committed_file_says_what_it_must_not() -> None:
    assert [found for name in committed() for found in findings(name, text_of(name))] == []


def test_every_skip_has_its_reason() -> None:
    names = [name for name in committed() if name.endswith(".py") and name != THIS]
    assert [found for name in names for found in skips_without_reason(name, text_of(name))] == []


def test_no_source_file_is_too_long() -> None:
    lengths = {name: text_of(name).count("\n") for name in committed() if name.endswith((".py", ".js"))}
    assert {name: n for name, n in lengths.items() if n > LIMIT and name not in LONG} == {}
    assert [name for name in LONG if lengths.get(name, LIMIT + 1) <= LIMIT] == []  # no longer long: off the list
