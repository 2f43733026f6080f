"""Finds a constant with `evouct score` as the evaluator: python3 score_loop.py [EVOUCT] [FOLDER]"""

import json
import pathlib
import subprocess
import sys

evouct, folder = (sys.argv[1:] + ["evouct", "runs/race-scores"][len(sys.argv) - 1 :])[:2]
command = [evouct, "score", str(pathlib.Path(__file__).with_name("race.toml")), "--out", folder]
with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as scorer:

    def gain(weight):
        genome = f"select = Q + 0.5*sqrt(ln(N)/n); untried = {weight} * race; final = n"
        print(json.dumps({"genome": genome, "id": weight}), file=scorer.stdin, flush=True)
        return json.loads(scorer.stdout.readline())["gain"]

    best, step = -4.0, 4.0
    while step >= 1.0:
        best = max([best, best - step, best + step], key=gain)
        step /= 2
    print("weight", best, "gain", round(gain(best), 3))
    scorer.stdin.close()
    print("digest", json.loads(scorer.stdout.readline())["digest"])
