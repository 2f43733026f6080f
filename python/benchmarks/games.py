"""Playouts per second of UCT with random playouts: evouct and the C++ bot of OpenSpiel, whole games, one thread:

    pip install open_spiel evouct-0.2.0-*.whl
    python python/benchmarks/games.py

The sides take turns; the table has medians of processor time. evouct plays its own games and, through its binding, those
of OpenSpiel; its start and its report are taken off, by games with one playout per decision.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyspiel

WHEEL = [sys.executable, "-m", "evouct"]
#: Both sides: C = 2, the most visited move at the end.
LEAGUE = """
name = "games"
game = "{game}"
seed = {seed}
games_per_match = {decks}
[[player]]
name = "A"
kind = "mcts"
ucb = "plain"
k = 2.0
final = "visits"
iterations = {playouts}
[[player]]
name = "B"
kind = "mcts"
ucb = "plain"
k = 2.0
final = "visits"
iterations = {playouts}
"""


@dataclass
class Side:
    """Who plays which game: `command` runs leagues of evouct, and OpenSpiel's bot plays without one."""

    who: str
    game: str
    playouts: int
    games: int
    command: list[str]


def league(side: Side, playouts: int, seed: int) -> tuple[int, float]:
    """Playouts and processor seconds of a league with two games per deck."""
    with tempfile.TemporaryDirectory() as folder:
        text = LEAGUE.format(game=side.game, seed=seed, decks=max(1, side.games // 2), playouts=playouts)
        (Path(folder) / "league.toml").write_text(text)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [*side.command, "run", f"{folder}/league.toml", "--threads", "1", "--out", f"{folder}/run"]
        subprocess.run(command, capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        lines = [json.loads(line) for line in (Path(folder) / "run" / "games.jsonl").read_text().splitlines()]
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return sum(sum(line["game"]["playouts"]) for line in lines if "game" in line), seconds


def bot(side: Side, seed: int) -> tuple[int, float]:
    """Playouts and processor seconds of games between two bots of OpenSpiel."""
    game, chance = pyspiel.load_game(side.game), random.Random(seed)
    bots = [
        pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, seed + seat), 2.0, side.playouts, 1000, False, seed + seat, False)
        for seat in range(2)
    ]
    start, playouts = time.process_time(), 0
    for _ in range(side.games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes())
                state.apply_action(chance.choices(actions, weights)[0])
            else:
                # What `step` does; a search with one legal action ends early.
                root = bots[state.current_player()].mcts_search(state)
                state.apply_action(root.best_child().action)
                playouts += root.explore_count
    return playouts, time.process_time() - start


def sides(program: list[str]) -> list[tuple[str, list[Side]]]:
    """By game: evouct's own, played by this program, OpenSpiel's game in evouct, and OpenSpiel's bot."""

    def binding(game: str, playouts: int, games: int) -> Side:
        return Side("evouct, OpenSpiel's game", f"openspiel:{game}", playouts, games, WHEEL)

    def cpp(game: str, playouts: int, games: int) -> Side:
        return Side("C++ bot of OpenSpiel", game, playouts, games, [])

    def own(game: str, playouts: int, games: int) -> Side:
        return Side("evouct, own game", game, playouts, games, program)

    return [
        ("connect_four", [own("connect-four", 1000, 40), binding("connect_four", 1000, 4), cpp("connect_four", 1000, 8)]),
        ("breakthrough", [own("breakthrough", 200, 40), binding("breakthrough", 200, 4), cpp("breakthrough", 200, 8)]),
        ("hex(board_size=7)", [own("hex", 400, 40), binding("hex(board_size=7)", 400, 4), cpp("hex(board_size=7)", 400, 8)]),
        ("othello", [own("othello", 200, 20), binding("othello", 200, 2), cpp("othello", 200, 4)]),
        ("pig", [own("pig", 100, 20), binding("pig", 100, 2), cpp("pig", 100, 4)]),
        (
            "einstein_wurfelt_nicht",
            [own("einstein", 1000, 80), binding("einstein_wurfelt_nicht", 1000, 8), cpp("einstein_wurfelt_nicht", 1000, 12)],
        ),
        ("backgammon", [binding("backgammon", 50, 2), cpp("backgammon", 50, 1)]),
    ]


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="turns of each side; the table has medians")
    parser.add_argument("--evouct", help="the program that plays evouct's own games; the wheel's unless one is given")
    given = parser.parse_args()
    rounds, program = given.rounds, [given.evouct] if given.evouct else WHEEL
    print("| game | who | playouts per decision | playouts per second | least – greatest | beside the bot |")
    print("|---|---|---|---|---|---|")
    for game, them in sides(program):
        turns: list[list[float]] = [[] for _ in them]
        for turn in range(rounds):
            for side, rates in zip(them, turns):
                if not side.command:
                    playouts, seconds = bot(side, turn)
                else:
                    playouts, seconds = league(side, side.playouts, turn)
                    seconds -= league(side, 1, turn)[1]
                rates.append(playouts / seconds)
        for side, rates in zip(them, turns):
            ratio = statistics.median(own / other for own, other in zip(rates, turns[-1]))
            span = f"{min(rates):,.0f} – {max(rates):,.0f}"
            print(f"| {game} | {side.who} | {side.playouts:,} | {statistics.median(rates):,.0f} | {span} | {ratio:.2f} |", flush=True)


if __name__ == "__main__":
    main()
