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
    # Models like to write something around what was asked for.
    return json.loads(text[text.index("{") : text.rindex("}") + 1])["formulas"]


for line in sys.stdin:
    try:
        formulas = ask(json.loads(line))
    except Exception as problem:
        # The log of evouct has it (-v). The next generation asks again.
        print(f"no proposals: {type(problem).__name__}: {problem}", file=sys.stderr)
        formulas = []
    print(json.dumps({"formulas": formulas}), flush=True)
