"""The notebooks run, and print what is kept in them. ``UPDATE_NOTEBOOKS=1`` writes their outputs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
#: What a notebook needs beside evouct.
NEEDS = {"league": ["pandas", "pyarrow", "scipy"], "openspiel": ["pyspiel"]}


def printed(notebook: Any) -> list[str]:
    """What the cells have printed, one text each."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return ["".join(output.text for output in cell.outputs if output.output_type == "stream") for cell in cells]


@pytest.mark.parametrize("name", ["league", "formulas", "openspiel", "any-game"])
def test_a_notebook_prints_what_it_shows(name: str, tmp_path: Path) -> None:
    path = NOTEBOOKS / f"{name}.ipynb"
    if not path.is_file():
        pytest.skip("the notebooks are not here")
    for module in NEEDS.get(name, []):
        pytest.importorskip(module)
    kept = nbformat.read(path, as_version=4)
    notebook = nbformat.read(path, as_version=4)
    # Times are no outputs.
    nbclient.NotebookClient(notebook, timeout=None, record_timing=False, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert not any(output.get("name") == "stderr" for cell in notebook.cells for output in cell.get("outputs", []))
    if os.environ.get("UPDATE_NOTEBOOKS"):
        notebook.metadata.language_info = {"name": "python"}
        path.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")
        return
    assert all(printed(kept)) and printed(notebook) == printed(kept)


def test_a_page_has_the_outputs_of_its_notebook(tmp_path: Path) -> None:
    script = Path(__file__).parents[2] / "scripts/notebook-page"
    if not script.is_file():
        pytest.skip("the scripts are not here")
    svg = {"image/svg+xml": ['<?xml version="1.0"?>\n', "<svg>\n", "\n", "</svg>"], "text/plain": "a picture"}
    html = {"text/html": "<table>\n\n<tr></tr></table>", "text/plain": "a table"}
    outputs = [
        {"output_type": "stream", "name": "stdout", "text": ["```\n", "1\n"]},
        {"output_type": "display_data", "data": svg},
        {"output_type": "execute_result", "data": html},
        {"output_type": "execute_result", "data": {"image/png": "AAAA\n", "text/plain": "a picture"}},
        {"output_type": "execute_result", "data": {"text/plain": "2"}},
    ]
    cells = [
        {"cell_type": "markdown", "source": ["# A title\n", "\n", "A text."]},
        {"cell_type": "code", "source": "print(1)", "outputs": outputs},
    ]
    notebook = tmp_path / "made.ipynb"

    def page() -> subprocess.CompletedProcess[str]:
        notebook.write_text(json.dumps({"cells": cells}))
        return subprocess.run([sys.executable, script, notebook], capture_output=True, text=True)

    assert page().returncode == 0
    assert notebook.with_suffix(".md").read_text().split("\n\n") == [
        "# A title",
        "This is the notebook [made.ipynb](made.ipynb) with its outputs.",
        "A text.",
        "```python\nprint(1)\n```",
        "````text\n```\n1\n````",
        '<div class="output">\n<svg>\n</svg>\n</div>',
        '<div class="output">\n<table>\n<tr></tr></table>\n</div>',
        "![output](data:image/png;base64,AAAA)",
        "```text\n2\n```\n",
    ]
    outputs.append({"output_type": "error"})
    assert "a cell has the output 'error'" in page().stderr
