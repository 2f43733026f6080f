"use strict";
// Tables: a button in a heading sorts by its column, numbers descending and names ascending at first, then reversed.
for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const heading = button.parentElement, table = heading.closest("table"), body = table.tBodies[0];
    const column = heading.cellIndex, numeric = heading.classList.contains("n");
    const before = heading.getAttribute("aria-sort");
    const descending = before ? before === "ascending" : numeric;
    const value = (row) => {
      const cell = row.cells[column];
      return numeric ? (cell.dataset.v === undefined ? NaN : Number(cell.dataset.v)) : cell.textContent;
    };
    const rows = Array.from(body.rows, (row) => [value(row), row]);
    rows.sort(([a], [b]) => {
      // Cells without a value come last in both orders.
      if (numeric && (a !== a || b !== b)) return (a !== a) - (b !== b);
      const order = numeric ? a - b : a.localeCompare(b);
      return descending ? -order : order;
    });
    for (const other of table.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
    body.append(...rows.map(([, row]) => row));
  });
}
// Games: each part of the board is visible from one turn until another.
for (const game of document.querySelectorAll(".game")) {
  const data = JSON.parse(game.querySelector("script").textContent);
  const stage = game.querySelector(".stage"), slider = game.querySelector("input");
  const parts = Array.from(game.querySelectorAll("[data-from]"), (part) => [
    part, Number(part.dataset.from), part.dataset.until === undefined ? Infinity : Number(part.dataset.until),
  ]);
  const marks = game.querySelectorAll(".last,.last-rim");
  const find = (name) => game.querySelector("." + name);
  const element = (name, text, type) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (type) made.className = type;
    return made;
  };
  const show = (wanted) => {
    const turn = Math.max(0, Math.min(data.turns.length, wanted)), shown = data.turns[turn - 1];
    for (const [part, from, until] of parts) {
      part.setAttribute("visibility", from <= turn && turn < until ? "visible" : "hidden");
    }
    const laid = turn && game.querySelector(`g[data-from="${turn}"]`);
    for (const mark of marks) {
      mark.setAttribute("visibility", laid ? "visible" : "hidden");
      if (laid) mark.setAttribute("transform", `translate(${laid.dataset.at})`);
    }
    slider.value = turn;
    find("turn").textContent = shown
      ? `Turn ${turn} of ${data.turns.length}: ${data.players[shown.seat]} plays ${shown.play}` +
        (shown.aside ? ` (${shown.aside.join(", ")} set aside)` : "")
      : `Start, before turn 1 of ${data.turns.length}`;
    data.players.forEach((_, seat) => {
      const row = game.querySelectorAll(".seats tbody tr")[seat];
      (shown ? shown.facts : data.start)[seat].forEach((fact, place) => { row.cells[place + 1].textContent = fact; });
      row.classList.toggle("chosen", Boolean(shown) && shown.seat === seat);
    });
    find("formula").textContent = shown && shown.formula ? "Formula in use: " + shown.formula : "";
    const moves = find("moves");
    moves.replaceChildren();
    if (shown && shown.best) {
      moves.append(element("caption", `Best of ${shown.considered} moves considered`));
      const head = element("tr");
      head.append(element("th", "move"), element("th", "visits", "n"), element("th", "mean", "n"));
      moves.append(head);
      for (const move of shown.best) {
        const row = element("tr", undefined, move.play === shown.play ? "chosen" : "");
        row.append(element("td", move.play), element("td", move.visits, "n"), element("td", move.mean.toFixed(2), "n"));
        moves.append(row);
      }
    }
    game.dataset.turn = turn;
  };
  const now = () => Number(game.dataset.turn);
  const steps = { first: () => 0, back: () => now() - 1, on: () => now() + 1, end: () => data.turns.length };
  for (const button of game.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => show(steps[button.dataset.step]()));
  }
  slider.addEventListener("input", () => show(Number(slider.value)));
  stage.addEventListener("keydown", (event) => {
    if (event.target === slider || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "end" }[event.key];
    if (step) {
      event.preventDefault();
      show(steps[step]());
    }
  });
  show(data.turns.length);
}
