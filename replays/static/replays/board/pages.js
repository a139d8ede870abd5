// The pages of the board: all deals on this device, the table, the hands, the play, and sending.

import "./panel.js";
import { byId } from "../table/table.js";
import { app, el, labelled, replace, gettext } from "../app.js";
import { get, opened } from "../store.js";
import { PREFIX, TRYING, fit, lettersOf, startOf, store, page } from "./deal.js";
import { begin, beginEdit, checkTable, faults, gameOf, gamesKnown, listView, setupView } from "./setup.js";
import { handsView } from "./hands.js";
import { drawPlay, openResult, sitAt } from "./stage.js";
import { STEPS, closePanel, openTab, panel, tabs } from "../table/panel.js";
import { answer, change, exchanged, flush, goTo, judge, redo, restore, turnText, undo } from "./play.js";

page.board = null; // the deal on the page
page.starts = null; // the deal's places and cards, from the engine
page.cardNames = new Map(); // the names of the cards by code
page.stage = "";
const announcer = byId("announcer");
const sending = byId("sending");
const openParts = new Set();

// Return the attributes of a folded part that stays open when the page is drawn again.
export const folded = (name) => ({
  class: "more-part", open: openParts.has(name),
  ontoggle: (event) => (event.target.open ? openParts.add(name) : openParts.delete(name)),
});

// Announce a text to screen readers.
export function hear(words) {
  announcer.textContent = words;
}

function view() {
  if (TRYING && !page.opened) return page.openView();
  if (!page.board) return listView();
  return page.stage === "setup" ? setupView() : handsView(page.starts);
}

// While the mouse is pressed, drawing waits: an element that is replaced before the release gets no click.
let isPressed = false;
let isLate = false;
addEventListener("mousedown", ({ button }) => (isPressed ||= button === 0), true);
for (const type of ["mouseup", "dragend", "blur"]) addEventListener(type, () => setTimeout(() => {
  isPressed = false;
  if (isLate) show();
}));

const TEXT = "input:not([type=checkbox]):focus, textarea:focus";

// Draw the page. If the focused element no longer exists, focus the element with which the user continues.
export function show() {
  isLate = isPressed;
  if (isPressed) return;
  const field = document.querySelector(TEXT);
  const { selectionStart: from, selectionEnd: to } = field ?? {};
  draw();
  // Keep the text that the user is typing. A form clears its own text.
  const again = document.querySelector(TEXT);
  if (!field || field.form || again?.dataset.key !== field.dataset.key) return;
  again.value = field.value;
  if (Number.isInteger(from)) again.setSelectionRange(from, to);
}

// Draw the page after an event in which the focus may be about to go to an element that drawing would replace.
const showLater = () => setTimeout(show);

function draw() {
  const playing = Boolean(page.board) && page.stage === "play" && (!TRYING || page.opened);
  document.body.classList.toggle("replay-body", playing);
  document.body.classList.toggle("entering", Boolean(page.board) && page.stage === "hands");
  byId("main").className = playing ? "replay" : "page";
  document.querySelector(".site-header").hidden = playing;
  for (const id of ["play", "play-header"]) byId(id).hidden = !playing;
  app.hidden = playing;
  if (playing) {
    app.replaceChildren();
    byId("play-title").textContent = TRYING ? gettext("Try another card") : gameOf().name;
    byId("play-back").href = TRYING
      ? `${page.trial.addresses.replay}?step=${page.board.events.length}`
      : `#${page.board.key}/hands`;
    drawPlay();
  } else {
    const focused = app.contains(document.activeElement);
    replace(...view());
    if (
      focused && !app.contains(document.activeElement)
    ) app.querySelector("[data-first]")?.focus({ preventScroll: true });
  }
}

async function go() {
  const [key, wanted] = location.hash.slice(1).split("/");
  sending?.close();
  closePanel();
  try {
    await gamesKnown();
    if (TRYING) {
      page.beginTrial();
      await page.prepareTrial();
      show();
      return;
    }
    if (key === "new" || key === "empty") {
      begin(key === "empty", wanted);
      store();
      location.replace(`#${page.board.key}/setup`);
      return;
    }
    page.board = key ? get(PREFIX + key) : null;
    const edited = page.board?.edits?.address;
    if (edited && edited !== location.pathname) location.href = `${edited}${location.hash}`;
    if (page.board) await prepare(wanted);
    show();
    if (page.board && page.stage === "play") flush();
  } catch (error) {
    page.board = null;
    replace(
      el(
        "p", { class: "note error", role: "alert" },
        gettext("The archive isn’t responding. What you entered is still here."), " ", error.message,
      ),
      el("p", {}, el("a", { class: "button", href: "#" }, gettext("Back"))),
    );
  }
  scrollTo(0, 0);
}

// Load the engine's data for a stage of the board. If the table has faults, go to the table's page instead.
async function prepare(wanted) {
  const begun = page.board.events.length || Object.values(page.board.deal).some((cards) => cards.length);
  page.stage = wanted || (begun ? "play" : "setup");
  await checkTable();
  if (page.stage === "setup") return;
  if (faults.length) {
    page.stage = "setup";
    location.replace(`#${page.board.key}/setup`);
    return;
  }
  page.starts = await startOf(page.board);
  page.cardNames = namesOf(page.starts);
  const deal = fit(page.starts);
  if (JSON.stringify(deal) !== JSON.stringify(page.board.deal)) page.board.deal = deal;
  if (page.stage === "play") await judge();
  if (page.stage === "play") hear(turnText());
}

