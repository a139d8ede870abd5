// The table of the replay and of the board: it draws frames. A frame says which card lies where, and what stands at
// the seats and in the middle. A card is one element, which moves from list to list. Nothing here knows a rule.
const byId = (id) => document.getElementById(id);
const seed = (name) => byId(`seed-${name}`).content.firstElementChild.cloneNode(true);
const still = matchMedia("(prefers-reduced-motion: reduce)");
const FLIGHT = 150; // milliseconds

class CardTable {
  // `box` has the table in it.
  constructor(box) {
    this.box = box;
    this.element = box.querySelector(".table");
    this.names = {}; // of the cards by their codes
    this.turned = 0; // seats that the table was turned by since it was drawn
    this.size = Number(this.element.dataset.size);
    this.zones = new Map(Array.from(this.element.querySelectorAll("[data-zone]"), (list) => [list.dataset.zone, list]));
    this.seats = new Map(Array.from(this.element.querySelectorAll(".seat"), (seat) => [seat.dataset.seat, seat]));
    this.arch();
    this.sprite = seed("card").querySelector("use").getAttribute("href").split("#")[0];
  }

  // The place of a seat: 0 at the bottom, then clockwise.
  slot(letter) {
    return (Number(this.seats.get(letter).dataset.slot) - this.turned + this.size) % this.size;
  }

  // Turn the table so that this seat is at the bottom; whether it was not.
  turnTo(letter) {
    const by = this.slot(letter);
    this.turned = (this.turned + by) % this.size;
    const turn = (element, seat) =>
      (element.className = element.className.replace(/\bat-\d\b/, `at-${this.slot(seat)}`));
    for (const [seat, element] of this.seats) turn(element, seat);
    for (const item of this.zones.get("trick").children) turn(item, item.dataset.seat);
    this.arch();
    return by !== 0;
  }

  // Open a hand that lies too close to be read; one that is open is closed.
  open(seat) {
    for (const one of this.seats.values()) {
      one.classList.toggle("is-open", one === seat && !seat.classList.contains("is-open"));
    }
  }

  // Draw a frame. Cards fly from where they lie in the frame `before`; without one they do not. `bottom`: a seat to be
  // turned to at the same time.
  draw(frame, before = null, bottom = null) {
    const turns = bottom !== null && this.slot(bottom) !== 0;
    const moves = before && !still.matches ? this.leaving(before, frame, turns) : [];
    if (turns) this.turnTo(bottom);
    const taken = this.takeUp();
    const legal = new Set(frame.legal);
    for (const [name, codes] of Object.entries(frame.zones)) {
      this.lay(name, codes ? codes.split(" ") : [], taken, legal);
    }
    this.drawTrick(frame.trick, taken);
    for (const [letter, seat] of Object.entries(frame.seats)) this.drawSeat(letter, seat, frame);
    fill(this.element.querySelector(".auction"), frame.auction.map(([letter, words]) => {
      const call = seed("call");
      call.dataset.seat = letter;
      call.classList.toggle("long", words.length > 20); // too much for a column
      call.querySelector("b").textContent = letter;
      call.querySelector("span").textContent = words;
      return call;
    }));
    this.arch();
    this.fly(moves);
  }

  // The nearest hand lies on an arc: each card knows how far from the middle it is, from -1 to 1.
  arch() {
    const items = this.element.querySelectorAll(".at-0 .hand li");
    const most = Math.max(11, items.length - 1) / 2;
    items.forEach((item, place) => item.style.setProperty("--off", (place - (items.length - 1) / 2) / most));
  }

  // All cards that lie on the table, to be laid elsewhere: a function that gives each, or a new one.
  takeUp() {
    const pool = new Map();
    const blank = new Map();
    for (const [name, list] of this.zones) {
      for (const item of list.children) {
        if (item.dataset.card !== "back") pool.set(item.dataset.card, item);
        else blank.set(name, [...(blank.get(name) ?? []), item]);
      }
    }
    return (code, zone) => {
      const found = code === "back" ? blank.get(zone)?.pop() : pool.get(code);
      if (found) return found;
      const made = seed("card");
      made.dataset.card = "";
      return made;
    };
  }

