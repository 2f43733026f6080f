import { $, counted, draw, make, signed } from "./elements.js";
import { showCurve } from "./curve.js";
import { showTerms } from "./terms.js";
import { help, moveWords, newGame, openGames, rules } from "./dialogs.js";

// The moves that the table of the analysis shows, the smallest tiles in pixels, and the letters in a small cell.
const ROWS = 8, SMALLEST = 24, CELL = 16;
const say = (text) => { $("said").textContent = ""; $("said").textContent = text; };
const warn = (text) => { $("turn").textContent = text; $("turn").classList.add("wrong"); };

let state = null, defined = null, choices = null, lineUp = Promise.resolve();
// The smallest size of letters on the board, in units of the drawing.
let least = 0;
// What a person has chosen so far: places, forms and options by their numbers.
let pick = { place: -1, form: 0, option: 0 }, shownFor = "", feature = -1;
// The aids that do something in this game.
const useful = new Set(["analysis"]);
const aids = { legal: true, feature: true, projected: true, left: true, analysis: true };
try { Object.assign(aids, JSON.parse(localStorage.getItem("evouct-aids") || "{}")); } catch { /* a page may have no storage */ }

// Draws a part of the page again. The button with the same number as the one in focus gets the focus.
const redraw = (box, content) => {
  const buttons = () => [...box.querySelectorAll("button")];
  const at = buttons().indexOf(document.activeElement);
  content();
  if (at >= 0) (buttons()[at] || buttons()[0] || $("board")).focus({ preventScroll: true });
};
const scene = () => state.position.scene;
const mine = () => state.position.mine;
const name = (seat) => state.seats[seat].name;
const options = () => (pick.place < 0 ? [] : scene().choices.filter((one) => one.place === pick.place && one.form === pick.form));
// Whether the moves are a list, because the game has no board on which they are chosen.
const isList = () => !scene().places.length;
const words = (play) => scene().choices.find((choice) => choice.play === play)?.words || play;
// Whether the scores say no more than who has won.
const isWon = (scores) => !state.points && scores.length > 1 && scores.every((score) => score === 0 || score === 1);

// The texts of games call seats by letters.
const named = (text) => text.replace(/\b[XYZUVW](?= (?:to move|has won|\d+(?:,| of)))/g, (letter) => {
  const own = state.seats["XYZUVW".indexOf(letter)]?.name ?? letter;
  return own.length > 20 ? `${own.slice(0, 19)}…` : own;
});
// Whether the scores of turns are what a seat would have if the game ended there.
const isProjected = () => state.position.names.includes("virtual");

// ---- talking to the server
// Changes are made one after another, each from the state that the one before has left.
const act = (change) => {
  const made = lineUp.then(() => send(change));
  lineUp = made;
  return made;
};
async function send(change, again = false) {
  try {
    const answer = await fetch("act", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ version: state.version, ...change }),
    });
    const said = await answer.json();
    if (answer.ok) {
      // An event may have told of this change already, and of what a search has found since.
      if (said.version > state.version) await show(said);
    } else {
      if (said.state) await show(said.state);
      // What does not depend on the position is asked once more.
      if (said.state && !again && ["analyse", "stop", "save", "pause"].includes(change.do)) return send(change, true);
      warn(said.error);
      say(said.error);
    }
    return answer.ok;
  } catch {
    warn("The server does not answer. Is evouct gui still running?");
  }
}
function listen() {
  const events = new EventSource("events");
  events.addEventListener("state", (event) => show(JSON.parse(event.data)));
  events.addEventListener("analysis", (event) => {
    if (!state) return;
    state.analysis = JSON.parse(event.data);
    showAnalysis();
  });
  events.onerror = () => { if (state) warn("Connection lost; trying again …"); };
}

// The games, kinds and parameters that the server offers.
async function offered() {
  choices = choices || (await (await fetch("choices")).json());
  return choices;
}

