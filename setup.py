"""Adds to pyproject.toml the one thing that cannot be declared there: the compiled modules, one per game."""

import sys

from setuptools import setup

sys.path[:0] = ["scripts/build", "."]
from generate import extensions

setup(ext_modules=extensions())
