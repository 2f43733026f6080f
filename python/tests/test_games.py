"""Games written in Python."""

from __future__ import annotations

import csv
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import evouct

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
from domineering import Domineering  # noqa: E402
from pig import Pig  # noqa: E402

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class TicTacToe:
    """Tic-tac-toe without chance."""

    def __init__(self) -> None:
        self.cells = [-1] * 9
        self.player = 0

    def winner(self) -> int | None:
        lines = [{self.cells[cell] for cell in line} for line in LINES]
        return next((player for player in (0, 1) if {player} in lines), None)

    def is_terminal(self) -> bool:
        return self.winner() is not None or -1 not in self.cells

    def current_player(self) -> int:
        return self.player

    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal() else [cell for cell in range(9) if self.cells[cell] < 0]

    def apply_action(self, action: int) -> None:
        if self.cells[action] >= 0:
            raise ValueError(f"cell {action} is taken")
        self.cells[action] = self.player
        self.player = 1 - self.player

    def clone(self) -> TicTacToe:
        copy = type(self)()
        copy.cells, copy.player = list(self.cells), self.player
        return copy

    def returns(self) -> list[float]:
        winner = self.winner()
        return [0.0, 0.0] if winner is None else [1.0 if player == winner else -1.0 for player in (0, 1)]

    def action_to_string(self, player: int, action: int) -> str:
        return f"{'xo'[player]} ({action // 3}, {action % 3})"


LEAGUE = """
name = "small"
game = "{game}"
seed = 5
games_per_match = {games}

[[player]]
name = "mcts"
kind = "mcts"
iterations = 30

[[player]]
name = "siea"
kind = "siea-mcts"
iterations = 30
generations = 2
lambda = 2
simulations = 2

[[player]]
name = "formula"
kind = "formula"
formula = "{formula}"
iterations = 30
"""


def league(folder: Path, game: str, formula: str = "Q + sqrt(ln(N) / n)", games: int = 1) -> Path:
    """Plays a small league."""
    folder.mkdir(exist_ok=True)
    (folder / "small.toml").write_text(LEAGUE.format(game=game, games=games, formula=formula))
    return evouct.run(folder / "small.toml", folder / "run")


def played(folder: Path) -> list[tuple[Any, ...]]:
    """What a run says that can be repeated."""
    games = evouct.read_run(folder).records()
    return [(game["id"], game["moves"], game["scores"], game["ended"]) for game in games]


@pytest.mark.parametrize(("game", "formula"), [(TicTacToe, "Q + sqrt(ln(N) / n)"), (Pig, "Q + safe / n - risk / N")])
def test_a_league_of_a_class_resumes_to_the_same_games(game: type, formula: str, tmp_path: Path) -> None:
    name = evouct.register(game)
    assert name == f"python:{game.__module__}:{game.__name__}"
    whole = league(tmp_path / "whole", name, formula)
    games = played(whole)
    assert len(games) == 6 and all(ended == "finished" for *_, ended in games)
    part = league(tmp_path / "part", name, formula)
    journal = part / "games.jsonl"
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(lines[:-3]))
    assert len(played(part)) < len(games)
    league(tmp_path / "part", name, formula)
    assert played(part) == games


def test_a_game_without_chance_counts_once_and_openings_make_decks_differ(tmp_path: Path) -> None:
    players = [{"name": name, "kind": "star1", "depth": depth} for name, depth in (("deep", 2), ("flat", 1))]
    league = {"name": "same", "game": evouct.register(TicTacToe), "decks": 6, "player": players}
    units = []
    for name, more in (("same", {}), ("opened", {"openings": {"plies": 2}})):
        run = evouct.run(league | more, tmp_path / name, progress=False)
        with (run.folder / "significance.csv").open() as table:
            units.append([(row["units"], bool(row["holm_p"])) for row in csv.DictReader(table)])
    assert units == [[("1", False)], [("6", True)]]


def test_threads_are_processes_that_play_the_same_games(tmp_path: Path) -> None:
    name = "python:pig:Pig(target=12)"
    one = played(league(tmp_path / "one", name))
    (tmp_path / "two.toml").write_text((tmp_path / "one" / "small.toml").read_text())
    assert played(evouct.run(tmp_path / "two.toml", tmp_path / "two", threads=2)) == one


