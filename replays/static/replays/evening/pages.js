// The pages of the app: all evenings, a new one, one evening, a deal.

import {
  addresses, app, ask, button, choice, el, group, head, live, newKey, offlinePart, pointsOf, replace,
  say, sense, signed, textField, today, toggled, gettext, labels,
} from "../app.js";
import { canUndo, done, evenings, freeNumber, load, numberOf, standing, store, page, undoLast } from "./phone.js";
import { endPart, winnerPart } from "./end.js";
import { begin, formView, notePart, notedText } from "./entry.js";
import { linksPart, recoveryPart } from "./links.js";
import { byRules, differencePart, inWords, otherRulesPart, rulesName, rulesPart, settledBy } from "./rules.js";
import { away, fetchStart, fetchState, putDeal, received, send, signedOut, takeGuests } from "./sending.js";
import { OWNER, owned, unsent } from "../device.js";
import { get, isKept, namesIn, opened } from "../store.js";
import { tarockEngine } from "../engine.js";

const here = { key: "", deal: 0 };
let draftSetup = null; // the setup while an evening is started or its table is changed
let games = null;
let drawing = 0; // number of times that the page has been drawn

// Draw the page. Drop the result if the page was drawn again while it waited for the engine. `answered`: the
// engine's answer about the evening, if it came later than the last drawing.
async function show(answered = null) {
  const number = ++drawing;
  const made = await view(answered);
  if (number !== drawing) return;
  // The status comes after the heading of a list, but before an evening.
  if (Array.isArray(made) && made[0]?.tagName === "H1") replace(made[0], statusPart(), made.slice(1));
  else replace(statusPart(), made);
}

function view(answered) {
  const evening = evenings.get(here.key);
  if (page.form && page.form.key === here.key && page.form.n === here.deal) return formView(evening);
  if (here.key === "new") return startView();
  return evening ? eveningView(evening, answered) : listView();
}

async function go() {
  const [key, deal] = location.hash.slice(1).split("/");
  here.key = key;
  here.deal = Number(deal) || 0;
  if (key === "sign-out") {
    await send();
    location.href = addresses.logout;
    return;
  }
  page.form = page.form?.key === key && page.form.n === here.deal ? page.form : null;
  document.body.classList.toggle("entering", Boolean(here.deal) && key !== "new");
  if (here.deal && key !== "new") live.hidden = true;
  try {
    if (key === "new") {
      draftSetup = await suggested(here.deal);
      checkTable();
    } else if (key && (!evenings.has(key) || evenings.get(key).listed)) await fetchState(key);
    if (evenings.get(key)?.setup.ended === false) fetchEngine();
    if (here.deal && !page.form && evenings.has(key)) await beginHere(evenings.get(key));
  } catch (error) {
    say(error.message);
  }
  await show();
  scrollTo(0, 0);
}

async function beginHere(evening) {
  const { deals, setup } = evening;
  const there = deals[here.deal];
  if (there && there.state !== "removed") return begin(evening, here.deal, null);
  // The seats of a new deal follow from the deals before it, also if it comes in between.
  const before = Object.fromEntries(Object.entries(deals).filter(([n]) => Number(n) < here.deal));
  const thrown_in = setup.thrown_in.filter((one) => numberOf(one) < here.deal);
  const now = await standing({ deals: before, setup: { ...setup, thrown_in } });
  const isNew = now.next && !now.findings?.length && here.deal <= freeNumber(evening);
  return isNew || evening.draft?.deal.n === here.deal ? begin(evening, here.deal, now.next) : null;
}

// --- unsent data and offline use ---

function statusPart() {
  const busy = Boolean(page.form); // while a deal is entered, show only problems
  const waiting = [...evenings.values()].reduce((sum, evening) => sum + unsent(evening), 0);
  const offline = !navigator.onLine || away;
  const signIn = el("a", { href: `${addresses.login}?next=${addresses.evenings}` }, gettext("Sign in"));
  if (busy && !offline && !signedOut && isKept) return null;
  const others = !OWNER && namesIn("").some((name) => /^\d+@evening:/.test(name));
  return el(
    "div",
    { class: "phone-status", role: "status" },
    el("span", { class: offline ? "dot off" : "dot" }, offline ? gettext("No network") : gettext("Connected")),
    waiting ? el("span", { class: "waiting" }, gettext("Not sent: {number}", { number: waiting })) : null,
    signedOut ? el(
      "span", { class: "waiting" }, gettext("You are signed out; what you enter stays on this phone."), " ", signIn,
    ) : null,
    isKept ? null : el("span", { class: "waiting" }, gettext(
      "This browser stores nothing for this page (is it a private window?). "
        + "What you enter is safe only after it has been sent.",
    )),
    others ? el(
      "span", { class: "waiting" },
      gettext("Evenings of a signed-out account are still on this device and have not been sent."), " ", signIn,
    ) : null,
    offline && !tarockEngine.state ? null : offlinePart(),
  );
}

