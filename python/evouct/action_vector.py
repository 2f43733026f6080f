"""Actions as vectors of six numbers, beside the one number of an action."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

#: The places of a tile that figures have, by slot: N, E, S, W, centre, NE, SE, SW, NW. A half-edge belongs to its corner.
_PLACES = [0, 1, 2, 3, 8, 5, 5, 6, 6, 7, 7, 8, 4, 4]
#: The slots that have fields, where a figure is a farmer.
_FIELDS = [4, 5, 6, 7, 8, 9, 10, 11, 13]
_MEEPLE, _BIG_MEEPLE, _ABBOT, _FARMER, _BIG_FARMER = range(5)


class ActionVector:
    """The vectors of the actions in a window of this ``width``, as the author of wingedsheep/carcassonne proposes them.

    A vector has the type of the action (0 a tile, 1 a figure, 2 the abbot is taken back or nothing happens), row, column and rotation
    of the tile, and place (N, E, S, W, centre, NE, SE, SW, NW) and type of the figure (meeple, big meeple, abbot, farmer, big
    farmer). A number that does not matter to an action is 0 in its vector and may be anything in one that is read: row, column and
    rotation of a figure, place and type of figure of a tile. Of type 2 the type of figure decides: an abbot is taken back, and with
    any other nothing happens."""

    def __init__(self, width: int) -> None:
        self.width = width
        #: How many values each number has: 3, W, W, 4, 9, 5.
        self.sizes = np.array([3, width, width, 4, len(set(_PLACES)), 5], np.int64)
        #: The first place of each number in a mask, and the length of the mask.
        self.offsets = np.concatenate([[0], np.cumsum(self.sizes)])
        self._first = 4 * width * width
        self._table = self._vectors()
        # By place and type of figure, the actions that have it: two for a farmer at a corner, since a corner has two half-edges.
        self._figures = np.full((*self.sizes[4:], 2), -1, np.int64)
        for number in range(self._first, len(self._table)):
            kind, *_, place, figure = self._table[number]
            if kind == 1:
                known = self._figures[place, figure]
                known[1 if known[0] >= 0 else 0] = number

    def _vectors(self) -> NDArray[np.int64]:
        cells = np.arange(self._first)
        tiles = np.zeros((self._first, 6), np.int64)
        tiles[:, 1], tiles[:, 2], tiles[:, 3] = cells // 4 // self.width, cells // 4 % self.width, cells % 4
        rest = [(2, 0, 0, 0, 0, _MEEPLE)]
        for kinds in ((_MEEPLE, _FARMER), (_BIG_MEEPLE, _BIG_FARMER)):
            rest += [(1, 0, 0, 0, place, kinds[slot in _FIELDS]) for slot, place in enumerate(_PLACES)]
        rest += [(1, 0, 0, 0, 4, _ABBOT), (2, 0, 0, 0, 0, _ABBOT)]
        table = np.concatenate([tiles, np.array(rest, np.int64)])
        table.flags.writeable = False
        return table

    def vector(self, action: ArrayLike) -> NDArray[np.int64]:
        """The vector of an action, or the vectors of an array of actions."""
        vector: NDArray[np.int64] = self._table[np.asarray(action)].copy()
        return vector

    def number(self, vector: ArrayLike, mask: NDArray[np.int8]) -> NDArray[np.int64]:
        """The action of a vector, or the actions of an array of vectors, where ``mask`` has 1 for each legal action: the numbers of two
        half-edges have one vector, and at most one of them is legal. -1 where no action has the vector, such as a meeple on a
        corner. Numbers that are not whole are a ``TypeError``, and another shape is a ``ValueError``."""
        vectors = np.asarray(vector)
        if vectors.dtype.kind not in "iu":
            raise TypeError(f"expected vectors of whole numbers, found {vectors.dtype}")
        if vectors.shape[-1:] != (6,) or vectors.shape[:-1] != mask.shape[:-1]:
            raise ValueError(f"expected vectors of the shape {(*mask.shape[:-1], 6)}, found {vectors.shape}")
        is_known = np.all((vectors >= 0) & (vectors < self.sizes), axis=-1, keepdims=True)
        kind, row, column, rotation, place, figure = np.moveaxis(np.where(is_known, vectors, 0), -1, 0)
        tile = (row * self.width + column) * 4 + rotation
        either = self._figures[place, figure]
        is_legal = np.take_along_axis(mask, np.maximum(either[..., 1:], 0), -1)[..., 0] > 0
        placed = np.where((either[..., 1] >= 0) & is_legal, either[..., 1], either[..., 0])
        last = len(self._table) - 1
        other = np.where(figure == _ABBOT, last, self._first)
        numbers: NDArray[np.int64] = np.select([~is_known[..., 0], kind == 0, kind == 1], [np.int64(-1), tile, placed], other)
        return numbers

    def masks(self, mask: NDArray[np.int8]) -> NDArray[np.int8]:
        """For each value of each number in turn whether a legal action has it: 3 + W + W + 4 + 9 + 5 zeros and ones, or such a row for
        each row of ``mask``. Not every combination of them is legal: ``next_mask`` has the ones that are, number by number."""
        rows = mask.reshape(-1, mask.shape[-1])
        found = np.zeros((len(rows), self.offsets[-1]), np.int8)
        environments, actions = np.nonzero(rows)
        found[environments[:, None], self._table[actions] + self.offsets[:-1]] = 1
        return found.reshape(*mask.shape[:-1], -1)

    def split(self, masks: NDArray[np.int8]) -> tuple[NDArray[np.int8], ...]:
        """The masks of each number alone: what ``sample`` of a ``MultiDiscrete`` of Gymnasium takes."""
        return tuple(np.split(masks, self.offsets[1:-1], -1))

    def next_mask(self, mask: NDArray[np.int8], chosen: Sequence[int] = ()) -> NDArray[np.int8]:
        """The values of the next number with which a vector that begins with these numbers can be legal. Numbers that are chosen in
        turn from these masks make a legal vector."""
        vectors = self._table[np.flatnonzero(mask)]
        vectors = vectors[(vectors[:, : len(chosen)] == np.asarray(chosen, np.int64)).all(1)]
        found = np.zeros(self.sizes[len(chosen)], np.int8)
        found[vectors[:, len(chosen)]] = 1
        return found
