// An evening at the table. What is entered stays on this phone until the archive has it. Which fields a sheet has,
// what may be tapped, the score and the totals come from the engine (`tarockEngine`): nothing here knows a rule.
document.documentElement.classList.add("js");
const texts = JSON.parse(document.getElementById("texts").textContent);
const addresses = JSON.parse(document.getElementById("addresses").textContent);
const app = document.getElementById("app");
const live = document.getElementById("live");
const language = document.documentElement.lang;

function text(name, values = {}) {
  return Object.entries(values).reduce((found, [key, value]) => found.replaceAll(`{${key}}`, value), texts[name]);
}

// An element: attributes, handlers (`onclick`), and children, of which empty ones are left out.
function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
  return made;
}

function button(label, onclick, attributes = {}) {
  return el("button", { type: "button", class: "button", onclick, ...attributes }, label);
}

function signed(points) {
  if (points === null || points === undefined) return "–";
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0";
}

const sense = (points) => (points > 0 ? "gain" : points < 0 ? "loss" : "none");

// Shown in the place of what was there; whoever had the focus has it again.
function replace(...children) {
  const focused = document.activeElement?.dataset?.key;
  app.replaceChildren(...children.flat().filter(Boolean));
  if (focused) app.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

// --- what is on the phone ---

// Evenings by their keys: `setup`, `dirty` (a setup that the archive does not have), `deals` by number, each with its
// `state`: waiting, checking (sent, not yet stored), sent, conflict, refused, removed (to be withdrawn).
const PREFIX = "evening:";
const evenings = new Map();

function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

function load() {
  evenings.clear();
  for (let at = 0; at < localStorage.length; at++) {
    const name = localStorage.key(at);
    const found = name.startsWith(PREFIX) && read(name);
    if (found) evenings.set(name.slice(PREFIX.length), found);
  }
}

function store(evening) {
  evenings.set(evening.setup.key, evening);
  try {
    localStorage.setItem(PREFIX + evening.setup.key, JSON.stringify(evening));
  } catch {
    say(text("phone_full"));
  }
}

function forget(evening) {
  evenings.delete(evening.setup.key);
  localStorage.removeItem(PREFIX + evening.setup.key);
}

const dealsOf = (evening) =>
  Object.values(evening.deals)
    .filter((entry) => entry.state !== "removed")
    .sort((one, other) => one.deal.n - other.deal.n);

const unsent = (evening) =>
  Object.values(evening.deals).filter((entry) => entry.state !== "sent").length + (evening.dirty ? 1 : 0);

const isPristine = (evening) => !unsent(evening) && !evening.draft;

// --- a word at the edge of the screen ---

let silence = 0;

function say(what, action = null) {
  clearTimeout(silence);
  live.replaceChildren(el("span", {}, what), action ?? "");
  live.hidden = false;
  silence = setTimeout(() => (live.hidden = true), action ? 12000 : 6000);
}

// --- the engine ---

function ask(question) {
  return tarockEngine.ask({ ...question, language }).then((answer) => {
    if (answer.error) throw new Error(answer.error.message);
    return answer;
  });
}

function standing(evening, next = {}) {
  return ask({
    ask: "evening",
    setup: evening.setup,
    deals: dealsOf(evening).map((entry) => entry.deal),
    ...next,
  });
}
