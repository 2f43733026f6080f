"""The evaluator of OpenEvolve: the score of a program is the gain of its formulas, measured by `evouct score`.

EVOUCT is the program (default evouct), OPENEVOLVE_SCORES the folder of the measurements (default runs/openevolve-scores).
"""

import fcntl
import json
import os
import pathlib
import runpy
import subprocess

from openevolve.evaluation_result import EvaluationResult

#: The score of a program without a valid formula: far below that of any other one.
REFUSED = -1000.0


def score(genome):
    """What `evouct score` says of a genome: its gain in points per game with the interval, or an error."""
    folder = pathlib.Path(os.environ.get("OPENEVOLVE_SCORES", "runs/openevolve-scores"))
    folder.mkdir(parents=True, exist_ok=True)
    command = [os.environ.get("EVOUCT", "evouct"), "score", str(pathlib.Path(__file__).with_name("race.toml")), "--out", str(folder)]
    # OpenEvolve has several workers. One after another writes the journal, so that nothing is measured twice.
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(command, input=json.dumps({"genome": genome}) + "\n", capture_output=True, text=True)
    answer = json.loads(done.stdout.splitlines()[0]) if done.stdout else {"status": "interim"}
    # What was measured before an interruption is no score.
    if answer.get("status") == "interim":
        raise RuntimeError(done.stderr)
    return answer


def evaluate(program_path):
    """The contract of OpenEvolve: numbers, of which `combined_score` counts, and texts for the next prompt."""
    try:
        genome = str(runpy.run_path(program_path)["genome"]())
    # A program may also call exit.
    except (Exception, SystemExit) as problem:
        answer = {"error": f"{type(problem).__name__}: {problem}"}
    else:
        answer = score(genome)
    if "error" in answer:
        return EvaluationResult({"combined_score": REFUSED}, {"error": answer["error"]})
    numbers = {"combined_score": answer["gain"], "low": answer["low"], "high": answer["high"], "nodes": answer["nodes"]}
    return EvaluationResult(numbers, {"genome": answer["genome"]})
