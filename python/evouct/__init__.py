"""Carcassonne as an environment for agents that learn, and players that search.

A turn is two decisions: where the tile in hand goes, then what happens with a figure. See docs/reference/environment.md.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from . import external
    from ._native import FEATURES, GLOBALS, PAIRS, PLANES, Player, Rules, State, __version__, run
    from .formula import Formula
    from .frames import Run, read_run
    from .picture import rgb
    from .vector import VectorEnv

#: The public names by the module that has them. Each is imported when it is first used, so that the program starts
#: without NumPy.
_NAMES = {
    "._native": ["FEATURES", "GLOBALS", "PAIRS", "PLANES", "Player", "Rules", "State", "__version__", "run"],
    ".formula": ["Formula"],
    ".frames": ["Run", "read_run"],
    ".picture": ["rgb"],
    ".vector": ["VectorEnv"],
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [
    "FEATURES",
    "Formula",
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

if not TYPE_CHECKING:
    # A checker of types knows the names above and no others.
    def __getattr__(name: str) -> object:
        if name == "external":
            return import_module(".external", __name__)
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(_MODULES[name], __name__), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
