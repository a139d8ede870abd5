// Trying another card: variations of a deal, each with its score beside that of the deal. They are a tree: each goes
// out from a step of the deal as it was played (line 0), or of another variation, and has its own events from there.

const trial = JSON.parse(document.getElementById("trial").textContent);
const TREE = owned(`variations:${trial.digest}`);
let sheets = { played: null, lines: new Map() }; // what the engine has of each line that came to its end
let opened = !trial.confirm; // whether all hands may be seen
let saved = trial.saved;

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const variation = (id) => board.variations.find((one) => one.id === id);

function lineEvents(id) {
  const own = variation(id);
  return own ? [...lineEvents(own.from).slice(0, own.step), ...own.events] : trial.record.events;
}

// The board on a line, after so many of its events.
function onLine(line, at) {
  const all = lineEvents(line);
  return { line, events: all.slice(0, at), undone: all.slice(at).reverse() };
}

// What is on the device goes before what was saved: it may be newer. Another's variations are not overwritten by it.
function beginTrial() {
  const { record, step } = trial;
  const there = !saved || saved.mine ? read(TREE) : null;
  const names = record.players;
  board = {
    key: "", game: record.game, seats: Object.keys(names).length, names, dealer: record.dealer, options: record.options,
    deal: record.deal, variations: there?.variations ?? trial.variations, line: 0, events: [], undone: [],
  };
  Object.assign(board, onLine(board.variations.length && saved && !saved.mine ? board.variations[0].id : 0, step));
}

function storeTree() {
  if (saved && !saved.mine) return;
  try {
    if (board.variations.length) localStorage.setItem(TREE, JSON.stringify({ variations: board.variations, at: Date.now() }));
    else localStorage.removeItem(TREE);
  } catch {
    say(text("no_room"));
  }
}

// The board after an event: along the line, along another one that begins so, or on a new one. Null at the limit.
function branch(event) {
  const at = board.events.length;
  const own = variation(board.line);
  const whole = lineEvents(board.line);
  if (at < whole.length && same(whole[at], event)) return onLine(board.line, at + 1);
  if (own && at === whole.length) {
    const events = [...own.events, event];
    return { events: [...board.events, event], undone: [], variations: altered(own.id, { events }) };
  }
  let { line } = board;
  while (line && at <= variation(line).step) line = variation(line).from; // whose event stands there
  const other = board.variations.find((one) => one.from === line && one.step === at && same(one.events[0], event));
  if (same(lineEvents(line)[at], event)) return onLine(line, at + 1);
  if (other) return onLine(other.id, at + 1);
  if (board.variations.length >= trial.most) {
    say(text("most_variations", { number: trial.most }));
    return null;
  }
  const id = Math.max(0, ...board.variations.map((one) => one.id)) + 1;
  const made = { id, from: line, step: at, events: [event], name: "", comment: "" };
  return { line: id, events: [...board.events, event], undone: [], variations: [...board.variations, made] };
}

const altered = (id, changes) => board.variations.map((one) => (one.id === id ? { ...one, ...changes } : one));

// The sheets of all lines, when one has come to its end or has gone.
async function judgeLines() {
  const { played, variations } = await ask({ ask: "variations", record: trial.record, variations: board.variations });
  sheets = { played, lines: new Map(variations.map((one) => [one.id, one])) };
}

const select = (id, at) => change(() => onLine(id, at ?? (variation(id) ? variation(id).step + 1 : board.events.length)));

function remove(id) {
  const gone = new Set([id]);
  for (const one of board.variations) if (gone.has(one.from)) gone.add(one.id);
  const { from, step } = variation(id);
  const back = gone.has(board.line) ? { line: from, at: Math.min(step, board.events.length) } : { line: board.line, at: board.events.length };
  const before = board.variations;
  board.variations = before.filter((one) => !gone.has(one.id));
  say(text("variation_deleted"), button(text("undo"), () => {
    board.variations = before;
    storeTree();
    change(() => onLine(id, step + 1));
  }, { class: "button small" }));
  change(() => onLine(back.line, back.at));
}

// One place up among those that go out from the same line.
function promote(id) {
  const rows = [...board.variations];
  const place = rows.findIndex((one) => one.id === id);
  const above = rows.findLastIndex((one, at) => at < place && one.from === rows[place].from);
  if (above < 0) return;
  rows.splice(above, 0, ...rows.splice(place, 1));
  board.variations = rows;
  storeTree();
  show();
}

