// The page of a run that goes on: looks every few seconds whether there is more, and loads it unless a game is being watched.
setInterval(async () => {
  try {
    const answer = await fetch("state");
    const state = await answer.json();
    const note = document.getElementById("live");
    if (state.version === note.dataset.version) return;
    const watched = document.activeElement && document.activeElement.closest(".game");
    note.textContent = `${state.finished} of ${state.scheduled} games now. `;
    if (watched) {
      const link = document.createElement("a");
      link.href = "";
      link.textContent = "Show them";
      note.append(link);
    } else location.reload();
  } catch {
    document.getElementById("live").textContent = "The server has gone; this is the report as it was.";
  }
}, 5000);
