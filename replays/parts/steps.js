// Stepping through a deal. The deal's frames are fetched once (where nothing may be told of what comes later, trick by
// trick); a frame says which card lies where and what is told.
// A card is one element, which moves from list to list. Nothing here knows a rule.
const byId = (id) => document.getElementById(id);
const stage = byId("stage");
const table = stage.querySelector(".table");
const box = stage.querySelector(".table-box");
const panel = byId("panel");
const announcer = byId("announcer");
const autoplay = byId("autoplay");
const seek = byId("seek");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const spoilers = stage.dataset.spoilers === "on";
const FLIGHT = 150;
const REST = 1.8; // so many times as long as another step a full trick lies still

const zones = new Map(Array.from(table.querySelectorAll("[data-zone]"), (list) => [list.dataset.zone, list]));
const seats = new Map(Array.from(table.querySelectorAll(".seat"), (seat) => [seat.dataset.seat, seat]));
const size = Number(table.dataset.size);
const seed = (name) => byId(`seed-${name}`).content.firstElementChild.cloneNode(true);
const sprite = seed("card").querySelector("use").getAttribute("href").split("#")[0];

let shown = null; // the document on the table: with open hands, or with all hands hidden
let other = null;
let at = Number(stage.dataset.step);
let turned = 0; // seats that the table was turned by since the page came
let prefix = stage.dataset.prefix;
let timer = 0;

// --- what is remembered in this browser ---

function remembered(name, fallback = "") {
  try {
    return localStorage.getItem(name) ?? fallback;
  } catch {
    return fallback;
  }
}

function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // no storage: it holds for this page
  }
}

function keep(id, name) {
  const control = byId(id);
  const box = control.type === "checkbox";
  if (box) control.checked = remembered(name) === "1";
  else control.value = remembered(name, control.value) || control.value;
  control.addEventListener("change", () => remember(name, box ? (control.checked ? "1" : "0") : control.value));
}

// --- the deal ---

async function frames(step, after) {
  const query = new URLSearchParams(`${prefix}${step}`);
  if (spoilers) query.delete("step");
  if (after !== undefined) query.set("after", after);
  const answer = await fetch(`${stage.dataset.frames}?${query}`, { headers: { "X-Requested-With": "fetch" } });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.json();
}

let coming = null; // frames that are on their way
let loaded = frames(at).then(({ hidden, ...open }) => {
  shown = open;
  other = hidden ?? null;
  furnish();
  mark();
  ahead();
});
// Without the frames each step is a page of its own, as without a script.
loaded.catch(() => {});

// The frames after those that are here: up to where the trick ends that a step belongs to.
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

// At the last step that is here the next ones are fetched, but not what is to be guessed.
function ahead() {
  if (shown.more && at === last() && !shown.frames[at].asks) more(at);
}

function furnish() {
  byId("moves").outerHTML = shown.moves;
  for (const link of byId("moves").querySelectorAll("a")) link.tabIndex = -1;
  byId("chart").innerHTML = shown.chart;
}

const last = () => shown.frames.length - 1;
const ended = () => at >= last() && !shown.more;
// Whether nothing is told of what comes after the step: a seat does not know it, nor does who asked not to.
const limited = () => "limited" in stage.dataset || Boolean(shown?.from);

// --- a step ---

async function go(step) {
  if (!shown) {
    try {
      await loaded;
    } catch {
      location.assign(`${prefix}${Math.max(0, step)}`);
      return;
    }
  }
  try {
    while (step > last() && shown.more) await more(last() + 1);
  } catch {
    location.assign(`${prefix}${step}`);
    return;
  }
  step = Math.max(0, Math.min(step, last()));
  if (step === at) return;
  draw(step, Math.abs(step - at) === 1);
  tell();
  history.replaceState(null, "", `${prefix}${step}`);
  ahead();
}

// A button, or what does the same. One that is pressed before the frames are there waits for them, and for the others.
let pressed = Promise.resolve();
function press(name) {
  stop();
  pressed = pressed.then(async () => {
    await loaded.catch(() => {});
    const step = shown ? target(name) : byId(`go-${name}`).href.match(/step=(\d+)/)?.[1];
    if (step !== undefined) await go(Number(step));
  });
}

function face(item, code, legal) {
  const card = item.querySelector("svg");
  const open = code !== "back";
  if (item.dataset.card !== code) {
    item.dataset.card = code;
    card.querySelector("use").setAttribute("href", `${sprite}#${code}`);
    card.setAttribute("aria-label", shown.names[code] ?? code);
    item.toggleAttribute("aria-hidden", false);
    if (!open) item.setAttribute("aria-hidden", "true");
  }
  card.setAttribute("class", open ? `card suit-${code[0]}${legal ? " is-legal" : ""}` : "card");
}

