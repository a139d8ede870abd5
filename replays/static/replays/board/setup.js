// The table of a deal: game, seats, names, dealer, options.

let games = null; // as the engine has them
let faults = []; // what is wrong with the names and the date, by the engine
// Players of the club from which one came, and the tags of its session.
const offered = JSON.parse(byId("offered")?.textContent ?? '{"players": []}');

async function gamesKnown() {
  games ??= (await ask({ ask: "games" })).games;
  return games;
}

// Ask the engine what is wrong with the names and the date. The board does not leave its table until that is settled;
// where the engine does not answer, the archive will when the deal is sent.
async function checkTable() {
  const question = tableQuestion();
  const { findings } = await ask(question).catch(() => ({ findings: [] }));
  const isLate = JSON.stringify(question) !== JSON.stringify(tableQuestion());
  if (isLate || JSON.stringify(findings) === JSON.stringify(faults)) return;
  faults = findings;
  byId("table-faults")?.replaceWith(faultsPart());
  byId("onward")?.replaceWith(onwardPart());
}

const tableQuestion = () => board && { ask: "table", table: lettersOf(board).map((seat) => board.names[seat] ?? ""), date: board.date };

function faultsPart() {
  return el("div", { class: "findings", id: "table-faults", role: "alert" }, faults.map((one) => el("p", {}, one.text)));
}

// The ways on from the table.
function onwardPart() {
  const { teaching, key } = board;
  const to = (stage) => (faults.length ? { "aria-disabled": "true" } : { href: `#${key}/${stage}` });
  const dealt = async () => {
    starts = await startOf(board);
    store({ deal: shuffled(starts), events: [], undone: [] });
    location.hash = `#${key}/play`;
  };
  return el(
    "footer",
    { class: "save-bar", id: "onward" },
    el("p", {}),
    teaching ? null : el("a", { class: "button large", ...to("play"), "data-key": "as-played" }, text("to_play_unknown")),
    el("a", { class: teaching ? "button large" : "button primary large", ...to("hands"), "data-key": "hands" }, teaching ? text("choose_cards") : text("to_hands")),
    teaching ? button(text("shuffle"), dealt, { class: "button primary large", disabled: faults.length > 0, "data-key": "shuffle" }) : null,
  );
}

const gameOf = () => games.find(({ id }) => id === board.game);