function rename(id, changes) {
  board.variations = altered(id, changes);
  storeTree();
  show();
}

// --- what is drawn ---

const titleOf = (one) => one.name || text("variation_number", { number: one.id });

function scorePart(score) {
  return score ? el("span", { class: "line-points" }, Object.entries(score).map(([seat, points]) => el("span", { class: sense(points) }, `${nameOf(seat)} ${signed(points)}`))) : null;
}

function firstMoves(one) {
  const here = () => answer.groups.flatMap(({ moves }) => moves.map(([, seat, short]) => ({ seat, short })));
  const moves = one.id === board.line ? here().slice(one.step) : (sheets.lines.get(one.id)?.moves ?? []);
  return moves.slice(0, 4).map(({ seat, short }) => `${seat} ${short}`).join(" · ");
}

function variationsPart() {
  const rows = (from, depth) => board.variations.filter((one) => one.from === from).flatMap((one) => [variationRow(one, depth), ...rows(one.id, depth + 1)]);
  return el(
    "section",
    { class: "variations field-part", "aria-label": text("variations") },
    el("h2", {}, text("variations"), el("small", { class: "muted" }, text("variations_of", { number: board.variations.length, most: trial.most }))),
    el(
      "ol",
      {},
      el("li", { class: board.line ? "" : "here" }, button([el("b", {}, text("as_played")), scorePart(sheets.played?.score)], () => select(0), { class: "button line", "aria-pressed": String(!board.line), "data-key": "line 0" })),
      rows(0, 0),
    ),
    board.variations.length ? null : el("p", { class: "muted" }, text("try_hint")),
    board.variations.length || saved ? savePart() : null,
  );
}

function variationRow(one, depth) {
  const found = sheets.lines.get(one.id);
  const finished = found && found.verdict !== "incomplete";
  const label = [
    el("b", {}, titleOf(one)),
    el("small", { class: "muted" }, firstMoves(one)),
    finished ? (found.score ? scorePart(found.score) : el("span", { class: "error" }, texts[`verdict_${found.verdict}`])) : el("small", { class: "muted" }, text("unfinished")),
  ];
  const first = board.variations.filter(({ from }) => from === one.from)[0] === one;
  const field = (name, hint) =>
    el("label", { class: "text-field" }, hint, el("input", { value: one[name], maxlength: String(trial.longest[name]), onchange: (event) => rename(one.id, { [name]: event.target.value.trim() }), "data-key": `${name} ${one.id}` }));
  return el(
    "li",
    { class: one.id === board.line ? `here depth-${Math.min(depth, 4)}` : `depth-${Math.min(depth, 4)}` },
    button(label, () => select(one.id), { class: "button line", "aria-pressed": String(one.id === board.line), "data-key": `line ${one.id}` }),
    one.comment ? el("p", { class: "comment" }, one.comment) : null,
    el(
      "details",
      { class: "more-part", open: openParts.has(`line ${one.id}`), ontoggle: keepOpen(`line ${one.id}`) },
      el("summary", { "data-key": `edit ${one.id}` }, text("edit_line"), el("span", { class: "visually-hidden" }, ` ${titleOf(one)}`)),
      field("name", text("name")),
      field("comment", text("comment")),
      el(
        "p",
        { class: "choices" },
        button(text("promote"), () => promote(one.id), { disabled: first, "data-key": `promote ${one.id}` }),
        button(text("delete"), () => remove(one.id), { "data-key": `remove ${one.id}` }),
        found?.text ? button(text("download"), () => saveFile(found.text, `variation-${one.id}.tgn`), { "data-key": `download ${one.id}` }) : null,
      ),
    ),
  );
}

