"""The calls of wingedsheep/carcassonne: a turn is a phase of tiles and a phase of meeples, and actions are words.

``reset``, ``step``, ``render``, ``is_finished``, ``get_current_player`` and ``get_possible_actions``.
"""

from __future__ import annotations

from typing import NamedTuple

from ._native import Rules, State


class Action(NamedTuple):
    """A possible action: its number, and what it does in words."""

    number: int
    text: str


class Environment:
    """A game with the calls of wingedsheep/carcassonne. Rewards are points since the last step, one per player."""

    def __init__(self, rules: Rules | None = None, seed: int = 0, width: int | None = None) -> None:
        self._rules, self._width = Rules() if rules is None else rules, width
        self._state = State(self._rules, seed=seed, width=width)

    def reset(self, seed: int = 0) -> State:
        """Begins a game on the deck of this seed."""
        self._state = State(self._rules, seed=seed, width=self._width)
        return self._state

    @property
    def phase(self) -> str:
        """``tiles``, ``meeples`` or ``finished``."""
        return {"tile": "tiles", "figure": "meeples"}.get(self._state.phase, "finished")

    def is_finished(self) -> bool:
        """Whether the game is over."""
        return self._state.phase == "end"

    def get_current_player(self) -> int:
        """The player to act, from 0."""
        return self._state.player

    def get_possible_actions(self) -> list[Action]:
        """The legal actions of this phase."""
        return [Action(int(number), self._state.action_text(int(number))) for number in self._state.legal_actions()]

    def step(self, player: int, action: Action | int) -> tuple[State, list[int], bool]:
        """Takes an action of the current player: the state, the points of each player since the last step, and whether the game is over."""
        if player != self._state.player:
            raise ValueError(f"player {self._state.player} is to act, found {player}")
        before = self._state.scores
        self._state.apply(action.number if isinstance(action, Action) else action)
        points = [now - then for now, then in zip(self._state.scores, before)]
        return self._state, points, self.is_finished()

    def render(self) -> str:
        """The board as text."""
        return self._state.text()
