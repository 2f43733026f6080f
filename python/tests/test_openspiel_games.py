"""Games of OpenSpiel, played by evouct."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import evouct
from test_games import league, played

pyspiel = pytest.importorskip("pyspiel")

GAMES = [
    "connect_four",
    "breakthrough",
    "othello",
    "hex(board_size=5)",
    "backgammon",
    "pig",
    "2048",
    "havannah(board_size=4)",
    "y(board_size=5)",
    "checkers",
    "amazons",
    "tic_tac_toe",
]

#: A player that evouct starts. It plays at random and compares what evouct says with OpenSpiel.
WITNESS = """
import random, sys
import pyspiel

draw = random.Random(1)

def word(state, action):
    return "_".join(state.action_to_string(state.current_player(), action).split())

def listed(state):
    return [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()

for line in sys.stdin:
    verb, _, rest = line.strip().partition(" ")
    if verb == "evouct":
        print("id name witness\\nready", flush=True)
    elif verb == "newgame":
        state = pyspiel.load_game(rest.split()[0].removeprefix("openspiel:")).new_initial_state()
        done = []
    elif verb in ("position", "drawn"):
        said = rest.split() if verb == "position" else [*done, rest]
        assert said[: len(done)] == done
        for moved in said[len(done):]:
            state.apply_action(next(action for action in listed(state) if word(state, action) == moved))
        done = said
    elif verb == "legal":
        assert rest.split() == [word(state, action) for action in state.legal_actions()]
    elif verb == "go":
        print("move", word(state, draw.choice(state.legal_actions())), flush=True)
    elif verb == "quit":
        break
"""

WITNESSED = """
name = "witnessed"
game = "openspiel:{game}"
seed = 3
games_per_match = 1
{players}
"""


@pytest.mark.parametrize("game", GAMES)
def test_positions_are_those_of_openspiel(game: str, tmp_path: Path) -> None:
    report = evouct.check_game(f"openspiel:{game}", games=1, players=game in ("connect_four", "pig", "tic_tac_toe"))
    assert report.players == pyspiel.load_game(game).num_players() and report.decisions > 0
    (tmp_path / "witness.py").write_text(WITNESS)
    command = json.dumps([sys.executable, str(tmp_path / "witness.py")])
    players = [f'[[player]]\nname = "witness"\nkind = "external"\ncommand = {command}', '[[player]]\nname = "random"\nkind = "random"']
    (tmp_path / "small.toml").write_text(WITNESSED.format(game=game, players="\n".join(players)))
    for _, moves, scores, ended in played(evouct.run(tmp_path / "small.toml", tmp_path / "run")):
        assert ended == "finished"
        state = pyspiel.load_game(game).new_initial_state()
        for moved in moves.split():
            legal = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
            player = state.current_player()
            state.apply_action(next(a for a in legal if "_".join(state.action_to_string(player, a).split()) == moved))
        assert state.is_terminal() and scores == state.returns()


#: The same games, small.
SMALL = [
    "connect_four(rows=4,columns=5)",
    "breakthrough(rows=4,columns=4)",
    "othello",
    "hex(board_size=3)",
    "backgammon",
    "pig(winscore=15)",
    "2048(max_tile=32)",
    "havannah(board_size=3)",
    "y(board_size=4)",
    "checkers",
    "amazons",
    "tic_tac_toe",
]
#: What experiments/openspiel/kept/hex-generic has on its front.
EVOLVED = "Q + sqrt(sqrt(left))"
TINY = """
name = "tiny"
game = "openspiel:{game}"
seed = 5
games_per_match = 1

[[player]]
kind = "mcts"
iterations = 4

[[player]]
kind = "siea-mcts"
iterations = 20
generations = 1
lambda = 1
simulations = 1

[[player]]
kind = "formula"
formula = "{formula}"
iterations = 4
"""


@pytest.mark.parametrize("game", SMALL)
def test_every_game_has_a_league_that_resumes_to_the_same_games(game: str, tmp_path: Path) -> None:
    seats = pyspiel.load_game(game).num_players()
    (tmp_path / "tiny.toml").write_text(TINY.format(game=game, formula=EVOLVED))
    run = evouct.run(tmp_path / "tiny.toml", tmp_path / "run")
    games = played(run)
    assert len(games) == 3 * seats and all(ended == "finished" for *_, ended in games)
    # SIEA-MCTS evolves in each of its games: a seat in three.
    assert sum(bool(record.get("evolution")) for record in evouct.read_run(run).records()) == seats * seats
    assert any(any(scores) for _, _, scores, _ in games)
    journal = tmp_path / "run" / "games.jsonl"
    journal.write_text("".join(journal.read_text().splitlines(keepends=True)[:-1]))
    assert played(evouct.run(tmp_path / "tiny.toml", tmp_path / "run")) == games


def test_every_game_of_the_list_is_in_both() -> None:
    assert [name.split("(")[0] for name in SMALL] == [name.split("(")[0] for name in GAMES]


def test_formulas_are_evolved_in_a_game_of_openspiel(tmp_path: Path) -> None:
    (tmp_path / "siea.toml").write_text(
        'name = "siea"\ngame = "openspiel:tic_tac_toe"\nseed = 1\ngames_per_match = 1\n'
        '[[player]]\nkind = "siea-mcts"\niterations = 60\ngenerations = 3\nlambda = 2\nsimulations = 2\n[[player]]\nkind = "random"\n'
    )
    records = evouct.read_run(evouct.run(tmp_path / "siea.toml", tmp_path / "run")).records()
    formula = records[0]["evolution"][0]
    assert formula and len(records) == 2


@pytest.mark.parametrize(
    ("game", "problem"),
    [
        ("kuhn_poker", "players do not see everything there"),
        ("matrix_rps", "players decide at the same time there"),
        ("mfg_crowd_modelling", "a mean field of players decides there"),
        ("no_such_game_at_all", "OpenSpiel has no game called 'no_such_game_at_all'"),
        ("conect_four", "OpenSpiel has no game called 'conect_four'; did you mean connect_four?"),
        ("hex(board_size=x)", "OpenSpiel does not make it: Wrong type for parameter board_size"),
        ("hex(board_size=0)", "legal_actions() is empty"),
        ("go(board_size=30)", "OpenSpiel does not make it: The current Go implementation supports board size up to 19"),
        ("breakthrough(rows=-1)", "OpenSpiel does not make it: rows_ > 1"),
        ("nfg_game", "OpenSpiel does not make it: IndexError: map::at"),
        ("checkers(rows=6,columns=6)", "is_terminal() is True at the start of a game"),
    ],
)
def test_other_games_are_refused_in_one_line(game: str, problem: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for call in (lambda: league(tmp_path, f"openspiel:{game}"), lambda: evouct.check_game(f"openspiel:{game}")):
        with pytest.raises(ValueError) as raised:
            call()
        assert problem in str(raised.value) and "\n" not in str(raised.value)
        assert call is not None and capfd.readouterr().err == ""
    assert isinstance(raised.value, evouct.GameError)


def test_returns_that_are_no_whole_numbers_are_refused_before_the_first_game(tmp_path: Path) -> None:
    players = [{"name": name, "kind": "random"} for name in "abc"]
    small = {"name": "pig", "game": "openspiel:pig(players=3,winscore=10)", "decks": 1, "player": players}
    with pytest.raises(ValueError, match=r"returns\(\) gave -0.5, .* as in `point = 0.5` under \[rules\]$"):
        evouct.run(small, tmp_path / "run")
    assert not (tmp_path / "run").exists()
    with pytest.raises(evouct.GameError, match="`point = 0.5` under"):
        evouct.check_game("openspiel:pig(players=3,winscore=10)", games=1)
    games = played(evouct.run({**small, "rules": {"point": 0.5}}, tmp_path / "run"))
    assert games and all(sorted(scores) == [-1, -1, 2] for _, _, scores, _ in games)
