// An evening at the table. What is entered stays on this phone until the archive has it. Which fields a sheet has,
// what may be tapped, the score and the totals come from the engine (`tarockEngine`): nothing here knows a rule.
document.documentElement.classList.add("js");
const texts = JSON.parse(document.getElementById("texts").textContent);
const addresses = JSON.parse(document.getElementById("addresses").textContent);
const app = document.getElementById("app");
const live = document.getElementById("live");
const language = document.documentElement.lang;

function text(name, values = {}) {
  return Object.entries(values).reduce((found, [key, value]) => found.replaceAll(`{${key}}`, value), texts[name]);
}

// An element: attributes, handlers (`onclick`), and children, of which empty ones are left out.
function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
  return made;
}

function button(label, onclick, attributes = {}) {
  return el("button", { type: "button", class: "button", onclick, ...attributes }, label);
}

function signed(points) {
  if (points === null || points === undefined) return "–";
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0";
}

const sense = (points) => (points > 0 ? "gain" : points < 0 ? "loss" : "none");

// Shown in the place of what was there; whoever had the focus has it again.
function replace(...children) {
  const focused = document.activeElement?.dataset?.key;
  app.replaceChildren(...children.flat().filter(Boolean));
  if (focused) app.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

// --- what is on the phone ---

// Evenings by their keys: `setup`, `dirty` (a setup that the archive does not have), `deals` by number, each with its
// `state`: waiting, checking (sent, not yet stored), sent, conflict, refused, removed (to be withdrawn).
const PREFIX = "evening:";
const evenings = new Map();

function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

function load() {
  evenings.clear();
  for (let at = 0; at < localStorage.length; at++) {
    const name = localStorage.key(at);
    const found = name.startsWith(PREFIX) && read(name);
    if (found) evenings.set(name.slice(PREFIX.length), found);
  }
}

function store(evening) {
  evenings.set(evening.setup.key, evening);
  try {
    localStorage.setItem(PREFIX + evening.setup.key, JSON.stringify(evening));
  } catch {
    say(text("phone_full"));
  }
}

function forget(evening) {
  evenings.delete(evening.setup.key);
  localStorage.removeItem(PREFIX + evening.setup.key);
}

const dealsOf = (evening) =>
  Object.values(evening.deals)
    .filter((entry) => entry.state !== "removed")
    .sort((one, other) => one.deal.n - other.deal.n);

const unsent = (evening) =>
  Object.values(evening.deals).filter((entry) => entry.state !== "sent").length + (evening.dirty ? 1 : 0);

const isPristine = (evening) => !unsent(evening) && !evening.draft;

// --- a word at the edge of the screen ---

let silence = 0;

function say(what, action = null) {
  clearTimeout(silence);
  live.replaceChildren(el("span", {}, what), action ?? "");
  live.hidden = false;
  silence = setTimeout(() => (live.hidden = true), action ? 12000 : 6000);
}

// --- the engine ---

function ask(question) {
  return tarockEngine.ask({ ...question, language }).then((answer) => {
    if (answer.error) throw new Error(answer.error.message);
    return answer;
  });
}

function standing(evening, next = {}) {
  return ask({
    ask: "evening",
    setup: evening.setup,
    deals: dealsOf(evening).map((entry) => entry.deal),
    ...next,
  });
}

// --- sending, and what others have entered ---

const POLL = 5000;
let signedOut = false;
let away = false; // the archive did not answer the last request
let sending = null;

// The answer of an address, or null where there is none: without network, or with an archive that is away.
async function request(address, method = "GET", body = null, headers = {}) {
  let answer;
  try {
    answer = await fetch(address, {
      method,
      body: body && JSON.stringify(body),
      cache: "no-store",
      headers: {
        "X-Requested-With": "fetch",
        ...(method === "GET" ? {} : { "X-CSRFToken": await tarockEngine.token() }),
        ...(body ? { "Content-Type": "application/json" } : {}),
        ...headers,
      },
    });
  } catch {
    away = true;
    return null;
  }
  away = answer.status === 429 || answer.status >= 500;
  if (away) return null;
  const json = answer.status === 304 ? null : await answer.json().catch(() => ({}));
  signedOut = answer.status === 403;
  return { status: answer.status, json, etag: answer.headers.get("ETag") };
}

const at = (evening, path) => `${addresses.evenings}${evening.setup.key}/${path}`;

// All that waits on this phone, one after the other; once more when something came meanwhile.
function send() {
  if (!navigator.onLine) return Promise.resolve();
  sending ??= sendAll().finally(() => {
    sending = null;
    show();
  });
  return sending;
}

async function sendAll() {
  for (const key of [...evenings.keys()]) {
    if (evenings.get(key).dirty && !(await sendSetup(evenings.get(key)))) return;
    if (!evenings.get(key).setup.version) continue;
    for (const { deal, state } of Object.values(evenings.get(key).deals)) {
      // What is still being checked is asked about by the same request.
      if ((state === "waiting" || state === "checking") && !(await sendDeal(evenings.get(key), deal.n))) return;
      if (state === "removed" && !(await withdraw(evenings.get(key), deal.n))) return;
    }
  }
}

async function sendSetup(evening) {
  const { setup } = evening;
  const answer = await request(at(evening, "setup"), "PUT", setup);
  if (!answer) return false;
  const now = evenings.get(setup.key);
  const changed = JSON.stringify(now.setup) !== JSON.stringify(setup);
  if (answer.status === 409) store({ ...now, dirty: false, otherSetup: answer.json.setup });
  else if (answer.status < 300) {
    const { version, name, space } = answer.json.setup;
    store({ ...now, dirty: changed, setup: { ...now.setup, version, name, space } });
    if (!now.address) await fetchState(setup.key);
  } else if (answer.status !== 403) store({ ...now, dirty: false, why: answer.json.error?.message ?? `${answer.status}` });
  return answer.status < 300 || answer.status === 409;
}

async function sendDeal(evening, n) {
  const entry = evening.deals[n];
  const { deal, version, key, score } = entry;
  const body = { deal, base: version, score, engine: tarockEngine.version ?? "" };
  const answer = await request(at(evening, `deals/${n}`), "PUT", body, { "Idempotency-Key": key });
  if (!answer) return false;
  if (answer.status === 403) return false;
  const now = evenings.get(evening.setup.key);
  // Changed again meanwhile: it waits with what the archive has now as its base.
  const again = now.deals[n]?.key !== key;
  if (answer.status === 202) put(now, n, again ? {} : { state: "checking" });
  else if (answer.status === 409) put(now, n, { state: "conflict", theirs: answer.json.deal });
  else if (answer.status < 300) {
    if (again) put(now, n, { version: answer.json.deal.version });
    else put(now, n, received(answer.json.deal));
  } else put(now, n, { state: "refused", why: answer.json.error?.message ?? `${answer.status}` });
  return true;
}

async function withdraw(evening, n) {
  const entry = evening.deals[n];
  const answer = await request(at(evening, `deals/${n}`), "DELETE", { base: entry.version });
  if (!answer || answer.status === 403) return false;
  const now = evenings.get(evening.setup.key);
  if (answer.status === 409) put(now, n, { state: "conflict", theirs: answer.json.deal });
  else if (now.deals[n]?.state === "removed") {
    delete now.deals[n];
    store(now);
  }
  return true;
}

function put(evening, n, changes) {
  store({ ...evening, deals: { ...evening.deals, [n]: { ...evening.deals[n], ...changes } } });
}

// A deal as the archive has it.
function received({ kind, version, verdict, address, audit, ...deal }) {
  return { deal, kind, version, verdict, address, audit, state: "sent", theirs: null, why: "" };
}

// What the archive has of an evening: what waits here stays as it is.
async function fetchState(key) {
  const evening = evenings.get(key);
  if (evening && evening.dirty) return;
  const headers = evening?.etag ? { "If-None-Match": evening.etag } : {};
  const answer = await request(`${addresses.evenings}${key}/state.json`, "GET", null, headers);
  if (!answer || answer.status !== 200) return;
  const { setup, deals, session, address, print } = answer.json;
  const now = evenings.get(key) ?? { deals: {}, setup };
  const rows = {};
  for (const deal of deals) {
    const own = now.deals[deal.n];
    rows[deal.n] = own && own.state !== "sent" ? own : received(deal);
  }
  for (const [n, own] of Object.entries(now.deals)) {
    if (!rows[n] && own.state !== "sent") rows[n] = own;
  }
  const changed = !evening || JSON.stringify([rows, setup]) !== JSON.stringify([now.deals, now.setup]);
  store({ ...now, setup: now.dirty ? now.setup : setup, deals: rows, session, address, print, etag: answer.etag });
  if (changed) show();
}

async function fetchStart() {
  const answer = await request(addresses.start);
  if (answer?.status === 200) {
    localStorage.setItem("evenings-start", JSON.stringify(answer.json));
    for (const setup of answer.json.evenings) {
      if (!evenings.has(setup.key)) store({ setup, deals: {}, listed: true });
    }
  }
  return read("evenings-start");
}

setInterval(() => {
  if (document.hidden || !navigator.onLine) return;
  if (here.key && evenings.get(here.key)?.setup.version) fetchState(here.key);
  if ([...evenings.values()].some(unsent)) send();
}, POLL);
addEventListener("online", () => send());
addEventListener("storage", (event) => {
  if (event.key?.startsWith(PREFIX)) {
    load();
    show();
  }
});

// --- the form of a deal ---

let form = null; // { key, n, deal, seats, answer, open, pad, chain }

// Begin a deal: one of the evening, or a new one by `seats` (`tarock.evening.Seats`).
async function begin(evening, n, seats) {
  const entry = evening.deals[n];
  const draft = evening.draft?.deal.n === n ? evening.draft : null;
  const fresh = seats && { n, players: seats.players, dealer: seats.dealer, options: seats.options, lines: [], comment: "" };
  const deal = draft?.deal ?? entry?.deal ?? fresh;
  form = { key: evening.setup.key, n, deal: structuredClone(deal), seats, answer: null, open: new Set(), pad: null, past: [] };
  form.base = draft ? draft.version : (entry?.version ?? "");
  await (form.chain = step(null));
}

// Ask for the form after a tap. Taps follow one another: each stands on what the one before has changed.
async function step(tap) {
  const { deal } = form;
  const setup = evenings.get(form.key).setup;
  try {
    const answer = await ask({ ask: "form", deal, setup, ...(tap ? { tap } : {}) });
    if (form?.deal !== deal) return;
    form.answer = answer;
    form.wrong = "";
    deal.lines = answer.lines;
    const evening = evenings.get(form.key);
    if (tap) store({ ...evening, draft: { deal: structuredClone(deal), version: form.base } });
  } catch (error) {
    if (form?.deal === deal) form.wrong = error.message;
  }
}

function tap(field, row, word) {
  form.chain = form.chain.then(() => form.past.push(form.deal.lines));
  form.chain = form.chain.then(() => step({ field: field.name, key: row.key, place: row.place, word })).then(show);
}

function formView(evening) {
  const { answer, deal, n } = form;
  const setup = evening.setup;
  const played = evening.deals[n]?.kind === "played";
  const fields = answer?.fields ?? [];
  const isOpen = (one) => one.needed || one.stated.length || form.open.has(one.name);
  const closed = fields.filter((one) => !isOpen(one));
  return [
    el(
      "header",
      { class: "evening-head" },
      el("a", { href: `#${setup.key}`, class: "back", "aria-label": text("back") }, "‹"),
      el("h1", {}, text("deal", { n }), el("small", {}, text("deals", { name: form.seats?.deals ?? deal.players[deal.dealer] }))),
      button("↶", undo, { class: "button icon", "aria-label": text("undo_tap"), disabled: !form.past.length, "data-key": "undo" }),
    ),
    form.wrong ? el("p", { class: "note error", role: "alert" }, form.wrong) : null,
    seatsPart(evening),
    played ? el("p", { class: "note" }, text("cards_recorded")) : null,
    el("div", { class: "entry" }, fields.filter(isOpen).map(fieldPart)),
    closed.length
      ? el(
          "div",
          { class: "extras", role: "group", "aria-label": text("extras") },
          closed.map((one) => (isFlag(one) ? choiceButton(one, one.rows[0], one.rows[0].choices[0]) : opener(one))),
        )
      : null,
    commentPart(),
    answer?.findings.length ? el("ul", { class: "findings" }, answer.findings.map(finding)) : null,
    answer?.sheet.length ? linesPart(answer.sheet) : null,
    evening.deals[n] ? existingPart(evening, evening.deals[n]) : null,
    savePart(evening, answer),
  ];
}

const isFlag = (one) => one.rows.length === 1 && !one.rows[0].key.length && one.rows[0].choices[0]?.word === "";

function opener(one) {
  const open = () => {
    form.open.add(one.name);
    show();
  };
  return button(`+ ${one.label}`, open, { class: "button extra", "data-key": `open-${one.name}` });
}

function fieldPart(one) {
  if (isFlag(one)) return el("div", { class: "field-rows" }, choiceButton(one, one.rows[0], one.rows[0].choices[0]));
  const wrong = one.findings.filter((found) => !found.lacking);
  const lacks = one.findings.length > wrong.length;
  return el(
    "section",
    { class: lacks ? "field-part lacks" : "field-part", "aria-labelledby": `field-${one.name}` },
    el(
      "h2",
      { id: `field-${one.name}` },
      el("span", {}, one.label),
      clauseLink(one),
    ),
    el("div", { class: "field-rows" }, rowsOf(one)),
    wrong.length ? el("ul", { class: "findings" }, wrong.map(finding)) : null,
  );
}

const MANY = 6;

// Of rows with many choices those without any are closed: whose they are stands on buttons.
function rowsOf(one) {
  const name = (row) => keyOf(one, row, "row");
  const isClosed = (row) =>
    row.label && row.choices.length > MANY && !row.choices.some(({ on }) => on) && !form.open.has(name(row));
  const open = (row) => {
    form.open.add(name(row));
    show();
  };
  const closed = one.rows.filter(isClosed);
  return [
    one.rows.filter((row) => !isClosed(row)).map((row) => rowPart(one, row)),
    closed.length
      ? el("div", { class: "choices" }, closed.map((row) => button(`${row.label} …`, () => open(row), { class: "button extra", "data-key": name(row) })))
      : null,
  ];
}

function clauseLink(one) {
  return one.clause
    ? el("a", { class: "clause", href: `${addresses.clause}${one.clause}/`, title: one.title, "aria-label": text("clause", { title: one.title }) }, "§")
    : null;
}

function finding(found) {
  return el("li", {}, found.text, " ", clauseLink(found));
}

function rowPart(one, row) {
  return el(
    "div",
    { class: row.number ? "entry-row with-number" : "entry-row", role: "group", "aria-label": row.label || one.label },
    row.label ? el("span", { class: "row-label" }, row.label) : null,
    row.choices.length ? el("div", { class: "choices" }, row.choices.map((choice) => choiceButton(one, row, choice))) : null,
    row.number ? numberPart(one, row) : null,
  );
}

const keyOf = (one, row, word) => [one.name, ...row.key, row.place, word].join(" ");

// The words in brackets behind a name are smaller than the name.
function choiceButton(one, row, choice) {
  const [, name, more] = choice.label.match(/^(.*?)\s*([（(].*)?$/);
  return button([name, more ? el("small", {}, more) : null], () => tap(one, row, choice.word), {
    class: "button choice",
    "aria-pressed": String(choice.on),
    "data-key": keyOf(one, row, choice.word),
  });
}

function numberPart(one, row) {
  const { value, low, high, rest, prefix } = row.number;
  const key = keyOf(one, row, prefix || "number");
  const most = high ?? 99;
  const set = (number) => tap(one, row, number === null ? null : prefix ? `${prefix}${number}` : number);
  const from = value ?? rest ?? Math.floor((low + most) / 2);
  const by = (change) => set(Math.min(most, Math.max(low, value === null && rest === null ? from : from + change)));
  const open = form.pad?.key === key;
  const toggle = () => {
    form.pad = open ? null : { key, typed: "" };
    show();
  };
  const given = value ?? rest;
  return [
    el(
      "div",
      { class: "stepper" },
      button("−", () => by(-1), { class: "button", "aria-label": text("less"), "data-key": `${key} less` }),
      button(given === null ? "–" : String(given), toggle, {
        class: value === null ? "button value rest" : "button value",
        "aria-expanded": String(open),
        "aria-label": text("number_of", { name: row.label || one.label, number: given ?? "–" }),
        "data-key": `${key} value`,
      }),
      button("+", () => by(1), { class: "button", "aria-label": text("more"), "data-key": `${key} more` }),
    ),
    open ? keypad(set, most, key) : null,
  ];
}

function keypad(set, most, key) {
  const type = (digit) => {
    const typed = `${form.pad.typed}${digit}`;
    form.pad.typed = Number(typed) > most ? digit : typed;
    set(Number(form.pad.typed));
  };
  const back = () => {
    form.pad.typed = form.pad.typed.slice(0, -1);
    set(form.pad.typed ? Number(form.pad.typed) : null);
  };
  const close = () => {
    form.pad = null;
    show();
  };
  const digit = (number) => button(number, () => type(number), { "data-key": `${key} ${number}` });
  return el(
    "div",
    { class: "keypad", role: "group", "aria-label": text("keypad") },
    ["1", "2", "3", "4", "5", "6", "7", "8", "9"].map(digit),
    button("⌫", back, { "aria-label": text("backspace"), "data-key": `${key} back` }),
    digit("0"),
    button(text("done"), close, { class: "button primary", "data-key": `${key} done` }),
  );
}

function commentPart() {
  const change = (event) => {
    form.deal.comment = event.target.value;
    const evening = evenings.get(form.key);
    store({ ...evening, draft: { deal: structuredClone(form.deal), version: form.base } });
  };
  return el(
    "details",
    { class: "comment-part", open: Boolean(form.deal.comment) },
    el("summary", {}, text("comment")),
    el("textarea", { rows: "2", maxlength: "500", "aria-label": text("comment"), oninput: change }, form.deal.comment ?? ""),
  );
}

function linesPart(lines) {
  const { players } = form.deal;
  return el(
    "details",
    { class: "score-lines", open: true },
    el("summary", {}, text("score_lines")),
    el(
      "ul",
      {},
      lines.map((line) =>
        el(
          "li",
          {},
          el("span", {}, line.text, " ", clauseLink(line)),
          el("span", { class: "line-points" }, Object.entries(line.points).map(([seat, points]) => el("span", { class: sense(points) }, `${players[seat]} ${signed(points)}`))),
        ),
      ),
    ),
  );
}

// The dealer, and who sits out: by turn, or as they are tapped. What was entered goes, since seats change.
function seatsPart(evening) {
  const { table } = evening.setup;
  const playing = Object.values(form.deal.players);
  const out = table.filter((name) => !playing.includes(name));
  const summary = el("summary", {}, playing.join(" · "), out.length ? el("small", {}, text("sits_out", { names: out.join(", ") })) : null);
  if (!form.seats) return el("details", { class: "seats-part" }, summary, el("p", { class: "muted" }, text("seats_fixed")));
  const change = async (dealer, names) => {
    const now = await standing(evening, { dealer, out: names });
    await begin({ ...evening, draft: null }, form.n, { ...now.next, number: form.n });
    store({ ...evenings.get(form.key), draft: null });
    show();
  };
  const dealer = form.seats.deals;
  const seat = (name) => button(name, () => change(name, []), { "aria-pressed": String(name === dealer), class: "button choice", "data-key": `dealer ${name}` });
  const sitter = (name) =>
    button(name, () => change(dealer, out.length === 1 ? [name] : [...out.slice(1), name]), {
      "aria-pressed": String(out.includes(name)),
      class: "button choice",
      "data-key": `out ${name}`,
    });
  return el(
    "details",
    { class: "seats-part", "data-part": "seats" },
    summary,
    el("p", { class: "row-label" }, text("who_deals")),
    el("div", { class: "choices" }, table.map(seat)),
    out.length ? [el("p", { class: "row-label" }, text("who_sits_out")), el("div", { class: "choices" }, table.map(sitter))] : null,
  );
}

function existingPart(evening, entry) {
  return el(
    "div",
    { class: "existing" },
    entry.address ? el("a", { class: "button", href: entry.address }, text("page_of_deal")) : null,
    entry.audit ? el("a", { class: "button", href: entry.audit }, text("audit")) : null,
    entry.kind === "played" ? null : button(text("remove"), () => remove(evening, form.n), { class: "button danger" }),
  );
}

function savePart(evening, answer) {
  const lacking = (answer?.fields ?? []).filter((one) => one.findings.some((found) => found.lacking)).map((one) => one.label);
  const wrong = answer && answer.verdict === "illegal";
  const score = answer?.score;
  const played = evening.deals[form.n]?.kind === "played";
  return el(
    "footer",
    { class: "save-bar" },
    score
      ? el("dl", { class: "score-now" }, Object.entries(score).map(([seat, points]) => el("div", {}, el("dt", {}, form.deal.players[seat]), el("dd", { class: sense(points) }, signed(points)))))
      : el("p", { class: "lacking" }, wrong ? text("cannot_be") : lacking.length ? text("lacking", { names: lacking.join(", ") }) : ""),
    button(score ? text("save") : text("save_anyway"), saveDeal, {
      class: score ? "button primary large" : "button large",
      disabled: played || !answer?.lines.length,
      "data-key": "save",
    }),
  );
}

async function saveDeal() {
  await form.chain;
  const evening = evenings.get(form.key);
  const { n, deal, answer, base } = form;
  const entry = { ...(evening.deals[n] ?? {}), deal, state: "waiting", version: base, key: crypto.randomUUID(), score: answer.score, verdict: answer.verdict };
  store({ ...evening, draft: null, deals: { ...evening.deals, [n]: entry } });
  form = null;
  location.hash = `#${evening.setup.key}`;
  say(text("saved", { n }), button(text("undo"), () => takeBack(evening.setup.key, n), { class: "button small" }));
  send();
}

// Back to the form with what was saved, as if it had not been.
function takeBack(key, n) {
  const evening = evenings.get(key);
  const entry = evening.deals[n];
  if (!entry) return;
  const deals = { ...evening.deals };
  const neverSent = !entry.version && entry.state === "waiting" && !sending;
  if (neverSent) delete deals[n];
  store({ ...evening, deals, draft: { deal: entry.deal, version: entry.version } });
  live.hidden = true;
  location.hash = `#${key}/${n}`;
}

function remove(evening, n) {
  const entry = evening.deals[n];
  const deals = { ...evening.deals, [n]: { ...entry, state: "removed" } };
  if (!entry.version) delete deals[n];
  store({ ...evening, deals, draft: null });
  form = null;
  location.hash = `#${evening.setup.key}`;
  const back = () => {
    const now = evenings.get(evening.setup.key);
    store({ ...now, deals: { ...now.deals, [n]: { ...entry, state: "waiting", key: crypto.randomUUID() } } });
    send();
    show();
  };
  say(text("removed", { n }), button(text("undo"), back, { class: "button small" }));
  send();
}

function undo() {
  const before = form.past.pop();
  form.deal.lines = before;
  form.chain = form.chain.then(() => step(null)).then(show);
}

// --- the pages of the app: all evenings, a new one, one evening, a deal ---

const here = { key: "", deal: 0 };
let stand = null; // how the evening on the screen stands, by the engine
let draftSetup = null; // of an evening that is being started, or whose table is being changed
let games = null;

async function show() {
  if (form && form.key === here.key && form.n === here.deal) {
    replace(statusPart(), formView(evenings.get(here.key)));
    return;
  }
  const evening = evenings.get(here.key);
  if (here.key === "new") replace(statusPart(), await startView());
  else if (evening) replace(statusPart(), await eveningView(evening));
  else replace(statusPart(), listView());
}

async function go() {
  const [key, deal] = location.hash.slice(1).split("/");
  here.key = key;
  here.deal = Number(deal) || 0;
  form = form?.key === key && form.n === here.deal ? form : null;
  document.body.classList.toggle("entering", Boolean(here.deal));
  if (here.deal) live.hidden = true;
  try {
    if (key === "new") draftSetup = await suggested();
    else if (key && evenings.get(key)?.listed !== undefined && evenings.get(key).setup.version) await fetchState(key);
    else if (key && !evenings.has(key)) await fetchState(key);
    if (here.deal && !form && evenings.has(key)) await beginHere(evenings.get(key));
  } catch (error) {
    say(error.message);
  }
  await show();
  scrollTo(0, 0);
}

async function beginHere(evening) {
  const now = await standing(evening);
  const isNext = now.next && now.next.number === here.deal;
  if (isNext || evening.deals[here.deal] || evening.draft?.deal.n === here.deal) {
    await begin(evening, here.deal, isNext && !evening.deals[here.deal] ? now.next : null);
  }
}

// --- what the phone has not sent, and whether it works without network ---

function statusPart() {
  const busy = Boolean(here.deal); // with a deal: only what is amiss
  const waiting = [...evenings.values()].reduce((sum, evening) => sum + unsent(evening), 0);
  const offline = !navigator.onLine || away;
  const state = tarockEngine.state;
  const signIn = el("a", { href: `${addresses.login}?next=${addresses.evenings}` }, text("sign_in"));
  if (busy && !offline && !signedOut) return null;
  return el(
    "div",
    { class: "phone-status", role: "status" },
    el("span", { class: offline ? "dot off" : "dot" }, offline ? text("no_network") : text("network")),
    waiting ? el("span", { class: "waiting" }, text("not_sent", { number: waiting })) : null,
    signedOut ? el("span", { class: "waiting" }, text("signed_out"), " ", signIn) : null,
    state === "ready"
      ? el("span", { class: "muted" }, text("works_offline"))
      : state === "loading"
        ? el("span", { class: "muted" }, text("loading", { percent: Math.round(100 * (tarockEngine.progress ?? 0)) }))
        : offline
          ? null
          : button(text("prepare"), () => tarockEngine.prepare().catch((error) => say(error.message)), { class: "button small", "data-key": "prepare" }),
  );
}

// --- all evenings ---

function listView() {
  const rows = [...evenings.values()].sort((one, other) => (other.setup.date > one.setup.date ? 1 : -1));
  const row = ({ setup, ...rest }) =>
    el(
      "li",
      {},
      el("a", { href: `#${setup.key}` }, el("strong", {}, setup.name), el("span", { class: "muted" }, setup.table.join(", ")), unsent({ setup, ...rest }) ? el("span", { class: "waiting" }, text("not_sent", { number: unsent({ setup, ...rest }) })) : null),
    );
  return [
    el("h1", {}, text("evenings")),
    el("p", {}, el("a", { class: "button primary large wide", href: "#new", "data-key": "new" }, text("new_evening"))),
    rows.length ? el("ul", { class: "evening-list" }, rows.map(row)) : el("p", { class: "muted" }, text("no_evening")),
  ];
}

// --- a new evening ---

async function suggested() {
  // First of all: with its answer comes the token that every question needs.
  const start = (await fetchStart()) ?? { spaces: [{ id: null, name: "", place: "", players: [] }], evenings: [] };
  games ??= (await ask({ ask: "games" })).games;
  const space = start.spaces.find((one) => one.last) ?? start.spaces[0];
  return suggestedIn(space, start);
}

function suggestedIn(space, start) {
  const last = space.last ?? {};
  const today = new Date();
  const date = [today.getFullYear(), today.getMonth() + 1, today.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
  return {
    start,
    space,
    setup: {
      key: crypto.randomUUID(),
      space: space.id,
      name: "",
      game: last.game ?? games[0].id,
      seats: last.seats ?? 0,
      options: last.options ?? [],
      date,
      place: last.place ?? space.place ?? "",
      table: last.table ?? [],
      dealer: "",
      thrown_in: [],
      counts_thrown_in: last.counts_thrown_in ?? false,
      stake: last.stake ?? "",
      currency: last.currency ?? "",
      ended: false,
      version: 0,
    },
  };
}

const change = (changes) => {
  draftSetup.setup = { ...draftSetup.setup, ...changes };
  show();
};

async function startView() {
  if (!draftSetup) return el("p", { class: "note error" }, text("needs_engine"));
  const { setup, space, start } = draftSetup;
  const game = games.find((one) => one.id === setup.game);
  const few = setup.table.length < Math.min(...game.seats);
  const chosen = (value, wanted) => ({ "aria-pressed": String(value === wanted), class: "button choice" });
  return [
    el("header", { class: "evening-head" }, el("a", { href: "#", class: "back", "aria-label": text("back") }, "‹"), el("h1", {}, text("new_evening"))),
    start.spaces.length > 1
      ? group(text("where"), start.spaces.map((one) => button(one.name || text("own"), () => { draftSetup = suggestedIn(one, start); show(); }, { ...chosen(one.id, space.id), "data-key": `space ${one.id}` })))
      : null,
    group(text("game"), games.map((one) => button(one.name, () => change({ game: one.id, options: [], seats: 0 }), { ...chosen(one.id, setup.game), "data-key": `game ${one.id}` }))),
    playersPart(setup, space.players),
    setup.table.length ? group(text("first_dealer"), setup.table.map((name) => button(name, () => change({ dealer: name }), { ...chosen(name, setup.dealer || setup.table[0]), "data-key": `dealer ${name}` }))) : null,
    optionsPart(setup, game),
    el(
      "footer",
      { class: "save-bar" },
      el("p", { class: "lacking" }, few ? text("too_few", { number: Math.min(...game.seats) }) : ""),
      button(text("start"), startEvening, { class: "button primary large", disabled: few, "data-key": "start" }),
    ),
  ];
}

function group(label, buttons) {
  return el("section", { class: "field-part", role: "group", "aria-label": label }, el("h2", {}, label), el("div", { class: "choices" }, buttons));
}

// The players in the order of their seats: tapped in that order, a new one by his name.
function playersPart(setup, known) {
  const toggle = (name) => change({ table: setup.table.includes(name) ? setup.table.filter((one) => one !== name) : [...setup.table, name] });
  const add = (event) => {
    event.preventDefault();
    const name = event.target.elements.name.value.trim();
    if (!name) return;
    event.target.reset();
    change({ table: setup.table.includes(name) ? setup.table : [...setup.table, name] });
  };
  const names = [...new Set([...setup.table, ...known])];
  return el(
    "section",
    { class: "field-part", role: "group", "aria-label": text("players") },
    el("h2", {}, text("players"), el("small", {}, text("players_hint"))),
    el(
      "div",
      { class: "choices" },
      names.map((name) => {
        const seat = setup.table.indexOf(name);
        return button([seat >= 0 ? el("small", { class: "seat-number" }, String(seat + 1)) : null, name], () => toggle(name), { class: "button choice", "aria-pressed": String(seat >= 0), "data-key": `player ${name}` });
      }),
    ),
    el("form", { class: "new-player", onsubmit: add }, el("input", { name: "name", maxlength: "60", autocomplete: "off", placeholder: text("new_player"), "aria-label": text("new_player"), "data-key": "new player" }), el("button", { type: "submit", class: "button" }, text("add"))),
  );
}

function optionsPart(setup, game) {
  const field = (name, label, attributes = {}) =>
    el("label", { class: "text-field" }, label, el("input", { value: setup[name], maxlength: "60", ...attributes, onchange: (event) => change({ [name]: event.target.value.trim() }), "data-key": name }));
  const option = ({ word, label }) =>
    button(label, () => change({ options: setup.options.includes(word) ? setup.options.filter((one) => one !== word) : [...setup.options, word] }), { class: "button choice", "aria-pressed": String(setup.options.includes(word)), "data-key": `option ${word}` });
  return el(
    "details",
    { class: "more-part", open: Boolean(draftSetup.open), ontoggle: (event) => (draftSetup.open = event.target.open) },
    el("summary", {}, text("more_settings")),
    game.options.length ? group(text("options"), game.options.map(option)) : null,
    game.seats.length > 1 ? group(text("seats"), [0, ...game.seats].map((number) => button(number ? String(number) : text("all_play"), () => change({ seats: number }), { class: "button choice", "aria-pressed": String(setup.seats === number), "data-key": `seats ${number}` }))) : null,
    group(text("thrown_in"), [true, false].map((counts) => button(text(counts ? "thrown_in_counts" : "thrown_in_again"), () => change({ counts_thrown_in: counts }), { class: "button choice", "aria-pressed": String(setup.counts_thrown_in === counts), "data-key": `thrown ${counts}` }))),
    field("name", text("name"), { placeholder: named(setup) }),
    field("date", text("date"), { type: "date" }),
    field("place", text("place")),
    field("stake", text("stake"), { inputmode: "decimal" }),
    field("currency", text("currency"), { maxlength: "8" }),
  );
}

const named = ({ date, place }) => [date, place].filter(Boolean).join(" ");

function startEvening() {
  const { setup, space } = draftSetup;
  const dealer = setup.table.includes(setup.dealer) ? setup.dealer : setup.table[0];
  store({ setup: { ...setup, dealer, name: setup.name || named(setup) }, dirty: true, deals: {}, players: space.players });
  draftSetup = null;
  location.hash = `#${setup.key}`;
  send();
}

// --- one evening ---

async function eveningView(evening) {
  const { setup } = evening;
  let wrong = "";
  try {
    stand = await standing(evening);
  } catch (error) {
    wrong = error.message;
    stand = { deals: [], standings: [], next: null };
  }
  if (draftSetup?.changing === setup.key) return tableView(evening);
  const { next } = stand;
  const number = evening.draft?.deal.n ?? next?.number;
  return [
    el(
      "header",
      { class: "evening-head" },
      el("a", { href: "#", class: "back", "aria-label": text("back") }, "‹"),
      el("h1", {}, setup.name),
      button("⚙", () => { draftSetup = { setup: structuredClone(setup), changing: setup.key }; show(); }, { class: "button icon", "aria-label": text("change_table"), "data-key": "table" }),
    ),
    wrong ? el("p", { class: "note error", role: "alert" }, wrong) : null,
    evening.why ? el("p", { class: "note error" }, evening.why) : null,
    evening.otherSetup ? otherSetupPart(evening) : null,
    standingsPart(stand.standings),
    setup.ended
      ? el("p", { class: "note" }, text("ended"))
      : next || evening.draft
        ? el(
            "p",
            {},
            el(
              "a",
              { class: "button primary large wide", href: `#${setup.key}/${number}`, "data-key": "enter" },
              text(evening.draft ? "continue_deal" : "enter_deal", { n: number }),
              next && !evening.draft ? el("small", {}, text("deals", { name: next.deals }), next.out.length ? ` · ${text("sits_out", { names: next.out.join(", ") })}` : "") : null,
            ),
          )
        : el("p", { class: "note" }, text("too_few_now")),
    dealsPart(evening, stand),
    el(
      "div",
      { class: "existing" },
      next && !setup.ended ? button(text("throw_in"), () => throwIn(evening, next.number), { "data-key": "throw" }) : null,
      evening.print ? el("a", { class: "button", href: evening.print }, text("protocol")) : null,
      evening.address ? el("a", { class: "button", href: evening.address }, text("session")) : null,
      button(text(setup.ended ? "reopen" : "end"), () => changeSetup(evening, { ended: !setup.ended }), { "data-key": "end" }),
    ),
  ];
}

function standingsPart(standings) {
  return el(
    "ol",
    { class: "standings-now", "aria-label": text("standings") },
    standings.map(({ place, name, total }) => el("li", {}, el("span", { class: "place" }, String(place)), el("span", {}, name), el("strong", { class: sense(total) }, signed(total)))),
  );
}

// The newest deal first; deals that nobody played among them.
function dealsPart(evening, stand) {
  const rows = stand.deals.map((row) => ({ ...row, entry: evening.deals[row.n] }));
  for (const n of evening.setup.thrown_in) rows.push({ n, thrown: true });
  rows.sort((one, other) => other.n - one.n);
  return el("ul", { class: "deals-now" }, rows.map((row) => (row.thrown ? thrownRow(evening, row.n) : dealRow(evening, row))));
}

function thrownRow(evening, n) {
  const back = () => changeSetup(evening, { thrown_in: evening.setup.thrown_in.filter((one) => one !== n) });
  return el("li", { class: "thrown" }, el("b", {}, String(n)), el("span", {}, text("nobody_played")), button(text("undo"), back, { class: "button small" }));
}

function dealRow(evening, { n, heading, verdict, score, findings, entry }) {
  const state = entry.state === "sent" ? "" : text(`state_${entry.state}`);
  const wrong = verdict === "illegal" ? findings[0]?.text : verdict === "incomplete" ? text("incomplete") : "";
  return el(
    "li",
    { class: `row-${entry.state}` },
    el(
      "a",
      { href: `#${evening.setup.key}/${n}`, "data-key": `deal ${n}` },
      el("b", {}, String(n)),
      el("span", { class: "heading" }, heading || text("deal", { n }), entry.kind === "played" ? ` · ${text("with_cards")}` : ""),
      el("span", { class: "row-score" }, score ? Object.entries(score).map(([name, points]) => el("span", { class: sense(points) }, `${name} ${signed(points)}`)) : null),
      wrong ? el("span", { class: "row-wrong" }, wrong) : null,
      state ? el("span", { class: "waiting" }, state, entry.why ? `: ${entry.why}` : "") : null,
    ),
    entry.state === "conflict" ? conflictPart(evening, n, entry) : null,
  );
}

// Two phones have entered the same deal: both are there, and one is chosen.
function conflictPart(evening, n, entry) {
  const { theirs } = entry;
  const put_ = (changes) => {
    put(evenings.get(evening.setup.key), n, changes);
    send();
    show();
  };
  const mine = () => put_({ state: "waiting", version: theirs?.version ?? "", theirs: null, key: crypto.randomUUID() });
  const other = () => put_(received(theirs));
  const both = () => {
    const now = evenings.get(evening.setup.key);
    const free = Math.max(...Object.keys(now.deals).map(Number), ...now.setup.thrown_in) + 1;
    const own = { ...entry, deal: { ...entry.deal, n: free }, state: "waiting", version: "", theirs: null, key: crypto.randomUUID() };
    store({ ...now, deals: { ...now.deals, [n]: received(theirs), [free]: own } });
    send();
    show();
  };
  const box = el("div", { class: "note conflict", role: "alert" }, el("p", {}, text("conflict", { n })));
  const versions = el("dl", {});
  compare(evening, entry, versions);
  box.append(
    versions,
    el(
      "div",
      { class: "choices" },
      button(text("take_mine"), mine, { disabled: theirs?.kind === "played" }),
      theirs ? button(text("take_theirs"), other) : null,
      theirs && !entry.version ? button(text("take_both"), both) : null,
    ),
  );
  return box;
}

async function compare(evening, entry, list) {
  for (const [label, deal] of [[text("this_phone"), entry.deal], [text("other_phone"), entry.theirs]]) {
    const found = deal && (await ask({ ask: "evening", setup: evening.setup, deals: [deal] }).catch(() => null));
    const row = found?.deals[0];
    const points = row?.score ? Object.entries(row.score).map(([name, number]) => `${name} ${signed(number)}`).join(", ") : "";
    list.append(el("div", {}, el("dt", {}, label), el("dd", {}, row ? [row.heading, points].filter(Boolean).join(": ") : text("removed_there"))));
  }
}

function otherSetupPart(evening) {
  const other = evening.otherSetup;
  const { otherSetup: _other, ...rest } = evening;
  const theirs = () => { store({ ...rest, setup: other }); show(); };
  const mine = () => { store({ ...rest, dirty: true, setup: { ...evening.setup, version: other.version } }); send(); show(); };
  const line = (setup) => [setup.table.join(", "), setup.place, setup.ended ? text("ended") : ""].filter(Boolean).join(" · ");
  return el(
    "div",
    { class: "note conflict", role: "alert" },
    el("p", {}, text("conflict_setup")),
    el("dl", {}, el("div", {}, el("dt", {}, text("this_phone")), el("dd", {}, line(evening.setup))), el("div", {}, el("dt", {}, text("other_phone")), el("dd", {}, line(other)))),
    el("div", { class: "choices" }, button(text("take_mine"), mine), button(text("take_theirs"), theirs)),
  );
}

function throwIn(evening, n) {
  if (!evening.setup.counts_thrown_in) {
    say(text("thrown_in_same_dealer"));
    return;
  }
  changeSetup(evening, { thrown_in: [...evening.setup.thrown_in, n] });
}

function changeSetup(evening, changes) {
  store({ ...evening, dirty: true, why: "", setup: { ...evening.setup, ...changes } });
  send();
  show();
}

// Players come and leave, options and stakes change: from the next deal on.
async function tableView(evening) {
  games ??= (await ask({ ask: "games" })).games;
  const { setup } = draftSetup;
  const game = games.find((one) => one.id === setup.game);
  const known = evening.players ?? read("evenings-start")?.spaces.find((one) => one.id === setup.space)?.players ?? [];
  const done = (changes) => {
    draftSetup = null;
    if (changes) changeSetup(evenings.get(evening.setup.key), changes);
    else show();
  };
  return [
    el("header", { class: "evening-head" }, button("‹", () => done(null), { class: "back", "aria-label": text("back") }), el("h1", {}, text("change_table"))),
    playersPart(setup, known),
    optionsPart(setup, game),
    el("footer", { class: "save-bar" }, el("p", { class: "lacking" }), button(text("save"), () => done(setup), { class: "button primary large", "data-key": "save" })),
  ];
}

// --- beginning ---

load();
tarockEngine.onchange = show;
navigator.serviceWorker?.register(addresses.serviceWorker).catch(() => {}); // without HTTPS there is none
addEventListener("hashchange", go);
go().then(() => {
  fetchStart().then(show);
  send();
});
