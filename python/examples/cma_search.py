"""Finds weights of a formula with the package cma, whose samples `evouct.score` measures: python cma_search.py race.toml"""

import sys

import cma
import evouct
import numpy as np


def formula(weights: np.ndarray) -> dict[str, str]:
    race, captures = weights
    return {"select": "Q + 0.5*sqrt(ln(N)/n)", "untried": f"{race:.3g}*race + {captures:.3g}*captures", "final": "n"}


search = cma.CMAEvolutionStrategy([0.0, 0.0], 2.0, {"maxiter": 5, "popsize": 6, "seed": 1, "verbose": -9})
while not search.stop():
    samples = search.ask()
    gains = evouct.score(sys.argv[1], [formula(sample) for sample in samples]).gains
    search.tell(samples, [-gain for gain in gains])
# The decks of the search would flatter what it found.
print(evouct.score(sys.argv[1], [formula(search.result.xfavorite)], split="test", out="runs/cma-test").headline)
