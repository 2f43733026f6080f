"""Search with an evaluator: Carcassonne, games in Python, OpenSpiel's, and what is wrong with an evaluator."""

from __future__ import annotations

import importlib.util
import signal
import traceback
from pathlib import Path
from typing import Any

import evouct
import numpy as np
import pytest
from evouct import Batch, Search
from numpy.typing import NDArray

Answer = tuple[NDArray[np.float64], NDArray[np.float64]]


def blind(batch: Batch) -> Answer:
    """Knows nothing."""
    return batch.softmax(np.zeros(batch.mask.shape)), np.zeros(len(batch))


def leaning(batch: Batch) -> Answer:
    """Differs by position and action, for two players."""
    seen = batch.mask if batch.globals is None else batch.globals
    values = np.sin(seen.astype(float) @ np.arange(1.0, seen.shape[1] + 1.0))
    return batch.softmax(np.cos(np.outer(values, np.arange(batch.mask.shape[1])))), values


def near_the_end(seed: int = 3, left: int = 0) -> evouct.State:
    """A figure is decided, and this many tiles are left."""
    state = evouct.State(seed=seed)
    while not (state.phase == "figure" and state.tiles_left <= left):
        state.apply(state.random_action())
    return state


class Nim:
    """Two players take one or two of the stones; who takes the last one wins."""

    def __init__(self, stones: int = 7, player: int = 0) -> None:
        self.stones, self.player = stones, player

    def is_terminal(self) -> bool:
        return self.stones == 0

    def current_player(self) -> int:
        return self.player

    def legal_actions(self) -> list[int]:
        return list(range(1, min(2, self.stones) + 1))

    def apply_action(self, action: int) -> None:
        self.stones, self.player = self.stones - action, 1 - self.player

    def clone(self) -> Nim:
        return type(self)(self.stones, self.player)

    def returns(self) -> list[float]:
        lost = [-1.0, 1.0] if self.player == 0 else [1.0, -1.0]
        return lost if self.stones == 0 else [0.0, 0.0]


class Dice(Nim):
    """Chance takes one more stone, or none, after a player's."""

    def __init__(self, stones: int = 12, player: int = 0, falls: bool = False) -> None:
        super().__init__(stones, player)
        self.falls = falls

    def num_distinct_actions(self) -> int:
        return 3

    def features(self) -> list[int]:
        return [self.stones, self.player]

    def current_player(self) -> int:
        return -1 if self.falls and self.stones else self.player

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(0, 0.75), (1, 0.25)] if self.stones > 1 else [(0, 1.0)]

    def apply_action(self, action: int) -> None:
        if self.falls:
            self.stones, self.falls = self.stones - action, False
        else:
            super().apply_action(action)
            self.falls = self.stones > 0

    def clone(self) -> Dice:
        return Dice(self.stones, self.player, self.falls)


def same(first: evouct.SearchResult, second: evouct.SearchResult) -> bool:
    columns = [(first.visits, second.visits), (first.values, second.values), (first.priors, second.priors)]
    return all(np.array_equal(*pair, equal_nan=True) for pair in columns) and first.value == second.value


@pytest.mark.parametrize("encoding", ["compact", "planes", "pairs", "features"])
def test_the_evaluator_sees_what_agents_see(encoding: Any) -> None:
    state = evouct.State(evouct.Rules(3, ["inns-and-cathedrals"]), seed=2)
    state.apply(state.random_action())
    batches = []

    def looks(batch: Batch) -> Answer:
        batches.append(batch)
        policy, _ = blind(batch)
        return policy, np.zeros((len(batch), 3))

    found = Search(state, looks, encoding=encoding, batch=4).run(20)
    root = batches[0]
    assert root.observation is not None and root.globals is not None and root.states is None
    assert np.array_equal(root.observation[0], state.observation(encoding)) and root.observation.dtype == np.uint8
    assert np.array_equal(root.globals[0], state.globals()) and np.array_equal(root.mask[0], state.action_mask())
    assert root.players.tolist() == [state.player] and len(root) == 1
    assert all(1 <= len(batch) <= 4 and batch.mask.shape == (len(batch), state.action_count) for batch in batches)
    assert found.visits.sum() == 20 and found.visits.shape == (state.action_count,)
    assert set(np.flatnonzero(found.visits)) <= set(state.legal_actions()) and found.action in state.legal_actions()
    assert found.player == state.player and found.priors.sum() == pytest.approx(1.0)


