"""The evaluator of OpenEvolve: the score of a program is the gain of its formulas, measured by `evouct score`.

EVOUCT is the program (default evouct), OPENEVOLVE_SCORES the folder of the measurements (default runs/openevolve-scores),
OPENEVOLVE_SECONDS how long a program may take to return its genome (default 60): less than the timeout in openevolve.yaml.
"""

import contextlib
import fcntl
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

from openevolve.evaluation_result import EvaluationResult

#: The score of a program without a valid formula: far below that of any other one.
REFUSED = -1000.0

#: Runs a program and writes its genome into a file.
RUN = """
import pathlib, runpy, sys
genome = str(runpy.run_path(sys.argv[1])["genome"]())
pathlib.Path(sys.argv[2]).write_text(genome)
"""


def genome(program_path):
    """The genome of a program, and what is wrong with the program: one of both is None.

    The program has a process of its own, which is killed with all that it has started.
    """
    seconds = float(os.environ.get("OPENEVOLVE_SECONDS", 60))
    with tempfile.TemporaryDirectory() as scratch:
        answer, said = pathlib.Path(scratch, "genome"), pathlib.Path(scratch, "said")
        with open(said, "wb") as stderr:
            command = [sys.executable, "-c", RUN, program_path, str(answer)]
            quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": stderr}
            child = subprocess.Popen(command, start_new_session=True, **quiet)
            try:
                child.wait(seconds)
            except subprocess.TimeoutExpired:
                return None, f"genome() did not return within {seconds:g} s"
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(child.pid, signal.SIGKILL)
                child.wait()
        if answer.exists():
            return answer.read_text(), None
        lines = said.read_text(errors="replace").strip().splitlines()
        return None, lines[-1] if lines else f"the program ended without a genome (exit status {child.returncode})"


def score(genome):
    """What `evouct score` says of a genome: its gain in points per game with the interval, or an error.

    Where evouct itself fails, no program is to blame: the whole run of OpenEvolve stops.
    """
    folder = pathlib.Path(os.environ.get("OPENEVOLVE_SCORES", "runs/openevolve-scores"))
    folder.mkdir(parents=True, exist_ok=True)
    command = [os.environ.get("EVOUCT", "evouct"), "score", str(pathlib.Path(__file__).with_name("race.toml")), "--out", str(folder)]
    # OpenEvolve has several workers. One after another writes the journal, so that nothing is measured twice.
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            done = subprocess.run(command, input=json.dumps({"genome": genome}) + "\n", capture_output=True, text=True)
        except OSError as problem:
            raise SystemExit(f"evouct cannot run: {problem}") from problem
    answer = json.loads(done.stdout.splitlines()[0]) if done.stdout else {"status": "interim"}
    # What was measured before an interruption is no score.
    if answer.get("status") == "interim":
        raise SystemExit(f"evouct cannot score: {done.stderr.strip()}")
    return answer


def evaluate(program_path):
    """The contract of OpenEvolve: numbers, of which `combined_score` counts, and texts for the next prompt."""
    text, problem = genome(program_path)
    answer = score(text) if problem is None else {"error": problem}
    if "error" in answer:
        return EvaluationResult({"combined_score": REFUSED}, {"error": answer["error"]})
    numbers = {"combined_score": answer["gain"], "low": answer["low"], "high": answer["high"], "nodes": answer["nodes"]}
    return EvaluationResult(numbers, {"genome": answer["genome"]})
