"""The layers: `shared <- server`, `shared <- client`, never `server <-> client`; and shared/ is pure."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("shared", "server", "client")
MAY_IMPORT = {"shared": {"shared"}, "server": {"shared", "server"}, "client": {"shared", "client"}}

# What brings the world into a pure function: clocks, chance, files, sockets, threads, the machine.
IMPURE = frozenset(
    """
    asyncio concurrent http io logging multiprocessing os pathlib platform queue random secrets select selectors shutil
    signal socket ssl subprocess sys tempfile threading time urllib uuid
    websockets redis sqlite3 structlog prometheus_client uvloop
    """.split()
)


def sources(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(text: str, package: str) -> Iterator[str]:
    """Full names of the modules that a module's text imports, wherever in it; `package` resolves relative ones."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            yield ".".join([*above, *([node.module] if node.module else [])])


def imports_of(path: Path) -> list[str]:
    name = module_name(path)
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    return list(imported(path.read_text(), package))


def test_imports_are_seen_wherever_they_stand() -> None:
    text = "import os.path\ndef f():\n    from ..client import session\n    from . import x\nfrom time import time\n"
    assert sorted(imported(text, "server.storage")) == ["os.path", "server.client", "server.storage", "time"]


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_import_downwards_only(package: str) -> None:
    for path in sources(package):
        ours = {name.split(".")[0] for name in imports_of(path)} & set(PACKAGES)
        assert ours <= MAY_IMPORT[package], f"{path.relative_to(ROOT)} imports {ours - MAY_IMPORT[package]}"


def test_shared_is_pure() -> None:
    for path in sources("shared"):
        impure = {name for name in imports_of(path) if name.split(".")[0] in IMPURE}
        assert not impure, f"{path.relative_to(ROOT)} imports {impure}"


def test_each_module_imports_alone() -> None:
    """In a fresh process each, so that no module lives off another's imports or closes a cycle."""
    paths = [path for package in PACKAGES for path in sources(package) if path.stem != "__main__"]
    foreign = {name for path in paths for name in imports_of(path) if name.split(".")[0] not in PACKAGES}
    script = (
        "import contextlib, importlib, os, sys\n"
        f"for name in {sorted(foreign)}:\n"  # once, as they take most of the time
        "    with contextlib.suppress(ImportError, AttributeError): importlib.import_module(name)\n"
        # cython's cimports are no modules but in the eyes of its compiler: AttributeError
        "for number, name in enumerate(sys.argv[1:]):\n"
        "    if number >= (os.cpu_count() or 1): os.wait()\n"
        "    if os.fork() == 0:\n"
        "        try: importlib.import_module(name)\n"
        "        except BaseException as error: print(f'{name}: {error!r}', flush=True); os._exit(1)\n"
        "        os._exit(0)\n"
        "with contextlib.suppress(ChildProcessError):\n"
        "    while True: os.wait()\n"
    )
    names = map(module_name, paths)
    run = subprocess.run([sys.executable, "-c", script, *names], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout == ""
