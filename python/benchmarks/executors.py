"""Games per second on the processes of an executor beside as many threads:

    python python/benchmarks/executors.py --workers 2 --games 600 --rounds 3

The sides take turns; the table has the best time of each, of a league of UCT in Carcassonne whose games take about 20 ms.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import evouct


def league(games: int) -> dict[str, Any]:
    player = {"kind": "mcts", "iterations": 117}
    return {"name": "short", "seed": 1, "decks": games // 2, "player": [player, {**player, "k": 1.0}]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    times: dict[str, list[float]] = {}
    digests = set()

    def measure(name: str, **more: Any) -> None:
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            digests.add(evouct.run(league(given.games), Path(folder) / "run", progress=False, **more).digest)
            times.setdefault(name, []).append(time.perf_counter() - start)

    with ProcessPoolExecutor(given.workers) as executor:
        # The processes start, and import evouct.
        measure("first", executor=executor)
        for _ in range(given.rounds):
            measure("threads", threads=given.workers)
            measure("executor", executor=executor)
            measure("executor, replay=0", executor=executor, replay=0)
    assert len(digests) == 1
    best = min(times["threads"])
    print(f"{given.games} games, {given.workers} workers, {best / given.games * given.workers * 1000:.1f} ms per game and thread")
    for name in ("threads", "executor", "executor, replay=0"):
        print(f"{name:20} {min(times[name]):7.2f} s  {best / min(times[name]):.3f} of threads")


if __name__ == "__main__":
    main()
