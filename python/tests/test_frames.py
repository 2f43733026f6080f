"""Leagues and their records as tables."""

import shutil
import subprocess
import sys
import warnings
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
    return evouct.run(base / "small.toml", base / "run").folder


def test_a_league_as_frames(folder: Path) -> None:
    pytest.importorskip("pyarrow")
    run = evouct.read_run(folder)
    seats = run.arrow("seats").to_pylist()
    assert len(seats) == 2 * len(run.records()) == 2 * run.arrow("games").num_rows
    assert {row["player"] for row in seats} == {"uct", "siea", "random"}
    turns = run.arrow("turns").to_pylist()
    last = {row["game"]: row for row in turns}
    for row in seats:
        record = next(game for game in run.records() if game["id"] == row["game"])
        assert row["score"] == record["scores"][row["seat"]]
        assert row["difference"] == row["score"] - record["scores"][1 - row["seat"]]
        assert last[row["game"]][f"virtual_score_{row['seat']}"] == row["score"]
    assert run.header()["name"] == "small"
    with pytest.raises(KeyError, match="formulas"):
        run.arrow("formula")


def test_a_report_adds_its_tables(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    folder = Path(shutil.copytree(folder, tmp_path / "run"))
    (folder / "turns.csv").write_text("of,the,report\n1,2,3\n")
    (folder / "ranking.csv").write_text("rank,player\n1,uct\n")
    run = evouct.read_run(folder)
    assert run.tables[:4] == ["games", "seats", "turns", "formulas"] and "ranking" in run.tables[4:]
    assert run.arrow("ranking").to_pylist() == [{"rank": 1, "player": "uct"}]
    assert "virtual_score_0" in run.arrow("turns").column_names


def test_a_run_without_formulas_has_their_columns(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    (tmp_path / "x.toml").write_text('name = "x"\ngames_per_match = 1\n[[player]]\nkind = "random"\n[[player]]\nkind = "simple1"\n')
    formulas = evouct.read_run(evouct.run(tmp_path / "x.toml", tmp_path / "run")).arrow("formulas")
    assert formulas.num_rows == 0 and "fitness" in formulas.column_names


def test_a_line_with_another_checksum_does_not_count(folder: Path, tmp_path: Path) -> None:
    lines = (folder / "games.jsonl").read_text().splitlines(keepends=True)
    changed = lines[1].replace('"scores":[', '"scores":[9')
    assert changed != lines[1]
    (tmp_path / "games.jsonl").write_text("".join([lines[0], changed, *lines[2:]]))
    run = evouct.read_run(tmp_path)
    with pytest.warns(UserWarning, match="checksum"):
        records = run.records()
    assert len(records) == len(lines) - 2
    # A second record of a game does not count, either.
    (tmp_path / "games.jsonl").write_text("".join([*lines, lines[1]]))
    with pytest.warns(UserWarning, match="recorded twice"):
        assert len(evouct.read_run(tmp_path).records()) == len(lines) - 1


def test_a_part_of_a_run_says_so(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    lines = (folder / "games.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "games.jsonl").write_text("".join(lines[:-2]))
    subprocess.run([sys.executable, "-m", "evouct", "report", tmp_path], capture_output=True)
    run = evouct.read_run(tmp_path)
    for read in (run.records, lambda: run.games):
        with pytest.warns(UserWarning, match="interim results: 2 games are missing"):
            assert len(read()) == len(lines) - 3
    assert run.digest is None and "interim" in run.headline
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert evouct.read_run(folder).digest is not None and len(evouct.read_run(folder).records()) == len(lines) - 1


def test_frames_of_pandas_and_polars_agree(folder: Path) -> None:
    for module in ("pyarrow", "pandas", "polars"):
        pytest.importorskip(module)
    run = evouct.read_run(folder)
    for name in ("games", "seats", "turns", "formulas"):
        pandas, polars = run.pandas(name), run.polars(name)
        assert list(pandas.columns) == polars.columns and len(pandas) == polars.height > 0
    assert run.seats["score"].sum() == run.polars("seats")["score"].sum()
    assert set(run.polars("formulas")["player"]) == {"siea"}


#: Names that programs take for numbers, for missing values or for formulas.
NAMES = ["NA", "null", "007", "1e5", "=x", "'=x", "-1"]


def test_names_are_texts_and_never_missing(tmp_path: Path) -> None:
    for module in ("pyarrow", "pandas", "polars"):
        pytest.importorskip(module)
    players = [{"name": name, "kind": "random"} for name in NAMES]
    run = evouct.run({"name": "names", "game": "einstein", "decks": 1, "schedule": "neighbours", "player": players}, tmp_path / "run")
    assert set(run.ranking["player"]) == set(run.polars("ranking")["player"]) == set(NAMES)
    means = run.seats.groupby("player", as_index=False)["difference"].mean()
    assert len(means.merge(run.ranking, on="player")) == len(NAMES)
    assert {row["home"] for row in run.arrow("matches").to_pylist()} <= set(NAMES)


def test_types_depend_on_columns_and_not_on_values(folder: Path, tmp_path: Path) -> None:
    for module in ("pyarrow", "pandas", "polars"):
        pytest.importorskip(module)
    empty = Path(shutil.copytree(folder, tmp_path / "run"))
    for path in empty.glob("*.csv"):
        path.write_text(path.read_text().splitlines()[0] + "\n")
    run, none = evouct.read_run(folder), evouct.read_run(empty)
    for name in run.tables[4:]:
        assert none.arrow(name).num_rows == 0 and none.arrow(name).schema == run.arrow(name).schema
        assert none.polars(name).schema == run.polars(name).schema
        assert (none.pandas(name).dtypes == run.pandas(name).dtypes).all()
    # Few decks have no interval, and a contestant may have no rank.
    types = run.ranking.dtypes.astype(str).to_dict()
    assert (types["rank"], types["score_low"]) == ("Int64", "float64")
    assert run.pandas("costs").dtypes.astype(str)["sees_deck"] == "boolean"
    # What is not a table of evouct is an error of one line.
    (empty / "ranking.csv").write_text("rank,player\nfirst,uct\n")
    with pytest.raises(ValueError, match="ranking.csv cannot be read: line 2: rank: expected a whole number, found \"first\"$"):
        evouct.read_run(empty).arrow("ranking")


def test_a_package_that_is_missing_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("pyarrow", "pandas", "polars"):
        pytest.importorskip(module)
    for module, read, needs in [
        ("polars", "polars", "frames of polars need polars: pip install polars"),
        ("pandas", "pandas", "frames of pandas need pandas: pip install pandas"),
        ("pyarrow", "arrow", "tables need pyarrow: pip install pyarrow"),
    ]:
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(ModuleNotFoundError, match=needs):
            getattr(evouct.read_run(folder), read)("ranking")


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
    journals: list[tuple[str, bytes]] = [
        ("games.jsonl", b"\xff\xfe"),
        ("games.jsonl", b'{"game": {"id": "1-x"}}\n'),
        ("games.jsonl", b"[" * 100_000 + b"\n{"),
        ("games.jsonl", b""),
        ("games.jsonl.gz", b"no gzip"),
        ("games.jsonl.zst", b"no zstd"),
    ]
    for number, (name, content) in enumerate(journals):
        run = tmp_path / str(number)
        run.mkdir()
        (run / name).write_bytes(content)
        for read in (evouct.read_run(run).records, evouct.read_run(run).header):
            with pytest.raises(ValueError) as raised:
                read()
            assert str(run) in str(raised.value) and "\n" not in str(raised.value)
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
    assert len(run.records()) == run.arrow("games").num_rows > 10 and run.header()["name"] == "semantics-text"
