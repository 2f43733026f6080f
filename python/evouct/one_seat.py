"""A game of Carcassonne for one agent: what its environments have in common."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

from numpy.typing import NDArray

from ._native import Player, Rules, State
from .action_vector import ActionVector
from .observing import Encoding, Observed, observed

#: A player by its specification, or a function that chooses one action.
Opponent = str | Callable[[State], int]
Reward = Literal["outcome", "margin", "rank", "score-delta"]
#: The form of actions: one number, or a vector of six (``ActionVector``).
Actions = Literal["number", "vector"]


class Result(NamedTuple):
    """What came of an action: the reward, how the episode has ended, and whether the action was illegal."""

    reward: float
    terminated: bool
    truncated: bool
    illegal: bool


class OneSeat:
    """The agent has one seat, and the opponents the others, in the order of the seats after it."""

    def __init__(
        self,
        opponents: Sequence[Opponent],
        rules: Rules | None,
        *,
        seat: int | None,
        width: int | None,
        encoding: Encoding,
        reward: Reward,
        actions: Actions,
    ) -> None:
        self.rules = Rules(players=len(opponents) + 1) if rules is None else rules
        if len(opponents) + 1 != self.rules.players:
            raise ValueError(f"expected {self.rules.players - 1} opponents, found {len(opponents)}")
        if seat is not None and not 0 <= seat < self.rules.players:
            raise ValueError(f"expected a seat from 0 to {self.rules.players - 1}, found {seat}")
        if actions not in ("number", "vector"):
            raise ValueError(f"actions: expected number or vector, found {actions!r}")
        self.opponents = tuple(opponents)
        self.width = self.rules.usual_width if width is None else width
        self.encoding: Encoding = encoding
        self.reward: Reward = reward
        self.vector = ActionVector(self.width) if actions == "vector" else None
        self.fixed_seat = seat
        self.seat = 0 if seat is None else seat
        self.state = State(self.rules, seed=0, width=self.width)
        self.is_running = False
        self._players: dict[int, Opponent | Player] = {}

    def begin(self, deck: int, seat: int) -> None:
        """Begins a game on the deck of this seed, for an agent on this seat."""
        # An interruption or an error of an opponent leaves no episode in which the agent would play for another seat.
        self.is_running = False
        self.seat = seat
        self.state = State(self.rules, seed=deck, width=self.width)
        self._players = {}
        for place, opponent in enumerate(self.opponents):
            seat = (self.seat + 1 + place) % self.rules.players
            self._players[seat] = Player(opponent, deck, seat) if isinstance(opponent, str) else opponent
        self._let_others_play()
        self.is_running = self.state.phase != "end"

    def act(self, action: int | NDArray[Any]) -> Result:
        """Takes an action; the opponents then play until the agent is to act, or the game is over. An illegal action ends the episode
        with the reward -1."""
        state = self.state
        if self.vector is None:
            number = operator.index(action)
        else:
            number = int(self.vector.number(action, state.action_mask()))
        before = state.scores
        # As in ``begin``.
        self.is_running = False
        if number not in state.legal_actions():
            return Result(-1.0, True, False, True)
        state.apply(number)
        self._let_others_play()
        self.is_running = state.phase != "end"
        if self.reward == "score-delta":
            reward = float(state.scores[self.seat] - before[self.seat])
        else:
            reward = state.rewards(self.reward)[self.seat]
        return Result(reward, state.terminated, state.truncated, False)

    def _let_others_play(self) -> None:
        state = self.state
        while state.phase != "end" and state.player != self.seat:
            player = self._players[state.player]
            if isinstance(player, Player):
                tile, figure = player.choose(state)
                state.apply(tile)
                state.apply(figure)
            else:
                assert callable(player)
                state.apply(player(state))

    def observation(self) -> Observed:
        """What the agent sees, with the masks of vectors where actions are vectors."""
        seen = observed(self.state, self.encoding, self.seat)
        return seen if self.vector is None else {**seen, "vector_mask": self.vector.masks(seen["action_mask"])}
