"""Search guided by an evaluator of yours, such as a network.

An evaluator is a function. It gets a `Batch` of positions and returns what it expects there, ``(policy, values)``:

``policy``, real numbers ``[B, A]``, has a probability for each action. Those of the legal actions are from 0 and add up to 1 (within 0.001);
what it has for other actions does not count. `Batch.softmax` makes it of logits.

``values``, real numbers ``[B]``, are what the end of the game is expected to be worth to the player to act, from -1 for a loss to 1 for a
win, with ``reward="margin"`` the lead in points over the best other player (of a single player, the points). With two players the other one has the negated value. For
three and more, and wherever players do not have opposite values, it is ``[B, players]``: first the player to act, then the others in the
order of their turns."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._native import SearchCore, State
from .formula import Formula
from .leaves import Batch, of_carcassonne, searched
from .observing import Encoding

Evaluator = Callable[[Batch], tuple[ArrayLike, ArrayLike]]

#: The policy of AlphaGo Zero, with a constant factor.
_PUCT = "Q + c*P*sqrt(N)/(1 + n)"
#: By reward: the factor of exploration, and a virtual loss.
_SCALES = {"outcome": (1.5, 1.0), "margin": (10.0, 10.0)}
#: More leaves at a time take much memory, and Ctrl-C waits for them.
_MOST = 1024
#: The largest number of an outcome of chance.
_LARGEST = 2**63 - 1
#: The probabilities of a policy in half precision add up to 1 like this.
_SUM = 1e-3


@dataclass(frozen=True)
class SearchResult:
    """What a search has found. Arrays have an entry for each action, legal or not.

    ``action`` is the action with the most visits, among equals the one with the highest value; before any iteration the
    one with the highest prior. ``visits``, int64, adds up to the iterations, with those that `Search.advance` has kept.
    ``values``, float64, are mean values for the player to act, NaN where there are no visits, and
    ``priors``, float64, what the evaluator said of the root. ``value`` is that of the root for ``player``, who is to act,
    and ``nodes`` the size of the tree."""

    action: int
    visits: NDArray[np.int64]
    values: NDArray[np.float64]
    priors: NDArray[np.float64]
    value: float
    player: int
    nodes: int

    def policy(self, temperature: float = 1.0) -> NDArray[np.float64]:
        """Probabilities in proportion to ``visits**(1/temperature)``; all of ``action`` at 0. Before any iteration the
        priors take the place of visits."""
        if not 0.0 <= temperature < math.inf:
            raise ValueError(f"temperature: expected a number from 0, found {temperature}")
        if temperature == 0.0:
            only = np.zeros(len(self.visits))
            only[self.action] = 1.0
            return only
        shares = self.visits / self.visits.max() if self.visits.any() else self.priors / self.priors.max()
        weights = shares ** (1.0 / temperature)
        policy: NDArray[np.float64] = weights / weights.sum()
        return policy


class Search:
    """A search from a position: a `State` of Carcassonne where a player decides, a state of OpenSpiel, or an object with its
    verbs, as for `register`. The search has a copy of it. Tiles that are dealt later are not known to it: chance is sampled.

    Leaves are not played out. ``evaluator`` says what they are worth, ``batch`` leaves at a time, and gives their actions
    priors `P`. The actions with the highest ``formula`` are followed; an action without visits has ``n`` = 0 and the
    mean of its node for ``Q``, or the value of ``untried``, and ``N`` counts the evaluation of the node, once for each
    descent that ended there. The
    default is PUCT as in AlphaGo Zero (Silver et al. 2017), ``Q + c*P*sqrt(N)/(1 + n)``, with ``c`` = 1.5, or 10 for
    ``reward="margin"``. Formulas may use ``P`` and the statistics of a search, but no numbers of moves, nor what only
    playouts or a budget give (``A``, ``m``, ``R``, ``V``, ``left``; docs/reference/formulas.md). While a batch is selected, a descent counts as a visit with the value
    ``-virtual_loss`` (1, or 10) for each player that chose in it.

    The result depends on the position, the evaluator, the options, ``batch`` and ``seed``, and on nothing else, where `run`
    is called with whole batches; a run ends with a batch of what is left. ``encoding``
    is that of observations of Carcassonne. For other games ``actions`` is the number of actions, which are numbered from 0
    (``num_distinct_actions()`` of the position if it is not given), and ``point`` the return that is 1 of the score."""

    def __init__(
        self,
        state: Any,
        evaluator: Evaluator,
        *,
        formula: str | Formula | None = None,
        untried: str | Formula | None = None,
        c: float | None = None,
        reward: Literal["outcome", "margin"] = "outcome",
        batch: int = 8,
        virtual_loss: float | None = None,
        seed: int = 0,
        encoding: Encoding = "compact",
        actions: int | None = None,
        point: float | None = None,
    ) -> None:
        if not callable(evaluator):
            raise TypeError(f"evaluator: expected a function of a Batch, found {type(evaluator).__name__}")
        self._evaluator, self._is_running = evaluator, False
        self._batch = _whole("batch", batch, 1, _MOST)
        self._bound = 1.0 if reward == "outcome" else math.inf
        usual_c, usual_loss = _SCALES.get(reward, (1.0, 1.0))
        formulas = (_written(_PUCT if formula is None else formula), None if untried is None else _written(untried), _real("c", c, usual_c))
        scale = (reward, _real("virtual_loss", virtual_loss, usual_loss, 0.0))
        self._leaves: Callable[[SearchCore], Batch]
        if isinstance(state, State):
            if actions is not None or point is not None:
                raise ValueError("actions and point are for other games than Carcassonne")
            self._core = SearchCore.of_state(state, encoding, formulas, scale, seed)
            self._leaves = of_carcassonne
        else:
            if encoding != "compact":
                raise ValueError("encoding is for Carcassonne; other games have their own observations")
            count = None if actions is None else _whole("actions", actions, 1)
            game = searched(state, count, None if point is None else _real("point", point, 1.0, 1e-9))
            told = (game.name, game.seats, game.tells_end, game.point)
            self._core = SearchCore.of_object(told, state, game.actions, formulas, scale, seed)
            self._leaves = game.batch

    def run(self, iterations: int) -> SearchResult:
        """Goes on for so many iterations, each of which is a descent, and returns what is known of the root. The evaluation
        of the root itself counts as none. An error of the evaluator, or Ctrl-C, leaves the search as it was before the
        batch."""
        left = _whole("iterations", iterations, 0)
        self._begin()
        try:
            self._go_on(left)
        finally:
            self._is_running = False
        return self._result()

    def _begin(self) -> None:
        if self._is_running:
            raise RuntimeError("the search is running: in another thread, or this is its evaluator")
        self._is_running = True

    def _go_on(self, left: int) -> None:
        core = self._core
        while left > 0 or not core.is_begun:
            count = min(self._batch, left) if core.is_begun else 0
            try:
                if core.select(count):
                    core.back_up(*self._evaluated(self._leaves(core)))
                else:
                    # All descents have ended with the game.
                    core.back_up(np.empty((0, core.action_count)), np.empty((0, core.seats)))
            except BaseException:
                core.cancel()
                raise
            left -= count

    def advance(self, action: int, *outcomes: int) -> None:
        """Makes the position after an action the root, with what the search knows of it. Where chance decides then,
        ``outcomes`` says what it has decided, in order: in Carcassonne the kind of the tile that was drawn, after those that
        were drawn and set aside. What is not possible is a ``ValueError``, and the end of the game, too."""
        drawn = [_whole("outcome", outcome, 0, _LARGEST) for outcome in outcomes]
        chosen = _whole("action", action, 0, self._core.action_count - 1)
        self._begin()
        try:
            self._core.advance(chosen, drawn)
        finally:
            self._is_running = False

    def _evaluated(self, batch: Batch) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What the evaluator says, checked."""
        # What the evaluator does to its arrays does not matter.
        legal = batch.mask.astype(bool)
        answer = self._evaluator(batch)
        if not isinstance(answer, tuple | list) or len(answer) != 2:
            raise TypeError(f"evaluator: expected (policy, values), found {_kind(answer)}")
        return _policy(answer[0], legal), self._values(answer[1], len(legal))

    def _values(self, given: ArrayLike, count: int) -> NDArray[np.float64]:
        values, seats = _array("values", given), self._core.seats
        allowed = [(count,), (count, seats)] if seats <= 2 else [(count, seats)]
        if values.shape not in allowed:
            shapes = " or ".join(map(str, allowed))
            raise ValueError(f"evaluator: values: expected the shape {shapes}, found {values.shape}")
        wrong = np.argwhere(~(np.abs(values) <= self._bound + 1e-6) | np.isinf(values))
        if len(wrong):
            place = tuple(wrong[0])
            expected = "-1 to 1" if self._bound == 1.0 else "a finite number"
            raise ValueError(f"evaluator: values: expected {expected}, found {values[place]} for position {place[0]}")
        if values.ndim == 2:
            return np.ascontiguousarray(values)
        return np.ascontiguousarray(np.stack([values, -values][:seats], axis=1))

    def _result(self) -> SearchResult:
        core = self._core
        legal, counts, means, shares = core.children()
        visits, values, priors = np.zeros(core.action_count, np.int64), np.full(core.action_count, np.nan), np.zeros(core.action_count)
        visits[legal], priors[legal] = counts, shares
        values[legal] = np.where(counts > 0, means, np.nan)
        # By visits, then by value, then the first; before any iteration by prior.
        order = np.lexsort((np.arange(len(legal))[::-1], means if counts.any() else shares, counts))
        value = core.value
        assert value is not None
        return SearchResult(int(legal[order[-1]]), visits, values, priors, value, core.player, core.nodes)