  lay(name, codes, taken, legal) {
    const list = this.zones.get(name);
    if (!list) return;
    const items = codes.map((code) => {
      const item = taken(code, name);
      for (const part of [...item.children]) if (part.localName !== "svg") part.remove();
      item.removeAttribute("data-seat");
      item.className = "";
      this.face(item, code, legal.has(code));
      return item;
    });
    if (name.startsWith("pile-")) for (const item of items.slice(0, -1)) item.className = "face-down";
    fill(list, items);
    const away = list.closest(".put-away, .talon");
    if (away) away.hidden = !items.length;
  }

  face(item, code, legal) {
    const card = item.querySelector("svg");
    const open = code !== "back";
    if (item.dataset.card !== code) {
      item.dataset.card = code;
      card.querySelector("use").setAttribute("href", `${this.sprite}#${code}`);
      card.setAttribute("aria-label", this.names[code] ?? code);
      item.toggleAttribute("aria-hidden", false);
      if (!open) item.setAttribute("aria-hidden", "true");
    }
    card.setAttribute("class", open ? `card suit-${code[0]}${legal ? " is-legal" : ""}` : "card");
  }

  drawTrick(trick, taken) {
    const list = this.zones.get("trick");
    fill(list, trick.plays.map(([letter, code, says, leads, wins, wrong]) => {
      let item = taken(code, "trick");
      if (!item.querySelector(".tag")) {
        const card = item.querySelector("svg");
        const play = seed("play");
        play.dataset.card = item.dataset.card;
        play.querySelector("svg").replaceWith(card);
        item.remove();
        item = play;
      }
      this.face(item, code, false);
      item.className = `at-${this.slot(letter)}${leads ? " leads" : ""}${wins ? " wins" : ""}${wrong ? " wrong" : ""}`;
      item.dataset.seat = letter;
      item.querySelector(".tag b").textContent = letter;
      const said = item.querySelector(".says");
      said.textContent = says;
      said.hidden = !says;
      return item;
    }));
    list.classList.toggle("done", trick.done);
    this.element.querySelector(".trick-title").textContent = trick.title;
  }

  drawSeat(letter, seat, frame) {
    const element = this.seats.get(letter);
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
    element.querySelector(".won").dataset.won = Math.min(seat.tricks, 4);
    const hand = element.querySelector(".hand");
    hand.setAttribute("aria-label", seat.hand);
    hand.classList.toggle("closed", seat.hand !== "" && (frame.zones[`hand-${letter}-1`] ?? "").includes("back"));
    element.querySelectorAll(".pile")
      .forEach((pile, number) => pile.setAttribute("aria-label", seat.piles[number] ?? ""));
  }

  // --- cards that fly ---

  // The cards that change their place, with where they are now: to be asked before anything is drawn.
  leaving(before, frame, turns) {
    const was = placesIn(before);
    const is = placesIn(frame);
    const found = [];
    for (const [code, zone] of is) {
      if (was.get(code) === zone && !(turns && zone === "trick")) continue;
      const item = this.element.querySelector(`[data-card="${code}"] svg`);
      const hand = zone === "trick" ? this.seats.get(frame.trick.plays.find((play) => play[1] === code)[0]) : null;
      const from = item ?? hand?.querySelector(".hand li:last-child svg, .plate");
      if (from) found.push({ code, from: from.getBoundingClientRect() });
    }
    // A trick that was full is swept to who took it.
    if (before.trick.done && !(frame.trick.done && frame.trick.title === before.trick.title)) {
      const winner = before.trick.plays.find((play) => play[4])?.[0];
      const plate = winner && this.seats.get(winner).querySelector(".plate");
      if (plate) {
        for (const [, code] of before.trick.plays) {
          const item = this.zones.get("trick").querySelector(`[data-card="${code}"] svg`);
          if (item && !is.has(code)) {
            found.push({ swept: item.cloneNode(true), from: item.getBoundingClientRect(), plate });
          }
        }
      }
    }
    return found;
  }

  // What is led to the next trick follows when the last one has been swept away.
  fly(moves) {
    const timing = { duration: FLIGHT, easing: "ease-out" };
    const after = { ...timing, delay: moves.some(({ swept }) => swept) ? FLIGHT : 0, fill: "backwards" };
    for (const { code, swept, from, plate } of moves) {
      if (swept) {
        this.sweep(swept, from, plate.getBoundingClientRect(), timing);
        continue;
      }
      const card = this.element.querySelector(`[data-card="${code}"] svg`);
      if (!card) continue;
      const here = card.getBoundingClientRect();
      if (!here.width) continue;
      const start =
        `translate(${from.left - here.left}px, ${from.top - here.top}px) scale(${from.width / here.width || 1})`;
      card.animate([{ transform: start, transformOrigin: "0 0" },
        { transform: "none", transformOrigin: "0 0" }], after);
    }
  }

