#!/usr/bin/env python3
"""Climbs from UCT in one game, tunes its rivals with as many games, and proves the champion.

    experiments/any-game/study.py GAME [STEP] [--evouct PROGRAM] [--folder FOLDER] [--threads N]

GAME names a file of this folder. What is in FOLDER (runs/any-game by default) is resumed. README.md has the protocol.
The steps:

rivals    the tunings of the rivals
climb     the climb alone
proof     the champion against all rivals, at equal iterations and against UCT in equal time
ablation  the champion against itself without each of the numbers that it uses
seeds     four more climbs with other seeds, and all five champions against tuned UCT
transfer  the champion of six.toml, which never saw the game, against tuned UCT

Without a step: rivals, climb, proof and ablation. With `all` as GAME the proofs that are played are one table, in
Markdown, with Holm's correction over all games and rivals together.
"""

import argparse
import csv
import json
import pathlib
import re
import subprocess
import tomllib

HERE = pathlib.Path(__file__).parent
# Games of a climb, tests included, and of each tuning, held-out games included.
GAMES = 9_600
DECKS = 300
# Numbers that a search learns about moves, in formulas.
LEARNED = ["hm", "hm2", "Ag", "lgr", "pl", "w1", "l1"]
# What parameters in the unit of rewards are multiplied by; rewards are 1 and -1 elsewhere.
UNIT = {"carcassonne": 20}
IN_UNITS = ["k", "temperature", "secure"]
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
        self.given = {key: value for key, value in climb["opponent"][0].items() if key not in ("name", "iterations")}
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

    def climb(self, file=None, name="climb"):
        """The climb of a file, by default that of the game; the champion's keys, none without a champion."""
        out = self.folder / name
        self.evouct("evolve", file or self.climb_file, "--out", out)
        if not (out / "champions.toml").exists():
            return None
        champion = tomllib.loads((out / "champions.toml").read_text())["player"][0]
        return {key: value for key, value in champion.items() if key not in ("name", "iterations")}

    def over(self, over):
        """What a parameter is tuned over, in the unit of rewards of the game."""
        name, values = over.split("=")
        unit = UNIT.get(self.setup["game"], 1) if name in IN_UNITS else 1
        if unit == 1:
            return over
        return f"{name}=" + "..".join(f"{float(end) * unit:g}" for end in values.split(".."))

    def tuned(self, names=tuple(RIVALS)):
        """The rivals as tuned, by name."""
        found = {}
        for number, (name, (keys, over)) in enumerate(RIVALS.items()):
            if name not in names:
                continue
            short = name.lower().replace(" ", "-")
            players = [self.player(name, keys), self.player("UCT as given", self.given)]
            file = self.file(short, self.seed + 100 + number, players)
            out = self.folder / f"tune-{short}"
            over = [part for one in over for part in ("--over", self.over(one))]
            self.evouct("tune", file, "--games", GAMES, "--out", out, *over)
            own = tomllib.loads((out / "tuned.toml").read_text())["player"][0]
            found[name] = {key: value for key, value in own.items() if key not in ("name", "iterations")}
        return found

    def gauntlet(self, name, seed, players):
        """The first player against all others; the folder of the run."""
        file = self.file(name, self.seed + seed, players, decks=DECKS, schedule="gauntlet")
        out = self.folder / name
        self.evouct("run", file, "--out", out)
        return out

    def proof(self, champion, rivals):
        """The champion against each rival at equal iterations; the folder of the run."""
        players = [self.player("Champion", champion), self.player("Start", self.start())]
        return self.gauntlet("proof", 1000, players + [self.player(*rival) for rival in rivals.items()])

    def ablation(self, champion):
        """The champion against itself without each learned number, which is 0 there."""
        players = [self.player("Champion", champion)]
        for name in LEARNED:
            without = {
                key: re.sub(rf"\b{name}\b", "0", value) if isinstance(value, str) else value
                for key, value in champion.items()
            }
            if without != champion:
                players.append(self.player(f"Without {name}", without))
        self.gauntlet("ablation", 3000, players)

    def seeds(self, champion, uct):
        """Tuned UCT against the champions of five climbs that differ in their seeds."""
        champions = {"Seed 1": champion}
        for number in range(2, 6):
            text = self.climb_file.read_text().replace(f"seed = {self.seed}", f"seed = {self.seed + number - 1}")
            file = self.folder / f"climb-{number}.toml"
            file.write_text(text)
            found = self.climb(file, f"climb-{number}")
            if found:
                champions[f"Seed {number}"] = found
        players = [self.player("UCT", uct)] + [self.player(*own) for own in champions.items()]
        self.gauntlet("seeds", 4000, players)

    def transfer(self, champion, uct):
        """The champion of six games against tuned UCT."""
        self.gauntlet("transfer", 5000, [self.player("Champion of six games", champion), self.player("UCT", uct)])

    def start(self):
        """The formula from which the climb begins, as a player."""
        climb = tomllib.loads(self.climb_file.read_text())
        formulas = dict(part.split(" = ", 1) for part in climb["evolve"]["seeds"][0].split("; "))
        names = {"select": "formula", "untried": "untried", "final": "final_formula"}
        return {"kind": "formula", **{names[key]: value for key, value in formulas.items() if key in names}}

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


