"""Charts as SVG or on axes of Matplotlib, and formulas as trees."""

from __future__ import annotations

import csv
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any


class Picture:
    """A chart as SVG. A notebook shows it, and ``save`` writes it."""

    def __init__(self, svg: str) -> None:
        #: The text of the SVG.
        self.svg = svg

    def save(self, path: str | PathLike[str]) -> None:
        """Writes it to a file in SVG; ``ValueError`` with another suffix."""
        if Path(path).suffix.lower() not in ("", ".svg"):
            raise ValueError(f"{path}: pictures are SVG; plot(axes=…) draws on axes of Matplotlib, which writes other formats")
        Path(path).write_text(self.svg, encoding="utf-8")

    def _repr_svg_(self) -> str:
        return self.svg


def on_axes(axes: Any, path: Path) -> Any:
    """Draws the data of a chart, its CSV file, on axes of Matplotlib, and returns them.

    Estimates with intervals are points with error bars, by number or by row; other numbers are lines, one by each text of the first
    column of texts. A chart that is neither is a ``ValueError``."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = list(rows[0]) if rows else []
    if "low" in names:
        _intervals(axes, names, rows)
    elif "half_width" in names:
        values, errors = (_numbers(rows, name) for name in ("gain", "half_width"))
        axes.errorbar(_numbers(rows, names[0]), values, yerr=errors, fmt="o-" if names[0] == "nodes" else "o", capsize=3)
        axes.set(xlabel=names[0], ylabel="gain")
    elif names[:2] == ["generation", "island"]:
        islands = sorted({row["island"] for row in rows}, key=int)
        for island in islands:
            own = [row for row in rows if row["island"] == island]
            for name in ("best", "median"):
                label = name if len(islands) == 1 else f"{name}, island {island}"
                axes.plot(_numbers(own, "generation"), _numbers(own, name), label=label)
        axes.set(xlabel="generation", ylabel="gain")
        axes.legend()
    elif len(names) == 3 and not _is_number(rows[0][names[0]]):
        series, x, y = names
        for name in dict.fromkeys(row[series] for row in rows):
            own = [row for row in rows if row[series] == name]
            axes.plot(_numbers(own, x), _numbers(own, y), label=name)
        axes.set(xlabel=x, ylabel=y)
        axes.legend()
    else:
        raise ValueError(f"{path.stem} cannot be drawn on axes; without them it is a picture")
    return axes


def _intervals(axes: Any, names: list[str], rows: list[dict[str, str]]) -> None:
    value = names[names.index("low") - 1]
    # What has no interval is a point alone.
    rows = [row for row in rows if row[value]]
    values, lows, highs = (_numbers(rows, name) for name in (value, "low", "high"))
    errors = [[mean - low for mean, low in zip(values, lows)], [high - mean for mean, high in zip(values, highs)]]
    if all(_is_number(row[names[0]]) for row in rows):
        axes.errorbar(_numbers(rows, names[0]), values, yerr=errors, fmt="o-" if names[0] == "generation" else "o", capsize=3)
        axes.set(xlabel=names[0], ylabel=value)
        return
    texts = [name for name in names[: names.index(value)] if not all(_is_number(row[name]) for row in rows)]
    # The first row is at the top.
    places = range(len(rows) - 1, -1, -1)
    axes.errorbar(values, places, xerr=errors, fmt="o", capsize=3)
    axes.set_yticks(places, [" – ".join(row[name] for name in texts) for row in rows])
    axes.set(xlabel=value)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _numbers(rows: list[dict[str, str]], name: str) -> list[float]:
    return [float(row[name]) if row[name] else float("nan") for row in rows]


#: A node of a tree: its label, its place across in leaves, its depth, and the place of its parent.
Node = tuple[str, float, int, int | None]


def layout(prefix: list[tuple[str, int]]) -> list[Node]:
    """The nodes of a tree that is given by labels and numbers of arguments in prefix order: a leaf beside a leaf, and a parent in the
    middle of its children."""
    across = [0.0] * len(prefix)
    parents: list[int | None] = [None] * len(prefix)
    leaf = sum(arity == 0 for _, arity in prefix)
    # From the end, so that the children of a node are the last on the stack, the first of them on top. A chain may be deep.
    stack: list[int] = []
    for own in range(len(prefix) - 1, -1, -1):
        arity = prefix[own][1]
        if arity == 0:
            leaf -= 1
            across[own] = float(leaf)
        else:
            children = [stack.pop() for _ in range(arity)]
            across[own] = (across[children[0]] + across[children[-1]]) / 2
            for child in children:
                parents[child] = own
        stack.append(own)
    nodes: list[Node] = []
    for own, (label, _) in enumerate(prefix):
        parent = parents[own]
        nodes.append((label, across[own], 0 if parent is None else nodes[parent][2] + 1, parent))
    return nodes


#: Pixels between two leaves and between two levels of a tree, and around it.
_ACROSS, _DOWN, _EDGE = 64, 52, 34


def tree(nodes: list[Node], axes: Any | None = None) -> Any:
    """A tree as a ``Picture``, or on axes of Matplotlib, which are returned."""
    edges = [(nodes[parent], node) for node in nodes if (parent := node[3]) is not None]
    if axes is not None:
        for (_, x, depth, _), (_, child, below, _) in edges:
            axes.plot([x, child], [-depth, -below], color="0.6", zorder=1)
        for label, x, depth, _ in nodes:
            axes.text(x, -depth, label, ha="center", va="center", bbox={"boxstyle": "round", "fc": "white", "ec": "0.4"}, zorder=2)
        axes.set_axis_off()
        return axes
    at = {id(node): (_EDGE + _ACROSS * node[1], _EDGE + _DOWN * node[2]) for node in nodes}
    width = 2 * _EDGE + _ACROSS * max(node[1] for node in nodes)
    height = 2 * _EDGE + _DOWN * max(node[2] for node in nodes)
    parts = [f'<svg style="color:#222;background:#fff" viewBox="0 0 {width:g} {height:g}" width="{width:g}" xmlns="http://www.w3.org/2000/svg">']
    for upper, lower in edges:
        (x, y), (to, down) = at[id(upper)], at[id(lower)]
        parts.append(f'<line x1="{x:g}" y1="{y:g}" x2="{to:g}" y2="{down:g}" stroke="currentColor" opacity="0.4"/>')
    for node in nodes:
        x, y = at[id(node)]
        wide = max(14, 4.5 * len(node[0]) + 6)
        parts.append(f'<rect x="{x - wide:g}" y="{y - 13:g}" width="{2 * wide:g}" height="26" rx="8" fill="#fff" stroke="currentColor"/>')
        parts.append(
            f'<text x="{x:g}" y="{y + 4.5:g}" text-anchor="middle" font-family="sans-serif" font-size="13" fill="currentColor">'
            f"{escape(node[0])}</text>"
        )
    return Picture("\n".join([*parts, "</svg>"]))