def _policy(given: ArrayLike, legal: NDArray[np.bool_]) -> NDArray[np.float64]:
    policy = _array("policy", given)
    if policy.shape != legal.shape:
        raise ValueError(f"evaluator: policy: expected the shape {legal.shape}, found {policy.shape}")
    wrong = np.argwhere(legal & ~((policy >= 0.0) & (policy < math.inf)))
    if len(wrong):
        position, action = wrong[0]
        found = policy[position, action]
        raise ValueError(f"evaluator: policy: expected probabilities, found {found} for action {action} of position {position}")
    policy = np.where(legal, policy, 0.0)
    sums = policy.sum(axis=1)
    off = np.flatnonzero(np.abs(sums - 1.0) > _SUM)
    if len(off):
        position = off[0]
        raise ValueError(
            f"evaluator: policy: expected 1 for the sum over the legal actions, found {sums[position]:.6g} for position {position}; "
            f"Batch.softmax makes a policy of logits"
        )
    return np.ascontiguousarray(policy)


def _array(what: str, given: ArrayLike) -> NDArray[np.float64]:
    try:
        array = np.asarray(given)
    except ValueError:
        raise ValueError(f"evaluator: {what}: expected an array, found rows of different lengths") from None
    if array.dtype.kind not in "biuf":
        raise TypeError(f"evaluator: {what}: expected real numbers, found {array.dtype}")
    return array.astype(np.float64)


