"""Carcassonne as an environment for agents that learn, and players that search.

A turn is two decisions: where the tile in hand goes, then what happens with a figure. See docs/reference/environment.md.
"""

from __future__ import annotations

from . import external
from ._native import FEATURES, GLOBALS, PAIRS, PLANES, Player, Rules, State, __version__, run
from .frames import Run, read_run
from .picture import rgb
from .vector import VectorEnv

__all__ = [
    "FEATURES",
    "GLOBALS",
    "PAIRS",
    "PLANES",
    "Player",
    "Rules",
    "Run",
    "State",
    "VectorEnv",
    "__version__",
    "external",
    "read_run",
    "rgb",
    "run",
]
