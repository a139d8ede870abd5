// A frame on the table: it says which card lies where, and what is said. A card is one element, which moves from list to
// list. Nothing here knows a rule.
const byId = (id) => document.getElementById(id);
const stage = byId("stage");
const table = stage.querySelector(".table");
const box = stage.querySelector(".table-box");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const FLIGHT = 150;

const zones = new Map(Array.from(table.querySelectorAll("[data-zone]"), (list) => [list.dataset.zone, list]));
const seats = new Map(Array.from(table.querySelectorAll(".seat"), (seat) => [seat.dataset.seat, seat]));
const size = Number(table.dataset.size);
const seed = (name) => byId(`seed-${name}`).content.firstElementChild.cloneNode(true);
const sprite = seed("card").querySelector("use").getAttribute("href").split("#")[0];

let shown = null; // the document on the table: with open hands, or with all hands hidden
let at = Number(stage.dataset.step);
let turned = 0; // seats that the table was turned by since the page came

const slot = (letter) => (Number(seats.get(letter).dataset.slot) - turned + size) % size;

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

// Put the table to a step; with `flies`, what moves there is to be given to `fly` when all is drawn.
function lay(step, flies) {
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
  return moves;
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

// --- cards that fly ---

function place(frame) {
  const where = new Map();
  for (const [name, codes] of Object.entries(frame.zones)) for (const code of codes.split(" ")) if (code !== "back") where.set(code, name);
  for (const [, code] of frame.trick.plays) where.set(code, "trick");
  return where;
}

// The cards that change their place, with where they are now: to be asked before anything is drawn.
function leaving(before, frame) {
  const was = place(before);
  const is = place(frame);
  const found = [];
  for (const [code, zone] of is) {
    if (was.get(code) === zone) continue;
    const item = table.querySelector(`[data-card="${code}"] svg`);
    const hand = zone === "trick" ? seats.get(frame.trick.plays.find((play) => play[1] === code)[0]) : null;
    const from = item ?? hand?.querySelector(".hand li:last-child svg, .plate");
    if (from) found.push({ code, from: from.getBoundingClientRect() });
  }
  // A trick that was full is swept to who took it.
  if (before.trick.done && !(frame.trick.done && frame.trick.title === before.trick.title)) {
    const winner = before.trick.plays.find((play) => play[4])?.[0];
    const plate = winner && seats.get(winner).querySelector(".plate");
    if (plate) {
      for (const [, code] of before.trick.plays) {
        const item = zones.get("trick").querySelector(`[data-card="${code}"] svg`);
        if (item && !is.has(code)) found.push({ swept: item.cloneNode(true), from: item.getBoundingClientRect(), to: plate.getBoundingClientRect() });
      }
    }
  }
  return found;
}

function fly(moves) {
  const timing = { duration: FLIGHT, easing: "ease-out" };
  for (const { code, swept, from, to } of moves) {
    if (swept) {
      const edge = box.getBoundingClientRect();
      swept.classList.add("swept");
      swept.setAttribute("aria-hidden", "true");
      swept.style.left = `${from.left - edge.left}px`;
      swept.style.top = `${from.top - edge.top}px`;
      swept.style.width = `${from.width}px`;
      swept.style.height = `${from.height}px`;
      box.append(swept);
      const x = to.left + to.width / 2 - from.left - from.width / 2;
      const y = to.top + to.height / 2 - from.top - from.height / 2;
      swept.animate([{}, { transform: `translate(${x}px, ${y}px) scale(0.4)`, opacity: 0.2 }], timing).finished.finally(() => swept.remove());
      continue;
    }
    const card = table.querySelector(`[data-card="${code}"] svg`);
    if (!card) continue;
    const here = card.getBoundingClientRect();
    if (!here.width) continue;
    const start = `translate(${from.left - here.left}px, ${from.top - here.top}px) scale(${from.width / here.width || 1})`;
    card.animate([{ transform: start, transformOrigin: "0 0" }, { transform: "none", transformOrigin: "0 0" }], timing);
  }
}

// The deal on the front page: it plays by itself from its first lead to its end, once. Where motion is not wished, and
// where nobody sees it, it waits.
const PACE = 1300; // milliseconds from card to card
const REST = 1.8; // so many times as long as another step a full trick lies still
const READING = 30; // milliseconds that a letter of what is said takes a reader
const button = byId("opening-play");
const end = byId("opening-end");
let timer = 0;
let stopped = still.matches; // by the reader, or by his wish for no motion
let visible = false;

const last = () => shown.frames.findLastIndex((frame) => !frame.result);

const loaded = fetch(stage.dataset.frames).then(async (answer) => {
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  shown = await answer.json();
  button.hidden = false;
  schedule(0);
});
// Without the frames it stays a picture.
loaded.catch(() => {});

function step() {
  const moves = lay(at + 1, true);
  byId("status").innerHTML = shown.frames[at].status;
  byId("status").scrollTop = 0;
  fly(moves);
  schedule();
}

function schedule(pause) {
  clearTimeout(timer);
  timer = 0;
  const over = shown && at >= last();
  end.hidden = !over;
  if (shown && visible && !stopped && !document.hidden && !over) {
    const rest = PACE * (shown.frames[at].trick.done ? REST : 1);
    timer = setTimeout(step, pause ?? Math.max(rest, READING * byId("status").innerText.length));
  }
  button.dataset.state = over ? "over" : stopped ? "stopped" : "playing";
}

button.addEventListener("click", () => {
  if (at >= last()) {
    lay(Number(stage.dataset.step), false);
    byId("status").innerHTML = shown.frames[at].status;
    stopped = false;
  } else stopped = !stopped;
  schedule();
});
document.addEventListener("visibilitychange", () => schedule());
new IntersectionObserver(([{ isIntersecting }]) => {
  visible = isIntersecting;
  schedule();
}, { threshold: 0.3 }).observe(stage);
