"""Vectors of environments."""

import numpy as np
import pytest

from evouct import Rules, State, VectorEnv


def test_a_vector_is_its_single_games(rules: Rules) -> None:
    env = VectorEnv(3, rules, seed=7, reward="score-delta", autoreset_mode="next-step")
    observation, infos = env.reset(seed=7)
    states = [State(rules, seed=7 + place) for place in range(3)]
    rng = np.random.default_rng(1)
    for _ in range(2 * rules.tiles):
        actions = [int(rng.choice(np.flatnonzero(mask))) if mask.any() else 0 for mask in observation["action_mask"]]
        running = [state.phase != "end" for state in states]
        if not all(running):
            break
        for state, action in zip(states, actions):
            state.apply(action)
        observation, rewards, terminated, truncated, infos = env.step(actions)
        assert rewards.shape == (3, rules.players)
        for place, state in enumerate(states):
            assert np.array_equal(observation["board"][place], state.observation())
            assert np.array_equal(observation["globals"][place], state.globals())
            assert np.array_equal(np.flatnonzero(observation["action_mask"][place]), np.sort(state.legal_actions()))
            assert terminated[place] == state.terminated and truncated[place] == state.truncated
            assert infos["player"][place] == state.player and infos["scores"][place].tolist() == state.scores
    assert any(state.terminated for state in states)


def test_threads_change_nothing() -> None:
    results = []
    for threads in (1, 2, 4):
        env = VectorEnv(50, threads=threads, encoding="planes", copy=False, autoreset_mode="same-step")
        env.reset(seed=3)
        total = np.zeros((50, 2))
        for _ in range(160):
            observation, rewards, _, _, infos = env.step_randomly()
            total += rewards
        results.append((total, *[array.copy() for array in (*observation.values(), *infos.values())]))
    for other in results[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(results[0], other))
    assert np.abs(results[0][0]).sum() > 0


def test_views_without_copies_cannot_be_written() -> None:
    env = VectorEnv(2, copy=False)
    observation, _ = env.reset(seed=1)
    with pytest.raises(ValueError, match="read-only"):
        observation["board"][0, 0, 0, 0] = 1
    mask = observation["action_mask"]
    assert env.step_randomly()[0]["action_mask"] is mask
    copied, _ = VectorEnv(2).reset(seed=1)
    copied["board"][0, 0, 0, 0] = 1


def test_actions_may_be_those_that_a_step_has_written() -> None:
    for copy in (False, True):
        env = VectorEnv(2, copy=copy)
        env.reset(seed=1)
        placed = env.step_randomly()[4]["action"]
        # They are read, and refused: figures are due now.
        with pytest.raises(ValueError, match="environment 0"):
            env.step(placed)


def test_errors_name_the_environment() -> None:
    env = VectorEnv(2, autoreset_mode="disabled")
    observation, _ = env.reset(seed=1)
    legal = int(np.flatnonzero(observation["action_mask"][0])[0])
    with pytest.raises(ValueError, match="environment 1"):
        env.step([legal, 0])
    with pytest.raises(ValueError, match="2 actions"):
        env.step([legal])
    with pytest.raises(ValueError, match="2 seeds"):
        env.reset(seed=[1])
    with pytest.raises(ValueError, match="compact, planes"):
        VectorEnv(1, encoding="pixels")  # type: ignore[arg-type]
    for _ in range(142):
        env.reset() if env.step_randomly()[2].any() else None
    env = VectorEnv(1, autoreset_mode="disabled")
    env.reset(seed=1)
    while not env.step_randomly()[2].all():
        pass
    with pytest.raises(ValueError, match="over"):
        env.step_randomly()


def test_actions_are_whole_numbers() -> None:
    env = VectorEnv(2, autoreset_mode="disabled")
    with pytest.raises(ValueError, match="expected reset before the first step"):
        env.step_randomly()
    observation, _ = env.reset()
    legal = [int(np.flatnonzero(mask)[0]) for mask in observation["action_mask"]]
    for wrong in (np.array(legal) + 0.5, np.array(legal, float), np.array([True, False]), ["0", "1"], [legal[0], 2**70]):
        with pytest.raises(TypeError, match="expected whole numbers as actions"):
            env.step(wrong)  # type: ignore[arg-type]
    # 32 bits of these are legal.
    with pytest.raises(ValueError, match=f"environment 1: there is no decision {legal[1] + 2**32}; the highest is 2530"):
        env.step(np.array([legal[0], legal[1] + 2**32]))
    with pytest.raises(ValueError, match="environment 0: there is no decision -1; the highest is 2530"):
        env.step([-1, legal[1]])
    with pytest.raises(ValueError, match=r"2 actions, found an array of the shape \(2, 1\)"):
        env.step(np.array(legal)[:, None])
    env.reset(seed=3)
    for dtype in (np.int16, np.uint16, np.int64, np.uint64):
        observation, _ = env.reset(seed=3)
        legal = [int(np.flatnonzero(mask)[0]) for mask in observation["action_mask"]]
        infos = env.step(np.array([*legal, 0], dtype)[:2])[4]
        assert infos["action"].tolist() == legal


