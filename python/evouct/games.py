"""Games written in Python, and OpenSpiel's.

A game is a class with the verbs of OpenSpiel's states. Its objects are positions, and an object that is made without
arguments is the start of a game:

==============================  ========================================================================================
``is_terminal()``               whether the game is over
``current_player()``            who decides: 0, 1, …, or ``CHANCE``
``legal_actions()``             whole numbers, always in the same order
``apply_action(action)``        plays an action, or an outcome of chance, in this object
``clone()``                     a copy that shares nothing with this object
``returns()``                   what each player has, one number each; final at the end
``chance_outcomes()``           pairs (outcome, probability); only where chance decides
``action_to_string(action)``    optional: a short name, or ``action_to_string(player, action)``
==============================  ========================================================================================

Options of a class: ``point``, the return that is 1 of the score (scores are whole numbers, 1 is the default);
``max_return``, the highest return; ``move_numbers``, a dict from names to what they are, with
``action_numbers(action)``, which returns their values for an action before it is played; ``playout(seed)``, which plays
a random game to the end in one call, without changing the position, and returns what ``returns()`` is there.

All that is random comes from evouct: a class draws nothing itself.
"""

from __future__ import annotations

import ast
import contextlib
import difflib
import importlib
import inspect
import itertools
import math
import os
import random
import re
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ._native import add_game, check_kinds

#: What ``current_player()`` returns where chance decides.
CHANCE = -1

MOST_PLAYERS = 6
_MOST_PLIES = 10_000
#: Positions of a game that are looked at closely, and plies that are played on in a copy there.
_CLOSE = 40
_PLAYED_ON = 20
#: Plies of random games whose returns are looked at.
_TRIED_PLIES = 1_000
#: Actions or outcomes of one position: each is named and compared, and more would be looked at for minutes in silence.
_MOST_LISTED = 20_000
#: Legal actions that are tried in one position.
_TRIED = 20
_VERBS = {
    "is_terminal": "says whether the game is over",
    "current_player": "says who decides",
    "legal_actions": "lists what the player may do",
    "apply_action": "plays an action",
    "clone": "returns a copy",
    "returns": "says what each player has won",
}


class GameError(ValueError):
    """What is wrong with a game, in one line."""


@dataclass(frozen=True)
class GameReport:
    """What a check saw.

    ``refused`` are the kinds of player that cannot play the game, with the reason.
    """

    name: str
    players: int
    games: int
    decisions: int
    chance_outcomes: int
    longest: int
    most_actions: int
    kinds: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()


def register(game: type) -> str:
    """Makes a class known to evouct and returns its name in files: ``python:module:Class``.

    One random game is checked. :func:`check_game` checks more. A class that was defined again takes the place of the one before.
    Give experiments another name when you change the rules of a game: a folder does not know them.
    """
    if not isinstance(game, type):
        raise GameError(f"expected a class, found {game!r:.60}; a game that has a name needs no register()")
    name = f"python:{game.__module__}:{game.__qualname__}"
    _add_class(name, game, game)
    return name


def check_game(game: type | str, games: int = 20, seed: int = 1, players: bool = True) -> GameReport:
    """Checks a class, or the game of a name such as ``openspiel:pig``; with ``players``, every kind of player plays it.

    Raises :class:`GameError` with the first thing that is wrong.
    """
    if isinstance(game, str):
        name = load(game)
        start, about = _starts[name], name
    elif isinstance(game, type):
        start, about = game, game.__name__
        name = f"python:{game.__module__}:{game.__qualname__}"
    else:
        raise GameError(f"expected a class, or the name of a game, found {game!r:.60}")
    report = _Check(about, start, seed).games(games)
    if not players:
        return GameReport(name, *report)
    if not isinstance(game, str):
        _add_class(name, game, game, checked=True)
    try:
        kinds, refused = check_kinds(name, min(games, 2), seed)
    except ValueError as error:
        raise GameError(str(error)) from None
    return GameReport(name, *report, kinds=tuple(kinds), refused=tuple(refused))


_starts: dict[str, Callable[[], Any]] = {}
#: The classes of games that were added, and what evouct was told of them, which it keeps.
_classes: dict[str, type] = {}
_told_of: dict[str, dict[str, Any]] = {}


