"""The build: what ships, and that the solver that runs is the compiled one."""

import importlib
import tomllib
from pathlib import Path

import pytest

import _build

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())


@pytest.mark.parametrize("name", [path.stem for path in _build.kernels(ROOT)])
def test_the_compiled_kernel_is_the_one_in_use(name: str) -> None:
    kernel = importlib.import_module(f"server.solver.{name}")
    assert not str(kernel.__file__).endswith(".py"), "the solver runs uncompiled: run `make kernel`"


def test_without_a_compiler_the_build_asks_for_zig(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CC", raising=False)
    assert "ziglang" in _build.with_zig(["cython"])
    monkeypatch.setenv("CC", "some-cc")
    assert _build.with_zig(["cython"]) == ["cython"]


def test_every_dependency_is_pinned_in_the_lock() -> None:
    lock = (ROOT / "requirements-dev.lock").read_text().splitlines()
    pinned = {line.split("==")[0].lower().replace("_", "-") for line in lock}
    project = SETTINGS["project"]
    wanted = project["dependencies"] + project["optional-dependencies"]["dev"]
    names = {requirement.split(">")[0].split(";")[0].strip() for requirement in wanted}
    assert names <= pinned
