// The replay. It fetches the deal's frames once, or trick by trick if later steps are secret. A frame
// contains the texts, and the place of each card.

import { STEPS, followMove, closePanel, panel } from "./table/panel.js";
import { CardTable, byId, keep, still } from "./table/table.js";

const stage = byId("stage");
const box = stage.querySelector(".table-box");
const announcer = byId("announcer");
const autoplay = byId("autoplay");
const seek = byId("seek");
const spoilers = stage.dataset.spoilers === "on";
const REST = 1.8; // a complete trick is shown longer by this factor

const table = new CardTable(box);

let shown = null; // the current document: with open hands or with all hands hidden
let other = null;
let at = Number(stage.dataset.step);
let prefix = stage.dataset.prefix;
let timer = 0;

// --- the deal ---

async function frames(step, after) {
  const query = new URLSearchParams(`${prefix}${step}`);
  if (spoilers) query.delete("step");
  if (after !== undefined) query.set("after", after);
  const answer = await fetch(`${stage.dataset.frames}?${query}`, { headers: { "X-Requested-With": "fetch" } });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.json();
}

let coming = null; // a pending request for frames
let loaded = frames(at).then(({ hidden, ...open }) => {
  shown = open;
  other = hidden ?? null;
  furnish();
  mark();
  ahead();
});
// If the frames can't be loaded, each step is a separate page, as without this script.
loaded.catch(() => {});

// Fetch the next frames, to the end of the trick that contains the step.
function more(step) {
  coming ??= frames(step, last()).then((document_) => {
    Object.assign(shown, document_, { frames: [...shown.frames, ...document_.frames] });
    furnish();
    mark();
  }).finally(() => (coming = null));
  loaded = coming;
  loaded.catch(() => {});
  return loaded;
}

// At the last loaded step, fetch the next frames, unless the reader has to guess first.
function ahead() {
  if (shown.more && at === last() && !shown.frames[at].asks) more(at);
}

function furnish() {
  table.names = shown.names;
  byId("moves").outerHTML = shown.moves;
  for (const link of byId("moves").querySelectorAll("a")) link.tabIndex = -1;
  byId("chart").innerHTML = shown.chart;
}

const last = () => shown.frames.length - 1;
const ended = () => at >= last() && !shown.more;
// Whether later steps are secret, because a seat does not know them or the reader hides spoilers.
const limited = () => "limited" in stage.dataset || Boolean(shown?.from);

// --- a step ---

async function go(step) {
  try {
    if (!shown) await loaded;
    while (step > last() && shown.more) await more(last() + 1);
  } catch {
    location.assign(`${prefix}${Math.max(0, step)}`);
    return;
  }
  step = Math.max(0, Math.min(step, last()));
  if (step === at) return;
  draw(step, Math.abs(step - at) === 1);
  tell();
  history.replaceState(null, "", `${prefix}${step}`);
  ahead();
}

// Handle a button or its key. Presses before the frames are loaded wait for the frames, in order.
let pressed = Promise.resolve();
function press(name) {
  stop();
  pressed = pressed.then(async () => {
    await loaded.catch(() => {});
    const step = shown ? target(name) : byId(`go-${name}`).href.match(/step=(\d+)/)?.[1];
    if (step !== undefined) await go(Number(step));
  });
}

function draw(step, flies) {
  const former = shown.frames[at];
  const frame = shown.frames[step];
  at = step;
  table.draw(frame, flies ? former : null);
  byId("status").innerHTML = frame.status;
  byId("status").scrollTop = 0;
  byId("standing").innerHTML = frame.standing;
  if (byId("guess")) byId("guess").innerHTML = frame.guess ?? "";
  byId("at").textContent = step;
  stage.dataset.step = step;
  buttons();
  mark();
  showResult(frame.result); // after the buttons, because a disabled one can't take the focus back
}

