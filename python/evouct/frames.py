"""Leagues and records as tables of Arrow, pandas and polars."""

from __future__ import annotations

import gzip
import io
import json
import re
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow


def read_run(folder: str | PathLike[str]) -> Run:
    """The records and tables of a run folder. Tables are read when they are first used, which needs pyarrow.

    A folder that is missing or has no journal is a ``FileNotFoundError``; a file that cannot be read as what its name says is a
    ``ValueError`` that names it."""
    return Run(Path(folder))


class Run:
    """A run folder. Its tables are ``games`` (a row per game and seat), ``turns`` (a row per turn and seat), ``formulas`` (a row per
    evolved decision), and every CSV file of its report by the name of the file: ``ranking``, ``matches``, ``players`` …"""

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
        return ["games", "turns", "formulas", *sorted(path.stem for path in self.folder.glob("*.csv"))]

    def header(self) -> dict[str, Any]:
        """What was run: the header of the journal."""
        for line in self._lines():
            if "header" in line:
                header: dict[str, Any] = line["header"]
                return header
        raise ValueError(f"{self.folder} has no journal with a header")

    def records(self) -> list[dict[str, Any]]:
        """The games as recorded, each once, in the order of their ids."""
        if self._games is None:
            games: dict[str, dict[str, Any]] = {}
            for line in self._lines():
                if "game" in line:
                    game = line["game"]
                    if not isinstance(game, dict) or not _REQUIRED <= game.keys() or not _NUMBER.match(str(game["id"])):
                        raise ValueError(f"{self.folder}: a line of a journal is no game of evouct: {str(game):.60}")
                    games[game["id"]] = game
            self._games = [games[name] for name in sorted(games, key=lambda name: (int(name.split("-")[0]), name))]
        return self._games

    def arrow(self, name: str) -> pyarrow.Table:
        """A table of Arrow."""
        import pyarrow
        import pyarrow.csv

        if name not in self._tables:
            rows = {"games": _games, "turns": _turns, "formulas": _formulas}.get(name)
            if rows is not None:
                self._tables[name] = pyarrow.Table.from_pylist(list(rows(self.records())))
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

    def _lines(self) -> Iterator[dict[str, Any]]:
        journals = [path for path in sorted(self.folder.glob("games*.jsonl*")) if path.is_file()]
        for path in journals:
            for line in _lines_of(path):
                try:
                    parsed = json.loads(line)
                except (ValueError, RecursionError):
                    # The last line of a run that was cut off; `evouct report` names such lines.
                    continue
                if isinstance(parsed, dict):
                    yield parsed


#: What a recorded game always has, and how its id begins.
_REQUIRED = {"id", "deck", "seats", "moves", "ended"}
_NUMBER = re.compile(r"\d+(-|$)")


def _lines_of(path: Path) -> Iterator[str]:
    """The lines of a journal, packed or not."""
    try:
        with _opened(path) as text:
            yield from text
    except (OSError, EOFError, ValueError) as problem:
        raise ValueError(f"{path} cannot be read: {problem}") from None


def _opened(path: Path) -> io.TextIOBase:
    if path.suffix == ".gz":
        return io.TextIOWrapper(gzip.open(path, "rb"), "utf-8")
    if path.suffix == ".zst":
        import pyarrow

        return io.TextIOWrapper(pyarrow.CompressedInputStream(str(path), "zstd"), "utf-8")
    return path.open(encoding="utf-8")


def _seats(game: dict[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    names = game.get("run", {}).get("players", [])
    for seat, identity in enumerate(game["seats"]):
        name = names[seat] if seat < len(names) else identity
        yield seat, {"game": game["id"], "deck": game["deck"], "seat": seat, "identity": identity, "player": name}


def _games(games: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for game in games:
        scores = game.get("scores", [])
        for seat, row in _seats(game):
            others = [score for other, score in enumerate(scores) if other != seat]
            score = scores[seat] if seat < len(scores) else None
            row.update(ended=game["ended"], reproducible=game.get("reproducible", True), score=score)
            row["margin"] = score - max(others) if score is not None and others else None
            playouts = game.get("playouts", [])
            row["playouts"] = playouts[seat] if seat < len(playouts) else None
            seconds = game.get("run", {}).get("seconds", [])
            row["seconds"] = seconds[seat] if seat < len(seconds) else None
            row["moves"] = game["moves"]
            yield row


def _turns(games: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for game in games:
        for turn, scores in enumerate(game.get("virtual", [])):
            for seat, row in _seats(game):
                yield {**row, "turn": turn, "virtual": scores[seat]}


def _formulas(games: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for game in games:
        movers = game.get("movers")
        seats = dict(_seats(game))
        for evolved in game.get("evolution", []):
            turn = evolved["turn"]
            seat = movers[turn] if movers else turn % len(seats)
            kept = {key: evolved.get(key) for key in ("turn", "formula", "nodes", "depth", "replaced", "playouts")}
            fitness = evolved.get("fitness") or [None]
            yield {**seats[seat], **kept, "seed_fitness": fitness[0], "fitness": fitness[-1]}