// Fetch the engine for offline use, unless the user saves data; the button of `offlinePart` remains then.
function fetchEngine() {
  if (!(/** @type {any} */ (navigator).connection?.saveData)) tarockEngine.prepare().catch(() => {});
}

// --- all evenings ---

// The browser's offer to install the app, if it makes one.
let offer = null;
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  offer = event;
  show();
});

function installPart() {
  const install = () => {
    offer.prompt();
    offer = null;
    show();
  };
  return offer ? el("p", {}, button(gettext("Install on this phone"), install, { "data-key": "install" })) : null;
}

function listView() {
  const rows = [...evenings.values()].sort((one, other) => (other.setup.date > one.setup.date ? 1 : -1));
  const row = ({ setup, ...rest }) =>
    el(
      "li",
      {},
      el(
        "a", { href: `#${setup.key}` }, el("strong", {}, setup.name),
        el("span", { class: "muted" }, [
          labels.games[setup.game], setup.place, setup.table.join(", "),
        ].filter(Boolean).join(" · ")),
        setup.ended ? el("span", { class: "muted" }, gettext("The evening is over.")) : null,
        unsent({ setup, ...rest })
          ? el("span", { class: "waiting" }, gettext("Not sent: {number}", { number: unsent({ setup, ...rest }) }))
          : null,
      ),
    );
  return [
    el("h1", {}, gettext("Evenings")),
    el("p", {}, el(
      "a", { class: "button primary large wide", href: "#new", "data-key": "new" }, gettext("New evening"),
    )),
    rows.length
      ? el("ul", { class: "evening-list" }, rows.map(row))
      : el("p", { class: "muted" }, gettext("No evening yet. Tap the players and begin.")),
    installPart(),
  ];
}

// --- a new evening ---

const UNKNOWN_GUEST = {
  id: null, name: "", place: "", players: [], choices: ["public", "unlisted"], visibility: "unlisted",
};

// Suggest a setup. `club`: the id of the club that the user came from.
async function suggested(club) {
  // Fetch this first: the response sets the CSRF token that every question needs.
  const start = (await fetchStart()) ?? { spaces: [UNKNOWN_GUEST], evenings: [] };
  games ??= (await ask({ ask: "games" })).games;
  const { spaces } = start;
  const space = spaces.find(({ id }) => id === club)
    ?? spaces.find(({ last }) => last)
    ?? spaces.find(({ id }) => id)
    ?? spaces[0];
  return suggestedIn(space, start);
}

function suggestedIn(space, start) {
  const {
    game = games[0].id, seats = 0, options = [], place = space.place ?? "", table = [], counts_thrown_in = false,
    stake = "", currency = "", rules = "",
  } = space.last ?? {};
  const own = space.rules?.[game];
  const setup = {
    key: newKey(), space: space.id, name: "", game, seats, date: today(), place, table, dealer: "",
    thrown_in: [], counts_thrown_in, stake, currency, ended: false, ...(own ? byRules(own) : { options, rules }),
    visibility: space.visibility ?? "", // missing in an old list; the archive then uses the space's default
    version: 0,
  };
  return { start, space, known: space.players, setup };
}

const change = (changes) => {
  note(changes);
  show();
};

// Store a change to the setup without drawing the page, so that a tap on a button is not lost.
function note(changes) {
  draftSetup.setup = { ...draftSetup.setup, ...changes };
  if ("table" in changes || "date" in changes) checkTable();
}

// Ask the engine to check the table. If it does not answer, the archive checks the setup when it is sent.
function askTable(more) {
  const { table } = draftSetup.setup;
  return ask({ ask: "table", table, ...more }).catch(() => ({ findings: [], name: more.name, alike: [] }));
}