  sweep(card, from, to, timing) {
    const edge = this.box.getBoundingClientRect();
    card.classList.add("swept");
    card.setAttribute("aria-hidden", "true");
    card.style.left = `${from.left - edge.left}px`;
    card.style.top = `${from.top - edge.top}px`;
    card.style.width = `${from.width}px`;
    card.style.height = `${from.height}px`;
    this.box.append(card);
    const x = to.left + to.width / 2 - from.left - from.width / 2;
    const y = to.top + to.height / 2 - from.top - from.height / 2;
    card.animate([{}, { transform: `translate(${x}px, ${y}px) scale(0.4)`, opacity: 0.2 }], timing)
      .finished.finally(() => card.remove());
  }
}

// In which list each open card lies.
function placesIn(frame) {
  const where = new Map();
  for (const [name, codes] of Object.entries(frame.zones)) {
    for (const code of codes.split(" ")) if (code !== "back") where.set(code, name);
  }
  for (const [, code] of frame.trick.plays) where.set(code, "trick");
  return where;
}

// Make these the items of a list; those that lie there already stay.
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

// A control that is as it was the last time.
function keep(id, name) {
  const control = byId(id);
  const box = control.type === "checkbox";
  if (box) control.checked = remembered(name, control.checked ? "1" : "0") === "1";
  else control.value = remembered(name, control.value) || control.value;
  control.addEventListener("change", () => remember(name, box ? (control.checked ? "1" : "0") : control.value));
}

// --- the panel: three parts as tabs; on a small screen a sheet over the table ---

const panel = byId("panel");
// Without this query the style sheet has no tabs: the parts lie below each other, as without a script.
const tabs = matchMedia("(scripting: enabled)").matches ? [...panel.querySelectorAll('[role="tab"]')] : [];
const partOf = (tab) => byId(tab.getAttribute("aria-controls"));

function openTab(tab) {
  for (const one of tabs) {
    one.setAttribute("aria-selected", String(one === tab));
    one.tabIndex = one === tab ? 0 : -1;
    partOf(one).hidden = one !== tab;
  }
  followMove();
}

// The move at the step is in sight in the list, which alone scrolls.
function followMove() {
  const moves = byId("moves");
  const current = moves?.querySelector("[aria-current]");
  if (!current) return;
  const top = current.getBoundingClientRect().top - moves.getBoundingClientRect().top;
  if (top < 20 || top > moves.clientHeight - 50) moves.scrollTop += top - moves.clientHeight / 2;
}

for (const tab of tabs) {
  partOf(tab).setAttribute("role", "tabpanel");
  partOf(tab).setAttribute("aria-labelledby", tab.id);
  partOf(tab).tabIndex = 0; // its keys scroll it
  tab.addEventListener("click", () => {
    openTab(tab);
    remember("panel-tab", tab.id);
  });
}
openTab(tabs.find((tab) => tab.id === remembered("panel-tab")) ?? tabs[0]);
panel.classList.toggle("has-tabs", tabs.length > 0);

// Elsewhere these keys are steps.
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

function closePanel() {
  if (panel.contains(document.activeElement)) byId("panel-link").focus();
  panel.classList.remove("is-open");
  byId("panel-link").setAttribute("aria-expanded", "false");
}

byId("panel-link").addEventListener("click", (event) => {
  event.preventDefault();
  byId("panel-link").setAttribute("aria-expanded", String(panel.classList.toggle("is-open")));
});
byId("close-panel").addEventListener("click", closePanel);
// Stepping through a deal. The deal's frames are fetched once (where nothing may be told of what comes later, trick by
// trick); a frame says which card lies where and what is told.
const stage = byId("stage");
const box = stage.querySelector(".table-box");
const announcer = byId("announcer");
const autoplay = byId("autoplay");
const seek = byId("seek");
const spoilers = stage.dataset.spoilers === "on";
const REST = 1.8; // so many times as long as another step a full trick lies still

const table = new CardTable(box);

let shown = null; // the document on the table: with open hands, or with all hands hidden
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
  table.names = shown.names;
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

