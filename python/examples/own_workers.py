"""Evolves with processes that this script starts, in place of the threads of evouct: python own_workers.py evolution.toml"""

import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor

import evouct


def main() -> None:
    # Processes that are forked from one with threads may hang.
    workers = ProcessPoolExecutor(2, multiprocessing.get_context("spawn"))
    with workers, evouct.Evolution(sys.argv[1], "runs/own-workers") as evolution:
        while asked := evolution.ask():
            evolution.tell(list(workers.map(evouct.Measurement.play, asked)))
            print(f"{asked[0].purpose}: told {len(asked)} values of stage {asked[0].stage}")
        print(evolution.result().headline)


if __name__ == "__main__":
    main()
