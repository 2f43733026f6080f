"""Encodings against a slow reference that reads other encodings."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import evouct
from evouct import Rules, State

PLANE, PAIR, FEATURE = dict(evouct.PLANES), dict(evouct.PAIRS), dict(evouct.FEATURES)
SIDES = ((-1, 0), (0, 1), (1, 0), (0, -1))
PAIRS = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
#: By slot of a field: the corner where its farmer is shown, or the inside of the tile.
CORNERS = {4: 3, 5: 0, 6: 0, 7: 1, 8: 1, 9: 2, 10: 2, 11: 3, 13: 4}


def states(rules: Rules) -> list[State]:
    """Positions of a game, in both phases."""
    state = State(rules, seed=21)
    kept: list[State] = []
    while state.phase != "end":
        if len(kept) < 10 and len(state.history) % 17 in (0, 1):
            kept.append(state.clone())
        state.apply(state.random_action())
    return [*kept, state]


def features(state: State, observer: int) -> NDArray[np.uint8]:
    """The encoding `features`, of the encoding `planes`, by sets of ends that are joined one by one."""
    planes = state.observation("planes", observer)
    is_tile, width = planes[PLANE["tile"]] > 0, state.width
    found = np.zeros((17, width, width), np.uint8)
    ends: dict[Any, Any] = {}
    cells = [(int(y), int(x)) for y, x in np.argwhere(is_tile)]
    for kind in ("city", "road"):
        for y, x in cells:
            for side in range(4):
                if planes[PLANE[kind] + side, y, x]:
                    ends[kind, y, x, side] = {(kind, y, x, side)}

    def join(one: Any, other: Any) -> None:
        both = ends[one] | ends[other]
        for end in both:
            ends[end] = both

    for kind, y, x, side in list(ends):
        for place, (a, b) in enumerate(PAIRS):
            if a == side and planes[PLANE[f"{kind}_joined"] + place, y, x]:
                join((kind, y, x, a), (kind, y, x, b))
        other = (kind, y + SIDES[side][0], x + SIDES[side][1], (side + 2) % 4)
        if other in ends:
            join((kind, y, x, side), other)
    for (kind, y, x, side), whole in ends.items():
        strengths = [0] * 6
        for name, row, column, on in whole:
            if planes[PLANE["slot"] + on, row, column]:
                owner = int(np.flatnonzero(planes[PLANE["owner"] : PLANE["owner"] + 6, row, column])[0])
                strengths[owner] += 2 if planes[PLANE["big"], row, column] else 1
        free = [end for end in whole if not is_tile[end[1] + SIDES[end[3]][0], end[2] + SIDES[end[3]][1]]]
        found[FEATURE["size"] + side, y, x] = len({end[1:3] for end in whole})
        found[FEATURE["open"] + side, y, x] = len(free)
        found[FEATURE["own"] + side, y, x] = strengths[0]
        found[FEATURE["other"] + side, y, x] = max(strengths[1:])
    for y, x in cells:
        if planes[PLANE["monastery"], y, x] or planes[PLANE["garden"], y, x]:
            found[FEATURE["around"], y, x] = is_tile[y - 1 : y + 2, x - 1 : x + 2].sum()
    return found


def pairs(state: State, observer: int, players: int) -> NDArray[np.uint8]:
    """The encoding `pairs`, of the encodings `planes` and `compact`."""
    planes, compact = state.observation("planes", observer), state.observation("compact", observer)
    found = np.zeros((state.width, state.width, 75 + 21 * players), np.uint8)
    for y, x in np.argwhere(planes[PLANE["tile"]] > 0):
        tile, cell = planes[:, y, x], found[y, x]
        for kind in ("city", "road", "river"):
            sides = tile[PLANE[kind] : PLANE[kind] + 4]
            cell[PAIR[kind] : PAIR[kind] + 4] = sides > 0
            for place, (a, b) in enumerate(PAIRS):
                joined = sides[a] and sides[b] if kind == "river" else tile[PLANE[f"{kind}_joined"] + place]
                cell[PAIR[kind] + 4 + place] = bool(joined)
        halves = tile[PLANE["field"] : PLANE["field"] + 8]
        cell[PAIR["field"] : PAIR["field"] + 8] = halves > 0
        both = [(a, b) for a in range(8) for b in range(a + 1, 8)]
        for place, (a, b) in enumerate(both):
            cell[PAIR["field"] + 8 + place] = halves[a] > 0 and halves[a] == halves[b]
        for name in ("monastery", "garden", "pennants"):
            cell[PAIR[name]] = tile[PLANE[name]]
        cell[PAIR["cathedral"]] = (tile[PLANE["city"] : PLANE["city"] + 4] == 2).any()
        cell[PAIR["inn"] : PAIR["inn"] + 4] = tile[PLANE["road"] : PLANE["road"] + 4] == 2
        owner, figure, slot = (int(number) - 1 for number in compact[y, x, 2:])
        if owner < 0:
            continue
        on_field = slot in CORNERS
        place = CORNERS[slot] if on_field else min(slot, 4)
        # Meeples, abbots, farmers, big farmers, big meeples.
        first = {(0, False): 0, (0, True): 6, (1, True): 11, (1, False): 16}
        offset = 5 * players + owner if figure == 2 else first[figure, on_field] * players + 5 * owner + place
        cell[PAIR["figures"] + offset] = 1
    numbers = np.clip(state.globals(observer).astype(int) + 1, 0, 255)
    found.reshape(-1, found.shape[2])[: numbers.size, -1] = numbers
    return found


def test_features_are_those_of_the_reference(rules: Rules) -> None:
    figures = 0
    for state in states(rules):
        for observer in range(rules.players):
            found = state.observation("features", observer)
            assert np.array_equal(found, features(state, observer)), state.notation()
            figures += int((found[FEATURE["own"] : FEATURE["around"]] > 0).sum())
    assert figures > 50


def test_pairs_are_those_of_the_reference(rules: Rules) -> None:
    figures = 0
    for state in states(rules):
        for observer in range(rules.players):
            found = state.observation("pairs", observer)
            assert np.array_equal(found, pairs(state, observer, rules.players)), state.notation()
            figures += int(found[..., PAIR["figures"] : -1].sum())
    assert figures > 50
