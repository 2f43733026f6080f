"""Trains a small network, and enters search with it in a league against search with the same network untrained.

    python/.venv/bin/python python/examples/learn.py runs/learned

The network is NumPy: one hidden layer, a value in points, and a policy for what happens with a figure. First it learns values from random
games of a vector of environments. Then it plays against itself by `evouct.Search`, and learns the values of these games and the policies
of the searches. In the league both players are programs that speak the line protocol. They do not see the tile that comes next.

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

Array = NDArray[np.float64]

PLACE = dict(evouct.GLOBALS)
#: The decisions for a figure, the last ones of all actions.
FIGURES = 31
#: The inputs that describe the tile whose figure is decided: one for each plane of the encoding `features`.
PLANES = dict(evouct.FEATURES)["around"] + 1
#: Inputs are divided by these: tiles left, of both players figures, points and points if the game ended now, the lead, the phase, planes.
SCALES = np.array([72.0, *(2 * [7.0, 1.0, 1.0, 50.0, 50.0]), 30.0, 1.0, *(PLANES * [8.0])])
#: Points that count as 1 in the network.
POINTS = 30.0
LEAGUE = """
name = "learned"
about = "Search with a network that has learned, against the same search with the network untrained."
seed = 18
games_per_match = {decks}

[[player]]
name = "learned"
kind = "external"
command = {learned}
deterministic = true

