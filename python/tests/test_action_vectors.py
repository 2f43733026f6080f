"""Actions as vectors, in every environment that has them."""

from typing import Any

import numpy as np
import pytest

import evouct
from evouct import ActionVector, Rules, State


def test_every_action_has_a_vector_and_every_legal_vector_one_action(rules: Rules) -> None:
    vector, rng = ActionVector(rules.usual_width), np.random.default_rng(1)
    assert vector.sizes.tolist() == [3, rules.usual_width, rules.usual_width, 4, 9, 5]
    kinds = set()
    for seed in range(3):
        state = State(rules, seed=seed)
        while state.phase != "end":
            legal, mask = state.legal_actions(), state.action_mask()
            vectors = vector.vector(legal)
            # No two legal actions have the same vector, although two half-edges share a corner.
            assert len(np.unique(vectors, axis=0)) == len(legal)
            assert np.array_equal(vector.number(vectors, np.broadcast_to(mask, (len(legal), len(mask)))), legal)
            kinds |= {tuple(each[[0, 5]]) for each in vectors}
            masks = vector.masks(mask)
            parts = vector.split(masks)
            assert [len(part) for part in parts] == vector.sizes.tolist() and len(masks) == vector.sizes.sum()
            for place, part in enumerate(parts):
                assert np.array_equal(np.flatnonzero(part), np.unique(vectors[:, place]))
            # Numbers that are chosen in turn are legal together.
            chosen: list[int] = []
            for _ in range(6):
                chosen.append(int(rng.choice(np.flatnonzero(vector.next_mask(mask, chosen)))))
            number = int(vector.number(chosen, mask))
            assert mask[number] == 1 and vector.vector(number).tolist() == chosen
            # What does not matter to an action may be anything.
            if chosen[0] == 0:
                assert vector.number([*chosen[:4], 8, 4], mask) == number
            elif chosen[0] == 1:
                assert vector.number([1, 2, 2, 3, *chosen[4:]], mask) == number
            state.apply(number)
    assert {(0, 0), (1, 0), (2, 0)} <= kinds
    if "abbots" in rules.expansions and "inns-and-cathedrals" in rules.expansions:
        assert {(1, 1), (1, 2), (2, 2)} <= kinds


def test_vectors_of_the_article() -> None:
    """A board of 30 x 30 has a vector of length 81, and the actions are in the order of the reference."""
    vector = ActionVector(30)
    assert vector.offsets[-1] == 81
    first = 4 * 30 * 30
    wanted = {
        (4 * (30 * 7 + 5) + 3): [0, 7, 5, 3, 0, 0],
        first: [2, 0, 0, 0, 0, 0],
        first + 1 + 2: [1, 0, 0, 0, 2, 0],
        first + 1 + 12: [1, 0, 0, 0, 4, 0],
        # Both half-edges of the corner NE, then the field inside.
        first + 1 + 5: [1, 0, 0, 0, 5, 3],
        first + 1 + 6: [1, 0, 0, 0, 5, 3],
        first + 1 + 13: [1, 0, 0, 0, 4, 3],
        first + 15 + 2: [1, 0, 0, 0, 2, 1],
        first + 15 + 11: [1, 0, 0, 0, 8, 4],
        first + 29: [1, 0, 0, 0, 4, 2],
        first + 30: [2, 0, 0, 0, 0, 2],
    }
    for number, expected in wanted.items():
        assert vector.vector(number).tolist() == expected
    mask = np.zeros(first + 31, np.int8)
    for number in (first + 1 + 5, first + 1 + 6):
        mask[:] = 0
        mask[number] = 1
        assert vector.number([1, 0, 0, 0, 5, 3], mask) == number
    # A meeple on a corner, a farmer on a side, an abbot beside the centre; numbers out of range.
    for unknown in ([1, 0, 0, 0, 5, 0], [1, 0, 0, 0, 0, 3], [1, 0, 0, 0, 1, 2], [3, 0, 0, 0, 0, 0], [0, 30, 0, 0, 0, 0], [0, -1, 0, 0, 0, 0]):
        assert vector.number(unknown, mask) == -1
    with pytest.raises(TypeError, match="expected vectors of whole numbers, found float64"):
        vector.number([0.0] * 6, mask)
    for wrong in ([0] * 5, [[0] * 6], 0):
        with pytest.raises(ValueError, match=r"expected vectors of the shape \(6,\), found"):
            vector.number(wrong, mask)


