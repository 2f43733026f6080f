"""The program ``evouct``: the command that the wheel installs, and ``python -m evouct``.

The module is the program, so there is one copy of the code. Exit codes, signals and output are those of the program
that Cargo builds."""

from __future__ import annotations

import os
import signal
import sys
import sysconfig
from pathlib import Path
from typing import NoReturn


def main() -> NoReturn:
    """Runs the program with the arguments of the process, and ends the process."""
    # The program has Python's handler of Ctrl-C only if it was not started with the signal ignored.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # A file that the program opens must not become a standard stream that is closed.
    for stream in range(3):
        try:
            os.fstat(stream)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    from ._native import main

    started = Path(sys.argv[0]).absolute()
    program = started if started.name != "__main__.py" else Path(sysconfig.get_path("scripts"), "evouct")
    # Threads of a run that was interrupted may still play: nothing of Python is taken down under them.
    os._exit(main(program, sys.argv[1:]))


if __name__ == "__main__":
    # Under its own name, by which the module sees that it is the program.
    from evouct.__main__ import main as own

    own()
