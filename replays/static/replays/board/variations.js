// Try another card: variations of a deal, each scored and compared with the deal itself. They form a tree:
// each starts at a step of the deal (number 0) or of another variation, and has its own events from there.

import { owned } from "../device.js";
import {
  ask, button, clauseLink, el, labelled, linesPart, pointsOf, say, sense, signed, textField, who,
  gettext, pgettext, labels,
} from "../app.js";
import { answer, change, judge, turnText, undo } from "./play.js";
import { folded, hear, namesOf, saveFile, show } from "./pages.js";
import { keep, lettersOf, nameOf, startOf, page } from "./deal.js";
import { get } from "../store.js";
import { players } from "./stage.js";

const trial = JSON.parse(document.getElementById("trial").textContent);
const TREE = owned(`variations:${trial.digest}`);
let sheets = { played: null, lines: new Map() }; // the engine's sheet of each finished variation
page.opened = !trial.confirm; // whether all hands may be shown
let saved = trial.saved;

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const variation = (id) => page.board.variations.find((one) => one.id === id);

function lineEvents(id) {
  const own = variation(id);
  return own ? [...lineEvents(own.from).slice(0, own.step), ...own.events] : trial.record.events;
}

// Return the board of a variation after `at` of its events.
function onLine(line, at) {
  const all = lineEvents(line);
  return { line, events: all.slice(0, at), undone: all.slice(at).reverse() };
}

// Begin with the variations on this device, which may be newer, unless the page shows another user's.
function beginTrial() {
  const { record, step, line } = trial;
  const there = !saved || saved.mine ? get(TREE) : null;
  const names = record.players;
  page.board = {
    key: "", game: record.game, seats: Object.keys(names).length, names, dealer: record.dealer, options: record.options,
    deal: record.deal, variations: there?.variations ?? trial.variations, line: 0, events: [], undone: [],
  };
  Object.assign(page.board, onLine(variation(line) ? line : 0, step));
}

function storeTree() {
  if (saved && !saved.mine) return;
  const { variations } = page.board;
  keep({ [TREE]: variations.length ? { variations, at: Date.now() } : null });
}

// Return the board after an event: in this variation, in another that starts with the event, or in a new one.
// Return null if no more variations are allowed.
function branch(event) {
  const at = page.board.events.length;
  const own = variation(page.board.line);
  const whole = lineEvents(page.board.line);
  if (at < whole.length && same(whole[at], event)) return onLine(page.board.line, at + 1);
  if (own && at === whole.length) {
    const events = [...own.events, event];
    return { events: [...page.board.events, event], undone: [], variations: altered(own.id, { events }) };
  }
  let { line } = page.board;
  while (line && at <= variation(line).step) line = variation(line).from; // the variation of that event
  const other = page.board.variations.find((one) => one.from === line && one.step === at && same(one.events[0], event));
  if (same(lineEvents(line)[at], event)) return onLine(line, at + 1);
  if (other) return onLine(other.id, at + 1);
  if (page.board.variations.length >= trial.most) {
    say(gettext("There are {number} variations, which is the maximum. Delete one first.", { number: trial.most }));
    return null;
  }
  const id = Math.max(0, ...page.board.variations.map((one) => one.id)) + 1;
  const made = { id, from: line, step: at, events: [event], name: "", comment: "" };
  return { line: id, events: [...page.board.events, event], undone: [], variations: [...page.board.variations, made] };
}

const altered = (id, changes) => page.board.variations.map((one) => (one.id === id ? { ...one, ...changes } : one));

// Update the sheets of all variations after one was finished or deleted.
async function judgeLines() {
  const question = { ask: "variations", record: trial.record, variations: page.board.variations };
  const { played, variations } = await ask(question);
  sheets = { played, lines: new Map(variations.map((one) => [one.id, one])) };
}

const select = (id) => change(() => onLine(id, variation(id) ? variation(id).step + 1 : page.board.events.length));

function remove(id) {
  const gone = new Set([id]);
  for (const one of page.board.variations) if (gone.has(one.from)) gone.add(one.id);
  const { from, step } = variation(id);
  const back = gone.has(page.board.line)
    ? { line: from, at: Math.min(step, page.board.events.length) }
    : { line: page.board.line, at: page.board.events.length };
  const before = page.board.variations;
  page.board.variations = before.filter((one) => !gone.has(one.id));
  say(gettext("The variation has been deleted."), gettext("Undo"), () => {
    page.board.variations = before;
    storeTree();
    change(() => onLine(id, step + 1));
  });
  change(() => onLine(back.line, back.at));
}

