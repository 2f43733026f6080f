"""Functions, operators and fitness of Python in an evolution: recorded, resumed, refused elsewhere, and what they do wrong."""

import functools
import inspect
import json
import math
import random
import subprocess
import sys
import textwrap
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable

import pytest

import evouct
from test_runs import BANK, EVOLUTION, PROGRAM, toml

#: Nothing but the operators named here varies formulas.
NONE = {"crossover": 0.0, "subtree": 0.0, "point": 0.0, "hoist": 0.0, "constant": 0.0, "toggle": 0.0}
EVOLVE: dict[str, Any] = {**EVOLUTION["evolve"], "constant_offspring": 0}  # type: ignore[dict-item]


def evolution(**keys: Any) -> dict[str, Any]:
    return {**EVOLUTION, "evolve": {**EVOLVE, **keys}}


def squeeze(a: float) -> float:
    return a / (1 + abs(a))


def larger(a: float, b: float) -> float:
    return a if a > b else b


def scaled(formula: str, random: random.Random) -> str:
    return f"{random.randint(2, 9)} * ({formula})"


def added(formula: str, other: str, random: random.Random) -> evouct.Formula:
    return evouct.Formula(f"({formula}) + {other}")


def short(formula: evouct.Formula) -> float:
    return -abs(formula.nodes - 5.0)


ALL: dict[str, Any] = {"functions": {"squeeze": squeeze, "larger": larger}, "operators": {"scaled": scaled, "added": added}}


def formulas(result: evouct.EvolutionResult) -> str:
    return (result / "lineage.csv").read_text()


def test_functions_compute_what_those_of_evouct_do(tmp_path: Path) -> None:
    # The same course as with the logarithm of evouct under another name, on any number of threads.
    def own(a: float) -> float:
        return math.sqrt(abs(a))

    seeds = ["Q", "Q + sqrt(n)"]
    theirs = evouct.evolve(evolution(seeds=seeds, functions=["add", "mul", "sqrt"]), tmp_path / "theirs")
    for threads in (1, 3):
        ours = evouct.evolve(
            evolution(seeds=["Q", "Q + own(n)"], functions=["add", "mul"]), tmp_path / f"{threads}", threads=threads, functions={"own": own}
        )
        assert formulas(ours).replace("own(", "sqrt(") == formulas(theirs) and "own(" in formulas(ours)
    assert evouct.Formula("own(Q) + 1")(Q=[4, -9]).tolist() == [3, 4]


