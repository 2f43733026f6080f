"""Spaces of Gymnasium for observations and actions."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ._native import Rules, State

Encoding = Literal["compact", "planes", "pairs", "features"]
Observed = dict[str, NDArray[Any]]


def observation_space(rules: Rules, width: int, encoding: Encoding) -> spaces.Space[Observed]:
    """The space of observations: the board, the numbers beside it, and the mask of legal actions."""
    state = State(rules, seed=0, width=width)
    board = state.observation(encoding)
    space: Any = spaces.Dict(
        {
            "observation": spaces.Box(0, 255, board.shape, np.uint8),
            "globals": spaces.Box(-1, 32_767, state.globals().shape, np.int16),
            "action_mask": spaces.Box(0, 1, (state.action_count,), np.int8),
        }
    )
    typed: spaces.Space[Observed] = space
    return typed


def action_space(actions: int) -> spaces.Space[int]:
    """The space of actions."""
    space: Any = spaces.Discrete(actions)
    typed: spaces.Space[int] = space
    return typed


def observed(state: State, encoding: Encoding, seat: int) -> Observed:
    """What a player sees. Its mask has no legal action unless it acts."""
    acts = seat == state.player
    return {
        "observation": state.observation(encoding, seat),
        "globals": state.globals(seat),
        "action_mask": state.action_mask() if acts else np.zeros(state.action_count, np.int8),
    }
