"""Does evolution of formulas help in other games? Six games of OpenSpiel, played by the Python of an environment that
has evouct and open_spiel, from any folder:

    python experiments/openspiel/play.py runs/openspiel [generic | numbers]     # plays, or plays on
    python experiments/openspiel/play.py runs/openspiel table                   # what was found

Protocol, written down before a game was played. 100 iterations a move for every player, and the reward is the
difference of the two returns, -2 to 2.

1. Tuning. UCT, Q + K*sqrt(ln(N)/n), over K = 0.2..8 and the final move (most visits, best mean): 1,500 games of
   `evouct tune` against its default, K = 2 with the most visits. The rival is the best candidate, or the default if that
   one scores better on the held-out decks, significantly or not.
2. `generic`: an evolution with statistics of the search only, by games against the rival. Terminals, functions and kinds
   of seeds are those of experiments/evolve-2026/select-400-generic-games.toml, but without `phase`, which these games do
   not have. The reference is the rival.
3. Its proof: the champion, or the best finalist if there is no champion, against the rival on 500 unseen decks, 1,000
   games.
4. `numbers`: an evolution with two numbers of the move that every game can have (`win` and `lose` of numbered.py), by
   games against the bias that a person made of them. The reference is that bias. Its weight of 4, twice what a game is
   worth, is not tuned, so a gain over it may be one of constants.
5. Its proof: the same rule, against the rival and against the bias by hand on 250 unseen decks each, 1,000 games.

Tests are paired t-tests over decks, as the reports have them. There are three comparisons in each of six games; p is
corrected by Holm's method over the 18, or over as many as have been played to the end. The aim is a better player at
equal iterations; nothing is said of equal time. A game is "helped" if p is below 0.05 and the difference is above 0.
All games are played on `generic` first; all results are reported, whatever comes out.
"""

from __future__ import annotations

import csv
import itertools
import json
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
#: From the fastest to the slowest.
GAMES = {
    "havannah": "havannah(board_size=3)",
    "y": "y(board_size=5)",
    "breakthrough": "breakthrough(rows=5,columns=5)",
    "pig": "pig(winscore=20)",
    "hex": "hex(board_size=5)",
    "connect-four": "connect_four",
}
ITERATIONS = 100
TUNING_GAMES = 1500
DEFAULT_K = 2.0
SEEDS = {"tune": 17, "evolve": 1, "generic-proof": 400202701, "numbers-proof": 400202702}
PARTS = {"select": "formula", "untried": "untried", "final": "final_formula"}
TERMINALS = ["Q", "n", "N", "sd", "best", "left", "depth", "moves", "Qbar", "Qmax"]


def player(name: str, table: str = "player", **rows: object) -> str:
    """A table of a file."""
    lines = [f"[[{table}]]", f'name = "{name}"'] if name else [f"[[{table}]]"]
    lines += [f"{key} = {json.dumps(value)}" for key, value in rows.items()]
    return "\n".join([*lines, f"iterations = {ITERATIONS}", ""])


def uct(name: str, k: float, final: str, table: str = "player") -> str:
    return player(name, table, kind="mcts", ucb="plain", k=k, final=final)


def by_hand(k: float) -> dict[str, str]:
    """The bias that a person made of the two numbers."""
    return {
        "formula": f"Q + {k}*sqrt(ln(N)/n) + 4*(win - lose)/(1 + n)",
        "untried": f"Qbar + {k}*sqrt(ln(N)) + 4*(win - lose)",
        "final_formula": "n",
    }


def evouct(*arguments: object) -> None:
    """A command of evouct in this folder, where numbered.py is."""
    subprocess.run([sys.executable, "-m", "evouct", *map(str, arguments)], cwd=HERE, check=True)


def tuned(run: Path, game: str) -> tuple[float, str]:
    """K and the final move of the rival."""
    file, folder = run / "tune.toml", run / "tune"
    head = f'name = "{run.name}-tune"\ngame = "openspiel:{game}"\nseed = {SEEDS["tune"]}\n\n'
    file.write_text(head + uct("UCT", DEFAULT_K, "visits"))
    over = ["--over", "k=0.2..8", "--over", "final=visits,mean"]
    evouct("tune", file, *over, "--games", TUNING_GAMES, "--threads", 1, "--out", folder)
    report = json.loads((folder / "report.json").read_text())
    found = next(each for each in report["candidates"] if each["name"] == report["challenger"])["parameters"]
    if report["held_out"][0]["mean"] < 0:
        return DEFAULT_K, "visits"
    return float(found["k"]), str(found["final"])


def game_of(kind: str, game: str) -> str:
    return f"openspiel:{game}" if kind == "generic" else f'python:numbered:Numbered(game="{game}")'


