"""States, rules and players."""

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import evouct
from evouct import Player, Rules, State


def play(state: State) -> State:
    while state.phase != "end":
        if state.phase == "chance":
            state.draw()
        else:
            state.apply(state.random_action())
    return state


def test_the_mask_is_the_list_of_legal_actions(rules: Rules) -> None:
    state = State(rules, seed=2)
    mask, board, numbers = state.action_mask(), state.observation(), state.globals()
    while state.phase != "end":
        legal = np.sort(state.legal_actions())
        assert np.array_equal(np.flatnonzero(state.action_mask()), legal)
        state.observe_into("compact", state.player, board, mask, numbers)
        assert np.array_equal(np.flatnonzero(mask), legal)
        assert np.array_equal(board, state.observation())
        assert np.array_equal(numbers, state.globals())
        wrong = int(np.flatnonzero(mask == 0)[7])
        with pytest.raises(ValueError, match=f"decision {wrong}"):
            state.apply(wrong)
        state.apply(state.random_action())
    assert state.terminated and not state.truncated
    assert state.scores == state.potential_scores


def test_equal_seeds_are_equal_games(rules: Rules) -> None:
    first, second = play(State(rules, seed=5)), play(State(rules, seed=5))
    assert first.notation() == second.notation() and first == second
    assert play(State(rules, seed=6)).notation() != first.notation()