async function checkTable() {
  const { setup } = draftSetup;
  const { findings } = await askTable({ date: setup.date });
  if (draftSetup?.setup !== setup) return;
  const before = draftSetup.findings ?? [];
  draftSetup.findings = findings;
  if (JSON.stringify(findings) !== JSON.stringify(before)) drawSetupBar();
}

// Return whether the table is valid, after adding the name in the text field.
async function settled() {
  if (!draftSetup || !(await addPlayer())) return false;
  await checkTable();
  return draftSetup?.findings?.length === 0;
}

function drawSetupBar() {
  app.querySelector(".setup-bar")?.replaceWith(setupBar());
}

// Show the remaining faults, and the button to continue.
function setupBar() {
  const { setup, typed = "", findings = [], changing, unknown = false } = draftSetup;
  const least = Math.min(...games.find((one) => one.id === setup.game).seats);
  const few = !changing && setup.table.length + (typed.trim() ? 1 : 0) < least;
  const goOn = async () => (await settled()) && (changing ? leaveTable(draftSetup.setup) : startEvening());
  return el(
    "footer",
    { class: "save-bar setup-bar" },
    el(
      "p", { class: findings.length ? "error" : "lacking", role: "status" },
      findings[0]?.text ?? (few ? gettext("Too few players. At least {number} are needed.", { number: least }) : ""),
    ),
    button(changing ? gettext("Save") : gettext("Start"), goOn, {
      class: "button primary large", disabled: few || unknown || findings.length > 0,
      "data-key": changing ? "save" : "start",
    }),
  );
}

async function startView() {
  if (!draftSetup) return el("p", { class: "note error" }, gettext(
    "You can start an evening offline only on a phone that was prepared: tap “Prepare for offline "
      + "use” while it is online.",
  ));
  const { setup, space, start } = draftSetup;
  const game = games.find((one) => one.id === setup.game);
  const useSpace = (one) => {
    draftSetup = suggestedIn(one, start);
    checkTable();
    show();
  };
  return [
    head(gettext("New evening"), "#"),
    start.spaces.length > 1
      ? group(gettext("Club"), start.spaces.map((one) => choice(
        one.name || gettext("Without a club"), one.id === space.id, () => useSpace(one), `space ${one.id}`,
      )))
      : null,
    gamePart(setup, space.rules),
    await rulesOf(setup, game, space.rules),
    playersPart(),
    setup.table.length ? group(gettext("Who deals first?"), setup.table.map((name) => choice(
      name, name === (setup.dealer || setup.table[0]), () => change({ dealer: name }), `dealer ${name}`,
    ))) : null,
    optionsPart(setup, game),
    visibilityPart(setup.visibility, space.choices, (visibility) => note({ visibility })),
    setupBar(),
  ];
}

function gamePart(setup, rules = {}) {
  const none = { name: "", options: [] };
  return group(gettext("Game"), games.map((one) => choice(
    one.name, one.id === setup.game,
    () => change({ game: one.id, seats: 0, ...byRules(rules[one.id] ?? none) }), `game ${one.id}`,
  )));
}

// Choose the rules, and say how they differ from the source. `fixed`: whether they can't be chosen.
async function rulesOf(setup, game, own = {}, fixed = false) {
  const said = await inWords(setup);
  if (draftSetup) draftSetup.unit = said?.unit ?? "";
  return rulesPart(setup, game, own, said, fixed ? null : change);
}

// Show who can see an evening, and the licence of public data. If there are no choices, the visibility is
// fixed.
function visibilityPart(shown, choices = [], choose = null) {
  if (!shown) return null;
  const option = (word) => el("option", { value: word, selected: word === shown }, labels.visibilities[word]);
  const select = () => el(
    "select", { onchange: (event) => choose(event.target.value), "data-key": "visibility" }, choices.map(option),
  );
  return el(
    "section",
    { class: "who-sees" },
    el("label", {}, gettext("Who can see this evening"), " ", choices.length ? select() : el(
      "b", {}, labels.visibilities[shown],
    )),
    document.getElementById("licence").content.cloneNode(true),
  );
}

