"""Carcassonne as a PettingZoo environment: ``env(...)`` with the usual wrappers, ``raw_env(...)`` without."""

from __future__ import annotations

import operator
from typing import Any, Literal

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ._native import Rules, State
from .observing import Encoding, Observed, observed
from .picture import RenderMode, rendered
from .spaces import action_space, observation_space

Agent = str


def env(**options: Any) -> AECEnv[Agent, Observed, int]:
    """The environment with the usual wrappers: an illegal action ends the game with -1 for its player."""
    wrapped: Any = raw_env(**options)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    ordered: AECEnv[Agent, Observed, int] = wrappers.OrderEnforcingWrapper(wrapped)
    return ordered


class raw_env(AECEnv[Agent, Observed, int]):
    """The environment without wrappers: an illegal action raises ``ValueError``."""

    metadata = {
        "name": "carcassonne_v0",
        "render_modes": ["human", "rgb_array", "ansi", "svg"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        rules: Rules | None = None,
        *,
        width: int | None = None,
        encoding: Encoding = "compact",
        reward: Literal["outcome", "margin", "rank", "score-delta"] = "outcome",
        render_mode: RenderMode | None = None,
    ) -> None:
        super().__init__()
        self.rules = Rules() if rules is None else rules
        self.width = self.rules.usual_width if width is None else width
        self.encoding: Encoding = encoding
        self.reward = reward
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.players)]
        self.agents: list[Agent] = []
        self._observation_space = observation_space(self.rules, self.width, encoding)
        actions = self.rules.action_count(self.width)
        self._action_spaces = {agent: action_space(actions) for agent in self.possible_agents}
        self._seed = 0
        self._state = State(self.rules, seed=0, width=self.width)

    def observation_space(self, agent: Agent) -> gymnasium.Space[Observed]:
        return self._observation_space

    def action_space(self, agent: Agent) -> gymnasium.Space[int]:
        return self._action_spaces[agent]

    @property
    def game(self) -> State:
        """The state of the game."""
        return self._state

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game on the deck that ``evouct play --seed`` deals; without a seed, the next one after the last seed."""
        if seed is not None:
            self._seed = seed
        else:
            self._seed += 1
        self._state = State(self.rules, seed=self._seed, width=self.width)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[Agent, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._state.player]

    def observe(self, agent: Agent) -> Observed:
        return observed(self._state, self.encoding, self.possible_agents.index(agent))

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("expected an action, found None")
        state = self._state
        before = state.scores if self.reward == "score-delta" else []
        state.apply(operator.index(action))
        self._cumulative_rewards[agent] = 0.0
        ended = state.phase == "end"
        if self.reward == "score-delta":
            given = [float(now - then) for now, then in zip(state.scores, before)]
        elif ended:
            given = state.rewards(self.reward)
        else:
            given = []
        if given:
            self.rewards = dict(zip(self.possible_agents, given))
            self._accumulate_rewards()
        if ended:
            self.terminations = dict.fromkeys(self.agents, state.terminated)
            self.truncations = dict.fromkeys(self.agents, state.truncated)
            self.infos = {agent: {"scores": state.scores} for agent in self.agents}
        self.agent_selection = self.possible_agents[state.player]
        if self.render_mode == "human":
            self.render()

    def render(self) -> None | NDArray[np.uint8] | str:
        return rendered(self._state, self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""
