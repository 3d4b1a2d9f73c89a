"""Each test that docs/faults.md names is there."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
DOC = (TESTS.parent / "docs" / "faults.md").read_text()


def named() -> list[tuple[str, str]]:
    """File and, if one is named, the beginning of the test's name."""
    cells = [line.rsplit("|", 2)[1] for line in DOC.splitlines() if line.startswith("| ")]
    return [(file, name) for cell in cells for file, name in re.findall(r"`([\w/.]+\.(?:py|js))(?:::(\w+)…?)?`", cell)]


@pytest.mark.parametrize(("file", "name"), sorted(set(named())))
def test_a_test_that_is_named_exists(file: str, name: str) -> None:
    found = [path for path in TESTS.rglob(Path(file).name) if str(path).endswith("/" + file)]
    assert found, "no such file"
    assert any(re.search(rf"def {name}", path.read_text()) for path in found) or not name, "no such test there"


def test_every_row_names_a_test() -> None:
    rows = [
        line for line in DOC.splitlines() if line.startswith("| ") and not line.startswith(("| ---", "| what players"))
    ]
    assert len(rows) > 60
    assert all(re.search(r"`[\w/.]+\.(py|js)", row.rsplit("|", 2)[1]) for row in rows)