// Choose the players in the order of their seats, by tapping names or typing new ones.
function playersPart() {
  const { setup, typed = "", wrong, alike } = draftSetup;
  const add = (event) => {
    event.preventDefault();
    addPlayer();
  };
  const type = (event) => {
    Object.assign(draftSetup, { typed: event.target.value, wrong: "" });
    drawSetupBar();
  };
  const names = [...new Set([...setup.table, ...draftSetup.known])];
  return el(
    "section",
    { class: "field-part players", role: "group", "aria-label": gettext("Players") },
    el("h2", {}, gettext("Players"), el("small", {}, gettext("in the order of their seats"))),
    el(
      "div",
      { class: "choices" },
      names.map((name) => {
        const index = setup.table.indexOf(name);
        return choice(
          [index >= 0 ? el("small", {}, String(index + 1)) : null, name], index >= 0,
          () => (index >= 0 ? leave(index) : seat(name)), `player ${name}`,
        );
      }),
    ),
    el(
      "form", { class: "new-player", onsubmit: add },
      el("input", {
        name: "name", value: typed, oninput: type, maxlength: "60", autocomplete: "off",
        placeholder: gettext("New player"), "aria-label": gettext("New player"), "data-key": "new player",
      }),
      el("button", { type: "submit", class: "button" }, gettext("Add")),
    ),
    wrong ? el("p", { class: "error", role: "alert" }, wrong) : null,
    alike ? alikePart(alike) : null,
    tableDrawing(setup),
  );
}

// Draw the players around the table in the direction of play, with the dealer and forehand of the next deal.
function tableDrawing({ key, game, table, dealer }) {
  if (table.length < 3) return null;
  const isClockwise = games.find(({ id }) => id === game).direction === "clockwise";
  const next = evenings.get(key)?.stand?.next;
  const at = Math.max(0, table.indexOf(next?.deals ?? dealer));
  const marks = { [(at + 1) % table.length]: gettext("forehand"), [at]: gettext("deals") };
  const seats = table.map((name, index) => {
    const made = el("li", {}, name, marks[index] ? el("small", {}, marks[index]) : null);
    const angle = (2 * Math.PI * index) / table.length;
    made.style.left = `${50 + (isClockwise ? -1 : 1) * 38 * Math.sin(angle)}%`;
    made.style.top = `${50 + 40 * Math.cos(angle)}%`;
    return made;
  });
  return el(
    "figure", { class: "around" }, el("ol", {}, seats),
    el("figcaption", {}, el("span", { "aria-hidden": "true" }, isClockwise ? "↻" : "↺"), el(
      "small", {}, isClockwise ? gettext("clockwise") : gettext("anticlockwise"),
    )),
  );
}

// Add the typed name, if any. The engine returns the name as it will be stored, faults, and similar names.
// Return whether no typed name is left to add.
async function addPlayer() {
  const { typed = "", known } = draftSetup;
  if (typed.trim() && !draftSetup.alike) {
    draftSetup.typed = app.querySelector(".new-player input").value = "";
    const { name, findings, alike } = await askTable({ name: typed.trim(), known });
    if (!draftSetup) return false;
    if (findings.length) Object.assign(draftSetup, { typed, wrong: findings[0].text });
    else if (alike.length) draftSetup.alike = { name, alike };
    else seat(name);
  }
  if (!draftSetup.wrong && !draftSetup.alike) return true;
  await show();
  app.querySelector(".players [role=alert]")?.scrollIntoView({ block: "nearest" });
  return false;
}

// Seat a player on the chair that was left last, or on a new one at the end.
function seat(name) {
  const { setup: { table }, chairs = [] } = draftSetup;
  Object.assign(draftSetup, { wrong: "", alike: null });
  const chair = table.includes(name) ? table.indexOf(name) : (chairs.pop() ?? table.length);
  const others = table.filter((other) => other !== name);
  change({ table: [...others.slice(0, chair), name, ...others.slice(chair)] });
}

// Take a player off the table. The name stays in the list, and the next player gets the chair.
function leave(chair) {
  const { setup: { table }, known, chairs = [] } = draftSetup;
  Object.assign(draftSetup, { chairs: [...chairs, chair], known: [...new Set([...table, ...known])] });
  change({ table: table.filter((_name, index) => index !== chair) });
}

// Ask whether a new name means a known player with a similar name.
function alikePart({ name, alike }) {
  return el(
    "div",
    { class: "note", role: "alert" },
    alike.map((other) => el("p", {}, gettext("Is this {name}?", { name: other }))),
    el(
      "div",
      { class: "choices" },
      alike.map(
        (other) => button(gettext("Yes, {name}", { name: other }), () => seat(other), {
          class: "button choice", "data-key": `known ${other}`,
        }),
      ),
      button(gettext("No, {name} is somebody else", { name }), () => seat(name), {
        class: "button choice", "data-key": "another",
      }),
    ),
  );
}

