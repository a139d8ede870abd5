// An evening at the table. What is entered stays on this phone until the archive has it. Which fields a sheet has,
// what may be tapped, the score and the totals come from the engine (`tarockEngine`): nothing here knows a rule.

// --- what is on the phone ---

// Evenings by their keys: `setup`, `dirty` (a setup that the archive does not have), `deals` by number, each with its
// `state`: waiting, checking (sent, not yet stored), sent, conflict, refused, removed (to be withdrawn).
const PREFIX = owned("evening:");
const evenings = new Map();

function load() {
  evenings.clear();
  for (const name of namesIn(localStorage, PREFIX)) {
    const found = read(name);
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

const dealsOf = (evening) =>
  Object.values(evening.deals)
    .filter((entry) => entry.state !== "removed")
    .sort((one, other) => one.deal.n - other.deal.n);

// Whether something is to be sent now: what was refused, or entered twice, waits for a decision.
const hasToSend = (evening) =>
  evening.dirty || Object.values(evening.deals).some(({ state }) => ["waiting", "checking", "removed"].includes(state));

function standing(evening, next = {}) {
  return ask({
    ask: "evening",
    setup: evening.setup,
    deals: dealsOf(evening).map((entry) => entry.deal),
    ...next,
  });
}
