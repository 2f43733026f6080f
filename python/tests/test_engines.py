"""Engines of others as executors: Dask, loky, mpi4py, Parsl and Ray give the results of threads."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from test_executors import MARK, Dies, Lies, league, marked, short_chunks  # noqa: F401

import evouct

#: Where processes find this module, and the game of the examples.
FOLDERS = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "examples")]

LONG = league(Dies, decks=60)

#: What waits for tens of seconds, mostly for engines to start and to end.
slow = pytest.mark.skipif(os.environ.get("EVOUCT_FAULTS") != "all", reason="EVOUCT_FAULTS=all tries it")


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> str | None:
    """The digest of the long league on one thread."""
    return evouct.run(LONG, tmp_path_factory.mktemp("truth"), threads=1).digest


class Disturbed:
    """An executor to which something happens at a chunk."""

    def __init__(self, executor: Any, happens: dict[int, Callable[[], Any]]) -> None:
        self.executor, self.happens, self.chunks = executor, happens, 0
        self._client = getattr(executor, "_client", None)

    def submit(self, function: Any, chunk: bytes) -> Any:
        self.chunks += 1
        self.happens.pop(self.chunks, lambda: None)()
        return self.executor.submit(function, chunk)


def test_loky_loses_a_worker(marked: Callable[[], None], truth: str, tmp_path: Path) -> None:  # noqa: F811
    loky = pytest.importorskip("loky")
    marked()
    assert evouct.run(LONG, tmp_path / "loky", executor=lambda: loky.get_reusable_executor(2)).digest == truth
    loky.get_reusable_executor().shutdown()
    assert (tmp_path / "mark").exists()


@pytest.fixture(scope="module")
def dask() -> Iterator[Any]:
    """The client of a cluster of Dask with two workers."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, cluster.get_client() as client:
        client.run(find_modules)
        yield client


def find_modules() -> None:
    sys.path.extend(FOLDERS)


def mark(path: Path) -> None:
    """Lets one process that calls this misbehave."""
    os.environ[MARK] = str(path)


def test_dask_loses_a_worker(dask: Any, truth: str, tmp_path: Path) -> None:
    dask.run(mark, tmp_path / "mark")
    assert evouct.run(LONG, tmp_path / "run", executor=dask.get_executor()).digest == truth
    assert (tmp_path / "mark").exists()


def test_dask_has_a_worker_that_lies(dask: Any, tmp_path: Path) -> None:
    # Dask computes equal calls once: then a second answer would be the first one.
    small = league(Lies)
    truth = evouct.run(small, tmp_path / "truth").digest
    # The one that was killed comes again.
    dask.wait_for_workers(2)
    dask.run(find_modules)
    dask.run(mark, tmp_path / "mark")
    with pytest.warns(UserWarning, match=r"worker .*:\d+ answered wrong for \d+-.*done again"):
        assert evouct.run(small, tmp_path / "lied", executor=dask.get_executor()).digest == truth is not None


def test_dask_adds_pauses_and_stops_workers(dask: Any, truth: str, tmp_path: Path) -> None:
    (paused, _), (_, stopped) = dask.run(os.getpid).items()

    def pause(dask_worker: Any) -> None:
        dask_worker.status = type(dask_worker.status).paused

    def add() -> None:
        dask.cluster.scale(4)
        dask.wait_for_workers(4)
        dask.run(find_modules)

    happens = {5: add, 8: lambda: os.kill(stopped, signal.SIGSTOP), 11: lambda: dask.run(pause, workers=[paused])}
    try:
        assert evouct.run(LONG, tmp_path / "run", executor=Disturbed(dask.get_executor(), happens)).digest == truth
    finally:
        os.kill(stopped, signal.SIGCONT)
    assert not happens


#: A league by an executor that a script makes, in a process of its own.
SCRIPT = f"""
import sys
sys.path.extend({FOLDERS})
import evouct, test_engines
from evouct import executors
executors.Pool.chunk_seconds = 0.05
def play(executor, **more):
    print(evouct.run(test_engines.LONG, sys.argv[1], progress=False, executor=executor, **more).digest)
"""


