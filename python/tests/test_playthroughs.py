"""Games as OpenSpiel keeps them: all decisions, and what the environment says along the way.

``UPDATE_PLAYTHROUGHS=1 python -m pytest python/tests/test_playthroughs.py`` writes the files; review the difference before you commit it.
"""

import hashlib
import os
import random
import re
from pathlib import Path

import pytest
from conftest import RULES

from evouct import Rules, State

FOLDER = Path(__file__).parent / "playthroughs"
ENCODINGS = ("compact", "planes", "pairs", "features")


def digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()


def described(state: State, rules: Rules, number: int) -> list[str]:
    """All that can be asked of a state."""
    lines = [f"# State {number}"]
    if number % 80 == 0 or state.phase == "end":
        lines += [f"# {line}".rstrip() for line in state.text().splitlines()]
    lines += [f"phase = {state.phase!r}", f"player = {state.player}", f"drawn = {state.drawn!r}"]
    lines += [f"terminated = {state.terminated}", f"truncated = {state.truncated}", f"tiles_left = {state.tiles_left}"]
    lines += [f"scores = {state.scores}", f"potential_scores = {state.potential_scores}"]
    lines += [f"rewards({kind!r}) = {state.rewards(kind)}" for kind in ("outcome", "margin", "rank")]
    for player in range(rules.players):
        seen = ", ".join(f"{name} {digest(state.observation(name, player).tobytes())}" for name in ENCODINGS)
        lines.append(f"observation({player}) = {seen}")
        lines.append(f"globals({player}) = {state.globals(player).tolist()}")
    if state.phase == "chance":
        lines.append(f"chance_outcomes = {[(kind, round(chance, 6)) for kind, chance in state.chance_outcomes()]}")
    else:
        legal = state.legal_actions().tolist()
        lines.append(f"legal_actions = {legal}")
        lines.append(f"action_texts = {[state.action_text(action) for action in legal]}")
    return lines + [""]


def playthrough(name: str, actions: list[int] | None) -> str:
    """The text of a game; random decisions if none are given."""
    rules, rng = RULES[name](), random.Random(name)
    state, number = State(rules), 0
    lines = [f"rules: {rules.to_json()}", f"action_count = {state.action_count}", f"kinds = {rules.kinds}", ""]
    while True:
        # The first states, some later ones, and the end.
        if number < 4 or number % 40 in (0, 1, 2) or state.phase == "end":
            lines += described(state, rules, number)
        if state.phase == "end":
            return "\n".join(lines)
        chance = state.phase == "chance"
        legal = [kind for kind, _ in state.chance_outcomes()] if chance else sorted(state.legal_actions().tolist())
        action = actions[number] if actions is not None else rng.choice(legal)
        lines.append(f"action: {action} {'draw ' + rules.kinds[action] if chance else state.action_text(action)}")
        if chance:
            state.apply_chance(action)
        else:
            state.apply(action)
        number += 1


@pytest.mark.parametrize("name", list(RULES))
def test_playthroughs(name: str) -> None:
    path = FOLDER / f"{name.replace(' ', '-')}.txt"
    if os.environ.get("UPDATE_PLAYTHROUGHS"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(playthrough(name, None), encoding="utf-8")
    kept = path.read_text(encoding="utf-8")
    actions = [int(number) for number in re.findall(r"^action: (\d+)", kept, re.MULTILINE)]
    assert playthrough(name, actions).splitlines() == kept.splitlines()
