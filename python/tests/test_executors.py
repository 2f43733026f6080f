"""Runs on executors of Python: the same results as on threads, whatever workers do."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import sys
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest
from test_runs import BANK, EVOLUTION, LEAGUE

import evouct
from evouct import executors

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
from pig import Pig  # noqa: E402

#: Where the processes of a test say that they are the first.
MARK = "EVOUCT_TEST_MARK"


def is_first() -> bool:
    """Whether this process is the first that asks, which stays so."""
    path = Path(os.environ[MARK])
    try:
        with path.open("x") as file:
            file.write(str(os.getpid()))
    except FileExistsError:
        pass
    return path.read_text() == str(os.getpid())


class Lies(Pig):
    """Pig whose returns are wrong in one process, as those of bad memory are."""

    def returns(self) -> list[float]:
        returns = super().returns()
        return returns[::-1] if self.is_terminal() and MARK in os.environ and is_first() else returns


class Dies(Pig):
    """Pig that ends one process."""

    def returns(self) -> list[float]:
        if MARK in os.environ and not Path(os.environ[MARK]).exists() and is_first():
            os.kill(os.getpid(), signal.SIGKILL)
        return super().returns()


def league(game: type, decks: int = 8) -> dict[str, Any]:
    name = f"python:{__name__}:{game.__name__}(target=8)"
    players = [{"kind": "random"}, {"kind": "mcts", "iterations": 5}]
    return {"name": "small", "seed": 3, "game": name, "decks": decks, "player": players}


@pytest.fixture(autouse=True)
def short_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors.Pool, "chunk_seconds", 0.05)


@pytest.fixture
def processes() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(2) as executor:
        yield executor


@pytest.fixture
def marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Lets one process misbehave from now on."""
    return lambda: monkeypatch.setenv(MARK, str(tmp_path / "mark"))


def test_everything_is_the_same_on_processes(processes: ProcessPoolExecutor, tmp_path: Path) -> None:
    works: list[Callable[..., Any]] = [
        lambda **more: evouct.run(LEAGUE, **more).digest,
        lambda **more: evouct.bank(BANK, **more).digest,
        lambda **more: evouct.evolve(EVOLUTION, **more).digest,
        lambda **more: evouct.score(EVOLUTION, ["Q + 1/n", "Q"], **more).digest,
        lambda **more: evouct.run(league(Pig), **more).digest,
        lambda **more: evouct.tune({**LEAGUE, "player": LEAGUE["player"][1:]}, ["rating=dv,dm"], 148, **more).headline,
    ]
    for number, work in enumerate(works):
        ours, theirs = (work(out=tmp_path / f"{number}-{each}", **more) for each, more in enumerate([{"executor": processes}, {"threads": 1}]))
        assert ours == theirs is not None


def test_threads_of_an_evolution_are_processes_that_measure_the_same(tmp_path: Path) -> None:
    games = [{"game": "python:pig:Pig(target=12)", "name": "class"}, {"game": "pig", "name": "native", "rules": {"goal": 12}}]
    evolve = {"seeds": ["Q + 1/n", "Q"], "population": 3, "islands": 1, "generations": 1, "elite": 1, "constant_offspring": 0}
    evolution = {
        "name": "pigs",
        "evolve": {**evolve, "scale_decks": 3, "game": games},
        "player": [{"kind": "formula", "iterations": 4}],
        "opponent": [{"kind": "random"}],
        "stage": [{"measure": "games", "decks": 2}, {"measure": "games", "decks": 2}],
    }
    one, two = (evouct.evolve(evolution, tmp_path / str(threads), threads=threads) for threads in (1, 2))
    assert one.digest == two.digest is not None


