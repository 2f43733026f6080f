"""Selection formulas as values."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._native import FormulaCore
from .plots import layout, tree

if TYPE_CHECKING:
    import sympy

_Number = int | float


class Formula:
    """A selection formula, such as ``Formula("Q + sqrt(2*ln(N)/n)")``: infix or prefix, over ``Q``, ``n``, ``N``, ``c``,
    further statistics, the numbers that games give for a move, and numbers.

    ``ln`` is the protection of the logarithm: ``"abs"``, the logarithm of the absolute value and 0 at 0, or ``"clamp"``,
    the rule of the authors' code. A text that is no formula is a ``ValueError`` that names the column. Formulas are equal
    if they are written alike and have the same protection."""

    def __init__(self, text: str, ln: Literal["abs", "clamp"] = "abs") -> None:
        self._core, self._ln = FormulaCore(text, ln), ln
        self._terminals = tuple(self._core.terminals())

    @classmethod
    def _of(cls, core: FormulaCore, ln: Literal["abs", "clamp"]) -> Formula:
        formula = cls.__new__(cls)
        formula._core, formula._ln, formula._terminals = core, ln, tuple(core.terminals())
        return formula

    @overload
    def __call__(self, **terminals: _Number) -> float: ...
    @overload
    def __call__(self, **terminals: ArrayLike) -> float | NDArray[np.float64]: ...
    def __call__(self, **terminals: ArrayLike) -> float | NDArray[np.float64]:
        """The value for these terminals by name: a float for numbers, an array for arrays, which are broadcast.

        To the bit it is the value that the search computes. Every terminal of the formula is needed (``TypeError``);
        others that formulas may have are ignored. Texts and numbers that are not real are a ``TypeError``."""
        for name in terminals:
            # The list of all names is made only for one that the formula does not have.
            if name not in self._terminals and name not in FormulaCore.known():
                raise TypeError(f"there is no terminal {name}; known: {', '.join(FormulaCore.known())}")
        missing = [name for name in self._terminals if name not in terminals]
        if missing:
            raise TypeError(f"the formula {self} needs {', '.join(missing)}")
        # What the formula does not have still takes part in the shape.
        arrays = {name: _real(name, value) for name, value in terminals.items()}
        shapes = {array.shape for array in arrays.values()}
        shape = shapes.pop() if len(shapes) == 1 else np.broadcast_shapes(*shapes)
        used = {
            name: (arrays[name] if arrays[name].shape == shape else np.broadcast_to(arrays[name], shape)).ravel()
            for name in self._terminals
        }
        values = self._core.values(math.prod(shape), used).reshape(shape)
        return values if shape else float(values)

    @property
    def terminals(self) -> tuple[str, ...]:
        """The names of the terminals that the formula has, each once."""
        return self._terminals

    @property
    def ln(self) -> Literal["abs", "clamp"]:
        """The protection of the logarithm."""
        return self._ln

    @property
    def nodes(self) -> int:
        """Number of nodes of the expression tree."""
        return self._core.nodes()

    @property
    def depth(self) -> int:
        """Depth of the expression tree: 0 for a terminal."""
        return self._core.depth()

    def simplify(self) -> Formula:
        """A shorter formula of the same value, or this one."""
        return Formula._of(self._core.simplify(), self._ln)

    def order(self) -> str:
        """What the formula does with the children of a node, by evaluation on a fixed sample: ``constant``, ``greedy``,
        ``worst-first``, ``fewest-visits``, ``most-visits``, ``uct``, ``exploring``, ``reinforcing``, ``reward-only`` or
        ``mixed``."""
        return self._core.order()

    def plot(self, axes: Any | None = None) -> Any:
        """The formula as a tree: a ``Picture``, which a notebook shows and ``save`` writes, or drawn on axes of Matplotlib, which are
        returned. Numbers have four significant digits."""
        return tree(layout([(_short(label), arity) for label, arity in self._core.prefix()]), axes)

    def latex(self, digits: int | None = None) -> str:
        """LaTeX for math mode, with numbers of so many significant digits (1 to 17) or all."""
        if digits is not None and not 1 <= digits <= 17:
            raise ValueError(f"digits: expected a whole number from 1 to 17, found {digits}")
        return self._core.latex(digits)

    def sympy(self) -> sympy.Expr:
        """The expression in SymPy, which has to be installed. Numbers in it give the value of the formula; ``doit()`` is
        the formula over the reals, to simplify or solve."""
        names = dict(_sympy_functions())
        exec(self._core.sympy(), names)
        return names["value"]

    def __str__(self) -> str:
        return self._core.infix()

    def __repr__(self) -> str:
        ln = "" if self._ln == "abs" else f", ln={self._ln!r}"
        return f"Formula({str(self)!r}{ln})"

    def _repr_latex_(self) -> str:
        return f"${self.latex(4)}$"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Formula):
            return NotImplemented
        return (str(self), self._ln) == (str(other), other._ln)

    def __hash__(self) -> int:
        return hash((str(self), self._ln))

    def __reduce__(self) -> tuple[type[Formula], tuple[str, str]]:
        return Formula, (str(self), self._ln)


def _short(label: str) -> str:
    try:
        return f"{float(label):.4g}"
    except ValueError:
        return label


@functools.cache
def _sympy_functions() -> dict[str, object]:
    """What the expressions of all formulas consist of, defined once, so that equal parts are equal."""
    names: dict[str, object] = {}
    exec(FormulaCore.sympy_definitions(), names)
    return names


def _real(name: str, value: ArrayLike) -> NDArray[np.float64]:
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name}: expected real numbers, found {array.dtype}")
    return np.require(array, np.float64, "A")
