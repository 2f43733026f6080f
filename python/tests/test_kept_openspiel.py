"""The games and evolutions in games of OpenSpiel that experiments/openspiel keeps: `scripts/check-results` plays no games
of Python."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyspiel")

HERE = Path(__file__).parents[2] / "experiments/openspiel"
#: Folders of leagues and of evolutions.
KEPT = sorted(path.parent for path in (HERE / "kept").glob("*/*.jsonl.zst"))


def evouct(*arguments: object) -> str:
    """What a command says in the folder of numbered.py."""
    command = [sys.executable, "-m", "evouct", *map(str, arguments)]
    return subprocess.run(command, cwd=HERE, check=True, capture_output=True, text=True).stdout


@pytest.mark.skipif(not HERE.is_dir(), reason="the repository is not here")
@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept.name)
def test_kept_games_are_those_of_the_rules(kept: Path) -> None:
    """A part is made again, and the digest is the one that was written down."""
    league = (kept / "manifest.json").is_file()
    said = evouct("verify", kept, "--games", 1)
    assert ("1 played again from their keys" if league else "1 of ") in said
    digest = evouct("digest", kept).split()[0]
    if league:
        assert digest == json.loads((kept / "manifest.json").read_text())["digest"]["digest"]
    else:
        written = dict(re.findall(r"\| `([a-z0-9-]+)` \| ([0-9a-f]{8})… \|", (HERE / "README.md").read_text()))
        assert digest.startswith(written[kept.name])


@pytest.mark.skipif(not HERE.is_dir(), reason="the repository is not here")
def test_lose_is_exact_where_stones_are_put_on_a_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(HERE))
    from numbered import Numbered

    for game in ("tic_tac_toe", "connect_four(rows=4,columns=4,x_in_row=3)", "hex(board_size=3)"):
        draw, loses = random.Random(1), 0.0
        for _ in range(10):
            state = Numbered(game)
            while not state.is_terminal():
                for action in state.legal_actions():
                    child = state.state.child(action)
                    ends = [child.child(reply) for reply in child.legal_actions()]
                    win = child.is_terminal() and child.returns()[state.current_player()] > 0
                    lose = any(end.is_terminal() and end.returns()[child.current_player()] > 0 for end in ends)
                    assert state.action_numbers(action) == [win, lose], (game, str(state), action)
                    loses += lose
                state.apply_action(draw.choice(state.legal_actions()))
        assert loses > 0
