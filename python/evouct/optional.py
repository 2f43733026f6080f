"""Packages that evouct works without."""

from __future__ import annotations

from importlib import import_module
from typing import Any

#: The packages to install, by module, where their names differ.
_PACKAGES = {"dm_env": "dm-env", "pyspiel": "open_spiel"}


def needed(module: str, what: str) -> Any:
    """A module that something needs, in words such as ``tables need``."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise missing(error, what) from None


def missing(error: ModuleNotFoundError, what: str) -> ModuleNotFoundError:
    """The error of a module that is not installed, with the command that installs it."""
    name = str(error.name).partition(".")[0]
    return ModuleNotFoundError(f"{what} {name}: pip install {_PACKAGES.get(name, name)}", name=error.name)
