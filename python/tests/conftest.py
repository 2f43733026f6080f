"""Rules that most tests play by."""

import evouct
import pytest

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
