import { $, counted, make } from "./elements.js";

function openDialog(title, ...content) {
  const dialog = $("dialog");
  dialog.replaceChildren(make("h2", { id: "dialog-title" }, title), ...content);
  if (!dialog.open) dialog.showModal();
}
const closeButton = () => make("button", { type: "button", onclick: () => $("dialog").close() }, "Close");
export function help() {
  const keys = [
    ["← ↑ → ↓", "choose a place"], ["r  R", "turn the piece, and back"], ["f  F", "choose the figure or the target"], ["1 … 9", "play a move of a list"], ["Enter", "play what is chosen, or the only move of a list"],
    ["Escape", "start choosing again"], ["u  y", "undo, redo"], ["[  ]", "one turn back, one on"], ["Home  End", "to the start, to the last turn"], ["p", "players wait, or go on"],
    ["i  I", "next or previous feature with figures"], ["a  w  x", "analyse here, analyse the whole game, stop"], ["n  o  s", "new game, open a game, save"], ["h", "the rules of the game"], ["?", "this list"],
  ];
  const list = make("dl");
  for (const [key, about] of keys) list.append(make("dt", {}, make("kbd", {}, key)), make("dd", {}, about));
  openDialog("Keys", list, make("div", { class: "bar" }, closeButton()));
}
// How a move is made in this position.
export function moveWords({ places, choices }) {
  if (!places.length) return choices.length ? "Choose one of the buttons below the board, or press its number; Enter plays the only one." : "";
  const noun = choices.some(({ drawing }) => drawing.includes('"target"')) ? "target" : "figure";
  const steps = ["Click a place or choose it with the arrow keys", places.some(({ forms }) => forms.length > 1) && "turn the piece with r", choices.some(({ option }) => option) && `choose its ${noun} with f`];
  return `${steps.filter(Boolean).join("; ")}. Then press Play or Enter; Escape starts again.`;
}
// The rules of the game on the table, and how a move is made.
export function rules(choices, state) {
  const game = choices.games.find((one) => one.name === state.game), move = state.position.scene && moveWords(state.position.scene);
  const told = (game?.how || "").split("\n").filter(Boolean);
  openDialog(`Rules: ${game?.about || state.game}`, make("div", { class: "rules" }, ...(told.length ? told : ["This game has no rules in words."]).map((text) => make("p", {}, text)),
    move && make("h3", {}, "A move here"), move && make("p", {}, move), state.rules.length ? make("p", { class: "soft" }, `Options of this game: ${state.rules.join(", ")}`) : null),
  make("div", { class: "bar" }, closeButton()));
}
// A recorded game as a row: its deck, its players by seat, its result and its length.
function gameRow(folder, game, open) {
  const result = `${game.scores.join("–")}${game.over ? "" : ", left"}`;
  // Each name keeps its direction of writing to itself.
  const players = game.players.flatMap((name, seat) => [seat ? " – " : null, make("bdi", {}, name)]);
  const row = make("tr", {}, make("td", { class: "n" }, String(game.deck)),
    make("td", {}, make("button", { type: "button", onclick: () => open(folder, game.id) }, ...players)), make("td", { class: "n" }, result), make("td", { class: "n" }, String(game.turns)));
  const names = game.players.join(" ").toLowerCase();
  // Each word is a part of a name, or the number of the deck.
  const fits = (words) => words.every((word) => names.includes(word) || word === String(game.deck));
  return { row, fits };
}
export async function openGames(act, { save }) {
  const answer = await fetch("games"), lists = await answer.json();
  if (!answer.ok) return openDialog("Open a recorded game", make("p", { class: "wrong" }, lists.error), make("div", { class: "bar" }, closeButton()));
  const open = async (folder, id) => { if (await act({ do: "load", folder, id })) $("dialog").close(); };
  const head = ["deck", "players by seat", "result", "turns"].map((title, column) => make("th", { scope: "col", class: column === 1 ? null : "n" }, title));
  const table = make("table", { class: "games" }, make("thead", {}, make("tr", {}, ...head)));
  const groups = lists.map((list) => {
    const rows = list.games.map((game) => gameRow(list.folder, game, open)), note = (text, kind) => text && make("tr", {}, make("td", { colspan: "4", class: kind }, text));
    const body = make("tbody", {}, make("tr", {}, make("th", { scope: "rowgroup", colspan: "4" }, list.folder)), note(list.problem, "wrong"), ...rows.map(({ row }) => row),
      note(list.more ? `and ${list.more} more` : "", "soft"));
    table.append(body);
    return { body, rows };
  });
  const all = groups.flatMap(({ rows }) => rows), shown = () => [...table.querySelectorAll("tr:not([hidden]) button")].filter((button) => !button.closest("tbody").hidden);
  const count = make("span", { class: "soft", role: "status" }), find = make("input", { id: "find", type: "search", placeholder: "players, deck", autocomplete: "off", spellcheck: "false", autofocus: true });
  const filter = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter((word) => word && word !== "deck");
    all.forEach(({ row, fits }) => { row.hidden = !fits(words); });
    groups.forEach(({ body, rows }) => { body.hidden = words.length > 0 && rows.every(({ row }) => row.hidden); });
    const found = all.filter(({ row }) => !row.hidden).length;
    count.textContent = found === all.length ? counted(found, "game") : `${found} of ${counted(all.length, "game")}`;
  };
  find.addEventListener("input", filter);
  // Up and down go through the games that are shown; Enter in the filter opens the first one.
  const keys = (event) => {
    const buttons = shown(), at = buttons.indexOf(document.activeElement), step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && buttons.length) (buttons[at + step] || (step < 0 ? find : buttons[at])).focus();
    else if (event.key === "Enter" && event.target === find && buttons.length) buttons[0].click();
    else return;
    event.preventDefault();
  };
  filter();
  const box = make("div", { onkeydown: keys }, make("div", { class: "bar" }, make("label", { for: "find" }, "Find"), find, count), make("div", { class: "scroll" }, table));
  openDialog("Open a recorded game", lists.length ? box : make("p", {}, `Nothing is saved in ${save} yet.`), make("div", { class: "bar" }, closeButton()));
}
// A field for a parameter: a list of names, or a text whose hint is the default.
function field(row, id, change) {
  const label = make("label", { for: id, title: row.about }, row.name);
  const own = row.names.length && !row.several ? make("select", { id, onchange: change }, make("option", { value: "" }, `${row.default || "–"} (default)`), ...row.names.map((one) => make("option", { value: one }, one)))
    : make("input", { id, placeholder: row.default || row.values, title: `${row.about} ${row.values}`, oninput: change, autocomplete: "off", spellcheck: "false" });
  own.dataset.key = row.name;
  return make("div", { class: "field" }, label, own);
}
const given = (box) => [...box.querySelectorAll("[data-key]")].filter((own) => own.value).map((own) => [own.dataset.key, own.value]);
const set = (box, values) => box.querySelectorAll("[data-key]").forEach((own) => { own.value = values[own.dataset.key] ?? own.value; });
export function newGame(act, choices, state) {
  const game = make("select", { id: "new-game" }, ...choices.games.map((one) => make("option", { value: one.name, selected: one.name === state.game }, one.name)));
  const seed = make("input", { id: "new-seed", inputmode: "numeric", autocomplete: "off", value: String(BigInt(state.seed) + 1n) });
  const seats = make("div", { id: "new-seats" }), rules = make("details", {}, make("summary", {}, "Rules")), wrong = make("p", { class: "wrong", role: "alert" });
  const about = () => choices.games.find((one) => one.name === game.value);
  const addSeat = (wanted, label, parameters = {}) => {
    const number = seats.childElementCount + 1, id = `new-seat-${number}`;
    const option = (value, text, title) => make("option", { value, title }, text), kinds = about().kinds.filter((one) => !one.person);
    const person = about().kinds.find((one) => one.person), word = (name) => name[0].toUpperCase() + name.slice(1);
    const more = option("more", `more: ${kinds.length} kinds of player …`), all = make("optgroup", { label: "Kinds of player" }, ...kinds.map((one) => option(one.name, one.name, one.about)));
    const kind = make("select", { id, "aria-label": `Player ${number}` }, person && option(person.name, "a person"), ...about().levels.map((level) => option(`level:${level.name}`, `${word(level.name)} (${level.about})`)),
      ...choices.named.map(([named, spec]) => option(`named:${spec}`, named)), more);
    // The kinds are many, so that they are there once they are asked for.
    const unfold = () => more.replaceWith(all);
    if (kinds.some((one) => one.name === wanted)) unfold();
    const title = make("input", { "aria-label": `Name of player ${number}`, value: label, maxlength: "60", class: "title" }), details = make("details");
    const fill = () => {
      const known = about().kinds.find((one) => one.name === kind.value);
      details.replaceChildren(make("summary", {}, "Parameters"), make("p", { class: "soft" }, known ? known.about : ""), ...(known ? known.parameters.map((row) => field(row, `${id}-${row.name}`)) : []));
      details.hidden = !known || !known.parameters.length;
    };
    kind.value = wanted;
    if (!kind.value) kind.selectedIndex = 0;
    // A name in words that no other seat has.
    const free = (name) => {
      const taken = [...seats.querySelectorAll("input.title")].filter((other) => other !== title).map((other) => other.value);
      for (let count = 1; ; count += 1) if (!taken.includes(count > 1 ? `${name} ${count}` : name)) return count > 1 ? `${name} ${count}` : name;
    };
    kind.addEventListener("change", () => {
      if (kind.value === "more") {
        unfold();
        kind.value = kinds[0].name;
      }
      fill();
      const [source, name] = kind.value.includes(":") ? kind.value.split(/:(.*)/s) : ["kind", kind.value];
      title.value = free(source === "named" ? kind.selectedOptions[0].textContent : source === "level" ? word(name) : name === "human" ? `Player ${number}` : "Opponent");
    });
    fill();
    set(details, parameters);
    seats.append(make("fieldset", {}, make("legend", {}, `Player ${number}`), make("div", { class: "bar" }, kind, title), details));
  };
  const begin = () => {
    seats.replaceChildren();
    const kept = game.value === state.game ? state.seats : null;
    const levelled = (player) => (about().levels.some(({ name }) => name === player) ? `level:${player}` : player);
    if (kept) kept.forEach((seat) => {
      const own = choices.named.find(([named]) => named === seat.name);
      addSeat(own ? `named:${own[1]}` : seat.level ? `level:${seat.level}` : seat.kind, seat.name, own || seat.level ? {} : seat.parameters);
    });
    else about().seats.forEach(({ name, player }) => addSeat(levelled(player), name));
    rules.replaceChildren(make("summary", {}, "Rules"), ...about().rules.filter((row) => row.name !== "seats").flatMap((row) => [field(row, `rule-${row.name}`), make("p", { class: "soft" }, row.about)]));
    if (kept) set(rules, state.options);
    const several = about().rules.some((row) => row.name === "seats");
    more.hidden = fewer.hidden = !several;
  };
  const more = make("button", { type: "button", onclick: () => { if (seats.childElementCount < 6) addSeat("human", `Player ${seats.childElementCount + 1}`); } }, "One more player");
  const fewer = make("button", { type: "button", onclick: () => { if (seats.childElementCount > 2) seats.lastElementChild.remove(); } }, "One fewer");
  game.addEventListener("change", begin);
  const start = async () => {
    const players = [...seats.children].map((seat) => {
      const kind = seat.querySelector("select").value, parameters = given(seat).map(([key, value]) => `${key}=${value}`).join(",");
      const player = /^(named|level):/.test(kind) ? kind.slice(6) : parameters ? `${kind}:${parameters}` : kind;
      return { name: seat.querySelector("input.title").value.trim() || player, player };
    });
    wrong.textContent = "";
    if (await act({ do: "new", game: game.value, seed: seed.value.trim() || "0", rules: Object.fromEntries(given(rules)), seats: players })) $("dialog").close();
    else wrong.textContent = $("turn").textContent;
  };
  openDialog("New game", make("div", { class: "bar" }, make("label", { for: "new-game" }, "Game"), game, make("label", { for: "new-seed" }, "Seed"), seed), seats, make("div", { class: "bar" }, more, fewer), rules, wrong,
    make("div", { class: "bar" }, make("button", { type: "button", id: "start", class: "main", onclick: start }, "Start"), closeButton()));
  begin();
  $("start").focus();
}