def evolution(kind: str, run: Path, game: str, k: float, final: str) -> dict[str, str]:
    """The rows of the player that is taken to the proof."""
    file, folder = run / f"{kind}.toml", run / kind
    last = "; final = n" if final == "visits" else ""
    if kind == "generic":
        terminals, sizes, opponent = TERMINALS, (12, 5, 4, [32, 64, 128]), uct("UCT tuned", k, final, "opponent")
        seeds = [
            f"select = Q + {k}*sqrt(ln(N)/n){last}",
            f"select = Q + {k / 2:.3g}*sqrt(ln(N)/n)" + ("" if last else "; final = n"),
            f"select = Q + {2 * k:.3g}/n; final = n",
            f"select = Q + {k}*sqrt(ln(N)/n); untried = Qbar + {k}*sqrt(ln(N)); final = n",
        ]
    else:
        hand = by_hand(k)
        terminals, sizes = [*TERMINALS, "win", "lose"], (8, 4, 3, [32, 64, 128])
        opponent = player("Bias by hand", "opponent", kind="formula", **hand)
        seeds = [
            f"select = {hand['formula']}; untried = {hand['untried']}; final = n",
            f"select = {hand['formula']}; final = n",
            f"select = Q + {k}*sqrt(ln(N)/n){last}",
        ]
    population, generations, finalists, decks = sizes
    file.write_text(
        f"name = \"{run.name}-{kind}\"\ngame = '{game_of(kind, game)}'\nseed = {SEEDS['evolve']}\n\n[evolve]\n"
        f'trees = ["select", "untried", "final"]\nterminals = {json.dumps(terminals)}\n'
        'functions = ["add", "sub", "mul", "div", "sqrt", "ln", "max", "min"]\n'
        f"seeds = {json.dumps(seeds, indent=4)}\nislands = 1\npopulation = {population}\nelite = 3\n"
        f"generations = {generations}\nmax_nodes = 31\nfinalists = {finalists}\nconstant_offspring = 0\nhall_of_fame = 0\n"
        f"held_out_decks = 500\n\n{player('', kind='formula')}\n{opponent}\n"
        f'[[stage]]\nmeasure = "games"\ndecks = [8, 16]\n\n[[stage]]\nmeasure = "games"\ndecks = {decks}\n'
    )
    evouct("evolve", file, "--threads", 1, "--out", folder)
    asked = [sys.executable, "-m", "evouct", "formulas", folder, "--top", "1", "--format", "player"]
    best = subprocess.run(asked, cwd=HERE, check=True, capture_output=True, text=True).stdout
    rows = tomllib.loads(best)["player"][0]
    return {key: value for key, value in rows.items() if key not in ("name", "iterations")}


def play(kind: str, root: Path) -> None:
    for name, game in GAMES.items():
        run = root / name
        run.mkdir(parents=True, exist_ok=True)
        k, final = tuned(run, game)
        best = evolution(kind, run, game, k, final)
        file, folder = run / f"{kind}-proof.toml", run / f"{kind}-proof"
        decks = 500 if kind == "generic" else 250
        rivals = uct("UCT tuned", k, final)
        if kind == "numbers":
            rivals += "\n" + player("Bias by hand", kind="formula", **by_hand(k))
        file.write_text(
            f"name = \"{run.name}-{kind}-proof\"\ngame = '{game_of(kind, game)}'\nseed = {SEEDS[f'{kind}-proof']}\n"
            f'games_per_match = {decks}\nschedule = "gauntlet"\n\n{player("Evolved", **best)}\n{rivals}'
        )
        evouct("run", file, "--threads", 1, "--out", folder)


def holm(found: list[dict[str, object]]) -> None:
    """Adds p after Holm's correction over all rows."""
    least = 0.0
    for place, row in enumerate(sorted(found, key=lambda row: float(str(row["p"])))):
        least = max(least, min(1.0, float(str(row["p"])) * (len(found) - place)))
        row["holm"] = least


def comparisons(root: Path) -> list[dict[str, object]]:
    """One row per comparison that has been played to the end."""
    found: list[dict[str, object]] = []
    for kind, name in itertools.product(("generic", "numbers"), GAMES):
        folder = root / name / f"{kind}-proof"
        if not (folder / "significance.csv").is_file():
            continue
        players = tomllib.loads((root / name / f"{kind}-proof.toml").read_text())["player"]
        rows = {row["name"]: row for row in players}
        parts = [f"{part} = {rows['Evolved'][key]}" for part, key in PARTS.items() if key in rows["Evolved"]]
        for row in csv.DictReader((folder / "significance.csv").open()):
            if "Evolved" not in (row["a"], row["b"]):
                continue
            sign = 1 if row["a"] == "Evolved" else -1
            low, high = sorted(sign * float(row[f"paired_{end}"]) for end in ("low", "high"))
            rival = rows[row["b"] if sign == 1 else row["a"]]
            found.append({
                "game": name, "kind": kind, "rival": rival["name"],
                "k": rows["UCT tuned"]["k"], "final": rows["UCT tuned"]["final"],
                "formula": "; ".join(parts), "decks": int(row["units"]), "difference": sign * float(row["paired_difference"]),
                "low": low, "high": high, "p": float(row["paired_p"]),
            })
    holm(found)
    return found


def table(root: Path) -> None:
    """Prints the comparisons. A game that is won is worth 1, one that is lost -1: a difference of 4 is all games."""
    print("| game | evolved | rival | share won | p (Holm) | formula |\n|---|---|---|---|---|---|")
    for row in comparisons(root):
        share, width = (50 + 25 * float(str(row["difference"])), 12.5 * (float(str(row["high"])) - float(str(row["low"]))))
        rival = f"UCT, K = {row['k']}, {row['final']}" if row["rival"] == "UCT tuned" else "bias by hand"
        p = float(str(row["holm"]))
        print(f"| {row['game']} | {row['kind']} | {rival} | {share:.1f} ± {width:.1f} % | {p:.2g} | `{row['formula']}` |")


if __name__ == "__main__":
    root, todo = Path(sys.argv[1]).resolve(), sys.argv[2:] or ["generic", "numbers"]
    if todo == ["table"]:
        table(root)
    else:
        for kind in todo:
            play(kind, root)
