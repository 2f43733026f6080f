"""Evolutions that ask: the same as those of the program, and nothing is taken for a measurement that is none."""

import copy
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import evouct
from test_runs import BANK, EVOLUTION, files, program, toml

EVOLVE: dict[str, Any] = {"seeds": ["Q", "Q + 1/n"], "islands": 1, "population": 4, "elite": 1, "generations": 2, "finalists": 2}
GAMES: dict[str, Any] = {**EVOLUTION, "evolve": {**EVOLVE, "constant_offspring": 1}, "stage": [{"measure": "games", "decks": [2], "block": 1}] * 2}
CLIMB: dict[str, Any] = {
    **EVOLUTION,
    "evolve": {"algorithm": "climb", "seeds": ["Q + 1/n"], "generations": 2, "grow": 1.0, "terminals": ["Q", "n"]},
    "stage": [{"measure": "games", "decks": [1, 1, 2], "block": 1}, {"measure": "games", "decks": [2]}],
}
ALGORITHMS: dict[str, dict[str, Any]] = {
    **{name: {**GAMES, "evolve": {**EVOLVE, "algorithm": name}} for name in ("generational", "plus", "comma", "random")},
    "structures": {**GAMES, "evolve": {**EVOLVE, "cma_samples": 4}},
    "hall of fame": {**GAMES, "evolve": {**EVOLVE, "hall_of_fame": 1}},
    "semantics": {**GAMES, "evolve": {**EVOLVE, "semantics": 4, "equal": 50.0}},
    "climb": CLIMB,
}


def to_the_end(evolution: evouct.Evolution) -> list[evouct.Measurement]:
    """Plays all that is asked for; what that was."""
    all = []
    while asked := evolution.ask():
        evolution.tell([measurement.play() for measurement in asked])
        all += asked
    return all


def everything(folder: os.PathLike[str]) -> dict[str, bytes]:
    """All files of a folder."""
    paths = [path for path in Path(folder).rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def timeless(folder: Path | str) -> dict[str, str]:
    """All files of a folder without what measurements took."""
    found = {}
    for name, content in everything(folder).items():
        text = content.decode(errors="replace")
        text = re.sub(r'"sum":"[0-9a-f]+",|,"seconds":[0-9.e-]+|\s*"core_seconds": [^,\n]+,?|<span class="cost">[^<]*</span>|[0-9a-f]{64} (?= report)', "", text)
        nonce = re.search("'nonce-([^']+)'", text)
        found[name] = text.replace(nonce[1], "") if nonce else text
    return found


@pytest.mark.parametrize("name", list(ALGORITHMS))
def test_the_folder_is_that_of_evolve(name: str, tmp_path: Path) -> None:
    theirs = evouct.evolve(ALGORITHMS[name], tmp_path / "theirs", threads=1)
    with evouct.Evolution(ALGORITHMS[name], tmp_path / "ours") as evolution:
        asked = to_the_end(evolution)
        ours = evolution.result()
    assert ours.digest == theirs.digest is not None and ours.measured_by is None
    assert timeless(ours.folder) == timeless(theirs.folder) and files(ours.folder)
    lines = (ours / "evolution.jsonl").read_text().splitlines()[1:]
    assert all('"seconds":' in line for line in lines) and ours.report["core_seconds"] > 0
    assert {"generations", "finals"} <= {measurement.purpose for measurement in asked}
    assert {measurement.generation for measurement in asked if measurement.purpose == "generations"} == {1, 2}
    if name == "hall of fame":
        assert any(measurement.opponent not in ("random", None) for measurement in asked)
    # It is checked as any other.
    assert " made again" in program("verify", tmp_path / "ours")


def test_an_evolution_that_waits_for_a_proposer_lets_go(tmp_path: Path) -> None:
    slow = {**CLIMB, "proposer": [{"name": "slow", "command": ["sleep", "1000"]}]}
    # A climb asks its proposer at once.
    evolution = evouct.Evolution(slow, tmp_path / "closed")
    evolution.close()
    evolution = evouct.Evolution(slow, tmp_path / "closed")
    del evolution
    # Ctrl-C ends the wait.
    code = "import evouct, sys; from test_ask_tell import CLIMB; slow = {**CLIMB, 'proposer': [{'command': ['sleep', '1000']}]}; "
    code += "evolution = evouct.Evolution(slow, sys.argv[1]); print('asks', flush=True); evolution.ask()"
    asking = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "asked")],
        cwd=Path(__file__).parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert asking.stdout is not None and asking.stdout.readline() == "asks\n"
    asking.send_signal(signal.SIGINT)
    assert "KeyboardInterrupt" in asking.communicate(timeout=60)[1]
    assert '"proposer"' not in (tmp_path / "asked" / "evolution.jsonl").read_text()


