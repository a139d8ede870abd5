// The table: game, seats, names, dealer, options.

import { byId } from "../table/table.js";
import {
  ask, button, choice, el, group, head, newKey, offlinePart, textField, today, toggled, gettext, pgettext,
} from "../app.js";
import { LETTERS, PREFIX, boardOf, boards, keep, lettersOf, nameOf, shuffled, startOf, store, page } from "./deal.js";
import { get } from "../store.js";

export let games = null; // from the engine
export let faults = []; // the engine's findings on the names and the date
// Player names to suggest, and the tags for a deal of the session that the user came from.
const offered = JSON.parse(byId("offered")?.textContent ?? '{"players": []}');

export async function gamesKnown() {
  games ??= (await ask({ ask: "games" })).games;
  return games;
}

// Ask the engine to check the names and the date. The user cannot leave the table before the faults are
// fixed. If the engine does not answer, the archive checks the deal when it is sent.
export async function checkTable() {
  const question = tableQuestion();
  const { findings } = await ask(question).catch(() => ({ findings: [] }));
  const isLate = JSON.stringify(question) !== JSON.stringify(tableQuestion());
  if (isLate || JSON.stringify(findings) === JSON.stringify(faults)) return;
  faults = findings;
  byId("table-faults")?.replaceWith(faultsPart());
  byId("onward")?.replaceWith(onwardPart());
}

const tableQuestion = () => page.board
  && { ask: "table", table: lettersOf(page.board).map((seat) => page.board.names[seat] ?? ""), date: page.board.date };

function faultsPart() {
  return el("div", { class: "findings", id: "table-faults", role: "alert" }, faults.map(
    (one) => el("p", {}, one.text),
  ));
}

// Buttons to continue from the table.
function onwardPart() {
  const { teaching, key } = page.board;
  const to = (stage) => (faults.length ? { "aria-disabled": "true" } : { href: `#${key}/${stage}` });
  const dealt = async () => {
    page.starts = await startOf(page.board);
    store({ deal: shuffled(page.starts), events: [], undone: [] });
    location.hash = `#${key}/play`;
  };
  return el(
    "footer",
    { class: "save-bar", id: "onward" },
    el("p", {}),
    teaching ? null : el(
      "a", { class: "button large", ...to("play"), "data-key": "as-played" }, gettext("As it was played"),
    ),
    el(
      "a", { class: teaching ? "button large" : "button primary large", ...to("hands"), "data-key": "hands" },
      teaching ? gettext("Choose the cards") : gettext("Deal the cards"),
    ),
    teaching ? button(pgettext("cards", "Shuffle and deal"), dealt, {
      class: "button primary large", disabled: faults.length > 0, "data-key": "shuffle",
    }) : null,
  );
}

export const gameOf = () => games.find(({ id }) => id === page.board.game);

// Begin a deal with the same table as the last deal, or the last one of the game `wanted`. `teaching`: an example
// deal without players.
export function begin(teaching, wanted) {
  const last = boards().find(({ game }) => !wanted || game === wanted);
  const game = games.find(({ id }) => id === (wanted || last?.game)) ?? games[0];
  const seats = game.seats.includes(last?.seats) ? last.seats : (game.seats.find((one) => one === 4) ?? game.seats[0]);
  // If the page suggests the players of a club, don't keep the names of the last deal.
  const names = teaching || offered.players.length ? {} : (last?.names ?? {});
  const { place = last?.place ?? "", tags = {} } = offered;
  page.board = {
    key: newKey(), game: game.id, seats, names, dealer: "A",
    options: last?.game === game.id ? last.options : [],
    date: teaching ? "" : today(), place: teaching ? "" : place,
    tags: { ...(teaching ? {} : tags), Rules: last?.game === game.id ? last.tags?.Rules : "" },
    deal: {}, events: [], undone: [], teaching,
  };
}

// Lay out the stored deal that this page edits, unless it is here already with the changes made to it.
export function beginEdit() {
  if (!offered.edited) return;
  const { key, record } = offered.edited;
  const before = get(PREFIX + key);
  const isSame = before && !before.sent && JSON.stringify(before.edits.record) === JSON.stringify(record);
  page.board = isSame ? before : { key, ...boardOf(record), edits: { record, address: location.pathname } };
  store();
  location.replace(`#${key}/play`);
}

// Change the table. A change of the game clears the deal. Other changes keep the cards that still fit.
function changeTable(changes) {
  const game = games.find(({ id }) => id === (changes.game ?? page.board.game));
  const seats = changes.seats ?? page.board.seats;
  const next = { ...page.board, ...changes, seats: game.seats.includes(seats) ? seats : game.seats[0] };
  const dealer = LETTERS.indexOf(next.dealer) < next.seats ? next.dealer : "A";
  const bare = { options: [], tags: { ...page.board.tags, Rules: "" }, deal: {}, events: [], undone: [] };
  store({ ...next, dealer, ...(changes.game ? bare : {}) });
  checkTable();
  page.showLater();
}

