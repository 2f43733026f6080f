"""Formulas as values."""

import copy
import json
import math
import pickle
import random
import subprocess
import sysconfig
from pathlib import Path

import numpy as np
import pytest

import evouct
from evouct import Formula

PROGRAM = str(Path(sysconfig.get_path("scripts"), "evouct"))
TERMINALS = ["Q", "n", "N", "c", "sd", "dv", "left"]


def drawn(rng: random.Random, depth: int) -> str:
    """A random formula."""
    if depth == 0 or rng.random() < 0.15:
        return rng.choice([*TERMINALS, f"{rng.uniform(-3, 3):.3f}", "2"])
    function = rng.choice(["add", "sub", "mul", "div", "sqrt", "ln", "min", "max"])
    arguments = 1 if function in ("sqrt", "ln") else 2
    return f"{function}({', '.join(drawn(rng, depth - 1) for _ in range(arguments))})"


def said(formula: Formula, inputs: dict[str, float]) -> float:
    """The value that the program computes from the tree, child by child."""
    options = [f"--{name}={value!r}" for name, value in inputs.items() if name in ("Q", "n", "N", "c")]
    options += [f"--set={name}={value!r}" for name, value in inputs.items() if name in formula.terminals and name not in "QnNc"]
    done = subprocess.run([PROGRAM, "expr", str(formula), f"--ln={formula.ln}", "--json", *options], capture_output=True, text=True, check=True)
    return float(json.loads(done.stdout)["value"])


@pytest.mark.parametrize("ln", ["abs", "clamp"])
def test_values_are_those_of_the_search_to_the_bit(ln: str) -> None:
    rng = random.Random(ln)
    compared = 0
    for _ in range(30):
        formula = Formula(drawn(rng, 5), ln)  # type: ignore[arg-type]
        columns = {name: [rng.choice([rng.uniform(-50, 50), rng.randrange(1, 3000)]) for _ in range(7)] for name in TERMINALS}
        # Numbers of the node repeat, as among the children of a node.
        for name in ("N", "c", "left"):
            columns[name] = sorted(rng.choices(columns[name][:3], k=7))
        values = formula(**columns)
        assert isinstance(values, np.ndarray) or not formula.terminals
        values = np.broadcast_to(values, 7)
        for place in range(7):
            inputs = {name: float(column[place]) for name, column in columns.items()}
            alone = formula(**inputs)
            assert isinstance(alone, float) and alone.hex() == float(values[place]).hex()
        # A value that is not finite has no number in JSON.
        if np.isfinite(values[0]):
            assert float(values[0]).hex() == said(formula, {name: float(column[0]) for name, column in columns.items()}).hex()
            compared += 1
    assert compared > 20


def test_arrays_are_broadcast() -> None:
    uct = Formula("Q + c*sqrt(2*ln(N)/n)")
    visits = np.arange(1, 5)
    values = uct(Q=np.zeros((3, 1)), n=visits, N=100, c=2.0)
    assert isinstance(values, np.ndarray) and values.shape == (3, 4) and values.dtype == np.float64
    assert values[2, 3] == uct(Q=0, n=4, N=100, c=2)
    assert uct(Q=[], n=[], N=1, c=1).shape == (0,)  # type: ignore[union-attr]
    # A terminal that the formula does not have takes part in the shape alone.
    assert np.array_equal(Formula("n")(Q=[1.0, 2.0, 3.0], n=7), [7.0, 7.0, 7.0])
    assert Formula("1 + 1")() == 2.0 and isinstance(Formula("Q")(Q=np.float32(1.5)), float)
    large = np.linspace(1, 100, 10_000)
    whole = uct(Q=large, n=large, N=large, c=1)
    assert isinstance(whole, np.ndarray) and np.array_equal(whole, [uct(Q=x, n=x, N=x, c=1) for x in large])
    # Every third value from the end, and values of another precision and byte order.
    view = large[::-3]
    assert np.array_equal(uct(Q=view, n=view, N=view, c=1), whole[::-3])
    assert np.array_equal(uct(Q=view.astype(">f8"), n=view, N=view, c=np.float32(1)), whole[::-3])