def test_an_evolution_with_a_bank_measures_on_processes(processes: ProcessPoolExecutor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    bank = evouct.bank(BANK, "bank", executor=processes)
    stages = [{"measure": "regret", "positions": [8]}, {"measure": "games", "decks": [2]}]
    evolution = {**EVOLUTION, "evolve": {**EVOLUTION["evolve"], "bank": bank.folder}, "stage": stages}
    ours, theirs = (evouct.evolve(evolution, **more) for more in ({"out": "ours", "executor": processes}, {"out": "theirs", "threads": 1}))
    assert ours.digest == theirs.digest is not None


def test_a_run_goes_on_where_threads_were_and_the_other_way_round(tmp_path: Path) -> None:
    whole = evouct.run(LEAGUE, tmp_path / "whole", threads=2)
    digest = whole.digest
    journal = whole.folder / "games.jsonl"
    journal.write_text("".join(journal.read_text().splitlines(keepends=True)[:-5]))
    with ThreadPoolExecutor(2) as threads:
        assert evouct.run(LEAGUE, whole.folder, executor=threads).digest == digest
    # A class makes one.
    assert evouct.run(LEAGUE, tmp_path / "class", executor=ThreadPoolExecutor).digest == digest


def test_an_interrupt_keeps_what_was_played(tmp_path: Path) -> None:
    long = {**LEAGUE, "games_per_match": 2000}
    journal = tmp_path / "long/games.jsonl"

    class Interrupts(ThreadPoolExecutor):
        """Ctrl-C with the tenth chunk."""

        chunks = 0

        def submit(self, *arguments: Any) -> Any:  # type: ignore[override]
            self.chunks += 1
            if self.chunks == 10:
                signal.raise_signal(signal.SIGINT)
            return super().submit(*arguments)

    with Interrupts(2) as executor, pytest.raises(KeyboardInterrupt):
        evouct.run(long, tmp_path / "long", executor=executor)
    assert len(journal.read_text().splitlines()) > 1


def test_a_worker_that_lies_is_named_and_its_games_are_played_again(
    processes: ProcessPoolExecutor, marked: Callable[[], None], tmp_path: Path
) -> None:
    truth = evouct.run(league(Lies), tmp_path / "truth").digest
    marked()
    with pytest.warns(UserWarning, match=r"worker .*:\d+ answered wrong for \d+-.*done again") as warned:
        lied = evouct.run(league(Lies), tmp_path / "lied", executor=processes)
    assert lied.digest == truth is not None
    assert f":{(tmp_path / 'mark').read_text()} answered wrong" in str(warned[0].message) and len(warned) == 1


class Changes:
    """An executor that changes some answers on their way."""

    def __init__(self, executor: Any, change: Callable[[bytes], Any], share: int = 3) -> None:
        self.executor, self.change, self.share, self.chunks = executor, change, share, 0

    def submit(self, fn: Callable[[bytes], bytes], /, chunk: bytes) -> Future[Any]:
        self.chunks += 1
        changed: Future[Any] = Future()
        # Not for long: a unit that is lost five times is an error.
        alters = self.chunks % self.share == 0 and (self.chunks < 12 or self.share == 1)

        def forward(future: Future[bytes]) -> None:
            try:
                changed.set_result(self.change(future.result()) if alters else future.result())
            except BaseException as error:
                changed.set_exception(error)

        self.executor.submit(fn, chunk).add_done_callback(forward)
        return changed


def fails(_: bytes) -> Any:
    raise OSError("the worker is gone")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda answer: answer.replace(b'\\"scores\\":[', b'\\"scores\\":[1'), "checksum does not match"),
        (lambda answer: answer[: len(answer) * 2 // 3], "not a line"),
        (lambda answer: answer.replace(b'\\"id\\":\\"1-', b'\\"id\\":\\"2-').replace(b'"unit":"1-', b'"unit":"2-'), "checksum does not match"),
        (lambda answer: b"\xff", ""),
        (lambda answer: 7, ""),
        (fails, ""),
    ],
)
def test_answers_that_were_changed_or_lost_are_asked_for_again(change: Callable[[bytes], Any], problem: str, tmp_path: Path) -> None:
    truth = evouct.run(LEAGUE, tmp_path / "truth", threads=2)
    with ThreadPoolExecutor(2) as threads:
        executor = Changes(threads, change)
        if problem:
            with pytest.warns(UserWarning, match=f"^worker .* sent a wrong answer: .*{problem}"):
                changed = evouct.run(LEAGUE, tmp_path / "changed", executor=executor, threads=2)
        else:
            changed = evouct.run(LEAGUE, tmp_path / "changed", executor=executor, threads=2)
        assert changed.digest == truth.digest
        with pytest.raises(RuntimeError, match=", 5 times; what is recorded is safe, and the same command goes on"):
            evouct.run(LEAGUE, tmp_path / "never", executor=Changes(threads, change, 1), threads=2)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda answer: answer.replace(f'"evouct":"{evouct.__version__}"'.encode(), b'"evouct":"0.1.0"'), "it has evouct 0.1.0, this is"),
        (lambda answer: answer.replace(b'"processor":"', b'"processor":"old-'), "its processor is old-.*, this is"),
        (lambda answer: answer.replace(b"experiment small", b"experiment other"), "it understands .*experiment other .*, expected .*small"),
    ],
)
def test_workers_that_differ_are_refused(change: Callable[[bytes], bytes], problem: str, tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as threads, pytest.raises(RuntimeError, match=f"^worker .* cannot take part: {problem}"):
        evouct.run(LEAGUE, tmp_path / "run", executor=Changes(threads, change))


def test_a_pool_that_breaks_is_made_again_by_a_function(marked: Callable[[], None], tmp_path: Path) -> None:
    truth = evouct.run(league(Dies), tmp_path / "truth").digest
    marked()
    pools: list[ProcessPoolExecutor] = []

    def pool() -> ProcessPoolExecutor:
        pools.append(ProcessPoolExecutor(2))
        return pools[-1]

    try:
        assert evouct.run(league(Dies), tmp_path / "again", executor=pool).digest == truth is not None
        assert len(pools) == 2
        (tmp_path / "mark").unlink()
        with pytest.raises(RuntimeError, match="^the executor cannot go on: BrokenProcessPool: .*; what is recorded is safe, and the same call"):
            evouct.run(league(Dies), tmp_path / "broken", executor=pools[-1])
        assert evouct.run(league(Dies), tmp_path / "broken", executor=pool).digest == truth
    finally:
        for each in pools:
            each.shutdown()


def test_a_worker_without_the_module_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Lies, "__module__", "nowhere")
    evouct.register(Lies)
    small = {**league(Lies), "game": "python:nowhere:Lies"}
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as executor:
        with pytest.raises(RuntimeError, match="^worker .* cannot take part: .*there is no module nowhere"):
            evouct.run(small, tmp_path / "run", executor=executor)


