"""The Python of the documents runs as it is printed, with smaller numbers: blocks of code and commands that need the package, in the order
of a page. `tests/suite/statements.rs` runs the other blocks."""

import ast
import csv
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(not (ROOT / "docs").is_dir(), reason="the repository is not here")

#: Commands that are not run, by how they begin, and where or why.
NOT_RUN = {
    "python3 -m venv": "scripts/test-wheel",
    "venv/bin/": "scripts/test-wheel",
    "pip install ": "packages of an index",
    "OPENAI_API_KEY=": "test_openevolve.py",
    "python -m evouct run runs/domineering/proof.toml": "a champion takes six core-minutes",
}
#: What stands in the place of words of pages and of their files: smaller numbers.
OTHERWISE = [
    ('"iterations": 400', '"iterations": 20'),
    ("run(400)", "run(40)"),
    ("seeds=range(1, 11)", "seeds=range(1, 3)"),
    ("learn.py runs/learned", "learn.py runs/learned --random 20 --games 4 --iterations 4 --decks 2"),
    ("python/.venv/bin/python ", f"{sys.executable} "),
    # Those of race.toml, pig.toml and domineering.toml.
    ("population = 8\ngenerations = 3", "population = 8\ngenerations = 1"),
    ("decks = [100, 200]", "decks = [30, 60]"),
    ("held_out_decks = 100", "held_out_decks = 4"),
    ("iterations = 100", "iterations = 6"),
    ("2, 4, 8, 16, 32, 100]", "14]"),
    ("decks = [100]", "decks = [2]"),
    ("held_out_decks = 200", "held_out_decks = 4"),
    ("generations = 4", "generations = 1"),
    ('"hm2", "Ag", "lgr", "pl", "w1", "l1"', '"l1"'),
]
#: The player that the manual tunes in x.toml.
TUNED = 'name = "x"\ngame = "einstein"\n[[player]]\nkind = "mcts"\niterations = 5\n'
#: What a page takes for granted.
BEFORE = {
    "docs/reference/outputs.md": [
        "printf 'name = \"quick\"\\ndecks = 1\\n[[player]]\\nkind = \"random\"\\n[[player]]\\nkind = \"one-ply\"\\n' > quick.toml",
        "evouct run quick.toml",
        "evouct export runs/quick",
    ],
}
#: What a page shows and no command of it prints here, by how it begins, and where or why.
NOT_SHOWN = {
    "champion: select = Q + sqrt(2)": "six core-minutes",
    "Pig: game 1, ply 3": "test_games.py",
}


def fitted(text: str) -> str:
    for old, new in OTHERWISE:
        text = text.replace(old, new)
    return text


def blocks(page: str) -> list[tuple[str, str]]:
    """The blocks of a page: language and text."""
    return re.findall(r"^```(\w*)\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def pages() -> list[str]:
    """The pages with Python; that of the reference is made from the docstrings (test_reference.py)."""
    found = [str(path.relative_to(ROOT)) for path in sorted(ROOT.glob("docs/*/*.md")) if path.parent.name in ("manual", "reference")]
    found = [page for page in found if page != "docs/reference/python.md"]
    return [page for page in found if any(language == "python" or language == "sh" and "python" in text for language, text in blocks(page))]


def check_comments(cell: str, names: dict[str, Any]) -> None:
    """A comment that is a value is the value of its line."""
    for line in cell.splitlines():
        said = re.match(r"(?:(\w+) = )?(\S.*?) +# (.+)$", line)
        try:
            value = ast.literal_eval(said[3]) if said else None
        except (SyntaxError, ValueError):
            continue
        if said:
            assert (names[said[1]] if said[1] else eval(said[2], names)) == value, line


def without_numbers(text: str) -> list[str]:
    return [re.sub(r"[-\d.]*\d(e-\d+)?", "#", line).strip() for line in text.splitlines()]


def command(line: str) -> str:
    """Runs a command that must succeed; returns what it prints."""
    ran = subprocess.run(line, shell=True, capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL)
    assert ran.returncode == 0, f"{line}\n{ran.stdout}{ran.stderr}"
    return ran.stdout


@pytest.mark.parametrize("page", pages())
def test_a_page_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("pyarrow", "pandas", "polars", "matplotlib", "scipy"):
        pytest.importorskip(module)
    shutil.copytree(ROOT / "python/examples", tmp_path / "python/examples", ignore=shutil.ignore_patterns("runs", "__pycache__"))
    for file in tmp_path.glob("python/examples/*.toml"):
        file.write_text(fitted(file.read_text(encoding="utf-8")), encoding="utf-8")
    (race,) = [text for _, text in blocks("docs/manual/evolution.md") if text.startswith('name = "race"')]
    (tmp_path / "race.toml").write_text(fitted(race), encoding="utf-8")
    (tmp_path / "x.toml").write_text(TUNED, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.syspath_prepend(str(tmp_path / "python/examples"))
    logged: list[tuple[Any, ...]] = []
    mlflow = ModuleType("mlflow")
    mlflow.log_metric = lambda *metric: logged.append(metric)  # type: ignore[attr-defined]
    names: dict[str, Any] = {"mlflow": mlflow}
    printed = [command(line) for line in BEFORE.get(page, [])]
    for language, text in blocks(page):
        if language == "python" and "ray.remote" in text:
            # It needs Ray.
            assert text in (ROOT / "python/tests/test_engines.py").read_text(encoding="utf-8")
        elif language == "python":
            exec(fitted(text), names)
            check_comments(text, names)
        elif language == "sh" and "python" in text:
            for line in fitted(text).splitlines():
                if line.startswith("cd "):
                    monkeypatch.chdir(line.split()[1])
                elif not line.startswith(tuple(NOT_RUN)):
                    assert line.startswith(("python ", sys.executable)), line
                    printed.append(command(line))
        elif language == "text" and not text.startswith(tuple(NOT_SHOWN)):
            lines = without_numbers("".join(printed))
            assert all(line in lines for line in without_numbers(text)), printed
    if "mlflow" in (ROOT / page).read_text(encoding="utf-8"):
        assert logged
    for lineage in Path("runs").glob("domineering/lineage.csv"):
        operators = {row["operator"] for row in csv.DictReader(lineage.open())}
        assert {"fade", "grow", "constant"} <= operators