function draw(step, flies) {
  const before = shown.frames[at];
  const frame = shown.frames[step];
  const moves = flies && !still.matches && before ? leaving(before, frame) : [];
  at = step;
  const pool = new Map();
  const blank = new Map();
  for (const [name, list] of zones) {
    for (const item of list.children) {
      if (item.dataset.card !== "back") pool.set(item.dataset.card, item);
      else blank.set(name, [...(blank.get(name) ?? []), item]);
    }
  }
  const taken = (code, zone) => {
    const found = code === "back" ? blank.get(zone)?.pop() : pool.get(code);
    if (found) return found;
    const made = seed("card");
    made.dataset.card = "";
    return made;
  };
  const legal = new Set(frame.legal);
  for (const [name, codes] of Object.entries(frame.zones)) {
    const list = zones.get(name);
    if (!list) continue;
    const items = (codes ? codes.split(" ") : []).map((code) => {
      const item = taken(code, name);
      item.querySelector(".tag")?.remove();
      item.querySelector(".says")?.remove();
      item.removeAttribute("data-seat");
      item.className = "";
      face(item, code, legal.has(code));
      return item;
    });
    if (name.startsWith("pile-")) for (const item of items.slice(0, -1)) item.className = "face-down";
    fill(list, items);
    const away = list.closest(".put-away, .talon");
    if (away) away.hidden = !items.length;
  }
  drawTrick(frame.trick, (code) => taken(code, "trick"));
  for (const [letter, seat] of Object.entries(frame.seats)) drawSeat(letter, seat);
  fill(table.querySelector(".auction"), frame.auction.map(([letter, words]) => {
    const call = seed("call");
    call.querySelector("b").textContent = letter;
    call.querySelector("span").textContent = words;
    return call;
  }));
  byId("status").innerHTML = frame.status;
  byId("status").scrollTop = 0;
  byId("standing").innerHTML = frame.standing;
  byId("result").innerHTML = frame.result ? shown.result : "";
  if (byId("guess")) byId("guess").innerHTML = frame.guess ?? "";
  byId("at").textContent = step;
  stage.dataset.step = step;
  buttons();
  mark();
  fly(moves);
}

function fill(list, items) {
  let next = list.firstElementChild;
  for (const item of items) {
    if (item === next) next = next.nextElementSibling;
    else list.insertBefore(item, next);
  }
  while (next) {
    const gone = next;
    next = next.nextElementSibling;
    gone.remove();
  }
}

function drawTrick(trick, taken) {
  const list = zones.get("trick");
  fill(list, trick.plays.map(([letter, code, says, leads, wins, wrong]) => {
    let item = taken(code);
    if (!item.querySelector(".tag")) {
      const card = item.querySelector("svg");
      const play = seed("play");
      play.dataset.card = item.dataset.card;
      play.querySelector("svg").replaceWith(card);
      item.remove();
      item = play;
    }
    face(item, code, false);
    item.className = `at-${slot(letter)}${leads ? " leads" : ""}${wins ? " wins" : ""}${wrong ? " wrong" : ""}`;
    item.dataset.seat = letter;
    item.querySelector(".tag b").textContent = letter;
    const said = item.querySelector(".says");
    said.textContent = says;
    said.hidden = !says;
    return item;
  }));
  list.classList.toggle("done", trick.done);
  table.querySelector(".trick-title").textContent = trick.title;
}

function drawSeat(letter, seat) {
  const element = seats.get(letter);
  element.classList.toggle("on-turn", seat.turn);
  fill(element.querySelector(".roles"), seat.roles.map(([key, sign, label]) => {
    const role = seed("role");
    role.className = `role role-${key}`;
    role.title = label;
    role.firstElementChild.textContent = sign;
    role.lastElementChild.textContent = label;
    return role;
  }));
  const bubble = element.querySelector(".bubble");
  bubble.firstElementChild.textContent = seat.says;
  bubble.hidden = !seat.says;
  if (element.classList.contains("sits-out")) return;
  element.querySelector(".tricks").textContent = seat.tricks;
  element.querySelector(".points").textContent = seat.points;
  element.querySelector(".hand").setAttribute("aria-label", seat.hand);
  element.querySelector(".hand").classList.toggle("closed", seat.hand !== "" && frameHides(letter));
  element.querySelectorAll(".pile").forEach((pile, number) => pile.setAttribute("aria-label", seat.piles[number] ?? ""));
}

const frameHides = (letter) => (shown.frames[at].zones[`hand-${letter}-1`] ?? "").includes("back");