def test_the_result_is_the_same_again_and_knows_no_deck() -> None:
    dealt = evouct.State(seed=5)
    open_state = evouct.State()
    open_state.apply_chance(dealt.drawn_kind or 0)
    for batch in (1, 8):
        first = Search(dealt, leaning, batch=batch, seed=1).run(100)
        assert same(first, Search(dealt, leaning, batch=batch, seed=1).run(100))
        assert same(first, Search(open_state, leaning, batch=batch, seed=1).run(100))
        parts = Search(dealt, leaning, batch=batch, seed=1)
        parts.run(40)
        assert same(first, parts.run(60))
        assert not same(first, Search(dealt, leaning, batch=batch, seed=2).run(100))
    formula = evouct.Formula("Q + 1.5*P*sqrt(N)/(1 + n)")
    assert same(Search(dealt, leaning, formula=formula).run(50), Search(dealt, leaning).run(50))
    assert not same(Search(dealt, leaning, formula="Q + sqrt(ln(N)/n)").run(50), Search(dealt, leaning).run(50))
    assert not same(Search(dealt, leaning, untried="-10").run(50), Search(dealt, leaning).run(50))


def test_the_end_of_the_game_is_worth_its_margin() -> None:
    state = near_the_end()
    asked = []

    def counts(batch: Batch) -> Answer:
        asked.append(len(batch))
        return blind(batch)

    found = Search(state, counts, reward="margin", c=1000.0).run(200)
    assert asked == [1], "the root alone"
    for action in state.legal_actions():
        after = state.clone()
        after.apply(action)
        assert found.values[action] == after.rewards("margin")[state.player]
    best = np.nanmax(found.values)
    greedy = Search(state, blind, reward="margin", c=0.01, batch=1).run(100)
    assert greedy.values[greedy.action] == best


def test_a_tile_later_the_search_plans_over_chance() -> None:
    state = near_the_end(left=2)
    found = Search(state, leaning, seed=3).run(300)
    assert found.visits.sum() == 300 and np.isfinite(found.value) and found.nodes > 10


def test_a_game_in_python() -> None:
    seen: list[int] = []

    def looks(batch: Batch) -> Answer:
        assert batch.observation is None and batch.states is not None
        seen.extend(state.stones for state in batch.states)
        answer = blind(batch)
        # The search has its own positions and masks.
        batch.states[0].stones = 40
        batch.mask[:] = 1
        return answer

    for stones, best in [(7, 1), (8, 2)]:
        found = Search(Nim(stones), looks, actions=3).run(400)
        assert found.action == best and found.value > 0.5
    assert max(seen) == 8
    result = Search(Dice(), leaning).run(300)
    assert result.visits.tolist()[0] == 0 and result.visits.sum() == 300


def test_observations_of_a_game_in_python() -> None:
    def looks(batch: Batch) -> Answer:
        assert batch.observation is not None and batch.states is not None
        assert batch.observation.tolist() == [[state.stones, state.player] for state in batch.states]
        assert [state.player for state in batch.states] == batch.players.tolist()
        return blind(batch)

    Search(Dice(), looks).run(50)


def test_a_game_of_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    for action in (4, 1, 0):
        state.apply_action(action)

    def looks(batch: Batch) -> Answer:
        assert batch.observation is not None and batch.observation.shape == (len(batch), 3, 3, 3)
        return blind(batch)

    # The other player has two in a row.
    found = Search(state, looks).run(500)
    assert found.action == 8 and found.player == 1 and state.legal_actions() == [2, 3, 5, 6, 7, 8]
    with pytest.raises(evouct.GameError, match="kuhn_poker.*players do not see everything there"):
        Search(pyspiel.load_game("kuhn_poker").new_initial_state(), blind)
    rolled = pyspiel.load_game("pig").new_initial_state()
    rolled.apply_action(0)
    assert rolled.is_chance_node()
    with pytest.raises(ValueError, match="a search begins where a player decides"):
        Search(rolled, blind)


def test_a_game_of_openspiel_in_python_and_one_with_chance() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    pytest.importorskip("open_spiel.python.games")
    state = pyspiel.load_game("python_tic_tac_toe").new_initial_state()
    shapes = []

    def looks(batch: Batch) -> Answer:
        assert batch.observation is not None
        shapes.append(batch.observation.shape[1:])
        return blind(batch)

    assert Search(state, looks).run(50).visits.sum() == 50 and set(shapes) == {(27,)}
    pig = pyspiel.load_game("pig(winscore=20)").new_initial_state()
    assert Search(pig, looks).run(200).visits.sum() == 200
    evouct_openspiel = pytest.importorskip("evouct.openspiel")
    evouct_openspiel.register()
    carcassonne = pyspiel.load_game("evouct_carcassonne").new_initial_state()
    carcassonne.apply_action(carcassonne.chance_outcomes()[0][0])
    assert Search(carcassonne, looks, batch=4).run(8).visits.sum() == 8


