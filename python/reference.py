"""Writes docs/reference/python.md from the docstrings of the installed package and the types of its stubs.

    python -I python/reference.py       writes the page; tests/test_reference.py fails where it is out of date"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Iterator

import evouct

PAGE = Path(__file__).resolve().parents[1] / "docs/reference/python.md"
STUBS = Path(__file__).resolve().parent / "evouct/_native.pyi"
TITLES = {
    "runs": "Leagues, evolutions, scores, tunings and banks",
    "ask_tell": "Evolutions that ask",
    "frames": "Results",
    "formula": "Formulas",
    "games": "Games in Python",
    "_native": "Carcassonne: rules, positions and players",
    "search": "Search guided by a network",
    "leaves": "Batches of positions",
    "vector": "Environments, many at once",
    "picture": "Pictures",
    "action_vector": "Actions as vectors",
    "gym": "Environments of Gymnasium",
    "dm": "An environment of dm_env",
    "external": "Players that evouct starts",
}


def wrapped(text: str, indent: str = "") -> str:
    """Paragraphs of at most 100 columns, with code in single backticks. What is indented stays as it is."""
    paragraphs = inspect.cleandoc(text).replace("``", "`").split("\n\n")
    fill = {"width": 100, "initial_indent": indent, "subsequent_indent": indent, "break_on_hyphens": False}
    return "\n\n".join(textwrap.fill(" ".join(each.split()), break_long_words=False, **fill) for each in paragraphs)  # type: ignore[arg-type]


def signature(node: ast.FunctionDef) -> str:
    """The arguments and the result of a function, as in its source."""
    arguments = re.sub(r"(?<=[^=!<>])=(?=[^=])", " = ", ast.unparse(node.args))
    for first in ("self", "cls"):
        if arguments == first or arguments.startswith(f"{first}, "):
            arguments = arguments[len(first) :].removeprefix(", ")
    arguments = arguments.removeprefix("/, ").removesuffix(", /")
    result = "" if node.returns is None or node.name in ("__init__", "__new__") else f" -> {ast.unparse(node.returns)}"
    return f"({arguments}){result}"


def is_property(node: ast.FunctionDef) -> bool:
    return any(isinstance(each, ast.Name) and each.id == "property" for each in node.decorator_list)


def is_overload(node: ast.FunctionDef) -> bool:
    return any(isinstance(each, ast.Name) and each.id == "overload" for each in node.decorator_list)


def item(name: str, node: ast.AST, value: object) -> Iterator[str]:
    """The entry of a function or a class, with the members of the class."""
    if isinstance(node, ast.FunctionDef):
        yield f"### {name}\n\n{code(name, signature(node))}\n\n{wrapped(documented(name, value))}\n"
        return
    assert isinstance(node, ast.ClassDef)
    functions = [each for each in node.body if isinstance(each, ast.FunctionDef) and not is_overload(each)]
    makers = [signature(each) for each in functions if each.name in ("__init__", "__new__")]
    bases = [ast.unparse(base) for base in node.bases if hasattr(evouct, ast.unparse(base))]
    derived = f" A `{bases[0]}`." if bases else ""
    yield f"### {name}\n\n{code(f'class {name}', ''.join(makers))}\n\n{wrapped(documented(name, value) + derived)}\n"
    for each in functions:
        if each.name.startswith("_") and each.name != "__call__":
            continue
        shown = each.name if each.name != "__call__" else ""
        text = f": {ast.unparse(each.returns)}" if is_property(each) and each.returns else signature(each)
        doc = documented(f"{name}.{each.name}", inspect.getattr_static(value, each.name))
        yield wrapped(f"- `{shown}{text}`: {doc}", "  ").lstrip() + "\n"


def code(name: str, signature: str) -> str:
    """A signature as a block of code of at most 100 columns."""
    whole = name + signature
    if len(whole) > 100:
        arguments, result = signature[1:].rsplit(")", 1)
        # Commas inside brackets divide no arguments.
        lines = re.sub(r", (?![^\[]*\])", ",\n    ", arguments)
        whole = f"{name}(\n    {lines},\n){result}"
    return f"```python\n{whole}\n```"


def documented(name: str, value: object) -> str:
    doc = inspect.getdoc(value)
    if not doc:
        raise SystemExit(f"{name} has no documentation")
    return doc


def section(title: str, module: ModuleType, names: list[str], source: str) -> Iterator[str]:
    """The entries of the names of a module, in the order of its source."""
    yield f"## {title}\n"
    tree = ast.parse(source)
    doc = ast.get_docstring(tree)
    if doc and module.__name__ != "evouct._native":
        yield wrapped(doc) + "\n"
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in names:
            yield from item(node.name, node, getattr(module, node.name))
    for name in names:
        value = getattr(module, name)
        if isinstance(value, list):
            yield f"### {name}\n\nNames with their first places, from `{value[0][0]}` to `{value[-1][0]}`: [environment](environment.md).\n"


def page() -> str:
    """The page."""
    parts = ["# Python\n", "This page is made from the docstrings of the package by `python/reference.py`. " + "[Use it from Python](../manual/python.md) is the way in.\n"]
    parts[1] = wrapped(parts[1]) + "\n"
    modules = {module: names for module, names in evouct._NAMES.items()}
    for module, names in sorted(modules.items(), key=lambda entry: list(TITLES).index(entry[0][1:]) if entry[0][1:] in TITLES else len(TITLES)):
        loaded = import_module(module, "evouct")
        source = STUBS if module == "._native" else Path(inspect.getfile(loaded))
        title = TITLES.get(module[1:], (loaded.__doc__ or module).strip().splitlines()[0].rstrip("."))
        parts += section(title, loaded, names, source.read_text(encoding="utf-8"))
    for name, names in {"gym": ["CarcassonneEnv", "SelfPlayVectorEnv"], "dm": ["Environment"], "external": ["serve"]}.items():
        loaded = import_module(f"evouct.{name}")
        parts += section(TITLES[name], loaded, names, Path(inspect.getfile(loaded)).read_text(encoding="utf-8"))
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
