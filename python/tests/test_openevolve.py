"""OpenEvolve with evouct as its evaluator, and a server of the test's own in place of a chat model."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

pytest.importorskip("openevolve")

PROPOSERS = Path(__file__).parents[2] / "experiments" / "proposers"
SCRIPTS = sysconfig.get_path("scripts")
EVOUCT = str(Path(SCRIPTS, "evouct"))

#: What the model answers in turn, then the last one again: a formula with an error, programs with an error, a formula that is
#: better than the one of program.py, and a worse one.
ANSWERS = [
    "def genome():\n    return 'select = Q +'",
    "def genome():\n    return 1 / 0",
    "nothing = 1",
    "def genome():\n    return 'select = Q + 0.5*sqrt(ln(N)/n); untried = 8*race; final = n'",
    "def genome():\n    return 'select = 0 - n; untried = 0 - 8*race; final = n'",
]


class Model(BaseHTTPRequestHandler):
    """Answers as a chat model behind an OpenAI-compatible address does."""

    asked: list[str] = []

    def do_POST(self) -> None:
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append(question["messages"][-1]["content"])
        program = ANSWERS[min(len(self.asked), len(ANSWERS)) - 1]
        message = {"role": "assistant", "content": f"Try this:\n```python\n{program}\n```\n"}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        body = json.dumps({"id": "1", "object": "chat.completion", "created": 1, "model": question["model"], "choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing is logged."""


def scored(genome: str, folder: Path) -> dict[str, float]:
    """What `evouct score` says by itself."""
    command = [EVOUCT, "score", str(PROPOSERS / "race.toml"), "--out", str(folder)]
    done = subprocess.run(command, input=json.dumps({"genome": genome}), capture_output=True, text=True, check=True)
    answer: dict[str, float] = json.loads(done.stdout.splitlines()[0])
    return answer


def test_openevolve_finds_a_better_formula(tmp_path: Path) -> None:
    server = HTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    environment = {name: value for name, value in os.environ.items() if name.lower() not in ("http_proxy", "https_proxy", "all_proxy")}
    environment |= {"OPENAI_API_KEY": "none", "EVOUCT": EVOUCT, "OPENEVOLVE_SCORES": str(tmp_path / "scores")}
    command = [str(Path(SCRIPTS, "openevolve-run")), *(str(PROPOSERS / name) for name in ("program.py", "evaluator.py"))]
    command += ["--config", str(PROPOSERS / "openevolve.yaml"), "--iterations", str(len(ANSWERS)), "--output", str(tmp_path / "out")]
    command += ["--api-base", f"http://127.0.0.1:{server.server_port}/v1", "--primary-model", "small"]
    try:
        done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
    finally:
        server.shutdown()
        server.server_close()
    assert done.returncode == 0, done.stderr
    assert len(Model.asked) == len(ANSWERS) and "untried = {WEIGHT}*race" in Model.asked[0], done.stderr

    best = json.loads((tmp_path / "out" / "best" / "best_program_info.json").read_text())["metrics"]
    assert "untried = 8*race" in (tmp_path / "out" / "best" / "best_program.py").read_text()
    alone = scored("select = Q + 0.5*sqrt(ln(N)/n); untried = 8*race; final = n", tmp_path / "alone")
    assert best == {"combined_score": alone["gain"], "low": alone["low"], "high": alone["high"], "nodes": alone["nodes"]}
    assert alone["gain"] > alone["low"] > 0
    # One journal of all workers: the reference, the first program, the better one and the worse one, each measured once.
    lines = [json.loads(line) for line in (tmp_path / "scores" / "scores.jsonl").read_text().splitlines()]
    measured = [line["entry"]["genome"].split("untried = ")[1] for line in lines if "entry" in line]
    assert sorted(measured) == ["-1 * race; final = n", "0 - 8 * race; final = n", "0 - race; final = n", "8 * race; final = n"]


def test_what_has_no_formula_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(PROPOSERS))
    monkeypatch.setenv("EVOUCT", EVOUCT)
    monkeypatch.setenv("OPENEVOLVE_SCORES", str(tmp_path / "scores"))
    import evaluator

    monkeypatch.setenv("OPENEVOLVE_SECONDS", "5")
    problems = ["column 4: expected a number", "ZeroDivisionError: division by zero", "KeyError: 'genome'", "did not return within 5 s"]
    for program, problem in zip([*ANSWERS[:3], "import time\ntime.sleep(100)"], problems):
        (tmp_path / "program.py").write_text(program)
        refused = evaluator.evaluate(str(tmp_path / "program.py"))
        assert refused.metrics == {"combined_score": -1000.0} and problem in refused.artifacts["error"]
    monkeypatch.setenv("OPENEVOLVE_SCORES", str(tmp_path / "other"))
    monkeypatch.setenv("EVOUCT", sys.executable)
    with pytest.raises(SystemExit, match="score"):
        evaluator.score("Q")
    # What was measured before an interruption is no score.
    (interrupted := tmp_path / "interrupted").write_text("#!/bin/sh\necho '{\"status\": \"interim\", \"gain\": 9}'\necho stopped >&2\nexit 75\n")
    interrupted.chmod(0o755)
    monkeypatch.setenv("EVOUCT", str(interrupted))
    with pytest.raises(SystemExit, match="stopped"):
        evaluator.score("Q")
