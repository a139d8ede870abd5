// The form of a deal: taps, comment, saving.

import { canUndo, done, evenings, freeNumber, store, page, undoLast } from "./phone.js";
import { dealerOf, seatsPart } from "./seats.js";
import {
  addresses, ask, button, el, finding, head, labelled, linesPart, newKey, say, scoreNow, signed, gettext,
} from "../app.js";
import { owned } from "../device.js";
import { put } from "../store.js";
import { fieldPart, flagButton, isFlag, isOpen, mistakes, opener } from "./fields.js";
import { putDeal, send, sending } from "./sending.js";

const FEW_LINES = 4; // of a score, shown without a tap

page.form = null; // { key, n, deal, deals (the dealer's name), base, answer, open, row, pad, typed, past, chain }

// Store the deal that is being entered as a draft.
function storeDraft() {
  const { key, deal, deals, base, past } = page.form;
  store({ ...evenings.get(key), draft: { deal: structuredClone(deal), version: base, deals, past } });
}

// Start to edit a deal of the evening, or a new one with `seats` (`tarock.core.seating.Seats`).
export async function begin(evening, n, seats) {
  const entry = evening.deals[n];
  const draft = evening.draft?.deal.n === n ? evening.draft : null;
  const fresh = seats && {
    n, players: seats.players, dealer: seats.dealer, options: seats.options, lines: [], comment: "",
  };
  const deal = structuredClone(draft?.deal ?? fresh ?? entry.deal);
  page.form = {
    key: evening.setup.key, n, deal, deals: draft?.deals ?? seats?.deals ?? dealerOf(evening, deal), answer: null,
    open: new Set(), pad: null, past: draft?.past ?? [], base: draft ? draft.version : (entry?.version ?? ""),
  };
  await (page.form.chain = step());
}

// Ask the engine for the form after a change. Changes are chained: each applies to the result of the one before.
async function step(changed = null) {
  const { deal } = page.form;
  const setup = evenings.get(page.form.key).setup;
  try {
    const answer = await ask({ ask: "form", deal, setup, ...changed });
    if (page.form?.deal !== deal) return;
    page.form.answer = answer;
    page.form.wrong = "";
    deal.lines = answer.lines;
    if (changed) storeDraft();
  } catch (error) {
    if (page.form?.deal === deal) page.form.wrong = error.message;
  }
}

// Apply a change to the deal in the form, so that it can be undone. `ready`: returns the question to the engine
// when its turn comes, or null if nothing changes.
function apply(ready) {
  const { form } = page;
  if (!form) return; // a second tap, on a form that is being left
  form.chain = form.chain.then(() => {
    const before = { deal: structuredClone(form.deal), deals: form.deals };
    const question = page.form === form && ready(form);
    if (!question) return null;
    form.past.push(before);
    return step(question);
  }).then(() => page.show());
}

page.tap = (find) => apply(() => {
  const tap = find();
  return tap && { tap };
});

// Seat the players of the deal differently. `follow`: whether what was entered for a player follows to the new
// seat; otherwise it stays at the seat.
page.reseat = ({ players, dealer, deals }, follow) => apply((form) => {
  const was = form.deal.players;
  Object.assign(form, { deal: { ...form.deal, players, dealer }, deals });
  return follow ? { was } : {};
});

