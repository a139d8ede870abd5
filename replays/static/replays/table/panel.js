// --- the panel: three tabs; on a small screen, a sheet over the table ---

import { byId, remember, remembered } from "./table.js";

export const panel = byId("panel");
// Browsers without this media query get no tabs: the parts are below each other, as without a script.
export const tabs = matchMedia("(scripting: enabled)").matches ? [...panel.querySelectorAll('[role="tab"]')] : [];
// Keys that go to a step, with the button that does the same.
export const STEPS = {
  ArrowLeft: "previous", k: "previous", ArrowRight: "next", j: "next", PageUp: "previous-trick", PageDown: "next-trick",
  Home: "first", End: "last",
};
const partOf = (tab) => byId(tab.getAttribute("aria-controls"));

export function openTab(tab) {
  for (const one of tabs) {
    one.setAttribute("aria-selected", String(one === tab));
    one.tabIndex = one === tab ? 0 : -1;
    partOf(one).hidden = one !== tab;
  }
  followMove();
}

// Scroll the list of moves, but not the page, so that the move at the current step is visible.
export function followMove() {
  const moves = byId("moves");
  const current = moves?.querySelector("[aria-current]");
  if (!current) return;
  const top = current.getBoundingClientRect().top - moves.getBoundingClientRect().top;
  if (top < 20 || top > moves.clientHeight - 50) moves.scrollTop += top - moves.clientHeight / 2;
}

for (const tab of tabs) {
  partOf(tab).setAttribute("role", "tabpanel");
  partOf(tab).setAttribute("aria-labelledby", tab.id);
  partOf(tab).tabIndex = 0; // focusable, so that keys can scroll it
  tab.addEventListener("click", () => {
    openTab(tab);
    remember("panel-tab", tab.id);
  });
}
openTab(tabs.find((tab) => tab.id === remembered("panel-tab")) ?? tabs[0]);
panel.classList.toggle("has-tabs", tabs.length > 0);

// Handle these keys here, because outside the tabs they go to other steps.
panel.querySelector('[role="tablist"]').addEventListener("keydown", (event) => {
  if (event.metaKey || event.ctrlKey || event.altKey) return;
  const at = tabs.indexOf(event.target);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  const tab = tabs.at(to % tabs.length);
  tab.click();
  tab.focus();
});

export function closePanel() {
  if (panel.contains(document.activeElement)) byId("panel-link").focus();
  panel.classList.remove("is-open");
  byId("panel-link").setAttribute("aria-expanded", "false");
}

byId("panel-link").addEventListener("click", (event) => {
  event.preventDefault();
  byId("panel-link").setAttribute("aria-expanded", String(panel.classList.toggle("is-open")));
});
byId("close-panel").addEventListener("click", closePanel);
