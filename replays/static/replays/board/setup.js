// The table of a deal: game, seats, names, dealer, options.

let games = null; // as the engine has them

async function gamesKnown() {
  games ??= (await ask({ ask: "games" })).games;
  return games;
}

const gameOf = () => games.find(({ id }) => id === board.game);

function begin() {
  const last = boards()[0];
  const game = games.find(({ id }) => id === last?.game) ?? games[0];
  const seats = game.seats.includes(last?.seats) ? last.seats : (game.seats.find((one) => one === 4) ?? game.seats[0]);
  const today = new Date();
  const date = [today.getFullYear(), today.getMonth() + 1, today.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
  board = { key: crypto.randomUUID(), game: game.id, seats, names: last?.names ?? {}, dealer: "A", options: last?.game === game.id ? last.options : [], date, place: last?.place ?? "", deal: {}, events: [], undone: [] };
}

// Who changes the game changes everything; what else is changed leaves the cards where they still belong.
function changeTable(changes) {
  const game = games.find(({ id }) => id === (changes.game ?? board.game));
  const seats = changes.seats ?? board.seats;
  const next = { ...board, ...changes, seats: game.seats.includes(seats) ? seats : game.seats[0] };
  const dealer = LETTERS.indexOf(next.dealer) < next.seats ? next.dealer : "A";
  store({ ...next, dealer, ...(changes.game ? { options: [], deal: {}, events: [], undone: [] } : {}) });
  show();
}

const pressed = (value, wanted) => ({ "aria-pressed": String(value === wanted), class: "button choice" });

function setupView() {
  const game = gameOf();
  const letters = lettersOf(board);
  const choice = (label, changes, on, key) => button(label, () => changeTable(changes), { ...pressed(on, true), "data-key": key });
  return [
    head(text("new_deal"), "#"),
    group(text("game"), games.map((one) => choice(one.name, { game: one.id }, one.id === board.game, `game ${one.id}`))),
    game.seats.length > 1
      ? group(text("seats"), game.seats.map((number) => choice(String(number), { seats: number }, number === board.seats, `seats ${number}`)))
      : null,
    el("section", { class: "field-part names", role: "group", "aria-label": text("players") }, el("h2", {}, text("players"), el("small", {}, text("players_hint"))), letters.map(nameField)),
    group(text("dealer"), letters.map((seat) => choice(nameOf(seat), { dealer: seat }, seat === board.dealer, `dealer ${seat}`))),
    game.options.length ? group(text("options"), game.options.map(optionButton)) : null,
    el(
      "details",
      { class: "more-part", open: Boolean(openParts.has("more")), ontoggle: keepOpen("more") },
      el("summary", {}, text("date_and_place")),
      field("date", text("date"), { type: "date" }),
      field("place", text("place")),
    ),
    el(
      "footer",
      { class: "save-bar" },
      el("p", {}),
      el("a", { class: "button large", href: `#${board.key}/play`, "data-key": "as-played" }, text("to_play_unknown")),
      el("a", { class: "button primary large", href: `#${board.key}/hands`, "data-key": "hands" }, text("to_hands")),
    ),
  ];
}

function nameField(seat) {
  const change = (event) => {
    store({ names: { ...board.names, [seat]: event.target.value.trim() } });
    show();
  };
  return el("label", { class: "name-field" }, el("b", {}, seat), el("input", { value: board.names[seat] ?? "", maxlength: "60", autocomplete: "off", "aria-label": text("name_of", { seat }), onchange: change, "data-key": `name ${seat}` }));
}

function field(name, label, attributes = {}) {
  const change = (event) => store({ [name]: event.target.value.trim() });
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
  const row = ({ key, game, names, seats, date, events }) =>
    el(
      "li",
      {},
      el(
        "a",
        { href: `#${key}`, "data-key": `board ${key}` },
        el("strong", {}, games.find(({ id }) => id === game)?.name ?? game),
        el("span", { class: "muted" }, [date, [...LETTERS.slice(0, seats)].map((seat) => names[seat] || seat).join(", "), text("moves_so_far", { number: events.length })].filter(Boolean).join(" · ")),
      ),
      button("×", () => { forget(key); show(); }, { class: "button icon", "aria-label": text("delete_deal", { name: names.A || game }), "data-key": `delete ${key}` }),
    );
  return [
    el("h1", {}, text("title")),
    el("p", { class: "lead" }, text("lead")),
    el("p", {}, el("a", { class: "button primary large wide", href: "#new", "data-key": "new" }, text("new_deal"))),
    rows.length ? el("ul", { class: "evening-list boards" }, rows.map(row)) : null,
  ];
}