// ---- the whole page
async function show(next) {
  // A state may be overtaken by a later one, also while the definitions come.
  const isOld = () => state && next.version < state.version;
  if (isOld()) return;
  const key = next.game + " " + next.rules.join(" ");
  if (defined !== key) {
    defined = key;
    ["legal", "feature", "projected", "left"].forEach((aid) => useful.delete(aid));
    try {
      const definitions = await (await fetch("definitions")).text();
      // Those of a later game may be here already; a later state of this game needs these.
      if (defined !== key) return;
      $("definitions").innerHTML = definitions;
      if (isOld()) return;
    } catch (problem) {
      defined = "";
      throw problem;
    }
  }
  state = next;
  const position = `${state.line} ${state.cursor} ${state.position.mine}`;
  if (position !== shownFor) {
    pick = { place: -1, form: 0, option: 0 };
    feature = -1;
    $("feature").textContent = "";
  }
  shownFor = position;
  $("game").textContent = `· ${state.game}`;
  state.seats.forEach(({ colour }, number) => document.documentElement.style.setProperty(`--s${number + 1}`, colour));
  $("turn").classList.toggle("wrong", Boolean(state.failure || state.position.problem));
  $("turn").textContent = turnWords();
  $("slider").max = state.turns.length;
  $("slider").value = state.cursor;
  $("slider").setAttribute("aria-valuetext", `turn ${state.cursor} of ${state.turns.length}`);
  for (const id of ["first", "back"]) $(id).disabled = state.cursor === 0;
  for (const id of ["on", "end"]) $(id).disabled = state.cursor === state.turns.length;
  $("undo").disabled = !state.undo;
  $("redo").disabled = !state.redo;
  $("pause").hidden = state.people && !state.paused;
  $("pause").textContent = state.paused ? "Go on" : "Pause";
  if (state.position.problem) return;
  showAids();
  showResult();
  showBoard();
  showSeats();
  showPieces();
  showAnalysis();
}
function showAids() {
  const { places, features, left } = scene();
  const found = { legal: places.length, feature: features.words.length, projected: isProjected() || state.turns.some((turn) => !isWon(turn.scores)), left: left.length };
  Object.keys(found).forEach((aid) => found[aid] && useful.add(aid));
  document.querySelectorAll("[data-aid]").forEach((box) => { box.parentElement.hidden = !useful.has(box.dataset.aid); });
}
function turnWords() {
  if (state.position.problem) return state.position.problem;
  if (state.failure) return `The game ended: ${state.failure}`;
  const last = state.turns[state.cursor - 1];
  const before = last ? `${name(last.seat)}: ${last.words}. ` : "";
  const saved = state.saved ? ` Saved in ${state.saved}.` : "";
  if (state.toMove === null) return `${before}The game is over. ${verdict()}${saved}`;
  const drawn = scene().drawn ? ` Drawn: ${scene().drawn.words || scene().drawn.name}.` : "";
  const who = state.position.mine ? `${name(state.toMove)} to play.` : `${name(state.toMove)} is to play${state.thinking && state.cursor === state.turns.length ? " and thinks" : ""}.`;
  return `${before}${who}${drawn}${saved}`;
}

// ---- the result
const finalScores = () => (state.turns.length ? state.turns[state.turns.length - 1].scores : []);
function winners() {
  const scores = finalScores(), most = Math.max(...scores);
  return scores.flatMap((score, seat) => (score === most ? [seat] : []));
}
function verdict() {
  const best = winners(), scores = finalScores(), names = best.map(name).join(" and ");
  const points = (score) => (state.points ? counted(score, "point") : String(score));
  const all = isWon(scores) ? "" : `${scores.map((score, seat) => `${name(seat)} ${points(score)}`).join(", ")}. `;
  if (scores.length < 2) return `The score is ${scores.join("")}.`;
  if (best.length === scores.length) return `${all}It is a draw.`;
  return `${all}${names} ${best.length > 1 || names === "You" ? "win" : "wins"}.`;
}
// The final score of each player, in large letters.
function showResult() {
  const scores = finalScores(), best = winners();
  $("result").hidden = state.toMove !== null || !scores.length;
  if ($("result").hidden) return;
  const outcome = (seat) => (scores.length < 2 ? null : best.length === scores.length ? "draw" : best.includes(seat) ? "won" : isWon(scores) ? "lost" : null);
  // What a seat has at the end of a game that is won or lost.
  const { names, facts } = state.position;
  const had = (seat) => names.map((fact, place) => (fact === "score" ? null : `${fact}: ${facts[seat][place]}`));
  const below = (seat) => (isWon(scores) ? had(seat) : [state.points ? "points" : null, outcome(seat)]).filter(Boolean).join(" · ");
  $("result").replaceChildren(...scores.map((score, seat) => make("div", { class: best.includes(seat) && best.length < scores.length ? "final best" : "final" },
    make("span", {}, make("span", { class: `seat s${seat + 1}` }), make("bdi", {}, name(seat))),
    make("strong", {}, isWon(scores) ? outcome(seat) : String(score)), make("small", {}, below(seat)))));
}

