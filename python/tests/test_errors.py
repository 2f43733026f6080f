"""Wrong input: each has one line that says what was expected, and none ends the process."""

import itertools
import json
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import evouct
from evouct import Player, Rules, State, VectorEnv

HUGE = 10**30


def itself() -> list[Any]:
    """A list that contains itself."""
    items: list[Any] = []
    items.append(items)
    return items


def test_options_are_bounded() -> None:
    for deep in (itself(), [[["x"]]]):
        with pytest.raises(ValueError, match="expansions_of: expected lists at most 2 deep"):
            Rules(expansions_of=deep)
    with pytest.raises(ValueError, match="at most 1000 items"):
        Rules(expansions_of=itertools.count())
    for names in (itself(), range(10**13), itertools.repeat("river")):
        for call in (lambda: Rules(2, names), lambda: State(deck=names)):  # type: ignore[arg-type]
            with pytest.raises(ValueError, match="expected (lists at most 2 deep|a list of at most 1000 items)"):
                call()
    for names in ("river", [1], 1.5):
        for call in (lambda: Rules(2, names), lambda: State(deck=names)):  # type: ignore[arg-type]
            with pytest.raises(TypeError, match="expected a list of names"):
                call()
    with pytest.raises(TypeError, match="found object"):
        Rules(expansions_of=object())  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="two_tile_city"):
        Rules(two_tile_city=HUGE)
    with pytest.raises(ValueError, match="from 1 to 6, found 1000000"):
        Rules(HUGE)
    for text in ("[" * 100_000, '{"seats": ' + "[" * 100_000):
        with pytest.raises(ValueError):
            Rules.from_json(text)
        with pytest.raises(ValueError):
            State.from_bytes(text.encode())
        with pytest.raises(ValueError):
            Rules.from_toml("seats = " + text)


NUMBERS: dict[str, Callable[[Any], object]] = {
    "seed": lambda value: State(seed=value),
    "width of the window": lambda value: State(width=value),
    "action": lambda value: State(seed=1).apply(value),
    "kind": lambda value: State().apply_chance(value),
    "player": lambda value: State(seed=1).globals(value),
    "n": lambda value: State(seed=1).playouts(value),
    "threads": lambda value: State(seed=1).playouts(1, threads=value),
    "seat": lambda value: Player("random", seat=value),
    "players": lambda value: Rules(value),
}


@pytest.mark.parametrize("name", list(NUMBERS))
def test_numbers_are_whole_and_in_range(name: str) -> None:
    for value in (-1, HUGE, -HUGE, 1 << 64):
        with pytest.raises(ValueError) as raised:
            NUMBERS[name](value)
        assert re.fullmatch(rf"{name}.*: expected a whole number from \d+ to \d+, found {value}", str(raised.value))
    for wrong in (1.0, "1", np.float64(1), [1]):
        with pytest.raises(TypeError, match=f"^{name}.*: expected a whole number, found"):
            NUMBERS[name](wrong)
    with pytest.raises(ValueError, match="many digits"):
        NUMBERS[name](10**5000)
    # Numbers of NumPy are numbers.
    if name != "action":
        NUMBERS[name](np.int64(1 if name == "player" else 3))


def test_threads_are_at_most_1024() -> None:
    state, files = State(seed=1), "x.toml"
    for threads in (0, 1025, 10**6):
        for call in (
            lambda: state.playouts(2, threads=threads),
            lambda: VectorEnv(2, threads=threads),
            lambda: evouct.run(files, threads=threads),
        ):
            with pytest.raises(ValueError, match="threads: expected a whole number from 1 to 1024"):
                call()
    assert np.array_equal(state.playouts(3, threads=1024), state.playouts(3))


def test_environments_are_at_most_65536() -> None:
    for n in (0, 65_537, 10**7, HUGE):
        with pytest.raises(ValueError, match="n: expected a whole number from 1 to 65536"):
            VectorEnv(n)
    with pytest.raises(TypeError, match="n: expected a whole number"):
        VectorEnv(2.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="seed"):
        VectorEnv(2, seed=-1)
    with pytest.raises(ValueError, match="seed"):
        VectorEnv(2, seed=2**64 - 1)


def test_people_and_programs_are_no_players() -> None:
    with pytest.raises(ValueError, match="^human: a person decides"):
        Player("human")
    with pytest.raises(ValueError, match="^external: another program decides"):
        Player("external:command=true")
    # Star2 is for two players.
    with pytest.raises(ValueError, match="seats"):
        Player("star2").choose(State(Rules(3), seed=1))


def arrays(state: State) -> list[tuple[Callable[..., object], Any]]:
    """What writes to an array, and an array for it."""
    return [
        (lambda out: state.observation(out=out), state.observation()),
        (lambda out: state.globals(out=out), state.globals()),
        (lambda out: state.action_mask(out=out), state.action_mask()),
    ]


