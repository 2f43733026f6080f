"""The reference is made from the docstrings."""

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "reference.py"


def test_the_reference_is_up_to_date() -> None:
    for module in ("gymnasium", "dm_env"):
        pytest.importorskip(module)
    spec = importlib.util.spec_from_file_location("reference", SCRIPT)
    assert spec is not None and spec.loader is not None
    reference = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reference)
    if not reference.PAGE.parent.is_dir():
        pytest.skip("the repository is not here")
    assert reference.PAGE.read_text(encoding="utf-8") == reference.page(), "python -I python/reference.py writes it"
