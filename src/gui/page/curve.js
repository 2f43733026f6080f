import { $, draw, make } from "./elements.js";

// The course of the game: what the seats would score after each turn, and what the analysis expects.
export function showCurve(state, aids, go) {
  const turns = state.turns, box = $("curve"), name = (seat) => state.seats[seat].name;
  box.replaceChildren();
  if (turns.length < 2 || !aids.projected) return;
  const two = state.seats.length === 2, width = 380, height = 120, left = 32, bottom = 8, top = 8;
  const lines = two ? [{ type: "lead", values: [0, ...turns.map((turn) => turn.scores[0] - turn.scores[1])] }]
    : state.seats.map((_, seat) => ({ type: `line s${seat + 1}`, values: [0, ...turns.map((turn) => turn.scores[seat])] }));
  if (two && aids.analysis && state.analysis) lines.push({ type: "expected", values: state.analysis.margins });
  const all = lines.flatMap((line) => line.values).filter((value) => typeof value === "number");
  const low = Math.min(0, ...all), high = Math.max(1, ...all);
  const x = (turn) => left + ((width - left - 6) * turn) / turns.length, y = (value) => top + (height - top - bottom) * (1 - (value - low) / (high - low));
  const title = two ? `Lead of ${name(0)} in points` : "Projected points";
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title} after each turn, now ${all.length ? lines[0].values[state.cursor] : 0}` });
  for (const value of [0, low, high]) {
    svg.append(draw("path", { class: "grid", d: `M${left} ${y(value)}H${width - 6}` }));
    if (value === 0 || Math.abs(y(value) - y(0)) > 12) svg.append(draw("text", { x: left - 5, y: y(value) + 4, class: "end" }, String(Math.round(value)).replace("-", "−")));
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
  box.append(svg, make("p", {}, `${title}, by turn${two && aids.analysis && state.analysis ? " (thick: expected)" : ""}`));
}