[[player]]
name = "untrained"
kind = "external"
command = {untrained}
deterministic = true
"""


def inputs(boards: NDArray[np.uint8], numbers: NDArray[np.int16]) -> Array:
    """What the network sees of each position, from the encoding `features` and the numbers beside it."""
    left = numbers[:, [PLACE["tiles_left"]]] + (numbers[:, [PLACE["hand"]]] >= 0)
    of_players = numbers[:, -10:]
    lead = of_players[:, 4:5] - of_players[:, 9:10]
    is_figure = numbers[:, [PLACE["phase"]]] == 1
    x, y = np.maximum(numbers[:, PLACE["last_x"]], 0), np.maximum(numbers[:, PLACE["last_y"]], 0)
    placed = boards[np.arange(len(boards)), :, y, x] * is_figure
    seen: Array = np.hstack([left, of_players, lead, is_figure, placed]) / SCALES
    return seen


class Examples:
    """Positions with what they led to: inputs, the final margin of the player to act, masks of figures, and policies, 0 without one."""

    def __init__(self, rows: list[tuple[Array, float, Array, Array]]) -> None:
        self.inputs = np.array([row[0] for row in rows])
        self.margins = np.array([row[1] for row in rows]) / POINTS
        self.legal = np.array([row[2] for row in rows])
        self.policies = np.array([row[3] for row in rows])

    def __len__(self) -> int:
        return len(self.inputs)


class Network:
    """One hidden layer, a value and a policy."""

    def __init__(self, hidden: int = 64, seed: int = 1) -> None:
        random = np.random.default_rng(seed)
        self.weights: dict[str, Array] = {
            "hidden": random.normal(0.0, np.sqrt(2.0 / len(SCALES)), (len(SCALES), hidden)),
            "hidden_bias": np.zeros(hidden),
            "value": random.normal(0.0, np.sqrt(1.0 / hidden), hidden),
            "value_bias": np.zeros(1),
            "policy": random.normal(0.0, np.sqrt(1.0 / hidden), (hidden, FIGURES)),
            "policy_bias": np.zeros(FIGURES),
        }
        self.moments = {name: (np.zeros_like(array), np.zeros_like(array)) for name, array in self.weights.items()}
        self.steps = 0

    @classmethod
    def load(cls, path: Path) -> Network:
        """A network that was saved."""
        network = cls()
        network.weights = dict(np.load(path))
        return network

    def save(self, path: Path) -> None:
        """Writes the weights."""
        np.savez(path, **self.weights)  # type: ignore[arg-type]

    def forward(self, seen: Array) -> tuple[Array, Array, Array]:
        """The hidden layer, values, and logits of what happens with a figure."""
        of = self.weights
        hidden = np.maximum(seen @ of["hidden"] + of["hidden_bias"], 0.0)
        return hidden, hidden @ of["value"] + of["value_bias"], hidden @ of["policy"] + of["policy_bias"]

    def __call__(self, batch: evouct.Batch) -> tuple[Array, Array]:
        """The evaluator of a search: all places of a tile are alike to it, and figures are not."""
        assert batch.observation is not None and batch.globals is not None
        _, values, figures = self.forward(inputs(batch.observation, batch.globals))
        logits = np.zeros(batch.mask.shape)
        logits[:, -FIGURES:] = figures
        return batch.softmax(logits), POINTS * values

    def losses(self, examples: Examples) -> tuple[float, float]:
        """The mean squared error of the values, in squared points, and the mean cross-entropy of the policies where there is a choice, in
        bits."""
        _, values, logits = self.forward(examples.inputs)
        has_choice = examples.policies.any(axis=1) & (examples.legal.sum(axis=1) > 1)
        shares = softmax(logits, examples.legal)[has_choice]
        entropy = -np.sum(examples.policies[has_choice] * np.log2(np.maximum(shares, 1e-12)), axis=1)
        return float(POINTS**2 * np.mean((values - examples.margins) ** 2)), float(entropy.mean())

    def learn(self, examples: Examples, passes: int, seed: int, batch: int = 256, rate: float = 2e-3) -> None:
        """Adam (Kingma and Ba 2015) on the sum of both losses."""
        random = np.random.default_rng(seed)
        for _ in range(passes):
            order = random.permutation(len(examples))
            for rows in np.split(order, range(batch, len(order), batch)):
                self.step(examples, rows, rate)

    def step(self, examples: Examples, rows: NDArray[np.int64], rate: float) -> None:
        """One step downhill."""
        seen, targets = examples.inputs[rows], examples.policies[rows]
        hidden, values, logits = self.forward(seen)
        by_value = 2.0 * (values - examples.margins[rows]) / len(rows)
        by_logit = (softmax(logits, examples.legal[rows]) * targets.any(axis=1, keepdims=True) - targets) / len(rows)
        by_hidden = (np.outer(by_value, self.weights["value"]) + by_logit @ self.weights["policy"].T) * (hidden > 0.0)
        slopes = {
            "hidden": seen.T @ by_hidden,
            "hidden_bias": by_hidden.sum(axis=0),
            "value": hidden.T @ by_value,
            "value_bias": by_value.sum(keepdims=True),
            "policy": hidden.T @ by_logit,
            "policy_bias": by_logit.sum(axis=0),
        }
        self.steps += 1
        for name, slope in slopes.items():
            mean, square = self.moments[name]
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            unbiased = np.sqrt(square / (1.0 - 0.999**self.steps)) + 1e-8
            self.weights[name] = self.weights[name] - rate * mean / (1.0 - 0.9**self.steps) / unbiased


def softmax(logits: Array, legal: Array) -> Array:
    """Shares of what is legal; 0 in rows where nothing is."""
    weights = np.exp(logits - logits.max(axis=1, keepdims=True)) * legal
    shares: Array = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-12)
    return shares


def random_games(games: int, seed: int) -> Examples:
    """The positions of random games, without policies."""
    env = evouct.VectorEnv(games, seed=seed, encoding="features", reward="margin", copy=False)
    observed, infos = env.reset()
    rows, places, players = [], [], []
    ended, margins = np.zeros(games, bool), np.zeros((games, 2))
    while not ended.all():
        plays = np.flatnonzero(~ended)
        rows.append(inputs(observed["board"][plays], observed["globals"][plays]))
        places.append(plays)
        players.append(infos["player"][plays])
        observed, rewards, terminated, truncated, infos = env.step_randomly()
        # Only the first game of each environment counts: the next one begins by itself.
        ends = ~ended & (terminated | truncated)
        margins[ends] = rewards[ends]
        ended |= ends
    outcomes = margins[np.concatenate(places), np.concatenate(players)]
    nothing = np.zeros(FIGURES)
    return Examples([(seen, margin, nothing, nothing) for seen, margin in zip(np.concatenate(rows), outcomes, strict=True)])


def search(network: Network, state: evouct.State, seed: int) -> evouct.Search:
    """The search of all players here. Figures differ by few points, so that it explores little."""
    return evouct.Search(state, network, c=3.0, encoding="features", reward="margin", seed=seed)


def own_games(network: Network, games: int, iterations: int, seed: int) -> Examples:
    """Games of the search against itself: in the first half of a game an action is drawn by its visits."""
    rows = []
    for game in range(games):
        random = np.random.default_rng((seed, game))
        state = evouct.State(seed=seed + game)
        seen = []
        while state.phase != "end":
            if state.phase == "tile":
                searching = search(network, state, game)
            found = searching.run(iterations)
            mask = state.action_mask()[-FIGURES:].astype(float)
            policy = found.policy()[-FIGURES:]
            seen.append((inputs(state.observation("features")[None], state.globals()[None])[0], mask, policy, state.player))
            action = int(random.choice(len(mask) + 4 * state.width**2, p=found.policy())) if state.tiles_left > 36 else found.action
            if state.phase == "tile":
                # The figure is decided next, without chance between: what is known of it is kept.
                searching.advance(action)
            state.apply(action)
        margins = state.rewards("margin")
        rows += [(features, margins[player], mask, policy) for features, mask, policy, player in seen]
    return Examples(rows)


def train(folder: Path, random: int, games: int, iterations: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """Trains a network and writes it, beside the one before. Returns the losses of both on games that they have not seen."""
    start = time.process_time()
    network = Network()
    network.save(folder / "untrained.npz")
    positions = random_games(random, seed=1)
    network.learn(positions, passes=3, seed=1)
    own = own_games(network, games, iterations, seed=10_001)
    test = own_games(network, max(1, games // 5), iterations, seed=20_001)
    network.learn(own, passes=30, seed=2, rate=1e-3)
    network.save(folder / "learned.npz")
    before, after = Network().losses(test), network.losses(test)
    print(f"learned from {len(positions)} positions of {random} random games, then from {len(own)} of {games} games against itself,")
    print(f"in {time.process_time() - start:.0f} s of processor time; on {len(test)} positions of other games, untrained and learned:")
    print(f"squared error of values {before[0]:.0f} and {after[0]:.0f} points², cross-entropy of policies {before[1]:.2f} and {after[1]:.2f} bits")
    return before, after


def play(path: Path, iterations: int) -> None:
    """Plays by the line protocol."""
    network = Network.load(path)

    def choose(state: evouct.State) -> tuple[int, int]:
        searching = search(network, state, 1)
        tile = searching.run(iterations).action
        searching.advance(tile)
        return tile, searching.run(iterations).action

    external.serve(choose, path.stem)


def report(folder: Path) -> None:
    """Prints the result of the league."""
    from scipy import stats

    run = evouct.read_run(folder)
    own = run.seats[run.seats["player"] == "learned"]
    won, drawn = int((own["difference"] > 0).sum()), int((own["difference"] == 0).sum())
    decks = own.groupby("deck")["difference"].mean().to_numpy(float)
    faults = int((run.games["ended"] == "fault").sum())
    print(f"won {won} and drew {drawn} of {len(own)} games against the untrained network; faults: {faults}")
    if len(decks) > 1:
        reach = stats.t.ppf(0.975, len(decks) - 1) * decks.std(ddof=1) / np.sqrt(len(decks))
        print(f"margin {decks.mean():.1f}, 95 % interval {decks.mean() - reach:.1f} to {decks.mean() + reach:.1f}")
        print(f"unit: deck, {len(decks)} of them; t test of the margin: p = {stats.ttest_1samp(decks, 0.0).pvalue:.1g}")


def main(arguments: list[str] | None = None) -> None:
    """Trains, plays, and prints the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the networks and the league are written")
    parser.add_argument("--random", type=int, default=300, help="random games to learn from")
    parser.add_argument("--games", type=int, default=60, help="games against itself to learn from")
    parser.add_argument("--iterations", type=int, default=32, help="iterations of the search for each decision")
    parser.add_argument("--decks", type=int, default=20, help="decks in the league, two games on each")
    parser.add_argument("--play", type=Path, help="play with the network of this file, by the line protocol")
    given = parser.parse_args(arguments)
    if given.play:
        play(given.play, given.iterations)
        return
    given.folder.mkdir(parents=True, exist_ok=True)
    train(given.folder, given.random, given.games, given.iterations)
    program = [sys.executable, str(Path(__file__).resolve()), str(given.folder.resolve()), "--iterations", str(given.iterations), "--play"]
    commands = {name: json.dumps([*program, str(given.folder.resolve() / f"{name}.npz")]) for name in ("learned", "untrained")}
    league = given.folder / "league.toml"
    league.write_text(LEAGUE.format(decks=given.decks, **commands), encoding="utf-8")
    report(evouct.run(league, given.folder / "league").folder)


if __name__ == "__main__":
    main()
