// An evening at the table. What is entered stays on this phone until the archive has it. Which fields a sheet has,
// what may be tapped, the score and the totals come from the engine (`tarockEngine`): nothing here knows a rule.

import { namesIn, owned } from "../device.js";
import { ask, read, say, gettext } from "../app.js";

// What the modules of this page share: what those above define for those below. So no module imports one that imports
// it.
/** @type {EveningPage} */
export const page = /** @type {any} */ ({});

// --- what is on the phone ---

// Evenings by their keys: `setup`, `dirty` (a setup that the archive does not have), `deals` by number, each with its
// `state`: waiting, checking (sent, not yet stored), sent, conflict, refused, removed (to be withdrawn).
export const PREFIX = owned("evening:");
export const evenings = new Map();

export function load() {
  evenings.clear();
  for (const name of namesIn(localStorage, PREFIX)) {
    const found = read(name);
    if (found) evenings.set(name.slice(PREFIX.length), found);
  }
}

export function store(evening) {
  evenings.set(evening.setup.key, evening);
  try {
    localStorage.setItem(PREFIX + evening.setup.key, JSON.stringify(evening));
  } catch {
    say(gettext("This phone has no room left: what you enter now is lost when the page is closed."));
  }
}

const dealsOf = (evening) =>
  Object.values(evening.deals)
    .filter((entry) => entry.state !== "removed")
    .sort((one, other) => one.deal.n - other.deal.n);

// Whether something is to be sent now: what was refused, or entered twice, waits for a decision.
export const hasToSend = (evening) =>
  evening.dirty || Object.values(evening.deals).some(({ state }) => ["waiting", "checking", "removed"].includes(state));

export function standing(evening, next = {}) {
  return ask({
    ask: "evening",
    setup: evening.setup,
    deals: dealsOf(evening).map((entry) => entry.deal),
    ...next,
  });
}
