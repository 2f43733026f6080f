"""Nodes times rows per second of evouct's evaluator of formulas and of pyoperon's, on the same expressions, one thread:

    pip install pyoperon evouct-0.2.0-*.whl
    cargo build --release --example formula_speed
    python python/benchmarks/formulas.py

Both sides take turns; the table has medians of processor time. Before that, the values of both are compared.
pyoperon computes in single precision, so values may differ by what rounding can do, which is bounded node by node.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyoperon
from evouct import Formula
from numpy.typing import NDArray

TERMINALS = ("Q", "sd", "best", "A")
#: Functions that both have. Where evouct protects one (division by almost 0, ln of 0), only evouct has a value.
UNARY, BINARY = ("sqrt", "ln"), ("add", "sub", "mul", "div", "min", "max")
#: In pyoperon 0.6.2 the node Fmin computes the larger value and Fmax the smaller one.
KINDS = {
    "sqrt": pyoperon.NodeType.Sqrtabs,
    "ln": pyoperon.NodeType.Logabs,
    "add": pyoperon.NodeType.Add,
    "sub": pyoperon.NodeType.Sub,
    "mul": pyoperon.NodeType.Mul,
    "div": pyoperon.NodeType.Div,
    "min": pyoperon.NodeType.Fmax,
    "max": pyoperon.NodeType.Fmin,
}
SIZES, ROWS, COUNT = (5, 15, 30), (1, 64, 4096), 1000
EXAMPLE = Path(__file__).parents[2] / "target" / "release" / "examples" / "formula_speed"

#: An expression: its nodes in prefix order, names or numbers.
Prefix = list[str | float]


def drawn(rng: random.Random, size: int) -> Prefix:
    """A random expression of so many nodes. One leaf in five is a number; no function has numbers alone."""
    if size == 1:
        return [rng.choice(TERMINALS) if rng.random() < 0.8 else rng.randrange(1, 25) / 8]
    if size == 2 or rng.random() < 0.25:
        arguments = drawn(rng, size - 1)
        function = rng.choice(UNARY)
    else:
        left = rng.randrange(1, size - 1)
        arguments = drawn(rng, left) + drawn(rng, size - 1 - left)
        function = rng.choice(BINARY)
    has_terminal = any(node in TERMINALS for node in arguments)
    return [function, *arguments] if has_terminal else drawn(rng, size)


def text(prefix: Prefix) -> str:
    """The expression as evouct reads it."""

    def part(nodes: Any) -> str:
        node = next(nodes)
        if node in KINDS:
            return f"{node}({', '.join(part(nodes) for _ in range(1 if node in UNARY else 2))})"
        return str(node)

    return part(iter(prefix))


def tree(prefix: Prefix, variables: dict[str, Any]) -> Any:
    """The expression as a tree of pyoperon: prefix order backwards."""

    def node(name: str | float) -> Any:
        if name in KINDS:
            return pyoperon.Node(KINDS[str(name)])
        made = pyoperon.Node(pyoperon.NodeType.Variable if name in variables else pyoperon.NodeType.Constant)
        made.Value = 1.0 if name in variables else name
        if name in variables:
            made.HashValue = made.CalculatedHashValue = variables[str(name)].Hash
        return made

    return pyoperon.Tree([node(name) for name in reversed(prefix)]).UpdateNodes()


def bounded(prefix: Prefix, columns: dict[str, NDArray[np.float64]]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The values in double precision, and how far those in single precision may lie from them; infinite where evouct
    protects a function, or where rounding may change everything."""
    rounding = 4 * np.finfo(np.float32).eps

    def part(nodes: Any) -> tuple[Any, Any]:
        name = next(nodes)
        if name not in KINDS:
            return columns[name] if name in columns else name, 0.0
        (a, of_a), (b, of_b) = part(nodes), (0.0, 0.0) if name in UNARY else part(nodes)
        if name in ("add", "sub"):
            value, error = (a + b if name == "add" else a - b), of_a + of_b
        elif name in ("min", "max"):
            value, error = (np.minimum if name == "min" else np.maximum)(a, b), np.maximum(of_a, of_b)
        elif name == "mul":
            value, error = a * b, np.abs(a) * of_b + np.abs(b) * of_a + of_a * of_b
        elif name == "div":
            least = np.abs(b) - of_b
            value = a / b
            error = np.where(least >= 0.001, (of_a + np.abs(value) * of_b) / np.maximum(least, 0.001), np.inf)
        elif name == "sqrt":
            value = np.sqrt(np.abs(a))
            error = np.sqrt(np.abs(a) + of_a) - np.sqrt(np.maximum(np.abs(a) - of_a, 0.0))
        else:
            least = np.abs(a) - of_a
            value = np.log(np.abs(a))
            error = np.where(least > 0, of_a / np.maximum(least, 1e-300) + rounding, np.inf)
        return value, error + rounding * np.abs(value) + np.finfo(np.float32).tiny

    with np.errstate(all="ignore"):
        value, error = part(iter(prefix))
        # Beyond the range of single precision there is no value to compare.
        return value, np.where(np.abs(value) + error < 1e30, error, np.inf)


