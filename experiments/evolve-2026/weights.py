"""Tunes the weights of the form by hand by CMA-ES, with `evouct score` as the measure (protocol: weights-100.toml).

    python3 weights.py weights|form [EVOUCT] [FOLDER]

Needs `cma` 4.5 (Hansen) from PyPI. FOLDER gets `rounds.csv`, a row per candidate; a search that was interrupted goes on: rounds that are
there are read, not measured again.
"""

import csv
import json
import pathlib
import subprocess
import sys

import cma
import numpy as np

NUMBERS = ["dv", "dm", "fl", "cl", "op", "tm", "oe", "om", "pc", "nx"]
START = [1.0, 3.0, -2.0, 0, 0, 0, 0, 0, 0, 0]
# Of the same size in what a move is worth: `tm` goes up to the number of tiles, `pc` to 1.
SCALES = [0.7, 1.5, 1.5, 1.5, 0.7, 0.5, 0.7, 0.7, 2.0, 2.0]
CANDIDATES, ROUNDS = 24, 81

what, evouct, folder = (sys.argv[1:] + ["", "evouct", f"runs/weights-100-{sys.argv[1]}"][len(sys.argv) - 1 :])[:3]
if what not in ("weights", "form"):
    sys.exit(f"expected weights or form, found {what!r}")
free = what == "form"
start = np.array(START + [0.0, 0.0, 0.0] * free)
scales = np.array(SCALES + [0.7, 0.7, 0.7] * free)


def genome(point):
    """The form by hand with these weights; the three further parameters are natural logarithms of factors."""
    explore, untried, weight = np.exp(point[10:]) if free else (1.0, 1.0, 1.0)
    h = " + ".join(f"{weight:.4g}*{name}" for weight, name in zip(point, NUMBERS)).replace("+ -", "- ")
    return (
        f"select = Q + {2 * explore:.4g}*sqrt(2*ln(N)/n) + 16*({h})/(n + 1); "
        f"untried = Qbar + {2 * untried:.4g}*sqrt(2*ln(N)) + {16 * weight:.4g}*({h}); final = n"
    )


def measure(number, genomes):
    """The gains of the genomes over the form by hand on the decks of this round, in points per game."""
    command = [evouct, "score", str(pathlib.Path(__file__).with_name("weights-100.toml")), "--seed", str(number)]
    command += ["--threads", "1", "--genomes", "-", "--format", "json", "--out", f"{folder}/round-{number}"]
    out = subprocess.run(command, input="\n".join(genomes), stdout=subprocess.PIPE, text=True, check=True).stdout
    return [row["gain"] for row in json.loads(out)["genomes"]]


path = pathlib.Path(folder) / "rounds.csv"
path.parent.mkdir(parents=True, exist_ok=True)
known = {}
if path.exists():
    for row in csv.DictReader(path.open()):
        known.setdefault(int(row["round"]), []).append((row["genome"], float(row["gain"])))
search = cma.CMAEvolutionStrategy(np.zeros(len(start)), 1.0, {"popsize": CANDIDATES, "seed": 1, "verbose": -9})
centres = []
for number in range(1, ROUNDS + 1):
    points = search.ask()
    genomes = [genome(start + scales * point) for point in points]
    if len(known.get(number, [])) == CANDIDATES:
        assert [text for text, _ in known[number]] == genomes, f"{path}: round {number} has other genomes"
        gains = [gain for _, gain in known[number]]
    else:
        gains = measure(number, genomes)
        known[number] = list(zip(genomes, gains))
        with path.open("w", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["round", "genome", "gain"])
            rows.writerows([r, text, gain] for r, found in sorted(known.items()) for text, gain in found)
    search.tell(points, [-gain for gain in gains])
    centres.append(start + scales * search.mean)
    print(f"round {number}: mean {np.mean(gains):+.1f}, step {search.sigma:.2f}", genome(centres[-1]), flush=True)
print(genome(np.mean(centres[-(ROUNDS // 4) :], axis=0)))
