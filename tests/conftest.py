"""What all tests share: a compiled kernel must be that of the source beside it."""

from pathlib import Path

import pytest

from _build import stale
from tests.chromium import find_chromium

ROOT = Path(__file__).resolve().parent.parent


def pytest_configure() -> None:
    """An old compiled kernel wins over an edited source when imported: refuse to test it."""
    for compiled in stale(ROOT):
        raise pytest.UsageError(f"{compiled.name} is older than its source: run `make kernel`")


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of the system's Chromium; a test that needs it fails, with what to install, where there is none."""
    return find_chromium()