def load(name: str) -> str:
    """Finds the game of a name of a file, adds it and returns the name that it has."""
    family, _, rest = name.partition(":")
    return _load_openspiel(rest) if family == "openspiel" else _load_class(name, rest)


def _load_class(name: str, rest: str) -> str:
    """``module:Class`` or ``module:Class(key=value)``."""
    module_name, _, call = rest.partition(":")
    class_name, options = _call(name, call)
    if not module_name or not class_name:
        raise GameError(f"{name}: expected python:module:Class")
    # The program does not look for modules in the current folder, as Python does.
    if not {"", os.getcwd()} & set(sys.path):
        sys.path.insert(0, os.getcwd())
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name != module_name:
            raise
        raise GameError(f"{name}: there is no module {module_name} in {os.getcwd()} or on the path of Python") from None
    game = module
    for part in class_name.split("."):
        found = getattr(game, part, None)
        if found is None:
            raise GameError(f"{name}: the module {module_name} has no class {class_name}")
        game = found
    if not isinstance(game, type):
        raise GameError(f"{name}: {class_name} is no class")
    start = (lambda: game(**options)) if options else game
    _add_class(name, game, start)
    return name


def _call(name: str, text: str) -> tuple[str, dict[str, Any]]:
    """The name and the options of ``Name(key=value)``."""
    if "(" not in text:
        return text, {}
    try:
        call = ast.parse(text, mode="eval").body
        assert isinstance(call, ast.Call) and not call.args
        options = {str(option.arg): ast.literal_eval(option.value) for option in call.keywords}
    except (SyntaxError, ValueError, AssertionError):
        raise GameError(f"{name}: expected python:module:Class(key=value, …) with plain values") from None
    return ast.unparse(call.func), options


def _add_class(name: str, game: type, start: Callable[[], Any], checked: bool = False) -> None:
    if _classes.get(name) is game:
        return
    if not checked:
        _Check(game.__name__, start, 1).games(1)
    numbers = getattr(game, "move_numbers", None) or {}
    if not isinstance(numbers, dict):
        raise GameError(f"{name}: move_numbers is {numbers!r:.60}, expected a dict from names to what they are")
    for number in numbers:
        if not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", str(number)):
            raise GameError(f"{name}: move_numbers has the name {number!r:.60}, expected a letter, then letters, digits and _")
    for option, least, most in [("point", 1e-9, 1e9), ("max_return", 0.0, 1e9)]:
        value = getattr(game, option, None)
        if value is not None and not (_is_number(value) and least <= value <= most):
            raise GameError(f"{name}: {option} = {value!r:.60}, expected a number from {least:g} to {most:g}")
    told: dict[str, Any] = {
        "about": (inspect.getdoc(game) or f"the class {game.__qualname__}").partition("\n")[0],
        "seats": len(list(start().returns())),
        "words": _words(game),
        "playout": callable(getattr(game, "playout", None)),
        "point": getattr(game, "point", None),
        "most": getattr(game, "max_return", None),
        "fraction": _fraction_of(start),
        "numbers": [(str(number), str(about)) for number, about in numbers.items()],
        "text": "__str__" in {name for parent in game.__mro__[:-1] for name in vars(parent)},
    }
    # Otherwise the class that was defined last is what the same game starts with.
    if _told_of.get(name) != told:
        add_game(name, start=lambda: _starts[name](), **told)
    _starts[name], _classes[name], _told_of[name] = start, game, told


def _words(game: type) -> int | None:
    """How many arguments ``action_to_string`` takes; none if there is no such method."""
    method = getattr(game, "action_to_string", None)
    if method is None:
        return None
    places = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [each for each in inspect.signature(method).parameters.values() if each.kind in places and each.default is each.empty]
    # What a class gives is no method yet, so it takes the object, too.
    itself = not isinstance(inspect.getattr_static(game, "action_to_string"), staticmethod)
    return max(1, min(2, len(needed) - itself))