def test_a_folder_with_callables_goes_on_with_them_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = evolution()
    whole = evouct.evolve(file, "whole", **ALL)
    digest, measurements = whole.digest, whole.report["measurements"]
    assert "squeeze(" in formulas(whole) and "added" in formulas(whole) and digest is not None
    # Half of the journal is gone.
    journal = whole.folder / "evolution.jsonl"
    lines = journal.read_text().splitlines(keepends=True)
    header = json.loads(lines[0])
    assert "def squeeze(a: float)" in json.dumps(header) and "[python.functions.squeeze]" in json.dumps(header)
    journal.write_text("".join(lines[: len(lines) // 2]))
    assert evouct.evolve(file, "whole", threads=2, **ALL).digest == digest
    sets = evouct.evolve(toml(tmp_path / "evolved.toml", file), "sets", seeds=[3, 4], **ALL)
    assert isinstance(sets, evouct.EvolutionSet) and sets[3].digest == digest
    # Longer, and another source of the same name.
    longer = evolution(generations=3)
    assert evouct.evolve(longer, "whole", extend=True, **ALL).digest == evouct.evolve(longer, "longer", **ALL).digest
    first = evouct.evolve(file, operators={"half": lambda formula, _: f"{formula} / 2"})
    with pytest.warns(UserWarning, match="half of Python had another source; this one is in runs/evolved-2$"):
        other = evouct.evolve(file, operators={"half": lambda formula, _: f"{formula} / 3"})
    assert first.folder != other.folder
    assert evouct.evolve(file, operators={"half": lambda formula, _: f"{formula} / 2"}).digest == first.digest
    # Formulas that were read go on with their function, and files with that of their name.
    kept = evouct.Formula("squeeze(Q)")
    evouct.evolve(file, "third", functions={"squeeze": lambda a: a / 3})
    assert kept(Q=1.0) == 0.5 and evouct.Formula("squeeze(Q)")(Q=1.5) == 0.5
    assert evouct.evolve(longer, "longer", **ALL).digest is not None and evouct.Formula("squeeze(Q)")(Q=1.0) == 0.5
    # The program refuses it, in a line, and counts what is recorded.
    for command in (["report", "whole"], ["verify", "sets"]):
        done = subprocess.run([PROGRAM, *command], capture_output=True, text=True)
        said = done.stderr.strip()
        needs = 'it needs added, larger, scaled, squeeze of Python: call it in Python with functions={"larger": larger, "squeeze": squeeze}, operators={"added": added, "scaled": scaled}'
        assert done.returncode == 2 and needs in said and len(said.splitlines()) == 1, said
    state = evouct.status("whole")
    assert isinstance(state, evouct.Answer) and state["recorded"] > measurements and state["missing"] is None


def test_operators_draw_from_the_seed_they_are_given(tmp_path: Path) -> None:
    made: dict[str, list[str]] = {"a": [], "b": [], "c": []}

    def kept(formula: str, random: random.Random) -> str:
        made[name].append(scaled(formula, random))
        return made[name][-1]

    file = evolution(**NONE, kept=0.9, population=12, elite=2)
    digests = []
    for name, seed in (("a", 3), ("b", 3), ("c", 8)):
        digests.append(evouct.evolve({**file, "seed": seed}, tmp_path / name, operators={"kept": kept}).digest)
    assert digests[0] == digests[1] != digests[2] and made["a"] == made["b"] != made["c"] and len({*made["a"]}) > 4
    parents: list[tuple[str, str]] = []

    def seen(formula: str, other: str, random: random.Random) -> str:
        parents.append((formula, other))
        return f"{formula} + {random.random():.3g}"

    evouct.evolve(evolution(**NONE, population=12, elite=2), tmp_path / "d", operators={"seen": seen})
    assert {"Q", "Q + 1 / n"} <= {formula for pair in parents for formula in pair} and any(a != b for a, b in parents)

    # What it draws elsewhere is no function of its arguments.
    def elsewhere(formula: str, _: random.Random) -> str:
        return f"{formula} + {random.random():.9g} * n"

    with pytest.raises(RuntimeError, match="or an operator is not a function of its arguments$"):
        evouct.evolve(evolution(**NONE, population=12, elite=2), tmp_path / "e", operators={"elsewhere": elsewhere})


def test_fitness_measures_in_place_of_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    asked: list[evouct.Formula] = []
    steps: list[evouct.Step] = []

    def short(formula: evouct.Formula) -> float:
        asked.append(formula)
        return -abs(formula.nodes - 7.0)

    long = evolution(generations=5, population=30)
    found = evouct.evolve(long, fitness=short, progress=False, callback=steps.append)
    assert found.champion is not None and found.champion["select"].nodes == 7
    assert [step.done for step in steps] == [1, 2, 3, 4, 5] and steps[-1].gain == 6 and steps[-1].formula is not None
    assert found.measured_by is not None and found.measured_by.startswith("short-")
    count = len(asked)
    assert evouct.evolve(long, fitness=short).digest == found.digest and len(asked) == count
    with pytest.warns(UserWarning, match=rf"measured by {found.measured_by}, not by lambda-.*; this one is in runs/evolved-2$"):
        evouct.evolve(long, fitness=lambda formula: abs(formula.nodes - 7.0))
    done = subprocess.run([PROGRAM, "evolve", toml(tmp_path / "e.toml", long), "--out", found.folder], capture_output=True, text=True)
    assert done.returncode == 2 and f"its values were measured by {found.measured_by}, not by evouct" in done.stderr
    # With the others, over seeds, and by purpose.
    given: list[Any] = []
    trees = evolution(trees=["final"])
    all = evouct.evolve(trees, seeds="1..2", fitness=lambda formulas: float(len(given.append(formulas) or formulas)), **ALL)
    assert all.digest is not None and {frozenset(each) for each in given} == {frozenset(["select"]), frozenset(["select", "final"])}
    steady = evolution(algorithm="steady-state", lag=4)
    assert evouct.evolve(steady, "steady", fitness=short).digest is not None
    with pytest.raises(ValueError, match="^fitness: it gives one number"):
        games = [{"game": game} for game in ("einstein", "breakthrough")]
        evouct.evolve({**evolution(game=games), "stage": [{"measure": "games", "decks": 2}]}, "games", fitness=short)


def fails(_: object) -> float:
    raise ZeroDivisionError("no luck")


WRONG: list[tuple[dict[str, Callable[..., Any]], str]] = [
    ({"functions": fails}, r"^the function wrong\d\(.*\) raised ZeroDivisionError: no luck \(test_callables.py, line \d+\)$"),
    ({"functions": lambda a: math.nan}, r"^the function wrong\d\(.*\) gave nan, expected a number$"),
    ({"functions": lambda a: "x"}, r"^the function wrong\d\(.*\) gave 'x', expected a number$"),
    ({"operators": lambda formula, random: fails(0)}, r"^the operator wrong\d raised ZeroDivisionError: no luck \(test_callables.py, line \d+\)$"),
    ({"operators": lambda formula, random: 3}, r"^the operator wrong\d gave 3, expected the text of a formula$"),
    ({"operators": lambda formula, random: "Q +"}, r'^the operator wrong\d gave "Q \+": column 4: '),
    ({"operators": lambda formula, random: "race"}, r'^the operator wrong\d gave "race": column 1: expected a terminal or a function'),
    ({"fitness": fails}, r"^the fitness of .* raised ZeroDivisionError: no luck \(test_callables.py, line \d+\)$"),
    ({"fitness": lambda formula: math.nan}, "^the fitness of .* is NaN, expected a finite number$"),
    ({"fitness": lambda formula: None}, "^the fitness of .* gave None, expected a number$"),
]


@pytest.mark.parametrize("place", range(len(WRONG)))
def test_what_a_callable_does_wrong_ends_the_call_in_a_line(place: int, tmp_path: Path) -> None:
    (given, words), broken, calls = WRONG[place], [False], [0]
    ((kind, wrong),) = given.items()

    # It goes wrong once there is a journal, and a fitness once something is in it.
    def later(*arguments: Any) -> Any:
        calls[0] += 1
        is_wrong = broken[0] and calls[0] > (6 if kind == "fitness" else 0) and (tmp_path / "run/evolution.jsonl").exists()
        return wrong(*arguments) if is_wrong else 0.5 if kind != "operators" else f"{arguments[0]} + 1"

    def one(a: Any) -> Any:
        return later(a)

    def varied(formula: str, random: random.Random) -> Any:
        return later(formula, random)

    call: dict[str, Any] = {"fitness": one} if kind == "fitness" else {kind: {f"wrong{place}": one if kind == "functions" else varied}}
    seeds = ["Q", f"Q + wrong{place}(n)"] if kind == "functions" else ["Q", "Q + 1/n"]
    file = evolution(seeds=seeds, generations=3, **(NONE | {"subtree": 0.5}))
    whole = evouct.evolve(file, tmp_path / "whole", **call)
    broken[0], calls[0] = True, 0
    with pytest.raises(RuntimeError, match=words) as raised:
        evouct.evolve(file, tmp_path / "run", **call)
    assert "\n" not in str(raised.value) and isinstance(raised.value.__cause__, ZeroDivisionError) == ("ZeroDivisionError" in words)
    broken[0] = False
    assert kind != "fitness" or evouct.status(tmp_path / "run")["recorded"] >= 5  # type: ignore[call-overload]
    assert evouct.evolve(file, tmp_path / "run", **call).digest == whole.digest


def test_what_is_no_callable_is_refused_before_the_work(tmp_path: Path) -> None:
    refused: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"functions": {"x": 3}}, TypeError, "^function x: expected what can be called, found int$"),
        ({"fitness": "short"}, TypeError, "^fitness: expected what can be called, found str$"),
        ({"functions": {"x": lambda: 0}}, ValueError, "^function x: expected 1 or 2 numbers as arguments, found 0$"),
        ({"operators": {"x": lambda formula: formula}}, ValueError, "^operator x: expected 1 or 2 formulas and a random.Random as arguments, found 1$"),
        ({"functions": {"x": max}}, ValueError, "^function x: it does not say how many arguments it takes; `lambda a, b: …` does$"),
        ({"functions": {"a b": abs}}, ValueError, "^functions: expected names of a letter, then letters, digits and _, found 'a b'$"),
        ({"functions": {"sqrt": abs}}, ValueError, '"sqrt" is taken: give the function another name$'),
        ({"operators": {"point": scaled}}, ValueError, r'^\[evolve\] has a key "point" already: give yours another name$'),
        ({"operators": {"scaled": added}}, ValueError, "^scaled took 1 formulas before, now 2: give it another name$"),
        ({"fitness": short, "executor": ThreadPoolExecutor(1)}, ValueError, "^executor: its workers have no functions"),
    ]
    evouct.evolve(EVOLUTION, tmp_path / "scaled", operators={"scaled": scaled})
    for more, error, words in refused:
        with pytest.raises(error, match=words):
            evouct.evolve(EVOLUTION, tmp_path / "run", **more)
    assert not (tmp_path / "run").exists()

    def within(formula: evouct.Formula) -> float:
        return float(evouct.evolve(EVOLUTION, tmp_path / "within", fitness=short).digest is not None)

    with pytest.raises(RuntimeError, match="another call has callables; begin this one at its end"):
        evouct.evolve(EVOLUTION, tmp_path / "outer", fitness=within)


