"""The program that the wheel installs."""

import os
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest

import evouct

PROGRAM = str(Path(sysconfig.get_path("scripts"), "evouct"))
STARTS = [[PROGRAM], [sys.executable, "-m", "evouct"]]

LONG = """
name = "long"
games_per_match = 1000
[[player]]
kind = "mcts"
iterations = 1000
[[player]]
kind = "random"
"""


@pytest.mark.parametrize("start", STARTS, ids=["command", "module"])
def test_output_and_exit_codes_are_those_of_the_program(start: list[str], tmp_path: Path) -> None:
    def ended(*arguments: str) -> tuple[int, str, str]:
        done = subprocess.run([*start, *arguments], capture_output=True, text=True, cwd=tmp_path)
        return done.returncode, done.stdout, done.stderr

    assert ended("--version") == (0, f"evouct {__import__('evouct').__version__}\n", "")
    assert ended("tnue") == (2, "", "evouct: unrecognized subcommand 'tnue'; did you mean 'tune'? (see --help)\n")
    assert ended("run", "none.toml")[0] == 2
    code, printed, error = ended("expr", "Q +", "--json")
    assert (code, printed) == (2, "") and error.startswith("evouct: formula, column 4:")
    (tmp_path / "x.toml").write_text('name = "x"\ngames_per_match = 1\n[[player]]\nkind = "random"\n[[player]]\nkind = "one-ply"\n')
    # A job starts the program again by its path.
    code, printed, _ = ended("slurm", "x.toml", "--time", "1:00:00", "--memory", "1G")
    assert code == 0 and f"evouct={PROGRAM}\n" in printed
    assert ended("run", "x.toml")[0] == 0 and ended("verify", "runs/x")[0] == 0


@pytest.mark.parametrize("start", STARTS, ids=["command", "module"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGUSR1])
def test_a_signal_stops_a_run_that_goes_on_later(start: list[str], number: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "long.toml").write_text(LONG)
    run = subprocess.Popen([*start, "run", "long.toml", "--threads", "2"], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    journal = tmp_path / "runs/long/games.jsonl"
    while not journal.exists() or journal.read_text().count("\n") < 2:
        assert run.poll() is None
        time.sleep(0.02)
    run.send_signal(number)
    error = run.communicate()[1]
    assert run.returncode == 75 and "the same command resumes the run" in error
    # Commands that are no run have the default action.
    other = subprocess.Popen([*start, "engine", "random"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert other.stdin is not None and other.stdout is not None
    other.stdin.write("protocol\n")
    other.stdin.flush()
    assert other.stdout.readline()
    other.send_signal(number)
    other.communicate()
    assert other.returncode == -number


def test_a_reader_that_has_gone_is_no_failure() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([PROGRAM, "players", "mcts"], stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_closed_streams_are_no_files_of_a_run(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text('name = "x"\ngames_per_match = 1\n[[player]]\nkind = "random"\n[[player]]\nkind = "one-ply"\n')
    closed = "import os, sys\nfor stream in range(3):\n    os.close(stream)\nos.execv(sys.argv[1], sys.argv[1:])"
    done = subprocess.run([sys.executable, "-c", closed, PROGRAM, "run", "x.toml"], cwd=tmp_path)
    assert done.returncode == 0
    assert subprocess.run([PROGRAM, "verify", "runs/x"], cwd=tmp_path, stdout=subprocess.DEVNULL).returncode == 0


def test_the_program_starts_without_numpy() -> None:
    listed = subprocess.run([sys.executable, "-X", "importtime", PROGRAM, "--version"], capture_output=True, text=True)
    assert listed.returncode == 0 and "evouct._native" in listed.stderr and "numpy" not in listed.stderr


@pytest.mark.parametrize("flags", ["fpu sse2", "fpu sse2 avx2 bmi2"])
def test_a_processor_gets_the_module_that_it_can_run(flags: str, tmp_path: Path) -> None:
    # A package with two modules, of which the right one alone is there.
    own = Path(evouct.__file__).parent
    (tmp_path / "evouct/x86_64").mkdir(parents=True)
    for file in own.glob("*.py"):
        (tmp_path / "evouct" / file.name).symlink_to(file)
    module = tmp_path / "evouct" / ("_native.abi3.so" if "avx2" in flags else "x86_64/_native.abi3.so")
    module.symlink_to(own / "_native.abi3.so")
    script = f"""
import builtins, io
opened = builtins.open
builtins.open = lambda file, *more, **named: io.StringIO("flags : {flags}") if file == "/proc/cpuinfo" else opened(file, *more, **named)
import evouct, evouct._native
print(evouct._native.__file__, evouct.Rules(2))
"""
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert done.stdout.split()[:1] == [str(module)], done.stderr