def test_a_search_goes_on_below_a_move() -> None:
    state = evouct.State(seed=4)
    search = Search(state, leaning, batch=1)
    tile = search.run(400).action
    search.advance(tile)
    state.apply(tile)
    kept = search.run(0)
    fresh = Search(state, leaning, batch=1).run(0)
    assert kept.visits.sum() > 10 and np.array_equal(kept.priors, fresh.priors) and kept.player == state.player
    figure = kept.action
    with pytest.raises(ValueError, match="chance decides after the action"):
        search.advance(figure)
    with pytest.raises(ValueError, match="chance cannot decide"):
        search.advance(figure, 99)
    with pytest.raises(ValueError, match="the action is not legal here"):
        search.advance(0)
    state.apply(figure)
    search.advance(figure, state.drawn_kind or 0)
    assert np.array_equal(search.run(0).priors, Search(state, leaning).run(0).priors)
    with pytest.raises(ValueError, match="the game is over"):
        Search(Nim(2), blind, actions=3).advance(2)


def test_policies_of_a_result() -> None:
    found = Search(Nim(7), blind, actions=3).run(90)
    assert found.policy().tolist() == pytest.approx((found.visits / 90).tolist())
    assert found.policy(0.0).tolist() == [0.0, 1.0, 0.0]
    assert found.policy(0.5).tolist() == pytest.approx((found.visits**2 / (found.visits**2).sum()).tolist())
    assert found.policy(1e-9).tolist() == [0.0, 1.0, 0.0]
    with pytest.raises(ValueError, match="temperature: expected a number from 0, found -1"):
        found.policy(-1)

    def prior(batch: Batch) -> Answer:
        return batch.softmax(np.log([[1.0, 1.0, 3.0]] * len(batch))), np.zeros(len(batch))

    unsearched = Search(Nim(7), prior, actions=3).run(0)
    assert unsearched.action == 2 and unsearched.policy().tolist() == pytest.approx([0.0, 0.25, 0.75])
    assert np.isnan(unsearched.values).all() and unsearched.value == 0.0


WRONG: dict[str, tuple[Any, str]] = {
    "no pair": (lambda b: np.zeros(len(b)), r"evaluator: expected \(policy, values\), found an array of the shape \(1,\)"),
    "three": (lambda b: (1, 2, 3), r"evaluator: expected \(policy, values\), found 3 items"),
    "nothing": (lambda b: None, r"evaluator: expected \(policy, values\), found NoneType"),
    "shape": (lambda b: (np.ones(3), [0.0]), r"evaluator: policy: expected the shape \(1, 3\), found \(3,\)"),
    "ragged": (lambda b: ([[1.0], [1.0, 2.0]], [0.0]), "evaluator: policy: expected an array, found rows of different lengths"),
    "texts": (lambda b: (np.array([["a"] * 3]), [0.0]), "evaluator: policy: expected real numbers, found <U1"),
    "NaN": (lambda b: ([[0.0, np.nan, 1.0]], [0.0]), "evaluator: policy: expected probabilities, found nan for action 1 of position 0"),
    "negative": (lambda b: ([[0.0, 1.5, -0.5]], [0.0]), "evaluator: policy: expected probabilities, found -0.5 for action 2 of position 0"),
    "infinite": (lambda b: ([[0.0, np.inf, 0.0]], [0.0]), "evaluator: policy: expected probabilities, found inf for action 1"),
    "sum": (lambda b: ([[0.5, 0.25, 0.25]], [0.0]), "evaluator: policy: expected 1 for the sum over the legal actions, found 0.5 for position 0"),
    "zero": (lambda b: (np.zeros((1, 3)), [0.0]), "found 0 for position 0; Batch.softmax makes a policy of logits"),
    "values": (lambda b: (blind(b)[0], [[0.0]]), r"evaluator: values: expected the shape \(1,\) or \(1, 2\), found \(1, 1\)"),
    "no value": (lambda b: (blind(b)[0], [np.nan]), "evaluator: values: expected -1 to 1, found nan for position 0"),
    "points": (lambda b: (blind(b)[0], [12.0]), "evaluator: values: expected -1 to 1, found 12.0 for position 0"),
    "logits": (lambda b: (b.softmax([1.0]), [0.0]), r"logits: expected an array of the shape \(1, 3\), found \(1,\)"),
}


