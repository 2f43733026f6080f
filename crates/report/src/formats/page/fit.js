"use strict";
// Draws a board in this frame (x, y, width, height of the tiles; all of them if none is given). Text has at least 11 pixels: where the
// board is so small that its coordinates would have less, they grow, with the margin in which they stand; those that would touch one
// another are left out. The result is the size of the smallest letters in units of the drawing.
const MARGIN = 44, RIM = 6;
const fitBoard = (svg, frame) => {
  const NATURAL = 26, SIDE = 100, LEAST = 11.2;
  const [columns, rows] = [".columns", ".rows"].map((group) => svg.querySelector(group));
  const whole = wholeBoard(svg), [x, y, width, height] = frame || whole;
  let least = 0, grown = 1;
  // A wider margin makes the board smaller, so a few rounds are needed until both agree.
  for (let round = 0; round < 4; round += 1) {
    const scale = svg.clientWidth ? svg.getScreenCTM().a : 0;
    if (!scale) return 0;
    least = LEAST / scale;
    if (!columns) break;
    grown = Math.max(1, least / NATURAL);
    const margin = MARGIN * grown;
    svg.setAttribute("viewBox", `${x - margin} ${y - margin} ${width + margin + RIM} ${height + margin + RIM}`);
  }
  svg.style.setProperty("--least", `${least}px`);
  if (!columns) return least;
  columns.setAttribute("transform", `translate(0 ${y - whole[1] - 14 * (grown - 1)})`);
  rows.setAttribute("transform", `translate(${x - whole[0] - 23 * (grown - 1)} 0)`);
  const thin = (group, place, from, to, room) => {
    const labels = [...group.children], step = Math.ceil(room(Math.max(...labels.map((label) => label.textContent.length))) / SIDE);
    for (const label of labels) {
      const at = Number(label.getAttribute(place)), shown = at > from && at < to && Number(label.textContent) % step === 0;
      label.setAttribute("visibility", shown ? "visible" : "hidden");
    }
  };
  thin(columns, "x", x, x + width, (letters) => NATURAL * grown * (0.6 * letters + 0.3));
  thin(rows, "y", y, y + height, () => NATURAL * grown * 1.1);
  return least;
};
// The frame of all tiles of a drawing.
const wholeBoard = (svg) => {
  svg.dataset.box = svg.dataset.box || svg.getAttribute("viewBox");
  const [x, y, width, height] = svg.dataset.box.split(" ").map(Number);
  return svg.querySelector(".columns") ? [x + MARGIN, y + MARGIN, width - MARGIN - RIM, height - MARGIN - RIM] : [x, y, width, height];
};
