// Elements of the page.
export const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
// An element with attributes; a text or elements as content. Text never becomes markup.
export const make = (name, attributes = {}, ...content) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...content.filter((part) => part !== null && part !== undefined));
  return made;
};
export const draw = (name, attributes = {}, text) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
};
// A number with its sign, with one decimal if nothing else is said.
export const signed = (value, decimals = 1) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(decimals);
// A number of things with its noun.
export const counted = (number, one) => `${number} ${one}${number === 1 ? "" : "s"}`;