class Slow(Pig):
    """A game that takes its time, in a process that can be killed."""

    def apply_action(self, action: int) -> None:
        time.sleep(0.0002)
        super().apply_action(action)


def children(process: int) -> list[int]:
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def slow_league(folder: Path, threads: int) -> subprocess.Popen[str]:
    """A league of worker processes, as soon as it has games."""
    (folder / "slow.toml").write_text(LEAGUE.format(game="python:test_games:Slow(target=12)", games=4, formula="Q + 1 / n"))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), str(Path(__file__).parents[1] / "examples")])}
    command = [sys.executable, "-m", "evouct", "run", "slow.toml", "--threads", str(threads), "--out", f"run-{threads}"]
    run = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    journal = folder / f"run-{threads}/games.jsonl"
    while run.poll() is None and not (journal.exists() and len(journal.read_text().splitlines()) > 3):
        time.sleep(0.01)
    return run


@pytest.mark.skipif(sys.platform != "linux", reason="/proc has the processes")
def test_a_worker_that_is_killed_loses_no_game(tmp_path: Path) -> None:
    one = slow_league(tmp_path, 1)
    assert one.wait() == 0, one.stderr
    run = slow_league(tmp_path, 2)
    workers = children(run.pid)
    assert len(workers) == 2
    os.kill(workers[0], signal.SIGKILL)
    out, err = run.communicate()
    assert run.returncode == 0, err
    games = played(tmp_path / "run-2")
    assert games == played(tmp_path / "run-1") and all(ended == "finished" for *_, ended in games)


@pytest.mark.skipif(sys.platform != "linux", reason="/proc has the processes")
def test_workers_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    run = slow_league(tmp_path, 2)
    workers = children(run.pid)
    assert len(workers) == 2
    run.kill()
    run.communicate()
    until = time.monotonic() + 10
    while any(Path(f"/proc/{worker}").exists() for worker in workers):
        assert time.monotonic() < until, "a worker outlives its parent"
        time.sleep(0.01)


def test_a_class_of_a_notebook_has_no_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TicTacToe, "__module__", "nowhere")
    name = evouct.register(TicTacToe)
    played(league(tmp_path, name))
    with pytest.raises(RuntimeError, match="there is no module nowhere"):
        evouct.run(tmp_path / "small.toml", tmp_path / "again", threads=2)


def test_moves_are_the_words_of_the_class(tmp_path: Path) -> None:
    _, moves, scores, _ = played(league(tmp_path, evouct.register(TicTacToe)))[0]
    assert moves.startswith("x_(") and sum(scores) == 0
    state = TicTacToe()
    for word in moves.split():
        words = {"_".join(state.action_to_string(state.player, action).split()): action for action in state.legal_actions()}
        state.apply_action(words[word])
    assert state.is_terminal() and state.returns() == [float(score) for score in scores]


def test_a_check_plays_every_kind_of_player() -> None:
    report = evouct.check_game(Pig, games=3)
    assert report.players == 2 and report.chance_outcomes > 0 and report.most_actions == 2
    assert {"random", "mcts", "siea-mcts", "formula", "one-ply"} <= set(report.kinds)


class RealReturns(TicTacToe):
    """Half points."""

    def returns(self) -> list[float]:
        return [value / 2 for value in super().returns()]


class HalfPoints(RealReturns):
    """Half points, said to be points."""

    point = 0.5


def test_returns_may_be_real_numbers(tmp_path: Path) -> None:
    games = played(league(tmp_path / "half", evouct.register(HalfPoints)))
    assert {tuple(scores) for _, _, scores, _ in games} <= {(1, -1), (-1, 1), (0, 0)} and any(any(game[2]) for game in games)
    name = evouct.register(RealReturns)
    with pytest.raises(ValueError, match=r"returns\(\) gave -?0.5, .* as in `point = 0.5` in the class or under \[rules\]$"):
        league(tmp_path / "real", name)
    assert not (tmp_path / "real" / "run").exists()


