"""Games per second on the processes of an executor beside as many threads:

    python python/benchmarks/executors.py --workers 2 --games 600 --rounds 3

The sides take turns; the table has the best time of each, and the least processor time of all processes, which depends less on what
else the machine does, of a league of UCT in Carcassonne whose games take about 20 ms.

    python python/benchmarks/executors.py --waiting 2 8 64

has more workers than cores: their games wait for 20 ms in place of computing.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import evouct


def league(games: int) -> dict[str, Any]:
    player = {"kind": "mcts", "iterations": 117}
    return {"name": "short", "seed": 1, "decks": games // 2, "player": [player, {**player, "k": 1.0}]}


def processor(executor: ProcessPoolExecutor) -> float:
    """Processor time of this process and of those of a pool, in seconds."""
    ticks = 0
    for process in executor._processes or ():
        ticks += sum(map(int, Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]))
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


class Waits:
    """A game of one action, which takes 10 ms and no processor. It is played, and once more for its record."""

    def __init__(self) -> None:
        self.played = False

    def is_terminal(self) -> bool:
        return self.played

    def current_player(self) -> int:
        return 0

    def legal_actions(self) -> list[int]:
        return [] if self.played else [0]

    def apply_action(self, action: int) -> None:
        time.sleep(0.01)
        self.played = True

    def returns(self) -> list[float]:
        return [1.0, 0.0]

    def clone(self) -> Waits:
        copy = Waits()
        copy.played = self.played
        return copy

    def action_to_string(self, action: int) -> str:
        return "wait"

    def __str__(self) -> str:
        return "over" if self.played else "open"


def wait(workers: int, seconds: float = 60.0) -> None:
    """Prints how much of the time of so many workers goes into games."""
    games = int(workers * seconds / 0.02)
    players = [{"kind": "random", "name": name} for name in "ab"]
    waiting = {"name": "waiting", "game": "python:executors:Waits", "decks": games // 2, "player": players}
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(workers) as executor:
        first = {**waiting, "decks": workers * 5}
        evouct.run(first, Path(folder) / "first", progress=False, executor=executor)
        start, busy = time.perf_counter(), time.process_time()
        evouct.run(waiting, Path(folder) / "run", progress=False, executor=executor)
        took, busy = time.perf_counter() - start, time.process_time() - busy
    print(f"{workers:3} workers  {games:6} games  {games * 0.02 / took / workers:.3f} of their time in games, caller busy {busy / took:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--waiting", type=int, nargs="+")
    given = parser.parse_args()
    if given.waiting:
        for workers in given.waiting:
            wait(workers)
        return
    times: dict[str, list[tuple[float, float]]] = {}
    digests: set[str | None] = set()

    def measure(name: str, **more: Any) -> None:
        with tempfile.TemporaryDirectory() as folder:
            start, used = time.perf_counter(), processor(executor)
            digests.add(evouct.run(league(given.games), Path(folder) / "run", progress=False, **more).digest)
            times.setdefault(name, []).append((time.perf_counter() - start, processor(executor) - used))

    with ProcessPoolExecutor(given.workers) as executor:
        # The processes start, and import evouct.
        measure("first", executor=executor)
        for _ in range(given.rounds):
            measure("threads", threads=given.workers)
            measure("executor", executor=executor)
            measure("executor, replay=0", executor=executor, replay=0)
    assert len(digests) == 1
    best, least = map(min, zip(*times["threads"]))
    print(f"{given.games} games, {given.workers} workers, {best / given.games * given.workers * 1000:.1f} ms per game and thread")
    for name in ("threads", "executor", "executor, replay=0"):
        took, used = map(min, zip(*times[name]))
        print(f"{name:20} {took:7.2f} s  {best / took:.3f} of threads  {used:7.2f} processor s  {least / used:.3f} of threads")


if __name__ == "__main__":
    main()
