// The pages of the board: all deals on this device, the table, the hands, the play; and what is sent.

let board = null; // the deal on the page
let starts = null; // its places and cards, as the engine has them
let cardNames = new Map(); // the names of the cards by their codes
let stage = "";
const announcer = byId("announcer");
const sending = byId("sending");
const openParts = new Set();

const keepOpen = (name) => (event) => (event.target.open ? openParts.add(name) : openParts.delete(name));

// What a screen reader says.
function hear(words) {
  announcer.textContent = words;
}

function head(title, back) {
  return el("header", { class: "evening-head" }, el("a", { href: back, class: "back", "aria-label": text("back") }, "‹"), el("h1", {}, title));
}

function view() {
  if (TRYING && !opened) return openView();
  if (!board) return listView();
  return stage === "setup" ? setupView() : handsView(starts);
}

// Draw the page; if what had the focus has gone, it is where one goes on.
function show() {
  const playing = Boolean(board) && stage === "play" && (!TRYING || opened);
  document.body.classList.toggle("replay-body", playing);
  document.body.classList.toggle("entering", Boolean(board) && stage === "hands");
  byId("main").className = playing ? "replay" : "page";
  document.querySelector(".site-header").hidden = playing;
  for (const id of ["play", "play-header"]) byId(id).hidden = !playing;
  app.hidden = playing;
  if (playing) {
    app.replaceChildren();
    byId("play-title").textContent = TRYING ? text("try_title") : gameOf().name;
    byId("play-back").href = TRYING ? `${trial.addresses.replay}?step=${board.events.length}` : `#${board.key}/hands`;
    drawPlay();
  } else {
    const focused = app.contains(document.activeElement);
    replace(...view());
    if (focused && !app.contains(document.activeElement)) app.querySelector("[data-first]")?.focus({ preventScroll: true });
  }
  return Promise.resolve();
}

async function go() {
  const [key, wanted] = location.hash.slice(1).split("/");
  sending?.close();
  closePanel();
  try {
    await gamesKnown();
    if (TRYING) {
      beginTrial();
      await prepareTrial();
      show();
      return;
    }
    if (key === "new" || key === "empty") {
      begin(key === "empty");
      store();
      location.replace(`#${board.key}/setup`);
      return;
    }
    board = key ? read(PREFIX + key) : null;
    if (board) await prepare(wanted);
    show();
    if (board && stage === "play") flush();
  } catch (error) {
    board = null;
    replace(el("p", { class: "note error", role: "alert" }, text("no_engine"), " ", error.message), el("p", {}, el("a", { class: "button", href: "#" }, text("back"))));
  }
  scrollTo(0, 0);
}

// What a stage needs of the engine.
async function prepare(wanted) {
  const begun = board.events.length || Object.values(board.deal).some((cards) => cards.length);
  stage = wanted || (begun ? "play" : "setup");
  await checkTable();
  if (stage === "setup") return;
  if (faults.length) {
    stage = "setup";
    location.replace(`#${board.key}/setup`);
    return;
  }
  starts = await startOf(board);
  cardNames = namesOf(starts);
  const deal = fit(starts);
  if (JSON.stringify(deal) !== JSON.stringify(board.deal)) board.deal = deal;
  if (stage === "play") await judge();
  if (stage === "play") hear(turnText());
}

const namesOf = ({ suits }) => new Map(suits.flatMap(({ cards }) => cards.map(({ card, name }) => [card, name])).concat([["?", text("unknown_card")]]));

// --- sending ---

// As text, and as JSON where an illegal event has words that the text form cannot have.
const written = () => answer.text ?? JSON.stringify(answer.record);

function openSending() {
  sending.querySelector("textarea").value = written();
  const wrong = byId("sending-wrong");
  const warnings = (answer.warnings ?? []).map((one) => one.text);
  wrong.textContent = [answer.finding ? text("sent_illegal") : "", ...warnings].join(" ").trim();
  wrong.hidden = !wrong.textContent;
  sending.querySelector("[type=submit]").disabled = warnings.length > 0;
  sending.showModal();
}

function saveFile(content, name) {
  const address = URL.createObjectURL(new Blob([content], { type: "text/plain;charset=utf-8" }));
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

byId("download")?.addEventListener("click", () => saveFile(written(), answer.text ? "deal.tgn" : "deal.json"));
byId("close-sending")?.addEventListener("click", () => sending.close());

// --- keys ---

const ARROWS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
const STEPS = { ArrowLeft: "previous", k: "previous", ArrowRight: "next", j: "next", PageUp: "previous-trick", PageDown: "next-trick", Home: "first", End: "last" };

const focusOn = (name) => {
  panel.classList.add("is-open");
  openTab(tabs[0]);
  panel.querySelector(`[data-key="${name}"]`)?.focus();
};

const KEYS = {
  "?": () => byId("keys").showModal(),
  l: () => byId("show-legal").click(),
  t: () => focusOn("event"),
  c: () => focusOn("comment"),
  f: () => {
    const letters = lettersOf(board);
    sitAt(letters[(letters.indexOf(board.near || answer.turn || letters.at(-1)) + 1) % letters.length]);
  },
};

addEventListener("keydown", (event) => {
  const playing = stage === "play" && board;
  if (document.querySelector("dialog[open]")) return;
  if (event.key === "Escape" && playing) {
    if (resultOpen && !panel.classList.contains("is-open")) openResult(false);
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
    else undo();
  } else if (event.altKey) return;
  else if (by && all.includes(event.target)) all[(all.indexOf(event.target) + by + all.length) % all.length].focus();
  else if (playing && STEPS[event.key]) STEPS[event.key] === "previous" ? undo() : goTo(STEPS[event.key]);
  else if (playing && KEYS[event.key]) KEYS[event.key]();
  else return;
  event.preventDefault();
});

// --- beginning ---

// One after the other, as with changes: who goes on quickly changes nothing under an answer that is awaited.
const goNext = () => (running = running.then(go));
addEventListener("hashchange", goNext);
addEventListener("storage", (event) => {
  if (TRYING) return;
  if (board ? event.key === PREFIX + board.key && event.newValue : event.key?.startsWith(PREFIX)) goNext();
});
goNext();
