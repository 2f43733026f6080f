"""Leagues and records as tables of Arrow, pandas and polars."""

from __future__ import annotations

import json
import warnings
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _native

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow

#: The tables of the records: those of ``evouct export``.
RECORDED = ("games", "seats", "turns", "formulas")


def read_run(folder: str | PathLike[str]) -> Run:
    """The records and tables of a run folder. Tables are read when they are first used, which needs pyarrow.

    A folder that is missing or has no journal is a ``FileNotFoundError``; one that cannot be read, or without a game, is a
    ``ValueError`` that names it. A line of a journal that does not count, such as one with another checksum, is a warning."""
    return Run(Path(folder))


class Run:
    """A run folder. Its tables are those of ``evouct export``: ``games``, ``seats`` (a row per game and seat), ``turns``, ``formulas``
    (a row per evolved decision); and every CSV file of its report by the name of the file: ``ranking``, ``matches``, ``players`` …
    A file with the name of one of the four is left out."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise FileNotFoundError(f"{folder} is a file, expected a run folder" if folder.exists() else f"there is no folder {folder}")
        if not any(folder.glob("games*.jsonl*")):
            raise FileNotFoundError(f"{folder} is no run folder: it has no journal games.jsonl")
        self.folder = folder
        self._tables: dict[str, pyarrow.Table] = {}
        self._games: list[dict[str, Any]] | None = None

    @property
    def tables(self) -> list[str]:
        """The names of all tables."""
        return [*RECORDED, *sorted(path.stem for path in self.folder.glob("*.csv") if path.stem not in RECORDED)]

    def header(self) -> dict[str, Any]:
        """What was run: the header of the journal, for an extended run that of the last extension."""
        header: dict[str, Any] = json.loads(_native.run_header(self.folder))
        return header

    def records(self) -> list[dict[str, Any]]:
        """The games as recorded, each once, by deck and id."""
        if self._games is None:
            games, problems = _native.run_records(self.folder)
            _warn(problems)
            self._games = [json.loads(game) for game in games]
        return self._games

    def arrow(self, name: str) -> pyarrow.Table:
        """A table of Arrow."""
        import pyarrow
        import pyarrow.csv

        if name not in self._tables:
            if name in RECORDED:
                tables, problems = _native.run_tables(self.folder)
                _warn(problems)
                for table, columns in tables:
                    arrays = {column: pyarrow.array(values, pyarrow.type_for_alias(kind)) for column, kind, values in columns}
                    self._tables[table] = pyarrow.table(arrays)
            elif name in self.tables:
                path = self.folder / f"{name}.csv"
                try:
                    self._tables[name] = pyarrow.csv.read_csv(path)
                except (OSError, ValueError) as problem:
                    raise ValueError(f"{path} cannot be read: {problem}") from None
            else:
                raise KeyError(f"there is no table {name!r}; known: {', '.join(self.tables)}")
        return self._tables[name]

    def pandas(self, name: str) -> pd.DataFrame:
        """A frame of pandas."""
        frame: pd.DataFrame = self.arrow(name).to_pandas()
        return frame

    def polars(self, name: str) -> pl.DataFrame:
        """A frame of polars."""
        import polars

        frame = polars.from_arrow(self.arrow(name))
        assert isinstance(frame, polars.DataFrame)
        return frame

    @property
    def games(self) -> pd.DataFrame:
        """The table of games as a frame of pandas."""
        return self.pandas("games")

    @property
    def seats(self) -> pd.DataFrame:
        """The table of seats as a frame of pandas."""
        return self.pandas("seats")


def _warn(problems: list[str]) -> None:
    for problem in problems:
        warnings.warn(problem, stacklevel=4)
