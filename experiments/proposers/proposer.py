"""Proposes formulas to an evolution (`[[proposer]]`): a term more at the best formulas. Random, but the same every time."""

import json
import random
import sys

for line in sys.stdin:
    question = json.loads(line)
    rng = random.Random(question["generation"])
    names = [terminal["name"] for terminal in question["grammar"]["terminals"]]
    parents = [told["formula"] for told in question["best"][:5]] or [question["reference"]]
    formulas = []
    for _ in range(question["count"]):
        # A genome with one formula is that formula alone; select is the first of several.
        select, *others = rng.choice(parents).removeprefix("select = ").split("; ")
        select = f"select = {select} {rng.choice('+-')} {rng.choice([0.3, 1, 3])}*{rng.choice(names)}"
        formulas.append("; ".join([select, *others]))
    print(json.dumps({"formulas": formulas}), flush=True)