// The clauses that scored otherwise, and both sheets beside each other.
function comparePart() {
  const found = sheets.lines.get(board.line);
  if (!found || !sheets.played || !(answer.over || answer.finding)) return null;
  const seats = lettersOf(board);
  const cell = (points) => el("td", { class: `number points ${sense(points)}` }, points ? signed(points) : "·");
  const head = el("tr", {}, el("th", { scope: "col" }, text("otherwise")), seats.map((seat) => el("th", { scope: "col", class: "number" }, nameOf(seat))));
  const row = (one) => el("tr", {}, el("th", { scope: "row" }, one.name, " ", clauseLink(one)), seats.map((seat) => cell(one.points[seat] ?? 0)));
  const total = (seat) => (found.score?.[seat] ?? 0) - (sheets.played.score?.[seat] ?? 0);
  const both = found.score && sheets.played.score;
  return el(
    "section",
    { class: "compared", "aria-label": text("otherwise") },
    both && found.difference.length
      ? el("div", { class: "table-scroll", tabindex: "0" }, el("table", { class: "list" }, el("thead", {}, head), el("tbody", {}, found.difference.map(row)), el("tfoot", {}, el("tr", {}, el("th", { scope: "row" }, text("together")), seats.map((seat) => cell(total(seat)))))))
      : null,
    both && !found.difference.length ? el("p", { class: "note" }, text("no_difference")) : null,
    el(
      "div",
      { class: "two-sheets" },
      el("div", {}, el("h2", {}, titleOf(variation(board.line))), scorePart(found.score), linesPart(found.sheet, players())),
      el("div", {}, el("h2", {}, text("as_played")), scorePart(sheets.played.score), linesPart(sheets.played.sheet, players())),
    ),
  );
}

// --- saving with the deal ---

function savePart() {
  if (saved && !saved.mine) return el("p", { class: "muted" }, text("saved_by", { name: saved.by }), " ", button(text("copy_to_mine"), copyToMine, { class: "button small", "data-key": "copy" }));
  if (!trial.may_save) return el("p", { class: "muted" }, text("sign_in_to_save"), " ", el("a", { href: trial.addresses.login }, text("sign_in")));
  const kinds = { private: text("visible_private"), link: text("visible_link"), public: text("visible_public") };
  const choices = Object.entries(kinds).map(([kind, words]) => el("option", { value: kind, selected: (saved?.visibility ?? "private") === kind }, words));
  return el(
    "form",
    { class: "save-lines", onsubmit: save },
    el("label", { class: "text-field" }, text("who_sees"), el("select", { name: "visibility", "data-key": "visibility" }, choices)),
    el("p", { class: "choices" }, el("button", { type: "submit", class: "button primary", "data-key": "save-lines" }, text("save_with_deal")), saved ? button(text("unsave"), unsave, { "data-key": "unsave" }) : null),
    saved
      ? el(
          "div",
          { class: "links" },
          el("label", { class: "text-field" }, text("link"), el("input", { readonly: true, value: new URL(saved.address, location).href, "data-key": "link" })),
          saved.visibility === "private" ? null : el("label", { class: "text-field" }, text("embed_code"), el("input", { readonly: true, value: `<iframe src="${new URL(saved.embed, location).href}" width="640" height="480"></iframe>`, "data-key": "embed" })),
        )
      : null,
  );
}

// Another's variations become one's own, to be changed and saved.
function copyToMine() {
  saved = null;
  storeTree();
  show();
}

async function send(method, body = null) {
  const response = await fetch(trial.addresses.save, {
    method,
    headers: { "Content-Type": "application/json", "X-CSRFToken": document.querySelector('[name="csrfmiddlewaretoken"]').value },
    body: body && JSON.stringify(body),
  });
  const found = await response.json();
  if (response.status === 409) {
    saved = found.saved;
    say(text("saved_elsewhere"), button(text("take_theirs"), () => {
      board.variations = found.variations;
      storeTree();
      judgeLines().then(() => change(() => onLine(0, board.events.length)));
    }, { class: "button small" }));
    return false;
  }
  if (!response.ok) throw new Error(found.detail);
  saved = found.saved;
  return true;
}

async function save(event) {
  event.preventDefault();
  const { visibility } = event.target.elements;
  try {
    if (await send("PUT", { variations: board.variations, visibility: visibility.value, version: saved?.version ?? 0 })) say(text("saved_lines"));
  } catch (error) {
    say(error.message);
  }
  show();
}

async function unsave() {
  try {
    if (await send("DELETE")) say(text("unsaved"));
  } catch (error) {
    say(error.message);
  }
  show();
}

// Who looked at the deal through one seat's eyes is asked before all hands are opened.
function openView() {
  const open = async () => {
    opened = true;
    await prepareTrial();
    show();
  };
  return [
    el("h1", {}, text("try_title")),
    el("p", { class: "lead" }, text("opens_hands")),
    el("p", { class: "choices" }, button(text("open_hands"), open, { class: "button primary large", "data-key": "open" }), el("a", { class: "button large", href: trial.addresses.replay }, text("back"))),
  ];
}

async function prepareTrial() {
  stage = "play";
  if (!opened) return;
  starts = await startOf(board);
  cardNames = namesOf(starts);
  await judge();
  resultOpen = false;
  await judgeLines();
  hear(turnText());
}
