"""Carcassonne for one agent as an environment of ``dm_env``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import dm_env
import numpy as np
from dm_env import specs
from numpy.typing import NDArray

from ._native import Rules, State
from .action_vector import ActionVector
from .observing import Encoding, Observed
from .one_seat import Actions, OneSeat, Opponent, Reward


class Environment(dm_env.Environment):
    """The agent has one seat, and the opponents the others, in the order of the seats after it: the game of
    ``evouct.gym.CarcassonneEnv``, with the same options.

    The agent's seat is ``seat``, or drawn for each game if it is None. Decks and seats follow from ``seed``: episode *i* plays the deck
    of ``evouct play --seed`` with ``seed + i``. An illegal action ends the episode with the reward -1. The discount is 0 at the end of
    a game, and 1 where an episode is truncated since the board has left the window. With ``actions="vector"`` actions are vectors of six
    numbers, and observations have the ``vector_mask``; ``action_vector`` converts both ways."""

    def __init__(
        self,
        opponents: Sequence[Opponent] = ("random",),
        rules: Rules | None = None,
        *,
        seed: int = 0,
        seat: int | None = None,
        width: int | None = None,
        encoding: Encoding = "compact",
        reward: Reward = "outcome",
        actions: Actions = "number",
    ) -> None:
        self._seated = OneSeat(opponents, rules, seat=seat, width=width, encoding=encoding, reward=reward, actions=actions)
        self.rules, self.width = self._seated.rules, self._seated.width
        self._rng = np.random.default_rng(seed)
        self._deck = seed

    @property
    def game(self) -> State:
        """The state of the game."""
        return self._seated.state

    @property
    def action_vector(self) -> ActionVector | None:
        """What converts vectors to numbers of actions and back; None where actions are numbers."""
        return self._seated.vector

    @property
    def seat(self) -> int:
        """The agent's seat in this episode, from 0."""
        return self._seated.seat

    def reset(self) -> dm_env.TimeStep:
        """Begins the next episode."""
        seated, deck = self._seated, self._deck
        self._deck = (deck + 1) % 2**63
        own = int(self._rng.integers(self.rules.players)) if seated.fixed_seat is None else seated.fixed_seat
        seated.begin(deck, own)
        return dm_env.restart(seated.observation())

    def step(self, action: int | NDArray[np.int64]) -> dm_env.TimeStep:
        """Takes an action; the opponents then play until the agent is to act, or the game is over. Before the first ``reset`` and after
        the end of an episode it begins the next one, and the action is not looked at."""
        seated = self._seated
        if not seated.is_running:
            return self.reset()
        reward, terminated, truncated, _ = seated.act(action)
        observation = seated.observation()
        if terminated:
            return dm_env.termination(reward, observation)
        return dm_env.truncation(reward, observation) if truncated else dm_env.transition(reward, observation)

    def observation_spec(self) -> dict[str, specs.BoundedArray]:
        """What an observation has, by name: ``observation``, ``globals``, ``action_mask``, and ``vector_mask`` for vectors."""
        bounds = {"observation": (0, 255), "globals": (-1, 32_767), "action_mask": (0, 1), "vector_mask": (0, 1)}
        seen: Observed = self._seated.observation()
        return {name: specs.BoundedArray(array.shape, array.dtype, *bounds[name], name) for name, array in seen.items()}

    def action_spec(self) -> Any:
        """The actions: numbers, or vectors of six numbers."""
        vector = self._seated.vector
        if vector is None:
            return specs.DiscreteArray(self.rules.action_count(self.width), np.int64, "action")
        return specs.BoundedArray((6,), np.int64, 0, vector.sizes - 1, "action")
