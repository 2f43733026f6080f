"""What an evaluator of positions gets: observations of leaves, and which actions are legal there."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._native import SearchCore
from .games import MOST_PLAYERS, GameError, refused

#: What a position needs beside an observation.
_VERBS = ("clone", "current_player", "legal_actions", "apply_action", "returns")


@dataclass(frozen=True)
class Batch:
    """Positions that a search asks an evaluator about, each seen by the player to act there. B is their number, A that of
    all actions.

    ``mask``, int8 ``[B, A]``, has 1 for each legal action. ``players``, int64 ``[B]``, are the players to act.
    ``observation`` ``[B, …]`` is what they see. In Carcassonne it is uint8, by the encoding of the search, and ``globals``,
    int16 ``[B, G]``, has the numbers beside the board (docs/reference/environment.md). In other games it is made of
    ``observation_tensor()`` or ``features()`` of the positions, and None where they have neither; ``states`` are the
    positions themselves, which the evaluator must not change. ``globals`` is None there, and ``states`` in Carcassonne."""

    mask: NDArray[np.int8]
    players: NDArray[np.int64]
    observation: NDArray[Any] | None
    globals: NDArray[np.int16] | None = None
    states: list[Any] | None = None

    def __len__(self) -> int:
        return len(self.mask)

    def softmax(self, logits: ArrayLike) -> NDArray[np.float64]:
        """The policy of these logits, ``[B, A]``: ``exp(logit)`` over the sum of it for the legal actions, and 0 for the
        others, whose logits may be anything."""
        legal = self.mask.astype(bool)
        given = np.asarray(logits, np.float64)
        if given.shape != legal.shape:
            raise ValueError(f"logits: expected an array of the shape {legal.shape}, found {given.shape}")
        values = np.where(legal, given, -np.inf)
        weights = np.exp(values - values.max(axis=1, keepdims=True))
        policy: NDArray[np.float64] = weights / weights.sum(axis=1, keepdims=True)
        return policy


def of_carcassonne(core: SearchCore) -> Batch:
    """The leaves that wait in a search of Carcassonne."""
    boards, numbers, masks = core.observations()
    return Batch(masks, np.array(core.players(), np.int64), boards, globals=numbers)


class Searched(NamedTuple):
    """What is known of a position that is an object of Python."""

    name: str
    seats: int
    #: Whether ``current_player`` tells the end of the game, as OpenSpiel's does.
    tells_end: bool
    #: The return that is 1 of the score.
    point: float
    #: The number of actions.
    actions: int
    #: What a player sees, if positions tell.
    observe: Callable[[Any, int], Any] | None

    def batch(self, core: SearchCore) -> Batch:
        """The leaves that wait in a search."""
        states, masks = core.positions()
        players = core.players()
        seen = None
        if self.observe is not None:
            rows = [np.asarray(self.observe(state, player)) for state, player in zip(states, players, strict=True)]
            if len({row.shape for row in rows}) > 1:
                shapes = " and ".join(sorted({str(row.shape) for row in rows})[:2])
                raise GameError(f"{self.name}: observations have the shapes {shapes}, expected one")
            seen = np.stack(rows)
        return Batch(masks, np.array(players, np.int64), seen, states=states)


def searched(state: Any, actions: int | None, point: float | None) -> Searched:
    """What a search needs to know of this position."""
    pyspiel = sys.modules.get("pyspiel")
    if pyspiel is not None and isinstance(state, pyspiel.State):
        game = state.get_game()
        name = f"openspiel:{str(game).removesuffix('()')}"
        if problem := refused(game):
            raise GameError(f"{name}: {problem}")
        observe = _openspiel_observer(game)
        return Searched(name, game.num_players(), True, point or 1.0, actions or game.num_distinct_actions(), observe)
    kind = type(state)
    name = kind.__qualname__
    if missing := [verb for verb in (*_VERBS, "is_terminal") if not callable(getattr(state, verb, None))]:
        raise GameError(f"{name}: has no {missing[0]}(); expected a State of Carcassonne, or a position with the verbs of OpenSpiel")
    if state.clone() is state:
        raise GameError(f"{name}: clone() returned the position itself, expected a new object")
    if actions is None:
        count = getattr(state, "num_distinct_actions", None)
        if not callable(count):
            raise GameError(f"{name}: has no num_distinct_actions(); give actions, above the highest number of an action")
        actions = int(count())
    players = len(list(state.returns()))
    if not 1 <= players <= MOST_PLAYERS:
        raise GameError(f"{name}: returns() gave {players} numbers, expected one for each of 1 to {MOST_PLAYERS} players")
    return Searched(name, players, False, point or float(getattr(kind, "point", None) or 1.0), actions, _observer(state))


def _observer(state: Any) -> Callable[[Any, int], Any] | None:
    """What a position tells of itself: ``observation_tensor()``, of a player if it takes one, or ``features()``."""
    for verb in ("observation_tensor", "features"):
        method = getattr(state, verb, None)
        if callable(method):
            takes_player = bool(inspect.signature(method).parameters)
            return lambda state, player: getattr(state, verb)(*([player] if takes_player else []))
    return None


def _openspiel_observer(game: Any) -> Callable[[Any, int], Any] | None:
    if hasattr(game, "make_py_observer"):
        observer = game.make_py_observer()

        def observed(state: Any, player: int) -> Any:
            observer.set_from(state, player)
            return observer.tensor.copy()

        return observed if getattr(observer, "tensor", None) is not None else None
    if not game.get_type().provides_observation_tensor:
        return None
    shape = game.observation_tensor_shape()
    return lambda state, player: np.array(state.observation_tensor(player), np.float32).reshape(shape)