class WithPlayout(TicTacToe):
    """Plays random games by itself."""

    calls = 0

    def playout(self, seed: int) -> list[float]:
        WithPlayout.calls += 1
        draw, state = random.Random(seed), self.clone()
        while not state.is_terminal():
            state.apply_action(draw.choice(state.legal_actions()))
        return state.returns()


def test_a_class_may_play_random_games_in_one_call(tmp_path: Path) -> None:
    name = evouct.register(WithPlayout)
    WithPlayout.calls = 0
    assert played(league(tmp_path / "one", name)) == played(league(tmp_path / "two", name))
    assert WithPlayout.calls > 1000


def test_a_class_that_was_changed_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    def made(point: float) -> type:
        return type("Changed", (TicTacToe,), {"point": point, "__module__": __name__})

    evouct.check_game(made(0), players=False)
    for point in (0, -1, float("nan"), "1"):
        with pytest.raises(evouct.GameError, match="point = "):
            evouct.register(made(point))  # type: ignore[arg-type]
    assert evouct.register(made(1)) == evouct.register(made(1)) == f"python:{__name__}:Changed"
    played: list[str] = []

    def defined(players: int, **more: object) -> type:
        class Race:
            """A race of one decision each."""

            def __init__(self) -> None:
                self.scores: list[int] = []

            def is_terminal(self) -> bool:
                return len(self.scores) == players

            def current_player(self) -> int:
                return len(self.scores)

            def legal_actions(self) -> list[int]:
                return [] if self.is_terminal() else [1, 2]

            def apply_action(self, action: int) -> None:
                played.append(f"{players}{''.join(more)}")
                self.scores.append(action)

            def clone(self) -> "Race":
                other = Race()
                other.scores = list(self.scores)
                return other

            def returns(self) -> list[float]:
                return [*self.scores, *[0.0] * (players - len(self.scores))]

        for name, value in more.items():
            setattr(Race, name, value)
        Race.__qualname__ = "Race"
        return Race

    # The same cell again, with other code, with other options, with more players, and as it was.
    named = lambda self, action: f"step-{action}"  # noqa: E731
    for number, (players, more) in enumerate([(2, {}), (2, {}), (2, {"max_return": 2.0}), (2, {"action_to_string": named}), (3, {}), (2, {})]):
        name = evouct.register(defined(players, **more))
        played.clear()
        league = evouct.run(
            {"name": "race", "game": name, "decks": 1, "player": [{"name": f"P{seat}", "kind": "mcts", "iterations": 4} for seat in range(3)]},
            tmp_path / str(number),
            progress=False,
        )
        assert set(played) == {f"{players}{''.join(more)}"}
        assert len(league.records()[0]["seats"]) == players and ("step-" in str(league.records()[0]["moves"])) == ("action_to_string" in more)


def test_names_of_numbers_are_names_of_terminals() -> None:
    game = type("Named", (Pig,), {"move_numbers": {"heap size": "of the pot", "risk": "of it"}, "__module__": __name__})
    with pytest.raises(evouct.GameError, match="expected a letter, then"):
        evouct.register(game)


class WithOption(TicTacToe):
    """Its words have an option."""

    def action_to_string(self, action: int, upper: bool = False) -> str:
        return f"cell {action}"


def test_options_of_words_are_no_players() -> None:
    assert evouct.check_game(WithOption, games=2, players=False).players == 2


class SharedCells(TicTacToe):
    def clone(self) -> TicTacToe:
        copy = type(self)()
        copy.cells, copy.player = self.cells, self.player
        return copy


class ListedTwice(TicTacToe):
    def legal_actions(self) -> list[int]:
        return super().legal_actions() + super().legal_actions()[:1]


class NoActions(TicTacToe):
    def legal_actions(self) -> list[int]:
        return []


class TakenCells(TicTacToe):
    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal() else list(range(9))


class ThreeReturns(TicTacToe):
    def returns(self) -> list[float]:
        return [*super().returns(), 0.0] if self.is_terminal() else super().returns()


class SameWords(TicTacToe):
    def action_to_string(self, player: int, action: int) -> str:
        return "here"


class ManyActions(TicTacToe):
    def legal_actions(self) -> list[int]:
        return list(range(200_000))


class ManyOutcomes(Pig):
    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(outcome, 1e-5) for outcome in range(100_000)]


