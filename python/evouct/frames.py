"""Run folders of leagues, evolutions, tunings and banks, with their tables for Arrow, pandas and polars."""

from __future__ import annotations

import csv
import json
import warnings
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _native
from .formula import Formula
from .notebook import html
from .optional import needed
from .plots import Picture, on_axes

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow

#: The tables of the records: those of ``evouct export``.
RECORDED = ("games", "seats", "turns", "formulas")


def read_run(folder: str | PathLike[str]) -> League:
    """The records and tables of a league. Tables are read when they are first used, which needs pyarrow.

    A folder that is missing or has no journal of a league is a ``FileNotFoundError``, which names the class that reads what else it
    holds; one that cannot be read, or without a game, is a
    ``ValueError`` that names it. A line of a journal that does not count, such as one with another checksum, is a warning, and so
    are games that are missing."""
    return League(folder)


class Run:
    """A run folder, as the program writes it. Every CSV file of its report is a table by the name of the file.

    What is read belongs to the results that the folder had when the object was made. Once results are added, by another call or
    process, what was not read before is a ``RuntimeError``; a new object reads the folder again."""

    #: The pattern of the files by which the kind of folder is known, and the first of them.
    journals, journal = "*", ""
    #: The table that ranks: players, finalists or candidates.
    ranked = ""

    def __init__(self, folder: str | PathLike[str]) -> None:
        folder = Path(folder)
        if not folder.is_dir():
            raise FileNotFoundError(f"{folder} is a file, expected a run folder" if folder.exists() else f"there is no folder {folder}")
        if not any(folder.glob(self.journals)):
            held = (kind for kind in (League, EvolutionResult, EvolutionSet, Scores, TuningResult, Bank) if any(folder.glob(kind.journals)))
            hint = "".join(f"; evouct.{kind.__name__} reads what it holds" for kind in held)
            raise FileNotFoundError(f"{folder} is no run folder: it has no journal {self.journal}{hint}")
        self.folder = folder
        self._tables: dict[str, pyarrow.Table] = {}
        self._stamp = self._stamp_now()

    def _stamp_now(self) -> dict[str, object]:
        """What changes when results are added: the lengths of journals, and plans."""
        journals = {str(path): path.stat().st_size for path in self.folder.rglob("*.jsonl*") if path.suffix != ".lock"}
        plans = (self.folder / name for name in ("scores.json", "seeds.json", "tune.json"))
        return {**journals, **{str(path): path.read_bytes() for path in plans if path.exists()}}

    def _check(self) -> None:
        """Refuses to read what was written after this object was made: it would mix two results."""
        if self._stamp_now() != self._stamp:
            raise RuntimeError(f"{self.folder} has changed since this {type(self).__name__} was made; evouct.{type(self).__name__}({str(self.folder)!r}) reads it again")

    @property
    def tables(self) -> list[str]:
        """The names of all tables."""
        return sorted(path.stem for path in self.folder.glob("*.csv"))

    @property
    def report(self) -> dict[str, Any]:
        """The numbers of the report, ``report.json``: docs/reference/outputs.md has its keys. A run without a report, such
        as one that was interrupted, is a ``FileNotFoundError``; ``evouct report`` makes it."""
        self._check()
        path = self.folder / "report.json"
        if not path.exists():
            raise FileNotFoundError(f"{self.folder} has no report yet; `evouct report {self.folder}` makes it")
        report: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return report

    @property
    def headline(self) -> str:
        """What the results show and what they do not, in sentences."""
        raise NotImplementedError

    @property
    def digest(self) -> str | None:
        """The hash over everything reproducible in the records: that of ``evouct digest``. None while some are missing."""
        raise NotImplementedError

    @property
    def ranking(self) -> pd.DataFrame:
        """The players, finalists or candidates, the best first, as a frame of pandas."""
        return self.pandas(self.ranked)

    def figures(self) -> dict[str, str]:
        """The charts of the report as SVG, by name."""
        self._check()
        paths = sorted((self.folder / "figures").glob("*.svg"))
        return {path.stem: path.read_text(encoding="utf-8") for path in paths}

    def plot(self, name: str | None = None, axes: Any | None = None) -> Any:
        """A chart of the report: a ``Picture``, which a notebook shows and ``save`` writes, or drawn on axes of Matplotlib, which are
        returned. Without a name it is the ranking with intervals of a league, the gain by generation of an evolution, the path or the
        rounds of a tuning; ``figures`` has all names."""
        figures = self.figures()
        known = [each for first in self._plots for each in figures if each.startswith(first)] or list(figures)
        if name is None and known:
            name = known[0]
        if name is None or name not in figures:
            raise KeyError(f"there is no chart {name!r}; known: {', '.join(figures)}" if figures else f"{self.folder} has no charts yet")
        return Picture(figures[name]) if axes is None else on_axes(axes, self.folder / "figures" / f"{name}.csv")

    def arrow(self, name: str) -> pyarrow.Table:
        """A table of Arrow."""
        if name not in self._tables:
            self._check()
            if name not in self.tables:
                raise KeyError(f"there is no table {name!r}; known: {', '.join(self.tables)}")
            self._tables[name] = _table(_native.report_table(self.folder, name))
        return self._tables[name]

    def pandas(self, name: str) -> pd.DataFrame:
        """A frame of pandas: whole numbers are ``Int64`` and flags ``boolean``, which may be missing."""
        pandas, pyarrow = needed("pandas", "frames of pandas need"), needed("pyarrow", "tables need")
        types = {pyarrow.int64(): pandas.Int64Dtype(), pyarrow.bool_(): pandas.BooleanDtype()}
        frame: pd.DataFrame = self.arrow(name).to_pandas(types_mapper=types.get)
        return frame

    def polars(self, name: str) -> pl.DataFrame:
        """A frame of polars."""
        frame: pl.DataFrame = needed("polars", "frames of polars need").from_arrow(self.arrow(name))
        return frame

    def __fspath__(self) -> str:
        return str(self.folder)

    def __truediv__(self, name: str) -> Path:
        """The path of a file in the folder."""
        return self.folder / name

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.folder)!r})"

    #: The columns of the ranking that a notebook shows.
    _shown: tuple[str, ...] = ()
    #: The charts that a notebook shows, of those that there are.
    _charts: tuple[str, ...] = ()
    #: The charts that ``plot`` shows, the first that there is.
    _plots: tuple[str, ...] = ()

    def _repr_html_(self) -> str:
        self._check()
        rows: list[dict[str, str]] = []
        path = self.folder / f"{self.ranked}.csv"
        if self.ranked and path.exists():
            with path.open(encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
        figures = [figure for name, figure in self.figures().items() if name.startswith(self._charts or ("",))]
        return html(str(self.folder), self.headline, [{name: row.get(name, "") for name in self._shown} for row in rows], figures)


class League(Run):
    """A league. Beside the tables of its report it has those of ``evouct export``: ``games``, ``seats`` (a row per game and seat),
    ``turns``, ``formulas`` (a row per evolved decision). A file with the name of one of the four is left out."""

    journals, journal, ranked = "games*.jsonl*", "games.jsonl", "ranking"
    _games: list[dict[str, Any]] | None = None
    _shown = ("rank", "player", "points", "games_won", "games", "difference", "difference_low", "difference_high")
    _charts = ("matches", "ratings")
    _plots = ("ratings", "differences", "matches")

    @property
    def tables(self) -> list[str]:
        """The names of all tables."""
        return [*RECORDED, *(name for name in super().tables if name not in RECORDED)]

    def header(self) -> dict[str, Any]:
        """What was run: the header of the journal, for an extended run that of the last extension."""
        self._check()
        header: dict[str, Any] = json.loads(_native.run_header(self.folder))
        return header

    def records(self) -> list[dict[str, Any]]:
        """The games as recorded, each once, by deck and id."""
        if self._games is None:
            self._check()
            games, problems = _native.run_records(self.folder)
            _warn(problems)
            self._games = [json.loads(game) for game in games]
        return self._games

    @property
    def headline(self) -> str:
        """What the tests of the league show and what they do not, in sentences."""
        return " ".join(self.report["headline"]["sentences"])

    @property
    def digest(self) -> str | None:
        """The hash over everything reproducible in the records: that of ``evouct digest``. None while some are missing."""
        report = self.report
        is_decided = (report["sequential"] or {}).get("decided_after") is not None
        is_whole = is_decided or report["finished"] + len(report["failures"]) >= report["scheduled"]
        digest: str | None = report["digest"]["digest"] if is_whole else None
        return digest

    def arrow(self, name: str) -> pyarrow.Table:
        """A table of Arrow."""
        if name in RECORDED and name not in self._tables:
            self._check()
            tables, problems = _native.run_tables(self.folder)
            _warn(problems)
            self._tables.update((table, _table(columns)) for table, columns in tables)
        return super().arrow(name)

    @property
    def games(self) -> pd.DataFrame:
        """The table of games as a frame of pandas."""
        return self.pandas("games")

    @property
    def seats(self) -> pd.DataFrame:
        """The table of seats as a frame of pandas."""
        return self.pandas("seats")


class EvolutionResult(Run):
    """An evolution before play."""

    journals, journal, ranked = "evolution*.jsonl*", "evolution.jsonl", "finals"
    _shown: tuple[str, ...] = ("stage", "round", "place", "gain", "standard_error", "went_on", "formula")
    _charts: tuple[str, ...] = ("fitness", "front", "terminals")
    _plots: tuple[str, ...] = ("fitness",)

    @property
    def headline(self) -> str:
        """What came of the evolution, in sentences."""
        return " ".join(self.report["headline"])

    @property
    def digest(self) -> str | None:
        """The hash over all measurements. None while some are missing."""
        digest: str | None = self.report["digest"]
        return digest

    @property
    def measured_by(self) -> str | None:
        """Who measured, if it was not evouct: an ``Evolution`` with ``measured_by``."""
        by: str | None = self.report.get("measured_by")
        return by

    @property
    def champion(self) -> dict[str, Formula] | None:
        """The formulas of the champion by purpose: ``select``, ``untried``, ``final``, ``leaf``. None if no finalist is better
        than the reference."""
        self._check()
        ln, formulas = _native.evolution_champion(self.folder)
        return {name: Formula(text, ln) for name, text in formulas} or None


class EvolutionSet(EvolutionResult):
    """Evolutions of one file with several random seeds. Its tables are ``seeds`` and ``finalists``, those of all seeds to choose from."""

    journals, journal, ranked = "seeds.json", "seeds.json", "finalists"
    _shown = ("seed", "place", "gain", "lower", "nodes", "price", "order", "formula")
    _charts = ("gain", "seeds")
    _plots = ("gain",)

    @property
    def gains(self) -> dict[int, float]:
        """By seed that is complete, the gain of its best finalist over the reference in the last stage."""
        report = self.report
        return {row["seed"]: report["finalists"][row["best"]]["gain"] for row in report["seeds"] if row["best"] is not None}

    @property
    def champion(self) -> dict[str, Formula] | None:
        """The formulas of the champion by purpose: of the best finalists of the seeds that with the highest lower bound. None if no
        bound is above 0."""
        report = self.report
        if report["champion"] is None:
            return None
        champion = report["finalists"][report["champion"]]
        ln, _ = _native.evolution_champion(self[champion["seed"]].folder)
        parts = (part.rpartition(" = ") for part in champion["formula"].split("; "))
        return {name or "select": Formula(text, ln) for name, _, text in parts}

    def __getitem__(self, seed: int) -> EvolutionResult:
        """The evolution of a seed."""
        return EvolutionResult(self.folder / f"seed-{seed}")


class Scores(Run):
    """Formulas that were scored together. What is no table stays when another call in the same folder writes others."""

    journals, journal, ranked = "scores*.jsonl*", "scores.jsonl", "scores"
    _shown = ("line", "stage", "opponent", "units", "gain", "low", "high", "status", "genome")

    def __init__(self, folder: str | PathLike[str]) -> None:
        super().__init__(folder)
        path = self.folder / "scores.json"
        if not path.exists():
            raise FileNotFoundError(f"{self.folder} has no scores yet")
        self._report: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))

    @property
    def report(self) -> dict[str, Any]:
        """All scores, ``scores.json``: by formula the stages that it came to, and its gain against each opponent."""
        return self._report

    @property
    def gains(self) -> list[float]:
        """By formula, in the order of the call, its gain over the reference in points per game, in the last stage that it came to."""
        return [score["gain"] for score in self._report["genomes"]]

    @property
    def intervals(self) -> list[tuple[float | None, float | None]]:
        """By formula the 95 % interval of its gain; None where it has only one block of games."""
        return [(score["low"], score["high"]) for score in self._report["genomes"]]

    @property
    def headline(self) -> str:
        """The best formula and its gain, in a sentence."""
        best = max(self._report["genomes"], key=lambda score: (score["stage"], score["gain"]))
        within = f" ({best['low']:+.2f} to {best['high']:+.2f})" if best["low"] is not None else ""
        many = len(self._report["genomes"])
        return (
            f"The best of {many} formula{'' if many == 1 else 's'} gains {best['gain']:+.2f}{within} points per game over "
            f"{self._report['reference']} on the {self._report['split']} split: {best['genome']}."
        )

    @property
    def digest(self) -> str | None:
        """The hash over all measurements."""
        digest: str | None = self._report["digest"]
        return digest


