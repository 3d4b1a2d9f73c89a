#!/bin/sh
# Builds the solver's kernels with bounds and address checks into a folder of their own, and runs the solver's tests with
# them. Needs gcc with its sanitizers. Ends with 1 if a test fails, or if a check finds fault with a kernel.
set -eu
python=${PYTHON:-.venv/bin/python}
case $python in */*) python=$(cd "$(dirname "$python")" && pwd)/$(basename "$python") ;; esac
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cp -R _build.py pyproject.toml README.md server shared tests client "$place"
cd "$place"
rm -f server/solver/*.so
"$python" - -q build_ext --inplace <<'BUILD'
from setuptools import setup

import _build

CHECKS = "-fsanitize=address,bounds,bounds-strict,shift,integer-divide-by-zero,null,alignment"
_build.optimise = lambda: ["-O1", "-g", "-fno-omit-frame-pointer", CHECKS]
made = _build.extensions()
for extension in made:
    extension.extra_link_args = ["-fsanitize=address,undefined"]
setup(name="checked", packages=[], ext_modules=made)
BUILD
ls server/solver/kernel.*.so server/solver/wide.*.so >/dev/null # a build that failed would be tested uncompiled
LD_PRELOAD="$(gcc -print-file-name=libasan.so):$(gcc -print-file-name=libubsan.so)" \
  ASAN_OPTIONS=detect_leaks=0 "$python" -m pytest tests/solver -q -s -p no:cacheprovider >told 2>&1 || { cat told; exit 1; }
tail -1 told
# An array of one at the end of a struct is how Python itself lays out tuples and frames; it is none of the kernel's.
if grep 'runtime error\|AddressSanitizer' told | grep -v "out of bounds for type 'PyObject \*\[1\]'"; then
  exit 1
fi
echo "no fault found"
