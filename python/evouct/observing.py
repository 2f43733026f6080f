"""What an agent sees of a game of Carcassonne."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ._native import State

Encoding = Literal["compact", "planes", "pairs", "features"]
Observed = dict[str, NDArray[Any]]


def observed(state: State, encoding: Encoding, seat: int) -> Observed:
    """What a player sees. Its mask has no legal action unless it acts."""
    acts = seat == state.player
    return {
        "observation": state.observation(encoding, seat),
        "globals": state.globals(seat),
        "action_mask": state.action_mask() if acts else np.zeros(state.action_count, np.int8),
    }