def test_copies_and_pickles_go_on_alike(rules: Rules) -> None:
    state = State(rules, seed=3)
    for _ in range(41):
        state.apply(state.random_action())
    copies = [state.clone(), copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
    for other in copies:
        assert other == state and other is not state
        for action in (int(state.legal_actions()[0]),):
            other.apply(action)
        assert other != state and other.notation() == copies[0].notation()
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert State.from_bytes(state.to_bytes()).notation() == state.notation()
    with pytest.raises(ValueError):
        State.from_bytes(b"{}")


def test_chance_from_outside(rules: Rules) -> None:
    state = State(rules)
    while state.phase != "end":
        if state.phase == "chance":
            outcomes = state.chance_outcomes()
            assert outcomes and abs(sum(chance for _, chance in outcomes) - 1) < 1e-9
            assert len(state.legal_actions()) == 0
            kind = state.draw()
            assert kind in [kind for kind, _ in outcomes]
        else:
            assert state.chance_outcomes() == [] and state.drawn is not None
            state.apply(state.random_action())
    assert pickle.loads(pickle.dumps(state)) == state
    assert sum(state.rewards("outcome")) <= 1


def test_a_deck_in_an_order() -> None:
    rules = Rules()
    open_state = State(rules)
    counts = [round(chance * 71) for _, chance in open_state.chance_outcomes()]
    deck = [rules.kinds[kind] for (kind, _), count in zip(open_state.chance_outcomes(), counts) for _ in range(count)]
    state = State(rules, deck=deck)
    assert state.drawn == deck[0]
    assert pickle.loads(pickle.dumps(play(state))) == state
    with pytest.raises(ValueError, match="deck"):
        State(rules, deck=deck[1:])
    with pytest.raises(ValueError, match="no tile called"):
        State(rules, deck=["?"])


def test_a_window_that_is_too_small_truncates() -> None:
    state = play(State(seed=1, width=7))
    assert state.truncated and not state.terminated
    assert state.rewards("outcome") == [0.0, 0.0]
    with pytest.raises(ValueError, match="score-delta needs the position before"):
        state.rewards("score-delta")  # type: ignore[arg-type]


def test_observations_of_a_player_are_relative(rules: Rules) -> None:
    state = State(rules, seed=4)
    for _ in range(60):
        state.apply(state.random_action())
    boards = [state.observation("compact", player) for player in range(rules.players)]
    for player, board in enumerate(boards):
        owners = board[..., 2].astype(int)
        seats = np.where(owners > 0, (owners - 1 + player) % rules.players + 1, 0)
        assert np.array_equal(seats, boards[0][..., 2])
        assert (board[..., :2] == boards[0][..., :2]).all()
    place = dict(evouct.GLOBALS)
    numbers = state.globals(0)
    assert numbers[place["tiles_left"]] == state.tiles_left
    assert numbers[place["to_act"]] == state.player
    kinds = numbers[place["kinds"] : place["kinds"] + len(rules.kinds)]
    assert kinds.sum() == state.tiles_left
    of_players = numbers[place["kinds"] + len(rules.kinds) :].reshape(rules.players, 5)
    assert of_players[:, 3].tolist() == state.scores and of_players[:, 4].tolist() == state.potential_scores


def test_planes_and_compact_show_the_same_tiles(rules: Rules) -> None:
    state = State(rules, seed=4)
    for _ in range(50):
        state.apply(state.random_action())
    planes, compact = state.observation("planes"), state.observation("compact")
    place = dict(evouct.PLANES)
    assert planes.shape[0] == 63 and planes.dtype == np.uint8
    assert np.array_equal(planes[place["tile"]] > 0, compact[..., 0] > 0)
    for owner in range(6):
        assert np.array_equal(planes[place["owner"] + owner] > 0, compact[..., 2] == owner + 1)
    for slot in range(14):
        assert np.array_equal(planes[place["slot"] + slot] > 0, compact[..., 4] == slot + 1)
    assert planes[place["last"]].sum() == 1
    tile_actions = [action for action in state.legal_actions() if action < 4 * state.width**2]
    legal = planes[place["legal"] : place["legal"] + 4]
    assert sorted(tile_actions) == np.flatnonzero(legal.transpose(1, 2, 0).ravel()).tolist()


def test_pairs_have_the_shape_of_their_article() -> None:
    state = State(seed=4, width=30)
    assert state.observation("pairs").shape == (30, 30, 117)
    for _ in range(50):
        state.apply(state.random_action())
    pairs, planes = state.observation("pairs"), state.observation("planes")
    at, place = dict(evouct.PAIRS), dict(evouct.PLANES)
    for side in range(4):
        assert np.array_equal(pairs[..., at["city"] + side] > 0, planes[place["city"] + side] > 0)
        assert np.array_equal(pairs[..., at["road"] + side] > 0, planes[place["road"] + side] > 0)
    for pair in range(6):
        assert np.array_equal(pairs[..., at["city"] + 4 + pair], planes[place["city_joined"] + pair])
    # The first 42 planes of figures: a figure stands on one of them.
    assert pairs[..., at["figures"] : -1].sum() == (planes[place["owner"] : place["owner"] + 6]).sum()
    numbers = state.globals()
    assert pairs[..., -1].ravel()[: numbers.size].tolist() == np.clip(numbers + 1, 0, 255).tolist()


def test_features_of_the_start_tile() -> None:
    state = State(seed=4)
    features, place = state.observation("features"), dict(evouct.FEATURES)
    middle = state.width // 2
    assert features.shape == (17, 25, 25) and features.sum() == 3 * 1 + 1 + 2 * 2
    # A city in the north with one open end, and a road from west to east with two.
    assert features[place["size"] : place["size"] + 4, middle, middle].tolist() == [1, 1, 0, 1]
    assert features[place["open"] : place["open"] + 4, middle, middle].tolist() == [1, 2, 0, 2]


def test_playouts_do_not_depend_on_threads(rules: Rules) -> None:
    state = State(rules, seed=9)
    state.apply(state.random_action())
    scores = state.playouts(20, seed=1, threads=3)
    assert scores.shape == (20, rules.players) and scores.dtype == np.int32
    assert np.array_equal(scores, state.playouts(20, seed=1)) and (scores > 0).any()


def last_turn(rules: Rules, seed: int) -> State:
    """The position before the last turn of a game."""
    state = State(rules, seed=seed)
    while state.phase != "end":
        if state.phase == "tile" and state.tiles_left == 0:
            return state
        state.apply(state.random_action())
    return last_turn(rules, seed + 100)


def endings(state: State) -> list[State]:
    """The positions after each way to end the last turn."""
    if state.phase == "end":
        return [state]
    after = []
    for action in state.legal_actions():
        other = state.clone()
        other.apply(int(action))
        after += endings(other)
    return after


def test_playouts_end_as_played_games_do(rules: Rules) -> None:
    n = 3000
    for seed in (1, 2):
        state = last_turn(rules, seed)
        placed = state.clone()
        placed.apply(int(placed.legal_actions()[-1]))
        for position in (state, placed):
            # Each turn is equally likely.
            ends = [tuple(end.scores) for end in endings(position)]
            expected = {scores: ends.count(scores) / len(ends) for scores in ends}
            found = [tuple(scores) for scores in position.playouts(n, seed=seed, threads=2).tolist()]
            assert set(found) <= set(expected)
            for scores, chance in expected.items():
                deviation = (chance * (1 - chance) / n) ** 0.5
                assert abs(found.count(scores) / n - chance) <= 5 * deviation, scores
    over = endings(state)[0]
    assert over.playouts(3).tolist() == [over.scores] * 3


def test_playouts_are_many_different_games() -> None:
    scores = State(seed=9).playouts(60, seed=4)
    assert len({tuple(row) for row in scores.tolist()}) > 50
    assert not np.array_equal(scores, State(seed=9).playouts(60, seed=5))
    assert np.array_equal(scores[:20], State(seed=9).playouts(20, seed=4))
    assert State(seed=9).playouts(0).shape == (0, 2)


def test_rewards_with_ties() -> None:
    for players in (2, 3):
        rules, ties = Rules(players), set()
        for seed in range(1, 12):
            for end in endings(last_turn(rules, seed)):
                scores = end.scores
                for player, score in enumerate(scores):
                    others = scores[:player] + scores[player + 1 :]
                    better, equal = sum(other > score for other in others), others.count(score)
                    outcome = 0.0 if better == 0 and equal else 1.0 if better == 0 else -1.0
                    # The mean of the places that are shared.
                    rank = 1 - 2 * (better + equal / 2) / (players - 1)
                    assert end.rewards("outcome")[player] == outcome
                    assert end.rewards("margin")[player] == score - max(others)
                    assert end.rewards("rank")[player] == pytest.approx(rank)
                    ties.add((better, equal))
        # A shared first place, and with three players a shared second one.
        assert (0, 1) in ties and (players == 2 or (1, 1) in ties)


#: Games between players, as `evouct engine PLAYER --seed 5` decides for each seat on the deck of seed 11.
GAMES = [
    (
        Rules(),
        ["mcts:iterations=40", "simple2"],
        "O@1,0r2:cE H@0,-1r1:cS D@-1,0r0:cN V@-2,0r2:rN J@2,0r3:rN U@1,-1r0:fNNW V@-1,1r0:fNNW S@-2,-1r0:cN",
    ),
    (
        Rules(3, ["river", "abbots"], river_bends="no-u-turn"),
        ["mcts:iterations=30", "random", "siea-mcts:iterations=30,generations=1,lambda=2"],
        "V6@1,0r1 V8@2,0r2:cE V10g@2,-1r3:a V7@3,-1r0:fESE V3@4,-1r0:cS V7@5,-1r0:fNNW V10@6,-1r0 V5@6,0r1:rW V9@6,1r2:rS",
    ),
]


@pytest.mark.parametrize("rules, specs, moves", GAMES)
def test_players_decide_as_the_engine_does(rules: Rules, specs: list[str], moves: str) -> None:
    state = State(rules, seed=11)
    players = [Player(spec, 5, seat) for seat, spec in enumerate(specs)]
    for word in moves.split():
        chosen = players[state.player].choose(state)
        assert chosen == state.turn_actions(word)
        state.apply(chosen[0])
        state.apply(chosen[1])
    first = State(rules, seed=11)
    considered = {turn: visits for turn, visits, _ in Player(specs[0], 5, 0).analyse(first)}
    assert considered[first.turn_actions(moves.split()[0])] == max(considered.values())
    assert sum(considered.values()) == int(specs[0].split("=")[1])


def test_players_play_a_game() -> None:
    for rules in (Rules(), Rules(3, ["abbots", "river"])):
        state = State(rules, seed=1)
        players = [Player("mcts:iterations=20", 1, seat) for seat in range(rules.players - 1)]
        players.append(Player("random", 1, rules.players - 1))
        turns = 0
        while state.phase != "end" and turns < 12:
            tile, figure = players[state.player].choose(state)
            state.apply(tile)
            with pytest.raises(ValueError, match="phase tile"):
                players[0].choose(state)
            state.apply(figure)
            turns += 1
        (tile, _), visits, _ = max(players[0].analyse(state), key=lambda candidate: candidate[1])
        assert tile in state.legal_actions() and visits > 0
    with pytest.raises(ValueError, match="mcts"):
        Player("mtcs")


def test_rules_name_their_errors() -> None:
    with pytest.raises(ValueError, match="seats"):
        Rules(6)
    with pytest.raises(ValueError, match="no_such"):
        Rules(no_such=1)
    text = 'seed = 1\n[rules]\nseats = 3\nexpansions = ["abbots"]\n'
    assert Rules.from_toml(text) == Rules(3, ["abbots"])
    assert Rules(unplaceable="return") != Rules()
    assert len(Rules().kinds) == 24 and Rules().tiles == 72 and Rules().action_count(25) == 2531


def test_the_bends_of_the_river_alternate_unless_it_is_said() -> None:
    alternate, loose = (Rules(2, ["river"], river_bends=bends) for bends in ("alternate", "no-u-turn"))
    assert Rules(2, ["river"]) == alternate != loose
    assert "alternate" in Rules(tile_sets=["base", "river"]).to_json()
    assert Rules.from_toml('expansions = ["river"]') == loose
    assert pickle.loads(pickle.dumps(loose)) == loose and pickle.loads(pickle.dumps(alternate)) == alternate
    assert "river_bends" not in Rules(2, ["abbots"]).to_json()
    assert Rules.from_json(State(Rules(2, ["river"])).rules.to_json()) == alternate


def test_drawings(rules: Rules) -> None:
    state = State(rules, seed=4)
    for _ in range(50):
        state.apply(state.random_action())
    assert state.svg().startswith("<svg") and len(state.text().splitlines()) > 5
    picture = evouct.rgb(state, 8)
    assert picture.shape == (8 * state.width, 8 * state.width, 3) and picture.dtype == np.uint8
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) >= 6


def test_placements_in_all_rotations_are_no_fewer_than_distinct_ones() -> None:
    script = Path(__file__).parents[2] / "experiments/wingedsheep/rotations.py"
    if not script.is_file():
        pytest.skip("the repository is not here")
    said = subprocess.run([sys.executable, "-I", script, "4"], capture_output=True, text=True, check=True).stdout
    lines = said.splitlines()
    assert lines[0].startswith("4 games, ") and len(lines) == 10
    for line in lines[2:]:
        turn, games, distinct, _, _, turned, _, _ = line.split()
        assert int(games) <= 4 and 1 <= float(distinct) <= float(turned) <= 4 * float(distinct), line
    assert lines[2].split()[:2] == ["1", "4"]
