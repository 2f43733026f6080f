"""The environments of PettingZoo, Gymnasium and OpenSpiel, and the calls of wingedsheep/carcassonne."""

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