// ---- the board
function showBoard() {
  $("board").innerHTML = scene().board || "";
  $("keys").textContent = moveWords(scene());
  const svg = boardPicture();
  // There is no drawing, or a user's own game has drawn no picture.
  if (!svg) {
    $("board").replaceChildren(make("pre", {}, named(scene().words)));
    least = 0;
    return showPlaces();
  }
  // A drawing of a user's own game may have its size only.
  if (!svg.viewBox.baseVal?.width) svg.setAttribute("viewBox", `0 0 ${svg.width.baseVal.value || 100} ${svg.height.baseVal.value || 100}`);
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  svg.classList.add("board");
  // Where tiles would be too small for a finger, the board scrolls.
  if (!isList()) svg.style.minWidth = `${Math.round((svg.viewBox.baseVal.width * SMALLEST) / 100)}px`;
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", named(scene().words));
  if (isList()) svg.querySelectorAll("text, title").forEach((text) => { text.textContent = named(text.textContent); });
  for (const layer of ["highlight", "heat", "places", "chosen"]) svg.append(draw("g", { class: layer }));
  svg.addEventListener("pointermove", (event) => { if (aids.feature) point(svg, event); });
  svg.addEventListener("pointerleave", () => highlight(-1));
  least = fitBoard(svg);
  showPlaces();
  if (feature >= 0) highlight(feature);
  follow(svg);
}
const boardPicture = () => $("board").querySelector(":scope > svg");
// A layer of the board; without a board one that is not shown.
const layer = (name) => $("board").querySelector(`g.${name}`) || draw("g");
function showPlaces() {
  const places = layer("places");
  places.replaceChildren();
  if (state.position.mine && (aids.legal || pick.place >= 0)) {
    scene().places.forEach((place, number) => {
      if (!aids.legal && number !== pick.place) return;
      const rect = draw("rect", { class: number === pick.place ? "place picked" : "place", x: place.x + 3, y: place.y + 3, width: place.side - 6, height: place.side - 6, rx: 6, "data-place": number });
      rect.append(draw("title", {}, place.name));
      rect.addEventListener("click", () => choose(number, number === pick.place ? pick.form + 1 : 0, 0));
      places.append(rect);
    });
  } else if (state.position.mine) {
    // Without the aid a place is found by a click all the same.
    scene().places.forEach((place, number) => {
      const rect = draw("rect", { class: "place hidden", x: place.x, y: place.y, width: place.side, height: place.side, "data-place": number });
      rect.addEventListener("click", () => choose(number, 0, 0));
      places.append(rect);
    });
  }
  redraw($("chooser"), showChosen);
}
function choose(place, form, option) {
  if (!mine()) return;
  const forms = scene().places[place].forms.length;
  pick = { place, form: ((form % forms) + forms) % forms, option: 0 };
  const count = options().length;
  pick.option = ((option % count) + count) % count;
  showPlaces();
  const one = options()[pick.option];
  say(words(one.play));
}
function showChosen() {
  const chosen = layer("chosen"), chooser = $("chooser");
  chosen.replaceChildren();
  chooser.hidden = !state.position.mine;
  if (!state.position.mine) return;
  const places = scene().places;
  chooser.replaceChildren();
  if (isList()) {
    chooser.append(...scene().choices.map(({ play, words: said }, number) => make("button", { type: "button", "data-play": play, title: said === play ? null : play, "aria-keyshortcuts": number < 9 ? String(number + 1) : null, onclick: () => act({ do: "play", play }) }, said)));
    return;
  }
  const row = make("div", { class: "bar" });
  row.append(
    make("button", { type: "button", id: "previous-place", "aria-label": "Previous place", onclick: () => choose(pick.place < 0 ? places.length - 1 : (pick.place + places.length - 1) % places.length, 0, 0) }, "◀"),
    make("span", { class: "what" }, pick.place < 0 ? (places.length === 1 ? "Choose the only place" : `Choose one of ${places.length} places`) : places[pick.place].name),
    make("button", { type: "button", id: "next-place", "aria-label": "Next place", onclick: () => choose((pick.place + 1) % places.length, 0, 0) }, "▶"),
  );
  chooser.append(row);
  if (pick.place < 0) return;
  const place = places[pick.place], form = place.forms[pick.form];
  if (place.forms.length > 1) {
    row.append(make("button", { type: "button", id: "rotate", title: "Turn it (r)", "aria-keyshortcuts": "r", onclick: () => choose(pick.place, pick.form + 1, 0) }, `⟳ ${form.name}`));
  } else if (form.name) row.append(make("span", { class: "soft" }, form.name));
  const group = make("div", { class: "bar options", role: "radiogroup", "aria-label": "Figure or target" });
  options().forEach((one, number) => {
    group.append(make("button", { type: "button", role: "radio", "aria-checked": String(number === pick.option), "data-option": number, onclick: () => choose(pick.place, pick.form, number) }, one.option));
  });
  // A single move without a name needs no choice.
  if (options().some((one) => one.option)) chooser.append(group);
  chooser.append(make("div", { class: "bar" },
    make("button", { type: "button", id: "confirm", class: "main", title: "Play it (Enter)", onclick: confirm }, "Play"),
    make("button", { type: "button", id: "cancel", title: "Start again (Escape)", onclick: cancel }, "Cancel")));
  // The drawings come from the server, which made them of numbers and names of its own.
  const ghost = draw("g", { class: "ghost" });
  ghost.innerHTML = form.drawing;
  chosen.append(ghost);
  options().forEach((one, number) => {
    if (!one.drawing) return;
    const mark = draw("g", { class: number === pick.option ? "mark picked" : "mark", "data-option": number });
    mark.innerHTML = one.drawing;
    mark.append(draw("title", {}, one.option));
    mark.addEventListener("click", () => choose(pick.place, pick.form, number === pick.option ? 0 : number));
    chosen.append(mark);
  });
  chosen.append(draw("rect", { class: "frame", x: place.x + 2, y: place.y + 2, width: place.side - 4, height: place.side - 4, rx: 4 }));
  if (place.forms.length > 1) {
    const turn = draw("rect", { class: "turner", x: place.x, y: place.y, width: place.side, height: place.side });
    turn.addEventListener("click", () => choose(pick.place, pick.form + 1, 0));
    turn.append(draw("title", {}, "turn it"));
    chosen.insertBefore(turn, ghost.nextSibling);
  }
}
function confirm() {
  const one = isList() && scene().choices.length === 1 ? scene().choices[0] : options()[pick.option];
  if (!one || !mine()) return;
  // What is chosen is played once, however often the key is pressed.
  cancel();
  act({ do: "play", play: one.play });
}
function cancel() {
  pick = { place: -1, form: 0, option: 0 };
  showPlaces();
}
// The place in a direction from the one that is chosen, or the first one.
function move(dx, dy) {
  const places = scene().places;
  if (!places.length) return;
  if (pick.place < 0) return choose(0, 0, 0);
  const from = places[pick.place];
  let best = -1, least = Infinity;
  places.forEach((place, number) => {
    const along = (place.x - from.x) * dx + (place.y - from.y) * dy, across = Math.abs((place.x - from.x) * dy) + Math.abs((place.y - from.y) * dx);
    const cost = along + 2 * across;
    if (along > 0 && cost < least) [best, least] = [number, cost];
  });
  if (best >= 0) choose(best, 0, 0);
}
// On a small screen the last move stays in sight.
function follow(svg) {
  const last = svg.querySelector("path.last");
  if (!last || $("board").scrollWidth <= $("board").clientWidth) return;
  const box = last.getBoundingClientRect(), frame = $("board").getBoundingClientRect();
  $("board").scrollLeft += box.left + box.width / 2 - frame.left - frame.width / 2;
}

