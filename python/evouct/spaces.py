"""Spaces of Gymnasium for observations and actions."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ._native import Rules, State
from .action_vector import ActionVector
from .observing import Encoding, Observed


def observation_space(
    rules: Rules, width: int, encoding: Encoding, vector: ActionVector | None = None
) -> spaces.Space[Observed]:
    """The space of observations: the board, the numbers beside it, and the mask of legal actions, with that of vectors where actions
    are vectors."""
    state = State(rules, seed=0, width=width)
    board = state.observation(encoding)
    parts: dict[str, Any] = {
        "observation": spaces.Box(0, 255, board.shape, np.uint8),
        "globals": spaces.Box(-1, 32_767, state.globals().shape, np.int16),
        "action_mask": spaces.Box(0, 1, (state.action_count,), np.int8),
    }
    if vector is not None:
        parts["vector_mask"] = spaces.Box(0, 1, (int(vector.offsets[-1]),), np.int8)
    space: Any = spaces.Dict(parts)
    typed: spaces.Space[Observed] = space
    return typed


def action_space(actions: int) -> spaces.Space[int]:
    """The space of actions."""
    space: Any = spaces.Discrete(actions)
    typed: spaces.Space[int] = space
    return typed


def vector_space(vector: ActionVector) -> spaces.Space[NDArray[np.int64]]:
    """The space of actions that are vectors."""
    space: Any = spaces.MultiDiscrete(vector.sizes)
    typed: spaces.Space[NDArray[np.int64]] = space
    return typed