class NamedActions(TicTacToe):
    def legal_actions(self) -> list[Any]:
        return ["a1"]


class NoClone(TicTacToe):
    clone = None  # type: ignore[assignment]


class EndsWithActions(TicTacToe):
    def legal_actions(self) -> list[int]:
        return [cell for cell in range(9) if self.cells[cell] < 0] or [0]


class LoadedDie(Pig):
    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(pips, 0.1) for pips in range(1, 7)]


class OwnDice(Pig):
    def apply_action(self, action: int) -> None:
        super().apply_action(random.randrange(1, 7) if self.rolling else action)


class OneNumber(Pig):
    def action_numbers(self, action: int) -> list[float]:
        return [0.0]


class WrongPlayer(TicTacToe):
    def current_player(self) -> int:
        return self.player + 1


class Endless(Pig):
    def is_terminal(self) -> bool:
        return False


class OverAtOnce(TicTacToe):
    def is_terminal(self) -> bool:
        return True

    def legal_actions(self) -> list[int]:
        return []


FAULTS = {
    SharedCells: r"clone\(\) shares state: apply_action\(\d\) in a clone changed the original: legal_actions\(\) was \[",
    ListedTwice: r"legal_actions\(\) lists the action 0 2 times",
    NoActions: r"legal_actions\(\) is empty for player 0, but is_terminal\(\) is False",
    TakenCells: r"the action \d is listed, but apply_action\(\d\) raised ValueError: cell \d is taken",
    ThreeReturns: r"returns\(\) gave 3 numbers, expected 2",
    SameWords: r"action_to_string\(\) gave 'here' for the actions 0 and 1",
    ManyActions: r"legal_actions\(\) gave a list of 200000, expected 20000 at most",
    ManyOutcomes: r"chance_outcomes\(\) gave a list of 100000, expected 20000 at most",
    NamedActions: r"legal_actions\(\) gave 'a1': actions are whole numbers",
    NoClone: r"there is no method clone\(\), which returns a copy",
    EndsWithActions: r"is_terminal\(\) is True, but legal_actions\(\) gave \[",
    LoadedDie: r"the probabilities of chance_outcomes\(\) add up to 0\.6, expected 1",
    OwnDice: r"differ|clone\(\) shares",
    OneNumber: r"action_numbers\(0\) gave 1 numbers, expected 2: safe, risk",
    WrongPlayer: r"current_player\(\) gave 2, expected a player from 0 to 1, or CHANCE",
    OverAtOnce: r"is_terminal\(\) is True at the start of a game",
    Endless: r"the game is not over after 10000 actions",
}


@pytest.mark.parametrize("game", FAULTS)
def test_faults_are_named_by_a_check_and_at_the_first_game(game: type) -> None:
    for call in (evouct.check_game, evouct.register):
        with pytest.raises(evouct.GameError, match=FAULTS[game]):
            call(game)


def test_only_classes_are_registered() -> None:
    with pytest.raises(evouct.GameError, match="^expected a class, found 'Nim'; a game that has a name needs no register"):
        evouct.register("Nim")  # type: ignore[arg-type]


