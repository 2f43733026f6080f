#!/usr/bin/env python3
"""Climbs from UCT in one game, tunes its rivals with as many games, and proves the champion.

    experiments/any-game/study.py GAME [STEP] [--evouct PROGRAM] [--folder FOLDER] [--threads N]

GAME names a file of this folder. What is in FOLDER (runs/any-game by default) is resumed. STEP is `rivals`, the
tunings, `climb`, or `proof`, at equal iterations and at equal time; without it all three. README.md has the protocol.
"""

import argparse
import csv
import json
import pathlib
import subprocess
import tomllib

HERE = pathlib.Path(__file__).parent
# Games of a climb, tests included, and of each tuning, held-out games included.
GAMES = 9_600
DECKS = 300
UCT = {"kind": "mcts", "k": 0.5, "final": "visits"}
# The parameters of each rival, all tuned at once by successive halving.
RIVALS = {
    "UCT": ({"kind": "mcts"}, ["k=0.05..2", "final=mean,visits", "fpu=none,parent"]),
    "RAVE": ({"kind": "mcts-rave"}, ["k=0.02..1", "b=0.01..1", "final=mean,visits"]),
    "GRAVE": ({"kind": "grave"}, ["bias=0.00001..0.1", "grave_visits=10,50,200", "final=mean,visits"]),
    "Progressive history": ({"kind": "progressive-history", "final": "visits"}, ["k=0.05..1", "w=0.3..30"]),
    "MAST": ({"kind": "mcts", "default_policy": "mast"}, ["k=0.05..1", "temperature=0.05..5", "final=mean,visits"]),
    "N-grams": ({"kind": "mcts", "default_policy": "n-gram"}, ["k=0.05..1", "epsilon=0.05..0.5", "final=mean,visits"]),
    "Solver": ({"kind": "mcts-solver"}, ["k=0.05..2", "secure=0.1..3"]),
}


def toml_value(value):
    """A value in TOML."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml_value(own)}" for key, own in value.items()) + " }"
    return json.dumps(value)


def table(keys):
    """A [[player]] table."""
    return "[[player]]\n" + "".join(f"{key} = {toml_value(value)}\n" for key, value in keys.items())


class Study:
    """The steps of one game; files are made anew each time, results are resumed."""

    def __init__(self, options):
        self.options = options
        self.name = options.game
        self.climb_file = HERE / f"{self.name}.toml"
        climb = tomllib.loads(self.climb_file.read_text())
        self.setup = {key: climb[key] for key in ("game", "openings", "rules", "max_plies") if key in climb}
        self.seed = climb["seed"]
        self.iterations = climb["player"][0]["iterations"]
        self.folder = pathlib.Path(options.folder) / self.name
        self.folder.mkdir(parents=True, exist_ok=True)

    def evouct(self, *arguments):
        """Runs a command of evouct."""
        subprocess.run([self.options.evouct, *map(str, arguments), "--threads", self.options.threads], check=True)

    def file(self, name, seed, players, **keys):
        """Writes the file of a league."""
        head = {"name": f"{self.name}-{name}", "seed": seed, **self.setup, **keys}
        path = self.folder / f"{name}.toml"
        text = "".join(f"{key} = {toml_value(value)}\n" for key, value in head.items())
        path.write_text(text + "\n" + "\n".join(table(player) for player in players))
        return path

    def player(self, name, keys, iterations=None):
        """A player with the iterations of this game."""
        return {"name": name, "iterations": iterations or self.iterations, **keys}

    def climb(self):
        """The climb; the champion's keys, none without a champion."""
        out = self.folder / "climb"
        self.evouct("evolve", self.climb_file, "--out", out)
        if not (out / "champions.toml").exists():
            return None
        champion = tomllib.loads((out / "champions.toml").read_text())["player"][0]
        return {key: value for key, value in champion.items() if key not in ("name", "iterations")}

    def tuned(self):
        """The rivals as tuned, by name."""
        found = {}
        for number, (name, (keys, over)) in enumerate(RIVALS.items()):
            short = name.lower().replace(" ", "-")
            players = [self.player(name, keys), self.player("UCT as given", UCT)]
            file = self.file(short, self.seed + 100 + number, players)
            out = self.folder / f"tune-{short}"
            self.evouct("tune", file, "--games", GAMES, "--out", out, *(part for o in over for part in ("--over", o)))
            own = tomllib.loads((out / "tuned.toml").read_text())["player"][0]
            found[name] = {key: value for key, value in own.items() if key not in ("name", "iterations")}
        return found

    def proof(self, champion, rivals):
        """The champion against each rival at equal iterations; the folder of the run."""
        players = [self.player("Champion", champion), self.player("Start", self.start())]
        players += [self.player(name, keys) for name, keys in rivals.items()]
        file = self.file("proof", self.seed + 1000, players, decks=DECKS, schedule="gauntlet")
        out = self.folder / "proof"
        self.evouct("run", file, "--out", out)
        return out

    def start(self):
        """The formula from which the climb begins, as a player."""
        climb = tomllib.loads(self.climb_file.read_text())
        formulas = dict(part.split(" = ", 1) for part in climb["evolve"]["seeds"][0].split("; "))
        names = {"select": "formula", "untried": "untried", "final": "final_formula"}
        return {"kind": "formula", **{names[key]: value for key, value in formulas.items()}}

    def time(self, champion, rivals, proof):
        """The champion with the iterations that fit into the time of tuned UCT, against it; `proof` is the folder of the proof."""
        ratio = cost(proof, "Champion") / cost(proof, "UCT")
        iterations = max(1, round(self.iterations / ratio))
        players = [self.player("Champion in equal time", champion, iterations), self.player("UCT", rivals["UCT"])]
        file = self.file("time", self.seed + 2000, players, decks=DECKS)
        self.evouct("run", file, "--out", self.folder / "time")
        print(f"{self.name}: a decision of the champion takes {ratio:.2f} of UCT's time; {iterations} iterations")


def cost(run, name):
    """Seconds per decision of a player of a run."""
    with open(run / "costs.csv", newline="") as file:
        return next(float(row["seconds_per_decision"]) for row in csv.DictReader(file) if row["player"] == name)


def main():
    """Runs the steps in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    games = sorted(path.stem for path in HERE.glob("*.toml"))
    parser.add_argument("game", choices=games, help="a file of this folder")
    parser.add_argument("step", nargs="?", choices=["rivals", "climb", "proof"], help="one step alone")
    parser.add_argument("--evouct", default="target/release/evouct", help="the program")
    parser.add_argument("--folder", default="runs/any-game", help="where results are")
    parser.add_argument("--threads", default="2", help="threads")
    options = parser.parse_args()
    study = Study(options)
    try:
        rivals = study.tuned() if options.step != "climb" else None
        champion = study.climb() if options.step != "rivals" else None
        if rivals and champion:
            study.time(champion, rivals, study.proof(champion, rivals))
    except (OSError, subprocess.CalledProcessError) as error:
        parser.exit(1, f"study.py: {error}\n")


if __name__ == "__main__":
    main()