export function setupView() {
  const game = gameOf();
  const letters = lettersOf(page.board);
  const { teaching } = page.board;
  const more = [
    game.rules.length > 1 ? group(gettext("Rules"), game.rules.map(rulesButton)) : null,
    game.options.length ? group(gettext("Table options"), game.options.map(optionButton)) : null,
    teaching ? namesPart(letters) : null,
    teaching ? null : field("date", gettext("Date"), { type: "date" }),
    teaching ? null : field("place", gettext("Place")),
  ];
  return [
    head(teaching ? gettext("Empty board") : gettext("New deal"), "#"),
    teaching ? el("p", { class: "muted" }, gettext(
      "Cards are dealt at random or as you choose. All hands are open, and you play every seat.",
    )) : null,
    group(gettext("Game"), games.map(
      (one) => choice(one.name, one === game, () => changeTable({ game: one.id }), `game ${one.id}`),
    )),
    game.seats.length > 1
      ? group(gettext("Seats"), game.seats.map(
        (number) => choice(
          String(number), number === page.board.seats, () => changeTable({ seats: number }), `seats ${number}`,
        ),
      ))
      : null,
    teaching ? null : namesPart(letters),
    faultsPart(),
    group(gettext("Dealer"), letters.map(
      (seat) => choice(
        nameOf(seat), seat === page.board.dealer, () => changeTable({ dealer: seat }), `dealer ${seat}`,
      ),
    )),
    el(
      "details", page.folded("more"),
      el("summary", {}, teaching ? gettext("Options and names") : gettext("Options, date, place")), more,
    ),
    onwardPart(),
  ];
}

// Names can be typed. Tapping a player of the club puts the name at the next free seat.
function namesPart(letters) {
  const seated = new Set(letters.map((seat) => page.board.names[seat]));
  const free = letters.find((seat) => !page.board.names[seat]);
  const known = offered.players.filter((name) => !seated.has(name));
  return el(
    "section",
    { class: "field-part", role: "group", "aria-label": gettext("Players") },
    el("h2", {}, gettext("Players"), el("small", {}, gettext("in the order of their seats"))),
    letters.map(nameField),
    known.length && free ? el("div", { class: "choices known", "data-arrows": true }, known.map(
      (name) => button(name, () => enterName(free, name), { class: "button choice", "data-key": `player ${name}` }),
    )) : null,
  );
}

const enterName = (seat, name) => changeTable({ names: { ...page.board.names, [seat]: name } });

function nameField(seat) {
  const change = (event) => enterName(seat, event.target.value.trim());
  return el("label", { class: "name-field" }, el("b", {}, seat), el(
    "input",
    {
      value: page.board.names[seat] ?? "", maxlength: "60", autocomplete: "off",
      "aria-label": gettext("Name of the player at seat {seat}", { seat }), onchange: change,
      "data-key": `name ${seat}`,
    },
  ));
}

function field(name, label, attributes = {}) {
  const enter = (text) => {
    store({ [name]: text });
    checkTable();
  };
  return textField(label, page.board[name], enter, { ...attributes, "data-key": name });
}

function optionButton({ word, label }) {
  const { options } = page.board;
  // Options that differ from a published rule set don't have its name.
  const toggle = () => changeTable({ options: toggled(options, word), ...named("") });
  return choice(label, options.includes(word), toggle, `option ${word}`);
}

// Play by a published rule set. The record has its options and its name; the rules of the source have neither.
function rulesButton({ name, title, options }) {
  const isChosen = options.length ? page.board.tags?.Rules === name : !page.board.options.length;
  const choose = () => changeTable({ options, ...named(options.length ? name : "") });
  return choice(title, isChosen, choose, `rules ${name}`);
}

const named = (Rules) => ({ tags: { ...page.board.tags, Rules } });

// --- all deals on this device ---

export function listView() {
  const rows = boards();
  const row = ({ key, game, names, seats, date, events, waiting: waits = [] }) =>
    el(
      "li",
      {},
      el(
        "a",
        { href: `#${key}`, "data-key": `board ${key}` },
        el("strong", {}, games.find(({ id }) => id === game)?.name ?? game),
        el(
          "span", { class: "muted" },
          [
            date, [...LETTERS.slice(0, seats)].map((seat) => names[seat] || seat).join(", "),
            gettext("Moves: {number}", { number: events.length + waits.length }),
          ].filter(Boolean).join(" · "),
        ),
      ),
      button("×", () => { keep({ [PREFIX + key]: null }); page.show(); }, {
        class: "button icon", "aria-label": gettext("Delete the deal: {name}", { name: names.A || game }),
        "data-key": `delete ${key}`,
      }),
    );
  return [
    el("h1", {}, gettext("Enter a deal")),
    el("p", { class: "lead" }, gettext(
      "Lay out a deal by tapping its cards, and play it card by card. The board offers what the rules "
      + "allow, and shows the score at the end. Everything stays on this device until you send it.",
    )),
    el("p", {}, el("a", { class: "button primary large wide", href: "#new", "data-key": "new" }, gettext("New deal"))),
    el("p", {}, el(
      "a", { class: "button large wide", href: "#empty", "data-key": "empty" }, gettext("Empty board"),
      el("small", {}, gettext("to try things out, or to teach")),
    )),
    rows.length ? el("ul", { class: "evening-list boards" }, rows.map(row)) : null,
    el("p", {}, offlinePart()),
  ];
}
