"""The one part of the build that pyproject.toml cannot say: the compiled kernel."""

from setuptools import setup

import _build

setup(ext_modules=_build.extensions())
