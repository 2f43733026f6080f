"""Leagues, evolutions, scores, tunings and banks from Python are those of the program."""

import json
import os
import signal
import subprocess
import sys
import sysconfig
import threading
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import evouct

PROGRAM = str(Path(sysconfig.get_path("scripts"), "evouct"))

LEAGUE = {
    "name": "small",
    "seed": 5,
    "games_per_match": 3,
    "player": [{"kind": "mcts", "iterations": 20}, {"name": "Greedy", "kind": "one-ply"}, {"kind": "random"}],
}
BANK = {
    "name": "positions",
    "seed": 2,
    "games": 12,
    "positions_per_game": 3,
    "rewards": 8,
    "player": [{"kind": "random"}, {"kind": "one-ply"}],
    "value": [{"kind": "mcts", "iterations": 60}],
}
EVOLUTION = {
    "name": "evolved",
    "seed": 3,
    "evolve": {"seeds": ["Q", "Q + 1/n"], "islands": 1, "population": 6, "generations": 2, "finalists": 2, "max_nodes": 9},
    "player": [{"kind": "formula", "iterations": 8}],
    "opponent": [{"kind": "random"}],
    "stage": [{"measure": "games", "decks": [2]}, {"measure": "games", "decks": [2, 4]}],
}


def program(*arguments: str | os.PathLike[str]) -> str:
    """What the program prints."""
    done = subprocess.run([PROGRAM, *map(os.fspath, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def toml(path: Path, table: dict[str, Any]) -> Path:
    """Writes a table of numbers, texts, lists and lists of tables as TOML."""
    lines = [f"{name} = {json.dumps(value)}" for name, value in table.items() if not is_tables(value)]
    for name, tables in table.items():
        if is_tables(tables):
            for each in tables if isinstance(tables, list) else [tables]:
                lines.append(f"[[{name}]]" if isinstance(tables, list) else f"[{name}]")
                lines += [f"{key} = {json.dumps(value)}" for key, value in each.items()]
    path.write_text("\n".join(lines) + "\n")
    return path


def is_tables(value: object) -> bool:
    return isinstance(value, dict) or isinstance(value, list) and any(isinstance(item, dict) for item in value)


def files(folder: Path) -> dict[str, bytes]:
    """The tables and charts of a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for ending in ("csv", "svg") for path in folder.rglob(f"*.{ending}")}


@pytest.mark.parametrize("given", ["file", "dict"])
def test_a_league_is_that_of_the_program(given: str, tmp_path: Path) -> None:
    file = toml(tmp_path / "small.toml", LEAGUE)
    printed = program("run", file, "--out", tmp_path / "theirs")
    league = evouct.run(file if given == "file" else LEAGUE, tmp_path / "ours", threads=2)
    assert league.digest is not None and program("digest", tmp_path / "theirs").startswith(league.digest)
    assert program("digest", league).startswith(league.digest)
    ours, theirs = files(league.folder), files(tmp_path / "theirs")
    assert ours.keys() == theirs.keys()
    # Times differ, and so do tables that have them.
    assert {name: ours[name] for name in ("matches.csv", "significance.csv", "figures/matches.svg")}.items() <= theirs.items()
    assert league.headline and league.headline in " ".join(printed.split())
    # It goes on as a run of the program, and the other way round.
    program("run", file, "--out", league)
    with pytest.warns(UserWarning, match="text that changes no game"):
        assert evouct.run(LEAGUE, out=tmp_path / "theirs", progress=False).digest == league.digest


def test_a_dict_has_formulas_and_numbers_of_numpy(tmp_path: Path) -> None:
    uct = evouct.Formula("Q + sqrt(2*ln(N)/n)")
    player = {"kind": "formula", "iterations": 20}
    plain = {**LEAGUE, "player": [{**player, "formula": str(uct)}, {"kind": "random"}]}
    rich = {**LEAGUE, "seed": np.int64(5), "player": [{**player, "formula": uct, "iterations": np.uint8(20)}, {"kind": "random"}]}
    assert evouct.run(rich, tmp_path / "rich").digest == evouct.run(plain, tmp_path / "plain").digest


def test_results_are_tables_and_pages(tmp_path: Path) -> None:
    for module in ("pyarrow", "pandas", "polars"):
        pytest.importorskip(module)
    league = evouct.run(LEAGUE, tmp_path / "run")
    assert list(league.ranking["player"])[0] == "Greedy" and list(league.ranking["rank"]) == [1, 2, 3]
    assert league.polars("matches").height == league.arrow("matches").num_rows == len(league.pandas("matches"))
    page = league._repr_html_()
    assert "Greedy" in page and league.headline.split(".")[0] in page and page.count("data:image/svg+xml;base64,") == 2
    assert os.fspath(league) == str(tmp_path / "run") and repr(league) == f"League({str(tmp_path / 'run')!r})"
    assert "<svg" in league.figures()["matches"]
    # A name of a player is text.
    named = {**LEAGUE, "player": [{"name": "<b>&", "kind": "one-ply"}, {"kind": "random"}]}
    page = evouct.run(named, tmp_path / "named")._repr_html_()
    assert "<b>&" not in page and "&lt;b&gt;&amp;" in page
    (tmp_path / "run" / "report.json").unlink()
    with pytest.raises(FileNotFoundError, match="has no report yet; `evouct report"):
        league.headline


def test_an_evolution_is_that_of_the_program(tmp_path: Path) -> None:
    file = toml(tmp_path / "evolved.toml", EVOLUTION)
    program("evolve", file, "--out", tmp_path / "theirs")
    result = evouct.evolve(EVOLUTION, tmp_path / "ours", threads=2)
    assert result.digest is not None and program("digest", tmp_path / "theirs").startswith(result.digest)
    assert files(result.folder) == files(tmp_path / "theirs") != {}
    assert result.headline == " ".join(json.loads((tmp_path / "theirs/report.json").read_text())["headline"]) != ""
    assert (result.champion is not None) == (result.folder / "champions.toml").exists()
    if result.champion is not None:
        assert isinstance(result.champion["select"], evouct.Formula)
    assert "data:image/svg" in result._repr_html_()
    pytest.importorskip("pandas")
    assert len(result.ranking) > 0 and "formula" in result.ranking.columns


FORMULAS = ["Q + 1/n", evouct.Formula("Q + 3/n"), {"select": "Q", "final": evouct.Formula("n")}]


def test_scores_are_those_of_the_program(tmp_path: Path) -> None:
    file = toml(tmp_path / "evolved.toml", EVOLUTION)
    genomes = tmp_path / "genomes.txt"
    genomes.write_text("Q + 1/n\nQ + 3/n\nselect = Q; final = n\n")
    program("score", file, "--genomes", genomes, "--out", tmp_path / "theirs")
    scores = evouct.score(EVOLUTION, FORMULAS, out=tmp_path / "ours", threads=2)
    theirs = json.loads((tmp_path / "theirs/scores.json").read_text())
    assert scores.report == theirs and files(scores.folder) == files(tmp_path / "theirs") != {}
    assert scores.digest == theirs["digest"] and scores.gains == [score["gain"] for score in theirs["genomes"]]
    assert scores.intervals[0] == (theirs["genomes"][0]["low"], theirs["genomes"][0]["high"])
    best = max(range(3), key=lambda place: scores.gains[place])
    assert f"{scores.gains[best]:+.2f}" in scores.headline and scores.headline in scores._repr_html_()
    # Other formulas in the same folder change nothing of it, and other splits are other games.
    other = evouct.score(EVOLUTION, ["Q + 9/n"], split="test", out=tmp_path / "ours")
    assert scores.report == theirs and other.report["split"] == "test" and other.report["genomes"][0]["genome"] == "Q + 9 / n"
    pytest.importorskip("pandas")
    last = other.ranking[(other.ranking["stage"] == 2) & (other.ranking["opponent"] == "")]
    assert list(last["gain"]) == pytest.approx(other.gains, abs=0.001)


def test_formulas_that_cannot_be_scored_are_named(tmp_path: Path) -> None:
    def wrong(formulas: list[Any], problem: str, **more: Any) -> None:
        with pytest.raises(ValueError, match=problem):
            evouct.score(EVOLUTION, formulas, out=tmp_path / "wrong", **more)

    wrong([], "there is no formula to score")
    wrong(["Q", "Q +"], "^formula 2: ")
    wrong(["Q", {"selct": "Q"}], "formula 2: there is no formula called \"selct\"")
    wrong(["Q"], "split: expected one of training, validation, test, found 'train'".replace("'", '"'), split="train")
    wrong([evouct.Formula("ln(Q)", ln="clamp")], "formula 1: its ln is clamp, that of the player of the evolution is abs")
    mixed = {"select": evouct.Formula("Q"), "final": evouct.Formula("n", ln="clamp")}
    wrong([mixed], "the formulas of one player have one ln, found abs and clamp")
    assert not (tmp_path / "wrong").exists()


@pytest.mark.parametrize("module", ["optuna", "cma"])
def test_optimisers_search_with_scores(module: str, tmp_path: Path) -> None:
    pytest.importorskip(module)
    example = Path(__file__).parents[1] / f"examples/{module}_search.py"
    race = Path(__file__).parents[2] / "experiments/proposers/race.toml"
    if not race.is_file():
        pytest.skip("the repository is not here")
    done = subprocess.run([sys.executable, "-I", example, race], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("The best of 1 formula gains ") and "on the test split: select = " in done.stdout
    assert len(example.read_text().splitlines()) <= 25


def test_a_tuning_is_that_of_the_program(tmp_path: Path) -> None:
    rater = {"name": "rater", "player": [{"kind": "one-ply"}, {"kind": "random"}]}
    file = toml(tmp_path / "rater.toml", rater)
    program("tune", file, "--over", "rating=dv,dm,cl", "--budget", "160", "--out", tmp_path / "theirs")
    result = evouct.tune(rater, ["rating=dv,dm,cl"], 160, out=tmp_path / "ours")
    ours, theirs = files(result.folder), files(tmp_path / "theirs")
    assert ours == theirs and "candidates.csv" in ours
    assert (result.folder / "tuned.toml").read_bytes() == (tmp_path / "theirs/tuned.toml").read_bytes()
    assert result.headline in (result.folder / "tuned.toml").read_text().replace("\n# ", " ")
    pytest.importorskip("pandas")
    assert len(result.ranking) == 3 and result.digest is None


def test_a_tuning_in_several_games_is_that_of_the_program(tmp_path: Path) -> None:
    player = [{"name": "tuned", "kind": "mcts", "iterations": 4}, {"name": "random", "kind": "random"}]
    games = {"hex": {"size": 3}, "connect-four": {}, "pig": {"goal": 10}}
    experiments = [{"name": game, "game": game, "rules": rules, "decks": 4, "player": player} for game, rules in games.items()]
    one, two, unseen = [toml(tmp_path / f"{each['name']}.toml", each) for each in experiments]
    program("tune", one, two, "--held-out", unseen, "--over", "final=mean,visits", "--games", "450", "--out", tmp_path / "theirs")
    tuned = evouct.tune([experiments[0], two], ["final=mean,visits"], 450, out=tmp_path / "ours", held_out=experiments[2:])
    assert files(tuned.folder) == files(tmp_path / "theirs") and (tuned.folder / "held-out-game-3-opponent-1").is_dir()


def test_a_bank_is_that_of_the_program(tmp_path: Path) -> None:
    printed = program("bank", toml(tmp_path / "bank.toml", BANK), "--out", tmp_path / "theirs")
    bank = evouct.bank(BANK, tmp_path / "ours")
    assert f"digest {bank.digest}\n" in printed and sum(bank.positions.values()) == 36
    assert bank.headline in bank._repr_html_() and bank.tables == []
    # Evolutions take it.
    stages = [{"measure": "regret", "positions": 10}, {"measure": "games", "decks": [2]}]
    evolve = {**EVOLUTION["evolve"], "bank": str(bank.folder)}  # type: ignore[dict-item]
    result = evouct.evolve({**EVOLUTION, "evolve": evolve, "stage": stages}, tmp_path / "evolved")
    assert result.report["bank"] == bank.digest


LONG = {"name": "long", "games_per_match": 10_000, "player": [{"kind": "mcts", "iterations": 300}, {"kind": "random"}]}
FORM: dict[str, Any] = {"population": 200, "generations": 100}
INTERRUPTED: dict[str, Callable[[Path], object]] = {
    "run": lambda out: evouct.run(LONG, out),
    "evolve": lambda out: evouct.evolve({**EVOLUTION, "evolve": {**EVOLUTION["evolve"], **FORM}}, out),  # type: ignore[dict-item]
    "score": lambda out: evouct.score({**EVOLUTION, "stage": [{"measure": "games", "decks": [2] * 2_000}]}, ["Q", "n"], out=out),  # type: ignore[dict-item]
    "tune": lambda out: evouct.tune(LONG, ["iterations=200,300"], 100_000, out=out),
    "bank": lambda out: evouct.bank({**BANK, "games": 100_000}, out),
}


@pytest.mark.parametrize("name", list(INTERRUPTED))
def test_ctrl_c_ends_the_work_and_the_same_call_goes_on(name: str, tmp_path: Path) -> None:
    def recorded() -> int:
        return sum(path.read_text().count("\n") for path in tmp_path.rglob("*.jsonl"))

    def interrupt(seen: int) -> None:
        while recorded() < seen:
            if ended.wait(0.02):
                return
        os.kill(os.getpid(), signal.SIGINT)

    for more in (3, 6):
        ended = threading.Event()
        watcher = threading.Thread(target=interrupt, args=[recorded() + more])
        watcher.start()
        with pytest.raises(KeyboardInterrupt):
            try:
                INTERRUPTED[name](tmp_path / "out")
            finally:
                ended.set()
        watcher.join()


def test_progress_is_a_bar_or_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from evouct import progress

    evouct.run(LEAGUE, tmp_path / "quiet", progress=False)
    assert capsys.readouterr().err == ""
    pytest.importorskip("tqdm")
    evouct.run(LEAGUE, tmp_path / "bar")
    assert "18/18" in capsys.readouterr().err
    monkeypatch.setitem(__import__("sys").modules, "tqdm.auto", None)
    monkeypatch.setattr(progress, "EVERY", 0.0)
    evouct.evolve(EVOLUTION, tmp_path / "lines")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2 and lines[1].startswith("2 of 2 generations after 0:0") and "points per game, " in lines[1]


def test_an_error_of_the_progress_ends_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise OSError("the terminal is gone")

    monkeypatch.setattr(evouct.progress.Progress, "__call__", broken)  # type: ignore[attr-defined]
    with pytest.raises(OSError, match="the terminal is gone"):
        evouct.run(LONG, tmp_path / "run")


def test_what_is_wrong_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="none.toml: cannot read the experiment"):
        evouct.run("none.toml")
    for wrong, problem in [
        ({**LEAGUE, "gamse": 1}, "^dict: gamse: unknown key gamse"),
        ({**LEAGUE, "seed": None}, "^dict: seed: expected a value, found None; leave the key out$"),
        ({**LEAGUE, "seed": float("nan")}, "^dict: seed: expected a finite number of at most 64 bits, found nan$"),
        ({**LEAGUE, "seed": 2**64}, "^dict: seed: expected a finite number of at most 64 bits, found one of 65 bits$"),
        ({**LEAGUE, "decks": 0, "games_per_match": 1}, "^dict: "),
        ({**LEAGUE, "seed": -1}, "^dict: seed = -1 is not a whole number"),
        ({**LEAGUE, "player": [{"kind": "random"}, {"kind": "mctss"}]}, r"^dict: player\[1\].kind: there is no kind of player called"),
        ({**LEAGUE, "player": [{"kind": "random"}, {"name": "x"}]}, r"^dict: player\[1\]: kind is missing"),
        ({**LEAGUE, "player": [{"kind": "mcts", "iterations": -1}]}, r"^dict: player\[0\]: iterations = -1 is not"),
        ({**LEAGUE, "player": [{"kind": "random", "name": "a\nb"}] * 2}, r"^dict: player\[0\].name: a player's name has no control characters, found '\\n'$"),
        ({}, "name"),
    ]:
        with pytest.raises(ValueError, match=problem):
            evouct.run(wrong, tmp_path / "wrong")
    with pytest.raises(TypeError, match=r"^dict: player\[0\].k: expected numbers, texts, flags, lists and dicts, found set$"):
        evouct.run({**LEAGUE, "player": [{"kind": "mcts", "k": {1}}]})
    itself: dict[str, Any] = {**LEAGUE}
    itself["rules"] = itself
    with pytest.raises(ValueError, match="expected dicts and lists at most 20 deep"):
        evouct.run(itself)
    with pytest.raises(TypeError, match="expected the path of a file or a dict, found <class 'int'>"):
        evouct.run(7)  # type: ignore[arg-type]
    for call in (evouct.evolve, evouct.bank):
        with pytest.raises(ValueError):
            call(LEAGUE, tmp_path / "wrong")
    with pytest.raises(ValueError, match="rating"):
        evouct.tune(LEAGUE, ["ratnig=dv,dm"], 1000, out=tmp_path / "wrong")
    assert not (tmp_path / "wrong").exists()
    evouct.run(LEAGUE, tmp_path / "run")
    with pytest.raises(ValueError, match="this folder holds another experiment"):
        evouct.run({**LEAGUE, "seed": 6}, tmp_path / "run")
    for result in (evouct.EvolutionResult, evouct.TuningResult, evouct.Bank):
        with pytest.raises(FileNotFoundError, match="is no run folder: it has no journal .*; evouct.League reads what it holds$"):
            result(tmp_path / "run")
    (tmp_path / "evolution.jsonl").touch()
    with pytest.raises(FileNotFoundError, match="it has no journal games.jsonl; evouct.EvolutionResult reads what it holds$"):
        evouct.read_run(tmp_path)


def test_a_dict_that_was_edited_says_how_to_go_on(tmp_path: Path) -> None:
    small = {"name": "small", "game": "einstein", "decks": 1, "player": [{"name": "A", "kind": "mcts", "iterations": 2}, {"kind": "random"}]}
    league = evouct.run(small, tmp_path / "run")
    edited = {**small, "player": [{"name": "A", "kind": "mcts", "iterations": 3}, {"kind": "random"}]}
    with pytest.raises(ValueError, match=r"player A was .* and is .*; give it another name or folder \(out=…\)$"):
        evouct.run(edited, tmp_path / "run")
    more = {**small, "decks": 2}
    with pytest.raises(ValueError, match="decks was 1 and is 2; extend=True adds to it$"):
        evouct.run(more, tmp_path / "run")
    assert len(league.records()) == 2 and len(evouct.run(more, tmp_path / "run", extend=True).records()) == 4
    with pytest.raises(ValueError, match=r"holds a run, not a tuning; give it another name or folder \(out=…\)$"):
        evouct.tune({**small, "player": [{"kind": "mcts"}]}, ["k=0.1,0.2"], 1000, out=tmp_path / "run")
    with pytest.raises(ValueError, match="^budget 10 is too small"):
        evouct.tune({**small, "player": [{"kind": "mcts"}]}, ["k=0.1..3"], 10, out=tmp_path / "tuning")


def test_a_program_that_does_not_start_is_an_error(tmp_path: Path) -> None:
    broken = {"name": "Broken", "kind": "external", "command": ["sh", "-c", "read line; echo what"]}
    with pytest.raises(ValueError, match="Broken: "):
        evouct.run({**LEAGUE, "player": [broken, {"kind": "random"}]}, tmp_path / "run")


def test_damage_is_a_warning(tmp_path: Path) -> None:
    league = evouct.run(LEAGUE, tmp_path / "run")
    journal = league / "games.jsonl"
    whole, digest = journal.read_text(), league.digest
    journal.write_text(whole + "no game\n")
    with pytest.warns(UserWarning, match="games.jsonl"):
        assert evouct.run(LEAGUE, tmp_path / "run").digest == digest
