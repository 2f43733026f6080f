// What mdBook leaves out for people who read with the keyboard or a screen reader.
"use strict";
(() => {
  // The label that shows the list of chapters is a button.
  const toggle = document.getElementById("mdbook-sidebar-toggle");
  toggle.setAttribute("role", "button");
  toggle.tabIndex = 0;
  toggle.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    toggle.click();
  });
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
