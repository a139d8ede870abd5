// Stepping through a deal: the server makes each step, this only fetches and shows it.
const root = document.querySelector("[data-replay]");
const prefix = root.dataset.prefix;
const announcer = document.getElementById("announcer");
const seek = document.getElementById("seek");
const autoplay = document.getElementById("autoplay");
const speed = document.getElementById("speed");
const KEPT = 40;
const guessing = "guess" in root.dataset; // then nothing is fetched ahead: the play is to be guessed

const cache = new Map(); // step -> promise of the fragment's text
let wanted = Number(fragment().dataset.step);
let timer = 0;

function fragment() {
  return document.getElementById("fragment");
}

function shown() {
  return Number(new URLSearchParams(location.search).get("step") ?? 0);
}

function load(step) {
  let text = cache.get(step);
  if (!text) {
    text = fetch(`${prefix}${step}&fragment=1`, { headers: { "X-Requested-With": "fetch" } }).then((answer) => {
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      return answer.text();
    });
    text.catch(() => cache.delete(step));
    cache.set(step, text);
    if (cache.size > KEPT) cache.delete(cache.keys().next().value);
  }
  return text;
}

async function go(step, { push = true } = {}) {
  const last = Number(fragment().dataset.steps);
  step = Math.max(0, Math.min(step, last));
  if (step === Number(fragment().dataset.step) && step === wanted && push && step === shown()) return;
  wanted = step;
  let text;
  try {
    text = await load(step);
  } catch {
    location.assign(`${prefix}${step}`); // the plain way still works, or says what is wrong
    return;
  }
  if (wanted !== step) return; // somebody went on meanwhile
  show(text, step);
  if (push) history.pushState({ step }, "", `${prefix}${step}`);
  ahead(step);
}

function ahead(step) {
  if (!guessing && step < Number(fragment().dataset.steps)) load(step + 1).catch(() => {});
}

function show(text, step) {
  const old = fragment();
  const page = document.createElement("template");
  page.innerHTML = text;
  const fresh = page.content.getElementById("fragment");
  const opened = Array.from(old.querySelectorAll("details[open]"), (part) => part.id);
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  old.replaceWith(fresh);
  for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
  if (focused) {
    let next = focused.id && document.getElementById(focused.id);
    if (next && next.getAttribute("aria-disabled")) next = fresh.querySelector(".controls a[href]");
    (next || fresh.querySelector(".controls a[href]"))?.focus({ preventScroll: true });
  }
  const moves = page.content.getElementById("moves");
  if (moves) document.getElementById("moves").replaceWith(moves);
  mark(step);
  seek.max = fresh.dataset.steps;
  seek.value = step;
  const told = ["happened", "remark", "happenings", "comments", "guess-title"].map((id) => document.getElementById(id)?.textContent.replace(/\s+/g, " ").trim());
  announcer.textContent = [`${fresh.dataset.title}.`, ...told].filter(Boolean).join(" ");
}

function mark(step) {
  const moves = document.getElementById("moves");
  for (const link of moves.querySelectorAll("[aria-current]")) link.removeAttribute("aria-current");
  const link = moves.querySelector(`[data-go="${step}"]`);
  if (!link) return;
  link.setAttribute("aria-current", "step");
  // Only the list scrolls, never the page.
  const top = link.getBoundingClientRect().top - moves.getBoundingClientRect().top;
  if (top < 40 || top > moves.clientHeight - 60) moves.scrollTop += top - moves.clientHeight / 2;
}

function stop() {
  clearInterval(timer);
  timer = 0;
  autoplay.setAttribute("aria-pressed", "false");
}

function toggleAutoplay() {
  if (timer) return stop();
  autoplay.setAttribute("aria-pressed", "true");
  const tick = () => {
    const last = Number(fragment().dataset.steps);
    if (wanted >= last) return stop();
    go(wanted + 1);
  };
  timer = setInterval(tick, Number(speed.value));
  tick();
}

root.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-go]");
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  if (!link.hasAttribute("href")) return;
  stop();
  go(Number(link.dataset.go));
});

function trick(name) {
  const step = fragment().dataset[name];
  if (step !== "") go(Number(step));
}

const keys = {
  ArrowLeft: () => go(wanted - 1),
  ArrowRight: () => go(wanted + 1),
  Home: () => go(0),
  End: () => go(Number(fragment().dataset.steps)),
  PageUp: () => trick("previousTrick"),
  PageDown: () => trick("nextTrick"),
  f: () => document.getElementById("flip").click(),
  h: () => document.getElementById("hide-hands").click(),
  l: () => document.getElementById("show-legal").click(),
  "?": () => document.getElementById("keys").showModal(),
};

addEventListener("keydown", (event) => {
  if (event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return;
  const at = event.target;
  if (document.querySelector("dialog[open]")) return;
  if (at.closest("input:not([type=checkbox]), select, textarea")) return;
  if (event.key === " ") {
    if (at.closest("a, button, summary, input")) return; // there the space bar has its own meaning
    event.preventDefault();
    toggleAutoplay();
    return;
  }
  const action = keys[event.key];
  if (!action) return;
  // A list that has the focus keeps its own keys for scrolling up and down.
  event.preventDefault();
  if (event.key !== "f" && event.key !== "h" && event.key !== "l" && event.key !== "?") stop();
  action();
});

addEventListener("popstate", () => {
  stop();
  go(shown(), { push: false });
});

seek.addEventListener("input", () => {
  stop();
  go(Number(seek.value), { push: false });
});
seek.addEventListener("change", () => go(Number(seek.value)));
seek.form.addEventListener("submit", (event) => event.preventDefault());

// A swipe over the table is a step.
let touch = null;
root.addEventListener("touchstart", (event) => {
  touch = event.touches.length === 1 && event.target.closest(".table") ? event.touches[0] : null;
}, { passive: true });
root.addEventListener("touchend", (event) => {
  if (!touch) return;
  const end = event.changedTouches[0];
  const x = end.clientX - touch.clientX;
  const y = end.clientY - touch.clientY;
  touch = null;
  if (Math.abs(x) < 50 || Math.abs(x) < 2 * Math.abs(y)) return;
  stop();
  go(x < 0 ? wanted + 1 : wanted - 1);
}, { passive: true });

autoplay.addEventListener("click", toggleAutoplay);
speed.addEventListener("change", () => {
  if (timer) {
    stop();
    toggleAutoplay();
  }
});
document.getElementById("help").addEventListener("click", () => document.getElementById("keys").showModal());
document.getElementById("copy-link").addEventListener("click", async (event) => {
  const button = event.currentTarget;
  await navigator.clipboard.writeText(new URL(`${prefix}${wanted}`, location.href).href);
  announcer.textContent = button.dataset.done;
  const text = button.textContent;
  button.textContent = button.dataset.done;
  setTimeout(() => (button.textContent = text), 1500);
});

// The pack's colours are remembered in this browser.
const four = document.getElementById("four-colours");
try {
  four.checked = localStorage.getItem("four-colours") === "1";
  four.addEventListener("change", () => localStorage.setItem("four-colours", four.checked ? "1" : "0"));
} catch {
  // no storage: the box works all the same, for this page
}

document.documentElement.classList.add("js");
for (const part of root.querySelectorAll("[data-js]")) part.hidden = false;
mark(wanted);
ahead(wanted);