// A new deal, with the table of the last one; `teaching`: for nobody's deal, with names of nobody.
function begin(teaching) {
  const last = boards()[0];
  const game = games.find(({ id }) => id === last?.game) ?? games[0];
  const seats = game.seats.includes(last?.seats) ? last.seats : (game.seats.find((one) => one === 4) ?? game.seats[0]);
  const today = new Date();
  const date = teaching ? "" : [today.getFullYear(), today.getMonth() + 1, today.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
  // Who comes from a club sits down with its players.
  const names = teaching || offered.players.length ? {} : (last?.names ?? {});
  const { place = last?.place ?? "", tags = {} } = offered;
  board = { key: crypto.randomUUID(), game: game.id, seats, names, dealer: "A", options: last?.game === game.id ? last.options : [], date, place: teaching ? "" : place, tags: teaching ? {} : tags, deal: {}, events: [], undone: [], teaching };
}

// Who changes the game changes everything; what else is changed leaves the cards where they still belong.
function changeTable(changes) {
  const game = games.find(({ id }) => id === (changes.game ?? board.game));
  const seats = changes.seats ?? board.seats;
  const next = { ...board, ...changes, seats: game.seats.includes(seats) ? seats : game.seats[0] };
  const dealer = LETTERS.indexOf(next.dealer) < next.seats ? next.dealer : "A";
  store({ ...next, dealer, ...(changes.game ? { options: [], deal: {}, events: [], undone: [] } : {}) });
  checkTable();
  show();
}

const pressed = (value, wanted) => ({ "aria-pressed": String(value === wanted), class: "button choice" });

function setupView() {
  const game = gameOf();
  const letters = lettersOf(board);
  const { teaching } = board;
  const choice = (label, changes, on, key) => button(label, () => changeTable(changes), { ...pressed(on, true), "data-key": key });
  const more = [
    game.options.length ? group(text("options"), game.options.map(optionButton)) : null,
    teaching ? namesPart(letters) : null,
    teaching ? null : field("date", text("date"), { type: "date" }),
    teaching ? null : field("place", text("place")),
  ];
  return [
    head(teaching ? text("empty_board") : text("new_deal"), "#"),
    teaching ? el("p", { class: "muted" }, text("empty_lead")) : null,
    group(text("game"), games.map((one) => choice(one.name, { game: one.id }, one.id === board.game, `game ${one.id}`))),
    game.seats.length > 1
      ? group(text("seats"), game.seats.map((number) => choice(String(number), { seats: number }, number === board.seats, `seats ${number}`)))
      : null,
    teaching ? null : namesPart(letters),
    faultsPart(),
    group(text("dealer"), letters.map((seat) => choice(nameOf(seat), { dealer: seat }, seat === board.dealer, `dealer ${seat}`))),
    el("details", { class: "more-part", open: openParts.has("more"), ontoggle: keepOpen("more") }, el("summary", {}, teaching ? text("more_table") : text("more_deal")), more),
    onwardPart(),
  ];
}

// Names by typing; players of the club by a tap, which seats them at the next free seat.
function namesPart(letters) {
  const seated = new Set(letters.map((seat) => board.names[seat]));
  const free = letters.find((seat) => !board.names[seat]);
  const known = offered.players.filter((name) => !seated.has(name));
  const seatHere = (name) => {
    store({ names: { ...board.names, [free]: name } });
    checkTable();
    show();
  };
  return el(
    "section",
    { class: "field-part", role: "group", "aria-label": text("players") },
    el("h2", {}, text("players"), el("small", {}, text("players_hint"))),
    letters.map(nameField),
    known.length && free ? el("div", { class: "choices known", "data-arrows": true }, known.map((name) => button(name, () => seatHere(name), { class: "button choice", "data-key": `player ${name}` }))) : null,
  );
}

function nameField(seat) {
  const change = (event) => {
    store({ names: { ...board.names, [seat]: event.target.value.trim() } });
    checkTable();
    show();
  };
  return el("label", { class: "name-field" }, el("b", {}, seat), el("input", { value: board.names[seat] ?? "", maxlength: "60", autocomplete: "off", "aria-label": text("name_of", { seat }), onchange: change, "data-key": `name ${seat}` }));
}

function field(name, label, attributes = {}) {
  const change = (event) => {
    store({ [name]: event.target.value.trim() });
    checkTable();
  };
  return el("label", { class: "text-field" }, label, el("input", { value: board[name], maxlength: "60", ...attributes, onchange: change, "data-key": name }));
}

function optionButton({ word, label }) {
  const { options } = board;
  const on = options.includes(word);
  return button(label, () => changeTable({ options: on ? options.filter((one) => one !== word) : [...options, word] }), { ...pressed(on, true), "data-key": `option ${word}` });
}

// --- all deals on this device ---

function listView() {
  const rows = boards();
  const row = ({ key, game, names, seats, date, events, waiting: waits = [] }) =>
    el(
      "li",
      {},
      el(
        "a",
        { href: `#${key}`, "data-key": `board ${key}` },
        el("strong", {}, games.find(({ id }) => id === game)?.name ?? game),
        el("span", { class: "muted" }, [date, [...LETTERS.slice(0, seats)].map((seat) => names[seat] || seat).join(", "), text("moves_so_far", { number: events.length + waits.length })].filter(Boolean).join(" · ")),
      ),
      button("×", () => { forget(key); show(); }, { class: "button icon", "aria-label": text("delete_deal", { name: names.A || game }), "data-key": `delete ${key}` }),
    );
  return [
    el("h1", {}, text("title")),
    el("p", { class: "lead" }, text("lead")),
    el("p", {}, el("a", { class: "button primary large wide", href: "#new", "data-key": "new" }, text("new_deal"))),
    el("p", {}, el("a", { class: "button large wide", href: "#empty", "data-key": "empty" }, text("empty_board"), el("small", {}, text("empty_hint")))),
    rows.length ? el("ul", { class: "evening-list boards" }, rows.map(row)) : null,
    preparePart(),
  ];
}

// The engine in this browser answers without network.
function preparePart() {
  const { state, progress } = tarockEngine;
  const prepare = () => tarockEngine.prepare().catch((error) => say(error.message));
  if (state === "ready") return el("p", { class: "muted" }, text("works_offline"));
  if (state === "loading") return el("p", { class: "muted", role: "status" }, text("loading", { percent: Math.round(100 * (progress ?? 0)) }));
  return el("p", {}, button(text("prepare"), prepare, { class: "button small", "data-key": "prepare" }));
}
