// The drawing of the play: the table of the replay with cards to tap, and the bar with the possible moves.

import { CardTable, byId, keep, seed } from "../table/table.js";
import {
  button, choice, clauseLink, el, group, linesPart, scoreNow, signed, toggled, gettext, labels,
} from "../app.js";
import {
  answer, discardLast, enter, exchanged, flush, goTo, notResponding, restore, target, undo, wait, waiting,
} from "./play.js";
import { TRYING, lettersOf, nameOf, packOf, picture, page } from "./deal.js";
import { followMove } from "../table/panel.js";
import { followValues, valuesPart, worth, worthPart } from "./values.js";

let table = null; // the table on the page
let laid = ""; // the data that the table was built from
let drawn = null; // the frame on the table, and its step
page.resultOpen = false;

// --- the table ---

// Build a table from the engine's data about the seats.
function layTable({ direction, seats, talon, stock }) {
  const made = seed(direction);
  made.classList.add(`seats-${seats.length}`);
  made.dataset.size = seats.length;
  made.querySelector(".talon .label").textContent = talon;
  if (stock) made.querySelector(".stock").textContent = stock;
  else made.querySelector(".stock").remove();
  made.prepend(...seats.map(layWho));
  byId("table").replaceChildren(made);
  table = new CardTable(byId("table"));
  for (const [letter, seat] of table.seats) seat.querySelector(".plate").addEventListener("click", () => sitAt(
    letter === page.board.near ? "" : letter,
  ));
}

function layWho({ letter, name, slot, sits_out, piles }) {
  const seat = filledIn(seed(sits_out ? "sits-out" : "seat"), { letter, name });
  seat.className = seat.className.replace("at-0", `at-${slot}`);
  seat.dataset.slot = slot;
  seat.querySelector(".seat-letter").textContent = letter;
  seat.querySelector(".seat-name").textContent = name;
  const made = piles.map((number) => filledIn(seed("pile"), { letter, number }));
  if (made.length) seat.querySelector(".hand").after(el("div", { class: "piles" }, made));
  return seat;
}

// Fill in the attributes of a template's copy.
function filledIn(element, values) {
  for (const part of [element, ...element.querySelectorAll("*")]) {
    for (const { name, value } of [...part.attributes]) {
      if (value.includes("{")) part.setAttribute(name, value.replace(/\{(\w+)\}/g, (_, key) => values[key]));
    }
  }
  return element;
}

// Put a seat at the bottom; with an empty letter, the seat on turn.
export function sitAt(letter) {
  page.board.near = letter;
  page.show();
}

function drawTable() {
  const about = JSON.stringify(answer.table);
  if (about !== laid) {
    layTable(answer.table);
    laid = about;
    drawn = null;
  }
  table.names = Object.fromEntries(page.cardNames);
  const at = page.board.events.length;
  table.draw(
    answer.frame, drawn && Math.abs(drawn.at - at) === 1 ? drawn.frame : null, page.board.near || answer.turn || null,
  );
  drawn = { at, frame: answer.frame };
  return tapCards();
}

// Add buttons to the cards that can be tapped, and return these cards.
function tapCards() {
  const here = new Set();
  if (answer.over || answer.finding || (!answer.turn && !waiting().length)) return here;
  const seats = waiting().length ? [...table.seats.values()] : [table.seats.get(answer.turn)];
  for (const seat of seats) {
    // A known card among face-down ones is too narrow to tap, so the tray shows it instead.
    if (seat.querySelector('.hand [data-card="back"]')) continue;
    for (const item of seat.querySelectorAll(".hand [data-card], .pile [data-card]:last-child")) {
      const { card } = item.dataset;
      const tap = card === "back" ? null : tapOf(card);
      if (!tap) continue;
      here.add(card);
      item.append(tap);
      item.querySelector("svg").setAttribute("aria-hidden", "true");
      item.classList.toggle("next", TRYING && playedAs(page.board.undone.at(-1)) === card);
    }
  }
  return here;
}