// ---- features
function point(svg, event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const { squares, masks } = scene().features;
  const square = squares.find((one) => at.x >= one.x && at.x < one.x + one.side && at.y >= one.y && at.y < one.y + one.side);
  if (!square) return highlight(-1);
  const mask = masks[square.mask], side = Math.round(Math.sqrt(mask.length));
  const place = (value, from) => Math.min(side - 1, Math.floor(((value - from) / square.side) * side));
  const part = mask[place(at.y, square.y) * side + place(at.x, square.x)];
  highlight(part === "." ? -1 : square.features[parseInt(part, 16)]);
}
function highlight(wanted) {
  if (wanted === feature && layer("highlight").childElementCount) return;
  feature = wanted;
  layer("highlight").replaceChildren();
  $("feature").textContent = wanted < 0 ? "" : scene().features.words[wanted];
  if (wanted < 0) return;
  const { squares, masks } = scene().features;
  let path = "";
  for (const square of squares) {
    if (!square.features.includes(wanted)) continue;
    const mask = masks[square.mask], side = Math.round(Math.sqrt(mask.length)), step = square.side / side;
    for (let row = 0; row < side; row += 1) {
      for (let column = 0; column < side; column += 1) {
        const owns = (at) => at < side && mask[row * side + at] !== "." && square.features[parseInt(mask[row * side + at], 16)] === wanted;
        if (!owns(column)) continue;
        let end = column;
        while (owns(end)) end += 1;
        path += `M${square.x + column * step} ${square.y + row * step}h${(end - column) * step}v${step}h${(column - end) * step}z`;
        column = end;
      }
    }
  }
  layer("highlight").append(draw("path", { d: path }));
}
function nextFeature(step) {
  const all = scene().features.words.map((text, number) => [text, number]).filter(([text]) => !text.includes("; no figure"));
  if (!all.length) return;
  const at = all.findIndex(([, number]) => number === feature);
  const [text, number] = all[(at + step + all.length) % all.length];
  highlight(number);
  say(text);
}

