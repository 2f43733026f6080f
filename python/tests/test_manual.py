"""The first notebook of the manual runs as it is printed."""

import os
import re
from pathlib import Path
from typing import Any

import pytest

MANUAL = Path(__file__).parents[2] / "docs/manual/python.md"


def test_five_minutes_in_a_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("pyarrow", "pandas", "polars"):
        pytest.importorskip(module)
    if not MANUAL.is_file():
        pytest.skip("the repository is not here")
    section = MANUAL.read_text(encoding="utf-8").split("## Five minutes in a notebook")[1].split("\n## ")[0]
    cells = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    assert len(cells) == 4
    # The last cell reads files that other pages make.
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for cell in cells[:3]:
        assert '"iterations": 400' in cell or "iterations" not in cell
        exec(cell.replace('"iterations": 400', '"iterations": 20'), names)
    assert names["uct"].order() == "exploring" and os.listdir("runs") == ["gains"]
    assert names["league"].digest is not None