function optionsPart(setup, game) {
  const field = (name, label, attributes = {}) =>
    textField(label, setup[name], (text) => note({ [name]: text }), { ...attributes, "data-key": name });
  const option = ({ word, label }) => choice(
    label, setup.options.includes(word), () => change({ options: toggled(setup.options, word) }), `option ${word}`,
  );
  return el(
    "details",
    {
      class: "more-part", open: Boolean(draftSetup.open),
      ontoggle: ({ target }) => draftSetup && (draftSetup.open = target.open), // it may come after saving
    },
    el("summary", {}, gettext("Options, date, place, stake")),
    game.options.length && !setup.rules ? group(gettext("Table options"), game.options.map(option)) : null,
    game.seats.length > 1 ? group(gettext("Players per deal"), [0, ...game.seats].map(
      (number) => choice(
        number ? String(number) : gettext("as many as the game allows"), setup.seats === number,
        () => change({ seats: number }), `seats ${number}`,
      ),
    )) : null,
    group(gettext("A deal that is thrown in"), [true, false].map(
      (counts) => choice(
        counts ? gettext("counts, and the next one deals") : gettext("is dealt again by the same dealer"),
        setup.counts_thrown_in === counts, () => change({ counts_thrown_in: counts }), `thrown ${counts}`,
      ),
    )),
    field("name", gettext("Name of the evening"), { placeholder: named(setup) }),
    field("date", gettext("Date"), { type: "date" }),
    field("place", gettext("Place")),
    ...(draftSetup.unit ? [] : [
      field("stake", gettext("Stake per point"), { inputmode: "decimal" }),
      field("currency", gettext("Currency"), { maxlength: "8" }),
    ]),
  );
}

const named = ({ date, place }) => [date, place].filter(Boolean).join(" ");

function startEvening() {
  const { setup, space } = draftSetup;
  const dealer = setup.table.includes(setup.dealer) ? setup.dealer : setup.table[0];
  store({
    setup: { ...setup, dealer, name: setup.name || named(setup) }, dirty: true, deals: {}, players: space.players,
    choices: space.choices,
  });
  draftSetup = null;
  navigator.storage?.persist?.(); // the browser must not clear it to gain space
  fetchEngine();
  location.hash = `#${setup.key}`;
  send();
}

// --- one evening ---

// Ask the engine about an evening, and keep its answer (`now`) as the evening's last one. `wrong`: why there is
// no answer.
async function askStand(evening) {
  try {
    const now = await standing(evening);
    const kept = evenings.get(evening.setup.key);
    if (kept && JSON.stringify(kept.stand) !== JSON.stringify(now)) store({ ...kept, stand: now });
    return { now, wrong: "" };
  } catch (error) {
    return { now: null, wrong: error.message };
  }
}

const SOON = 300; // milliseconds; after that, an evening is first drawn with the last answer

async function eveningView(evening, answered) {
  const { setup } = evening;
  const drawn = drawing;
  const asked = answered ?? askStand(evening);
  const late = new Promise((resolve) => setTimeout(resolve, SOON, null));
  const answer = await (evening.stand ? Promise.race([asked, late]) : asked);
  if (!answer) asked.then((now) => (drawing === drawn ? show(now) : null));
  const { wrong = "" } = answer ?? {};
  const stand = answer?.now ?? evening.stand ?? { deals: [], standings: [], next: null };
  if (draftSetup?.changing === setup.key) return tableView();
  const shown = setup.visibility || evening.visibility;
  const next = answer && !wrong && !stand.findings?.length ? stand.next : null;
  return [
    head(setup.name, "#", canUndo() ? button("↶", undoLast, {
      class: "button icon", "aria-label": gettext("Undo"), "data-key": "undo",
    }) : null, evening.friend ? null : button("⚙", () => changeTable(evening), {
      class: "button icon", "aria-label": gettext("Players and settings"), "data-key": "table",
    })),
    wrong ? el("p", { class: "note error", role: "alert" }, wrong) : null,
    ...(stand.findings ?? []).map((one) => el("p", { class: "note error" }, one.text)),
    evening.why ? el("p", { class: "note error" }, evening.why) : null,
    evening.otherSetup ? otherSetupPart(evening) : null,
    setup.rules ? el("p", { class: "muted" }, gettext("Rules: {rules}", { rules: setup.rules })) : null,
    otherRulesPart(evening),
    winnerPart(evening, stand),
    standingsPart(stand, evening),
    nextPart(evening, answer, stand),
    dealsPart(evening, stand.deals),
    el(
      "div",
      { class: "existing" },
      next && !setup.ended
        ? button(gettext("Thrown in: nobody played"), () => throwIn(evening, next), { "data-key": "throw" })
        : null,
      evening.address && !setup.ended
        ? el("a", { class: "button", href: evening.address }, gettext("Page of the evening"))
        : null,
      evening.friend ? null : button(
        setup.ended ? gettext("Continue the evening") : gettext("End the evening"),
        () => endOrContinue(evening), { "data-key": "end" },
      ),
    ),
    visibilityPart(shown, evening.choices, (visibility) => changeSetup(evening, { visibility })),
    ...linksPart(evening),
  ];
}

