import { make } from "./elements.js";

// The moves whose summands can be looked at.
const MOVES = 8;
const number = (value) => (value < 0 ? "−" : "") + Math.abs(value).toLocaleString("en", { maximumFractionDigits: 3 });

// How much more a value is than another one.
const more = (value, other) => {
  const shown = number(Math.abs(value - other));
  return shown === "0" ? shown : (value < other ? "−" : "+") + shown;
};

// What the formula of the search sees in a move: a bar for each of its summands, which add up to its value. Another
// move is chosen by a list.
export function showTerms(box, here, words, names, choose, chosen) {
  const isOpen = box.querySelector("details")?.open;
  box.replaceChildren();
  const moves = here ? here.moves.slice(0, MOVES).filter((move) => move.terms) : [];
  if (!moves.length) return;
  const best = moves.find((move) => move.play === here.best) || moves[0];
  const move = moves.find((one) => one.play === chosen) || best;
  const select = make("select", { id: "explained", onchange: (event) => choose(event.target.value) },
    ...moves.map((one) => make("option", { value: one.play, selected: one === move }, words(one.play))));
  // All moves share one scale, so that their bars can be compared; the sum may be far from its summands.
  const known = moves.flatMap((one) => one.terms).filter((value) => typeof value === "number");
  const low = Math.min(0, ...known), high = Math.max(0, ...known), range = high - low || 1;
  const row = (name, value, other) => {
    const bar = make("span", { class: value < 0 ? "term less" : "term" });
    if (typeof value === "number") bar.append(make("span", { style: `left:${(100 * (Math.min(0, value) - low)) / range}%;width:${(100 * Math.abs(value)) / range}%` }));
    const difference = move === best || typeof value !== "number" || typeof other !== "number" ? "" : more(value, other);
    return make("tr", {}, make("th", { scope: "row" }, make("code", {}, name)), make("td", {}, bar), make("td", { class: "n" }, typeof value === "number" ? number(value) : "–"),
      move === best ? null : make("td", { class: "n" }, difference));
  };
  const heads = ["part", "", "value", ...(move === best ? [] : ["to the best"])];
  box.append(make("h3", {}, "What the formula sees in"), select, make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Parts of the formula" }, make("table", {},
    make("caption", {}, "The parts add up to the value by which the search chooses a move to try next"),
    make("thead", {}, make("tr", {}, ...heads.map((head, column) => (head ? make("th", { scope: "col", class: column > 1 ? "n" : null }, head) : make("td", {}))))),
    make("tbody", {}, ...here.terms.map((name, part) => row(name, move.terms[part], best.terms[part]))),
    make("tfoot", {}, make("tr", {}, make("th", { scope: "row" }, "sum"), make("td", {}), make("td", { class: "n" }, number(move.formula)), move === best ? null : make("td", { class: "n" }, more(move.formula, best.formula)))))));
  // What the letters mean.
  const used = new Set(here.terms.flatMap((term) => term.match(/[A-Za-z]\w*/g) || []));
  const meant = (names || []).filter(([name]) => used.has(name));
  if (meant.length) box.append(make("details", { open: isOpen }, make("summary", {}, "What the letters mean"), make("dl", {}, ...meant.flatMap(([name, about]) => [make("dt", {}, make("code", {}, name)), make("dd", {}, about.replace(/\.$/, ""))]))));
  const label = box.querySelector("h3");
  label.id = "h-terms";
  select.setAttribute("aria-labelledby", label.id);
}
