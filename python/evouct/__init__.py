"""Experiments in which evolution improves game-playing search, formulas, and Carcassonne for agents that learn.

``run``, ``evolve``, ``score``, ``tune`` and ``bank`` are commands of the program, which the package has too
(``evouct --help``), and ``Evolution`` is ``evolve`` with measurements that you make. A turn of Carcassonne is two decisions: where the tile in hand goes, then what happens with a figure. See
docs/reference/environment.md.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from .processor import is_new as _is_new

if TYPE_CHECKING:
    from . import external
    from ._native import FEATURES, GLOBALS, PAIRS, PLANES, Player, Rules, State, __version__
    from .action_vector import ActionVector
    from .answers import Answer, compare, power, status
    from .ask_tell import Evolution, Measurement, Played
    from .formula import Formula
    from .frames import Bank, EvolutionResult, EvolutionSet, League, Run, Scores, TuningResult, read_run
    from .games import CHANCE, GameError, check_game, register
    from .leaves import Batch
    from .picture import rgb
    from .plots import Picture
    from .runs import Step, bank, evolve, run, score, tune
    from .search import Search, SearchResult
    from .vector import VectorEnv

if not _is_new():
    # Modules are found there first, if the folder is there.
    __path__.insert(0, f"{__path__[0]}/x86_64")

#: The public names by the module that has them. Each is imported when it is first used, so that the program starts
#: without NumPy.
_NAMES = {
    "._native": ["FEATURES", "GLOBALS", "PAIRS", "PLANES", "Player", "Rules", "State", "__version__"],
    ".action_vector": ["ActionVector"],
    ".answers": ["Answer", "compare", "power", "status"],
    ".ask_tell": ["Evolution", "Measurement", "Played"],
    ".formula": ["Formula"],
    ".frames": ["Bank", "EvolutionResult", "EvolutionSet", "League", "Run", "Scores", "TuningResult", "read_run"],
    ".games": ["CHANCE", "GameError", "check_game", "register"],
    ".leaves": ["Batch"],
    ".picture": ["rgb"],
    ".plots": ["Picture"],
    ".runs": ["Step", "bank", "evolve", "run", "score", "tune"],
    ".search": ["Search", "SearchResult"],
    ".vector": ["VectorEnv"],
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names}
#: Modules of which some need another package, each imported when it is first used.
_SUBMODULES = ("carcassonne_v0", "dm", "external", "gym", "openspiel", "phases")

__all__ = [
    "ActionVector",
    "Answer",
    "Bank",
    "Batch",
    "CHANCE",
    "Evolution",
    "EvolutionResult",
    "EvolutionSet",
    "FEATURES",
    "Formula",
    "GLOBALS",
    "GameError",
    "League",
    "Measurement",
    "PAIRS",
    "Picture",
    "PLANES",
    "Played",
    "Player",
    "Rules",
    "Run",
    "Scores",
    "Search",
    "SearchResult",
    "State",
    "Step",
    "TuningResult",
    "VectorEnv",
    "__version__",
    "bank",
    "check_game",
    "compare",
    "evolve",
    "external",
    "power",
    "read_run",
    "register",
    "rgb",
    "run",
    "score",
    "status",
    "tune",
]

if not TYPE_CHECKING:
    # A checker of types knows the names above and no others.
    def __getattr__(name: str) -> object:
        if name in _SUBMODULES:
            try:
                return import_module(f".{name}", __name__)
            except ModuleNotFoundError as error:
                from .optional import missing

                raise missing(error, f"{__name__}.{name} needs") from None
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(_MODULES[name], __name__), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__, *_SUBMODULES})