def starts(lacks: str, barrier: Any) -> None:
    """One of two processes lacks a folder."""
    if is_first():
        sys.path.remove(lacks)
    barrier.wait()


def test_one_worker_of_two_lacks_the_module(marked: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lone.py").write_text("from pig import Pig\nclass Lone(Pig):\n    pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    marked()
    spawn = multiprocessing.get_context("spawn")
    small = {**league(Pig, decks=100), "game": "python:lone:Lone"}
    with ProcessPoolExecutor(2, spawn, starts, (str(tmp_path), spawn.Barrier(2))) as executor:
        with pytest.raises(RuntimeError) as error:
            evouct.run(small, tmp_path / "run", executor=executor)
    lacking = (tmp_path / "mark").read_text()
    assert re.fullmatch(rf"worker .*:{lacking} cannot take part: .*there is no module lone.*", str(error.value))


@pytest.mark.parametrize(
    ("more", "error", "problem"),
    [
        ({"executor": 7}, TypeError, r"executor: expected an object with submit\(\), or a function that makes one, found int"),
        ({"executor": lambda: 7}, TypeError, r"executor: the function returned a int, which has no submit\(\)"),
        ({"replay": 2}, ValueError, "replay: expected a share from 0 to 1, found 2"),
        ({"replay": "x"}, TypeError, "replay: expected a share from 0 to 1, found 'x'"),
        ({"replay": 0.1}, ValueError, "replay: threads do not check one another; expected an executor, too"),
        ({"threads": 0}, ValueError, "threads"),
    ],
)
def test_wrong_arguments_are_named(more: dict[str, Any], error: type[Exception], problem: str, tmp_path: Path) -> None:
    with pytest.raises(error, match=problem):
        evouct.run(LEAGUE, tmp_path / "run", **more)
    assert not (tmp_path / "run").exists()
