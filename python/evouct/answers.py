"""Comparison, power and status: what the commands of these names say, as data."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from . import _native
from .notebook import html
from .runs import Source, _plain


class Answer(dict[str, Any]):
    """What a command says with ``--format json``. A notebook shows its rows as a table."""

    def __init__(self, title: str, said: dict[str, Any], rows: list[dict[str, Any]]) -> None:
        super().__init__(said)
        self._title = title
        names = dict.fromkeys(name for row in rows for name in row)
        #: The rows of its table: tests by player or folder, pairs, journals, or evolutions of seeds. All have the same keys.
        self.rows: list[dict[str, Any]] = [{**names, **row} for row in rows]

    def _repr_html_(self) -> str:
        cells = [{name: _cell(value) for name, value in row.items()} for row in self.rows]
        return html(self._title, "", cells, [])


def compare(run: str | PathLike[str], *others: str | PathLike[str], level: float | None = None) -> Answer:
    """Compares leagues, or evolutions of several seeds, with the first of them: ``evouct compare``. Players of the same name are compared in the matches that the runs
    have in common: with the same decks by paired tests, with different decks by Welch's. A row is a player in a run, which has the name
    of its experiment, or its folder where two have one name; ``change`` is the difference in that run less the difference in the first,
    with its interval, and ``p`` is corrected by Holm.

    Evolutions of several seeds are compared by tests over their seeds; a row is a folder. ``shift`` is what its seeds gain more, by the
    rank-sum test with its ``p``; ``a12`` the probability that a seed of it gains more. A seed succeeds whose gain is above ``level``, 0
    unless given, and ``success_p`` is that of Fisher's test. Nothing is corrected for several folders."""
    if not others:
        raise TypeError("compare: expected two runs or more, found one")
    said = _said("compare", run, *others, *([] if level is None else [f"--level={level}"]))
    if isinstance(said, list):
        rows = [
            {"folder": each["names"][1], "shift": _mean(each["test"], "shift"), **{name: each["test"][name] for name in ("p", "a12")}, "success_p": each["success_p"]}
            for each in said
        ]
        return Answer(f"Compared with {fspath(run)}", {"sets": said}, rows)
    rows = [
        {
            "player": each["player"],
            "run": said_of["names"][place],
            "difference": _mean(row["difference"], "mean"),
            "change": _mean(each["change"] if place else None, "difference"),
            "p": p if place else None,
        }
        for said_of, by_player in zip(said["runs"], said["p_holm"])
        for each, p in zip(said_of["players"], by_player)
        for place, row in enumerate(each["rows"])
    ]
    return Answer(f"Compared with {fspath(run)}", said, rows)


def power(
    run: Source,
    difference: float | None = None,
    interval: float | None = None,
    power: float = 0.8,
    pilot: float | None = None,
    threads: int | None = None,
) -> Answer:
    """Says how many decks the tests of a league need: ``evouct power``. A run folder says how results vary; of an experiment a pilot of
    ``pilot`` seconds is played, 60 unless another number is given. ``difference`` is the true difference in points per game that a
    test is to find with probability ``power``; ``interval`` is how far the 95 % interval may reach from its mean. A row is a pair of
    players."""
    options = {"difference": difference, "interval": interval, "power": power, "pilot": pilot, "threads": threads}
    given = [f"--{name}={value}" for name, value in options.items() if value is not None]
    if (text := _native.source_text(_plain(run))) is not None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "experiment.toml")
            file.write_text(text, encoding="utf-8")
            said = _said("power", file, *given)
    else:
        assert not isinstance(run, dict)
        said = _said("power", run, *given)
    return Answer("Decks by pair", said, said["pairs"])


def status(run: str | PathLike[str] | None = None) -> Answer | list[Answer]:
    """The progress of a run, from its files: ``evouct status``. Without a folder that of all in the folder ``runs``."""
    found = _said("status", *([] if run is None else [run]))
    each = [Answer(said.get("name", ""), said, said.get("journals") or said.get("evolutions", [])) for said in (found if isinstance(found, list) else [found])]
    return each if run is None else each[0]


def _said(command: str, *arguments: str | PathLike[str]) -> Any:
    """What the program says. What it refuses is a ``ValueError`` in its words, with parameters in place of options."""
    line = [sys.executable, "-m", "evouct", command, *(fspath(each) for each in arguments), "--format", "json"]
    done = subprocess.run(line, capture_output=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        refused = [_in_python(text.removeprefix("evouct: ")) for text in done.stderr.splitlines() if text]
        raise (ValueError if done.returncode == 2 else RuntimeError)("\n".join(refused) or f"evouct {command} ended with {done.returncode}")
    return json.loads(done.stdout)


def _in_python(text: str) -> str:
    """An error with parameters of Python in place of options: ``interval`` for ``--interval <POINTS>``."""
    return re.sub(r"--([a-z][a-z-]*)(?: <[^>]*>)?", lambda option: option[1].replace("-", "_"), text.removesuffix(" (see --help)"))


def _mean(estimate: dict[str, Any] | None, name: str) -> str | None:
    """A mean, which has this name, with its interval, as text."""
    if estimate is None:
        return None
    interval = estimate.get("interval")
    return f"{estimate[name]:+.2f}" + (f" ({interval['low']:+.2f} to {interval['high']:+.2f})" if interval else "")


def _cell(value: object) -> str:
    return "" if value is None else f"{value:.3g}" if isinstance(value, float) else str(value)