def test_status_counts_the_games_of_a_class_that_is_not_here(tmp_path: Path) -> None:
    run = league(tmp_path, evouct.register(TicTacToe))
    command = [sys.executable, "-I", "-m", "evouct", "status", os.fspath(run)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("small: 6 games recorded, 0 failed; the game python:") and done.stdout.endswith("how many are missing\n")
    command.append("--missing")
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 1


class Breaks(TicTacToe):
    """Raises an error late in a game, which the check of one random game need not meet."""

    def apply_action(self, action: int) -> None:
        super().apply_action(action)
        if self.cells[0] == self.cells[4] == self.cells[8] == 1 and sum(cell >= 0 for cell in self.cells) == 6:
            raise ZeroDivisionError("a game without a referee")


def test_an_error_of_a_game_is_recorded_and_shown(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    games = evouct.read_run(league(tmp_path, evouct.register(Breaks))).records()
    messages = [game["run"]["message"] for game in games if game["ended"] == "panicked"]
    assert messages and all("apply_action() raised ZeroDivisionError: a game without a referee (test_games.py, line" in text for text in messages)
    assert not any(".rs:" in text for text in messages)
    assert capfd.readouterr().err.count("Traceback (most recent call last)") == 1


@pytest.mark.parametrize(
    ("game", "problem"),
    [
        ("python:no_such_module:Game", "there is no module no_such_module"),
        ("python:pig:Pigs", "the module pig has no class Pigs"),
        ("python:pig", "expected python:module:Class"),
        ("python:pig:ROLL", "ROLL is no class"),
        ("python:pig:Pig(target=x)", "with plain values"),
    ],
)
def test_names_of_files_that_name_no_game(game: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=problem):
        league(tmp_path, game)


def test_a_prior_needs_a_policy_over_the_numbers_of_the_class(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="expected one, such as policy = safe"):
        league(tmp_path, "python:pig:Pig", formula="Q + P")


def test_a_file_names_a_class_with_options(tmp_path: Path) -> None:
    short, long = [played(league(tmp_path / str(target), f"python:pig:Pig(target={target})")) for target in (5, 30)]
    assert all(sorted(scores) == [0, 1] for _, _, scores, _ in short)
    assert len(short) == len(long) and 2 * sum(len(game[1]) for game in short) < sum(len(game[1]) for game in long)


def test_all_commands_work_with_a_game_in_python(tmp_path: Path) -> None:
    def program(*arguments: str) -> str:
        command = [sys.executable, "-m", "evouct", *arguments]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1] / "examples")}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    head = 'game = "python:pig:Pig"\nseed = 1\n'
    players = '[[player]]\nkind = "mcts"\niterations = 20\n[[player]]\nkind = "random"\n'
    (tmp_path / "league.toml").write_text(f'name = "league"\n{head}games_per_match = 2\n{players}')
    first = program("run", "league.toml")
    digest = program("digest", "runs/league").split()[0]
    assert digest in first
    # A part of the journal is a run that was stopped: it resumes to the same digest.
    journal = tmp_path / "runs/league/games.jsonl"
    journal.write_text("".join(journal.read_text().splitlines(keepends=True)[:3]))
    assert digest in program("run", "league.toml", "--threads", "2")
    assert "4 games replayed" in program("verify", "runs/league", "--games", "1")
    assert "report.html" in program("report", "runs/league")
    assert "player 1" in program("replay", "runs/league")
    (tmp_path / "formula.toml").write_text(
        f'name = "formula"\n{head}[evolve]\nterminals = ["Q", "n", "N", "safe"]\nseeds = ["Q + sqrt(2*ln(N)/n)"]\n'
        "population = 6\ngenerations = 2\nislands = 1\ncma_samples = 4\ngrow = 0.5\nfinalists = 1\n"
        '[[player]]\nkind = "formula"\niterations = 10\n[[opponent]]\nkind = "random"\n'
        '[[stage]]\nmeasure = "games"\ndecks = 2\n[[stage]]\nmeasure = "games"\ndecks = 4\n'
    )
    evolved = program("evolve", "formula.toml")
    assert program("digest", "runs/formula").split()[0] in evolved


def test_dominoes_fit_and_playouts_are_random_games() -> None:
    def end(game: Domineering, draw: random.Random) -> float:
        while not game.is_terminal():
            cells = set()
            for action in game.legal_actions():
                row, column = divmod(action, game.size)
                other = (row, column + 1) if game.current_player() else (row + 1, column)
                assert max(other) < game.size
                assert not game.taken & (1 << action | 1 << other[0] * game.size + other[1])
                cells.add(action)
            assert game.num_distinct_actions() > max(cells)
            game.apply_action(draw.choice(sorted(cells)))
        assert not game.legal_actions() and sum(game.returns()) == 0
        return game.returns()[0]

    draw = random.Random(1)
    start = Domineering(4)
    played = [end(start.clone(), draw) for _ in range(2000)]
    playouts = [start.playout(seed)[0] for seed in range(2000)]
    assert start.taken == 0
    # Two shares of wins from 2,000 games each differ by less than five standard errors.
    assert abs(sum(played) - sum(playouts)) / 2000 < 5 * 2 * (0.5 / 2000) ** 0.5
