// The evening app. Entries stay on this phone until the archive has them. The engine (`tarockEngine`) knows
// the rules: fields, choices, scores and totals come from it.

import { owned } from "../device.js";
import { ask, live, say, gettext } from "../app.js";
import { get, isKept, namesIn, put } from "../store.js";

// State that the modules of this page share, and functions that later modules define for earlier ones, so
// that imports form no cycle.
/** @type {EveningPage} */
export const page = /** @type {any} */ ({});

// --- what was done last ---

const backs = []; // functions that undo what was done on this page, the latest last

// Say what was done. `back` undoes it, from the notice or later by "↶".
export function done(what, back) {
  backs.push(back);
  say(what, gettext("Undo"), undoLast);
}

export const canUndo = () => backs.length > 0;

export function undoLast() {
  live.hidden = true;
  return backs.pop()?.();
}

// --- storage on this phone ---

// Evenings by key: `setup`, `dirty` (the setup has changes that are not in the archive), `deals` by number, the
// last `stand` (the engine's answer), `noted` (points by name and a comment, by number, of deals that are still
// to be entered). A deal's `state` is waiting, checking (sent, not yet stored), sent, conflict, refused, or
// removed (to withdraw).
export const PREFIX = owned("evening:");
export const evenings = new Map();

export function load() {
  evenings.clear();
  for (const name of namesIn(PREFIX)) {
    const found = get(name);
    if (found) evenings.set(name.slice(PREFIX.length), found);
  }
}

// Return an evening with what this tab has changed (from `before` to `mine`) and what another tab has stored
// (`there`): each deal is that of the tab which changed it, and so is each other field.
function merge(before, mine, there) {
  const merged = { ...there };
  for (const name of new Set([...Object.keys(before), ...Object.keys(mine)])) {
    if (JSON.stringify(mine[name]) === JSON.stringify(before[name])) continue;
    if (mine[name] === undefined) delete merged[name];
    else if (["deals", "noted"].includes(name)) merged[name] = merge(before[name] ?? {}, mine[name], there[name] ?? {});
    else merged[name] = mine[name];
  }
  return merged;
}

// Return a promise: whether the evening is on the disk of this phone.
export async function store(evening) {
  evenings.set(evening.setup.key, evening);
  const written = await put({ [PREFIX + evening.setup.key]: evening }, merge);
  if (!written && isKept) {
    say(gettext("This phone has no space left. Anything you enter now will be lost when you close the page."));
  }
  return written;
}

// Return whether something can be sent now. Refused deals and conflicts wait until the user decides.
export const hasToSend = (evening) =>
  evening.dirty || Object.values(evening.deals).some(({ state }) => ["waiting", "checking", "removed"].includes(state));

// Return the number of a deal that was thrown in. Older evenings store only the number.
export const numberOf = (thrown) => thrown.n ?? thrown;

// Return the number after all deals of an evening, including thrown in and noted ones.
export function freeNumber({ deals, noted = {}, setup }) {
  return Math.max(0, ...Object.keys({ ...deals, ...noted }).map(Number), ...setup.thrown_in.map(numberOf)) + 1;
}

export function standing(evening, next = {}) {
  const deals = Object.values(evening.deals)
    .filter(({ state }) => state !== "removed")
    .map(({ deal }) => deal)
    .sort((one, other) => one.n - other.n);
  return ask({ ask: "evening", setup: evening.setup, deals, ...next });
}
