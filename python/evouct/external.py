"""The loop of a player that evouct starts, by the line protocol of docs/reference/protocol.md.

``serve(choose)`` reads the lines that evouct writes and answers them. ``choose`` gets the state and returns the two actions of a turn.
"""

from __future__ import annotations

import io
import operator
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from typing import Callable, Iterable, TextIO

from ._native import Rules, State

#: Decides a turn: the action for the tile, then the one for the figure.
Choose = Callable[[State], tuple[int, int]]


def serve(
    choose: Choose,
    name: str = "agent",
    *,
    width: int | None = None,
    lines: Iterable[str] | None = None,
    out: TextIO | None = None,
) -> None:
    """Plays until ``quit`` or the end of the input. ``width`` is that of the window of the states; where a game does not fit into it, the
    first legal move is played. A wrong line is answered by one line ``error …``, as by ``evouct engine``. What ``choose`` prints goes to
    stderr, because stdout belongs to the protocol."""
    out = sys.stdout if out is None else out
    if lines is None:
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(encoding="utf-8", errors="replace")
        lines = sys.stdin
    turn = _Turn()
    for line in lines:
        word, _, rest = line.strip().partition(" ")
        if word == "quit":
            return
        try:
            answer = _answer(turn, word, rest, name) if word != "go" else f"move {_move(choose, turn, width)}"
        except _WrongLine as problem:
            answer = f"error {word}: {problem}"
        if answer:
            try:
                print(answer, file=out, flush=True)
            except BrokenPipeError:
                return


class _WrongLine(Exception):
    """What is wrong with a line of evouct."""


@dataclass
class _Turn:
    """What evouct has told of the game in progress."""

    rules: Rules = field(default_factory=Rules)
    moves: str = ""
    drawn: str | None = None
    legal: list[str] = field(default_factory=list)


def _answer(turn: _Turn, word: str, rest: str, name: str) -> str:
    """Takes note of a line; the answer to it, or an empty text."""
    if word == "evouct":
        if rest != "1":
            raise _WrongLine(f"expected version 1 of the protocol, found {rest:.20}")
        return f"id name {' '.join(name.split())}\nready"
    if word == "newgame":
        if rest.partition(" ")[0] != "carcassonne":
            raise _WrongLine(f"expected the game carcassonne, found {rest:.40}")
        turn.rules, turn.moves, turn.drawn, turn.legal = Rules(), "", None, []
    elif word == "rules":
        try:
            turn.rules = Rules.from_words(rest)
        except ValueError as problem:
            raise _WrongLine(str(problem)) from None
    elif word == "position":
        turn.moves, turn.drawn, turn.legal = rest, None, []
    elif word == "drawn":
        turn.drawn = rest
    elif word == "legal":
        turn.legal = rest.split()
    elif word:
        raise _WrongLine("expected evouct, newgame, rules, position, drawn, legal, go or quit")
    return ""


def _move(choose: Choose, turn: _Turn, width: int | None) -> str:
    """The legal move that is chosen."""
    if not turn.legal:
        raise _WrongLine("there are no legal moves")
    try:
        state = State.from_notation(turn.rules, turn.moves, turn.drawn, width)
        moves = {state.turn_actions(word): word for word in turn.legal}
    except ValueError as problem:
        print(f"the first legal move is played: {problem}", file=sys.stderr)
        return turn.legal[0]
    with redirect_stdout(sys.stderr):
        chosen = choose(state)
    try:
        tile, figure = chosen
        return moves[operator.index(tile), operator.index(figure)]
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"expected the two actions of a legal move, choose gave {chosen!r}") from None