// Show how to go on: a link to the next deal, or why there is none.
function nextPart(evening, answer, stand) {
  const { setup, draft } = evening;
  const { next, findings = [] } = stand;
  const sentence = (text) => el("p", { class: "note" }, text);
  if (setup.ended) return endPart(evening, stand);
  if (!answer) return el("p", { class: "muted" }, gettext("One moment …"));
  if (answer.wrong) return notePart(evening);
  if (findings.length && !draft) return null;
  if (!next && !draft) return sentence(gettext("There are too few players at the table for this game."));
  const number = draft?.deal.n ?? next.number;
  return el("p", {}, el(
    "a",
    { class: "button primary large wide", href: `#${setup.key}/${number}`, "data-key": "enter" },
    draft ? gettext("Continue deal {n}", { n: number }) : gettext("Enter deal {n}", { n: number }),
    draft ? null : el(
      "small", {}, gettext("{name} deals", { name: next.deals }),
      next.out.length ? [" · ", gettext("{names} sits out", { names: next.out.join(", ") })] : "",
    ),
  ));
}

// Show the standings, including points of deals that are still to be entered.
function standingsPart({ standings, unit }, { noted = {} }) {
  const more = (name) => Object.values(noted).reduce((sum, { points }) => sum + (points[name] ?? 0), 0);
  return el(
    "ol",
    { class: unit ? "standings-now with-unit" : "standings-now", "aria-label": gettext("Standings") },
    standings.map(
      ({ place, name, total, amount }) => el(
        "li", {}, el("span", { class: "place" }, String(place)), el("span", {}, name),
        el("strong", { class: sense(total + more(name)) }, (more(name) ? "" : amount) || signed(total + more(name))),
      ),
    ),
  );
}

// List the deals, newest first, including deals that were thrown in.
function dealsPart(evening, deals) {
  const answered = new Map(deals.map((row) => [row.n, row]));
  const rows = Object.values(evening.deals).filter(({ state }) => state !== "removed").map(
    (entry) => ({ n: entry.deal.n, ...answered.get(entry.deal.n), entry }),
  );
  const made = rows.map((row) => [row.n, dealRow(evening, row)]);
  for (const n of evening.setup.thrown_in.map(numberOf)) made.push([n, thrownRow(evening, n)]);
  for (const [n, noted] of Object.entries(evening.noted ?? {})) made.push([Number(n), notedRow(evening, n, noted)]);
  const there = new Set(made.map(([n]) => n));
  for (let n = 1; n < Math.max(0, ...there); n++) if (!there.has(n)) made.push([n, missingRow(evening, n)]);
  made.sort(([one], [other]) => other - one);
  return el("ul", { class: "deals-now" }, made.map(([_n, row]) => row));
}

// Show a number without a deal, which was deleted or never entered.
function missingRow(evening, n) {
  const address = { class: "button small", href: `#${evening.setup.key}/${n}`, "data-key": `deal ${n}` };
  return emptyRow(n, gettext("no deal"), el("a", address, gettext("Enter deal {n}", { n })));
}

const notedRow = ({ setup }, n, noted) => emptyRow(n, notedText(noted), el(
  "a", { class: "button small", href: `#${setup.key}/${n}`, "data-key": `deal ${n}` }, gettext("Enter deal {n}", { n }),
));

