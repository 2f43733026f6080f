"""Carcassonne for one agent: ``gymnasium.make("evouct/Carcassonne-v0", opponents=[...])`` after ``import evouct.gym``."""

from __future__ import annotations

import operator
from typing import Any, Callable, Literal, Sequence

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ._native import Player, Rules, State
from .picture import RenderMode, rendered
from .spaces import Encoding, Observed, action_space, observation_space, observed

#: A player by its specification, or a function that chooses one action.
Opponent = str | Callable[[State], int]


class CarcassonneEnv(gymnasium.Env[Observed, int]):
    """The agent has one seat, and the opponents the others, in the order of the seats after it.

    The agent's seat is ``seat``, or drawn for each game if it is None. An illegal action ends the episode with the reward -1 and
    ``info["illegal"]``. A step before the first reset or after the end is an error.
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
        reward: Literal["outcome", "margin", "rank", "score-delta"] = "outcome",
        render_mode: RenderMode | None = None,
    ) -> None:
        self.rules = Rules(players=len(opponents) + 1) if rules is None else rules
        if len(opponents) + 1 != self.rules.players:
            raise ValueError(f"expected {self.rules.players - 1} opponents, found {len(opponents)}")
        self.opponents = tuple(opponents)
        self.width = self.rules.usual_width if width is None else width
        self.encoding: Encoding = encoding
        self.reward = reward
        self.render_mode = render_mode
        self.observation_space = observation_space(self.rules, self.width, encoding)
        self.action_space = action_space(self.rules.action_count(self.width))
        if seat is not None and not 0 <= seat < self.rules.players:
            raise ValueError(f"expected a seat from 0 to {self.rules.players - 1}, found {seat}")
        self._fixed_seat = seat
        self._seat = 0 if seat is None else seat
        self._players: dict[int, Opponent | Player] = {}
        self._state = State(self.rules, seed=0, width=self.width)
        self._is_running = False

    @property
    def game(self) -> State:
        """The state of the game."""
        return self._state

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Begins a game. With a seed, its deck is the one that ``evouct play --seed`` deals."""
        super().reset(seed=seed)
        # An interruption or an error of an opponent leaves no episode in which the agent would play for another seat.
        self._is_running = False
        deck = seed if seed is not None else int(self.np_random.integers(2**62))
        if self._fixed_seat is None:
            self._seat = int(self.np_random.integers(self.rules.players))
        self._state = State(self.rules, seed=deck, width=self.width)
        self._players = {}
        for place, opponent in enumerate(self.opponents):
            seat = (self._seat + 1 + place) % self.rules.players
            self._players[seat] = Player(opponent, deck, seat) if isinstance(opponent, str) else opponent
        self._let_others_play()
        self._is_running = self._state.phase != "end"
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        if not self._is_running:
            raise gymnasium.error.ResetNeeded("no episode is in progress; call reset")
        state, number = self._state, operator.index(action)
        before = state.scores
        # As in ``reset``.
        self._is_running = False
        if number not in state.legal_actions():
            return self._observation(), -1.0, True, False, {**self._info(), "illegal": True}
        state.apply(number)
        self._let_others_play()
        self._is_running = state.phase != "end"
        if self.reward == "score-delta":
            reward = float(state.scores[self._seat] - before[self._seat])
        else:
            reward = state.rewards(self.reward)[self._seat]
        if self.render_mode == "human":
            self.render()
        return self._observation(), reward, state.terminated, state.truncated, self._info()

    def _let_others_play(self) -> None:
        state = self._state
        while state.phase != "end" and state.player != self._seat:
            player = self._players[state.player]
            if isinstance(player, Player):
                tile, figure = player.choose(state)
                state.apply(tile)
                state.apply(figure)
            else:
                assert callable(player)
                state.apply(player(state))

    def _observation(self) -> Observed:
        return observed(self._state, self.encoding, self._seat)

    def _info(self) -> dict[str, Any]:
        return {"seat": self._seat, "scores": self._state.scores}

    def render(self) -> None | NDArray[np.uint8] | str:
        return rendered(self._state, self.render_mode)


gymnasium.register(id="evouct/Carcassonne-v0", entry_point="evouct.gym:CarcassonneEnv")
