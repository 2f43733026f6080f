"""Progress of long work: a bar of tqdm where it is installed, else a plain line every thirty seconds."""

from __future__ import annotations

import sys
import time
import warnings
from typing import Any

#: Seconds between two plain lines.
EVERY = 30.0


class Progress:
    """Shows how much of a work is done. Each call has the units that are done, all units, and what to say, if anything."""

    def __init__(self, unit: str) -> None:
        self._unit = unit
        self._bar: Any = None
        self._began = self._said = time.monotonic()
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self._tqdm: Any = None
        else:
            self._tqdm = tqdm

    def __call__(self, done: int, total: int, words: str) -> None:
        if self._tqdm is not None:
            if self._bar is None:
                with warnings.catch_warnings():
                    # Without widgets of Jupyter the bar is text.
                    warnings.simplefilter("ignore")
                    self._bar = self._tqdm(total=total, initial=done, unit=self._unit)
            self._bar.total = total
            self._bar.update(done - self._bar.n)
            if words:
                self._bar.write(f"{self._unit} {done}: {words}", file=sys.stderr)
        elif words or time.monotonic() - self._said >= EVERY:
            self._said = time.monotonic()
            minutes, seconds = divmod(int(self._said - self._began), 60)
            rest = f": {words}" if words else ""
            print(f"{done} of {total} {self._unit}s after {minutes}:{seconds:02}{rest}", file=sys.stderr)

    def close(self) -> None:
        """Ends the bar."""
        if self._bar is not None:
            self._bar.close()
