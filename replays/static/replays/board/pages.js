// The pages of the board: all deals on this device, the table, the hands, the play; and what is sent.

let board = null; // the deal on the page
let starts = null; // its places and cards, as the engine has them
let stage = "";
const announcer = document.getElementById("announcer");
const sending = document.getElementById("sending");
const openParts = new Set(matchMedia("(min-width: 60rem)").matches ? ["hands", "moves"] : []);

const keepOpen = (name) => (event) => (event.target.open ? openParts.add(name) : openParts.delete(name));

// What a screen reader says.
function hear(words) {
  announcer.textContent = words;
}

function head(title, back, tools = null) {
  return el("header", { class: "evening-head" }, el("a", { href: back, class: "back", "aria-label": text("back") }, "‹"), el("h1", {}, title), tools);
}

function view() {
  if (TRYING && !opened) return openView();
  document.body.classList.toggle("entering", Boolean(board) && stage !== "setup");
  if (!board) return listView();
  if (stage === "setup") return setupView();
  return stage === "hands" ? handsView(starts) : playView();
}

// Draw the page; if what had the focus has gone, it is where one goes on.
function show() {
  const focused = app.contains(document.activeElement);
  replace(...view());
  if (focused && !app.contains(document.activeElement)) app.querySelector("[data-first]")?.focus({ preventScroll: true });
  return Promise.resolve();
}

async function go() {
  const [key, wanted] = location.hash.slice(1).split("/");
  if (sending) sending.hidden = true;
  try {
    await gamesKnown();
    if (TRYING) {
      beginTrial();
      await prepareTrial();
      show();
      return;
    }
    if (key === "new") {
      begin();
      store();
      location.replace(`#${board.key}/setup`);
      return;
    }
    board = key ? read(PREFIX + key) : null;
    if (board) await prepare(wanted);
    show();
  } catch (error) {
    replace(el("p", { class: "note error", role: "alert" }, text("no_engine"), " ", error.message), el("p", {}, el("a", { class: "button", href: "#" }, text("back"))));
  }
  scrollTo(0, 0);
}

// What a stage needs of the engine.
async function prepare(wanted) {
  const begun = board.events.length || Object.values(board.deal).some((cards) => cards.length);
  stage = wanted || (begun ? "play" : "setup");
  if (stage === "setup") return;
  starts = await startOf(board);
  const deal = fit(starts);
  if (JSON.stringify(deal) !== JSON.stringify(board.deal)) board.deal = deal;
  if (stage === "play") await judge();
  if (stage === "play") hear(turnText());
}

// --- sending ---

// As text, and as JSON where an illegal event has words that the text form cannot have.
const written = () => answer.text ?? JSON.stringify(answer.record);

function openSending() {
  sending.elements.text.value = written();
  sending.hidden = false;
  sending.scrollIntoView({ block: "end" });
  sending.querySelector("button").focus({ preventScroll: true });
}

function saveFile(content, name) {
  const address = URL.createObjectURL(new Blob([content], { type: "text/plain;charset=utf-8" }));
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

document.getElementById("download")?.addEventListener("click", () => saveFile(written(), answer.text ? "deal.tgn" : "deal.json"));

// --- keys ---

const ARROWS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

addEventListener("keydown", (event) => {
  if (event.target.matches("input, textarea, select")) return;
  const by = ARROWS[event.key];
  const among = event.target.closest(".suit, [data-arrows], .places, .choices");
  if (by && among) {
    const all = [...among.querySelectorAll("button:not(:disabled)")];
    all[(all.indexOf(event.target) + by + all.length) % all.length]?.focus();
    event.preventDefault();
  } else if ((event.ctrlKey || event.metaKey) && stage === "play" && board) {
    const key = event.key.toLowerCase();
    if (key === "z" || key === "y") {
      event.preventDefault();
      if (key === "y" || event.shiftKey) redo();
      else undo();
    }
  }
});

// --- beginning ---

addEventListener("hashchange", go);
addEventListener("storage", (event) => {
  if (TRYING) return;
  if (board ? event.key === PREFIX + board.key && event.newValue : event.key?.startsWith(PREFIX)) go();
});
go();
