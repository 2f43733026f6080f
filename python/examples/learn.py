"""Trains a small agent, and enters it in a league against `random`, as a program that speaks the line protocol.

    python/.venv/bin/python python/examples/learn.py runs/learned

The agent learns what a position is worth from random games of a vector of environments: a network with one hidden layer (scikit-learn)
predicts the final margin of the player to act from numbers of the position. It plays the turn after which the other player's margin is
predicted lowest. It does not see the tile that comes next. In the league it needs NumPy only.

The last lines are the result. Every deck is played twice with the seats swapped, and the deck is the unit of the interval.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import evouct
from evouct import external

PLACE = dict(evouct.GLOBALS)
#: How often the network sees each position.
PASSES = 10
LEAGUE = """
name = "learned"
about = "An agent that learned from random games, against random play."
seed = 18
games_per_match = {decks}

[[player]]
name = "learned"
kind = "external"
command = {command}
deterministic = true

[[player]]
name = "random"
kind = "random"
"""


def features(numbers: NDArray[np.int16]) -> NDArray[np.float64]:
    """Of each row: the tiles left with the one in hand, and for both players figures, points, and points if the game ended now."""
    left = numbers[:, [PLACE["tiles_left"]]] + (numbers[:, [PLACE["hand"]]] >= 0)
    of_players = numbers[:, -10:]
    lead = of_players[:, 3:5] - of_players[:, 8:10]
    return np.hstack([left, of_players, lead]).astype(np.float64)


def examples(games: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Positions at the start of turns of random games, and the final margin of the player to act."""
    env = evouct.VectorEnv(games, seed=seed, reward="margin", copy=False)
    observed, infos = env.reset()
    rows, places, players = [], [], []
    ended, margins = np.zeros(games, bool), np.zeros((games, 2))
    while not ended.all():
        begins = np.flatnonzero(~ended & (observed["globals"][:, PLACE["phase"]] == 0))
        rows.append(features(observed["globals"][begins]))
        places.append(begins)
        players.append(infos["player"][begins])
        observed, rewards, terminated, truncated, infos = env.step_randomly()
        # Only the first game of each environment counts: the next one begins by itself.
        ends = ~ended & (terminated | truncated)
        margins[ends] = rewards[ends]
        ended |= ends
    return np.concatenate(rows), margins[np.concatenate(places), np.concatenate(players)]


def train(games: int, path: Path) -> None:
    """Learns from this number of games, and writes the network with the scales of its inputs."""
    from sklearn.neural_network import MLPRegressor

    start = time.process_time()
    inputs, outputs = examples(games, seed=1)
    mean, scale = inputs.mean(axis=0), inputs.std(axis=0) + 1e-9
    model = MLPRegressor(hidden_layer_sizes=(32,), random_state=1)
    for _ in range(PASSES):
        model.partial_fit((inputs - mean) / scale, outputs)
    weights = {f"weights{layer}": array for layer, array in enumerate(model.coefs_)}
    biases = {f"biases{layer}": array for layer, array in enumerate(model.intercepts_)}
    np.savez(path, mean=mean, scale=scale, **weights, **biases)
    print(f"learned from {len(inputs)} positions of {games} games in {time.process_time() - start:.0f} s of processor time")


class Agent:
    """Plays the turn with the best prediction."""

    def __init__(self, path: Path) -> None:
        self.network = dict(np.load(path))

    def predicted(self, inputs: NDArray[np.float64]) -> NDArray[np.float64]:
        """The margins that the network predicts."""
        of = self.network
        hidden = np.maximum((inputs - of["mean"]) / of["scale"] @ of["weights0"] + of["biases0"], 0)
        margins: NDArray[np.float64] = (hidden @ of["weights1"] + of["biases1"]).ravel()
        return margins

    def choose(self, state: evouct.State) -> tuple[int, int]:
        """The two actions of a turn."""
        turns, rows = [], []
        other = 1 - state.player
        for tile in state.legal_actions():
            placed = state.clone()
            placed.apply(tile)
            for figure in placed.legal_actions():
                after = placed.clone()
                after.apply(figure)
                turns.append((int(tile), int(figure)))
                rows.append(after.globals(other))
        return turns[int(np.argmin(self.predicted(features(np.stack(rows)))))]


def report(folder: Path) -> None:
    """Prints the result of the league."""
    from scipy import stats

    run = evouct.read_run(folder)
    own = run.seats[run.seats["player"] == "learned"]
    won, drawn = int((own["difference"] > 0).sum()), int((own["difference"] == 0).sum())
    decks = own.groupby("deck")["difference"].mean().to_numpy()
    error = decks.std(ddof=1) / np.sqrt(len(decks))
    reach = stats.t.ppf(0.975, len(decks) - 1) * error
    print(f"won {won} and drew {drawn} of {len(own)} games against random; faults: {int((run.games['ended'] == 'fault').sum())}")
    print(f"margin {decks.mean():.1f}, 95 % interval {decks.mean() - reach:.1f} to {decks.mean() + reach:.1f}")
    print(f"unit: deck, {len(decks)} of them; t test of the margin: p = {stats.ttest_1samp(decks, 0.0).pvalue:.1g}")


def main() -> None:
    """Trains, plays, and prints the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the network and the league are written")
    parser.add_argument("--training", type=int, default=1000, help="games to learn from")
    parser.add_argument("--decks", type=int, default=50, help="decks in the league, two games on each")
    parser.add_argument("--play", action="store_true", help="play with the network of the folder, by the line protocol")
    given = parser.parse_args()
    network = given.folder / "network.npz"
    if given.play:
        external.serve(Agent(network).choose, "learned")
        return
    given.folder.mkdir(parents=True, exist_ok=True)
    train(given.training, network)
    command = json.dumps([sys.executable, str(Path(__file__).resolve()), str(given.folder.resolve()), "--play"])
    league = given.folder / "league.toml"
    league.write_text(LEAGUE.format(decks=given.decks, command=command), encoding="utf-8")
    report(evouct.run(league, given.folder / "league"))


if __name__ == "__main__":
    main()
