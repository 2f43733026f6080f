// The list of runs: a search field, and news of the server every few seconds.
const search = document.getElementById("search"), list = document.querySelector("form.runs tbody");
for (const part of [search, search.previousElementSibling]) part.hidden = false;
const find = () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const row of list.rows) {
    const text = `${row.textContent} ${row.dataset.names}`.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
    found += !row.hidden;
  }
  document.getElementById("live").textContent = words.length ? `${found} of ${list.rows.length} found.` : "";
};
search.addEventListener("input", find);
// Two to eight runs are compared, with the one that was chosen first.
const form = document.querySelector("form.runs");
const button = form.querySelector("button[type=submit]"), unchosen = button.textContent;
let chosen = [];
const count = () => {
  const boxes = new Map(Array.from(list.querySelectorAll("input:checked"), (box) => [box.value, box]));
  chosen = [...new Set([...chosen, ...boxes.keys()])].filter((id) => boxes.has(id));
  button.disabled = chosen.length < 2 || chosen.length > 8;
  button.textContent = chosen.length ? `Compare with ${boxes.get(chosen[0]).closest("tr").querySelector("bdi").textContent}` : unchosen;
};
list.addEventListener("change", count);
count();
form.addEventListener("formdata", ({ formData }) => {
  formData.delete("run");
  for (const id of chosen) formData.append("run", id);
});
// Enter in the field sends no form.
search.addEventListener("keydown", (event) => { if (event.key === "Enter") event.preventDefault(); });
setInterval(async () => {
  const note = document.getElementById("live");
  try {
    const { version } = await (await fetch("state")).json();
    if (version === note.dataset.version) return;
    const page = new DOMParser().parseFromString(await (await fetch("report.html")).text(), "text/html");
    list.replaceChildren(...page.querySelector("form.runs tbody").rows);
    for (const box of list.querySelectorAll("input")) box.checked = chosen.includes(box.value);
    document.querySelector("header .lead").textContent = page.querySelector("header .lead").textContent;
    note.dataset.version = version;
    find();
    count();
  } catch {
    note.textContent = "The server does not answer; this is the last list.";
  }
}, 5000);