// Undo an illegal event. It leaves no trace in the user's own variation, unless the variation has a name or comment.
function takeBack() {
  const own = variation(page.board.line);
  const at = page.board.events.length - 1;
  const forks = page.board.variations.some(({ from, step }) => from === own?.id && step > at);
  const isLast = own && at === own.step + own.events.length - 1;
  if (!isLast || forks || own.name || own.comment || (saved && !saved.mine)) undo();
  else if (own.events.length === 1) remove(own.id);
  else {
    const variations = altered(own.id, { events: own.events.slice(0, -1) });
    change(() => ({ variations, line: own.id, events: page.board.events.slice(0, -1) }));
  }
}

// Move a variation up among those that start from the same variation.
function promote(id) {
  const rows = [...page.board.variations];
  const place = rows.findIndex((one) => one.id === id);
  const above = rows.findLastIndex((one, at) => at < place && one.from === rows[place].from);
  if (above < 0) return;
  rows.splice(above, 0, ...rows.splice(place, 1));
  page.board.variations = rows;
  storeTree();
  show();
}

function keepText(id, changes) {
  page.board.variations = altered(id, changes);
  storeTree();
}

function rename(id, changes) {
  keepText(id, changes);
  page.showLater();
}

// --- drawing ---

const titleOf = (one) => one.name || gettext("Variation {number}", { number: one.id });

// Show what the current variation is: its title, author and comment, and the points that it changes.
function aboutPart() {
  const one = variation(page.board.line);
  if (!one) return page.board.variations.length ? null : el("p", { class: "muted" }, hintText());
  const found = sheets.lines.get(one.id);
  return el(
    "div",
    { class: "note about", "data-key": "about" },
    el("p", {}, el("b", {}, titleOf(one)), " ", saved && !saved.mine
      ? el("small", { class: "muted" }, byText())
      : null),
    one.comment ? el("p", { class: "comment" }, one.comment) : null,
    found ? el("p", {}, outcomePart(found)) : null,
  );
}

const byText = () => (saved.by ? gettext("by {name}", { name: saved.by }) : gettext("by a guest"));
const hintText = () => gettext("To begin a variation, tap a card other than the one that was played.");

// Show how a variation ends, compared with the deal as it was played.
function outcomePart({ verdict, score }) {
  const { score: before } = sheets.played;
  if (verdict === "incomplete") return el("small", { class: "muted" }, gettext("not played to the end"));
  if (!score || !before) return el("span", { class: "error" }, labels.verdicts[verdict]);
  const more = Object.entries(score).map(([seat, points]) => [seat, points - before[seat]]).filter(([, by]) => by);
  if (!more.length) return gettext("It would have scored the same.");
  return [gettext("Compared with the deal:"), " ", scorePart(Object.fromEntries(more))];
}

const scorePart = (score) => (score ? el("span", { class: "line-points" }, pointsOf(score, nameOf)) : null);

function firstMoves(one) {
  const here = () => answer.groups.flatMap(({ moves }) => moves.map(([, seat, short]) => ({ seat, short })));
  const moves = one.id === page.board.line ? here().slice(one.step) : (sheets.lines.get(one.id)?.moves ?? []);
  return moves.slice(0, 4).map(({ seat, short }, at) => [at ? " · " : "", who(seat, nameOf(seat)), ` ${short}`]);
}

function variationsPart() {
  const rows = (from, depth) => page.board.variations.filter((one) => one.from === from).flatMap(
    (one) => [variationRow(one, depth), ...rows(one.id, depth + 1)],
  );
  return el(
    "section",
    { class: "variations field-part", "aria-label": gettext("Variations") },
    el("h2", {}, gettext("Variations"), el(
      "small", { class: "muted" },
      gettext("{number} of {most}", { number: page.board.variations.length, most: trial.most }),
    )),
    el(
      "ol",
      {},
      el("li", { class: page.board.line ? "" : "here" }, button(
        [el("b", {}, gettext("As it was played")), scorePart(sheets.played?.score)], () => select(0),
        { class: "button line", "aria-pressed": String(!page.board.line), "data-key": "line 0" },
      )),
      rows(0, 0),
    ),
    page.board.variations.length
      ? null
      : el("p", { class: "muted" }, hintText()),
    page.board.variations.length || saved ? savePart() : null,
  );
}

