import { $, draw, make } from "./elements.js";

// The course of the game: what the seats would score after each turn, and what the analysis expects.
export function showCurve(state, aids, go, isWon, isProjected) {
  const turns = state.turns, box = $("curve"), name = (seat) => state.seats[seat].name;
  box.replaceChildren();
  if (turns.length < 2) return;
  // Where only the end of a game has a score, there is no course but what the analysis expects.
  const two = state.seats.length === 2, won = turns.every((turn) => isWon(turn.scores)), margins = two && aids.analysis && state.analysis ? state.analysis.margins : null;
  if (won ? !margins?.some((value) => typeof value === "number") : !aids.projected) return;
  const width = 380, height = 126, bottom = 10, top = 14;
  const lines = won ? [] : two ? [{ type: "lead", values: [0, ...turns.map((turn) => turn.scores[0] - turn.scores[1])] }]
    : state.seats.map((_, seat) => ({ type: `line s${seat + 1}`, values: [0, ...turns.map((turn) => turn.scores[seat])] }));
  if (margins) lines.push({ type: "expected", values: margins });
  const all = lines.flatMap((line) => line.values).filter((value) => typeof value === "number");
  const low = Math.min(won ? -1 : 0, ...all), high = Math.max(1, ...all);
  // The names of the values have letters of 15 units, of which none may be cut.
  const label = (value) => String(Math.round(value)).replace("-", "−"), left = 9 + 9 * Math.max(...[low, high, 0].map((value) => label(value).length));
  const x = (turn) => left + ((width - left - 6) * turn) / turns.length, y = (value) => top + (height - top - bottom) * (1 - (value - low) / (high - low));
  const whose = name(0) === "You" ? "Your" : `${name(0)}’s`, last = lines[0].values[state.cursor];
  const title = won ? `${whose} expected result: 1 is a win, −1 a loss` : two ? `${whose}${isProjected ? " projected" : ""} lead in points` : isProjected ? "Projected points" : "Points";
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title}, after each turn${typeof last === "number" ? `, now ${Math.round(10 * last) / 10}` : ""}` });
  for (const value of [0, low, high]) {
    svg.append(draw("path", { class: "grid", d: `M${left} ${y(value)}H${width - 6}` }));
    if (value === 0 || Math.abs(y(value) - y(0)) > 14) svg.append(draw("text", { x: left - 5, y: y(value) + 5, class: "end" }, label(value)));
  }
  svg.append(draw("path", { class: "now", d: `M${x(state.cursor)} ${top}V${height - bottom}` }));
  for (const line of lines) {
    let path = "", up = true;
    line.values.forEach((value, turn) => {
      if (typeof value !== "number") { up = true; return; }
      path += `${up ? "M" : "L"}${x(turn).toFixed(1)} ${y(value).toFixed(1)}`;
      up = false;
    });
    svg.append(draw("path", { class: line.type, d: path }));
    if (line.type === "expected") line.values.forEach((value, turn) => { if (typeof value === "number") svg.append(draw("circle", { class: "expected", cx: x(turn), cy: y(value), r: 2.5 })); });
  }
  svg.addEventListener("click", (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    go(Math.max(0, Math.min(turns.length, Math.round(((at.x - left) / (width - left - 6)) * turns.length))));
  });
  box.append(svg, make("p", {}, `${title}, by turn${margins && !won ? " (thick: expected)" : ""}`));
}
