// The value of each legal card with all cards open. The engine in this browser calculates it when the user asks.

import { byId } from "../table/table.js";
import { ask, el, signed, gettext } from "../app.js";
import { tarockEngine } from "../engine.js";
import { nameOf, page, recordOf } from "./deal.js";
import { answer, waiting } from "./play.js";

const box = byId("show-values"); // missing where a club shows no hindsight
let position = ""; // the position in the question to the engine
let found = null; // its answer
let wrong = "";

const none = () => !box?.checked || answer.over || answer.finding || waiting().length > 0;

// Ask for the values of the current position, unless this was done.
export function followValues() {
  const record = recordOf(page.board);
  const later = [...page.board.undone].reverse();
  const { game, dealer, options, deal, events } = record;
  const here = none() ? "" : JSON.stringify([game, dealer, options, deal, events, later]);
  if (here === position) return;
  [position, found, wrong] = [here, null, ""];
  if (!here) return;
  ask({ ask: "values", record, later }, { local: true })
    .then((values) => { if (here === position) found = values; })
    .catch((error) => { if (here === position) wrong = error.message; })
    .then(() => {
      if (here !== position) return;
      page.show();
      page.hear(statusText());
    });
}

// Return what a way to play a card is worth, or the best way to play it; null without a value.
export function worth(choices) {
  const values = choices.map(({ event }) => found?.values?.[event[2]]).filter(Number.isInteger);
  return values.length ? Math.max(...values) : null;
}

const best = () => Math.max(...Object.values(found.values));

// Return a badge with the value of a card.
export const worthPart = (value) => (value === null
  ? null
  : el("b", { class: value === best() ? "worth is-best" : "worth", "aria-hidden": "true" }, signed(value)));

// Say which cards are best, or why no values are shown.
export const valuesPart = () => (none() ? null : el(
  "p",
  { class: "muted", "data-key": "values" },
  statusText(), " ",
  el("a", { href: "#what-is-hindsight", onclick: explain, "data-key": "hindsight" }, gettext("What is hindsight?")),
));

function explain(event) {
  event.preventDefault();
  byId("what-is-hindsight").showModal();
}

const statusText = () => (found?.values ? bestText() : found ? whyNot(found) : wrong || waitText());

function bestText() {
  const top = answer.choices.filter(({ event }) => found.values[event[2]] === best());
  const names = [...new Set(top.map(({ card }) => page.cardNames.get(card)))];
  const cards = new Intl.ListFormat(document.documentElement.lang).format(names);
  const values = { name: nameOf(found.seat), cards, value: signed(best()) };
  return [
    Object.values(found.values).every((value) => value === best())
      ? gettext("All cards open: every card is worth {value} to {name}.", values)
      : gettext("All cards open. Best for {name}: {cards} ({value}).", values),
    found.seats === 2 ? gettext("With two players, the value is the difference of their scores.") : "",
  ].filter(Boolean).join(" ");
}

const waitText = () => (
  tarockEngine.state === "ready" ? gettext("Calculating …") : gettext("Loading the rules (7 MB) …")
);

const whyNot = ({ why, tricks }) => ({
  limit: gettext(
    "Not calculated: too many lines of play are possible. Usually, the last {number} tricks can be calculated.",
    { number: tricks },
  ),
  "each-for-himself": gettext("Not calculated: everybody plays alone here, so best play is not defined."),
  "cards-unknown": gettext("Not calculated: some cards are unknown."),
  "not-in-play": gettext("Cards have a value once the first trick has begun."),
})[why] ?? "";

box?.addEventListener("change", () => page.show());