def test_formulas_know_what_the_program_knows() -> None:
    formula = Formula("Q + 2*0.5*sqrt(2*ln(N)/n)")
    assert formula.simplify() == Formula("Q + sqrt(2*ln(N)/n)") and formula.nodes > formula.simplify().nodes
    assert formula.simplify().latex() == r"Q + \sqrt{\frac{2 \ln N}{n}}"
    assert formula.simplify()._repr_latex_() == r"$Q + \sqrt{\frac{2 \ln N}{n}}$"
    assert Formula("0.123456*Q").latex(2) == r"0.12 Q"
    assert formula.terminals == ("Q", "n", "N") and Formula("c*sd + dv").terminals == ("c", "sd", "dv")
    assert (formula.order(), Formula("Q").order(), Formula("0 - n").order()) == ("exploring", "greedy", "fewest-visits")
    assert Formula("ln(n)", ln="clamp")(n=1) > 0 == Formula("ln(n)")(n=1)
    assert (Formula("n").depth, Formula("ln(n)").depth) == (0, 1)


def test_formulas_are_values() -> None:
    formula = Formula("add(Q, div(1, n))")
    assert str(formula) == "Q + 1 / n" and repr(formula) == "Formula('Q + 1 / n')"
    assert eval(repr(Formula("ln(n)", ln="clamp"))) == Formula("ln(n)", ln="clamp") != Formula("ln(n)")
    assert formula == Formula("Q + 1/n") and hash(formula) == hash(Formula("Q + 1/n")) and formula != "Q + 1 / n"
    assert pickle.loads(pickle.dumps(formula)) == copy.deepcopy(formula) == formula


def test_sympy_computes_the_same() -> None:
    sympy = pytest.importorskip("sympy")
    for text in ("Q + sqrt(2*ln(N)/n)", "max(Q, 1) - min(n, c)/N", "Q - Q + c/(n - 4)"):
        formula = Formula(text)
        for mean in (1.5, math.inf):
            inputs = {"Q": mean, "n": 4.0, "N": 20.0, "c": 0.5}
            symbols = {sympy.Symbol(name, real=True): value for name, value in inputs.items()}
            value = pytest.approx(formula(**inputs), rel=1e-12, nan_ok=True)
            assert float(formula.sympy().subs(symbols)) == value
            assert sympy.lambdify(list(symbols), formula.sympy())(*inputs.values()) == value
    assert Formula("Q/n").sympy() == Formula("div(Q, n)").sympy()
    assert float(Formula("2*Q - Q - Q").sympy().doit()) == 0


def test_errors_are_one_line() -> None:
    for text, problem in [("Q +", "column 4"), ("x", "column 1"), ("", "column 1"), ("Q+" * 20_000, "at most 10000 characters")]:
        with pytest.raises(ValueError, match=problem) as raised:
            Formula(text)
        assert "\n" not in str(raised.value)
    with pytest.raises(ValueError, match='ln: expected abs or clamp, found "log"'):
        Formula("Q", ln="log")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="digits: expected a whole number from 1 to 17, found 0"):
        Formula("Q").latex(0)
    uct = Formula("Q + 1/n")
    with pytest.raises(TypeError, match=r"the formula Q \+ 1 / n needs n"):
        uct(Q=1)
    with pytest.raises(TypeError, match="there is no terminal q; known: Q, n, N, c"):
        uct(q=1)
    for wrong in ("1", 1j, None, [object()]):
        with pytest.raises(TypeError, match="Q: expected real numbers, found"):
            uct(Q=wrong, n=1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="broadcast"):
        uct(Q=[1, 2], n=[1, 2, 3])


def test_the_protection_of_a_formula_is_that_of_its_player(tmp_path: Path) -> None:
    def moves(formula: object, **more: object) -> list[str]:
        player = {"name": "own", "kind": "formula", "formula": formula, "iterations": 30, **more}
        players = [player, {"name": "other", "kind": "random"}]
        experiment = {"name": "ln", "seed": 3, "games_per_match": 1, "player": players}
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        return [str(game["moves"]) for game in evouct.run(experiment, folder, progress=False).records()]

    text = "Q + 30*sqrt(ln(N)/n)*ln(n)"
    clamp = moves(evouct.Formula(text, ln="clamp"))
    assert clamp == moves(text, ln="clamp") != moves(evouct.Formula(text))
    with pytest.raises(ValueError, match="is not protected by abs"):
        moves(evouct.Formula(text, ln="clamp"), ln="abs")
