"""Random games of OpenSpiel's C++ games: python3 openspiel_games.py COUNT > games.txt

A line is a game: its name and rules here, the words of its moves, a hash of all legal moves along it, the scores. The file that is kept
beside this one has 30 of each; OPENSPIEL_GAMES=games.txt cargo test -p evouct-games compares another one.
"""

import random
import sys

import pyspiel


def letter(column: int) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[column]


def breakthrough(rows: int, word: str) -> str:
    """OpenSpiel counts rows from the bottom, and marks moves that capture."""
    cells = word.rstrip("*")
    return "".join(f"{cells[at]}{rows + 1 - int(cells[at + 1])}" for at in (0, 2))


GAMES = {
    "connect-four rows=6,columns=7": ("connect_four", lambda word: letter(int(word[1:]))),
    "connect-four rows=5,columns=8": ("connect_four(rows=5,columns=8)", lambda word: letter(int(word[1:]))),
    "breakthrough rows=8,columns=8": ("breakthrough", lambda word: breakthrough(8, word)),
    "breakthrough rows=6,columns=5": ("breakthrough(rows=6,columns=5)", lambda word: breakthrough(6, word)),
    "hex size=7": ("hex(board_size=7)", str),
    "hex size=11": ("hex", str),
    "othello half=4": ("othello", str),
    "pig goal=100,faces=6": ("pig", lambda word: {"stop": "hold"}.get(word, word)),
    "pig goal=30,faces=4": ("pig(winscore=30,diceoutcomes=4)", lambda word: {"stop": "hold"}.get(word, word)),
    "y size=9": ("y(board_size=9)", str),
    "y size=11": ("y(board_size=11)", str),
    "havannah size=3": ("havannah(board_size=3)", str),
    "havannah size=4": ("havannah(board_size=4)", str),
    "havannah size=6": ("havannah(board_size=6)", str),
    "maedn pieces=4": ("maedn", lambda word: {"0": "pass", "1": "enter"}.get(word.split(" ")[0], "f" + word.split(" ")[-1])),
}


def hashed(value: int, text: str) -> int:
    """FNV-1a with 64 bits."""
    for byte in text.encode():
        value = ((value ^ byte) * 0x100000001B3) % (1 << 64)
    return value


def play(game: pyspiel.Game, word, rng: random.Random) -> str:
    state, words, found = game.new_initial_state(), [], 0xCBF29CE484222325
    while not state.is_terminal():
        if state.is_chance_node():
            outcome = rng.choice([outcome for outcome, _ in state.chance_outcomes()])
            # OpenSpiel's outcomes of a die begin with 0.
            words.append(str(outcome + 1))
            state.apply_action(outcome)
            continue
        legal = {word(state.action_to_string(action)): action for action in state.legal_actions()}
        assert len(legal) == len(state.legal_actions())
        found = hashed(found, f"{state.current_player()} {' '.join(sorted(legal))}\n")
        chosen = rng.choice(sorted(legal))
        words.append(chosen)
        state.apply_action(legal[chosen])
    scores = " ".join(str(int(value > 0)) for value in state.returns())
    return f"{' '.join(words)};{found:016x};{scores}"


rng = random.Random(7)
for name, (there, word) in GAMES.items():
    game = pyspiel.load_game(there)
    for _ in range(int(sys.argv[1])):
        print(f"{name};{play(game, word, rng)}")
