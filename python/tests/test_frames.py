"""Leagues and their records as tables."""

from pathlib import Path

import pytest

import evouct

EXPERIMENT = """
name = "small"
seed = 5
games_per_match = 2

[[player]]
name = "uct"
kind = "mcts"
iterations = 5

[[player]]
name = "siea"
kind = "siea-mcts"
iterations = 12
generations = 1
lambda = 2

[[player]]
name = "random"
kind = "random"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("league")
    (base / "small.toml").write_text(EXPERIMENT)
    return evouct.run(base / "small.toml", base / "run")


def test_a_league_as_frames(folder: Path) -> None:
    pytest.importorskip("pyarrow")
    run = evouct.read_run(folder)
    games = run.arrow("games").to_pylist()
    assert len(games) == 2 * len(run.records()) and {row["player"] for row in games} == {"uct", "siea", "random"}
    for row in games:
        record = next(game for game in run.records() if game["id"] == row["game"])
        assert row["score"] == record["scores"][row["seat"]]
        assert row["margin"] == row["score"] - record["scores"][1 - row["seat"]]
    turns = run.arrow("turns").to_pylist()
    last = {(row["game"], row["seat"]): row["virtual"] for row in turns}
    assert all(last[row["game"], row["seat"]] == row["score"] for row in games)
    assert run.header()["name"] == "small"
    with pytest.raises(KeyError, match="formulas"):
        run.arrow("formula")


def test_frames_of_pandas_and_polars_agree(folder: Path) -> None:
    for module in ("pyarrow", "pandas", "polars"):
        pytest.importorskip(module)
    run = evouct.read_run(folder)
    for name in ("games", "turns", "formulas"):
        pandas, polars = run.pandas(name), run.polars(name)
        assert list(pandas.columns) == polars.columns and len(pandas) == polars.height > 0
    assert run.games["score"].sum() == run.polars("games")["score"].sum()
    assert set(run.polars("formulas")["player"]) == {"siea"}


def test_a_second_run_plays_nothing(folder: Path) -> None:
    before = (folder / "games.jsonl").read_bytes()
    evouct.run(folder.parent / "small.toml", folder)
    assert (folder / "games.jsonl").read_bytes() == before
    with pytest.raises(FileNotFoundError):
        evouct.read_run(folder / "none")


def test_errors_name_the_file(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="is a file, expected a run folder"):
        evouct.read_run(folder / "games.jsonl")
    with pytest.raises(FileNotFoundError, match="is no run folder: it has no journal games.jsonl"):
        evouct.read_run(tmp_path)
    journals: list[tuple[str, bytes, str]] = [
        ("games.jsonl", b"\xff\xfe", "games.jsonl cannot be read: 'utf-8' codec"),
        ("games.jsonl", b'{"game": {"id": "1-x"}}\n', "a line of a journal is no game of evouct: {'id': '1-x'}"),
        ("games.jsonl", b'{"game": 7}\n', "is no game of evouct: 7"),
        ("games.jsonl.gz", b"no gzip", "games.jsonl.gz cannot be read: Not a gzipped file"),
        ("games.jsonl.zst", b"no zstd", "games.jsonl.zst cannot be read"),
    ]
    for number, (name, content, problem) in enumerate(journals):
        if name.endswith(".zst"):
            pytest.importorskip("pyarrow")
        run = tmp_path / str(number)
        run.mkdir()
        (run / name).write_bytes(content)
        with pytest.raises(ValueError, match=problem) as raised:
            evouct.read_run(run).records()
        assert str(run) in str(raised.value) and "\n" not in str(raised.value)
    with pytest.raises(ValueError, match="has no journal with a header"):
        (tmp_path / "1" / "games.jsonl").write_text("[" * 100_000 + "\n{")
        evouct.read_run(tmp_path / "1").header()
    pytest.importorskip("pyarrow")
    (tmp_path / "1" / "ranking.csv").write_bytes(b"a,b\n1\n")
    with pytest.raises(ValueError, match="ranking.csv cannot be read"):
        evouct.read_run(tmp_path / "1").arrow("ranking")


def test_a_kept_result_is_read() -> None:
    pytest.importorskip("pyarrow")
    kept = Path(__file__).parents[2] / "experiments/siea-2022/results/semantics-text"
    if not (kept / "games.jsonl.zst").is_file():
        pytest.skip("the repository is not here")
    run = evouct.read_run(kept)
    assert len(run.records()) > 10 and run.header()["name"] == "semantics-text"