def test_a_measurement_says_what_it_is_about(tmp_path: Path) -> None:
    opponents = [{"kind": "random"}, {"name": "Greedy", "kind": "one-ply"}]
    with evouct.Evolution({**GAMES, "opponent": opponents}, tmp_path / "run") as evolution:
        asked = evolution.ask()
        first = asked[0]
        assert first.formulas == {"select": evouct.Formula("Q")} and first.purpose == "generations"
        assert (first.generation, first.stage, first.measure, first.batch) == (1, 1, "games", 0)
        assert [(each.opponent, each.units) for each in asked[:4]] == [
            (name, range(deck, deck + 1)) for name in ("random", "Greedy") for deck in (0, 1)
        ]
        assert repr(asked[2]) == "<Measurement of select = Q against Greedy: stage 1, batch 0, decks 0 to 0>"
        assert repr(evolution) == f"Evolution({str(tmp_path / 'run')!r})" and evolution.folder == tmp_path / "run"
        # The value depends on nothing but the measurement.
        assert first.play() == first.play() == evolution.ask()[0].play()


def test_a_seed_and_a_file_are_those_of_the_program(tmp_path: Path) -> None:
    file = toml(tmp_path / "evolved.toml", EVOLUTION)
    printed = program("evolve", file, "--seed", "8", "--out", tmp_path / "theirs")
    with evouct.Evolution(file, tmp_path / "ours", seed=8) as evolution:
        to_the_end(evolution)
        assert f"digest {evolution.result().digest}\n" in printed


def test_a_half_told_batch_is_asked_for_again_without_what_was_told(tmp_path: Path) -> None:
    whole = evouct.evolve(GAMES, tmp_path / "whole")
    with evouct.Evolution(GAMES, tmp_path / "run") as evolution:
        asked = evolution.ask()
        # A formula has two blocks: one formula is told, and half of another one.
        some = [asked[2], asked[0], asked[1]]
        evolution.tell([measurement.play() for measurement in some], some)
        assert evolution.ask() == asked[3:]
        with pytest.raises(ValueError, match="measurement 1: the evolution does not ask for it, or it was told already"):
            evolution.tell([asked[0].play()], asked[:1])
    evolution = evouct.Evolution(GAMES, tmp_path / "run")
    assert evolution.ask() == asked[2:]
    evolution.close()
    # The program goes on, and so does the other call.
    program("evolve", toml(tmp_path / "evolved.toml", GAMES), "--out", tmp_path / "run")
    with evouct.Evolution(GAMES, tmp_path / "run") as again:
        assert again.ask() == [] and again.result().digest == whole.digest


KILLED = """
import os, sys, evouct
from test_ask_tell import GAMES
evolution = evouct.Evolution(GAMES, sys.argv[1])
for _ in range(2):
    asked = evolution.ask()
    evolution.tell([measurement.play() for measurement in asked])
asked = evolution.ask()
evolution.tell([measurement.play() for measurement in asked[:5]], asked[:5])
print(len(asked), flush=True)
os.kill(os.getpid(), 9)
"""


