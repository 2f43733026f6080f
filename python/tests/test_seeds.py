"""Evolutions of several random seeds: those of the program in its folder, made and read as one evolution is."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import evouct
from test_calls import evolution
from test_runs import EVOLUTION, files, program, toml


def test_seeds_are_those_of_the_program(tmp_path: Path) -> None:
    file = toml(tmp_path / "evolved.toml", EVOLUTION)
    program("evolve", file, "--seeds", "1..3", "--out", tmp_path / "theirs")
    steps: list[evouct.Step] = []
    ours = evouct.evolve(EVOLUTION, tmp_path / "ours", progress=False, callback=steps.append, seeds=range(1, 4))
    assert isinstance(ours, evouct.EvolutionSet) and ours.digest is not None
    assert program("digest", tmp_path / "theirs").startswith(ours.digest) and files(ours.folder) == files(tmp_path / "theirs")
    assert [(step.unit, step.done, step.total) for step in steps] == [("generation", done, 6) for done in range(1, 7)]
    assert [step.text.split(": ")[0] for step in steps] == [f"seed {seed}" for seed in (1, 1, 2, 2, 3, 3)] and steps[5].formula
    report = ours.report
    assert list(ours.gains) == [1, 2, 3] and ours.headline == " ".join(report["headline"])
    for seed, gain in ours.gains.items():
        assert any((row["seed"], row["place"], row["gain"]) == (seed, 1, gain) for row in report["finalists"])
        assert ours[seed].digest is not None
    # Each goes on as the other, and the same call again measures nothing.
    program("evolve", file, "--seeds", "1..3", "--out", ours)
    for seeds in ("1..3", [3, 1, 2], (seed for seed in (1, 2, 3))):
        assert evouct.evolve(file, tmp_path / "theirs", seeds=seeds).digest == ours.digest
    with ThreadPoolExecutor(2) as executor:
        assert evouct.evolve(EVOLUTION, tmp_path / "pool", seeds="1,2,3", executor=executor).digest == ours.digest


def test_a_champion_is_chosen_over_seeds(tmp_path: Path) -> None:
    # Nothing but the second formula wins.
    race = {
        "name": "r",
        "game": "einstein",
        "player": [{"kind": "formula", "iterations": 8}],
        "opponent": [{"kind": "random"}],
        "stage": [{"measure": "games", "decks": 2}, {"measure": "games", "decks": 60}],
    }
    evolve = {"seeds": ["-1*Q", "select = Q; untried = race"], "terminals": ["Q", "n"], "generations": 1, "population": 3}
    found = evouct.evolve({**race, "evolve": {**evolve, "islands": 1, "elite": 1, "finalists": 2}}, tmp_path / "r", seeds=[1, 2])
    champion = found.report["finalists"][found.report["champion"]]
    assert found.champion is not None and champion["place"] == 1
    text = "; ".join(f"{name} = {formula}" for name, formula in found.champion.items())
    assert champion["formula"] == (text if len(found.champion) > 1 else text.removeprefix("select = "))


def test_a_set_is_extended_stopped_and_refused_as_one_evolution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    short, long = evolution(generations=1), evolution(generations=2)
    first = evouct.evolve(short, seeds=[1, 2])
    assert first.folder == Path("runs/evolved-seeds")
    with pytest.raises(ValueError, match="their seeds are 1..2, now 1..3; extend=True adds to it$"):
        evouct.evolve(short, seeds=range(1, 4))
    with pytest.raises(ValueError, match="extend=True adds to it$"):
        evouct.evolve(long, seeds=[1, 2])
    grown = evouct.evolve(long, seeds=range(1, 4), extend=True)
    assert grown.folder == first.folder and grown.digest == evouct.evolve(long, "whole", seeds=range(1, 4)).digest is not None
    for changed, seeds, number in [(evolution(elite=1), [1, 2], 2), (short, [2, 5], 3)]:
        with pytest.warns(UserWarning, match=f"holds (another|other) evolution.*; this one is in runs/evolved-seeds-{number}$"):
            assert evouct.evolve(changed, seeds=seeds).folder == Path(f"runs/evolved-seeds-{number}")
    # Who has enough in the second seed has a result of what is there, and the same call goes on.
    early = evouct.evolve(long, "early", progress=False, callback=lambda step: step.done >= 3, seeds=[1, 2, 3])
    assert early.digest is None and list(early.gains) == [1] and "1 of 3 seeds complete" in early.headline
    assert evouct.status(early)["complete"] is False  # type: ignore[call-overload]
    assert evouct.evolve(long, "early", seeds=[1, 2, 3]).digest == grown.digest
    refused: list[tuple[Any, type[Exception], str]] = [
        ("3..1", ValueError, "^seeds: 3..1 goes down; write 1..3$"),
        ([1, 1], ValueError, "^seeds: the seed 1 stands twice$"),
        ([], ValueError, "^seeds: expected seeds such as"),
        ([-1], ValueError, "^seeds: expected seeds such as 1..10 or 1,2,5, found \"-1\"$"),
        (range(10**9), ValueError, "^seeds: expected at most 1000 seeds"),
        ([1.5], TypeError, "^seeds: expected whole numbers, or a text such as '1..10', found .1.5.$"),
        (3, TypeError, "^seeds: expected whole numbers, or a text such as '1..10', found 3$"),
    ]
    for seeds, error, words in refused:
        with pytest.raises(error, match=words):
            evouct.evolve(short, "refused", seeds=seeds)
    assert not Path("refused").exists()
    with pytest.raises(FileNotFoundError, match="evouct.EvolutionSet reads what it holds$"):
        evouct.EvolutionResult(grown)


def test_sets_are_compared_counted_and_drawn(tmp_path: Path) -> None:
    one, other = (evouct.evolve(evolution(generations=n), tmp_path / str(n), seeds="1..2") for n in (1, 2))
    compared = evouct.compare(one, other, level=-99)
    (row,) = compared.rows
    assert row["folder"] == str(tmp_path / "2") and row["shift"].startswith(f"{compared['sets'][0]['test']['shift']:+.2f}")
    assert 0 <= row["p"] <= 1 and 0 <= row["a12"] <= 1 and compared["sets"][0]["succeeded"] == [[2, 2], [2, 2]]
    assert "<table>" in compared._repr_html_()
    state = evouct.status(other)
    assert isinstance(state, evouct.Answer) and state["seeds"] == [1, 2] and len(state.rows) == 2 and state["complete"]
    assert other.plot()._repr_svg_() == other.figures()["gain"] and other.plot("seeds").svg.startswith("<svg")
    assert "data:image/svg" in other._repr_html_()
    pytest.importorskip("matplotlib").use("svg")
    from matplotlib.figure import Figure

    median = other.plot(axes=Figure().subplots())
    curve = median.containers[0].lines[0]
    assert list(curve.get_xdata()) == [1, 2] and curve.get_linestyle() == "-"
    assert list(curve.get_ydata()) == [row["best"]["median"] for row in other.report["curve"]]
    assert list(other.plot("seeds", Figure().subplots()).containers[0].lines[0].get_xdata()) == [1, 2]
    pytest.importorskip("pandas")
    assert set(other.ranking["seed"]) == {1, 2} and other.pandas("seeds")["complete"].all()