// ---- beside the board
// A player by its kind and its parameters; of long ones the kind alone.
const playerWords = ({ about, kind, player }) => about || (player.length > 40 ? `${kind} …` : player);
function showSeats() {
  const { names, facts } = state.position;
  const hide = (fact) => fact === "virtual" && !aids.projected;
  const label = { virtual: "projected" };
  const head = make("tr", {}, make("th", { scope: "col" }, "player"));
  names.forEach((fact) => { if (!hide(fact)) head.append(make("th", { scope: "col", class: "n" }, label[fact] || fact)); });
  const body = make("tbody");
  state.seats.forEach((seat, number) => {
    const own = make("tr", { class: number === state.toMove ? "chosen" : null });
    own.append(make("th", { scope: "row" }, make("span", { class: `seat s${number + 1}` }), make("bdi", {}, seat.name),
      seat.person ? null : make("small", { title: seat.player }, ` ${playerWords(seat)}`), seat.peeks ? make("small", {}, " (sees the deck)") : null));
    facts[number].forEach((fact, place) => { if (!hide(names[place])) own.append(make("td", { class: "n" }, String(fact))); });
    body.append(own);
  });
  $("seats").replaceChildren(make("thead", {}, head), body);
  const drawn = scene().drawn;
  $("drawn").replaceChildren();
  if (drawn) {
    const picture = make("div", { class: "piece" });
    picture.innerHTML = drawn.drawing;
    // What the name alone says stands above the board.
    if (drawn.drawing) {
      $("drawn").append(picture);
      // Where the players stand below the board, the picture is in the line above it, too.
      const small = make("span", { class: "piece", "aria-hidden": "true" });
      small.innerHTML = drawn.drawing;
      $("turn").append(small);
    }
    if (drawn.words) $("drawn").append(make("p", {}, make("strong", {}, `Drawn: ${drawn.name}`), make("br"), drawn.words));
  }
}
function showPieces() {
  const { left } = scene();
  $("left").hidden = !aids.left || !left.length;
  if ($("left").hidden) return;
  const count = left.reduce((sum, piece) => sum + piece.left, 0);
  $("h-left").textContent = `Still to come: ${count}`;
  $("pieces").replaceChildren(...left.map((piece) => {
    const shown = make("li", { class: piece.left ? null : "used", title: `${piece.name}: ${piece.words}, ${piece.left} of ${piece.of} left` });
    const picture = make("div", { class: "piece" });
    picture.innerHTML = piece.drawing;
    shown.append(picture, make("span", { "aria-hidden": "true" }, `${piece.left}/${piece.of}`), make("span", { class: "off" }, `${piece.name}, ${piece.words}: ${piece.left} of ${piece.of} left`));
    return shown;
  }));
}
function showTurns() {
  $("h-turns").textContent = isProjected() ? "Turns, with projected points" : "Turns";
  const losses = (aids.analysis && state.analysis && state.analysis.losses) || [];
  $("turns").replaceChildren(...state.turns.map((turn, number) => {
    const loss = losses[number];
    const lost = loss === null || loss === undefined ? null : make("small", { class: loss.points >= (state.points ? 2 : 0.5) ? "lost much" : "lost",
      title: `points lost against the best move${loss.at_least ? ": at least so many, because the search pruned this move" : ""}` }, lostWords(loss));
    const button = make("button", { type: "button", title: turn.formula ? `${turn.play}, by ${turn.formula}` : turn.play, "aria-current": number + 1 === state.cursor ? "true" : null, onclick: () => act({ do: "go", turn: number + 1 }) },
      make("span", { class: `seat s${turn.seat + 1}` }), make("span", { class: "off" }, `${name(turn.seat)} `), turn.words, " ", isWon(turn.scores) ? null : make("small", {}, turn.scores.join("–")), lost);
    return make("li", {}, button);
  }));
  const current = $("turns").querySelector("[aria-current]");
  if (current) $("turns").scrollTop = current.offsetTop - $("turns").clientHeight / 2;
}

