"""A player of evouct in Python: plays a random legal move, with a figure if it can. Protocol: docs/reference/protocol.md."""

import random
import sys


def value(move):
    """What can be seen in the word of a move: a move with a figure has a colon (`V@1,1r0:rN`), fields score last."""
    _, _, figure = move.partition(":")
    order = {"c": 3, "m": 3, "r": 2, "f": 1}
    return order.get(figure[:1], 0)


def main():
    rng, legal = random.Random(0), []
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "evouct":
            print("id name Figures first (Python)")
            print("ready", flush=True)
        elif word == "newgame":
            options = dict(option.split("=") for option in rest.split()[1:])
            rng = random.Random(int(options["seed"]))
        elif word == "legal":
            legal = rest.split()
        elif word == "go":
            best = max(map(value, legal))
            move = rng.choice([move for move in legal if value(move) == best])
            print("move", move, flush=True)
        elif word == "quit":
            break


if __name__ == "__main__":
    main()
