"""The loop of players that evouct starts."""

import io
import sys
from pathlib import Path

import numpy as np
import pytest

import evouct
from evouct import Rules, State, external

AGENT = """
from evouct import external

def choose(state):
    tile = int(min(state.legal_actions()))
    state.apply(tile)
    return tile, int(max(state.legal_actions()))

external.serve(choose, "lowest tile, highest figure")
"""

LEAGUE = """
name = "external"
seed = 3
games_per_match = 4

[[player]]
name = "agent"
kind = "external"
command = [{python!r}, {agent!r}]
deterministic = true

[[player]]
name = "random"
kind = "random"
"""


def test_lines_are_answered() -> None:
    lines = ["evouct 1", "newgame carcassonne seats=2 seat=2 seed=1", "rules tile_sets=base seats=2 two_tile_city=4"]
    lines += ["position J@0,1r1:fNNW", "drawn V"]
    state = State.from_notation(Rules(), "J@0,1r1:fNNW", "V")
    words = ["V@1,0r0", "V@1,0r0:rS"]
    assert state.player == 1 and state.drawn == "V"
    turns = [state.turn_actions(word) for word in words]
    assert turns[0][0] == turns[1][0] and turns[0][1] != turns[1][1]
    seen = []

    def choose(given: State) -> tuple[int, int]:
        seen.append(given.notation())
        return turns[1]

    out = io.StringIO()
    external.serve(choose, "test", lines=[*lines, "legal " + " ".join(words), "go", "quit", "go"], out=out)
    assert out.getvalue() == "id name test\nready\nmove V@1,0r0:rS\n"
    assert seen == [state.notation()] and seen[0].endswith("J@0,1r1:fNNW ?V")
    out = io.StringIO()
    external.serve(choose, width=3, lines=[*lines, "legal " + " ".join(words), "go"], out=out)
    assert out.getvalue() == "id name agent\nready\nmove V@1,0r0\n"


def served(lines: list[str], choose: external.Choose) -> list[str]:
    out = io.StringIO()
    external.serve(choose, lines=lines, out=out)
    return out.getvalue().splitlines()


def test_wrong_lines_are_answered(capfd: pytest.CaptureFixture[str]) -> None:
    def first(state: State) -> tuple[int, int]:
        print("thinking")
        return state.turn_actions("V@1,0r0")

    start = ["newgame carcassonne seats=2 seat=2 seed=1", "rules seats=2", "position J@0,1r1:fNNW", "drawn V"]
    assert served([*start, "legal V@1,0r0", "go iterations 5"], first) == ["move V@1,0r0"]
    # What a player prints is no line of the protocol.
    assert capfd.readouterr() == ("", "thinking\n")
    wrong = {
        "evouct 2": "error evouct: expected version 1 of the protocol, found 2",
        "newgame nim seats=2": "error newgame: expected the game carcassonne, found nim seats=2",
        "rules seats": 'error rules: expected key=value, found "seats"',
        "hello": "error hello: expected evouct, newgame, rules, position, drawn, legal, go or quit",
        "go": "error go: there are no legal moves",
    }
    for line, answer in wrong.items():
        assert served([line], first) == [answer]
    # A position without a line of legal moves has none of the last one.
    lines = [*start, "legal V@1,0r0", "", "position", "go"]
    assert served(lines, first) == ["error go: there are no legal moves"]
    # A position that cannot be read does not end the agent.
    assert served([*start, "position X", "legal V@1,0r0", "go"], first) == ["move V@1,0r0"]
    assert "the first legal move is played" in capfd.readouterr().err
    for chosen in ((0, 0), (1.5, 2), 7, None, (1, 2, 3)):
        with pytest.raises(ValueError, match="expected the two actions of a legal move, choose gave"):
            served([*start, "legal V@1,0r0", "go"], lambda _: chosen)  # type: ignore[return-value]


def test_every_legal_move_has_its_word(rules: Rules) -> None:
    state, rng = State(rules, seed=5), np.random.default_rng(1)
    for _ in range(30):
        again = State.from_notation(rules, state.notation().split("] ", 1)[-1].rpartition("?")[0], state.drawn)
        assert sorted(again.legal_actions()) == sorted(state.legal_actions())
        tile = int(rng.choice(state.legal_actions()))
        state.apply(tile)
        figure = int(rng.choice(state.legal_actions()))
        state.apply(figure)
        word = state.notation().rpartition(" ?")[0].split()[-1]
        # A tile that was set aside may stand last.
        if "@" in word:
            assert again.turn_actions(word) == (tile, figure)
    with pytest.raises(ValueError, match="@"):
        state.turn_actions(word)
    with pytest.raises(ValueError, match="move 1"):
        State.from_notation(rules, "V@9,9r0")


def test_notation_is_read_back(rules: Rules) -> None:
    state = State(rules, seed=5)
    for _ in range(12):
        state.apply(state.random_action())
    for text in (state.notation(), state.notation().split("] ")[1]):
        again = State.from_notation(rules, text)
        assert again.notation() == state.notation() and again.drawn == state.drawn
        assert sorted(again.legal_actions()) == sorted(state.legal_actions())
        assert State.from_notation(rules, text, state.drawn) == again
        other = next(kind for kind in rules.kinds if kind != state.drawn)
        with pytest.raises(ValueError, match="given twice"):
            State.from_notation(rules, text, other)
    with pytest.raises(ValueError, match="nothing but scores can follow the tile in hand"):
        State.from_notation(rules, f"?{state.drawn} ?{state.drawn}")
    with pytest.raises(ValueError, match="expected a game by the rules"):
        State.from_notation(Rules(4, ["river"]), state.notation())


def test_an_agent_plays_in_a_league(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    agent, league = tmp_path / "agent.py", tmp_path / "league.toml"
    agent.write_text(AGENT)
    league.write_text(LEAGUE.format(python=sys.executable, agent=str(agent)))
    games = evouct.read_run(evouct.run(league, tmp_path / "run")).games
    assert len(games) == 8 and set(games["ended"]) == {"finished"}
    assert games["reproducible"].all()


def test_an_agent_that_does_not_start_stops_the_league(tmp_path: Path) -> None:
    agent, league = tmp_path / "agent.py", tmp_path / "league.toml"
    agent.write_text("import nosuchmodule\n")
    league.write_text(LEAGUE.format(python=sys.executable, agent=str(agent)))
    with pytest.raises(ValueError, match="^agent: it did not answer .*No module named 'nosuchmodule'"):
        evouct.run(league, tmp_path / "run")
    assert not (tmp_path / "run").exists()