function variationRow(one, depth) {
  const found = sheets.lines.get(one.id);
  const finished = found && found.verdict !== "incomplete";
  const label = [
    el("b", {}, titleOf(one)),
    el("small", { class: "muted" }, firstMoves(one)),
    finished
      ? (found.score ? scorePart(found.score) : el("span", { class: "error" }, labels.verdicts[found.verdict]))
      : el("small", { class: "muted" }, gettext("not played to the end")),
  ];
  const first = page.board.variations.filter(({ from }) => from === one.from)[0] === one;
  const field = (name, hint) => textField(hint, one[name], (text) => rename(one.id, { [name]: text }), {
    maxlength: String(trial.longest[name]), "data-key": `${name} ${one.id}`,
    // Some browsers leave the focus in the field when the user taps a button, so keep each character.
    oninput: ({ target }) => keepText(one.id, { [name]: target.value.trim() }),
  });
  return el(
    "li",
    { class: one.id === page.board.line ? `here depth-${Math.min(depth, 4)}` : `depth-${Math.min(depth, 4)}` },
    button(label, () => select(one.id), {
      class: "button line", "aria-pressed": String(one.id === page.board.line), "data-key": `line ${one.id}`,
    }),
    one.comment ? el("p", { class: "comment" }, one.comment) : null,
    el(
      "details",
      folded(`line ${one.id}`),
      el("summary", { "data-key": `edit ${one.id}` }, gettext("Name, comment, order"), el(
        "span", { class: "visually-hidden" }, ` ${titleOf(one)}`,
      )),
      field("name", gettext("Name")),
      field("comment", gettext("Comment")),
      el(
        "p",
        { class: "choices" },
        button(gettext("Move up"), () => promote(one.id), { disabled: first, "data-key": `promote ${one.id}` }),
        button(gettext("Delete"), () => remove(one.id), { "data-key": `remove ${one.id}` }),
        found?.text ? button(
          gettext("Download"), () => saveFile(found.text, `variation-${one.id}.tgn`),
          { "data-key": `download ${one.id}` },
        ) : null,
      ),
    ),
  );
}

const sheetPart = (title, { score, sheet }) => el(
  "div", {}, el("h2", {}, title), scorePart(score), linesPart(sheet, players()),
);

// Show the clauses that scored differently from the deal as it was played, and both sheets.
function comparePart() {
  const found = sheets.lines.get(page.board.line);
  if (!found || !sheets.played || !(answer.over || answer.finding)) return null;
  const seats = lettersOf(page.board);
  const cell = (points) => el("td", { class: `number points ${sense(points)}` }, points ? signed(points) : "·");
  const head = el(
    "tr", {}, el("th", { scope: "col" }, gettext("What would have scored differently")),
    seats.map((seat) => el("th", { scope: "col", class: "number" }, nameOf(seat))),
  );
  const row = (one) => el("tr", {}, el("th", { scope: "row" }, one.name, " ", clauseLink(one)), seats.map(
    (seat) => cell(one.points[seat] ?? 0),
  ));
  const total = (seat) => (found.score?.[seat] ?? 0) - (sheets.played.score?.[seat] ?? 0);
  const both = found.score && sheets.played.score;
  return el(
    "section",
    { class: "compared", "aria-label": gettext("What would have scored differently") },
    both && found.difference.length
      ? el("div", { class: "table-scroll", tabindex: "0" }, el(
        "table", { class: "list" }, el("thead", {}, head), el("tbody", {}, found.difference.map(row)),
        el("tfoot", {}, el(
          "tr", {}, el("th", { scope: "row" }, pgettext("of points", "Together")),
          seats.map((seat) => cell(total(seat))),
        )),
      ))
      : null,
    both && !found.difference.length ? el("p", { class: "note" }, gettext("It would have scored the same.")) : null,
    el(
      "div",
      { class: "two-sheets" },
      sheetPart(titleOf(variation(page.board.line)), found),
      sheetPart(gettext("As it was played"), sheets.played),
    ),
  );
}

// --- saving with the deal ---