// The result gets the focus, and gives it back when it closes.
let focusedBefore = null;
function showResult(shows) {
  const area = byId("result");
  const hadFocus = area.contains(document.activeElement);
  area.innerHTML = shows ? shown.result : "";
  if (hadFocus) {
    // Among the moves, only the current one takes the focus.
    const move = byId("moves").contains(focusedBefore) && byId("moves").querySelector("[aria-current]");
    (move || focusedBefore)?.focus({ preventScroll: true });
  }
  if (!shows || document.activeElement === seek) return;
  focusedBefore = document.activeElement;
  stage.querySelector(".result").focus({ preventScroll: true });
}

const textsOf = (selector) => Array.from(byId("result").querySelectorAll(selector), (part) => part.textContent.trim());

function tell() {
  if (shown.frames[at].result) {
    const said = [shown.frames[at].title, ...textsOf("h2 > span"), textsOf(".finals li").join(", ")];
    announcer.textContent = `${said.join(". ")}.`;
    return;
  }
  const said = byId("status").cloneNode(true);
  for (const slug of said.querySelectorAll("a")) slug.remove();
  announcer.textContent = `${shown.frames[at].title}. ${said.textContent.replace(/\s+/g, " ").trim()}`;
}

function target(name) {
  const ends = [...shown.ends, last()];
  return {
    first: at ? 0 : undefined,
    previous: at ? at - 1 : undefined,
    "previous-trick": ends.findLast((end) => end < at),
    next: ended() ? undefined : at + 1,
    "next-trick": ended() ? undefined : shown.frames[at].foreseen ?? ends.find((end) => end > at),
    last: at < last() && spoilers ? last() : undefined,
  }[name];
}

function buttons() {
  for (const button of stage.querySelectorAll("[data-button]")) {
    const step = target(button.dataset.button);
    const off = step === undefined;
    button.role = off ? "link" : null;
    button.ariaDisabled = off ? "true" : null;
    if (!off) button.href = `${prefix}${step}`;
    else {
      button.removeAttribute("href");
      if (button === document.activeElement) button.tabIndex = 0;
    }
  }
}

function mark() {
  if (shown) seek.max = shown.frames[at].foreseen ?? last();
  seek.value = at;
  const moves = byId("moves");
  const old = moves.querySelector("[aria-current]");
  const link = moves.querySelector(`a[data-go="${at}"]`);
  old?.removeAttribute("aria-current");
  link?.setAttribute("aria-current", "step");
  // The list is a single tab stop.
  for (const one of moves.querySelectorAll('a[tabindex="0"]')) one.tabIndex = -1;
  (link ?? moves.querySelector("a")).tabIndex = 0;
  if (limited()) {
    for (const move of moves.querySelectorAll("a[data-go]")) move.closest("li").hidden = Number(move.dataset.go) > at;
    for (const group of moves.querySelectorAll(":scope > *")) {
      group.hidden = !group.querySelector("li:not([hidden]), .group-title a");
    }
  }
  // A comment may reveal later plays, so hide it until its trick is over.
  for (const comment of moves.querySelectorAll(".comment")) comment.hidden = Number(comment.dataset.step) > at;
  followMove();
  if (!link) moves.scrollTop = moves.scrollHeight; // the result comes after the last move
  if (moves.contains(document.activeElement)) link?.focus({ preventScroll: true });
  const chart = byId("chart");
  chart.hidden = limited() && shown && !ended();
  chart.querySelector("a.current")?.classList.remove("current");
  Array.from(chart.querySelectorAll("svg a[data-go]"))
    .filter((column) => Number(column.dataset.go) <= at).at(-1)?.classList.add("current");
  for (const name of ["share-link", "share-picture", "share-code"]) {
    byId(name).value = byId(name).value.replace(/step=\d+/, `step=${at}`);
  }
  const followers = document.querySelectorAll('#panel :is(.views, .modes) a, .share-links a[href*="step="]');
  for (const follower of followers) follower.href = follower.href.replace(/step=\d+/, `step=${at}`);
  byId("try-link").search = `${prefix}${at}`;
}

// --- turning the table, hiding hands ---