#: Runs a script in a process that has no function yet.
def fresh(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=folder)


def test_a_league_names_the_functions_of_its_formulas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def near(a: float, b: float) -> float:
        return a / (1 + abs(b))

    players = [{"name": "F", "kind": "formula", "iterations": 8, "formula": "Q + near(1, n)"}, {"kind": "random"}]
    file: dict[str, Any] = {"name": "near", "game": "einstein", "decks": 4, "player": players}
    league = evouct.run(file, functions={"near": near, "larger": larger}, threads=2)
    header = league.header()
    assert list(header["experiment"]["python_functions"]) == ["near"] and "def near(a: float, b: float)" in header["toml"]
    # It is known for the process; what formulas do not have is not recorded; another source is another league.
    assert evouct.run(file).folder == league.folder
    with pytest.warns(UserWarning, match="near of Python had another source; this one is in runs/near-2$"):
        other = evouct.run(file, functions={"near": lambda a, b: a / (2 + abs(b))})
    assert other.folder != league.folder
    # In another process it is looked at without the function, and played with it.
    for command, said in (["status", "8 of 8"], ["digest", league.digest], ["report", "report.html"], ["verify", "0 played again"], ["export", ""]):
        done = subprocess.run([PROGRAM, command, str(league.folder)], capture_output=True, text=True)
        assert done.returncode == 0 and str(said) in done.stdout, (command, done.stdout, done.stderr)
    again = subprocess.run([PROGRAM, "verify", "runs/near", "--id", league.records()[0]["id"]], capture_output=True, text=True)
    assert again.returncode == 2 and again.stderr.strip().endswith("cannot be played again: it needs near of Python")
    (tmp_path / "near.toml").write_text(header["toml"])
    needs = 'it needs near of Python: call it in Python with functions={"near": near}'
    refused = subprocess.run([PROGRAM, "run", "near.toml"], capture_output=True, text=True)
    assert refused.returncode == 2 and refused.stderr.strip().endswith(needs)
    refused = fresh("import evouct; evouct.run('near.toml')", tmp_path)
    assert refused.stderr.splitlines()[-1].endswith(needs)
    source = inspect.getsource(near)
    (tmp_path / "mine.py").write_text(textwrap.dedent(source))
    script = "import evouct, mine; print(evouct.status('runs/near')['missing'], evouct.run({}, functions={{'near': mine.near}}, extend=True).digest)"
    more = f"dict({file!r}, decks=5)"
    for given, digest in (("'near.toml'", league.digest), (more, evouct.run({**file, "decks": 5}, "more", functions={"near": near}).digest)):
        done = fresh(script.format(given), tmp_path)
        assert done.stdout.split() == ["0", digest], done.stderr


