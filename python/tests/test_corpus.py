"""All recorded games of other rules engines, decision by decision: every recorded number is compared."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import evouct
from evouct import Rules, State

CORPUS = Path(__file__).parents[2] / "tests/corpus"
NAMES = {"inns": "inns-and-cathedrals"}
LETTERS = {"city": "c", "road": "r", "field": "f", "cloister": "m", "garden": "g"}


def rules_of(game: dict[str, Any]) -> Rules:
    recorded = game["rules"]
    names = [NAMES.get(name, name) for name in recorded["tileset"].split("+")[1:]]
    options: dict[str, Any] = {"two_tile_city": recorded["tiny_city_points"]}
    if "river" in names:
        options["river_bends"] = recorded.get("river_rule", "no-u-turn")
    if recorded.get("base_start_tile") == "in the bag":
        options["start_tile"] = "in-bag"
    return Rules(game["players"], names + ["abbots"] * recorded.get("abbots", False), **options)


def tile_of(recorded: dict[str, Any]) -> str:
    return recorded["tile"] + ("g" if recorded.get("garden") else "")


def word_of(turn: dict[str, Any]) -> str:
    word, meeple = f"{tile_of(turn)}@{turn['x']},{turn['y']}r{turn['rot']}", turn["meeple"]
    if turn.get("recall"):
        return word + ":-a"
    if meeple is None:
        return word
    if meeple.get("abbot"):
        return word + ":a"
    at = "" if meeple["kind"] in ("cloister", "garden") else meeple["at"]
    return f"{word}:{LETTERS[meeple['kind']]}{at}" + ("+" if meeple.get("big") else "")


@pytest.mark.parametrize("name", ["base-a", "base-b", "river-inns", "abbots"])
def test_recorded_games(name: str) -> None:
    path = CORPUS / f"{name}.jsonl.gz"
    if not path.is_file():
        pytest.skip("the repository is not here")
    turns = 0
    for line in gzip.open(path, "rt", encoding="utf-8"):
        game = json.loads(line)
        rules = rules_of(game)
        state, kinds = State(rules), rules.kinds
        figures = dict(evouct.GLOBALS)["kinds"] + len(kinds)
        aside = list(game["discarded"])
        for number, turn in enumerate(game["turns"]):
            where = f"{name}, {game.get('seed')}, turn {number}"
            while aside and aside[0]["before_turn"] == number:
                state.apply_chance(kinds.index(tile_of(aside.pop(0))))
                assert state.phase == "chance", where
            assert state.player == turn["player"], where
            state.apply_chance(kinds.index(tile_of(turn)))
            assert len(state.legal_actions()) == turn["n_placements"], where
            tile, figure = state.turn_actions(word_of(turn))
            state.apply(tile)
            assert len(state.legal_actions()) == turn["n_meeple_options"], where
            state.apply(figure)
            assert (state.scores if state.phase != "end" else turn["scores"]) == turn["scores"], where
            left = state.globals(0)[figures:].reshape(rules.players, 5)
            for column, key in enumerate(("meeples_left", "big_left", "abbots_left")):
                assert left[:, column].tolist() == turn.get(key, left[:, column].tolist()), where
            turns += 1
        for tile in aside:
            state.apply_chance(kinds.index(tile_of(tile)))
        assert state.terminated and state.scores == game["final"]
    assert turns > 2500
