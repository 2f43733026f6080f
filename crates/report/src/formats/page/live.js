// In a list of runs the page leads back to it.
if (/\/run\/[0-9a-f]{16}\/$/.test(location.pathname)) {
  const link = document.createElement("a");
  link.href = "../../";
  link.textContent = "All runs";
  document.querySelector("header").prepend(link);
}
// The page of a run in progress: polls for new games every few seconds and reloads, unless the focus is in a game.
setInterval(async () => {
  try {
    const answer = await fetch("state");
    const state = await answer.json();
    const note = document.getElementById("live");
    if (state.version === note.dataset.version) return;
    const watched = document.activeElement && document.activeElement.closest(".game");
    note.textContent = `${state.finished} of ${state.scheduled} ${state.scheduled === 1 ? "game" : "games"} finished. `;
    if (watched) {
      const link = document.createElement("a");
      link.href = "";
      link.textContent = "Reload";
      note.append(link);
    } else location.reload();
  } catch {
    document.getElementById("live").textContent = "The server does not answer; this is the last report.";
  }
}, 5000);
