"""Many environments that step together."""

from __future__ import annotations

from enum import Enum
from typing import Any, Literal, Sequence, TypeVar

import numpy as np
from numpy.typing import NDArray

from ._native import Rules, VectorCore

_T = TypeVar("_T", bound=np.generic)

Observation = dict[str, NDArray[Any]]
Step = tuple[Observation, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, NDArray[Any]]]


class VectorEnv:
    """``n`` games side by side, each with all its players: at most 65,536.

    An observation is that of the player to act in each game: ``board``, ``action_mask`` and ``globals``. Rewards have one column per
    player. ``infos`` has the player to act, the scores, and the actions that were taken.

    With ``copy=False`` the arrays that a step returns are read-only views of the memory that the next step writes: nothing is copied.
    Environment ``i`` has the seed ``seed + i``; the number of threads, at most 1024, changes no result. A process that is forked from
    the one that made the environments starts threads of its own.

    ``autoreset_mode`` is as in Gymnasium: ``"next-step"``, ``"same-step"`` (the observation is of the next episode, ``scores`` of the one
    that ended; ``final_observation`` has its last observation) or ``"disabled"`` (``reset`` with a mask begins the next episodes); or a
    ``gymnasium.vector.AutoresetMode``. ``evouct.gym.SelfPlayVectorEnv`` is a ``gymnasium.vector.VectorEnv`` of these games.
    """

    def __init__(
        self,
        n: int,
        rules: Rules | None = None,
        threads: int = 1,
        *,
        seed: int = 0,
        width: int | None = None,
        encoding: Literal["compact", "planes", "pairs", "features"] = "compact",
        reward: Literal["outcome", "margin", "rank", "score-delta"] = "outcome",
        copy: bool = True,
        autoreset_mode: Literal["next-step", "same-step", "disabled"] | Enum = "next-step",
    ) -> None:
        self.rules = Rules() if rules is None else rules
        self.width = self.rules.usual_width if width is None else width
        self.action_count = self.rules.action_count(self.width)
        # Gymnasium writes NEXT_STEP where the package writes next-step.
        mode = autoreset_mode.name.lower().replace("_", "-") if isinstance(autoreset_mode, Enum) else autoreset_mode
        self.autoreset_mode = mode
        self._copy = copy
        self._core = VectorCore(self.rules, n, seed, self.width, encoding, reward, mode, threads)
        self.num_envs: int = len(self._core.players)
        core = self._core
        self._observation: Observation = {
            "board": _view(core.boards),
            "action_mask": _view(core.masks),
            "globals": _view(core.globals),
        }
        self._infos: dict[str, NDArray[Any]] = {
            "player": _view(core.players),
            "scores": _view(core.scores),
            "action": _view(core.actions),
        }
        self._rest = (_view(core.rewards), _view(core.terminated), _view(core.truncated))
        self._final: Observation = {
            "board": _view(core.final_boards),
            "action_mask": _view(core.final_masks),
            "globals": _view(core.final_globals),
        }
        self._final_player = _view(core.final_players)

    @property
    def final_observation(self) -> Observation:
        """With ``"same-step"``: where the last step has ended an episode, the last observation of that episode. What the other environments
        have there means nothing. These are views, which later steps write."""
        self._need_same_step()
        return self._final

    @property
    def final_player(self) -> NDArray[np.int8]:
        """The player that sees ``final_observation``."""
        self._need_same_step()
        return self._final_player

    def _need_same_step(self) -> None:
        if self.autoreset_mode != "same-step":
            raise ValueError(f"final observations are kept with same-step, not with {self.autoreset_mode}")

    def reset(
        self, *, seed: int | Sequence[int] | None = None, mask: NDArray[np.bool_] | None = None
    ) -> tuple[Observation, dict[str, NDArray[Any]]]:
        """Begins an episode in each environment, or in each one that ``mask`` names: with these seeds, with the seeds from one on, or the
        next one of each. The first episode of environment ``i`` is that of ``seed + i``. What ``mask`` does not name goes on, and its
        part of the result is that of the last step."""
        self._core.reset(seed, None if mask is None else np.ascontiguousarray(mask))
        observation, _, _, _, infos = self._result()
        return observation, infos

    def step(self, actions: NDArray[np.integer[Any]] | Sequence[int]) -> Step:
        """Takes one action in each environment. An illegal action is an error that names the environment. Actions are whole numbers:
        nothing is rounded."""
        self._core.step(_whole_numbers(actions, self.num_envs, self.action_count))
        return self._result()

    def step_randomly(self) -> Step:
        """Takes a legal action at random in each environment, each equally likely; ``infos["action"]`` has them."""
        self._core.step_randomly()
        return self._result()

    def _result(self) -> Step:
        rewards, terminated, truncated = self._rest
        if not self._copy:
            return self._observation, rewards, terminated, truncated, self._infos
        observation = {name: array.copy() for name, array in self._observation.items()}
        infos = {name: array.copy() for name, array in self._infos.items()}
        return observation, rewards.copy(), terminated.copy(), truncated.copy(), infos

    def close(self) -> None:
        """There is nothing to close."""


def _whole_numbers(actions: NDArray[np.integer[Any]] | Sequence[int], count: int, known: int) -> NDArray[np.int32]:
    """One action for each environment, as the native part takes them."""
    given = np.asarray(actions)
    if given.ndim != 1 or len(given) != count:
        found = len(given) if given.ndim == 1 else f"an array of the shape {given.shape}"
        raise ValueError(f"expected {count} actions, found {found}")
    if given.dtype.kind not in "iu":
        raise TypeError(f"expected whole numbers as actions, found {given.dtype}")
    limits = np.iinfo(np.int32)
    for place in np.flatnonzero((given < limits.min) | (given > limits.max))[:1]:
        raise ValueError(f"environment {place}: there is no decision {given[place]}; the highest is {known - 1}")
    # A copy, because the array may be one that the step writes.
    return np.array(given, dtype=np.int32, order="C")


def _view(array: NDArray[_T]) -> NDArray[_T]:
    """A view that cannot be written through: the next step relies on what the last one has written."""
    view = array.view()
    view.flags.writeable = False
    return view