def test_scores_tunings_and_banks_name_functions_of_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = {**EVOLUTION, "evolve": {**EVOLVE, "seeds": ["Q"], "generations": 1}}
    scored = evouct.score(file, ["Q + halved(n)"], functions={"halved": lambda a: a / 2})
    with pytest.warns(UserWarning, match="halved.*this one is in runs/evolved-scores-2$"):
        assert evouct.score(file, ["Q + halved(n)"], functions={"halved": lambda a: a / 3}).digest is not None
    assert evouct.score(file, ["Q + halved(n)"], functions={"halved": lambda a: a / 2}).folder == scored.folder
    player = {"name": "F", "kind": "formula", "iterations": 8, "formula": "Q"}
    search = {"name": "t", "game": "einstein", "player": [player, {"kind": "random"}]}
    for factor, number in ((2, ""), (3, "-2"), (2, "")):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tuned = evouct.tune(search, ["formula=Q,Q+halved(n)"], 160, functions={"halved": eval(f"lambda a: a / {factor}")})
        assert tuned.folder == Path(f"runs/t-tune{number}")
    recipe = {**BANK, "game": "einstein", "value": [{**player, "formula": "Q + halved(n)", "iterations": 60}]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        banks = [evouct.bank(recipe, functions={"halved": eval(f"lambda a: a / {factor}")}).folder for factor in (2, 3, 2)]
    assert banks == [Path("runs/positions"), Path("runs/positions-2"), Path("runs/positions")]
    for given in ("run", "score", "tune", "bank"):
        with pytest.raises(ValueError, match="^executor: its workers have no functions"):
            arguments: dict[str, Any] = {"score": {"formulas": ["Q"]}, "tune": {"over": ["k=1,2"], "budget": 9}}.get(given, {})
            getattr(evouct, given)(file, **arguments, functions={"squeeze": squeeze}, executor=ThreadPoolExecutor(1))


def test_the_proof_of_a_champion_with_a_function_is_played_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def root(a):\n    return abs(a) ** 0.5\n")
    keys = {**EVOLVE, "seeds": ["n", "Q + root(1/n)"], "generations": 1, "held_out_decks": 2}
    file = {**EVOLUTION, "evolve": keys}
    given = "functions={'root': mine.root}"
    script = f"import evouct, mine; evouct.evolve({file!r}, 'e', {given}, fitness=lambda formula: float('root' in str(formula)))"
    assert (done := fresh(script, tmp_path)).returncode == 0, done.stderr
    proof = tmp_path / "e/proof.toml"
    assert "[python.functions.root]" in proof.read_text()
    refused = fresh("import evouct; evouct.run('e/proof.toml')", tmp_path).stderr.splitlines()[-1]
    assert refused.endswith('it needs root of Python: call it in Python with functions={"root": root}')
    done = fresh("import evouct, mine; print(evouct.run('e/proof.toml', functions={'root': mine.root}).headline)", tmp_path)
    assert done.returncode == 0 and "Champion" in done.stdout, done.stderr


def test_callables_have_names() -> None:
    with pytest.raises(TypeError, match="^functions: expected a dict of names, found list$"):
        evouct.evolve(EVOLUTION, functions=[abs])  # type: ignore[arg-type]


def test_a_source_has_the_values_that_a_callable_holds() -> None:
    from evouct.callables import _source

    def times(factor: float) -> Any:
        def scale(a: float) -> float:
            return factor * a

        return scale

    class Scale:
        def __init__(self, factor: float) -> None:
            self.factor = factor

        def __call__(self, a: float) -> float:
            return self.factor * a

    def default(factor: float) -> Any:
        return lambda a, by=factor: by * a

    for make in (times, Scale, default, lambda factor: functools.partial(math.pow, factor), lambda factor: lambda a: times(factor)(a)):
        assert _source(make(2)) == _source(make(2)) != _source(make(3))
    # What changes while it is used is no part of what it does, and an address is another one in each process.
    seen, count = [], 0

    def counted(a: float) -> float:
        nonlocal count
        count += 1
        seen.append(a)
        return a

    before = _source(counted)
    assert counted(1.0) == 1.0 and _source(counted) == before and " at 0x" not in _source(times(object()))  # type: ignore[arg-type]

    def again(a: float) -> float:
        return again(a / 2) if a > 1 else a

    assert _source(again) == _source(again)
