// The table of the replay and of the board. It draws frames: the place of each card, and the texts at the
// seats and in the middle. Each card is one element, which moves between lists. There are no rules here.
export const byId = (id) => document.getElementById(id);
export const seed = (name) => byId(`seed-${name}`).content.firstElementChild.cloneNode(true);
export const still = matchMedia("(prefers-reduced-motion: reduce)");
const FLIGHT = 150; // milliseconds
const LONG = document.documentElement.lang === "ja" ? 9 : 18; // longest call in a column, in characters

export class CardTable {
  // `box` contains the table.
  constructor(box) {
    this.box = box;
    this.element = box.querySelector(".table");
    this.names = {}; // names of the cards by code
    this.turned = 0; // number of seats by which the table was turned after drawing
    this.size = Number(this.element.dataset.size);
    this.zones = new Map(Array.from(this.element.querySelectorAll("[data-zone]"), (list) => [list.dataset.zone, list]));
    this.seats = new Map(Array.from(this.element.querySelectorAll(".seat"), (seat) => [seat.dataset.seat, seat]));
    this.arch();
    this.sprite = seed("card").querySelector("use").getAttribute("href").split("#")[0];
  }

  // Return the place of a seat: 0 at the bottom, then clockwise.
  slot(letter) {
    return (Number(this.seats.get(letter).dataset.slot) - this.turned + this.size) % this.size;
  }

  // Write the letter of a seat next to a card or call, and the player's name for screen readers.
  sign(element, letter) {
    const [sign, name] = element.querySelector(".who").children;
    sign.textContent = letter;
    name.textContent = this.seats.get(letter).querySelector(".seat-name").textContent;
  }

  // Turn the table so that a seat is at the bottom.
  turnTo(letter) {
    this.turned = (this.turned + this.slot(letter)) % this.size;
    const turn = (element, seat) =>
      (element.className = element.className.replace(/\bat-\d\b/, `at-${this.slot(seat)}`));
    for (const [seat, element] of this.seats) turn(element, seat);
    for (const item of this.zones.get("trick").children) turn(item, item.dataset.seat);
    this.arch();
  }

  // Open a hand whose cards overlap too much to be read, or close it if it is open.
  open(seat) {
    for (const one of this.seats.values()) {
      one.classList.toggle("is-open", one === seat && !seat.classList.contains("is-open"));
    }
  }

  // Draw a frame. With the frame `before`, cards fly from their places in it. `bottom`: a seat to turn to the
  // bottom at the same time.
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
      call.classList.toggle("long", words.length > LONG);
      this.sign(call, letter);
      call.lastElementChild.textContent = words;
      return call;
    }));
    this.arch();
    this.fly(moves);
  }

  // Arrange the nearest hand in an arc: `--off` is a card's distance from the middle, from -1 to 1.
  arch() {
    const items = this.element.querySelectorAll(".at-0 .hand li");
    const most = Math.max(11, items.length - 1) / 2;
    items.forEach((item, place) => item.style.setProperty("--off", (place - (items.length - 1) / 2) / most));
  }

  // Collect the cards' elements for reuse. Return a function that returns the element of a card, or a new one.
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
      item.ariaHidden = open ? null : "true";
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
      this.sign(item, letter);
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

  // --- flying cards ---

  // Return the cards that will move, with their current places. Call this before drawing.
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
    // Sweep a complete trick to its winner.
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

  // Move the cards. The next lead starts after the last trick has been swept away.
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

// Map each open card to the name of the list that contains it.
function placesIn(frame) {
  const where = new Map();
  for (const [name, codes] of Object.entries(frame.zones)) {
    for (const code of codes.split(" ")) if (code !== "back") where.set(code, name);
  }
  for (const [, code] of frame.trick.plays) where.set(code, "trick");
  return where;
}

// Make these the items of a list, without touching items that are already in place.
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

// --- settings stored in this browser ---

export function remembered(name, fallback = "") {
  try {
    return localStorage.getItem(name) ?? fallback;
  } catch {
    return fallback;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // without storage, the setting lasts as long as the page
  }
}

// Restore a control's last setting, and store its changes.
export function keep(id, name) {
  const control = byId(id);
  const box = control.type === "checkbox";
  if (box) control.checked = remembered(name, control.checked ? "1" : "0") === "1";
  else control.value = remembered(name, control.value) || control.value;
  control.addEventListener("change", () => remember(name, box ? (control.checked ? "1" : "0") : control.value));
}