const emptyRow = (n, why, action) => el("li", { class: "thrown" }, el("b", {}, String(n)), el("span", {}, why), action);

function thrownRow(evening, n) {
  const back = () => playThrown(evening.setup.key, n);
  return emptyRow(n, gettext("nobody played"), button(gettext("Undo"), back, { class: "button small" }));
}

// The states of a deal that is not in the archive.
const STATES = {
  checking: gettext("sent, is being checked"),
  conflict: gettext("entered twice"),
  refused: gettext("not accepted"),
  waiting: gettext("not sent"),
};

function dealRow(evening, { n, heading, details, verdict, score, amounts, findings, entry }) {
  const state = STATES[entry.state] ?? "";
  const wrong = verdict === "illegal" ? findings[0]?.text : verdict === "incomplete" ? gettext("not complete") : "";
  return el(
    "li",
    { class: `row-${entry.state}` },
    el(
      "a",
      { href: `#${evening.setup.key}/${n}`, "data-key": `deal ${n}` },
      el("b", {}, String(n)),
      el(
        "span", { class: "heading" }, heading || gettext("Deal {n}", { n }),
        entry.kind === "played" ? [" · ", gettext("with its cards")] : "",
      ),
      details ? el("span", { class: "muted row-details" }, details) : null,
      el("span", { class: "row-score" }, score ? pointsOf(score, (name) => name, amounts) : null),
      wrong ? el("span", { class: "row-wrong" }, wrong) : null,
      entry.entered_by
        ? el("small", { class: "muted" }, gettext("entered by {name}", { name: entry.entered_by }))
        : null,
      state ? el("span", { class: "waiting" }, state, entry.why ? `: ${entry.why}` : "") : null,
    ),
    entry.state === "conflict" ? conflictPart(evening, n, entry) : null,
  );
}

// Show what two phones entered, as rows of a list, and the buttons with which the user chooses.
function conflictNote(question, rows, ...buttons) {
  return el(
    "div", { class: "note conflict", role: "alert" }, el("p", {}, question), el("dl", {}, rows),
    el("div", { class: "choices" }, buttons),
  );
}

const conflictRow = (label, what) => el("div", {}, el("dt", {}, label), el("dd", {}, what));

// Two phones entered the same deal: show both, and let the user choose.
function conflictPart(evening, n, entry) {
  const { theirs } = entry;
  const put_ = (changes) => {
    putDeal(evenings.get(evening.setup.key), n, changes);
    send();
    show();
  };
  const mine = () => put_({ state: "waiting", version: theirs?.version ?? "", theirs: null, key: newKey() });
  const other = () => put_(received(theirs));
  const both = () => {
    const now = evenings.get(evening.setup.key);
    const free = freeNumber(now);
    const own = {
      ...entry, deal: { ...entry.deal, n: free }, state: "waiting", version: "", theirs: null, key: newKey(),
    };
    store({ ...now, deals: { ...now.deals, [n]: received(theirs), [free]: own } });
    send();
    show();
  };
  const made = conflictNote(
    gettext("Deal {n} was entered on another phone, too. Which one counts?", { n }), [],
    button(gettext("The one on this phone"), mine, { disabled: theirs?.kind === "played" }),
    theirs ? button(gettext("The one on the other phone"), other) : null,
    theirs && !entry.version ? button(gettext("Both: mine is another deal"), both) : null,
  );
  compare(evening, entry, made.querySelector("dl"));
  return made;
}

// Show the result of each entry, and which fields of the form differ.
async function compare({ setup }, entry, list) {
  const stated = [];
  for (const [label, deal] of [[gettext("This phone"), entry.deal], [gettext("Other phone"), entry.theirs]]) {
    const found = deal && (await ask({ ask: "evening", setup, deals: [deal] }).catch(() => null));
    const form = deal && (await ask({ ask: "form", setup, deal }).catch(() => null));
    stated.push(new Map(form?.fields.map((one) => [one.label, one.stated.join("; ")])));
    const row = found?.deals[0];
    const points = row?.score
      ? Object.entries(row.score).map(([name, number]) => `${name} ${signed(number)}`).join(", ")
      : "";
    list.append(conflictRow(label, row ? [row.heading, points].filter(Boolean).join(": ") : gettext("deleted")));
  }
  if (stated.some((one) => !one.size)) return;
  for (const label of new Set(stated.flatMap((one) => [...one.keys()]))) {
    const [mine, theirs] = stated.map((one) => one.get(label) || "–");
    if (mine !== theirs) list.append(conflictRow(label, `${mine} ↔ ${theirs}`));
  }
}