def test_a_killed_process_loses_what_was_not_told(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    done = subprocess.run([sys.executable, "-c", KILLED, tmp_path / "run"], capture_output=True, text=True, env=environment)
    assert done.returncode == -signal.SIGKILL, done.stderr
    with evouct.Evolution(GAMES, tmp_path / "run") as evolution:
        # Two whole formulas of two blocks were told.
        assert len(evolution.ask()) == int(done.stdout) - 4
        to_the_end(evolution)
        assert evolution.result().digest == evouct.evolve(GAMES, tmp_path / "whole").digest


def test_measurements_and_values_are_pickled(tmp_path: Path) -> None:
    bank = evouct.bank(BANK, tmp_path / "bank")
    stages = [{"measure": "regret", "positions": 10, "block": 5}, {"measure": "games", "decks": [2]}]
    source = {**EVOLUTION, "evolve": {**EVOLVE, "bank": str(bank.folder)}, "stage": stages}
    with evouct.Evolution(source, tmp_path / "run") as evolution:
        asked = evolution.ask()
        assert asked[0].opponent is None and asked[0].units == range(5) and asked[0].measure == "regret"
        again = pickle.loads(pickle.dumps(asked))
        assert again == asked and [hash(each) for each in again] == [hash(each) for each in asked] and asked[0] != asked[1]
        assert copy.deepcopy(asked[0]).formulas == asked[0].formulas
        values = pickle.loads(pickle.dumps([measurement.play() for measurement in again]))
        assert values == [measurement.play() for measurement in asked]
        # Measurements are found by what they are.
        evolution.tell(values[::-1], again[::-1])
        to_the_end(evolution)
        digest = evolution.result().digest
    assert digest == evouct.evolve(source, tmp_path / "theirs").digest
    # Another bank at this path is another evolution.
    pickled = pickle.dumps(asked[0])
    (tmp_path / "bank").rename(tmp_path / "moved")
    evouct.bank({**BANK, "seed": 9}, tmp_path / "bank")
    code = "import pickle, sys; pickle.load(sys.stdin.buffer)"
    done = subprocess.run([sys.executable, "-c", code], input=pickled, capture_output=True)
    last = done.stderr.decode().splitlines()[-1]
    assert last.startswith("ValueError: ") and "the bank has the digest" in last and "that of the evolution" in last


def test_what_cannot_be_told_is_one_line(tmp_path: Path) -> None:
    evolution = evouct.Evolution(GAMES, tmp_path / "run")

    def refused(values: Any, problem: str, error: type[Exception] = ValueError, **more: Any) -> None:
        with pytest.raises(error, match=problem) as raised:
            evolution.tell(values, **more)
        assert "\n" not in str(raised.value)

    refused([0.0], "there is nothing to tell yet: ask for measurements first")
    asked = evolution.ask()
    values = [measurement.play() for measurement in asked]
    refused(values[1:], f"expected one value for each of {len(asked)} measurements, found {len(asked) - 1}")
    refused([*values, values[0]], f"found {len(asked) + 1}")
    refused([*values[:1], float("nan"), *values[2:]], "value 2: expected a finite number of points, found NaN")
    refused([*values[:1], float("-inf"), *values[2:]], "value 2: expected a finite number of points, found -inf")
    refused([*values[:1], "1.5", *values[2:]], "value 2: expected a number of points, found str", TypeError)
    refused([*values[:1], None, *values[2:]], "value 2: expected a number of points, found NoneType", TypeError)
    # Numbers that were computed with values, or that went through NumPy.
    for numbers in ([float(value) for value in values], np.array(values), [value + 0 for value in values]):
        refused(numbers, "value 1: evouct has not computed .*; an evolution that says measured_by takes values of others")
    refused([values[1], values[0], *values[2:]], "value 1: it was computed for another measurement")
    refused(values[:2], "measurement 2: the evolution does not ask for it", measurements=[asked[0], asked[0]])
    forged = evouct.Played(float(values[0]) + 1, values[0]._seal)
    refused([forged, *values[1:]], "value 1: it was computed for another measurement")
    with pytest.raises(ValueError, match="the evolution has not ended"):
        evolution.result()
    # Nothing was taken.
    assert evolution.ask() == asked and (tmp_path / "run/evolution.jsonl").read_text().count("\n") == 1
    with pytest.raises(ValueError, match="another run is writing this journal"):
        evouct.Evolution(GAMES, tmp_path / "run").ask()
    with pytest.raises(ValueError, match="another run is writing this journal"):
        evouct.evolve(GAMES, tmp_path / "run")
    to_the_end(evolution)
    refused(values, "the evolution has ended, so it takes no values")
    evolution.close()
    refused(values, "the evolution was closed")
    for call in (evolution.ask, evolution.result):
        with pytest.raises(ValueError, match="the evolution was closed"):
            call()
    evolution.close()
    with pytest.raises(ValueError, match="this folder holds another evolution"):
        evouct.Evolution(GAMES, tmp_path / "run", seed=4)
    with pytest.raises(ValueError, match="evolve.* is missing"):
        evouct.Evolution({"name": "nothing"}, tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_values_of_others_are_not_taken_for_measurements_of_evouct(tmp_path: Path) -> None:
    own = evouct.evolve(GAMES, tmp_path / "own")
    with evouct.Evolution(GAMES, tmp_path / "run", measured_by="lab-7") as evolution:
        while asked := evolution.ask():
            # The same values, but nobody knows.
            evolution.tell(np.array([measurement.play() for measurement in asked]))
        result = evolution.result()
    assert result.measured_by == "lab-7" and result.digest != own.digest
    assert result.headline.startswith("All values were measured by lab-7, not by evouct, which cannot make them again.")
    assert files(result.folder).keys() == files(own.folder).keys()
    for call in (lambda: evouct.evolve(GAMES, tmp_path / "run"), lambda: evouct.Evolution(GAMES, tmp_path / "run")):
        with pytest.raises(ValueError, match="its values were measured by lab-7, not by evouct; give it another name or folder"):
            call()
    with pytest.raises(ValueError, match="its values were measured by evouct, not by lab-7"):
        evouct.Evolution(GAMES, tmp_path / "own", measured_by="lab-7")
    with pytest.raises(ValueError, match="^measured_by: name = .* contains ' '"):
        evouct.Evolution(GAMES, tmp_path / "none", measured_by="my lab")


def test_ctrl_c_between_and_within_measurements_loses_nothing(tmp_path: Path) -> None:
    slow = {**GAMES, "player": [{"kind": "formula", "iterations": 1_000_000}]}
    evolution = evouct.Evolution(slow, tmp_path / "run")
    asked = evolution.ask()
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        asked[0].play()
    timer.join()
    assert evolution.ask() == asked
    # What holds the journal is gone with it.
    del evolution
    with evouct.Evolution(slow, tmp_path / "run") as again:
        assert again.ask() == asked


def test_workers_of_an_own_script(tmp_path: Path) -> None:
    example = Path(__file__).parents[1] / "examples/own_workers.py"
    if not example.is_file():
        pytest.skip("the repository is not here")
    file = toml(tmp_path / "evolved.toml", GAMES)
    done = subprocess.run([sys.executable, "-I", example, file], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    result = evouct.EvolutionResult(tmp_path / "runs/own-workers")
    assert done.stdout.startswith("generations: told ") and done.stdout.endswith(f"{result.headline}\n")
    assert result.digest == evouct.evolve(file, tmp_path / "theirs").digest
    assert len(example.read_text().splitlines()) <= 25
