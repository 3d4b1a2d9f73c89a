"""The build back end: setuptools, with the solver's kernels compiled, on machines without a compiler too.

A kernel is ordinary Python that Cython turns into C. Where no C compiler is found, the `ziglang` wheel is
asked for and used as one; where that fails as well, the install goes on with the uncompiled file, which is
right but slow (`server.solver.kernel.KERNEL_COMPILED` tells, `make test` insists on the compiled one).
"""

import importlib.util
import os
import shlex
import shutil
import sys
import sysconfig
from pathlib import Path
from typing import Any

from setuptools import Extension, build_meta
from setuptools.build_meta import build_sdist, get_requires_for_build_sdist, prepare_metadata_for_build_wheel

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "extensions",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

SOLVER = Path("server/solver")
KERNELS = ("kernel", "wide")
COMPILERS = ("gcc", "cc", "clang")

Settings = dict[str, Any] | None

prepare_metadata_for_build_editable = build_meta.prepare_metadata_for_build_editable


def extensions() -> list[Extension]:
    """The kernels as extension modules; none where Cython is not there."""
    if importlib.util.find_spec("Cython") is None:
        return []
    use_zig_without_compiler()
    from Cython.Build import cythonize  # noqa: PLC0415 - absent while a front end only asks for requirements

    # No -ffast-math or -march=native here: a wheel must run on another machine of the same kind.
    wanted = [
        Extension(f"server.solver.{path.stem}", [path.as_posix()], extra_compile_args=optimise()) for path in kernels()
    ]
    built: list[Extension] = cythonize(wanted, build_dir="build", language_level=3, quiet=True)
    for extension in built:
        extension.optional = True  # cythonize() drops the flag
    return built


def kernels(root: Path = Path()) -> list[Path]:
    """The sources to compile."""
    return [path for name in KERNELS if (path := root / SOLVER / f"{name}.py").exists()]


def stale(root: Path = Path()) -> list[Path]:
    """Compiled kernels that are older than what they are made of; imported, they would win over it all the same."""
    shared = list((root / SOLVER).glob("*.pxd"))
    return [
        compiled
        for source in kernels(root)
        for compiled in source.parent.glob(f"{source.stem}.*.so")
        if any(compiled.stat().st_mtime < part.stat().st_mtime for part in (source, *shared))
    ]


def optimise() -> list[str]:
    """The flag for full optimisation in the dialect of the platform's compiler."""
    return ["/O2"] if sys.platform == "win32" else ["-O3"]


def has_compiler() -> bool:
    """Whether a C compiler is set or on the path (Windows: setuptools looks for its own)."""
    configured = os.environ.get("CC") or ""
    return bool(configured) or sys.platform == "win32" or any(map(shutil.which, COMPILERS))


def use_zig_without_compiler() -> None:
    """Point the build at zig's C compiler when there is no other and the wheel is installed."""
    if has_compiler() or importlib.util.find_spec("ziglang") is None:
        return
    zig = f"{shlex.quote(sys.executable)} -m ziglang cc"
    os.environ["CC"] = zig
    os.environ["LDSHARED"] = f"{zig} {'-bundle -undefined dynamic_lookup' if sys.platform == 'darwin' else '-shared'}"


def with_zig(requirements: list[str]) -> list[str]:
    """The requirements, and zig where nothing else could compile."""
    header = Path(sysconfig.get_path("include")) / "Python.h"
    if has_compiler() or not header.exists():
        return requirements
    return [*requirements, "ziglang"]


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """PEP 517."""
    return with_zig(build_meta.get_requires_for_build_wheel(config_settings))


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    """PEP 660."""
    return with_zig(build_meta.get_requires_for_build_editable(config_settings))


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    """PEP 517."""
    use_zig_without_compiler()
    return str(build_meta.build_wheel(wheel_directory, config_settings, metadata_directory))


def build_editable(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """PEP 660: also writes the compiled kernel beside its source."""
    use_zig_without_compiler()
    for compiled in stale():
        compiled.unlink()  # should the build of a new one fail
    return str(build_meta.build_editable(wheel_directory, config_settings, metadata_directory))