function savePart() {
  if (saved && !saved.mine) return el(
    "p", { class: "muted" }, byText(), " ",
    button(gettext("Continue them as my own"), copyToMine, { class: "button small", "data-key": "copy" }),
  );
  const kinds = {
    private: gettext("Only me"), link: gettext("Anyone with the link"),
    public: gettext("Everybody who can see the deal"),
  };
  const choices = Object.entries(kinds).map(
    ([kind, words]) => el("option", { value: kind, selected: (saved?.visibility ?? "private") === kind }, words),
  );
  return el(
    "form",
    { class: "save-lines", onsubmit: save },
    trial.guest
      ? el(
        "p", { class: "muted" },
        gettext("Anyone with the link can see them for 90 days, and only this device can delete them."), " ",
        el("a", { href: trial.addresses.login }, gettext("Sign in to save them with the deal")),
      )
      : labelled(gettext("Who can see them"), el("select", { name: "visibility", "data-key": "visibility" }, choices)),
    el(
      "p", { class: "choices" },
      el(
        "button", { type: "submit", class: "button primary", "data-key": "save-lines" },
        trial.guest ? gettext("Share by link") : gettext("Save with the deal"),
      ),
      saved
        ? button(trial.guest ? gettext("Delete the link") : gettext("Remove from the deal"), unsave, {
          "data-key": "unsave",
        })
        : null,
    ),
    saved
      ? el(
          "div",
          { class: "links" },
          labelled(gettext("Link"), el(
            "input", { readonly: true, value: new URL(saved.address, location.href).href, "data-key": "link" },
          )),
          saved.visibility === "private" ? null : labelled(gettext("For another page"), el("input", {
            readonly: true,
            value: `<iframe src="${new URL(saved.embed, location.href).href}" width="640" height="480"></iframe>`,
            "data-key": "embed",
          })),
        )
      : null,
  );
}

// Copy another user's variations, so that the user can change and save them.
function copyToMine() {
  saved = null;
  storeTree();
  show();
}

// Save or remove the variations, and announce the outcome.
async function send(method, done, body = null) {
  try {
    if (await request(method, body)) say(done);
  } catch (error) {
    say(error.message);
  }
  show();
}

// Return whether the archive accepted a request about the saved variations.
async function request(method, body) {
  const response = await fetch(trial.addresses.save, {
    method,
    headers: {
      "Content-Type": "application/json", "X-CSRFToken": document.querySelector('[name="csrfmiddlewaretoken"]').value,
    },
    body: body && JSON.stringify(body),
  });
  const found = await response.json();
  if (response.status === 409) {
    saved = found.saved;
    say(gettext(
      "Other variations were saved on another device in the meantime. Saving again replaces them.",
    ), gettext("Use those"), () => {
      page.board.variations = found.variations;
      storeTree();
      judgeLines().then(() => change(() => onLine(0, page.board.events.length)));
    });
    return false;
  }
  if (!response.ok) throw new Error(found.detail);
  saved = found.saved;
  return true;
}

function save(event) {
  event.preventDefault();
  const visibility = event.target.elements.visibility?.value ?? "link";
  send("PUT", trial.guest ? gettext("Shared by link.") : gettext("Saved with the deal."), {
    variations: page.board.variations, visibility, version: saved?.version ?? 0,
  });
}

const unsave = () => send("DELETE", trial.guest
  ? gettext("The link no longer works. The variations are still on this device.")
  : gettext("Removed from the deal. The variations are still on this device."));

// Ask users who were viewing the deal as one seat to confirm before all hands are shown.
function openView() {
  const open = async () => {
    page.opened = true;
    await prepareTrial();
    show();
  };
  return [
    el("h1", {}, gettext("Try another card")),
    el("p", { class: "lead" }, gettext(
      "You were viewing this deal as one player. To try another card, open all hands.",
    )),
    el(
      "p", { class: "choices" },
      button(gettext("Open all hands"), open, { class: "button primary large", "data-key": "open" }),
      el("a", { class: "button large", href: trial.addresses.replay }, gettext("Back")),
    ),
  ];
}

async function prepareTrial() {
  page.stage = "play";
  if (!page.opened) return;
  page.starts = await startOf(page.board);
  page.cardNames = namesOf(page.starts);
  await judge();
  page.board.near ??= answer.turn; // the table does not turn from card to card
  page.resultOpen = false;
  await judgeLines();
  hear(turnText());
}

Object.assign(page, {
  storeTree, trial, judgeLines, branch, aboutPart, takeBack,
  comparePart, variation, variationsPart, openView, beginTrial, prepareTrial,
});