function turn() {
  const order = table.element.classList.contains("clockwise") ? 1 : table.size - 1;
  const next = (letter) => [...table.seats.keys()]
    .find((seat) => table.slot(seat) === (table.slot(letter) + order) % table.size);
  let near = next(nearest());
  // Skip seats that sit out, which have no cards.
  while (table.seats.get(near).classList.contains("sits-out")) near = next(near);
  table.turnTo(near);
  prefix = shown.turned[near] ?? prefix;
  buttons();
  mark();
  history.replaceState(null, "", `${prefix}${at}`);
}

const nearest = () => [...table.seats.keys()].find((letter) => !table.slot(letter));

function hide() {
  const steps = shown.from ? shown.back : other.from;
  [shown, other] = [other, shown];
  prefix = shown.turned[nearest()] ?? shown.prefix;
  furnish();
  draw(steps[at] ?? at, false);
  byId("hide-hands").removeAttribute("aria-current");
  panel.querySelector("[data-shown]").removeAttribute("aria-current");
  (shown.from
    ? byId("hide-hands")
    : panel.querySelector(stage.dataset.view ? `.views a[href*="view=${stage.dataset.view}"]` : "[data-shown]")
  ).setAttribute("aria-current", "true");
  tell();
  history.replaceState(null, "", `${prefix}${at}`);
}

// --- automatic play ---

const play = { label: autoplay.getAttribute("aria-label"), title: autoplay.title };

function playing(on) {
  autoplay.classList.toggle("is-on", on);
  autoplay.setAttribute("aria-label", on ? autoplay.dataset.pause : play.label);
  autoplay.title = on ? autoplay.dataset.pause : play.title;
}

function stop() {
  clearTimeout(timer);
  timer = 0;
  playing(false);
}

async function tick() {
  if (ended()) return stop();
  const this_ = timer;
  await go(at + 1);
  if (timer !== this_) return; // stopped in the meantime
  if (shown.frames[at].asks) return stop();
  const rest = shown.frames[at].trick.done ? REST : 1;
  timer = setTimeout(tick, Number(byId("speed").value) * rest);
}

async function toggleAutoplay() {
  if (timer) return stop();
  playing(true);
  timer = -1;
  try {
    await loaded;
  } catch {
    return stop();
  }
  if (!timer) return; // stopped in the meantime
  if (ended()) go(0);
  tick();
}

// While the reader guesses, go on to the next choice, unless the page shows the answer to a guess.
async function goOn() {
  if (!("guess" in stage.dataset) || byId("guess").querySelector(".guess-result")) return;
  await loaded;
  if (shown.frames[at].asks || ended() || timer) return;
  if (still.matches) byId("guess").querySelector("a")?.click();
  else toggleAutoplay();
}

// --- clicks, keys and touch ---

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
    // The plate of a seat leads to the seat's view. In that view, it leads back to all hands.
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

// Go to the next turning point of the deal, after the last one to the first.
function nextTurningPoint() {
  const steps = [...byId("chart").querySelectorAll(".turning-points [data-go]")].map((link) => Number(link.dataset.go));
  if (!steps.length) return;
  stop();
  go(steps.find((step) => step > at) ?? steps[0]);
}

const keys = { ...STEPS, ArrowUp: "previous-trick", ArrowDown: "next-trick" };
const others = {
  f: () => (stage.dataset.view || !shown ? byId("flip").click() : turn()),
  h: () => (other ? hide() : byId("hide-hands").click()),
  l: () => byId("show-legal").click(),
  t: nextTurningPoint,
  "?": showKeys,
};

addEventListener("keydown", (event) => {
  if (event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return;
  const here = event.target;
  if (document.querySelector("dialog[open]")) return;
  if (here.closest("input:not([type=checkbox]), select, textarea, .table-scroll, [contenteditable]")) return;
  if (event.key === " ") {
    if (here.closest("button, summary, input")) return; // the space bar activates these
    event.preventDefault();
    toggleAutoplay();
  } else if (keys[event.key]) {
    if (here.closest(".result") && /^Arrow(Up|Down)$/.test(event.key)) return; // these scroll it
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

// A swipe over the table goes to the next or previous step.
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
    // A tap opens a hand whose cards overlap too much to read.
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
goOn().catch(() => {});
document.documentElement.classList.add("js");
for (const part of document.querySelectorAll(".js-only")) part.hidden = false;
