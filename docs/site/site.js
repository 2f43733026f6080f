// What mdBook leaves out for people who read with the keyboard or a screen reader.
"use strict";
(() => {
  // The label that shows the list of chapters gives way to a button. Names are those of mdBook 0.5.
  const label = document.getElementById("mdbook-sidebar-toggle"), shown = document.getElementById("mdbook-sidebar-toggle-anchor");
  const button = document.createElement("button");
  for (const { name, value } of label.attributes) if (name !== "id" && name !== "for") button.setAttribute(name, value);
  button.type = "button";
  button.append(...label.childNodes);
  button.addEventListener("click", () => label.click());
  const state = () => button.setAttribute("aria-expanded", shown.checked);
  shown.addEventListener("change", state);
  state();
  label.before(button);
  label.hidden = true;
  document.getElementById("mdbook-menu-bar").setAttribute("role", "banner");
  // What is wider than its frame is scrolled with the arrow keys.
  const frames = document.querySelectorAll(".table-wrapper, pre > code");
  const reach = () => {
    for (const frame of frames) {
      if (frame.scrollWidth > frame.clientWidth) frame.tabIndex = 0;
      else frame.removeAttribute("tabindex");
    }
  };
  addEventListener("resize", reach);
  reach();
})();
