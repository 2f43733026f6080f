"""Functions of formulas, operators of variation and the fitness as ``evolve`` takes them: with names, numbers of arguments and sources."""

from __future__ import annotations

import dis
import functools
import hashlib
import inspect
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping
from types import CellType, CodeType
from typing import Any

#: A name, of how many numbers or formulas it is, its source, and what is called.
Named = tuple[str, int, str, Callable[..., Any]]
#: Functions, operators, and the fitness by the name of who measures.
Callables = tuple[list[Named], list[Named], tuple[str, Callable[..., Any]] | None]


def callables(
    functions: Mapping[str, Callable[..., Any]] | None, operators: Mapping[str, Callable[..., Any]] | None, fitness: Callable[..., Any] | None
) -> Callables:
    """All three, checked."""
    for what, given in (("functions", functions), ("operators", operators)):
        if given is not None and not isinstance(given, Mapping):
            raise TypeError(f"{what}: expected a dict of names, found {type(given).__name__}")
    if fitness is None:
        return _named("function", functions), _named("operator", operators), None
    _check("fitness", fitness)
    name = re.sub("[^A-Za-z0-9._-]", "", _name(fitness).rpartition(".")[2]) or "fitness"
    return _named("function", functions), _named("operator", operators), (f"{name}-{_hash(_source(fitness))}", fitness)


def _named(kind: str, given: Mapping[str, Callable[..., Any]] | None) -> list[Named]:
    return [(name, _count(kind, name, call), _source(call), call) for name, call in (given or {}).items()]


def _check(what: str, call: object) -> None:
    if not callable(call):
        raise TypeError(f"{what}: expected what can be called, found {type(call).__name__}")


def _count(kind: str, name: str, call: Callable[..., Any]) -> int:
    """Of how many numbers or formulas it is."""
    _check(f"{kind} {name}", call)
    if not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name):
        raise ValueError(f"{kind}s: expected names of a letter, then letters, digits and _, found {name!r:.60}")
    try:
        parameters = inspect.signature(call).parameters.values()
    except ValueError:
        raise ValueError(f"{kind} {name}: it does not say how many arguments it takes; `lambda a, b: …` does") from None
    by_place = (each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD))
    found = sum(each.default is each.empty for each in by_place)
    count, expected = (found, "1 or 2 numbers") if kind == "function" else (found - 1, "1 or 2 formulas and a random.Random")
    if count not in (1, 2):
        raise ValueError(f"{kind} {name}: expected {expected} as arguments, found {found}")
    return count


def _name(call: Callable[..., Any]) -> str:
    return getattr(call, "__qualname__", type(call).__qualname__)


def _source(call: Callable[..., Any], inside: tuple[object, ...] = ()) -> str:
    """Its source, and the values that it holds: those of its closure, its defaults, its own if it is an object with a state. Of a lambda,
    which has no lines of its own, and where there is no source, the code. What it is ``inside`` of is not told again."""
    inside += (call,)
    code = getattr(call, "__code__", None)
    if code is None:
        held = (call.func, *call.args, *call.keywords.items()) if isinstance(call, functools.partial) else getattr(call, "__dict__", {}).items()
        return f"{getattr(call, '__module__', None)}.{_name(call)}{_holding(held, inside)}"
    stored = {each.argval for each in dis.get_instructions(code) if each.opname == "STORE_DEREF"}
    closure = zip(code.co_freevars, getattr(call, "__closure__", None) or ())
    cells = (cell.cell_contents for name, cell in closure if name not in stored and cell != CellType())
    holds = _holding((*cells, *(getattr(call, "__defaults__", None) or ())), inside)
    try:
        if code.co_name != "<lambda>":
            return textwrap.dedent(inspect.getsource(code)).strip() + holds
    except OSError:
        pass
    return f"{code.co_name} {_hash(_code(code))}{holds}"


def _holding(values: Iterable[object], inside: tuple[object, ...]) -> str:
    """What a callable holds, as a comment."""
    shown = _shown(tuple(values), inside)
    return "" if shown == "()" else f"  # holds {shown}"


def _shown(value: Any, inside: tuple[object, ...]) -> str:
    """A value as text: numbers, texts, tuples of them and functions. Of what changes while it is used, such as a list of results or a
    cache, only the type counts: it is no part of what a callable does."""
    if any(value is each for each in inside):
        return _name(value)
    if isinstance(value, tuple):
        return f"({', '.join(_shown(each, inside) for each in value)})"
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes, range)):
        return repr(value)
    return _source(value, inside) if callable(value) and not isinstance(value, type) else _name(value)


def _code(code: CodeType) -> str:
    """What determines what a code does."""
    constants = [_code(each) if isinstance(each, CodeType) else repr(each) for each in code.co_consts]
    return f"{code.co_code.hex()} {constants} {code.co_names}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]
