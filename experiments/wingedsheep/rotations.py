"""Tile placements by turn as wingedsheep counts them: a tile that looks the same when turned counts in all four rotations.

    python rotations.py [GAMES]

Plays random games of two players with The River and Inns & Cathedrals. Needs the package `evouct`.
"""

import sys
from collections import defaultdict
from math import sqrt
from statistics import fmean, stdev

import evouct


def placements(games: int) -> list[tuple[int, str, list[str]]]:
    """Turn, tile and distinct placements of every decision about a tile."""
    rules = evouct.Rules(expansions=["river", "inns-and-cathedrals"])
    found = []
    for seed in range(games):
        state = evouct.State(rules, seed=seed)
        turn = 0
        while state.phase != "end":
            if state.phase == "tile":
                turn += 1
                found.append((turn, state.drawn, [state.action_text(action) for action in state.legal_actions()]))
            state.apply(state.random_action())
    return found


def alike(found: list[tuple[int, str, list[str]]]) -> dict[str, int]:
    """How many of the four rotations of each tile look the same: by the highest rotation that was ever legal."""
    highest: dict[str, int] = defaultdict(int)
    for _, tile, texts in found:
        highest[tile] = max([highest[tile], *(int(text.rpartition("r")[2]) for text in texts)])
    return {tile: {0: 4, 1: 2}.get(rotation, 1) for tile, rotation in highest.items()}


def mean(numbers: list[int]) -> str:
    """The mean with 95 % over games."""
    return f"{fmean(numbers):.1f} ± {1.96 * stdev(numbers) / sqrt(len(numbers)):.1f}"


if __name__ == "__main__":
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    found = placements(games)
    copies = alike(found)
    distinct, turned = defaultdict(list), defaultdict(list)
    for turn, tile, texts in found:
        distinct[turn].append(len(texts))
        turned[turn].append(len(texts) * copies[tile])
    print(f"{games} games, {len(found) / games:.1f} turns per game")
    print("turn  games       distinct  four rotations")
    for turn in (1, 12, 20, 40, 60, 80, 90, 99):
        print(f"{turn:>4}  {len(distinct[turn]):>5}  {mean(distinct[turn]):>13}  {mean(turned[turn]):>14}")
