"""The notebooks of the manual run as they are printed."""

import os
import re
from pathlib import Path
from typing import Any

import pytest

MANUAL = Path(__file__).parents[2] / "docs/manual/python.md"


def cells(title: str) -> list[str]:
    """The code of a section."""
    if not MANUAL.is_file():
        pytest.skip("the repository is not here")
    section = MANUAL.read_text(encoding="utf-8").split(f"## {title}\n")[1].split("\n## ")[0]
    return re.findall(r"```python\n(.*?)```", section, re.DOTALL)


def test_five_minutes_in_a_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("pyarrow", "pandas", "polars"):
        pytest.importorskip(module)
    all_cells = cells("Five minutes in a notebook")
    assert len(all_cells) == 4
    # The last cell reads files that other pages make.
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for cell in all_cells[:3]:
        assert '"iterations": 400' in cell or "iterations" not in cell
        exec(cell.replace('"iterations": 400', '"iterations": 20'), names)
    assert names["uct"].order() == "exploring" and os.listdir("runs") == ["gains"]
    assert names["league"].digest is not None


def test_a_search_guided_by_a_network() -> None:
    (cell,) = cells("Search guided by a network")
    names: dict[str, Any] = {}
    exec(cell.replace("run(400)", "run(40)"), names)
    found = names["found"]
    assert found.visits.sum() == 40 and found.action in names["state"].legal_actions()
