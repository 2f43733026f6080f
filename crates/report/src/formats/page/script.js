// Links lead to a heading below the bar, however many lines the bar has.
const bar = document.querySelector("nav"), clear = () => {
  const height = getComputedStyle(bar).position === "sticky" ? bar.offsetHeight : 0;
  document.documentElement.style.setProperty("--bar", `${height}px`);
};
if (bar) {
  clear();
  addEventListener("resize", clear);
}
// Tables: a button in a heading sorts by its column, numbers descending and names ascending at first, then reversed.
for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const heading = button.parentElement, table = heading.closest("table"), body = table.tBodies[0];
    const column = heading.cellIndex, numeric = heading.classList.contains("n");
    const before = heading.getAttribute("aria-sort");
    const descending = before ? before === "ascending" : numeric;
    const value = (row) => {
      const cell = row.cells[column], formula = cell.querySelector(".typeset");
      return numeric ? (cell.dataset.v === undefined ? NaN : Number(cell.dataset.v)) : formula ? formula.title : cell.textContent;
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
// A phone shows the columns that a terminal has room for, and all of them once a button is pressed.
for (const table of document.querySelectorAll(".rows:has(.far)")) {
  const button = document.createElement("button"), box = table.parentElement;
  const show = (all) => {
    table.classList.toggle("few", !all);
    button.textContent = all ? "Fewer columns" : "All columns";
  };
  button.type = "button";
  button.className = "all";
  button.addEventListener("click", () => show(table.classList.contains("few")));
  show(false);
  box.prepend(button);
}
// Formulas in tables: they are copied as text that evouct reads, also where a part of one is selected.
document.addEventListener("copy", (event) => {
  const selection = getSelection();
  if (!selection.rangeCount) return;
  const range = selection.getRangeAt(0).cloneRange();
  for (const [node, widen] of [[range.startContainer, "setStartBefore"], [range.endContainer, "setEndAfter"]]) {
    const formula = (node.closest ? node : node.parentElement).closest(".typeset");
    if (formula) range[widen](formula);
  }
  const part = range.cloneContents(), formulas = part.querySelectorAll(".typeset");
  if (!formulas.length) return;
  for (const formula of formulas) formula.replaceChildren(formula.title);
  for (const cell of part.querySelectorAll("td + td, th + th")) cell.prepend("\t");
  for (const row of part.querySelectorAll("tr + tr")) row.prepend("\n");
  event.clipboardData.setData("text/plain", part.textContent);
  event.preventDefault();
});
// Games: each part of the board is visible from one turn until another.
const shows = [], LEAST_TILES = 6;
for (const game of document.querySelectorAll(".game")) {
  const data = JSON.parse(game.querySelector("script").textContent);
  const stage = game.querySelector(".stage"), slider = game.querySelector("input");
  const parts = Array.from(game.querySelectorAll("[data-from]"), (part) => [
    part, Number(part.dataset.from), part.dataset.until === undefined ? Infinity : Number(part.dataset.until),
  ]);
  const marks = game.querySelectorAll(".last,.last-rim"), board = game.querySelector(".stage svg"), SIDE = 100;
  const places = Array.from(game.querySelectorAll("[data-at]"), (part) => [part, part.dataset.at.split(" ").map(Number)]);
  // The frame follows the game: it has the shape of the whole board, so that nothing beside it moves.
  const fit = () => {
    if (!board || !game.open) return;
    const [x, y, width, height] = wholeBoard(board);
    board.style.aspectRatio = `${width} / ${height}`;
    const laid = places.filter(([part]) => part.getAttribute("visibility") !== "hidden").map(([, at]) => at);
    if (!laid.length) return fitBoard(board);
    const [left, top] = [0, 1].map((axis) => Math.min(...laid.map((at) => at[axis])));
    const [right, bottom] = [0, 1].map((axis) => Math.max(...laid.map((at) => at[axis])) + SIDE);
    const share = Math.min(1, Math.max((right - left) / width, (bottom - top) / height, (LEAST_TILES * SIDE) / Math.max(width, height)));
    const centred = (from, to, start, room) => Math.max(start, Math.min(start + room * (1 - share), (from + to - room * share) / 2));
    fitBoard(board, [centred(left, right, x, width), centred(top, bottom, y, height), width * share, height * share]);
  };
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
      ? `Turn ${turn} of ${data.turns.length}: ${shown.opening ? "the opening" : data.players[shown.seat]} plays ${shown.play}` +
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
      const bounds = shown.best.some((move) => move.upper_bound) ? "; ≤ is a bound, because the search pruned the move" : "";
      moves.append(element("caption", `Best of ${shown.considered} ${shown.considered === 1 ? "move" : "moves"} considered${bounds}`));
      const head = element("tr");
      head.append(element("th", "move"), element("th", "visits", "n"), element("th", "mean", "n"));
      moves.append(head);
      for (const move of shown.best) {
        const row = element("tr", undefined, move.play === shown.play ? "chosen" : "");
        row.append(element("td", move.play), element("td", move.visits, "n"), element("td", (move.upper_bound ? "≤ " : "") + move.mean.toFixed(2), "n"));
        moves.append(row);
      }
    }
    game.dataset.turn = turn;
    find("link").href = `#game-${encodeURIComponent(game.dataset.game)}@${turn}`;
    fit();
  };
  shows.push({ game, show, fit });
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
const fitBoards = () => shows.forEach(({ fit }) => fit());
fitBoards();
addEventListener("resize", fitBoards);
// A board that was folded away has no size before it is opened.
document.addEventListener("toggle", fitBoards, true);
// A link such as #game-1-0a1b2c3d-4e5f6a7b@12 leads to a turn of a game.
const follow = () => {
  const [, id, turn] = location.hash.match(/^#game-(.+?)(?:@(\d+))?$/) || [];
  const found = shows.find(({ game }) => encodeURIComponent(game.dataset.game) === id);
  if (!found) return;
  found.game.open = true;
  if (turn) found.show(Number(turn));
  found.game.scrollIntoView();
};
follow();
addEventListener("hashchange", follow);
// Charts: the pointer reads the nearest point; with a chart in focus, the arrow keys step through its points.
for (const chart of document.querySelectorAll("svg[data-readings]")) {
  const points = chart.dataset.readings.trimEnd().split("\n").map((line) => {
    const [x, y, ...words] = line.split(" ");
    return { x: Number(x), y: Number(y), said: words.join(" ") };
  });
  // The wide and the narrow drawing of a chart share what is read off.
  const beside = chart.parentElement.nextElementSibling, known = beside && beside.matches(".readout") && beside;
  const readout = known || document.createElement("p"), mark = document.createElementNS(chart.namespaceURI, "circle");
  readout.className = "readout";
  readout.setAttribute("role", "status");
  mark.setAttribute("r", "7");
  mark.setAttribute("class", "reading");
  mark.setAttribute("visibility", "hidden");
  chart.append(mark);
  if (!known) chart.parentElement.after(readout);
  chart.setAttribute("tabindex", "0");
  let at = -1;
  const read = (index) => {
    at = index;
    const point = points[index];
    mark.setAttribute("visibility", point ? "visible" : "hidden");
    if (point) {
      mark.setAttribute("cx", point.x);
      mark.setAttribute("cy", point.y);
    }
    readout.textContent = point ? point.said : "";
  };
  chart.addEventListener("pointermove", (event) => {
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(chart.getScreenCTM().inverse());
    const distance = (point) => (point.x - place.x) ** 2 + (point.y - place.y) ** 2;
    let nearest = 0;
    points.forEach((point, index) => { if (distance(point) < distance(points[nearest])) nearest = index; });
    if (distance(points[nearest]) < 900) { if (nearest !== at) read(nearest); } else if (at >= 0) read(-1);
  });
  chart.addEventListener("pointerleave", () => read(-1));
  chart.addEventListener("blur", () => read(-1));
  chart.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: points.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    read(Math.max(0, Math.min(points.length - 1, next)));
  });
}
