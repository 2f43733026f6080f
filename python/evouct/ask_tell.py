"""Evolutions whose measurements you make: with processes or machines of your own, or by other means.

``Evolution`` is ``evolve`` with the control turned round: ``ask`` returns the measurements that evolution needs next, and ``tell`` takes
what they gave. Where all are made by ``Measurement.play``, the folder is that of ``evolve`` and of ``evouct evolve``, digest included, and
each of the three goes on with what another has begun."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import lru_cache
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

from . import _native
from .formula import Formula
from .frames import EvolutionResult
from .runs import Source, _carried_out, _plain


class Played(float):
    """A value that ``Measurement.play`` has computed: the sum over its units of what a unit is worth, in points per game.

    It is a float with a seal over the number, the measurement, the evolution and the version of evouct. It can be pickled. What
    is computed with it, and an array of NumPy that has it, are plain numbers without a seal."""

    _seal: str

    def __new__(cls, value: float, seal: str) -> Played:
        played = super().__new__(cls, value)
        played._seal = seal
        return played

    def __reduce__(self) -> tuple[type[Played], tuple[float, str]]:
        return Played, (float(self), self._seal)


class Measurement:
    """What an evolution needs to know: how a player with these formulas does in one block of games or positions.

    It can be pickled. Another process that has the same version of evouct, the bank at the same path, and the same games, plays
    it as this one."""

    _core: _native.MeasurementCore

    @classmethod
    def _of(cls, core: _native.MeasurementCore) -> Measurement:
        measurement = cls.__new__(cls)
        measurement._core = core
        return measurement

    @property
    def formulas(self) -> dict[str, Formula]:
        """The formulas by purpose: ``select``, ``untried``, ``final``, ``leaf``, ``policy``."""
        ln, formulas = self._core.formulas()
        return {name: Formula(text, ln) for name, text in formulas}

    @property
    def purpose(self) -> Literal["scale", "generations", "semantics", "tuning", "finals"]:
        """The part of the evolution that asks for it."""
        return self._core.part()

    @property
    def generation(self) -> int | None:
        """The generation that asks for it, from 1; None elsewhere."""
        return self._core.generation()

    @property
    def stage(self) -> int:
        """The number of the ``[[stage]]``, from 1."""
        return self._core.stage()[0]

    @property
    def measure(self) -> Literal["games", "replay", "regret"]:
        """The measure of the stage."""
        return self._core.stage()[1]

    @property
    def batch(self) -> int:
        """The batch of the stage. Measurements of one batch and stage see the same decks or positions."""
        return self._core.batch()

    @property
    def units(self) -> range:
        """The decks or positions of the block among those of its batch. A deck is played once on each seat."""
        return range(*self._core.units())

    @property
    def opponent(self) -> str | None:
        """The name of the opponent, or the formulas of one from the hall of fame, or of the formula that a climb stands at.
        None where positions are measured."""
        return self._core.opponent()

    def play(self) -> Played:
        """Computes the value, as the program does: it depends on nothing else. A formula whose player fails is a
        ``RuntimeError``. Threads of your own play side by side."""
        return Played(*self._core.play())

    def __repr__(self) -> str:
        formulas = "; ".join(f"{name} = {formula}" for name, formula in self.formulas.items())
        against = f" against {self.opponent}" if self.opponent else ""
        what = "decks" if self.measure == "games" else "positions"
        return f"<Measurement of {formulas}{against}: stage {self.stage}, batch {self.batch}, {what} {self.units.start} to {self.units.stop - 1}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Measurement):
            return NotImplemented
        return self._core.written() == other._core.written()

    def __hash__(self) -> int:
        return hash(self._core.written())

    def __reduce__(self) -> tuple[Any, ...]:
        *origin, text = self._core.written()
        return _measurement, (tuple(origin), text)


#: The evolutions of measurements that were pickled: each is read once.
_measurer = lru_cache(maxsize=8)(_native.MeasurerCore)


def _measurement(origin: tuple[str, int | None, Path | None, str], text: str) -> Measurement:
    """The measurement that was pickled."""
    return Measurement._of(_measurer(*origin).read(text))


class Evolution:
    """An evolution that asks for measurements and is told what they gave.

    ``evolution`` and ``folder`` are those of ``evolve``: ``runs/NAME`` unless a folder is given. ``seed`` replaces that of the file, as
    ``evouct evolve --seed``. What is told is recorded, and an evolution in the same folder, after a kill or Ctrl-C too, asks for the
    rest. The journal is locked until ``close``, or the end of a ``with`` block.

    Values must come from ``Measurement.play`` of the same version of evouct. ``measured_by``, a name of letters, digits and ``. _ -``,
    says that somebody else measures: then ``tell`` takes any numbers, the folder says so wherever its results are shown, its digest
    is another one, and ``evouct evolve`` and ``evouct verify`` refuse it."""

    def __init__(
        self, evolution: Source, folder: str | PathLike[str] | None = None, seed: int | None = None, *, measured_by: str | None = None
    ) -> None:
        self._core = _native.EvolutionCore(_plain(evolution), folder, seed, measured_by)
        for problem in self._core.warnings():
            warnings.warn(problem, stacklevel=2)

    @property
    def folder(self) -> Path:
        """The folder."""
        return self._core.folder

    def ask(self) -> list[Measurement]:
        """The measurements that the evolution needs next, less those that were told; an empty list at its end. All of them can be
        played side by side. Another call without ``tell`` returns the same."""
        return [Measurement._of(core) for core in self._core.ask()]

    def tell(self, values: Sequence[float], measurements: Sequence[Measurement] | None = None) -> None:
        """Takes a value for each measurement of the last ``ask``, in their order, or for each of these ``measurements``: ``ask`` returns
        the others again. A formula is in the journal once all its measurements of the batch are told.

        It is a ``ValueError`` of one line, and none of the values is taken, where their number is another one, one of them is no
        finite number, was not computed by ``play`` or for another measurement, where a measurement is not missing, before the
        first ``ask`` and after the end."""
        told = [_told(place, value) for place, value in enumerate(values, 1)]
        self._core.tell(told, None if measurements is None else [measurement._core for measurement in measurements])

    def result(self) -> EvolutionResult:
        """Writes the report of an evolution that has ended, and opens it. Before the end it is a ``ValueError``."""
        return EvolutionResult(_carried_out("generation", False, None, lambda _: self._core.finish()))

    def close(self) -> None:
        """Frees the journal. What was told is recorded."""
        self._core.close()

    def __enter__(self) -> Evolution:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Evolution({str(self.folder)!r})"


def _told(place: int, value: object) -> tuple[float, str | None]:
    """A value and its seal, if it has one."""
    if isinstance(value, Played):
        return float(value), value._seal
    if isinstance(value, str | bytes) or not hasattr(value, "__float__"):
        raise TypeError(f"value {place}: expected a number of points, found {type(value).__name__}")
    return float(value), None
