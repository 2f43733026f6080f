"""Executors of Python as workers of evouct: ``evouct.run(…, executor=…)``.

Any object with the ``submit`` of PEP 3148 will do: ``concurrent.futures``, Dask's ``client.get_executor()``, ``mpi4py.futures``,
loky. A worker needs this version of evouct and, for a game in Python, its module. It gets a chunk of units, games say, with the text
of the experiment, and answers lines with checksums. The caller is the only one who writes, so no folder is shared."""

from __future__ import annotations

import os
import queue
import time
from collections.abc import Callable
from typing import Any, Protocol

from . import _native


class Submits(Protocol):
    """What is needed of an executor."""

    def submit(self, fn: Callable[[bytes], bytes], chunk: bytes, /) -> Any:
        """Has a worker call a function; returns a future."""


#: An executor, or a function that makes one: it is called again when the pool breaks.
Executor = Submits | Callable[[], Submits]

#: The number of workers is asked for so often, in seconds: some clusters grow.
_COUNTED = 2.0

#: The share of results that another worker computes again, unless another is given.
_REPLAY = 0.02


def answer(chunk: bytes) -> bytes:
    """What a worker does: the units of a chunk, and the answer."""
    return _native.answer_chunk(chunk)


class Pool:
    """The workers of an executor, as a run asks them."""

    #: What a chunk is to take.
    chunk_seconds = 2.0

    def __init__(self, executor: Executor, count: int | None) -> None:
        # A class makes one, too.
        self._make = None if hasattr(executor, "submit") and not isinstance(executor, type) else executor
        if self._make is not None and not callable(self._make):
            raise TypeError(f"executor: expected an object with submit(), or a function that makes one, found {type(executor).__name__}")
        self._executor: Any = self._make() if self._make is not None else executor
        if not hasattr(self._executor, "submit"):
            raise TypeError(f"executor: the function returned a {type(self._executor).__name__}, which has no submit()")
        self._given, self._count, self._until = count, 1, 0.0
        self._running: dict[int, Any] = {}
        self._done: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()

    def workers(self) -> int:
        """How many workers there are, as far as the executor says."""
        if self._given is not None:
            return self._given
        now = time.monotonic()
        if now >= self._until:
            self._count, self._until = max(1, _count(self._executor)), now + _COUNTED
        return self._count

    def submit(self, ticket: int, chunk: bytes) -> None:
        """Has a worker answer a chunk."""
        try:
            future = self._executor.submit(answer, chunk)
        except Exception:
            if self._make is None:
                raise
            # The pool is broken, and its futures say so.
            self._executor, self._until = self._make(), 0.0
            future = self._executor.submit(answer, chunk)
        done = self._done
        self._running[ticket] = future
        future.add_done_callback(lambda future: done.put((ticket, future)))

    def answers(self, seconds: float) -> list[tuple[int, bytes | None, str]]:
        """Answers that came, each with its ticket, or why a chunk was lost."""
        ready = []
        try:
            ready.append(self._done.get(timeout=seconds))
            while True:
                ready.append(self._done.get_nowait())
        except queue.Empty:
            pass
        return [(ticket, *_outcome(future)) for ticket, future in ready if self._running.pop(ticket, None) is not None]

    def forget(self) -> None:
        """Cancels what is under way."""
        for future in self._running.values():
            future.cancel()
        # Futures that are not cancelled fill the earlier queue.
        self._running, self._done = {}, queue.SimpleQueue()


def _outcome(future: Any) -> tuple[bytes | None, str]:
    """The bytes of a future, or why there are none."""
    try:
        result = future.result()
    except BaseException as error:  # Cancelled futures and interrupted workers are lost, too.
        return None, " ".join(f"{type(error).__name__}: {error}".split()).rstrip(": ")
    if not isinstance(result, bytes):
        return None, f"a worker answered {type(result).__name__}, expected bytes"
    return result, ""


def _count(executor: Any) -> int:
    """The number of workers of an executor."""
    client: Any = getattr(executor, "_client", None)
    if hasattr(client, "nthreads"):  # Dask
        return int(sum(client.nthreads().values()))
    # Those of the standard library and loky, and of mpi4py.
    counts = (getattr(executor, name, None) for name in ("_max_workers", "num_workers", "max_workers"))
    return next((count for count in counts if isinstance(count, int)), None) or os.cpu_count() or 1


def pool(executor: Executor | None, replay: float | None, threads: int | None) -> tuple[Pool, float] | None:
    """The pool of an executor, with the share of results that another worker computes again."""
    share = _REPLAY if replay is None else replay
    if isinstance(share, bool) or not isinstance(share, int | float):
        raise TypeError(f"replay: expected a share from 0 to 1, found {share!r:.60}")
    if not 0 <= share <= 1:
        raise ValueError(f"replay: expected a share from 0 to 1, found {share}")
    if executor is None and replay is not None:
        raise ValueError("replay: threads do not check one another; expected an executor, too")
    return None if executor is None else (Pool(executor, threads), float(share))