def _load_openspiel(text: str) -> str:
    try:
        import pyspiel
    except ModuleNotFoundError:
        raise GameError(f"openspiel:{text} needs OpenSpiel: pip install open_spiel") from None
    if text.startswith("python_"):
        importlib.import_module("open_spiel.python.games")
    short, known = text.partition("(")[0], pyspiel.registered_names()
    if short not in known:
        near = difflib.get_close_matches(short, known, 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise GameError(f"openspiel:{text:.200}: OpenSpiel has no game called {short[:60]!r}{hint}")
    try:
        with _unprinted():
            game = pyspiel.load_game(text)
            problem = refused(game)
            if not problem:
                game.new_initial_state()
    except Exception as error:
        raise GameError(f"openspiel:{text:.200}: OpenSpiel does not make it: {_of_openspiel(error)}") from None
    name = "openspiel:" + str(game).removesuffix("()")
    if name in _starts:
        return name
    if problem:
        raise GameError(f"{name}: {problem}")
    _Check(name, game.new_initial_state, 1).first()
    kind = game.get_type()
    least, most = game.min_utility(), game.max_utility()
    add_game(
        name,
        f"{kind.long_name}, a game of OpenSpiel",
        game.new_initial_state,
        game.num_players(),
        words=2,
        openspiel=True,
        most=most if least >= 0 and math.isfinite(most) else None,
        fraction=_fraction_of(game.new_initial_state),
        text=True,
    )
    _starts[name] = game.new_initial_state
    return name


@contextlib.contextmanager
def _unprinted() -> Iterator[None]:
    """OpenSpiel prints every error before it raises it. Here it does not."""
    try:
        kept = os.dup(2)
    except OSError:
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(nowhere)
        os.close(kept)


def _of_openspiel(error: Exception) -> str:
    """An error of OpenSpiel in one line, without the place in its code."""
    text = ", ".join(re.sub(r"^/\S+:\d+ ", "", str(error)).split("\n"))[:200]
    return text if isinstance(error, RuntimeError) else f"{type(error).__name__}: {text}"


def _fraction_of(start: Callable[[], Any]) -> float | None:
    """A return of random games that is no whole number, if there is one. An error ends them: games in a league say it."""
    draw, plies = random.Random(1), 0
    with contextlib.suppress(Exception):
        while plies < _TRIED_PLIES:
            state = start()
            while not state.is_terminal() and plies < _MOST_PLIES:
                chances = state.chance_outcomes() if state.current_player() == CHANCE else None
                legal = [outcome for outcome, _ in chances] if chances else state.legal_actions()
                state.apply_action(draw.choices(legal, [chance for _, chance in chances] if chances else None)[0])
                plies += 1
            if fraction := _fraction(state.returns()):
                return fraction
    return None


def _fraction(returns: Sequence[Any]) -> float | None:
    """A return that is no whole number, if there is one."""
    return next((float(value) for value in returns if not float(value).is_integer()), None)


def refused(game: Any) -> str | None:
    """Why evouct does not play a game of OpenSpiel; None if it does."""
    import pyspiel

    kind, types = game.get_type(), pyspiel.GameType
    if kind.dynamics == types.Dynamics.MEAN_FIELD:
        problem = "a mean field of players decides there"
    elif kind.dynamics != types.Dynamics.SEQUENTIAL:
        problem = "players decide at the same time there"
    elif kind.information != types.Information.PERFECT_INFORMATION:
        problem = "players do not see everything there"
    elif kind.chance_mode == types.ChanceMode.SAMPLED_STOCHASTIC:
        problem = "its chance has no probabilities"
    elif not 1 <= game.num_players() <= MOST_PLAYERS:
        problem = f"it has {game.num_players()} players"
    else:
        return None
    return f"{problem}; expected a game of perfect information, in turns, for 1 to 6 players"


def worker_command() -> list[str]:
    """The command of a process that plays for this one, with the same modules. What games print goes to stderr, because
    stdout belongs to the answers."""
    lines = ["import signal, sys", f"sys.path[:] = {[path or os.getcwd() for path in sys.path]!r}"]
    # A signal to all ends the process that started it, and that process ends its workers.
    lines += ["for name in ('SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1'):", "    signal.signal(getattr(signal, name), signal.SIG_IGN)"]
    # Where it is killed, Linux kills them: a game may never look at the input again.
    lines += ["import ctypes", "ctypes.CDLL(None).prctl(1, signal.SIGKILL)"] if sys.platform == "linux" else []
    lines += ["sys.stdout = sys.stderr"]
    lines += ["from evouct._native import work", "work()"]
    return [sys.executable, "-c", "\n".join(lines)]


def reason(name: str, error: BaseException) -> str:
    """Why a game cannot be had, in one line."""
    if isinstance(error, GameError):
        return str(error)
    traceback.print_exception(error)
    return f"{name}: {_told(error)}"


def _told(error: BaseException) -> str:
    """An error and its place in one line."""
    first = (str(error).splitlines() or [""])[0]
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({os.path.basename(frames[-1].filename)}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}{': ' if first else ''}{first}{place}"


_shown: set[tuple[str, str]] = set()


def told(name: str, verb: str, error: BaseException) -> str:
    """An error of a game in one line. The traceback goes to stderr, once for each such error."""
    line = f"{name}: {verb}() raised {_told(error)}"
    if (name, line) not in _shown:
        _shown.add((name, line))
        traceback.print_exception(error)
    return line


class _Check:
    """Plays random games with a class and looks at what it says."""

    def __init__(self, about: str, start: Callable[[], Any], seed: int) -> None:
        self.about = about
        self.start = start
        self.random = random.Random(seed)
        self.decisions = self.outcomes = self.longest = self.most_actions = 0
        self.players = 0
        # What a problem belongs to.
        self.place = ""

    def fail(self, problem: str, cause: BaseException | None = None) -> GameError:
        error = GameError(f"{self.about}: {self.place}{problem}")
        error.__cause__ = cause
        return error

    def ask(self, state: Any, verb: str, *arguments: Any) -> Any:
        try:
            return getattr(state, verb)(*arguments)
        except Exception as error:
            shown = ", ".join(map(repr, arguments))
            raise self.fail(f"{verb}({shown}) raised {_told(error)}", error) from error

    def apply(self, state: Any, action: int) -> None:
        try:
            state.apply_action(action)
        except Exception as error:
            problem = f"the action {action} is listed, but apply_action({action}) raised {_told(error)}"
            raise self.fail(problem, error) from error

    def games(self, count: int) -> tuple[int, int, int, int, int, int]:
        """Plays games. Returns the numbers of a report."""
        self.first()
        for number in range(count):
            self.game(number)
        return self.players, count, self.decisions, self.outcomes, self.longest, self.most_actions

    def first(self) -> None:
        """Looks at the start of a game."""
        state = self.begin()
        self.players = len(self.listed(state, "returns"))
        if not 1 <= self.players <= MOST_PLAYERS:
            raise self.fail(f"returns() gave {self.players} numbers, expected one for each of 1 to {MOST_PLAYERS} players")
        if self.view(state)["is_terminal()"]:
            raise self.fail("is_terminal() is True at the start of a game")

    def begin(self) -> Any:
        try:
            state = self.start()
        except Exception as error:
            raise self.fail(f"the start of a game raised {_told(error)}", error) from error
        for verb, about in _VERBS.items():
            if not callable(getattr(state, verb, None)):
                raise self.fail(f"there is no method {verb}(), which {about}")
        return state

    def game(self, number: int) -> None:
        self.place = f"game {number + 1}: "
        # A twin plays the same from a start of its own.
        state, twin = self.begin(), self.begin()
        for ply in itertools.count():
            self.place = f"game {number + 1}, ply {ply + 1}: "
            view = self.view(state)
            if ply < _CLOSE:
                if (other := self.view(twin)) != view:
                    raise self.fail(
                        f"two games with the same actions differ: {_difference(view, other)}. A game draws nothing itself "
                        f"(chance is CHANCE's turn) and keeps nothing in the class"
                    )
                self.close(state, view)
            if view["is_terminal()"]:
                self.longest = max(self.longest, ply)
                return
            if ply == _MOST_PLIES:
                raise self.fail(f"the game is not over after {_MOST_PLIES} actions; every game must end")
            if view["current_player()"] == CHANCE:
                self.outcomes += 1
                chances = [(outcome, chance) for outcome, chance in view["chance_outcomes()"] if chance > 0]
                action = self.random.choices([outcome for outcome, _ in chances], [chance for _, chance in chances])[0]
            else:
                self.decisions += 1
                self.most_actions = max(self.most_actions, len(view["legal_actions()"]))
                action = self.random.choice(view["legal_actions()"])
            self.apply(state, action)
            if ply < _CLOSE:
                self.apply(twin, action)

    def listed(self, state: Any, verb: str, *arguments: int) -> list[Any]:
        answer = self.ask(state, verb, *arguments)
        if isinstance(answer, str | bytes | dict | set) or not hasattr(answer, "__iter__"):
            raise self.fail(f"{verb}() gave {answer!r:.60}, expected a list")
        found = list(answer)
        if len(found) > _MOST_LISTED:
            raise self.fail(f"{verb}() gave a list of {len(found)}, expected {_MOST_LISTED} at most")
        return found

    def view(self, state: Any) -> dict[str, Any]:
        """What a position says, checked."""
        ends = self.ask(state, "is_terminal")
        if ends not in (True, False):
            raise self.fail(f"is_terminal() gave {ends!r:.60}, expected True or False")
        view: dict[str, Any] = {"is_terminal()": bool(ends)}
        returns = self.listed(state, "returns")
        if len(returns) != self.players:
            raise self.fail(f"returns() gave {len(returns)} numbers, expected {self.players}, one for each player")
        for value in returns:
            if not _is_number(value) or not math.isfinite(value):
                raise self.fail(f"returns() gave {value!r:.60}, expected a finite number for each player")
        view["returns()"] = [float(value) for value in returns]
        if ends:
            if legal := self.listed(state, "legal_actions"):
                raise self.fail(f"is_terminal() is True, but legal_actions() gave {legal!r:.60}, expected none at the end")
            return view
        player = self.ask(state, "current_player")
        if not _is_whole(player) or not CHANCE <= player < self.players:
            raise self.fail(
                f"current_player() gave {player!r:.60}, expected a player from 0 to {self.players - 1}, or CHANCE ({CHANCE})"
            )
        view["current_player()"] = int(player)
        if player == CHANCE:
            view["chance_outcomes()"] = actions = self.chances(state)
            self.words(state, int(player), [outcome for outcome, _ in actions])
            return view
        legal = self.listed(state, "legal_actions")
        for action in legal:
            if not _is_whole(action):
                raise self.fail(
                    f"legal_actions() gave {action!r:.60}: actions are whole numbers, and action_to_string() names them"
                )
        action, times = Counter(legal).most_common(1)[0] if legal else (0, 1)
        if times > 1:
            raise self.fail(f"legal_actions() lists the action {action} {times} times, expected once")
        if not legal:
            raise self.fail(f"legal_actions() is empty for player {player}, but is_terminal() is False")
        if (again := self.listed(state, "legal_actions")) != legal:
            raise self.fail(f"legal_actions() gave {legal!r:.60}, then {again!r:.60}; expected the same order each time")
        view["legal_actions()"] = [int(action) for action in legal]
        self.words(state, int(player), legal)
        return view

    def chances(self, state: Any) -> list[tuple[int, float]]:
        if not callable(getattr(state, "chance_outcomes", None)):
            raise self.fail("current_player() is CHANCE, but there is no method chance_outcomes()")
        outcomes = self.listed(state, "chance_outcomes")
        for pair in outcomes:
            if not isinstance(pair, tuple | list) or len(pair) != 2 or not _is_whole(pair[0]) or not _is_number(pair[1]):
                raise self.fail(f"chance_outcomes() gave {pair!r:.60}, expected pairs (outcome, probability)")
            if not 0 <= pair[1] <= 1:
                raise self.fail(f"chance_outcomes() gave the probability {pair[1]} for the outcome {pair[0]}, expected 0 to 1")
        outcome, times = Counter(outcome for outcome, _ in outcomes).most_common(1)[0] if outcomes else (0, 1)
        if times > 1:
            raise self.fail(f"chance_outcomes() lists the outcome {outcome} {times} times, expected once")
        total = math.fsum(probability for _, probability in outcomes)
        if abs(total - 1) > 1e-6:
            raise self.fail(f"the probabilities of chance_outcomes() add up to {total:g}, expected 1")
        return [(int(outcome), float(probability)) for outcome, probability in outcomes]

    def words(self, state: Any, player: int, actions: Sequence[int]) -> None:
        """Different actions have different words."""
        count = 2 if self.about.startswith("openspiel:") else _words(type(state))
        if count is None:
            return
        known: dict[str, int] = {}
        for action in actions:
            word = self.ask(state, "action_to_string", *([player, action] if count == 2 else [action]))
            if not isinstance(word, str) or not word.split():
                raise self.fail(f"action_to_string({action}) gave {word!r:.60}, expected a text")
            word = "_".join(word.split())
            if word in known:
                raise self.fail(f"action_to_string() gave {word!r} for the actions {known[word]} and {action}, expected different texts")
            known[word] = action

    def close(self, state: Any, view: dict[str, Any]) -> None:
        """Copies are copies, and what is legal can be played."""
        copy = self.copied(state)
        if (other := self.view(copy)) != view:
            raise self.fail(f"a clone() differs from its original: {_difference(view, other)}")
        self.extras(state, view)
        if view["is_terminal()"]:
            return
        actions = view.get("legal_actions()") or [outcome for outcome, chance in view["chance_outcomes()"] if chance > 0]
        for action in self.random.sample(actions, min(_TRIED, len(actions))):
            after = self.copied(state)
            self.apply(after, action)
            self.unchanged(state, view, f"apply_action({action})")
        for _ in range(_PLAYED_ON):
            seen = self.view(after)
            if seen["is_terminal()"]:
                break
            listed = seen.get("legal_actions()") or [outcome for outcome, chance in seen["chance_outcomes()"] if chance > 0]
            self.apply(after, self.random.choice(listed))
        self.unchanged(state, view, "further actions")

    def copied(self, state: Any) -> Any:
        copy = self.ask(state, "clone")
        if copy is state or copy is None:
            found = "None" if copy is None else "the position itself"
            raise self.fail(f"clone() returned {found}, expected a new object")
        if type(copy) is not type(state):
            raise self.fail(f"clone() returned {copy!r:.60}, expected a {type(state).__name__}")
        return copy

    def unchanged(self, state: Any, view: dict[str, Any], what: str) -> None:
        now = self.view(state)
        if now != view:
            raise self.fail(
                f"clone() shares state: {what} in a clone changed the original: {_difference(view, now)}. "
                f"Lists and dicts must be copied in clone()"
            )

    def extras(self, state: Any, view: dict[str, Any]) -> None:
        """The options of a class."""
        numbers = getattr(state, "move_numbers", None)
        if numbers and "legal_actions()" in view:
            for action in view["legal_actions()"][:_TRIED]:
                found = self.listed(state, "action_numbers", action)
                if len(found) != len(numbers):
                    raise self.fail(f"action_numbers({action}) gave {len(found)} numbers, expected {len(numbers)}: {', '.join(numbers)}")
                if not all(_is_number(value) and not math.isnan(value) for value in found):
                    raise self.fail(f"action_numbers({action}) gave {found!r:.60}, expected numbers")
            self.same(state, view, "action_numbers()")
        if callable(getattr(state, "playout", None)):
            first, second = [self.listed(state, "playout", 1) for _ in range(2)]
            if len(first) != self.players:
                raise self.fail(f"playout(1) gave {len(first)} numbers, expected {self.players}, one for each player")
            if first != second:
                raise self.fail(f"playout(1) gave {first}, then {second}: all that is random must come from the seed")
            self.same(state, view, "playout(1)")

    def same(self, state: Any, view: dict[str, Any], what: str) -> None:
        if (now := self.view(state)) != view:
            raise self.fail(f"{what} changed the position: {_difference(view, now)}")


def _is_whole(value: Any) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    if isinstance(value, bool | str | bytes):
        return False
    try:
        float(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _difference(expected: dict[str, Any], found: dict[str, Any]) -> str:
    """The first answer that differs."""
    for verb in [*expected, *found]:
        if expected.get(verb) != found.get(verb):
            return f"{verb} was {expected.get(verb)!r:.80}, now {found.get(verb)!r:.80}"
    return "in nothing"