// Where a game is won or lost, a point is much.
const decimals = () => (state.points ? 1 : 2);
const lostWords = ({ points, at_least }) => {
  const shown = points.toFixed(decimals()), none = Number(shown) === 0;
  return at_least ? `≤ ${none ? "0" : `−${shown}`}` : none ? "best" : `−${shown}`;
};

// ---- the analysis
// The move whose summands are shown; none shows those of the best.
let explained = "";
// A search that prunes a move knows only that it is worth no more than this.
const margin = (move) => (move.upper_bound ? "≤ " : "") + signed(move.mean, decimals());
const PRUNED = "at most: the search pruned this move when it could not be worth more";
function showAnalysis() {
  const analysis = state.analysis, here = analysis && analysis.here;
  $("analysis").hidden = !aids.analysis;
  layer("heat").replaceChildren();
  redraw($("turns"), showTurns);
  showCurve(state, aids, go, isWon, isProjected());
  if (aids.analysis) redraw($("moves"), () => showMoves(analysis, here));
}
function showMoves(analysis, here) {
  $("stop").disabled = !analysis || (analysis.running === null && !analysis.left && !analysis.follows);
  $("progress").textContent = !analysis ? "" : analysis.failure ? analysis.failure : [
    `${playerWords({ about: analysis.about, kind: analysis.player.split(":")[0], player: analysis.player })}${analysis.peeks ? " (sees the deck)" : ""}`,
    here ? `${here.nodes ? counted(here.nodes, "position") : counted(here.playouts, "playout")}${here.done ? "" : " so far"}` : "nothing found here yet",
    analysis.running === null ? null : `searching at turn ${analysis.running}`,
    analysis.left ? `${analysis.left} more to come` : null,
  ].filter(Boolean).join(" · ");
  const formula = (here && here.formula) || null;
  const used = state.turns[state.cursor] && state.turns[state.cursor].formula;
  $("formula").replaceChildren(...[
    formula ? make("span", {}, "Formula of the analysis: ", make("code", {}, formula)) : null,
    formula && used ? make("br") : null,
    used ? make("span", {}, `Formula with which ${name(state.turns[state.cursor].seat)} played: `, make("code", {}, used)) : null,
  ].filter(Boolean));
  const table = $("moves");
  table.replaceChildren();
  redraw($("terms"), () => showTerms($("terms"), here, words, choices?.games.find((one) => one.name === state.game)?.names, (play) => { explained = play; showAnalysis(); }, explained));
  if (!here || !here.moves.length) return;
  heat(here);
  const bounds = here.moves.slice(0, ROWS).some((one) => one.upper_bound);
  table.append(make("caption", {}, `Best of ${counted(here.considered, "move")} tried, values for ${name(here.seat)}${bounds ? "; ≤ is a bound, because the search pruned the move" : ""}`),
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "move"), make("th", { scope: "col", class: "n" }, "visits"), make("th", { scope: "col", class: "n", title: "expected margin, in points" }, "margin"))));
  const body = make("tbody");
  for (const one of here.moves.slice(0, ROWS)) {
    const is = [one.play === here.best ? "best" : "", one.play === here.played ? "played" : ""].join(" ").trim();
    const label = make("button", { type: "button", title: one.play, onclick: () => pickPlay(one.play) }, words(one.play));
    const row = make("tr", { class: is || null }, make("td", {}, label, one.play === here.played ? make("small", {}, " played") : null),
      make("td", { class: "n" }, String(Math.round(one.visits))), make("td", { class: "n", title: one.upper_bound ? PRUNED : null }, margin(one)));
    row.style.setProperty("--share", `${Math.round((100 * one.visits) / here.most)}%`);
    body.append(row);
  }
  table.append(body);
}
function pickPlay(play) {
  const one = scene().choices.find((choice) => choice.play === play);
  if (!one || !mine()) return;
  if (isList()) return $("chooser").querySelector(`[data-play="${CSS.escape(play)}"]`).focus();
  choose(one.place, one.form, 0);
  choose(one.place, one.form, options().findIndex((other) => other.play === play));
}
// The value of a move in letters of this size, in a place of this side: with a decimal less where they have no room, and
// nothing where no number has.
function heatWords(move, side, size) {
  const room = side / Math.max(size, least), whole = `${move.upper_bound ? "≤" : ""}${signed(move.mean, decimals() - 1)}`;
  return [margin(move), whole].find((words) => words.length * 0.58 <= room) || "";
}
// Each place by the visits of its moves, with the value of its best one. A piece that moves counts where it goes.
function heat(here) {
  if (isList()) return;
  const places = new Map();
  for (const move of here.moves) {
    const one = scene().choices.find((choice) => choice.play === move.play);
    if (!one) continue;
    const target = one.option && one.drawing.match(/ x="([\d.]+)" y="([\d.]+)" width="([\d.]+)".* class="target"/);
    const key = target ? target[0] : one.place;
    const cell = target ? { name: words(one.play), x: Number(target[1]), y: Number(target[2]), side: Number(target[3]) } : scene().places[one.place];
    const sum = places.get(key) || { visits: 0, best: move, cell, isTarget: Boolean(target) };
    sum.visits += move.visits;
    if (move.visits > sum.best.visits) sum.best = move;
    places.set(key, sum);
  }
  const most = Math.max(...[...places.values()].map((sum) => sum.visits));
  for (const sum of [...places.values()].sort((a, b) => b.visits - a.visits).slice(0, 12)) {
    // A piece may stand where another one goes: a ring leaves it readable.
    const { cell: place, isTarget: isHeld } = sum, share = sum.visits / most, middle = place.side / 2;
    const size = place.side < 100 ? CELL : 24;
    const group = draw("g", { class: `hot${size === CELL ? " cell" : ""}${isHeld ? " held" : ""}`, "data-visits": Math.round(sum.visits) });
    const value = heatWords(sum.best, place.side, size), centre = { cx: place.x + middle, cy: place.y + middle };
    group.append(isHeld ? draw("circle", { ...centre, r: middle * 0.86, "stroke-width": (middle * (0.06 + 0.14 * share)).toFixed(1) })
      : draw("circle", { ...centre, r: middle * (0.35 + 0.45 * Math.sqrt(share)), "fill-opacity": (0.25 + 0.6 * share).toFixed(2) }),
      !value ? "" : draw("text", { x: place.x + middle, ...(isHeld ? { y: place.y - 5, dy: ".8em" } : { y: place.y + middle, dy: ".35em" }) }, value), draw("title", {}, `${place.name}: ${counted(Math.round(sum.visits), "visit")}, margin ${margin(sum.best)}${sum.best.upper_bound ? `, ${PRUNED}` : ""}`));
    layer("heat").append(group);
  }
}

