"""The notebooks run, and print what is kept in them. ``UPDATE_NOTEBOOKS=1`` writes their outputs."""

from __future__ import annotations

import os
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


@pytest.mark.parametrize("name", ["league", "formulas", "openspiel"])
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