def differences(run, of):
    """By rival: mean difference per game of a player of a run from each other one, its half interval, and the p-value."""
    found = {}
    with open(run / "significance.csv", newline="") as file:
        for row in csv.DictReader(file):
            if of in (row["a"], row["b"]):
                sign = 1 if row["a"] == of else -1
                mean, low, high = (float(row[f"paired_{key}"]) for key in ("difference", "low", "high"))
                rival = row["b"] if sign == 1 else row["a"]
                found[rival] = (sign * mean, (high - low) / 2, float(row["paired_p"]))
    return found


def holm(values):
    """Holm's adjusted p-values."""
    adjusted, highest = [0.0] * len(values), 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        highest = max(highest, min(1.0, (len(values) - rank) * values[place]))
        adjusted[place] = highest
    return adjusted


def summary(folder):
    """The table of all proofs: differences per game, with a star where they are significant."""
    proofs = {}
    for run in sorted(folder.glob("*/proof")):
        if (run / "significance.csv").exists():
            proofs[run.parent.name] = differences(run, "Champion")
            timed = run.parent / "time"
            if (timed / "significance.csv").exists():
                proofs[run.parent.name]["UCT in equal time"] = differences(timed, "UCT")["Champion in equal time"]
    cells = [(game, rival) for game, rivals in proofs.items() for rival in rivals]
    adjusted = dict(zip(cells, holm([proofs[game][rival][2] for game, rival in cells])))
    columns = ["Start", *RIVALS, "UCT in equal time"]
    print("| game | " + " | ".join(columns) + " |\n|" + "---|" * (len(columns) + 1))
    for game, rivals in proofs.items():
        values = []
        for rival in columns:
            if rival not in rivals:
                values.append("")
                continue
            mean, half, _ = rivals[rival]
            # The row is UCT there.
            mean = -mean if rival == "UCT in equal time" else mean
            values.append(f"{mean:+.2f} ± {half:.2f}" + ("*" if adjusted[game, rival] < 0.05 else ""))
        print(f"| {game} | " + " | ".join(values) + " |")
    print(f"\n{len(cells)} comparisons; *: p < 0.05 after Holm's correction over all of them.")


def main():
    """Runs the steps in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    games = sorted(path.stem for path in HERE.glob("*.toml"))
    parser.add_argument("game", choices=["all", *games], help="a file of this folder, or all for the table")
    steps = ["rivals", "climb", "proof", "ablation", "seeds", "transfer"]
    parser.add_argument("step", nargs="?", choices=steps, help="one step, and those that it needs")
    parser.add_argument("--evouct", default="target/release/evouct", help="the program")
    parser.add_argument("--folder", default="runs/any-game", help="where results are")
    parser.add_argument("--threads", default="2", help="threads")
    options = parser.parse_args()
    try:
        if options.game == "all":
            return summary(pathlib.Path(options.folder))
        play(Study(options), options)
    except (OSError, subprocess.CalledProcessError) as error:
        parser.exit(1, f"study.py: {error}\n")


def play(study, options):
    """The steps."""
    step = options.step
    # The rivals of a second climb are those of the first one.
    options.game = study.name.removesuffix("-playouts")
    rivals_of = Study(options)
    if step == "transfer":
        six = tomllib.loads((study.folder.parent / "six" / "climb" / "champions.toml").read_text())["player"][0]
        champion = {key: value for key, value in six.items() if key not in ("name", "iterations")}
        return study.transfer(champion, rivals_of.tuned(["UCT"])["UCT"])
    rivals = rivals_of.tuned() if step in (None, "rivals", "proof") else None
    champion = study.climb() if step != "rivals" else None
    if champion and rivals:
        study.time(champion, rivals, study.proof(champion, rivals))
    if champion and step in (None, "ablation"):
        study.ablation(champion)
    if champion and step == "seeds":
        study.seeds(champion, rivals_of.tuned(["UCT"])["UCT"])


if __name__ == "__main__":
    main()