export function formView(evening) {
  const { answer, deal, n } = page.form;
  const played = evening.deals[n]?.kind === "played";
  const fields = answer?.fields ?? [];
  const closed = fields.filter((one) => !isOpen(one));
  return [
    head([
      gettext("Deal {n}", { n }), el("small", {}, gettext("{name} deals", { name: page.form.deals })),
    ], `#${evening.setup.key}`, button("↶", undo, {
      class: "button icon", "aria-label": gettext("Undo"), disabled: !page.form.past.length && !canUndo(),
      "data-key": "undo",
    })),
    page.form.wrong ? el("p", { class: "note error", role: "alert" }, page.form.wrong) : null,
    evening.noted?.[n] ? el("p", { class: "note" }, notedText(evening.noted[n])) : null,
    played ? null : seatsPart(evening),
    played ? el("p", { class: "note" }, gettext(
      "The cards of this deal are recorded, and they count. This is its score sheet.",
    )) : null,
    el("div", { class: "entry" }, fields.filter(isOpen).map(fieldPart)),
    closed.length
      ? el(
          "div",
          { class: "extras", role: "group", "aria-label": gettext("Also in this deal") },
          closed.map((one) => (isFlag(one) ? flagButton(one) : opener(`+ ${one.label}`, one.name))),
        )
      : null,
    commentPart(),
    answer?.findings.length ? el("ul", { class: "findings" }, answer.findings.map(finding)) : null,
    answer?.warnings?.length ? el("ul", { class: "findings" }, answer.warnings.map(finding)) : null,
    answer?.sheet.length ? linesPart(answer.sheet, deal.players, {
      open: page.form.lines ?? answer.sheet.length <= FEW_LINES,
      ontoggle: ({ target }) => page.form && (page.form.lines = target.open), // it may come after saving
    }) : null,
    existingPart(evening, evening.deals[n] ?? { deal }),
    savePart(evening, answer),
  ];
}

function commentPart() {
  const change = (event) => {
    page.form.deal.comment = event.target.value;
    storeDraft();
  };
  return el(
    "details",
    { class: "comment-part", open: Boolean(page.form.deal.comment) },
    el("summary", {}, gettext("Comment")),
    el(
      "textarea", { rows: "2", maxlength: "500", "aria-label": gettext("Comment"), oninput: change },
      page.form.deal.comment ?? "",
    ),
  );
}

// --- points of a deal that is to be entered later ---

// Return the points and the comment that were noted.
export function notedText({ points, comment }) {
  const scored = Object.entries(points).map(([name, number]) => `${name} ${signed(number)}`).join(", ");
  return gettext("Noted at the table: {points}", { points: [scored, comment].filter(Boolean).join(" · ") });
}

// Show a form for the points of the next deal, for a phone that can't ask the engine.
export function notePart(evening) {
  const n = freeNumber(evening);
  const keep = async (event) => {
    event.preventDefault();
    const { comment, ...typed } = Object.fromEntries(new FormData(event.target));
    const points = Object.fromEntries(Object.entries(typed).filter(([, text]) => text).map(
      ([name, text]) => [name, Number(text)],
    ));
    const noted = { ...evening.noted, [n]: { points, comment: String(comment).trim() } };
    if (await store({ ...evening, noted })) {
      say(gettext("The points of deal {n} have been saved on this phone.", { n }));
    }
    page.show();
  };
  return el(
    "details",
    { class: "more-part" },
    el("summary", {}, gettext("Note the points of deal {n}", { n })),
    el("p", { class: "muted" }, gettext("You can enter the deal itself as soon as there is a network.")),
    el(
      "form", { onsubmit: keep },
      evening.setup.table.map((name) => labelled(name, el(
        "input", { name, type: "number", step: "1", min: "-9999", max: "9999", "data-key": `note ${name}` },
      ))),
      labelled(gettext("What was played"), el("input", { name: "comment", maxlength: "200", "data-key": "note" })),
      el("button", { type: "submit", class: "button primary", "data-key": "save note" }, gettext("Save")),
    ),
  );
}

function existingPart(evening, entry) {
  return el(
    "div",
    { class: "existing" },
    entry.address ? el("a", { class: "button", href: entry.address }, gettext("Page of the deal")) : null,
    entry.audit ? el("a", { class: "button", href: entry.audit }, gettext("Audit")) : null,
    entry.kind === "played" || evening.friend
      ? null
      : button(gettext("Record its cards"), () => layOut(evening, entry.deal), { "data-key": "cards" }),
    entry.kind === "played" || !entry.state
      ? null
      : button(gettext("Delete this deal"), () => remove(evening), { class: "button danger" }),
  );
}

// Open the deal on the board, to record its cards. The record sent from there replaces the sheet.
async function layOut({ setup }, { n, players, dealer, options }) {
  const key = newKey();
  const { game, date, place, name, rules } = setup;
  const byRules = rules && JSON.stringify(options) === JSON.stringify(setup.options) ? { Rules: rules } : {};
  const tags = { Session: name, Deal: String(n), ...byRules };
  const table = { key, game, seats: Object.keys(players).length, names: players, dealer, options, date, place, tags };
  await put({ [owned(`board:${key}`)]: { ...table, deal: {}, events: [], undone: [], at: Date.now() } });
  location.href = `${addresses.board}#${key}/hands`;
}