def compared(prefixes: list[Prefix], columns: dict[str, NDArray[np.float64]], data: Any, variables: dict[str, Any]) -> list[int]:
    """Compares the values of both; returns of how many, how many were, and for how many the bound is below 0.1 %."""
    counts = np.zeros(3, np.int64)
    rows = len(columns["Q"])
    table = pyoperon.DispatchTable()
    for prefix in prefixes:
        value, error = bounded(prefix, columns)
        ours = np.asarray(Formula(text(prefix))(**columns))
        theirs = pyoperon.Evaluate(table, tree(prefix, variables), data, pyoperon.Range(0, rows)).astype(np.float64)
        defined = np.isfinite(error) & np.isfinite(value)
        if (wrong := defined & (np.abs(ours - theirs) > error)).any():
            place = int(np.argmax(wrong))
            inputs = {name: float(column[place]) for name, column in columns.items()}
            raise SystemExit(f"{text(prefix)} at {inputs}: {ours[place]} and {theirs[place]}")
        counts += [rows, defined.sum(), (defined & (error < 0.001 * np.abs(value))).sum()]
    return [int(count) for count in counts]


def rate(work: Callable[[], object], units: int, seconds: float) -> float:
    """Units per second of processor time."""
    work()
    start, done = time.process_time(), 0
    while time.process_time() - start < seconds:
        work()
        done += units
    return done / (time.process_time() - start)


def millions(number: float) -> str:
    """Three digits."""
    return f"{number / 1e6:,.0f}" if number >= 1e8 else f"{number / 1e6:.3g}"


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="turns of each side; the table has medians")
    parser.add_argument("--seconds", type=float, default=1.0, help="processor seconds per turn")
    arguments = parser.parse_args()
    rng, numbers = random.Random(1), np.random.default_rng(1)
    given = {name: numbers.uniform(-10, 10, max(ROWS)).astype(np.float32) for name in TERMINALS}
    # The data set is a view of this array.
    matrix = np.asfortranarray(np.stack(list(given.values()), axis=1))
    data = pyoperon.Dataset(matrix)
    variables = dict(zip(TERMINALS, sorted(data.Variables, key=lambda variable: variable.Index)))
    table = pyoperon.DispatchTable()
    print("| nodes | rows | whole set: evouct | pyoperon | ratio | from Python: evouct | pyoperon | ratio |")
    print("|---|---|---|---|---|---|---|---|")
    agreeing = []
    for size in SIZES:
        prefixes = [drawn(rng, size) for _ in range(COUNT)]
        formulas, texts = [Formula(text(prefix)) for prefix in prefixes], "\n".join(text(prefix) for prefix in prefixes)
        trees = [tree(prefix, variables) for prefix in prefixes]
        assert all(formula.nodes == size == one.Length for formula, one in zip(formulas, trees))
        columns = {name: column.astype(np.float64) for name, column in given.items()}
        agreeing.append(compared(prefixes, columns, data, variables))
        for rows in ROWS:
            units, span = COUNT * size * rows, pyoperon.Range(0, rows)
            columns = {name: column[:rows].astype(np.float64) for name, column in given.items()}
            needed = [{name: columns[name] for name in formula.terminals} for formula in formulas]
            results = np.zeros((COUNT, rows), np.float32)
            command = [str(EXAMPLE), str(rows), str(arguments.seconds)]
            sides: list[Callable[[], float]] = [
                lambda: float(subprocess.run(command, input=texts, capture_output=True, text=True, check=True).stdout),
                lambda: rate(lambda: pyoperon.EvaluateTrees(trees, data, span, results, 1), units, arguments.seconds),
                lambda: rate(lambda: [formula(**row) for formula, row in zip(formulas, needed)], units, arguments.seconds),
                lambda: rate(lambda: [pyoperon.Evaluate(table, one, data, span) for one in trees], units, arguments.seconds),
            ]
            turns = [[side() for side in sides] for _ in range(arguments.rounds)]
            a, b, c, d = (millions(statistics.median(turn[place] for turn in turns)) for place in range(4))
            ab, cd = (statistics.median(turn[one] / turn[one + 1] for turn in turns) for one in (0, 2))
            print(f"| {size} | {rows:,} | {a} | {b} | {ab:.2f} | {c} | {d} | {cd:.2f} |", flush=True)
    for size, (total, checked, close) in zip(SIZES, agreeing):
        print(f"{size} nodes: {checked / total:.1%} of {total:,} values are defined on both sides and agree, {close / total:.1%} to 0.1 %")


if __name__ == "__main__":
    main()