const playedAs = (event) => event?.[2]?.split("(")[0];
export const choicesOf = (card) => answer.choices.filter((one) => one.card === card);

// Return the button that plays a card, chooses it for the discard, or keeps it as a waiting move. Illegal
// cards can also be played, because the engine reports them.
function tapOf(card) {
  const name = page.cardNames.get(card) ?? card;
  if (waiting().length) {
    return waiting().some((words) => words.split(" ").at(-1) === card)
      ? null
      : tapButton(name, () => { wait(card); page.show(); }, { "data-key": `play ${card}` });
  }
  const ways = choicesOf(card);
  if (ways.length) {
    const asPlayed = gettext("As it was played");
    const played = TRYING && playedAs(page.board.undone.at(-1)) === card;
    return tapButton(
      withWorth(played ? `${ways[0].name} (${asPlayed})` : ways[0].name, ways),
      () => (ways.length === 1 ? enter(ways[0].event) : chooseWay(card)),
      { "data-first": true, "data-key": `play ${card}` }, worthPart(worth(ways)),
    );
  }
  if (answer.many?.cards.includes(card)) {
    return tapButton(name, () => toggle(card), {
      "aria-pressed": String(page.picked.includes(card)), "data-first": true, "data-key": `pick ${card}`,
    });
  }
  if (!answer.choices.some((one) => one.card)) return null;
  return tapButton(gettext("{name}: against the rules", { name }), () => enter([answer.turn, "play", card]), {
    "data-key": `play ${card}`,
  });
}

function withWorth(name, ways) {
  const value = worth(ways);
  return value === null ? name : gettext("{name}, worth {value}", { name, value: signed(value) });
}

// On a small screen, the first tap on any hand except the nearest only opens it.
function tapButton(name, act, attributes, badge = "") {
  const tapped = (event) => {
    const seat = event.target.closest(".seat:not(.at-0, .is-open)");
    if (seat && event.pointerType === "touch" && event.target.getBoundingClientRect().width < 30) table.open(seat);
    else act();
  };
  return button(badge, tapped, { class: "tap", "aria-label": name, ...attributes });
}

function chooseWay(card) {
  page.twice = card;
  page.show();
  byId("offers").querySelector("[data-first]").focus({ preventScroll: true });
}

function toggle(one) {
  page.picked = toggled(page.picked, one);
  page.show();
}

// --- the bar ---

// Show the cards that can be played from unknown hands, where the table has no card to tap.
function trayPart(here) {
  const beyond = waiting().length
    ? unseen()
    : [...answer.choices.map(({ card }) => card), ...(answer.many?.cards ?? [])];
  const cards = [...new Set(beyond)].filter((card) => card && !here.has(card));
  if (!cards.length) return null;
  const tile = (card) => {
    const made = tapOf(card);
    if (!made) return null;
    made.className = "pack-card";
    made.append(picture(card, "0 0 100 100"));
    return made;
  };
  return el(
    "div",
    { class: "suit", role: "group", "aria-label": gettext("Hand of {name}", { name: nameOf(answer.turn ?? "") }) },
    cards.map(tile),
  );
}

// If some hands are unknown, return the cards that have not been played yet.
function unseen() {
  const played = new Set(page.board.events.flatMap(([, ...words]) => words.map((word) => word.split("(")[0])));
  return Object.values(answer.frame.zones).some((cards) => cards.includes("back"))
    ? packOf(page.starts).filter((card) => !played.has(card))
    : [];
}