class TuningResult(Run):
    """A tuning. ``tuned.toml`` in its folder has the player with the values that were found."""

    journals, journal, ranked = "tune.json", "tune.json", "candidates"
    _charts = ("surface", "strength", "plane", "path", "rounds")
    _plots = ("path", "rounds", "strength")

    @property
    def headline(self) -> str:
        """The result on held-out decks, in a sentence."""
        self._check()
        return _native.tuning_sentence(self.folder)

    @property
    def digest(self) -> str | None:
        """None: each stage, a league in a folder of its own, has a digest."""
        return None


class Bank(Run):
    """A bank of positions for evolutions. It has no tables."""

    journals, journal = "bank*.jsonl*", "bank.jsonl"

    @property
    def positions(self) -> dict[str, int]:
        """Number of positions by split: ``training``, ``validation``, ``test``."""
        self._check()
        return dict(_native.bank_contents(self.folder)[1])

    @property
    def headline(self) -> str:
        """The number of positions by split."""
        return ", ".join(f"{count} {split}" for split, count in self.positions.items()) + " positions"

    @property
    def digest(self) -> str | None:
        """The hash over all games of the bank."""
        self._check()
        return _native.bank_contents(self.folder)[0]


def _table(columns: list[tuple[str, str, list[Any]]]) -> pyarrow.Table:
    """A table of Arrow. The type of a column is declared, and does not depend on its values."""
    pyarrow = needed("pyarrow", "tables need")
    arrays = [pyarrow.array(values, pyarrow.type_for_alias(kind)) for _, kind, values in columns]
    return pyarrow.table(arrays, names=[name for name, _, _ in columns])


def _warn(problems: list[str]) -> None:
    for problem in problems:
        warnings.warn(problem, stacklevel=4)
