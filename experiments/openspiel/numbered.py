"""A game of OpenSpiel whose actions have two numbers that every game can have:

    game = 'python:numbered:Numbered(game="connect_four")'

evouct plays games of OpenSpiel without this file. Here a class of Python holds OpenSpiel's object, because only a class
can tell what is known of an action before it is played.
"""

from __future__ import annotations

import random
from typing import Any

import pyspiel

_games: dict[str, Any] = {}


class Numbered:
    """A game of OpenSpiel with `win` and `lose`."""

    move_numbers = {
        "win": "1 if the action wins at once, else 0",
        "lose": "1 if the opponent then wins at once by a reply that is known to threaten, else 0",
    }

    def __init__(self, game: str, state: Any = None) -> None:
        self.game = game
        if state is None:
            if game not in _games:
                _games[game] = pyspiel.load_game(game)
            state = _games[game].new_initial_state()
        self.state = state
        self.numbers: dict[int, list[float]] | None = None

    def is_terminal(self) -> bool:
        return self.state.is_terminal()

    def current_player(self) -> int:
        return self.state.current_player()

    def legal_actions(self) -> list[int]:
        return self.state.legal_actions()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.state.chance_outcomes()

    def apply_action(self, action: int) -> None:
        self.state.apply_action(action)
        self.numbers = None

    def clone(self) -> Numbered:
        return type(self)(self.game, self.state.clone())

    def returns(self) -> list[float]:
        return self.state.returns()

    def action_to_string(self, player: int, action: int) -> str:
        return self.state.action_to_string(player, action)

    def playout(self, seed: int) -> list[float]:
        """The returns of a random game from here."""
        state, draw = self.state.clone(), random.Random(seed).random
        while not state.is_terminal():
            if state.is_chance_node():
                left = draw()
                for action, probability in state.chance_outcomes():
                    left -= probability
                    if left < 0:
                        break
            else:
                actions = state.legal_actions()
                action = actions[int(draw() * len(actions))]
            state.apply_action(action)
        return state.returns()

    def action_numbers(self, action: int) -> list[float]:
        if self.numbers is None:
            self.numbers = _numbers(self.state)
        return self.numbers[action]

    def __str__(self) -> str:
        return str(self.state)


def _wins(state: Any, player: int) -> bool:
    return state.is_terminal() and state.returns()[player] > 0


def _numbers(state: Any) -> dict[int, list[float]]:
    """The numbers of all legal actions.

    Only after the first action after which the opponent is to act are all replies tried; those that win there are the
    known threats. After another action these are tried, and two that may be missing: the first action, which may have
    stopped a threat, and the action itself, which may have opened one above it. Where stones are put on a board this is
    exact, and it takes some twice as many steps as there are actions, not their square.
    """
    player = state.current_player()
    children = {action: state.child(action) for action in state.legal_actions()}
    numbers = {action: [float(_wins(child, player)), 0.0] for action, child in children.items()}
    first: int | None = None
    threats: list[int] = []
    for action, child in children.items():
        opponent = child.current_player()
        if opponent < 0 or opponent == player:
            continue
        replies = child.legal_actions()
        if first is None:
            first = action
            threats = [reply for reply in replies if _wins(child.child(reply), opponent)]
            numbers[action][1] = float(bool(threats))
            continue
        legal = set(replies)
        tried = (reply for reply in [*threats, first, action] if reply in legal)
        numbers[action][1] = float(any(_wins(child.child(reply), opponent) for reply in tried))
    return numbers