function statusPart() {
  const { words, finding, over, score, verdict } = answer;
  return [
    waiting().length ? waitingPart() : null,
    TRYING ? page.aboutPart() : null,
    el("p", { class: "happened" }, el("strong", {}, words.happened), " ", el("span", {}, words.turn)),
    finding ? findingPart(finding) : exchanged() ? exchangedPart(exchanged()) : null,
    words.happenings.map((one) => el("p", { class: "remark happening" }, one.text, " ", clauseLink(one))),
    words.comments.map((one) => el("p", { class: "comment" }, one)),
    valuesPart(),
    score ? scoreNow(score, nameOf) : null,
    over
      ? el(
          "p",
          { class: "choices" },
          TRYING ? null : button(gettext("Send or download"), page.openSending, {
            class: "button primary", "data-key": "send-over", "data-first": true,
          }),
          page.resultOpen ? null : button(gettext("Result"), () => openResult(true), { "data-key": "result" }),
          verdict === "disputed" ? el("span", { class: "error" }, labels.verdicts.disputed) : null,
        )
      : null,
  ];
}

function findingPart(found) {
  return el(
    "div",
    { class: "note error", role: "alert", "data-key": "finding" },
    el("p", {}, el("b", {}, found.place), ": ", found.text, " ", clauseLink(found)),
    el(
      "p",
      { class: "choices" },
      button(gettext("Undo"), undoFinding, { "data-key": "undo-finding", "data-first": true }),
      TRYING ? null : button(gettext("This is how it was played"), page.openSending, { "data-key": "played-so" }),
    ),
  );
}

function undoFinding() {
  if (TRYING) page.takeBack();
  else if (exchanged()) restore();
  else undo();
}

// Show how many events stay after an exchange, and the first one that does not.
function exchangedPart({ kept, number, finding }) {
  return el(
    "div",
    { class: finding ? "note error" : "note", role: finding ? "alert" : null, "data-key": "exchanged" },
    el(
      "p", { class: "choices" }, gettext("Exchanged. Later moves that stay: {kept} of {number}.", { kept, number }),
      button(gettext("Undo"), restore, { "data-key": "undo-exchange" }),
    ),
    finding ? el("p", {}, el("b", {}, finding.place), ": ", finding.text, " ", clauseLink(finding)) : null,
  );
}

function waitingPart() {
  return el(
    "div",
    { class: "note", "data-key": "waiting" },
    el(
      "p", {},
      page.held
        ? gettext("Moves are waiting. The first one can’t be entered: {why}", { why: page.held })
        : notResponding(),
      " ", el("span", { class: "muted" }, waiting().join(" · ")),
    ),
    el(
      "p",
      { class: "choices" },
      button(gettext("Undo"), discardLast, { "data-key": "undo-waiting" }),
      button(gettext("Enter them now"), () => { page.held = ""; flush(); }, { "data-key": "enter-waiting" }),
    ),
  );
}

// Show the legal choices: calls, cards, discards.
function offersPart() {
  if (answer.over || waiting().length) return null;
  return [waysPart(), wordsPart(), itemsPart(), discardPart()];
}

// Show the ways to play the tapped card.
function waysPart() {
  const ways = choicesOf(page.twice);
  if (ways.length < 2) return null;
  return group(gettext("How is this card played?"), ways.map(
    (way) => button([way.name, " ", worthPart(worth([way]))], () => enter(way.event), {
      "aria-label": withWorth(way.name, [way]), "data-first": true, "data-key": `say ${way.event.slice(1).join(" ")}`,
    }),
  ));
}

// Show a button for each legal call.
function wordsPart() {
  const words = answer.choices.filter(({ card }) => !card);
  if (!words.length) return null;
  const seats = new Set(words.map(({ event }) => event[0]));
  const wordButton = ({ event, label, name }) =>
    button([
      label, event[0] !== answer.turn || seats.size > 1 ? el("small", {}, nameOf(event[0])) : null,
    ], () => enter(event), {
      class: "button choice",
      "aria-label": name,
      "data-first": true,
      "data-key": `say ${event[0]} ${event.slice(1).join(" ")}`,
    });
  return el(
    "div", { class: "choices words", role: "group", "data-arrows": true, "aria-label": gettext("Possible next moves") },
    words.map(wordButton),
  );
}