def test_gymnasium_with_vectors() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    import evouct.gym  # noqa: F401

    env = gymnasium.make("evouct/Carcassonne-v0", opponents=["random"], seat=0, actions="vector")
    check_env(env.unwrapped, skip_render_check=True)
    numbers = gymnasium.make("evouct/Carcassonne-v0", opponents=["random"], seat=0).unwrapped
    vector: Any = env.unwrapped.action_vector
    assert isinstance(env.action_space, gymnasium.spaces.MultiDiscrete) and numbers.action_vector is None
    observed, _ = env.reset(seed=5)
    assert np.array_equal(numbers.reset(seed=5)[0]["globals"], observed["globals"])
    ended, rng = False, np.random.default_rng(1)
    while not ended:
        assert np.array_equal(observed["vector_mask"], vector.masks(observed["action_mask"]))
        number = int(rng.choice(np.flatnonzero(observed["action_mask"])))
        found = env.step(vector.vector(number))
        same = numbers.step(number)
        assert found[1:] == same[1:] and all(np.array_equal(found[0][name], same[0][name]) for name in same[0])
        observed, ended = found[0], found[2] or found[3]
    observed, _ = env.reset(seed=6)
    env.action_space.seed(1)
    sampled = env.action_space.sample(mask=vector.split(observed["vector_mask"]))
    assert all(mask[value] for mask, value in zip(vector.split(observed["vector_mask"]), sampled))
    # A meeple, in the phase of tiles.
    _, reward, terminated, _, info = env.step(np.array([1, 0, 0, 0, 0, 0]))
    assert (reward, terminated, info["illegal"]) == (-1.0, True, True)
    with pytest.raises(ValueError, match="actions: expected number or vector, found 'both'"):
        gymnasium.make("evouct/Carcassonne-v0", actions="both")


def test_self_play_with_vectors() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    import evouct.gym  # noqa: F401

    def made(**options: Any) -> Any:
        return gymnasium.make_vec("evouct/CarcassonneSelfPlay-v0", num_envs=3, autoreset_mode="SameStep", **options)

    ours, theirs = made(actions="vector"), made()
    vector = ours.unwrapped.action_vector
    found, same = ours.reset(seed=2), theirs.reset(seed=2)
    rng, ends = np.random.default_rng(1), 0
    for _ in range(300):
        mask = found[0]["action_mask"]
        assert ours.observation_space.contains(found[0]) and np.array_equal(mask, same[0]["action_mask"])
        assert np.array_equal(found[0]["vector_mask"], vector.masks(mask))
        numbers = np.array([rng.choice(np.flatnonzero(legal)) for legal in mask])
        actions = vector.vector(numbers)
        assert ours.action_space.contains(actions)
        found, same = ours.step(actions), theirs.step(numbers)
        assert all(np.array_equal(own, other) for own, other in zip(found[1:4], same[1:4]))
        for last in found[4].get("final_obs", []):
            ends += last is not None and ours.single_observation_space.contains(last)
    assert ends >= 3
    with pytest.raises(ValueError, match="environment 0"):
        ours.step(np.tile([1, 0, 0, 0, 5, 0], (3, 1)))
    with pytest.raises(ValueError, match="actions: expected number or vector"):
        evouct.gym.SelfPlayVectorEnv(actions="both")  # type: ignore[attr-defined]
