"""The environment of dm_env, by the tests of dm_env itself."""

import unittest
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from evouct import Rules, State

dm_env = pytest.importorskip("dm_env")
test_utils = pytest.importorskip("dm_env.test_utils")

from absl.testing import absltest  # noqa: E402

from evouct.dm import Environment  # noqa: E402

OPTIONS: dict[str, dict[str, Any]] = {
    "numbers": {},
    "vectors": {"actions": "vector"},
    "three players, planes": {"opponents": ["random", "one-ply"], "encoding": "planes", "reward": "score-delta"},
    "all expansions, features": {"rules": Rules(2, ["river", "inns-and-cathedrals", "abbots"]), "encoding": "features", "actions": "vector"},
}


@pytest.mark.parametrize("name", list(OPTIONS))
def test_the_tests_of_dm_env(name: str) -> None:
    class Test(test_utils.EnvironmentTestMixin, absltest.TestCase):  # type: ignore[misc]
        def make_object_under_test(self) -> Environment:
            return Environment(**OPTIONS[name])

        def make_action_sequence(self) -> Iterator[Any]:
            rng = np.random.default_rng(1)
            for _ in range(200):
                legal = self.environment.game.legal_actions()
                number = int(rng.choice(legal)) if len(legal) else 0
                vector = self.environment.action_vector
                yield np.int64(number) if vector is None else vector.vector(number)

    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Test)
    result = unittest.TextTestRunner(verbosity=0).run(suite)
    assert suite.countTestCases() >= 4 and result.wasSuccessful()


def played(env: Environment) -> tuple[Any, int]:
    """Plays an episode at random; the last step, and the number of steps."""
    step, steps, rng = env.reset(), 0, np.random.default_rng(1)
    assert step.first() and step.reward is None and step.discount is None
    while not step.last():
        step = env.step(rng.choice(np.flatnonzero(step.observation["action_mask"])))
        steps += 1
    return step, steps


def test_an_episode_is_a_game() -> None:
    env = Environment(["random"], seed=7, seat=0, reward="margin")
    step, steps = played(env)
    assert steps == 2 * 36 and step.discount == 0.0 and env.game.phase == "end"
    assert step.reward == env.game.scores[0] - env.game.scores[1]
    # The next episode is the next deck, and the first is that of the seed.
    assert np.array_equal(env.step(0).observation["globals"], State(seed=8).globals(0))
    assert np.array_equal(Environment(seed=7, seat=0).reset().observation["globals"], State(seed=7).globals(0))
    assert env.seat == 0


def test_seats_are_drawn_by_the_seed() -> None:
    env, again = Environment(seed=3), Environment(seed=3)
    seats = []
    for _ in range(12):
        env.reset()
        again.reset()
        assert env.seat == again.seat
        seats.append(env.seat)
    assert set(seats) == {0, 1}


def test_illegal_actions_and_truncated_episodes_end() -> None:
    env = Environment(seat=0)
    illegal = int(np.flatnonzero(env.reset().observation["action_mask"] == 0)[0])
    step = env.step(illegal)
    assert step.last() and (step.reward, step.discount) == (-1.0, 0.0)
    assert env.step(illegal).first()
    # A board that leaves its window: legal actions are never hidden, so the episode is cut off.
    small = Environment(seat=0, width=5)
    for _ in range(20):
        step, _ = played(small)
        if small.game.truncated:
            break
    assert small.game.truncated and (step.reward, step.discount) == (0.0, 1.0)
    with pytest.raises(ValueError, match="expected a seat from 0 to 1, found 2"):
        Environment(seat=2)
    with pytest.raises(TypeError):
        env.reset()
        env.step(0.5)  # type: ignore[arg-type]