function savePart(evening, answer) {
  const lacking = (answer?.fields ?? []).filter(
    (one) => one.findings.some((found) => found.lacking),
  ).map((one) => one.label);
  const score = answer?.score;
  const points = score ?? answer?.paid;
  const isGood = score && !answer.fields.some((one) => mistakes(one).length);
  const played = evening.deals[page.form.n]?.kind === "played";
  return el(
    "footer",
    { class: "save-bar" },
    points ? scoreNow(points, (seat) => page.form.deal.players[seat], answer.amounts) : null,
    score ? null : el(
      "p", { class: "lacking" },
      answer?.verdict === "illegal"
        ? gettext("This is impossible: see above.")
        : lacking.length
        ? gettext("Still missing: {names}", { names: lacking.join(", ") })
        : "",
    ),
    button(isGood ? gettext("Save") : gettext("Save anyway"), saveDeal, {
      class: isGood ? "button primary large" : "button large",
      disabled: played || Boolean(page.form.wrong) || !answer?.lines.length || Boolean(answer.warnings?.length),
      "data-key": "save",
    }),
  );
}

// Save the deal on this phone, or, if it keeps nothing, in the archive. Otherwise the form stays open.
async function saveDeal() {
  const { form } = page;
  if (!form) return; // a second tap
  await form.chain;
  const evening = evenings.get(form.key);
  const { n, deal, answer, base, past } = form;
  const { [n]: _completed, ...noted } = evening.noted ?? {};
  const written = await putDeal({ ...evening, draft: null, noted }, n, {
    deal, state: "waiting", version: base, key: newKey(), score: answer.score, verdict: answer.verdict,
  });
  if (!written) await send();
  if (page.form !== form) return; // another tap has saved it
  if (!written && evenings.get(form.key).deals[n].state !== "sent") {
    say(gettext("The deal has not been saved: this phone can’t store it, and the archive can’t be reached."));
    return;
  }
  page.form = null;
  location.hash = `#${evening.setup.key}`;
  done(gettext("Deal {n} has been saved.", { n }), () => takeBack(evening.setup.key, n, past));
  send();
}

// Undo saving, and return to the form with the values that were entered. `past`: the taps that can be undone.
async function takeBack(key, n, past) {
  await sending; // the deal may be on its way
  const evening = evenings.get(key);
  const entry = evening.deals[n];
  if (!entry) return;
  const deals = { ...evening.deals };
  if (!entry.version && entry.state === "waiting") delete deals[n];
  page.form = null;
  store({ ...evening, deals, draft: { deal: entry.deal, version: entry.version, past } });
  location.hash = `#${key}/${n}`;
}

function remove(evening) {
  if (!page.form) return;
  const { n } = page.form;
  const entry = evening.deals[n];
  const deals = { ...evening.deals, [n]: { ...entry, state: "removed" } };
  if (!entry.version && !sending) delete deals[n]; // while it may be on its way, its version is asked for first
  store({ ...evening, deals, draft: null });
  page.form = null;
  location.hash = `#${evening.setup.key}`;
  const back = async () => {
    await sending; // the withdrawal may be on its way
    const now = evenings.get(evening.setup.key);
    // If the archive has withdrawn the deal, it is a new one there.
    putDeal(now, n, now.deals[n] ? entry : { ...entry, state: "waiting", version: "", key: newKey() });
    send();
    page.show();
  };
  done(gettext("Deal {n} has been deleted.", { n }), back);
  send();
}

// Undo the last tap, also one before a reload. Without a tap, undo what was done before: the last deal opens again.
function undo() {
  const { form } = page;
  if (!form) return;
  if (!form.past.length) {
    undoLast();
    return;
  }
  form.chain = form.chain.then(() => {
    Object.assign(form, form.past.pop(), { typed: null });
    return step({});
  }).then(() => page.show());
}