function draw(step, flies) {
  const before = shown.frames[at];
  const frame = shown.frames[step];
  at = step;
  table.draw(frame, flies ? before : null);
  byId("status").innerHTML = frame.status;
  byId("status").scrollTop = 0;
  byId("standing").innerHTML = frame.standing;
  byId("result").innerHTML = frame.result ? shown.result : "";
  if (byId("guess")) byId("guess").innerHTML = frame.guess ?? "";
  byId("at").textContent = step;
  stage.dataset.step = step;
  buttons();
  mark();
}

// The words about a step, where its buttons lead, turning the table, playing by itself.

function tell() {
  const said = byId("status").cloneNode(true);
  for (const slug of said.querySelectorAll("a")) slug.remove();
  announcer.textContent = `${shown.frames[at].title}. ${said.textContent.replace(/\s+/g, " ").trim()}`;
}

function before(steps, step) {
  return steps.filter((end) => end < step).at(-1);
}

function target(name) {
  const ends = [...shown.ends, last()];
  return {
    first: at ? 0 : undefined,
    previous: at ? at - 1 : undefined,
    "previous-trick": before(ends, at),
    next: ended() ? undefined : at + 1,
    "next-trick": ended() ? undefined : shown.frames[at].foreseen ?? ends.find((end) => end > at),
    last: at < last() && spoilers ? last() : undefined,
  }[name];
}

function buttons() {
  for (const button of stage.querySelectorAll("[data-button]")) {
    const step = target(button.dataset.button);
    if (step === undefined) {
      button.removeAttribute("href");
      button.setAttribute("role", "link");
      button.setAttribute("aria-disabled", "true");
      if (button === document.activeElement) button.tabIndex = 0;
    } else {
      button.href = `${prefix}${step}`;
      button.removeAttribute("role");
      button.removeAttribute("aria-disabled");
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
  // The list is one stop for the Tab key.
  if (old) old.tabIndex = -1;
  (link ?? moves.querySelector("a")).tabIndex = 0;
  if (limited()) {
    for (const move of moves.querySelectorAll("a[data-go]")) move.closest("li").hidden = Number(move.dataset.go) > at;
    for (const group of moves.children) group.hidden = !group.querySelector("li:not([hidden]), .group-title a");
  }
  // A comment may tell what comes: it waits until its trick is over.
  for (const comment of moves.querySelectorAll(".comment")) comment.hidden = Number(comment.dataset.step) > at;
  followMove();
  if (!link) moves.scrollTop = moves.scrollHeight; // the result is behind the last move
  if (moves.contains(document.activeElement)) link?.focus({ preventScroll: true });
  const chart = byId("chart");
  chart.hidden = limited() && shown && !ended();
  chart.querySelector("a.current")?.classList.remove("current");
  Array.from(chart.querySelectorAll("svg a[data-go]"))
    .filter((column) => Number(column.dataset.go) <= at).at(-1)?.classList.add("current");
  for (const name of ["share-link", "share-picture", "share-code"]) {
    byId(name).value = byId(name).value.replace(/step=\d+/, `step=${at}`);
  }
  for (const link of document.querySelectorAll('.share-links a[href*="step="]')) {
    link.href = link.href.replace(/step=\d+/, `step=${at}`);
  }
  for (const mode of panel.querySelectorAll(".views a, .modes a")) follow(mode);
  const trial = byId("try-link");
  trial.search = `${prefix}${at}`;
}

const follow = (link) => link.href = link.href.replace(/step=\d+/, `step=${at}`);

// --- turned, and face down ---

function turn() {
  const order = table.element.classList.contains("clockwise") ? 1 : table.size - 1;
  const next = (letter) => [...table.seats.keys()]
    .find((other) => table.slot(other) === (table.slot(letter) + order) % table.size);
  let near = next(nearest());
  // Who sits out holds nothing to be looked at.
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
  const step = steps[at] ?? at;
  [shown, other] = [other, shown];
  prefix = shown.turned[nearest()] ?? shown.prefix;
  furnish();
  at = step;
  draw(step, false);
  byId("hide-hands").toggleAttribute("aria-current", false);
  panel.querySelector("[data-shown]").toggleAttribute("aria-current", false);
  (shown.from
    ? byId("hide-hands")
    : panel.querySelector(stage.dataset.view ? `.views a[href*="view=${stage.dataset.view}"]` : "[data-shown]")
  ).setAttribute("aria-current", "true");
  tell();
  history.replaceState(null, "", `${prefix}${at}`);
}

// --- playing ---

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
  if (timer !== this_) return; // stopped while it waited
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
  if (!timer) return; // stopped while it waited
  if (ended()) go(0);
  tick();
}

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
