"""Ctrl-C, and rules that most tests play by."""

import signal

import evouct
import pytest

# A shell starts a program in the background with Ctrl-C ignored, and Python keeps that.
signal.signal(signal.SIGINT, signal.default_int_handler)

RULES = {
    "base": lambda: evouct.Rules(),
    "base with five players": lambda: evouct.Rules(5),
    "all expansions": lambda: evouct.Rules(3, ["river", "inns-and-cathedrals", "abbots"]),
    "inns without farmers": lambda: evouct.Rules(6, ["inns-and-cathedrals"], farmers=False),
}


@pytest.fixture(params=list(RULES))
def rules(request: pytest.FixtureRequest) -> evouct.Rules:
    made: evouct.Rules = RULES[request.param]()
    return made
