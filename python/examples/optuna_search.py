"""Finds weights of a formula with Optuna, whose trials `evouct.score` measures: python optuna_search.py race.toml"""

import sys

import evouct
import optuna


def formula(race: float, captures: float) -> dict[str, str]:
    return {"select": "Q + 0.5*sqrt(ln(N)/n)", "untried": f"{race}*race + {captures}*captures", "final": "n"}


def gain(trial: optuna.Trial) -> float:
    weights = [trial.suggest_float(name, -4, 4, step=0.25) for name in ("race", "captures")]
    return evouct.score(sys.argv[1], [formula(*weights)]).gains[0]


study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=1))
study.optimize(gain, n_trials=20)
found = formula(**study.best_params)
# The decks of the search would flatter what it found.
print(evouct.score(sys.argv[1], [found], split="test", out="runs/optuna-test").headline)
