"""Leagues, evolutions, scores, tunings and banks: the commands ``run``, ``evolve``, ``score``, ``tune`` and ``bank``, in the same
folders.

Each call goes on where the folder stands, and one whose folder is complete plays nothing. Where ``runs/NAME`` holds another work than
this one, this one goes to ``runs/NAME-2``, or the next number, and a warning says so and in what they differ; a folder that you name is
not left. ``extend=True`` adds decks, players, generations or games to what the folder holds. Ctrl-C is a ``KeyboardInterrupt``; what
is recorded stays, and the same call resumes the work. Results are the same for any number of threads. A file that is wrong, or a
folder that holds something else, is a ``ValueError``; what fails later is a ``RuntimeError``; failed games and damaged lines of a
journal are warnings. A ``Source`` is the path of a TOML file, or what stands in one as a dict, which may have formulas and numbers of NumPy."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from . import _native
from .callables import Callables, callables
from .executors import Executor, pool
from .formula import Formula
from .frames import Bank, EvolutionResult, EvolutionSet, League, Scores, TuningResult
from .progress import Progress

Source = str | PathLike[str] | dict[str, Any]
#: A formula that selects, or formulas by purpose: ``{"select": …, "untried": …, "final": …}``.
Genome = str | Formula | Mapping[str, str | Formula]

#: Functions of formulas by name, each of one or two numbers.
Functions = Mapping[str, Callable[..., float]] | None


@dataclass(frozen=True)
class Step:
    """How far a work is, for its ``callback``."""

    #: What is counted: ``game``, or ``generation`` of an evolution.
    unit: str
    #: How many are done, and of how many.
    done: int
    total: int
    #: What was just completed, in words; of a tuning the stage that begins; empty where games are only counted.
    text: str
    #: In an evolution the best gain over the first seed, in points per game, in the last stage of the generation, and its formulas.
    gain: float | None
    formula: str | None


#: Is called with each ``Step``; the work ends early when it returns True.
Callback = Callable[[Step], object]


def run(
    experiment: Source,
    out: str | PathLike[str] | None = None,
    threads: int | None = None,
    progress: bool = True,
    extend: bool = False,
    executor: Executor | None = None,
    replay: float | None = None,
    callback: Callback | None = None,
    functions: Functions = None,
    retry_failed: bool = False,
) -> League:
    """Plays the missing games of an experiment, and writes the report: ``evouct run``.

    ``out`` is the run folder, ``runs/NAME`` unless another is given; ``threads`` the number of threads, as many as the machine
    gives this process unless another is given; one for a game in Python, whose threads are processes. An ``out`` that holds another
    experiment is a ``ValueError``; with ``extend`` the experiment may add players and decks to the one that it holds.
    ``callback`` is called with a ``Step`` some times a second; when it returns True the call ends with the games that are played, and
    the same call goes on. What it raises ends the call, too. ``retry_failed`` plays games again that are recorded as failed.

    ``functions`` by name are functions of Python in formulas, such as those of ``evolve``; what they do wrong fails a game. One that an
    earlier call of this process has given is known. The folder names those that the formulas have with their sources: a changed source
    is another experiment, and another process needs ``functions`` to play more.

    With an ``executor`` its workers play in place of threads: any object with the ``submit`` of PEP 3148, or a function that
    makes one, which is called again when a pool breaks. ``threads`` is then the number of its workers, if it does not say. A share
    ``replay`` of the games, 0.02 unless another is given, and the first of each worker, are played again by another worker. One that is wrong is named in a warning,
    and what it has played since the last game that was right is played again. What is not yet checked is written at the end, and
    when you interrupt the run; a kill loses it. Units of ``evolve``, ``score``, ``tune`` and ``bank`` are checked alike."""
    own = _given(executor, functions)
    workers = pool(executor, replay, threads)
    return League(
        _carried_out(
            "game",
            progress,
            callback,
            lambda show: _native.run_league(_plain(experiment), out, threads, workers, extend, retry_failed, show, own),
        )
    )


def _given(
    executor: Executor | None,
    functions: Functions,
    operators: Mapping[str, Callable[..., str | Formula]] | None = None,
    fitness: Callable[[Any], float] | None = None,
) -> Callables:
    """Callables, which run in this process."""
    own = callables(functions, operators, fitness)
    if executor is not None and any(own):
        raise ValueError("executor: its workers have no functions, operators and fitness of this process; leave it out")
    return own


def evolve(
    evolution: Source,
    out: str | PathLike[str] | None = None,
    threads: int | None = None,
    progress: bool = True,
    extend: bool = False,
    executor: Executor | None = None,
    replay: float | None = None,
    callback: Callback | None = None,
    seeds: str | Iterable[int] | None = None,
    functions: Functions = None,
    operators: Mapping[str, Callable[..., str | Formula]] | None = None,
    fitness: Callable[[Any], float] | None = None,
) -> EvolutionResult:
    """Evolves formulas before play: ``evouct evolve``. ``out``, ``threads``, ``executor`` and ``replay`` are those of ``run``. ``extend``
    permits more generations than the folder has. ``callback`` is called with a ``Step`` after each generation; when it returns True the
    call ends without finals and digest.

    With ``seeds``, such as ``range(1, 11)``, ``[1, 2, 5]`` or ``"1..10"`` (with both ends), it evolves once for each of these random seeds
    in one folder, ``runs/NAME-seeds`` unless ``out`` is given, as ``evouct evolve --seeds``; the result is an ``EvolutionSet``, and
    ``extend`` permits more seeds, too.

    ``functions`` by name are added to those of formulas: each takes one or two finite numbers and gives a number. ``operators`` by name
    vary formulas, with weight 0.1 unless ``[evolve]`` has another by that name: each takes the text of a formula, or of two, and a
    ``random.Random``, from which it has all that is random, and gives the text of a formula. ``fitness`` measures in place of games: it
    takes a ``Formula``, a dict by purpose where the file has ``trees``, and gives points per game. All three must give the same for the
    same arguments. The folder names them with their sources, and a changed source is another evolution; another process, such as
    ``evouct``, refuses to go on with it. What one of them raises, NaN and no formula end the call by a ``RuntimeError``, and the same
    call goes on. They run in this process, so there are no ``executor`` and, with ``functions``, no gain from ``threads``."""
    own = _given(executor, functions, operators, fitness)
    workers, text = pool(executor, replay, threads), _seeds(seeds)
    result = EvolutionResult if seeds is None else EvolutionSet
    return result(
        _carried_out(
            "generation", progress, callback, lambda show: _native.run_evolution(_plain(evolution), out, threads, workers, extend, show, text, own)
        )
    )


def _seeds(seeds: str | Iterable[int] | None) -> str | None:
    """Seeds as the program reads them."""
    if seeds is None or isinstance(seeds, str):
        return seeds
    if isinstance(seeds, range) and seeds.step == 1 and seeds:
        return f"{seeds[0]}..{seeds[-1]}"
    given = list(seeds) if isinstance(seeds, Iterable) else [None]
    if not all(isinstance(seed, int | np.integer) for seed in given):
        raise TypeError(f"seeds: expected whole numbers, or a text such as '1..10', found {seeds!r:.60}")
    return ",".join(map(str, given))


def score(
    evolution: Source,
    formulas: Sequence[Genome],
    split: str = "training",
    out: str | PathLike[str] | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    replay: float | None = None,
    functions: Functions = None,
) -> Scores:
    """Measures formulas as ``evolve`` does, for a search of your own: ``evouct score``.

    The player, opponents, stages and bank are those of the evolution, and its first seed is the reference that gains are over. A
    formula selects, or is a dict by purpose: ``{"select": "Q + 2*sqrt(ln(N)/n)", "untried": "race"}``. All formulas of a ``split``,
    ``training``, ``validation`` or ``test``, see the same decks: search on the first and report on the last. What was measured before
    costs nothing. The folder is ``runs/NAME-scores`` unless ``out`` is given; ``executor``, ``replay`` and ``functions`` are those of
    ``run``."""
    if isinstance(formulas, (str, Mapping)):
        raise TypeError(f"formulas: expected a list of formulas, found one {type(formulas).__name__}")
    genomes = [_genome(formula) for formula in formulas]
    own = _given(executor, functions)
    workers = pool(executor, replay, threads)
    return Scores(_carried_out("game", False, None, lambda _: _native.run_scores(_plain(evolution), genomes, split, out, threads, workers, own)))


def _genome(formula: Genome) -> tuple[str, str | None]:
    """A genome as text, and the ``ln`` of its formulas, if they have one."""
    by_purpose = formula if isinstance(formula, Mapping) else {"select": formula}
    rules = {each.ln for each in by_purpose.values() if isinstance(each, Formula)}
    if len(rules) > 1:
        raise ValueError(f"the formulas of one player have one ln, found {' and '.join(sorted(rules))}")
    return "; ".join(f"{purpose} = {each}" for purpose, each in by_purpose.items()), next(iter(rules), None)


def tune(
    experiment: Source | list[Source] | tuple[Source, ...],
    over: Sequence[str],
    budget: int,
    player: str | None = None,
    out: str | PathLike[str] | None = None,
    threads: int | None = None,
    progress: bool = True,
    method: str = "halving",
    where: Sequence[str] = (),
    executor: Executor | None = None,
    replay: float | None = None,
    held_out: Sequence[Source] = (),
    extend: bool = False,
    callback: Callback | None = None,
    functions: Functions = None,
    retry_failed: bool = False,
) -> TuningResult:
    """Tunes parameters of a player, then tests the winner on held-out decks: ``evouct tune``.

    With several experiments values are compared in the games of all; those of ``held_out`` are played by the winner and the default alone.
    ``over`` are parameters with a range or a list of values, such as ``["k=0.1..3", "final=mean,visits"]``; ``budget`` is the
    number of games in all; ``player`` is the name of the player, the first of the file unless another is given; ``method`` is
    ``halving``, ``surface`` or ``cma``; ``where`` are constraints on the values together, such as ``["alpha < beta"]``. The folder
    is ``runs/NAME-tune`` unless ``out`` is given; ``executor``, ``replay``, ``functions`` and ``retry_failed`` are those of ``run``.
    ``extend`` permits a larger budget than the folder has. ``callback`` is that of ``run``; a tuning that it ends is a ``RuntimeError``,
    since it has no result yet."""
    own = _given(executor, functions)
    workers = pool(executor, replay, threads)
    experiments = list(experiment) if isinstance(experiment, list | tuple) else [experiment]
    seen, unseen = ([_plain(each) for each in sources] for sources in (experiments, held_out))
    tune = lambda show: _native.run_tuning(  # noqa: E731
        seen, unseen, [over] if isinstance(over, str) else list(over), list(where), budget, method, player, out, threads, workers, extend, retry_failed, show, own
    )
    return TuningResult(_carried_out("game", progress, callback, tune))


def bank(
    recipe: Source,
    out: str | PathLike[str] | None = None,
    threads: int | None = None,
    progress: bool = True,
    executor: Executor | None = None,
    replay: float | None = None,
    functions: Functions = None,
) -> Bank:
    """Makes a bank of positions for ``evolve``: ``evouct bank``. ``out``, ``threads``, ``executor``, ``replay`` and ``functions`` are those of
    ``run``."""
    own = _given(executor, functions)
    workers = pool(executor, replay, threads)
    return Bank(_carried_out("game", progress, None, lambda show: _native.run_bank(_plain(recipe), out, threads, workers, show, own)))


#: Dicts and lists in one another, and whole numbers of TOML.
_DEEPEST, _WHOLE = 20, 2**63


def _plain(source: Source) -> Source:
    """The source with plain values in place of paths, formulas, and numbers and arrays of NumPy."""
    return _value(source, "", 0) if isinstance(source, dict) else source


def _value(value: Any, key: str, depth: int) -> Any:
    """The value of a key as a plain one. The tables of players of the kind formula get the ``ln`` of their formulas; other kinds have
    one protection."""
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if isinstance(value, bool | str):
        return value
    if isinstance(value, PathLike | Formula):
        return str(value)
    if isinstance(value, int) and -_WHOLE <= value < _WHOLE or isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, int | float):
        found = value if isinstance(value, float) else f"one of {value.bit_length()} bits"
        raise ValueError(f"dict: {key}: expected a finite number of at most 64 bits, found {found}")
    if value is None:
        raise ValueError(f"dict: {key}: expected a value, found None; leave the key out")
    if depth > _DEEPEST:
        raise ValueError(f"dict: {key:.60}: expected dicts and lists at most {_DEEPEST} deep")
    if isinstance(value, list | tuple):
        return [_value(each, f"{key}[{place}]", depth + 1) for place, each in enumerate(value)]
    if not isinstance(value, dict):
        raise TypeError(f"dict: {key}: expected numbers, texts, flags, lists and dicts, found {type(value).__name__}")
    table = {}
    for name, each in value.items():
        if not isinstance(name, str):
            raise TypeError(f"dict: {key or 'it'}: expected keys that are texts, found {name!r:.60}")
        table[name] = _value(each, f"{key}.{name}" if key else name, depth + 1)
    for name, formula in value.items():
        if not isinstance(formula, Formula):
            continue
        if table.get("kind") == "formula":
            table.setdefault("ln", formula.ln)
        if formula.ln != table.get("ln", "abs"):
            raise ValueError(f"{name}: the logarithm of {formula!r} is not protected by {table.get('ln', 'abs')}, the rule of this player")
    return table


#: Is shown what is done, of how much, what was completed, and the best of an evolution; True ends the work.
_Show = Callable[[int, int, str, tuple[float, str] | None], bool]


def _carried_out(
    unit: str, shown: bool, callback: Callback | None, work: Callable[[_Show | None], tuple[Path, list[str]]]
) -> Path:
    """Does the work with its progress; the folder."""
    progress = Progress(unit) if shown else None

    def show(done: int, total: int, text: str, best: tuple[float, str] | None) -> bool:
        if progress is not None:
            progress(done, total, text)
        gain, formula = best or (None, None)
        return callback is not None and callback(Step(unit, done, total, text, gain, formula)) is True

    try:
        folder, problems = work(None if progress is None and callback is None else show)
    finally:
        if progress is not None:
            progress.close()
    for problem in problems:
        warnings.warn(problem, stacklevel=3)
    return folder
