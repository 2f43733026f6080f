"""Results in pairs, as programs for ratings read them, and ratings from them by SciPy."""

import json
import re
import subprocess
import sysconfig
from math import log
from pathlib import Path

import numpy as np
import pytest

import evouct

optimize = pytest.importorskip("scipy.optimize")
PROGRAM = str(Path(sysconfig.get_path("scripts"), "evouct"))
GAME = re.compile(
    r'\[White "((?:[^"\\]|\\.)*)"\]\n\[Black "((?:[^"\\]|\\.)*)"\]\n\[Round "(\d+)"\]\n\[Result "(.*)"\]\n\n\4\n\n'
)
SCORES = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}


@pytest.mark.parametrize("seats", [2, 3])
def test_ratings_of_the_pairs_are_those_of_the_report(seats: int, tmp_path: Path) -> None:
    league = {
        "name": "pairs",
        "seed": 4,
        "decks": 8,
        "rules": {"seats": seats},
        "player": [
            {"name": 'The "quick" \\ one', "kind": "mcts", "iterations": 20},
            {"name": "Greedy", "kind": "one-ply"},
            {"kind": "simple1"},
            {"kind": "simple2"},
        ],
    }
    run = evouct.run(league, tmp_path / "run", progress=False)
    subprocess.run([PROGRAM, "export", tmp_path / "run", "--format", "pgn"], check=True, capture_output=True)
    text = (tmp_path / "run" / "export" / "games.pgn").read_text()
    games = [match.groups() for match in GAME.finditer(text)]
    assert "".join(match.group() for match in GAME.finditer(text)) == text
    assert len(games) == seats * (seats - 1) // 2 * len(run.records())
    unquoted = [[name.replace('\\"', '"').replace("\\\\", "\\") for name in game[:2]] for game in games]
    names = sorted({name for pair in unquoted for name in pair})
    assert 'The "quick" \\ one' in names and len(names) == 4

    white = np.array([names.index(pair[0]) for pair in unquoted])
    black = np.array([names.index(pair[1]) for pair in unquoted])
    score = np.array([SCORES[game[3]] for game in games])

    def cost(theta: np.ndarray) -> float:
        difference = theta[white] - theta[black]
        met = score * np.logaddexp(0.0, -difference) + (1.0 - score) * np.logaddexp(0.0, difference)
        # Half a virtual draw of each player with one of strength 0.
        prior = 0.25 * (np.logaddexp(0.0, theta) + np.logaddexp(0.0, -theta))
        return float(met.sum() + prior.sum())

    found = optimize.minimize(cost, np.zeros(4), method="BFGS", options={"gtol": 1e-9}).x
    expected = dict(zip(names, (found - found.mean()) * 400 / log(10)))
    report = json.loads((tmp_path / "run" / "report.json").read_text())
    ratings = {row["player"]: row["elo"] for row in report["ratings"]["rows"]}
    assert ratings == pytest.approx(expected, abs=0.05)
