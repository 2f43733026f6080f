"""Measures decisions per second: ``python -m evouct.bench``. A decision is a tile or a figure."""

from __future__ import annotations

import argparse
import time
from typing import Callable

import numpy as np

from . import Rules, State, VectorEnv


def measured(work: Callable[[], int], seconds: float, clock: Callable[[], float]) -> float:
    """Decisions per second of the clock, after one call that is not counted."""
    work()
    start, done = clock(), 0
    while clock() - start < seconds:
        done += work()
    return done / (clock() - start)


def vector(rules: Rules, encoding: str, n: int, threads: int) -> Callable[[], int]:
    """Steps of a vector environment, mask and observation written, actions drawn natively."""
    env = VectorEnv(n, rules, threads, width=25, encoding=encoding, copy=False, autoreset_mode="same-step")  # type: ignore[arg-type]
    env.reset(seed=1)
    # So that the games are not all at the same turn.
    for _ in range(150):
        env.step_randomly()

    def work() -> int:
        for _ in range(10):
            env.step_randomly()
        return 10 * n

    return work


def state(rules: Rules) -> Callable[[], int]:
    """Games driven from Python, mask and compact observation written for each decision."""
    first = State(rules, seed=1, width=25)
    board, mask, numbers = first.observation(), first.action_mask(), first.globals()

    def work() -> int:
        game = State(rules, seed=1, width=25)
        done = 0
        while game.phase != "end":
            game.observe_into("compact", game.player, board, mask, numbers)
            game.apply(game.random_action())
            done += 1
        return done

    return work


def aec(rules: Rules) -> Callable[[], int]:
    """Games of PettingZoo without wrappers, as its documentation drives them; the action is the first legal one or passes on."""
    from .carcassonne_v0 import raw_env

    env = raw_env(rules, width=25)

    def work() -> int:
        env.reset(seed=1)
        done = 0
        for _ in env.agent_iter():
            observed, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            assert observed is not None
            env.step(int(np.argmax(observed["action_mask"])))
            done += 1
        return done

    return work


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="time for each line")
    parser.add_argument("--environments", type=int, default=1024)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    base = Rules()
    everything = Rules(2, ["river", "inns-and-cathedrals", "abbots"])
    n, threads = given.environments, given.threads
    lines: list[tuple[str, Callable[[], Callable[[], int]]]] = [
        (f"vector of {n}, compact", lambda: vector(base, "compact", n, threads)),
        (f"vector of {n}, planes", lambda: vector(base, "planes", n, threads)),
        (f"vector of {n}, pairs", lambda: vector(base, "pairs", n, threads)),
        (f"vector of {n}, features", lambda: vector(base, "features", n, threads)),
        (f"vector of {n}, compact, all expansions", lambda: vector(everything, "compact", n, threads)),
        ("State from Python, compact", lambda: state(base)),
        ("PettingZoo AEC, compact", lambda: aec(base)),
    ]
    # With one thread, processor time: other programs on the machine do not count.
    clock, of = (time.thread_time, "processor time") if threads == 1 else (time.perf_counter, "wall time")
    print(f"decisions per second of {of}, W = 25, threads: {threads}")
    for name, make in lines:
        try:
            work = make()
        except ImportError as missing:
            print(f"{name:42} left out: {missing}")
            continue
        print(f"{name:42} {measured(work, given.seconds, clock):12,.0f}")


if __name__ == "__main__":
    main()