def test_arrays_have_the_type_and_the_shape() -> None:
    state = State(seed=1)
    for write, array in arrays(state):
        kept = array.copy()
        assert write(array) is array and np.array_equal(array, kept)
        shape = re.escape(str(array.shape))
        with pytest.raises(ValueError, match=rf"out: expected an array of the shape {shape}, found"):
            write(np.zeros((*array.shape[::-1][:-1], array.shape[0] + 1), array.dtype))
        with pytest.raises(ValueError, match="shape"):
            write(array[None])
        for dtype in (np.float64, np.uint16, bool):
            with pytest.raises(TypeError, match=f"out: expected an array of {array.dtype}, found one of"):
                write(array.astype(dtype))
        with pytest.raises(TypeError, match="found list"):
            write(array.tolist())
        with pytest.raises(ValueError, match="order of C"):
            write(np.repeat(array, 2, axis=0)[::2])
        array.flags.writeable = False
        with pytest.raises(ValueError, match="cannot be written"):
            write(array)
    board = state.observation()
    with pytest.raises(ValueError, match="order of C"):
        state.observation(out=np.asfortranarray(board))
    with pytest.raises(ValueError, match="expected an array of the shape"):
        state.observation(out=np.ascontiguousarray(board.transpose(2, 0, 1)))
    numbers = np.zeros(2 * state.globals().size + 1, np.uint8)[1:].view(np.int16)
    with pytest.raises(ValueError, match="order of C"):
        state.globals(out=numbers)
    with pytest.raises(TypeError, match="^mask: expected an array of int8"):
        state.observe_into("compact", 0, board, board, state.globals())  # type: ignore[arg-type]


def test_bytes_of_no_state_are_refused() -> None:
    known = json.loads(State(seed=1).to_bytes())
    assert State.from_bytes(json.dumps(known).encode()) == State(seed=1)
    wrong: list[dict[str, Any]] = [
        *({"seed": seed} for seed in (-1, 1.5, "1", True, 2**64, [])),
        *({"width": width} for width in (-1, 0, 2, 128, 256, None)),
        *({"history": history} for history in (None, [-1], [10**9], ["x"], {})),
        {"deck": [1, 2]},
        {"seed": None, "deck": "x"},
        {"seed": None, "history": [200]},
        {"rules": None},
    ]
    for change in wrong:
        with pytest.raises(ValueError):
            State.from_bytes(json.dumps({**known, **change}).encode())
    with pytest.raises(ValueError):
        State.from_bytes(b"")


def test_pairs_need_room_for_their_numbers() -> None:
    with pytest.raises(ValueError, match="pairs needs a width of the window of at least 7, found 6"):
        State(seed=1, width=6).observation("pairs")
    with pytest.raises(ValueError, match="pairs needs a width"):
        VectorEnv(1, width=6, encoding="pairs")
    state = State(seed=1, width=7)
    numbers = state.globals()
    assert (state.observation("pairs")[..., -1].ravel()[: numbers.size] == np.clip(numbers + 1, 0, 255)).all()


def test_pictures_have_pixels() -> None:
    for pixels in (0, -1, 257):
        with pytest.raises(ValueError, match=f"expected 1 to 256 pixels per side of a tile, found {pixels}"):
            evouct.rgb(State(seed=1), pixels)
    assert evouct.rgb(State(seed=1, width=3), 1).shape == (3, 3, 3)


def interrupted(work: Callable[[], object]) -> None:
    """Does the work, which would take hours, and sends Ctrl-C to this process meanwhile."""
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        work()
    timer.join()


def test_playouts_and_players_end_at_ctrl_c() -> None:
    state = State(seed=1)
    for threads in (1, 2):
        interrupted(lambda: state.playouts(5_000_000, threads=threads))
    player = Player("mcts:iterations=1000000000")
    interrupted(lambda: player.choose(state))
    # A new player sits down.
    interrupted(lambda: player.analyse(state))


LEAGUE = """
name = "long"
[[player]]
kind = "mcts"
iterations = 1000000
[[player]]
kind = "random"
"""

RUN = """
import os, signal, sys, threading, evouct
signal.signal(signal.SIGINT, signal.default_int_handler)
began = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
began.start()
try:
    evouct.run(sys.argv[1], sys.argv[2])
except KeyboardInterrupt:
    print("interrupted", flush=True)
    os._exit(0)
"""

FORK = """
import hashlib, os, evouct
env = evouct.VectorEnv(64, threads=2)
env.reset(seed=1)
env.step_randomly()
ends = os.pipe()
child = os.fork()
observation = env.step_randomly()[0]
digest = hashlib.sha256(observation["board"].tobytes()).digest()
if child == 0:
    os.write(ends[1], digest)
    os._exit(0)
assert os.read(ends[0], 32) == digest
os.waitpid(child, 0)
print("equal")
"""


def said(code: str, *arguments: str) -> str:
    """What a script prints. The limit is for scripts that hang."""
    command = [sys.executable, "-W", "ignore", "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    return done.stdout.strip() or done.stderr


def test_leagues_end_at_ctrl_c(tmp_path: Path) -> None:
    (tmp_path / "long.toml").write_text(LEAGUE)
    assert said(RUN, str(tmp_path / "long.toml"), str(tmp_path / "run")) == "interrupted"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_forked_process_steps_its_environments() -> None:
    assert said(FORK) == "equal"
