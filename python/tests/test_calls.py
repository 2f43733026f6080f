"""Calls as people make them in a notebook: again, with other parameters, with more of it, watched, compared and drawn."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import evouct
from test_runs import BANK, EVOLUTION, LEAGUE

OTHERS: list[dict[str, Any]] = LEAGUE["player"][1:]  # type: ignore[index]
LONG = {**LEAGUE, "games_per_match": 4_000}


def evolution(**keys: Any) -> dict[str, Any]:
    return {**EVOLUTION, "evolve": {**EVOLUTION["evolve"], **keys}}  # type: ignore[dict-item]


def test_a_changed_call_has_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tuned = {**LEAGUE, "name": "t", "player": [{"kind": "one-ply"}, {"kind": "random"}]}
    calls = {
        "small": lambda seed: evouct.run({**LEAGUE, "seed": seed}),
        "evolved": lambda seed: evouct.evolve({**EVOLUTION, "seed": seed}),
        "evolved-scores": lambda seed: evouct.score({**EVOLUTION, "seed": seed}, ["Q"]),
        "positions": lambda seed: evouct.bank({**BANK, "seed": seed}),
        "t-tune": lambda seed: evouct.tune({**tuned, "seed": seed}, ["rating=dv,dm"], 160),
    }
    for name, call in calls.items():
        first = call(1)
        for seed, number in [(2, "-2"), (3, "-3"), (2, "-2")]:
            said = rf"^runs/{name}.*(another|was 1).*; this one is in runs/{name}{number}$"
            with pytest.warns(UserWarning, match=said):
                other = call(seed)
            assert other.folder == Path(f"runs/{name}{number}"), name
            assert other.digest is None or other.digest != first.digest
        assert call(1).folder == first.folder == Path(f"runs/{name}")

    def stop(step: evouct.Step) -> None:
        raise ZeroDivisionError

    # Before the work, which may take hours.
    with pytest.warns(UserWarning, match="this one is in runs/small-4"), pytest.raises(ZeroDivisionError):
        evouct.run({**LEAGUE, "seed": 9}, callback=stop)
    # A folder that is named is not left, and what an extension would add is no other experiment.
    with pytest.raises(ValueError, match="another experiment: seed was 1 and is 4"):
        evouct.run({**LEAGUE, "seed": 4}, "runs/small")
    with pytest.raises(ValueError, match="extend=True adds to it"):
        evouct.run({**LEAGUE, "seed": 1, "games_per_match": 5})
    assert evouct.run({**LEAGUE, "seed": 1, "games_per_match": 5}, extend=True).folder == Path("runs/small")


def test_evolutions_and_tunings_are_extended(tmp_path: Path) -> None:
    short, long = evolution(generations=2), evolution(generations=3)
    evouct.evolve(short, tmp_path / "grown")
    with pytest.raises(ValueError, match="extend=True adds to it$"):
        evouct.evolve(long, tmp_path / "grown")
    grown = evouct.evolve(long, tmp_path / "grown", extend=True)
    assert grown.digest == evouct.evolve(long, tmp_path / "whole").digest is not None
    player = {"name": "t", "player": [{"kind": "one-ply"}, {"kind": "random"}]}
    over = ["rating=dv,dm,cl"]
    evouct.tune(player, over, 160, out=tmp_path / "tuned")
    with pytest.raises(ValueError, match="budget was 160 and is 400; extend=True adds to it$"):
        evouct.tune(player, over, 400, out=tmp_path / "tuned")
    assert evouct.tune(player, over, 400, out=tmp_path / "tuned", extend=True).headline


def test_a_callback_sees_steps_and_ends_the_work(tmp_path: Path) -> None:
    steps: list[evouct.Step] = []
    whole = evouct.evolve(EVOLUTION, tmp_path / "whole", progress=False, callback=steps.append)
    assert [(step.unit, step.done, step.total) for step in steps] == [("generation", 1, 2), ("generation", 2, 2)]
    generations = (whole.folder / "generations.csv").read_text().splitlines()[1:]
    assert all(step.gain is not None and step.formula and step.formula in line for step, line in zip(steps, generations))
    # True ends it; what is there is a result without a digest, and the same call goes on.
    longer = evolution(generations=40)
    early = evouct.evolve(longer, tmp_path / "early", progress=False, callback=lambda step: step.done >= 1)
    assert early.digest is None and early.headline and 1 <= evouct.status(early)["generations_complete"] < 40  # type: ignore[call-overload]
    league = evouct.run(LONG, tmp_path / "league", threads=1, callback=lambda step: step.done >= 2)
    with pytest.warns(UserWarning, match="interim results: .* games are missing"):
        assert 2 <= len(league.records()) < 24_000 and league.digest is None and league.headline
    small = evouct.evolve(EVOLUTION, tmp_path / "small", callback=lambda step: True)
    assert evouct.evolve(EVOLUTION, tmp_path / "small").digest == whole.digest and small.folder == tmp_path / "small"
    stages: list[str] = []
    player = {"name": "t", "player": [{"kind": "one-ply"}, {"kind": "random"}]}
    evouct.tune(player, ["rating=dv,dm,cl"], 160, out=tmp_path / "t", callback=lambda step: stages.append(step.text))
    assert [stage for stage in stages if stage][0] == "round-1"
    with pytest.raises(RuntimeError, match="interrupted"):
        evouct.tune({**player, "seed": 2}, ["rating=dv,dm,cl"], 100_000, out=tmp_path / "u", callback=lambda step: True)

    def stop(step: evouct.Step) -> None:
        raise ZeroDivisionError(step.unit)

    with pytest.raises(ZeroDivisionError, match="game"):
        evouct.run(LONG, tmp_path / "league", callback=stop)


def test_runs_are_compared_and_counted(tmp_path: Path) -> None:
    first, second = (
        evouct.run({**LEAGUE, "games_per_match": 20, "player": [{"name": "UCT", "kind": "mcts", "iterations": k}, *OTHERS]}, tmp_path / name)
        for name, k in (("first", 20), ("second", 60))
    )
    compared = evouct.compare(first, second)
    assert compared["runs"][0]["decks"] == "same" and len(compared.rows) == 6
    of_first, of_second = [row for row in compared.rows if row["player"] == "UCT"]
    change = compared["runs"][0]["players"][[row["player"] for row in compared.rows][::2].index("UCT")]["change"]
    assert (of_first["change"], of_first["p"]) == (None, None) and of_second["change"].startswith(f"{change['difference']:+.2f} (")
    assert 0 <= change["p"] <= of_second["p"] <= 1 and "<table>" in compared._repr_html_() and "UCT" in compared._repr_html_()
    # Two runs of one name have those of their folders.
    assert {row["run"] for row in compared.rows} == {str(first.folder), str(second.folder)}
    others = evouct.run({**LEAGUE, "name": "other", "games_per_match": 4}, tmp_path / "third")
    assert {row["run"] for row in evouct.compare(first, others).rows} == {"small", "other"}
    needed = evouct.power(first, difference=5)
    assert needed.rows == needed["pairs"] and len(needed.rows) == 3 and needed["difference"] == 5
    assert len(evouct.power(LEAGUE, difference=50, pilot=0.1, threads=1).rows) == 3
    # The first pairs do not vary.
    equal = {"name": "equal", "game": "connect-four", "decks": 6}
    players = [{"name": "A", "kind": "mcts", "iterations": 600}, {"name": "B", "kind": "random"}, {"name": "C", "kind": "mcts", "iterations": 4}]
    rows = (few := evouct.power(evouct.run({**equal, "player": players}, tmp_path / "equal"), difference=0.1)).rows
    assert rows[0]["deviation"] == 0 and rows[0]["for_difference"] is None and rows[2]["for_difference"] > 0
    assert few._repr_html_().count("<th ") == 6 and few._repr_html_().count("<td ") == 18 and "for_difference</th>" in few._repr_html_()
    state = evouct.status(first)
    assert isinstance(state, evouct.Answer) and (state["recorded"], state["missing"]) == (120, 0)
    with pytest.raises(ValueError, match="none: cannot read the run folder: No such file"):
        evouct.status(tmp_path / "none")
    with pytest.raises(ValueError, match="expected"):
        evouct.power(first, difference=-1)


def test_an_object_reads_no_later_results(tmp_path: Path) -> None:
    league = evouct.run({**LEAGUE, "games_per_match": 2}, tmp_path / "league")
    assert len(league.records()) == 12 and league.digest is not None
    longer = evouct.run({**LEAGUE, "games_per_match": 3}, tmp_path / "league", extend=True)
    said = r"league has changed since this League was made; evouct.League\('.*league'\) reads it again$"
    # What it has read stays.
    assert len(league.records()) == 12 and len(longer.records()) == len(evouct.League(league).records()) == 18
    for read in (lambda: league.digest, lambda: league.games, lambda: league.ranking, league.figures, league.header, league._repr_html_, league.plot):
        with pytest.raises(RuntimeError, match=said):
            read()
    first = evouct.score(EVOLUTION, ["Q", "Q + 1/n"], out=tmp_path / "scores")
    gains, digest = first.gains, first.digest
    second = evouct.score(EVOLUTION, ["Q"], out=tmp_path / "scores")
    assert (first.gains, first.digest) == (gains, digest) and len(second.gains) == 1 and len(second.ranking) > 0
    with pytest.raises(RuntimeError, match="scores has changed since this Scores was made"):
        first.ranking
    short = evouct.evolve(EVOLUTION, tmp_path / "e")
    evouct.evolve(evolution(generations=3), tmp_path / "e", extend=True)
    with pytest.raises(RuntimeError, match="e has changed since this EvolutionResult was made"):
        short.champion


def test_an_extension_finds_the_folder_of_its_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    evouct.run({**LEAGUE, "seed": 1})
    evouct.evolve({**EVOLUTION, "seed": 1})
    with pytest.warns(UserWarning, match="-2$"):
        evouct.run({**LEAGUE, "seed": 2})
        evouct.evolve({**EVOLUTION, "seed": 2})
    with pytest.warns(UserWarning, match="this one is in runs/small-2$"):
        assert evouct.run({**LEAGUE, "seed": 2, "games_per_match": 4}, extend=True).folder == Path("runs/small-2")
    with pytest.warns(UserWarning, match="this one is in runs/evolved-2$"):
        assert evouct.evolve({**evolution(generations=3), "seed": 2}, extend=True).folder == Path("runs/evolved-2")
    # There is nothing to extend.
    with pytest.raises(ValueError, match="seed was 1 and is 3"):
        evouct.run({**LEAGUE, "seed": 3}, extend=True)


def test_failed_games_are_played_again(tmp_path: Path) -> None:
    broken = [True]

    def halved(a: float) -> float:
        if broken[0]:
            raise ZeroDivisionError
        return a / 2

    players = [{"name": "F", "kind": "formula", "iterations": 6, "formula": "Q + halved(n)"}, {"kind": "random"}]
    file = {"name": "failing", "game": "einstein", "decks": 2, "player": players}
    given: dict[str, Any] = {"functions": {"halved": halved}}
    with pytest.warns(UserWarning, match="failed: the function halved.* raised ZeroDivisionError"):
        evouct.run(file, tmp_path / "run", **given)
    tune = lambda **more: evouct.tune(file, ["formula=Q+halved(n),Q+2*halved(n)"], 160, out=tmp_path / "tune", threads=1, **given, **more)  # noqa: E731

    # Games of the last stage, on whose results no other stage rests.
    def at_the_end(step: evouct.Step) -> None:
        broken[0] = broken[0] or step.text.startswith("held-out")

    broken[0] = False
    with pytest.warns(UserWarning, match="held-out.*failed: the function halved.* raised ZeroDivisionError"):
        tune(callback=at_the_end)
    assert evouct.status(tmp_path / "run")["failed"] == 4 and evouct.status(tmp_path / "tune")["failed"] > 0  # type: ignore[call-overload]
    broken[0] = False
    # Only on request.
    with pytest.warns(UserWarning, match="failed: the function halved"):
        evouct.run(file, tmp_path / "run", **given)
    assert evouct.run(file, tmp_path / "run", **given, retry_failed=True).digest == evouct.run(file, tmp_path / "whole", **given).digest
    assert tune(retry_failed=True).headline
    assert evouct.status(tmp_path / "run")["failed"] == evouct.status(tmp_path / "tune")["failed"] == 0  # type: ignore[call-overload]


def test_errors_are_in_words_of_python(tmp_path: Path) -> None:
    league = evouct.run({**LEAGUE, "games_per_match": 2}, tmp_path / "league")
    for call, words in (
        (lambda: evouct.power(league, difference=-1), "^invalid value '-1' for 'difference': expected a number from 0.000001 to 1000000$"),
        (lambda: evouct.power(league, difference=1, power=2), "power"),
        (lambda: evouct.power(league, difference=1, pilot=3), "pilot"),
        (lambda: evouct.compare(league, league, level=1.0), "^level is for evolutions of several seeds$"),
        (lambda: evouct.run(EVOLUTION), r"^dict: this file describes an evolution; evouct\.evolve reads it$"),
        (lambda: evouct.evolve({**EVOLUTION, "stage": [{"measure": "replay", "positions": 5}]}), r"\(evouct\.bank makes them\)"),
    ):
        with pytest.raises(ValueError, match=words) as raised:
            call()
        assert "--" not in str(raised.value) and "`evouct" not in str(raised.value), raised.value


def test_charts_are_svg_or_on_axes(tmp_path: Path) -> None:
    league = evouct.run({**LEAGUE, "games_per_match": 8}, tmp_path / "league")
    evolved = evouct.evolve(EVOLUTION, tmp_path / "evolved")
    search = {"name": "t", "game": "einstein", "player": [{"kind": "mcts", "iterations": 4}, {"kind": "random"}]}
    tuned = evouct.tune(search, "k=0.1,0.5,1", 300, out=tmp_path / "t")
    assert league.plot()._repr_svg_() == league.figures()["ratings"] and evolved.plot().svg == evolved.figures()["fitness"]
    evolved.plot("front").save(tmp_path / "front.svg")
    with pytest.raises(ValueError, match="front.png: pictures are SVG"):
        evolved.plot("front").save(tmp_path / "front.png")
    with pytest.raises(TypeError, match="^formulas: expected a list of formulas, found one str$"):
        evouct.score({}, "Q")
    assert (tmp_path / "front.svg").read_text() == evolved.figures()["front"] and tuned.plot().svg == tuned.figures()["rounds"]
    with pytest.raises(KeyError, match="there is no chart 'frnot'; known: "):
        evolved.plot("frnot")
    # Each of the four islands is in the legend.
    four = evouct.evolve(evolution(islands=4, population=4, generations=1, elite=1), tmp_path / "four")
    legend = [each.text or "" for each in ElementTree.fromstring(four.plot().svg).iter("{http://www.w3.org/2000/svg}text")]
    assert {"1", "2", "3", "4"} <= {part for text in legend if "island" in text for part in text.replace(",", " ").split()}
    formula = evouct.Formula("Q + 2*sqrt(ln(N)/n) + 0.123456789")
    drawn = ElementTree.fromstring(formula.plot().svg)
    texts = [each.text for each in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["+", "+", "Q", "*", "2", "sqrt", "/", "ln", "N", "n", "0.1235"]
    evouct.Formula("+".join(["Q"] * 2_000)).plot()


def test_charts_on_axes_of_matplotlib(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib").use("svg")
    from matplotlib.figure import Figure

    league = evouct.run({**LEAGUE, "games_per_match": 8}, tmp_path / "league")
    evolved = evouct.evolve(EVOLUTION, tmp_path / "evolved")

    def axes() -> Any:
        return Figure().subplots()

    ranked = league.plot(axes=axes())
    assert [label.get_text() for label in ranked.get_yticklabels()] == list(league.ranking["player"]) and ranked.get_xlabel() == "elo"
    assert " – " in league.plot("differences", axes()).get_yticklabels()[0].get_text()
    assert [text.get_text() for text in evolved.plot(axes=axes()).get_legend().get_texts()] == ["best", "median"]
    for name in ("front", "terminals", "shape"):
        assert evolved.plot(name, axes()).lines
    # A deck alone has no intervals.
    alone = evouct.run({**LEAGUE, "games_per_match": 1}, tmp_path / "alone")
    alone_rows = (alone.folder / "figures/ratings.csv").read_text().splitlines()
    drawn = alone.plot(axes=axes())
    assert len(drawn.get_yticklabels()) == len(alone_rows) - 1 == 3 and len(drawn.lines[0].get_xdata()) == 3, alone_rows
    with pytest.raises(ValueError, match="^matches cannot be drawn on axes; without them it is a picture$"):
        league.plot("matches", axes())
    assert len(evouct.Formula("Q + 1/n").plot(axes()).texts) == 5