// Show the button that confirms the discard.
function discardPart() {
  const { many } = answer;
  if (!many) return null;
  return el(
    "p",
    { class: "choices" },
    button([
      many.label, el("small", {}, `${page.picked.length}/${many.number}`),
    ], () => enter([many.seat, many.verb, ...page.picked]), {
      class: "button primary choice",
      disabled: page.picked.length !== many.number,
      "data-key": "done",
    }),
    // The user may know only some cards of the discard. Enter the others as unknown.
    many.unknown && page.picked.length < many.number
      ? button(
        gettext("The other cards are not known"),
        () => enter([many.seat, many.verb, ...page.picked, ...Array(many.number - page.picked.length).fill("?")]),
        { class: "button choice", "data-key": "done-unknown" },
      )
      : null,
  );
}

// Show the items that can be announced together. Choosing one drops the items that exclude it.
function itemsPart() {
  const { more } = answer;
  if (!more) return null;
  const choose = (one) => {
    const against = more.apart.filter((pair) => pair.includes(one)).flat();
    page.picked = page.picked.filter((other) => other === one || !against.includes(other));
    toggle(one);
  };
  const item = (one) => choice(
    one.label, page.picked.includes(one.item), () => choose(one.item), `item ${one.item}`, { "aria-label": one.name },
  );
  const name = gettext("What {name} announces", { name: nameOf(more.seat) });
  return el(
    "details",
    page.folded("items"),
    el("summary", { "data-key": "items" }, name),
    el("div", { class: "choices", role: "group", "aria-label": name, "data-arrows": true }, more.items.map(item)),
    el("p", { class: "choices" }, button(
      gettext("Announce these"), () => enter([more.seat, more.verb, ...page.picked]),
      { class: "button primary", disabled: !page.picked.length, "data-key": "done" },
    )),
  );
}

// --- the end ---

function resultPart() {
  const compared = TRYING && page.board.line ? page.comparePart() : null;
  if (!page.resultOpen || !(compared || answer.sheet.length)) return null;
  return el(
    "section",
    { class: "result panel", "aria-labelledby": "result-title" },
    button(gettext("Close"), () => openResult(false), {
      class: "button small close-result", "data-key": "close-result",
    }),
    el("h2", { id: "result-title" }, gettext("Result")),
    compared ?? linesPart(answer.sheet, players()),
  );
}

export function openResult(open) {
  page.resultOpen = open;
  page.show();
}

export const players = () => Object.fromEntries(lettersOf(page.board).map((seat) => [seat, nameOf(seat)]));

// --- the whole page ---

export function drawPlay() {
  const active = byId("play").querySelector(":focus");
  const within = active ? (active.dataset.key ?? "-") : "";
  followValues();
  const here = drawTable();
  const put = (id, ...parts) => byId(id).replaceChildren(...parts.flat(2).filter(Boolean));
  const moves = byId("moves")?.scrollTop ?? 0;
  put("tray", trayPart(here));
  put("status", statusPart());
  put("offers", offersPart());
  put("result", resultPart());
  for (const [name, parts] of Object.entries(page.panelParts())) put(`panel-${name}`, parts);
  const at = page.board.events.length;
  byId("at").textContent = at;
  byId("last").textContent = at + page.board.undone.length;
  byId("stage").dataset.moves = at;
  for (const one of document.querySelectorAll("#stage [data-button]")) {
    const off = target(one.dataset.button) === at && !(one.dataset.button === "previous" && waiting().length);
    one.ariaDisabled = off ? "true" : null;
  }
  byId("moves").scrollTop = moves;
  followMove();
  if (!active) return;
  const again = byId("play").querySelector(`[data-key="${CSS.escape(within)}"]`);
  (again ?? byId("play").querySelector("[data-first]") ?? byId("status")).focus({ preventScroll: true });
}

for (const one of document.querySelectorAll("#stage [data-button]")) {
  one.addEventListener("click", () => (one.dataset.button === "previous" ? undo() : goTo(one.dataset.button)));
}
keep("show-legal", "board-legal");
byId("help").addEventListener("click", () => byId("keys").showModal());
