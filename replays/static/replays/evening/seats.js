// The players’ seats in a deal, and the number of the deal.

import { done, evenings, freeNumber, page, standing, store } from "./phone.js";
import { button, choice, el, labelled, newKey, say, gettext } from "../app.js";

// Return the players among whom the dealer of a deal is chosen, in the order of their seats.
function tableOf({ setup }, { players }) {
  const playing = Object.values(players);
  return playing.every((name) => setup.table.includes(name)) ? setup.table : playing;
}

// Return the name of a deal's dealer. A dealer who sat out sits before forehand.
export function dealerOf(evening, deal) {
  const table = tableOf(evening, deal);
  const seats = Object.keys(deal.players);
  if (table.length === seats.length) return deal.players[deal.dealer];
  const forehand = deal.players[seats[(seats.indexOf(deal.dealer) + 1) % seats.length]];
  return table.at(table.indexOf(forehand) - 1);
}

// Choose the dealer and the players of the deal in the form. Everything that was entered stays; the engine moves
// it to the new seats of the players, and marks what no longer fits.
export function seatsPart(evening) {
  const { deal, deals: dealer, n } = page.form;
  const table = tableOf(evening, deal);
  const seats = Object.keys(deal.players);
  const playing = Object.values(deal.players);
  const out = table.filter((name) => !playing.includes(name));
  const resting = [...out, ...(page.form.answer?.out ?? [])]; // with the dealer of four at Grosstarock
  const turn = async (deals, names) => {
    const setup = { ...evening.setup, table, seats: seats.length };
    const { next } = await standing({ ...evening, setup }, { dealer: deals, out: names });
    page.reseat(next, true);
  };
  const seat = (name) => choice(name, name === dealer, () => turn(name, []), `dealer ${name}`);
  const sitter = (name) => choice(
    name, out.includes(name), () => turn(dealer, out.length === 1 ? [name] : [...out.slice(1), name]), `out ${name}`,
  );
  const sit = (at, name) => {
    const from = seats.find((one) => deal.players[one] === name);
    const players = { ...deal.players, [at]: name, ...(from ? { [from]: deal.players[at] } : {}) };
    page.reseat({ players, dealer: deal.dealer, deals: dealerOf(evening, { ...deal, players }) }, Boolean(from));
  };
  const known = [...new Set([...table, ...evening.setup.table, ...(evening.players ?? [])])];
  const player = (at) => el(
    "select",
    { onchange: ({ target }) => sit(at, target.value), "aria-label": gettext("Player"), "data-key": `seat ${at}` },
    known.map((name) => el("option", { value: name, selected: name === deal.players[at] }, name)),
  );
  const numbers = Array.from({ length: freeNumber(evening) - 1 }, (_, index) => index + 1);
  return el(
    "details",
    { class: "seats-part", "data-part": "seats", open: page.form.open.has("seats"), ontoggle: ({ target }) =>
      page.form?.open[target.open ? "add" : "delete"]("seats") },
    el(
      "summary", {}, playing.join(" · "), el("small", {}, gettext("Dealer, seats, number")),
      resting.length ? el("small", {}, gettext("{names} sits out", { names: resting.join(", ") })) : null,
    ),
    el("p", { class: "row-label" }, gettext("Who deals?")),
    el("div", { class: "choices" }, table.map(seat)),
    out.length ? [
      el("p", { class: "row-label" }, gettext("Who sits out?")), el("div", { class: "choices" }, table.map(sitter)),
    ] : null,
    el("p", { class: "row-label" }, gettext("Who sits where?")),
    el("div", { class: "choices" }, seats.map(player)),
    evening.deals[n] ? [
      labelled(gettext("Number of the deal"), el(
        "select", { onchange: ({ target }) => move(evening, n, Number(target.value)), "data-key": "number" },
        numbers.map((number) => el("option", { value: number, selected: number === n }, String(number))),
      )),
      button(gettext("Insert a deal before this one"), () => insert(evening, n), { "data-key": "insert" }),
    ] : null,
  );
}

// --- numbers ---

async function move(evening, from, to) {
  const numberFor = (one, other) => (n) =>
    (n === one ? other : n > one && n <= other ? n - 1 : n < one && n >= other ? n + 1 : n);
  if (!(await renumber(evening, numberFor(from, to)))) return;
  const back = () => renumber(evenings.get(evening.setup.key), numberFor(to, from));
  done(gettext("Deal {n} is now deal {number}.", { n: from, number: to }), back);
  location.hash = `#${evening.setup.key}`;
}

async function insert(evening, at) {
  const { key } = evening.setup;
  if (!(await renumber(evening, (n) => (n >= at ? n + 1 : n)))) return;
  done(gettext("Deal {n} is free now.", { n: at }), () => {
    location.hash = `#${key}`;
    return renumber(evenings.get(key), (n) => (n > at ? n - 1 : n));
  });
  await page.go(); // the address stays the same
}

// Give the deals of an evening other numbers. In the archive each number gets the content of another deal, so
// that a phone that has changed a deal meanwhile sees the conflict. Return whether it was possible.
async function renumber(evening, numberFor) {
  const { deals, noted = {}, setup } = evening;
  const moved = Object.values(deals).filter(({ deal, state }) => state !== "removed" && numberFor(deal.n) !== deal.n);
  const fixed = moved.find(({ kind, state }) => kind === "played" || state === "conflict" || state === "checking");
  if (fixed) {
    say(gettext("The number of deal {n} can’t be changed here now.", { n: fixed.deal.n }));
    page.show();
    return false;
  }
  const now = { ...deals };
  for (const { deal, version } of moved) {
    if (version) now[deal.n] = { ...deals[deal.n], state: "removed" };
    else delete now[deal.n];
  }
  for (const entry of moved) {
    const n = numberFor(entry.deal.n);
    const { version = "", address, audit } = deals[n] ?? {};
    const place = { version, address, audit, state: "waiting", key: newKey(), theirs: null, why: "" };
    now[n] = { ...entry, ...place, deal: { ...entry.deal, n } };
  }
  const thrown = setup.thrown_in.map((one) => (one.n ? { ...one, n: numberFor(one.n) } : numberFor(one)));
  const changed = JSON.stringify(thrown) !== JSON.stringify(setup.thrown_in);
  page.form = null;
  await store({
    ...evening, draft: null, deals: now, dirty: evening.dirty || changed, setup: { ...setup, thrown_in: thrown },
    noted: Object.fromEntries(Object.entries(noted).map(([n, one]) => [numberFor(Number(n)), one])),
  });
  page.show();
  await page.send();
  return true;
}