function otherSetupPart(evening) {
  const { otherSetup: other, ...rest } = evening;
  const theirs = () => { store({ ...rest, setup: other }); show(); };
  const mine = () => {
    store({ ...rest, dirty: true, setup: { ...evening.setup, version: other.version } });
    send();
    show();
  };
  const line = (setup) => [
    setup.table.join(", "), setup.place, rulesName(setup),
    setup.visibility ? labels.visibilities[setup.visibility] : "",
    setup.ended ? gettext("The evening is over.") : "",
  ].filter(Boolean).join(" · ");
  return conflictNote(
    gettext("Players or settings were changed on another phone, too. Which ones count?"),
    [conflictRow(gettext("This phone"), line(evening.setup)), conflictRow(gettext("Other phone"), line(other))],
    button(gettext("The one on this phone"), mine), button(gettext("The one on the other phone"), theirs),
  );
}

async function throwIn(evening, next) {
  const { number } = next;
  if (!evening.setup.counts_thrown_in) {
    say(gettext("The same dealer deals again; nothing is written down."));
    return;
  }
  const { draft, setup } = evening;
  const isBegun = draft?.deal.n === number;
  // The user may have chosen a different dealer in the draft.
  const turn = isBegun ? (await standing(evening, { dealer: draft.deals })).next.turn : next.turn;
  const now = evenings.get(setup.key);
  changeSetup(isBegun ? { ...now, draft: null } : now, { thrown_in: [...now.setup.thrown_in, { n: number, turn }] });
  done(gettext("Deal {n} was thrown in.", { n: number }), () => playThrown(setup.key, number));
}

// Take back that a deal was thrown in.
function playThrown(key, n) {
  const evening = evenings.get(key);
  changeSetup(evening, { thrown_in: evening.setup.thrown_in.filter((one) => numberOf(one) !== n) });
}

function changeSetup(evening, changes) {
  store({ ...evening, dirty: true, why: "", setup: { ...evening.setup, ...changes } });
  send();
  show();
}

function endOrContinue(evening) {
  live.hidden = true;
  changeSetup(evening, { ended: !evening.setup.ended });
  scrollTo(0, 0);
}

// Change players, stakes and rules. Players and stakes change from the next deal on, rules in all deals.
async function tableView() {
  games ??= (await ask({ ask: "games" })).games;
  const { setup } = draftSetup;
  const game = games.find((one) => one.id === setup.game);
  const evening = evenings.get(setup.key);
  const own = get(owned("evenings-start"))?.spaces.find((one) => one.id === setup.space)?.rules;
  // After the end, the archive accepts other rules only from the people who run the evening.
  const rules = await rulesOf(setup, game, own, setup.ended && !evening.choices?.length);
  const difference = await differencePart(evening, setup);
  if (!draftSetup) return null;
  draftSetup.unknown = difference?.dataset.unknown === "";
  return [
    head(gettext("Players and settings"), () => leaveTable(null)),
    Object.keys(evening.deals).length ? null : gamePart(setup, own),
    rules,
    difference,
    playersPart(),
    optionsPart(setup, game),
    recoveryPart(evening),
    setupBar(),
  ];
}

function changeTable({ setup, players }) {
  const known = players ?? get(owned("evenings-start"))?.spaces.find((one) => one.id === setup.space)?.players ?? [];
  draftSetup = { setup: structuredClone(setup), changing: setup.key, known };
  checkTable();
  show();
}

function leaveTable(changes) {
  const { changing } = draftSetup;
  draftSetup = null;
  if (changes) changeSetup(settledBy(evenings.get(changing), changes), changes);
  else show();
}

// --- start ---

tarockEngine.onchange = () => app.querySelector(".phone-status")?.replaceWith(statusPart() ?? "");
navigator.serviceWorker?.register(addresses.serviceWorker).catch(() => {}); // needs HTTPS
addEventListener("hashchange", go);
opened.then(load).then(takeGuests).then(go).then(() => {
  fetchStart().then(() => show());
  send();
});

Object.assign(page, { show, go, here });