def test_the_first_reset_plays_the_first_episode(rules: Rules) -> None:
    env = VectorEnv(3, rules, seed=7)
    for number in range(2):
        observation, infos = env.reset()
        for place in range(3):
            first = State(rules, seed=7 + place)
            same = np.array_equal(observation["globals"][place], first.globals())
            same = same and np.array_equal(np.flatnonzero(observation["action_mask"][place]), np.sort(first.legal_actions()))
            assert same or number == 1
    others = VectorEnv(3, rules, seed=100)
    again = [others.reset(seed=seed)[0] for seed in (7, np.int64(7), [7, 8, 9], np.arange(7, 10))]
    for observation in again:
        assert all(np.array_equal(observation[name], again[0][name]) for name in observation)
    with pytest.raises(ValueError, match="seed: expected a whole number"):
        others.reset(seed=[1, 2, -1])
    with pytest.raises(TypeError, match="seed: expected a whole number"):
        others.reset(seed=1.5)  # type: ignore[arg-type]


def test_modes_of_autoreset() -> None:
    ends = {}
    for mode in ("next-step", "same-step", "disabled"):
        env = VectorEnv(1, autoreset_mode=mode)  # type: ignore[arg-type]
        env.reset(seed=1)
        while True:
            observation, rewards, terminated, _, infos = env.step_randomly()
            if terminated[0]:
                break
        ends[mode] = (infos["scores"].tolist(), rewards.tolist())
        # With same-step the next game has begun.
        assert observation["action_mask"].any() == (mode == "same-step")
        if mode == "next-step":
            observation, rewards, terminated, _, infos = env.step([0])
            assert observation["action_mask"].any() and not rewards.any() and not terminated.any()
            assert infos["action"][0] == -1 and infos["scores"].tolist() == [[0, 0]]
    assert len(set(map(str, ends.values()))) == 1


def test_the_last_observation_of_an_episode(rules: Rules) -> None:
    for encoding in ("compact", "planes", "pairs", "features"):
        env = VectorEnv(3, rules, encoding=encoding, autoreset_mode="same-step", copy=False)  # type: ignore[arg-type]
        env.reset(seed=7)
        running = {place: State(rules, seed=7 + place) for place in range(3)}
        while running:
            _, _, terminated, truncated, infos = env.step_randomly()
            for place, state in list(running.items()):
                state.apply(int(infos["action"][place]))
                assert (terminated[place], truncated[place]) == (state.terminated, state.truncated)
                if state.phase == "end":
                    seat, final = int(env.final_player[place]), env.final_observation
                    assert seat == state.player and not final["action_mask"][place].any()
                    assert np.array_equal(final["board"][place], state.observation(encoding, seat))  # type: ignore[arg-type]
                    assert np.array_equal(final["globals"][place], state.globals(seat))
                    assert infos["scores"][place].tolist() == state.scores
                    del running[place]
    with pytest.raises(ValueError, match="same-step, not with next-step"):
        VectorEnv(1).final_observation


def test_some_environments_begin_again() -> None:
    env, alone = VectorEnv(3, autoreset_mode="disabled"), VectorEnv(1, seed=9, autoreset_mode="disabled")
    with pytest.raises(ValueError, match="all environments before one of some"):
        env.reset(mask=np.ones(3, bool))
    env.reset(seed=7)
    for _ in range(5):
        before, rewards, _, _, infos = env.step_randomly()
    # The third one, with a seed and without one.
    for seed in (9, None):
        alone.reset(seed=seed)
        again, infos_again = env.reset(seed=None if seed is None else [0, 0, seed], mask=np.array([False, False, True]))
        for name in before:
            assert np.array_equal(again[name][:2], before[name][:2]), name
            assert np.array_equal(again[name][2], alone._result()[0][name][0]), name
        assert np.array_equal(infos_again["action"], [*infos["action"][:2], -1])
    with pytest.raises(ValueError, match="mask of 3 environments, found 2"):
        env.reset(mask=np.array([True, False]))
    with pytest.raises(TypeError):
        env.reset(mask=[1, 0, 1])  # type: ignore[arg-type]


def test_modes_of_autoreset_have_the_names_of_gymnasium() -> None:
    vector = pytest.importorskip("gymnasium.vector")
    modes = [VectorEnv(1, autoreset_mode=mode).autoreset_mode for mode in vector.AutoresetMode]
    assert sorted(modes) == ["disabled", "next-step", "same-step"]


def test_vectors_of_all_encodings_are_their_single_games(rules: Rules) -> None:
    for encoding in ("compact", "planes", "pairs", "features"):
        env = VectorEnv(1, rules, encoding=encoding)  # type: ignore[arg-type]
        env.reset(seed=2)
        state = State(rules, seed=2)
        for _ in range(60):
            observation, _, _, _, infos = env.step_randomly()
            state.apply(int(infos["action"][0]))
            assert np.array_equal(observation["board"][0], state.observation(encoding))  # type: ignore[arg-type]
