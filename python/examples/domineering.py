"""Domineering, a game without chance, as a class with the verbs of OpenSpiel. From this folder:

    python -m evouct evolve domineering.toml

Two players place dominoes on a square board in turns: player 0 upright ones, player 1 lying ones. Who cannot place one
loses. A position is a whole number whose bits are the cells that are taken, so that a playout is fast.
"""

from __future__ import annotations

import random


class Domineering:
    """Domineering on a square board. An action is the upper or left cell of a domino, counted by rows."""

    def __init__(self, size: int = 6) -> None:
        self.size = size
        self.taken = 0
        self.player = 0
        cells = range(size * size)
        upright = [(cell, 1 << cell | 1 << cell + size) for cell in cells if cell < size * (size - 1)]
        lying = [(cell, 3 << cell) for cell in cells if cell % size < size - 1]
        self.dominoes = [upright, lying]

    def legal_actions(self) -> list[int]:
        taken = self.taken
        return [cell for cell, domino in self.dominoes[self.player] if not taken & domino]

    def is_terminal(self) -> bool:
        return all(self.taken & domino for _, domino in self.dominoes[self.player])

    def current_player(self) -> int:
        return self.player

    def apply_action(self, action: int) -> None:
        self.taken |= 1 << action | 1 << action + (1 if self.player else self.size)
        self.player = 1 - self.player

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0, 0.0]
        return [1.0, -1.0] if self.player else [-1.0, 1.0]

    def playout(self, seed: int) -> list[float]:
        draw = random.Random(seed)
        taken, player = self.taken, self.player
        # In a random order the first domino that fits is a random one of those that fit.
        left = [draw.sample(dominoes, len(dominoes)) for dominoes in self.dominoes]
        while True:
            dominoes = left[player]
            while dominoes and taken & dominoes[-1][1]:
                dominoes.pop()
            if not dominoes:
                return [1.0, -1.0] if player else [-1.0, 1.0]
            taken |= dominoes.pop()[1]
            player = 1 - player

    def clone(self) -> Domineering:
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        return copy

    def action_to_string(self, action: int) -> str:
        return f"{chr(ord('a') + action % self.size)}{action // self.size + 1}"

    def num_distinct_actions(self) -> int:
        return self.size * self.size

    def __str__(self) -> str:
        rows = range(self.size)
        cell = lambda row, column: "#" if self.taken >> row * self.size + column & 1 else "."
        return "\n".join("".join(cell(row, column) for column in rows) for row in rows)