@pytest.mark.parametrize("case", list(WRONG))
def test_a_wrong_answer_is_one_line(case: str) -> None:
    evaluator, line = WRONG[case]
    search = Search(Nim(7), evaluator, actions=3)
    with pytest.raises((TypeError, ValueError), match=line) as error:
        search.run(1)
    assert "\n" not in str(error.value)


def test_values_of_three_players_begin_with_the_one_to_act() -> None:
    worth = np.array([0.5, -0.75, 0.25])

    def knows(batch: Batch) -> Answer:
        seats = (batch.players[:, None] + np.arange(3)) % 3
        return blind(batch)[0], worth[seats]

    state = evouct.State(evouct.Rules(3), seed=1)
    for _ in range(8):
        found = Search(state, knows).run(60)
        tried = found.visits > 0
        assert found.value == pytest.approx(worth[state.player]) and found.values[tried] == pytest.approx(worth[state.player])
        state.apply(found.action)


def test_values_in_points_are_finite() -> None:
    state = evouct.State(seed=1)
    Search(state, lambda batch: (blind(batch)[0], np.full(len(batch), 55.0)), reward="margin").run(3)
    with pytest.raises(ValueError, match="values: expected a finite number, found inf"):
        Search(state, lambda batch: (blind(batch)[0], np.full(len(batch), np.inf)), reward="margin").run(3)
    with pytest.raises(ValueError, match=r"values: expected the shape \(1, 3\), found \(1,\)"):
        Search(evouct.State(evouct.Rules(3), seed=1), blind).run(1)


def test_wrong_options_are_one_line() -> None:
    state: Any = evouct.State(seed=1)
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"evaluator": 3}, "evaluator: expected a function of a Batch, found int"),
        ({"batch": 0}, "batch: expected a whole number from 1 to 1024, found 0"),
        ({"batch": 2.0}, "batch: expected a whole number, found float"),
        ({"reward": "points"}, 'there is no reward called "points"; known: outcome, margin'),
        ({"encoding": "image"}, 'there is no encoding called "image"'),
        ({"virtual_loss": -1}, "virtual_loss: expected a number from 0, found -1"),
        ({"c": float("nan")}, "c: expected a number, found nan"),
        ({"formula": "Q + dv"}, "formula: "),
        ({"formula": "Q + left"}, "left: a search with an evaluator has no such number"),
        ({"untried": 3}, "formula: expected a text or a Formula, found int"),
        ({"seed": -1}, "seed: expected a whole number"),
        ({"actions": 5}, "actions and point are for other games"),
        ({"point": 0.5}, "actions and point are for other games"),
    ]
    for options, line in wrong:
        with pytest.raises((TypeError, ValueError), match=line):
            Search(state, **{"evaluator": blind, **options})
    search = Search(state, blind)
    with pytest.raises(ValueError, match="iterations: expected a whole number from 0, found -1"):
        search.run(-1)
    ended = near_the_end()
    ended.apply(ended.random_action())
    with pytest.raises(ValueError, match="a search begins in the phase tile or figure, found end"):
        Search(ended, blind)
    with pytest.raises(evouct.GameError, match="int: has no clone"):
        Search(3, blind)
    with pytest.raises(evouct.GameError, match=r"Nim: has no num_distinct_actions\(\); give actions"):
        Search(Nim(), blind)
    with pytest.raises(ValueError, match=r"legal_actions\(\) gave 2, expected 0 to 1: see actions"):
        Search(Nim(), blind, actions=2).run(1)
    with pytest.raises(ValueError, match="encoding is for Carcassonne"):
        Search(Nim(), blind, actions=3, encoding="planes")
    with pytest.raises(ValueError, match=r"legal_actions\(\) gave 1 twice"):
        Search(Doubling(), blind, actions=3).run(1)
    for players in (0, 7):
        Crowd.players = players
        with pytest.raises(evouct.GameError, match=rf"Crowd: returns\(\) gave {players} numbers, expected one for each of 1 to 6"):
            Search(Crowd(), blind, actions=3)
    with pytest.raises(ValueError, match="action: expected a whole number from 0 to 2, found"):
        Search(Nim(), blind, actions=3).advance(2**70)


