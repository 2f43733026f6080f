"""The study of the cookbook is killed in the middle, begun again, and has the digest of one that was not disturbed."""

import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STUDY = ROOT / "examples/study"
# The last line of study.digest.
DIGEST = "feee41f5824944d9a4698ba00e24f1a48a240f63ff139754e0bd6d42a17216dd"


def test_a_study_is_resumed(tmp_path: Path) -> None:
    pytest.importorskip("snakemake")
    if not STUDY.is_dir():
        pytest.skip("the repository is not here")
    printed = re.search(r"\n(snakemake .*)\n", (ROOT / "docs/manual/cookbook.md").read_text(encoding="utf-8"))
    assert printed is not None
    scripts = sysconfig.get_path("scripts")
    command = [sys.executable, "-m", *printed.group(1).split()]
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "HOME": str(tmp_path)}
    study = tmp_path / "study"
    shutil.copytree(STUDY, study)

    def begin() -> "subprocess.Popen[bytes]":
        log = (tmp_path / "log").open("ab")
        return subprocess.Popen(command, cwd=study, env=environment, stdout=log, stderr=log, start_new_session=True)

    # Everything is killed at once, while the first evolution measures.
    first = begin()
    try:
        while not any(journal.stat().st_size > 5_000 for journal in study.glob("runs/evolve-*/evolution.jsonl")):
            assert first.poll() is None, (tmp_path / "log").read_text(encoding="utf-8")
            time.sleep(0.02)
    finally:
        os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    recorded = [journal.read_bytes().splitlines() for journal in study.glob("runs/*/*.jsonl")]
    assert not (study / "study.digest").exists()
    # The same command ends it. What was recorded is not measured again.
    assert begin().wait() == 0, (tmp_path / "log").read_text(encoding="utf-8")
    now = {line for journal in study.glob("runs/*/*.jsonl") for line in journal.read_bytes().splitlines()}
    assert all(line in now for lines in recorded for line in lines[:-1])
    lines = (study / "study.digest").read_text(encoding="utf-8").splitlines()
    assert lines[-1] == f"{DIGEST}  -"
    assert len(lines) == 13 and (study / "printed.md").read_text(encoding="utf-8").count("| agrees |") == 2
    assert (study / "paper/printed/ranking.tex").is_file() and (study / "paper/proof-1/methods.tex").is_file()
