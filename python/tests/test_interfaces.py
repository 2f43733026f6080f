"""The environments of PettingZoo, Gymnasium and OpenSpiel, and the calls of wingedsheep/carcassonne."""

import subprocess
import sys
import warnings

import numpy as np
import pytest

from evouct import Rules, State, phases


def test_pettingzoo(rules: Rules) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, seed_test

    from evouct import carcassonne_v0

    # The encodings differ only in shape, so those that take longer are tested with one set of rules.
    for encoding in ("compact", "planes", "pairs", "features")[: 4 if rules == Rules() else 1]:
        with warnings.catch_warnings():
            # It recommends Box spaces, and wants no mask without actions, which other players have.
            warnings.simplefilter("ignore")
            api_test(carcassonne_v0.env(rules=rules, encoding=encoding), num_cycles=150)
    seed_test(lambda: carcassonne_v0.env(rules=rules), num_cycles=40)


def test_rendering_of_pettingzoo(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import render_test

    from evouct import carcassonne_v0

    render_test(carcassonne_v0.env, {"svg": lambda picture: picture.startswith("<svg")})
    assert capsys.readouterr().out


def test_rewards_of_pettingzoo_add_up() -> None:
    pytest.importorskip("pettingzoo")
    from evouct import carcassonne_v0

    env = carcassonne_v0.raw_env(Rules(3), reward="score-delta")
    env.reset(seed=4)
    sums, rng = dict.fromkeys(env.possible_agents, 0.0), np.random.default_rng(1)
    for agent in env.agent_iter():
        observed, reward, terminated, truncated, _ = env.last()
        sums[agent] += reward
        env.step(None if terminated or truncated else int(rng.choice(np.flatnonzero(observed["action_mask"]))))
    assert list(sums.values()) == env.game.scores and sum(sums.values()) > 0


def test_an_illegal_action_ends_a_game_of_pettingzoo() -> None:
    pytest.importorskip("pettingzoo")
    from evouct import carcassonne_v0

    env = carcassonne_v0.env()
    env.reset(seed=4)
    env.step(0)
    assert env.terminations["player_0"] and env.rewards["player_0"] == -1


def test_gymnasium() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    import evouct.gym  # noqa: F401

    env = gymnasium.make("evouct/Carcassonne-v0", opponents=["random"])
    check_env(env.unwrapped, skip_render_check=False)
    rng = np.random.default_rng(2)
    rewards = []
    for seed in range(3):
        observed, info = env.reset(seed=seed)
        ended = False
        while not ended:
            legal = np.flatnonzero(observed["action_mask"])
            observed, reward, terminated, truncated, info = env.step(int(rng.choice(legal)))
            ended = terminated or truncated
        assert not observed["action_mask"].any() or truncated
        own = info["scores"][info["seat"]]
        rewards.append(reward)
        assert reward == np.sign(own - info["scores"][1 - info["seat"]])
    observed, _ = env.reset(seed=1)
    _, reward, terminated, _, info = env.step(int(np.flatnonzero(observed["action_mask"] == 0)[0]))
    assert (reward, terminated, info["illegal"]) == (-1.0, True, True)
    with pytest.raises(ValueError, match="opponents"):
        gymnasium.make("evouct/Carcassonne-v0", opponents=["random"], rules=Rules(3))


def test_steps_of_gymnasium_out_of_order() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from evouct.gym import CarcassonneEnv

    def broken(state: State) -> int:
        raise ValueError("broken opponent")

    env = CarcassonneEnv(seat=0)
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        env.step(0)
    observed, _ = env.reset(seed=1)
    with pytest.raises(TypeError):
        env.step(float(np.flatnonzero(observed["action_mask"])[0]))  # type: ignore[arg-type]
    for illegal in (-1, 10**30, int(np.flatnonzero(observed["action_mask"] == 0)[0])):
        env.reset(seed=1)
        assert env.step(illegal)[1:3] == (-1.0, True)
        with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
            env.step(illegal)
    observed, _ = env.reset(seed=1)
    ended = False
    while not ended:
        observed, _, terminated, truncated, _ = env.step(np.flatnonzero(observed["action_mask"])[0])
        ended = terminated or truncated
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        env.step(0)
    env = CarcassonneEnv(opponents=[broken], seat=0)
    observed, _ = env.reset(seed=1)
    observed = env.step(int(np.flatnonzero(observed["action_mask"])[0]))[0]
    with pytest.raises(ValueError, match="broken opponent"):
        env.step(int(np.flatnonzero(observed["action_mask"])[0]))
    # The agent does not play on for the opponent.
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        env.step(env.game.legal_actions()[0])
    with pytest.raises(ValueError, match="expected a seat from 0 to 1, found 2"):
        CarcassonneEnv(seat=2)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("reward", ["outcome", "score-delta"])
def test_self_play_is_a_vector_of_gymnasium(mode: str, reward: str) -> None:
    """Equal in every part to what Gymnasium itself makes of single environments, in all modes of autoreset."""
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.vector import AutoresetMode, SyncVectorEnv
    from gymnasium.vector.utils import create_empty_array

    from evouct import VectorEnv
    from evouct.gym import SelfPlayVectorEnv

    rules = Rules()

    class Single(gymnasium.Env):  # type: ignore[misc,name-defined]
        """One game in which an agent plays all seats."""

        def __init__(self) -> None:
            spaces = SelfPlayVectorEnv(1, rules)
            self.observation_space, self.action_space = spaces.single_observation_space, spaces.single_action_space
            self.games = VectorEnv(1, rules, reward=reward, autoreset_mode="disabled")  # type: ignore[arg-type]

        def result(self, observation, infos, rewards):  # type: ignore[no-untyped-def]
            self.player = infos["player"][0]
            names = {"observation": "board", "globals": "globals", "action_mask": "action_mask"}
            info = {"player": self.player, "scores": infos["scores"][0], "rewards": rewards}
            return {name: observation[own][0] for name, own in names.items()}, info

        def reset(self, *, seed=None, options=None):  # type: ignore[no-untyped-def]
            observation, infos = self.games.reset(seed=seed)
            return self.result(observation, infos, np.zeros(2, np.float32))

        def step(self, action):  # type: ignore[no-untyped-def]
            mover = self.player
            observation, rewards, terminated, truncated, infos = self.games.step([action])
            observed, info = self.result(observation, infos, rewards[0])
            return observed, float(rewards[0, mover]), bool(terminated[0]), bool(truncated[0]), info

    def same(ours: object, theirs: object) -> None:
        if isinstance(theirs, dict):
            assert isinstance(ours, dict) and ours.keys() == theirs.keys()
            for key, value in theirs.items():
                same(ours[key], value)
        elif isinstance(theirs, tuple) or isinstance(theirs, np.ndarray) and theirs.dtype == object:
            assert type(ours) is type(theirs)
            for own, value in zip(ours, theirs, strict=True):  # type: ignore[call-overload]
                same(own, value)
        else:
            assert type(ours) is type(theirs) and np.array_equal(ours, theirs)  # type: ignore[arg-type]

    count = 3
    ours = gymnasium.make_vec(
        "evouct/CarcassonneSelfPlay-v0", num_envs=count, rules=rules, reward=reward, autoreset_mode=mode
    )
    theirs = SyncVectorEnv([Single] * count, autoreset_mode=mode)
    assert isinstance(ours, gymnasium.vector.VectorEnv) and isinstance(ours.unwrapped, SelfPlayVectorEnv)
    assert ours.metadata["autoreset_mode"] is AutoresetMode(mode)
    assert ours.observation_space == theirs.observation_space and ours.action_space == theirs.action_space
    assert ours.single_action_space == theirs.single_action_space
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        ours.step(np.zeros(count, np.int64))
    found = ours.reset(seed=7)
    same(found, theirs.reset(seed=7))
    rng, ends = np.random.default_rng(1), np.zeros(count, int)
    empty = create_empty_array(ours.observation_space)
    for _ in range(330):
        mask = found[0]["action_mask"]
        actions = np.array([rng.choice(np.flatnonzero(legal)) if legal.any() else 0 for legal in mask], np.int64)
        assert ours.action_space.contains(actions) and ours.observation_space.contains(found[0])
        found = ours.step(actions)
        same(found, theirs.step(actions))
        assert all(found[0][name].dtype == empty[name].dtype for name in empty)
        ended = found[2] | found[3]
        ends += ended
        assert ("final_obs" in found[4]) == (mode == "SameStep" and ended.any())
        if mode == "Disabled" and ended.any():
            found = ours.reset(options={"reset_mask": ended.copy()})
            same(found, theirs.reset(options={"reset_mask": ended.copy()}))
    assert (ends == 2).all()
    ours.close()


def test_self_play_under_the_wrappers_of_gymnasium() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

    import evouct.gym  # noqa: F401

    env = gymnasium.make_vec("evouct/CarcassonneSelfPlay-v0", num_envs=2, autoreset_mode="SameStep", reward="score-delta")
    assert repr(env) == "SelfPlayVectorEnv(evouct/CarcassonneSelfPlay-v0, num_envs=2)"
    env = DictInfoToList(RecordEpisodeStatistics(env))
    # Without a seed, decks differ from one environment to the other; with one they are those of ``evouct play --seed``.
    first = [gymnasium.make_vec("evouct/CarcassonneSelfPlay-v0", num_envs=1).reset()[0]["globals"] for _ in range(4)]
    assert any(not np.array_equal(first[0], other) for other in first[1:])
    observed, _ = env.reset(seed=3)
    assert np.array_equal(observed["globals"][1], State(Rules(), seed=4).globals())
    finished: list[dict[str, object]] = []
    steps = 0
    while not finished:
        steps += 1
        actions = np.array([np.flatnonzero(mask)[0] for mask in observed["action_mask"]])
        observed, _, _, _, infos = env.step(actions)
        finished += [info for info in infos if "episode" in info]
    assert finished[0]["episode"]["l"] == steps and "final_info" in finished[0]  # type: ignore[index]
    observed, _ = env.reset(seed=3)
    with pytest.raises(ValueError, match="environment 0"):
        env.step(env.action_space.sample(mask=tuple(1 - mask for mask in observed["action_mask"])))
    for mask in (np.ones(3, bool), [True, False], np.ones(2)):
        with pytest.raises(ValueError, match="2 booleans as reset_mask"):
            env.reset(options={"reset_mask": mask})


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_gymnasium_makes_vectors_of_one_agent(mode: str) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    import evouct.gym  # noqa: F401

    envs = gymnasium.make_vec(
        "evouct/Carcassonne-v0", num_envs=2, vectorization_mode="sync", opponents=["random"], vector_kwargs={"autoreset_mode": mode}
    )
    observed, _ = envs.reset(seed=1)
    for _ in range(150):
        actions = np.array([np.flatnonzero(mask)[0] if mask.any() else 0 for mask in observed["action_mask"]])
        observed, _, terminated, truncated, infos = envs.step(actions)
        ended = terminated | truncated
        if mode == "SameStep" and ended.any():
            assert all(envs.single_observation_space.contains(last) for last in infos["final_obs"][ended])
        if mode == "Disabled" and ended.any():
            observed, _ = envs.reset(options={"reset_mask": ended})
    assert observed["action_mask"].any()


def test_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from evouct import openspiel

    openspiel.register()
    openspiel.register()
    game = pyspiel.load_game(openspiel.NAME, {"players": 3, "expansions": "river+abbots"})
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    state = game.new_initial_state()
    assert state.is_chance_node()
    state.apply_action(state.legal_actions()[0])
    again = state.clone()
    again.apply_action(again.legal_actions()[0])
    assert str(again) == str(state) and again.legal_actions() != state.legal_actions()


def test_the_calls_of_wingedsheep(rules: Rules) -> None:
    game = phases.Environment(rules)
    game.reset(seed=3)
    total, expected, rng = [0] * rules.players, "tiles", np.random.default_rng(1)
    while not game.is_finished():
        assert game.phase == expected
        expected = "meeples" if expected == "tiles" else "tiles"
        actions = game.get_possible_actions()
        player = game.get_current_player()
        with pytest.raises(ValueError, match=f"player {player} is to act"):
            game.step(player + 1, actions[0])
        state, points, finished = game.step(player, actions[int(rng.integers(len(actions)))])
        assert 0 <= player < rules.players
        total = [a + b for a, b in zip(total, points)]
    assert finished and total == state.scores and sum(total) > 0 and game.phase == "finished" and game.render()


LAZY = """
import sys
import evouct
for name in ("carcassonne_v0", "dm", "external", "gym", "openspiel", "phases"):
    assert name in dir(evouct)
    assert getattr(evouct, name).__name__ == f"evouct.{name}"
del evouct.dm, sys.modules["evouct.dm"]
sys.modules["dm_env"] = None
try:
    evouct.dm
except ModuleNotFoundError as error:
    print(error)
try:
    evouct.nothing
except AttributeError as error:
    print(error)
"""


def test_modules_are_there_after_a_plain_import() -> None:
    for module in ("gymnasium", "pettingzoo", "dm_env", "pyspiel"):
        pytest.importorskip(module)
    done = subprocess.run([sys.executable, "-c", LAZY], capture_output=True, text=True)
    lines = ["evouct.dm needs dm_env: pip install dm-env", "module 'evouct' has no attribute 'nothing'"]
    assert done.returncode == 0 and done.stdout.splitlines() == lines, done.stderr