def printed(command: list[str], script: str, folder: Path, **more: str) -> str:
    """What a script prints that a command runs."""
    path = folder / "script.py"
    path.write_text(SCRIPT + script)
    # Parsl starts programs of its own from the path.
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": programs, "PYTHONPATH": os.pathsep.join(FOLDERS), **more}
    done = subprocess.run([*command, path, folder / "run"], capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


def test_mpi4py_plays_on_ranks(truth: str, tmp_path: Path) -> None:
    if shutil.which("mpirun") is None:
        pytest.skip("mpirun is missing")
    pytest.importorskip("mpi4py.futures")
    script = """
from mpi4py.futures import MPIPoolExecutor
if __name__ == "__main__":
    with MPIPoolExecutor() as executor:
        play(executor)
"""
    command = ["mpirun", "--oversubscribe", "-n", "3", sys.executable, "-m", "mpi4py.futures"]
    assert printed(command, script, tmp_path, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1") == truth


@slow
def test_parsl_plays_on_blocks(truth: str, tmp_path: Path) -> None:
    pytest.importorskip("parsl")
    script = """
from parsl.concurrent import ParslPoolExecutor
from parsl.config import Config
from parsl.executors import HighThroughputExecutor
from parsl.providers import LocalProvider
if __name__ == "__main__":
    local = LocalProvider(init_blocks=1, max_blocks=1)
    workers = HighThroughputExecutor(max_workers_per_node=2, provider=local, address="127.0.0.1", encrypted=False)
    with ParslPoolExecutor(Config(executors=[workers], run_dir=sys.argv[1] + "-parsl", usage_tracking=0)) as executor:
        play(executor, threads=2)
"""
    assert printed([sys.executable], script, tmp_path) == truth


@slow
def test_ray_plays_by_a_class_with_submit(truth: str, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    script = """
import ray
class Ray:
    def submit(self, function, chunk):
        return ray.remote(function).remote(chunk).future()
if __name__ == "__main__":
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    play(Ray(), threads=2)
"""
    assert printed([sys.executable], script, tmp_path) == truth


@contextmanager
def two_networks() -> Iterator[list[list[str]]]:
    """Two network namespaces with a cable between them: what starts a program in each. The addresses are 10.77.0.1 and 10.77.0.2."""
    names = [f"evouct-{os.getpid()}-{number}" for number in (1, 2)]

    def ip(*words: str) -> None:
        subprocess.run(["ip", *words], check=True, capture_output=True)

    if os.geteuid() != 0 or shutil.which("ip") is None:
        pytest.skip("only root can make network namespaces, with the program ip")
    try:
        try:
            ip("netns", "add", names[0])
        except subprocess.CalledProcessError as error:
            pytest.skip(f"no network namespace: {error.stderr.decode().strip()}")
        ip("netns", "add", names[1])
        ip("-n", names[0], "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", names[1])
        for number, name in enumerate(names, 1):
            ip("-n", name, "address", "add", f"10.77.0.{number}/24", "dev", "cable")
            for device in ("lo", "cable"):
                ip("-n", name, "link", "set", device, "up")
        yield [["ip", "netns", "exec", name] for name in names]
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "del", name], capture_output=True)


@slow
def test_dask_plays_over_two_networks_until_one_is_gone(truth: str, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    scheduler = "tcp://10.77.0.1:8786"
    script = f"""
import subprocess
from distributed import Client
if __name__ == "__main__":
    with Client("{scheduler}") as client:
        client.wait_for_workers(3)
        assert {{each["host"] for each in client.scheduler_info(-1)["workers"].values()}} == {{"10.77.0.1", "10.77.0.2"}}
        unplug = lambda: subprocess.run(["ip", "link", "set", "cable", "down"], check=True)
        executor = test_engines.Disturbed(client.get_executor(), {{15: unplug}})
        play(executor)
        assert not executor.happens
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(FOLDERS)}
    with two_networks() as (here, there):
        python = [sys.executable, "-m", "dask"]
        worker = [*python, "worker", scheduler, "--no-dashboard", "--nthreads", "1", "--no-nanny", "--host"]
        commands = [
            [*here, *python, "scheduler", "--no-dashboard", "--host", "10.77.0.1"],
            *([*here, *worker, "10.77.0.1"], [*here, *worker, "10.77.0.1"], [*there, *worker, "10.77.0.2"]),
        ]
        started = [subprocess.Popen(command, env=environment, cwd=tmp_path, stderr=subprocess.DEVNULL) for command in commands]
        try:
            assert printed([*here, sys.executable], script, tmp_path) == truth
        finally:
            for each in started:
                each.kill()
                each.wait()