export const namesOf = ({ suits }) => new Map(
  suits.flatMap(({ cards }) => cards.map(({ card, name }) => [card, name])).concat([["?", gettext("an unknown card")]]),
);

// --- sending ---

// Ask for the names of seats that have none. Players without a name are stored as unknown.
function namesAsked() {
  const seats = lettersOf(page.board).filter((seat) => !page.board.names[seat]);
  if (!seats.length) return [];
  const field = (seat) => labelled(gettext("Name of the player at seat {seat}", { seat }), el(
    "input", { maxlength: "60", autocomplete: "off", "data-seat": seat, "data-key": `asked ${seat}` },
  ));
  return [
    el("h3", {}, gettext("Who played?")),
    el("p", { class: "muted" }, gettext("A player without a name can’t be found later.")),
    ...seats.map(field),
  ];
}

// Give the deal the names from the dialog.
async function takeNames() {
  const asked = [...byId("sending-names").querySelectorAll("input")].filter(({ value }) => value.trim());
  const names = Object.fromEntries(asked.map(({ dataset, value }) => [dataset.seat, value.trim()]));
  if (asked.length) await change(() => ({ names: { ...page.board.names, ...names } }));
  fillSending();
}

// Return the deal as text, or as JSON if an illegal event cannot be expressed as text.
const written = () => answer.text ?? JSON.stringify(answer.record);

function openSending() {
  byId("sending-names").replaceChildren(...namesAsked());
  fillSending();
  sending.showModal();
}

function fillSending() {
  sending.querySelector("textarea").value = written();
  const wrong = byId("sending-wrong");
  const warnings = (answer.warnings ?? []).map((one) => one.text);
  wrong.textContent = [
    answer.finding
      ? gettext("The last move breaks a rule. The deal is stored as it was played, with the error.")
      : "",
    ...warnings,
  ].join(" ").trim();
  wrong.hidden = !wrong.textContent;
  sending.querySelector("[type=submit]").disabled = warnings.length > 0 && !byId("sending-names").children.length;
}

export function saveFile(content, name) {
  const address = URL.createObjectURL(new Blob([content], { type: "text/plain;charset=utf-8" }));
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

byId("download")?.addEventListener("click", async () => {
  await takeNames();
  saveFile(written(), answer.text ? "deal.tgn" : "deal.json");
});
byId("close-sending")?.addEventListener("click", () => sending.close());
sending?.querySelector("form").addEventListener("submit", async (event) => {
  const { target: form } = event;
  event.preventDefault();
  await takeNames();
  if (answer.warnings?.length) return;
  store({ sent: true });
  form.submit();
});

// --- keys ---

const ARROWS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

const focusOn = (name) => {
  panel.classList.add("is-open");
  openTab(tabs[0]);
  panel.querySelector(`[data-key="${name}"]`)?.focus();
};

const KEYS = {
  "?": () => byId("keys").showModal(),
  l: () => byId("show-legal").click(),
  v: () => byId("show-values")?.click(),
  t: () => focusOn("event"),
  c: () => focusOn("comment"),
  f: () => {
    const letters = lettersOf(page.board);
    sitAt(letters[(letters.indexOf(page.board.near || answer.turn || letters.at(-1)) + 1) % letters.length]);
  },
};

addEventListener("keydown", (event) => {
  const playing = page.stage === "play" && page.board;
  if (document.querySelector("dialog[open]")) return;
  if (event.key === "Escape" && playing) {
    if (page.resultOpen && !panel.classList.contains("is-open")) openResult(false);
    else closePanel();
  }
  if (event.target.matches("input:not([type=checkbox]), textarea, select")) return;
  const by = ARROWS[event.key];
  const among = event.target.closest(".suit, [data-arrows], .places, .choices, .holding");
  const all = among ? [...among.querySelectorAll("button:not(:disabled)")] : [];
  if (event.ctrlKey || event.metaKey) {
    const key = event.key.toLowerCase();
    if (!playing || (key !== "z" && key !== "y")) return;
    if (key === "y" || event.shiftKey) redo();
    else if (exchanged()) restore();
    else undo();
  } else if (event.altKey) return;
  else if (by && all.includes(event.target)) all[(all.indexOf(event.target) + by + all.length) % all.length].focus();
  else if (playing && STEPS[event.key]) STEPS[event.key] === "previous" ? undo() : goTo(STEPS[event.key]);
  else if (playing && KEYS[event.key]) KEYS[event.key]();
  else return;
  event.preventDefault();
});

// --- start ---

// Handle navigation after pending changes, so that an awaited answer applies to the board that requested it.
const goNext = () => (page.running = page.running.then(go));
addEventListener("hashchange", goNext);
addEventListener("stored", ({ detail: changed }) => {
  if (TRYING) return;
  const name = page.board && PREFIX + page.board.key;
  if (name ? changed.includes(name) && get(name) : changed.some((one) => one.startsWith(PREFIX))) goNext();
});

Object.assign(page, { show, showLater, folded, hear, openSending });
// This runs asynchronously, after all modules of the page are loaded.
opened.then(() => {
  if (!location.hash) beginEdit();
  goNext();
});
