"""Environments of Gymnasium, which ``import evouct.gym`` registers.

``gymnasium.make("evouct/Carcassonne-v0", opponents=[...])`` is Carcassonne for one agent, and ``gymnasium.make_vec`` makes several of it.
``gymnasium.make_vec("evouct/CarcassonneSelfPlay-v0", num_envs=1024)`` is many games that step together natively, in which one agent plays
all seats.
"""

from __future__ import annotations

from typing import Any, Literal, Sequence

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ._native import Rules, State
from .action_vector import ActionVector
from .observing import Encoding, Observed
from .one_seat import Actions, OneSeat, Opponent, Reward
from .picture import RenderMode, rendered
from .spaces import action_space, observation_space, vector_space
from .vector import Observation, VectorEnv


class CarcassonneEnv(gymnasium.Env[Observed, int | NDArray[np.int64]]):
    """The agent has one seat, and the opponents the others, in the order of the seats after it.

    The agent's seat is ``seat``, or drawn for each game if it is None. An illegal action ends the episode with the reward -1 and
    ``info["illegal"]``. A step before the first reset or after the end is an error. With ``actions="vector"`` actions are vectors of
    the space ``MultiDiscrete``, and observations have the ``vector_mask``; ``action_vector`` converts both ways.
    """

    metadata = {"render_modes": ["human", "rgb_array", "ansi", "svg"], "render_fps": 2}

    def __init__(
        self,
        opponents: Sequence[Opponent] = ("random",),
        rules: Rules | None = None,
        *,
        seat: int | None = None,
        width: int | None = None,
        encoding: Encoding = "compact",
        reward: Reward = "outcome",
        actions: Actions = "number",
        render_mode: RenderMode | None = None,
    ) -> None:
        self._seated = OneSeat(opponents, rules, seat=seat, width=width, encoding=encoding, reward=reward, actions=actions)
        self.rules, self.width, self.opponents = self._seated.rules, self._seated.width, self._seated.opponents
        self.encoding, self.reward = encoding, reward
        self.render_mode = render_mode
        vector = self._seated.vector
        self.observation_space = observation_space(self.rules, self.width, encoding, vector)
        space: Any = action_space(self.rules.action_count(self.width)) if vector is None else vector_space(vector)
        self.action_space = space

    @property
    def game(self) -> State:
        """The state of the game."""
        return self._seated.state

    @property
    def action_vector(self) -> ActionVector | None:
        """What converts vectors to numbers of actions and back; None where actions are numbers."""
        return self._seated.vector

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Begins a game. With a seed, its deck is the one that ``evouct play --seed`` deals."""
        super().reset(seed=seed)
        seated = self._seated
        seated.is_running = False
        deck = seed if seed is not None else int(self.np_random.integers(2**62))
        own = int(self.np_random.integers(self.rules.players)) if seated.fixed_seat is None else seated.fixed_seat
        seated.begin(deck, own)
        return seated.observation(), self._info()

    def step(self, action: int | NDArray[np.int64]) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """Takes an action; the opponents then play until the agent is to act, or the game is over."""
        seated = self._seated
        if not seated.is_running:
            raise gymnasium.error.ResetNeeded("no episode is in progress; call reset")
        reward, terminated, truncated, illegal = seated.act(action)
        info = {**self._info(), "illegal": True} if illegal else self._info()
        if self.render_mode == "human" and not illegal:
            self.render()
        return seated.observation(), reward, terminated, truncated, info

    def _info(self) -> dict[str, Any]:
        return {"seat": self._seated.seat, "scores": self._seated.state.scores}

    def render(self) -> None | NDArray[np.uint8] | str:
        """The board in the form that ``render_mode`` names."""
        return rendered(self._seated.state, self.render_mode)


class SelfPlayVectorEnv(gymnasium.vector.VectorEnv[Observed, NDArray[np.int64], NDArray[Any]]):
    """Many games that step together, as ``evouct.VectorEnv``, in the form of Gymnasium: one agent plays all seats.

    The observation is that of the player to act, and the reward that of the player who has acted. ``infos`` has the player to act, the
    ``scores`` and ``rewards`` of all players. With ``AutoresetMode.SAME_STEP`` it has ``final_obs`` and ``final_info``, and with
    ``AutoresetMode.DISABLED`` the option ``reset_mask`` of ``reset`` begins the next episode of some environments. An illegal action is a
    ``ValueError`` that names the environment: ``action_mask`` has the legal ones.

    With ``copy=False`` observations, terminations and truncations are read-only views of the memory that the next step writes. With
    ``actions="vector"`` actions are vectors, as in ``CarcassonneEnv``.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        rules: Rules | None = None,
        threads: int = 1,
        *,
        width: int | None = None,
        encoding: Encoding = "compact",
        reward: Literal["outcome", "margin", "rank", "score-delta"] = "outcome",
        copy: bool = True,
        actions: Actions = "number",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        if actions not in ("number", "vector"):
            raise ValueError(f"actions: expected number or vector, found {actions!r}")
        mode = AutoresetMode(autoreset_mode)
        self._games = VectorEnv(
            num_envs, rules, threads, width=width, encoding=encoding, reward=reward, copy=copy, autoreset_mode=mode
        )
        self.metadata = {**self.metadata, "autoreset_mode": mode}
        self.num_envs = self._games.num_envs
        self.rules = self._games.rules
        #: What converts vectors to numbers of actions and back; None where actions are numbers.
        self.action_vector = vector = ActionVector(self._games.width) if actions == "vector" else None
        self.single_observation_space = observation_space(self.rules, self._games.width, encoding, vector)
        space: Any = action_space(self._games.action_count) if vector is None else vector_space(vector)
        self.single_action_space = space
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        #: The player to act in each environment; none before the first reset.
        self._player: NDArray[np.int8] | None = None
        #: The legal actions in each environment.
        self._mask = np.zeros((self.num_envs, self._games.action_count), np.int8)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Begins an episode in each environment, or in those of ``options["reset_mask"]``, an array of booleans. Environment ``i`` plays
        the deck of ``seed + i``; without a seed, the next one, and the first is drawn."""
        super().reset(seed=seed if seed is None or isinstance(seed, int) else None)
        if seed is None and self._player is None:
            seed = int(self.np_random.integers(2**62))
        mask = (options or {}).get("reset_mask")
        if mask is not None and not (isinstance(mask, np.ndarray) and mask.dtype == np.bool_ and mask.shape == (self.num_envs,)):
            raise ValueError(f"options: expected an array of {self.num_envs} booleans as reset_mask")
        observation, infos = self._games.reset(seed=seed, mask=mask)
        self._player = infos["player"].copy()
        begun = np.ones(self.num_envs, bool) if mask is None else mask.copy()
        rewards = np.zeros((self.num_envs, self.rules.players), np.float32)
        self._mask = observation["action_mask"]
        return self._named(observation), _batched(begun, player=infos["player"], scores=infos["scores"], rewards=rewards)

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observed, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Takes one action in each environment. With ``AutoresetMode.NEXT_STEP`` the action of one whose episode has ended is not looked
        at."""
        if self._player is None:
            raise gymnasium.error.ResetNeeded("no episode is in progress; call reset")
        mover = self._player
        if self.action_vector is not None:
            actions = self.action_vector.number(actions, self._mask)
        observation, rewards, terminated, truncated, infos = self._games.step(actions)
        self._mask = observation["action_mask"]
        self._player = infos["player"].copy()
        ended, every = terminated | truncated, np.ones(self.num_envs, bool)
        player, scores = infos["player"], infos["scores"]
        of_mover = rewards[np.arange(self.num_envs), mover]
        if self.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP and ended.any():
            of_last = _batched(ended, player=self._games.final_player, scores=scores, rewards=rewards)
            final = np.full(self.num_envs, None, object)
            for place in np.flatnonzero(ended):
                final[place] = {name: array[place].copy() for name, array in self._named(self._games.final_observation).items()}
            # Nothing has been scored in the episodes that have begun.
            begun = {name: _where(~ended, array) for name, array in {"scores": scores, "rewards": rewards}.items()}
            finals = {"final_obs": final, "_final_obs": ended, "final_info": of_last, "_final_info": ended}
            batched = {**_batched(every, player=player, **begun), **finals}
        else:
            batched = _batched(every, player=player, scores=scores, rewards=rewards)
        return self._named(observation), of_mover, terminated, truncated, batched

    def _named(self, observation: Observation) -> Observed:
        """An observation with the names that single environments have."""
        mask = observation["action_mask"]
        named = {"observation": observation["board"], "globals": observation["globals"], "action_mask": mask}
        return named if self.action_vector is None else {**named, "vector_mask": self.action_vector.masks(mask)}


def _where(which: NDArray[np.bool_], array: NDArray[Any]) -> NDArray[Any]:
    """The entries of the environments that ``which`` names, and zeros."""
    return np.where(which if array.ndim == 1 else which[:, None], array, array.dtype.type(0))


def _batched(which: NDArray[np.bool_], **infos: NDArray[Any]) -> dict[str, Any]:
    """Infos as Gymnasium batches them: each with a mask of the environments that have it."""
    return {**{name: _where(which, array) for name, array in infos.items()}, **{f"_{name}": which for name in infos}}


gymnasium.register(id="evouct/Carcassonne-v0", entry_point="evouct.gym:CarcassonneEnv")
gymnasium.register(id="evouct/CarcassonneSelfPlay-v0", vector_entry_point="evouct.gym:SelfPlayVectorEnv")
