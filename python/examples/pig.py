"""Pig, a dice game with chance, as a class with the verbs of OpenSpiel. From this folder:

    python -m evouct run pig.toml

The player to act rolls a die again and again. A 1 loses the pot and ends the turn; any other number goes into the pot.
After each roll the player rolls again or banks the pot, which ends the turn. The first player with TARGET points wins.
"""

from __future__ import annotations

import evouct

ROLL, BANK = 0, 1
SIDES = 6


class Pig:
    """Pig for two, a race with one die."""

    #: Numbers of an action before it is played. Formulas know them by these names.
    move_numbers = {"safe": "points that the action banks", "risk": "points that the action may lose"}
    #: The highest return, for rewards that are scaled by it.
    max_return = 1

    def __init__(self, target: int = 30) -> None:
        self.target = target
        self.points = [0, 0]
        self.player = 0
        self.pot = 0
        self.rolling = True

    def is_terminal(self) -> bool:
        return max(self.points) >= self.target

    def current_player(self) -> int:
        return evouct.CHANCE if self.rolling else self.player

    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal() else [ROLL, BANK]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(pips, 1 / SIDES) for pips in range(1, SIDES + 1)]

    def apply_action(self, action: int) -> None:
        if self.rolling:
            self.rolling = False
            self.pot += action
            if action == 1:
                self.end_turn(0)
        elif action == ROLL:
            self.rolling = True
        else:
            self.end_turn(self.pot)

    def end_turn(self, points: int) -> None:
        self.points[self.player] += points
        self.player = 1 - self.player
        self.pot = 0
        self.rolling = True

    def returns(self) -> list[float]:
        return [float(points >= self.target) for points in self.points]

    def clone(self) -> Pig:
        copy = type(self)(self.target)
        copy.points = list(self.points)
        copy.player, copy.pot, copy.rolling = self.player, self.pot, self.rolling
        return copy

    def action_to_string(self, action: int) -> str:
        return str(action) if self.rolling else ["roll", "bank"][action]

    def action_numbers(self, action: int) -> list[float]:
        return [self.pot, 0] if action == BANK else [0, self.pot]

    def __str__(self) -> str:
        return f"{self.points[0]} : {self.points[1]}, player {self.player} has {self.pot} in the pot"


if __name__ == "__main__":
    print(evouct.check_game(Pig))
