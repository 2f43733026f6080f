"""Has a chat model propose formulas to an evolution (`[[proposer]]`).

The model is behind an address that speaks the protocol of OpenAI's chat completions, as llama.cpp, vLLM and Ollama do:

    OPENAI_BASE_URL   such as http://127.0.0.1:11434/v1
    OPENAI_MODEL      the name of the model
    OPENAI_API_KEY    may be missing
"""

import json
import os
import sys
import urllib.request

TASK = """You improve the formula by which Monte Carlo tree search selects a child. The child with the highest value is selected.
Below is a question in JSON: the grammar, the best formulas so far with their gains in points per game (gain, with its
standard error), what you proposed last, and what was refused and why. Propose {count} new formulas of the same form as
those below. Answer with JSON only: {{"formulas": ["…"]}}

{question}"""


def ask(question):
    """The formulas that the model proposes."""
    task = TASK.format(count=question["count"], question=json.dumps(question))
    body = {"model": os.environ["OPENAI_MODEL"], "messages": [{"role": "user", "content": task}]}
    headers = {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ.get("OPENAI_API_KEY", "none")}
    address = os.environ["OPENAI_BASE_URL"].rstrip("/") + "/chat/completions"
    request = urllib.request.Request(address, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answered:
        text = json.load(answered)["choices"][0]["message"]["content"]
    # Models like to write something around what was asked for, and to reason before: the last object counts.
    decoder, found = json.JSONDecoder(), None
    for start in (place for place, letter in enumerate(text) if letter == "{"):
        try:
            answer = decoder.raw_decode(text, start)[0]
        except ValueError:
            continue
        found = answer["formulas"] if "formulas" in answer else found
    if found is None:
        raise ValueError(f"no formulas in {text[-200:]!r}")
    return found


for line in sys.stdin:
    try:
        formulas = ask(json.loads(line))
    except Exception as problem:
        # evouct says the first one, and logs all (-v). The next generation asks again.
        print(f"no proposals: {type(problem).__name__}: {problem}", file=sys.stderr)
        formulas = []
    print(json.dumps({"formulas": formulas}), flush=True)