// ---- keys and buttons
const go = (turn) => { if (turn >= 0 && turn <= state.turns.length) act({ do: "go", turn }); };
const commands = {
  new: async () => newGame(act, await offered(), state), load: async () => openGames(act, await offered()), save: () => act({ do: "save" }), rules: async () => rules(await offered(), state), help,
  first: () => go(0), back: () => go(state.cursor - 1), on: () => go(state.cursor + 1), end: () => go(state.turns.length),
  undo: () => act({ do: "undo" }), redo: () => act({ do: "redo" }), pause: () => act({ do: "pause", paused: !state.paused }),
  analyse: () => act({ do: "analyse", player: $("analyst").value, all: false }), all: () => act({ do: "analyse", player: $("analyst").value, all: true }), stop: () => act({ do: "stop" }),
};
for (const [id, command] of Object.entries(commands)) $(id).addEventListener("click", () => state && command());
$("slider").addEventListener("change", () => go(Number($("slider").value)));
const keys = {
  "?": "help", n: "new", o: "load", s: "save", h: "rules", u: "undo", y: "redo", "[": "back", "]": "on", Home: "first", End: "end", p: "pause", a: "analyse", w: "all", x: "stop",
};
document.addEventListener("keydown", (event) => {
  if (!state || !state.position.scene || $("dialog").open || event.altKey || event.ctrlKey || event.metaKey) return;
  // The field of a dialog that has just been closed keeps the focus until the page is drawn again.
  const field = event.target.closest("input, select, textarea");
  if (field && !field.closest("dialog:not([open])")) return;
  const command = keys[event.key];
  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const inList = event.target.closest("#turns, .scroll, #chooser");
  if (command) {
    if (!$(command).disabled && !$(command).hidden) commands[command]();
  } else if (arrows[event.key] && !inList && state.position.mine) move(...arrows[event.key]);
  else if (event.key === "r" || event.key === "R") { if (pick.place >= 0) choose(pick.place, pick.form + (event.key === "r" ? 1 : -1), 0); }
  else if (event.key === "f" || event.key === "F") { if (pick.place >= 0) choose(pick.place, pick.form, pick.option + (event.key === "f" ? 1 : -1)); }
  else if (isList() && mine() && /^[1-9]$/.test(event.key)) $("chooser").querySelectorAll("[data-play]")[event.key - 1]?.click();
  else if (event.key === "i" || event.key === "I") nextFeature(event.key === "i" ? 1 : -1);
  else if (event.key === "Escape") cancel();
  else if (event.key === "Enter" && !event.target.matches("button")) confirm();
  else return;
  event.preventDefault();
});
addEventListener("resize", () => {
  if (!state || !state.position.scene) return;
  least = boardPicture() ? fitBoard(boardPicture()) : 0;
  showAnalysis();
});
for (const box of document.querySelectorAll("[data-aid]")) {
  box.checked = aids[box.dataset.aid];
  box.addEventListener("change", () => {
    aids[box.dataset.aid] = box.checked;
    try { localStorage.setItem("evouct-aids", JSON.stringify(aids)); } catch { /* kept for this window only */ }
    if (state) show(state);
  });
}
offered().then(({ named }) => {
  const players = named.map(([, spec]) => spec).filter((spec) => !spec.startsWith("human") && !spec.startsWith("external"));
  const kinds = ["mcts", "mcts-rave", "siea-mcts", "flat-mc"].map((kind) => `${kind}:iterations=3000`);
  $("analysts").replaceChildren(...[...new Set(["champion", "hard", ...players, ...kinds, "star2"])].map((spec) => make("option", { value: spec })));
});
listen();