class Doubling(Nim):
    """A game that lists an action twice."""

    def legal_actions(self) -> list[int]:
        return [1, 1]


class Crowd(Nim):
    """A game with another number of players."""

    players = 2

    def returns(self) -> list[float]:
        return [0.0] * self.players


def test_a_search_that_runs_is_left_alone() -> None:
    search: Search | None = None

    def meddling(batch: Batch) -> Answer:
        assert search is not None
        for meddle in (lambda: search.run(1), lambda: search.advance(1)):
            with pytest.raises(RuntimeError, match="the search is running"):
                meddle()
        return blind(batch)

    search = Search(Nim(), meddling, actions=3)
    assert search.run(20).visits.sum() == 20


def test_runs_of_whole_batches_are_one_run() -> None:
    state = evouct.State(seed=5)
    once, twice = (Search(state, leaning, batch=8) for _ in range(2))
    twice.run(48)
    assert same(once.run(96), twice.run(48))


def test_an_error_of_the_evaluator_is_its_own() -> None:
    def breaks_at(number: int) -> Any:
        left = [number]

        def breaks(batch: Batch) -> Answer:
            left[0] -= 1
            if left[0] == 0:
                raise ZeroDivisionError("of the network")
            return leaning(batch)

        return breaks

    for state in (evouct.State(seed=6), Dice()):
        whole = Search(state, leaning).run(64)
        for number in (1, 4):
            search = Search(state, breaks_at(number))
            with pytest.raises(ZeroDivisionError, match="of the network") as error:
                search.run(64)
            assert traceback.extract_tb(error.value.__traceback__)[-1].name == "breaks"
            # The batch that broke counts for nothing.
            done = 0 if number == 1 else 8 * (number - 2)
            assert search.run(0).visits.sum() == done
            assert same(search.run(64 - done), whole)


def test_ctrl_c_ends_a_search_that_can_go_on() -> None:
    interrupted: list[bool] = []

    def interrupts(batch: Batch) -> Answer:
        if not interrupted and len(batch) > 1:
            interrupted.append(True)
            signal.raise_signal(signal.SIGINT)
        return leaning(batch)

    state = evouct.State(seed=6)
    search = Search(state, interrupts)
    with pytest.raises(KeyboardInterrupt):
        search.run(64)
    assert same(search.run(64 - int(search.run(0).visits.sum())), Search(state, leaning).run(64))


class Broken(Nim):
    """A game with a mistake below four stones."""

    def apply_action(self, action: int) -> None:
        if self.stones < 4:
            raise KeyError("no such stone")
        super().apply_action(action)


class Strange(Nim):
    """A game whose players have no numbers."""

    def current_player(self) -> int:
        return 7 if self.stones < 4 else self.player


def test_an_error_of_a_game_is_its_own() -> None:
    with pytest.raises(KeyError, match="no such stone") as error:
        Search(Broken(), blind, actions=3).run(50)
    assert traceback.extract_tb(error.value.__traceback__)[-1].name == "apply_action"
    with pytest.raises(evouct.GameError, match=r"Strange: current_player\(\) gave 7, expected a player from 0 to 1"):
        Search(Strange(), blind, actions=3).run(50)


def test_the_example_learns(tmp_path: Path) -> None:
    path = Path(__file__).parents[1] / "examples/learn.py"
    if not path.is_file():
        pytest.skip("the examples are not here")
    spec = importlib.util.spec_from_file_location("learn", path)
    assert spec is not None and spec.loader is not None
    learn = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(learn)
    before, after = learn.train(tmp_path, random=300, games=20, iterations=16)
    assert after[0] < before[0] and after[1] < before[1]

    def margin(deck: int, seat: int) -> float:
        """What the learned network in this seat wins by, against the untrained one."""
        state = evouct.State(seed=deck)
        while state.phase != "end":
            if state.phase == "tile":
                searching = learn.search(networks[state.player == seat], state, 1)
            action = searching.run(32).action
            if state.phase == "tile":
                searching.advance(action)
            state.apply(action)
        return float(state.rewards("margin")[seat])

    networks = [learn.Network.load(tmp_path / f"{name}.npz") for name in ("untrained", "learned")]
    decks = [margin(deck, 0) + margin(deck, 1) for deck in range(30_001, 30_005)]
    # 46 points per deck here, at least 30 on each of them. A network against itself has 0 on every deck.
    assert sum(decks) > 60 and min(decks) > 0
