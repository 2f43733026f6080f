"""Carcassonne as a game of OpenSpiel: ``register()``, then ``pyspiel.load_game("evouct_carcassonne", {"players": 3})``.

Chance is explicit. Parameters are ``players``, ``width`` (0 for the usual one) and ``expansions`` (names with ``+`` between).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from ._native import Rules, State

NAME = "evouct_carcassonne"
_DEFAULTS = {"players": 2, "width": 0, "expansions": ""}

_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Carcassonne (evouct)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=6,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_DEFAULTS,
)


class CarcassonneGame(pyspiel.Game):
    """The game."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**_DEFAULTS, **(params or {})}
        names = [name for name in str(given["expansions"]).split("+") if name]
        self.rules = Rules(int(given["players"]), names)
        self.width = int(given["width"]) or self.rules.usual_width
        info = pyspiel.GameInfo(
            num_distinct_actions=self.rules.action_count(self.width),
            max_chance_outcomes=len(self.rules.kinds),
            num_players=self.rules.players,
            min_utility=-1.0,
            max_utility=1.0,
            max_game_length=2 * self.rules.tiles,
        )
        super().__init__(_TYPE, info, params or {})

    def new_initial_state(self) -> CarcassonneState:
        """The start of a game."""
        return CarcassonneState(self, State(self.rules, width=self.width))

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> CarcassonneObserver:
        """What players see."""
        return CarcassonneObserver(State(self.rules, width=self.width))


class CarcassonneState(pyspiel.State):
    """A position."""

    def __init__(self, game: CarcassonneGame, state: State) -> None:
        super().__init__(game)
        self.state = state

    def current_player(self) -> int:
        """The player to act, chance, or the end."""
        phase = self.state.phase
        if phase == "end":
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if phase == "chance" else self.state.player

    def _legal_actions(self, player: int) -> list[int]:
        legal: list[int] = np.sort(self.state.legal_actions()).tolist()
        return legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The kinds that can be drawn, with their probabilities."""
        return self.state.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        if self.state.phase == "chance":
            self.state.apply_chance(action)
        else:
            self.state.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == int(pyspiel.PlayerId.CHANCE):
            return f"draw {self.state.rules.kinds[action]}"
        return self.state.action_text(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.state.phase == "end"

    def returns(self) -> list[float]:
        """1 for the winner, 0 for shared first places, -1 for all others."""
        return self.state.rewards("outcome")

    def __str__(self) -> str:
        return self.state.notation()


class CarcassonneObserver:
    """Planes and numbers of a player as one tensor, and the notation of the game as text."""

    def __init__(self, state: State) -> None:
        board, numbers = state.observation("planes").size, state.globals().size
        self.tensor = np.zeros(board + numbers, np.float32)
        self.dict = {"board": self.tensor[:board], "globals": self.tensor[board:]}

    def set_from(self, state: CarcassonneState, player: int) -> None:
        """Writes the tensor."""
        self.dict["board"][:] = state.state.observation("planes", player).ravel()
        self.dict["globals"][:] = state.state.globals(player)

    def string_from(self, state: CarcassonneState, player: int) -> str:
        """The game so far in notation."""
        return state.state.notation()


def register() -> None:
    """Makes the game known to OpenSpiel, once."""
    if NAME not in pyspiel.registered_names():
        pyspiel.register_game(_TYPE, CarcassonneGame)