def _kind(answer: object) -> str:
    if isinstance(answer, np.ndarray):
        return f"an array of the shape {answer.shape}"
    return f"{len(answer)} items" if isinstance(answer, tuple | list) else type(answer).__name__


def _written(formula: str | Formula) -> tuple[str, str]:
    """A formula as text, with its rule for the logarithm."""
    if isinstance(formula, Formula):
        return str(formula), formula.ln
    if not isinstance(formula, str):
        raise TypeError(f"formula: expected a text or a Formula, found {type(formula).__name__}")
    return formula, "abs"


def _whole(what: str, value: object, least: int, most: int | None = None) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{what}: expected a whole number, found {type(value).__name__}")
    number = int(value.__index__())
    if number < least or (most is not None and number > most):
        to = "" if most is None else f" to {most}"
        raise ValueError(f"{what}: expected a whole number from {least}{to}, found {number}")
    return number


def _real(what: str, value: float | None, usual: float, least: float = -math.inf) -> float:
    if value is None:
        return usual
    if isinstance(value, bool | str) or not hasattr(value, "__float__"):
        raise TypeError(f"{what}: expected a number, found {type(value).__name__}")
    if not (math.isfinite(value) and value >= least):
        raise ValueError(f"{what}: expected a number{'' if least == -math.inf else f' from {least:g}'}, found {value}")
    return float(value)
