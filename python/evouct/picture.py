"""The board as an array of pixels, and in the render modes of environments."""

from __future__ import annotations

import operator
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ._native import PLANES, State

_PLANE = dict(PLANES)
_PAIRS = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
_EMPTY, _FIELD, _CITY, _ROAD = (236, 232, 220), (139, 178, 98), (176, 122, 72), (245, 243, 236)
_RIVER, _MONASTERY, _GARDEN, _SPECIAL = (86, 140, 196), (150, 60, 50), (214, 120, 170), (250, 210, 70)
_PLAYERS = ((200, 30, 40), (30, 70, 200), (240, 200, 30), (30, 30, 30), (40, 150, 60), (235, 120, 180))


RenderMode = Literal["human", "rgb_array", "ansi", "svg"]


def rendered(state: State, mode: str | None) -> None | NDArray[np.uint8] | str:
    """The board in a render mode; ``human`` prints it."""
    if mode == "rgb_array":
        return rgb(state)
    if mode == "svg":
        return state.svg()
    if mode == "ansi":
        return state.text()
    if mode == "human":
        print(state.text())
    return None


def _masks(pixels: int) -> tuple[NDArray[np.float64], NDArray[np.float64], list[NDArray[np.bool_]]]:
    """The coordinates of the pixels of a tile from -1 to 1, and the sectors of its sides."""
    axis = (np.arange(pixels) + 0.5) * 2 / pixels - 1
    x, y = np.meshgrid(axis, axis)
    vertical = abs(y) > abs(x)
    return x, y, [vertical & (y < 0), ~vertical & (x > 0), vertical & (y > 0), ~vertical & (x < 0)]


def _slots() -> list[tuple[float, float]]:
    """Where the figure of each slot is drawn."""
    sides = [(0.0, -0.7), (0.7, 0.0), (0.0, 0.7), (-0.7, 0.0)]
    halves = [(-0.5, -0.8), (0.5, -0.8), (0.8, -0.5), (0.8, 0.5), (0.5, 0.8), (-0.5, 0.8), (-0.8, 0.5), (-0.8, -0.5)]
    return [*sides, *halves, (0.0, 0.0), (0.0, 0.0)]


def rgb(state: State, pixels: int = 16) -> NDArray[np.uint8]:
    """The window of a state as ``[height, width, 3]``, with this many pixels per side of a tile: 1 to 256."""
    if not 1 <= operator.index(pixels) <= 256:
        raise ValueError(f"expected 1 to 256 pixels per side of a tile, found {pixels}")
    planes = state.observation("planes", player=0)
    size = planes.shape[1]
    picture = np.empty((size, pixels, size, pixels, 3), np.uint8)
    picture[:] = _EMPTY
    x, y, sectors = _masks(pixels)

    def paint(cells: NDArray[np.bool_], mask: NDArray[np.bool_], colour: tuple[int, int, int]) -> None:
        rows, columns = np.nonzero(cells)
        picture[rows[:, None], np.nonzero(mask)[0], columns[:, None], np.nonzero(mask)[1]] = colour

    def plane(name: str, place: int = 0) -> NDArray[np.uint8]:
        array: NDArray[np.uint8] = planes[_PLANE[name] + place]
        return array

    paint(plane("tile") > 0, np.ones_like(x, bool), _FIELD)
    depth = [-y, x, y, -x]
    for side in range(4):
        paint(plane("city", side) > 0, sectors[side] & (depth[side] > 0.5), _CITY)
    for pair, (a, b) in enumerate(_PAIRS):
        paint(plane("city_joined", pair) > 0, sectors[a] | sectors[b], _CITY)
    for name, colour, width in (("river", _RIVER, 0.25), ("road", _ROAD, 0.14)):
        for side in range(4):
            strip = (abs(x if side % 2 == 0 else y) < width) & (depth[side] > -width)
            paint(plane(name, side) > 0, strip, colour)
    for side in range(4):
        special = (plane("city", side) > 1) | (plane("road", side) > 1)
        paint(special, sectors[side] & (x**2 + y**2 < 0.12), _SPECIAL)
    paint(plane("pennants") > 0, (x + 0.6) ** 2 + (y + 0.6) ** 2 < 0.05, _SPECIAL)
    for name, colour in (("monastery", _MONASTERY), ("garden", _GARDEN)):
        paint(plane(name) > 0, np.maximum(abs(x), abs(y)) < 0.35, colour)
    for slot, (left, top) in enumerate(_slots()):
        for owner, colour in enumerate(_PLAYERS):
            stands = (plane("slot", slot) > 0) & (plane("owner", owner) > 0)
            for radius, cells in ((0.3, stands), (0.42, stands & (plane("big") > 0))):
                paint(cells, (x - left) ** 2 + (y - top) ** 2 < radius**2, colour)
    paint(plane("last") > 0, np.maximum(abs(x), abs(y)) > 1 - 2 / pixels, (20, 20, 20))
    return picture.reshape(size * pixels, size * pixels, 3)
