// --- hands on it ---

function showKeys() {
  stop();
  byId("keys").showModal();
}

function plain(event) {
  return !event.defaultPrevented && !event.button
    && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

document.addEventListener("click", (event) => {
  if (!plain(event) || !(event.target instanceof Element)) return;
  const button = event.target.closest("[data-button]");
  const link = event.target.closest("a[data-go]");
  if (button) {
    event.preventDefault();
    press(button.dataset.button);
  } else if (link && (stage.contains(link) || panel.contains(link))) {
    event.preventDefault();
    stop();
    go(Number(link.dataset.go));
  } else if (event.target.closest("#flip") && shown && !stage.dataset.view) {
    event.preventDefault();
    turn();
  } else if (event.target.closest("#stage .plate")) {
    // The plate of a seat leads to its view; that of the view, back to all hands.
    const { seat } = event.target.closest(".seat").dataset;
    const view = stage.dataset.view === seat ? "[data-shown]" : `[data-seat="${seat}"]`;
    panel.querySelector(`.views ${view}`)?.click();
  } else if (event.target.closest("#hide-hands") && other) {
    event.preventDefault();
    if (!shown.from) hide();
  } else if (event.target.closest("[data-shown]") && shown?.from && !stage.dataset.view) {
    event.preventDefault();
    hide();
  }
});

const keys = {
  ArrowLeft: "previous",
  ArrowRight: "next",
  k: "previous",
  j: "next",
  ArrowUp: "previous-trick",
  ArrowDown: "next-trick",
  PageUp: "previous-trick",
  PageDown: "next-trick",
  Home: "first",
  End: "last",
};
const others = {
  f: () => (stage.dataset.view || !shown ? byId("flip").click() : turn()),
  h: () => (other ? hide() : byId("hide-hands").click()),
  l: () => byId("show-legal").click(),
  "?": showKeys,
};

addEventListener("keydown", (event) => {
  if (event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return;
  const here = event.target;
  if (document.querySelector("dialog[open]")) return;
  if (here.closest("input:not([type=checkbox]), select, textarea, .table-scroll, [contenteditable]")) return;
  if (event.key === " ") {
    if (here.closest("button, summary, input")) return; // there the space bar has its own meaning
    event.preventDefault();
    toggleAutoplay();
  } else if (keys[event.key]) {
    event.preventDefault();
    press(keys[event.key]);
  } else if (others[event.key]) {
    event.preventDefault();
    loaded.catch(() => {}).then(others[event.key]);
  } else if (event.key === "Escape") {
    if (byId("result").firstElementChild && !panel.classList.contains("is-open")) press("previous");
    else closePanel();
  }
});

seek.addEventListener("input", () => {
  stop();
  go(Number(seek.value));
});
seek.form.addEventListener("submit", (event) => event.preventDefault());

// A swipe over the table is a step.
let touch = null;
box.addEventListener("touchstart", (event) => {
  touch = event.touches.length === 1 ? event.touches[0] : null;
}, { passive: true });
box.addEventListener("touchend", (event) => {
  if (!touch) return;
  const end = event.changedTouches[0];
  const x = end.clientX - touch.clientX;
  const y = end.clientY - touch.clientY;
  const seat = event.target.closest?.(".seat");
  touch = null;
  if (Math.abs(x) >= 50 && Math.abs(x) >= 2 * Math.abs(y)) {
    press(x < 0 ? "next" : "previous");
  } else if (Math.abs(x) < 8 && Math.abs(y) < 8 && seat && !seat.classList.contains("at-0")) {
    // A tap opens a hand that lies too close to be read.
    table.open(seat);
  }
}, { passive: true });

autoplay.addEventListener("click", toggleAutoplay);
byId("help").addEventListener("click", showKeys);
byId("full-screen").addEventListener("click", () => {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.();
});
byId("copy-link").addEventListener("click", async (event) => {
  const button = event.currentTarget;
  await navigator.clipboard.writeText(new URL(`${prefix}${at}`, location.href).href);
  announcer.textContent = button.dataset.done;
  const text = button.textContent;
  button.textContent = button.dataset.done;
  setTimeout(() => (button.textContent = text), 1500);
});

keep("show-legal", "legal");
keep("speed", "speed");
document.documentElement.classList.add("js");
for (const part of document.querySelectorAll(".js-only")) part.hidden = false;
