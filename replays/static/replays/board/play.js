// The play: what the engine has of the deal as it is, what is entered, and the steps back and on.

import { TRYING, nameOf, recordOf, store, page } from "./deal.js";
import { ask, say, gettext } from "../app.js";
import { tarockEngine } from "../engine.js";
import { games } from "./setup.js";

export let answer = null; // what the engine has of the board as it is
let listed = null; // of what its list of moves was made: the record without events, and these
page.picked = []; // of several cards or items: those that are chosen so far
page.twice = ""; // a card that may be played in more than one manner, while the manner is chosen
export let typed = { text: "", wrong: "" }; // an event as it is typed
export let busy = 0; // changes that wait for the engine
page.running = Promise.resolve();
page.held = ""; // why what waits is not entered by itself

export const waiting = () => page.board.waiting ?? [];

// Ask the engine; `typed` is an event more, behind which nothing may come back.
export async function judge(more = {}) {
  const later = more.typed ? [] : [...page.board.undone].reverse();
  const record = recordOf(page.board);
  const made = { of: JSON.stringify({ ...record, events: [] }), events: [...record.events, ...later] };
  const groups = listed?.of === made.of ? groupsThatStay(made.events) : [];
  const found = await ask({ ask: "board", record, later, known: groups.at(-1)?.moves.at(-1)[0] ?? 0, ...more });
  answer = { ...found, groups: found.first ? [...groups, ...found.groups] : found.groups };
  listed = made;
}

// The groups of the list of moves that stay as they are with these events. The last one may grow.
function groupsThatStay(events) {
  const same = listed.events.findIndex((event, at) => String(event) !== String(events[at]));
  const stays = ({ moves }) => moves.every(([step, , , , , judged]) => judged && (same < 0 || step <= same));
  const end = answer.groups.findIndex((group) => !stays(group));
  return answer.groups.slice(0, end < 0 ? -1 : Math.max(0, end - 1));
}

// Go on with other events: one change after the other, each made of the board as it is then. `more`: what is asked
// beside; `waits`: a move as text, which waits where the engine does not answer. Whether the board is now another.
export function change(make, more = {}, waits = more.typed) {
  busy += 1;
  page.running = page.running.then(() => changeNow(make, more, waits));
  return page.running;
}

async function changeNow(make, more, waits) {
  const before = { ...page.board };
  const changes = make();
  let done = false;
  if (changes) Object.assign(page.board, changes);
  try {
    if (changes) await judge(more);
    if (more.typed) Object.assign(page.board, entered(answer.record.events.at(-1)));
    if (TRYING && changes && (answer.over || answer.finding || "line" in changes)) await page.judgeLines();
    if (changes) changed();
    done = Boolean(changes);
  } catch (error) {
    page.board = before;
    if (!error.answered && waits) wait(waits);
    else if (more.typed) typed.wrong = error.message;
    else say(
      error.answered ? error.message : gettext("The archive does not answer. Nothing is lost; try again in a moment."),
    );
  }
  busy -= 1;
  await page.show();
  return done;
}

// What the engine has read is kept, and told.
function changed() {
  store();
  page.picked = [];
  page.twice = "";
  typed = { text: "", wrong: "" };
  page.resultOpen = answer.over;
  page.hear([answer.finding?.text ?? answer.words.happened, turnText()].filter(Boolean).join(" "));
}

// The board with an event more. Comments behind it were on steps that are no more.
function entered(event) {
  if (TRYING) return page.branch(event);
  const at = page.board.events.length;
  const comments = Object.fromEntries(Object.entries(page.board.comments ?? {}).filter(([step]) => Number(step) <= at));
  return { events: [...page.board.events, event], undone: [], comments };
}

// A tap while the last one is not answered is a slip.
export function enter(event) {
  if (busy) return;
  const words = event[1] === "play" ? [event[0], ...event.slice(2)] : event;
  if (!waiting().length) change(() => entered(event), {}, words.join(" "));
  else {
    wait(words.join(" "));
    page.show();
  }
}

// --- steps ---

// Go to a step, and on from there; the events behind it may come back.
export function goTo(step) {
  change(() => {
    const number = typeof step === "string" ? target(step) : step;
    const all = [...page.board.events, ...[...page.board.undone].reverse()];
    return number === page.board.events.length
      ? null
      : { events: all.slice(0, number), undone: all.slice(number).reverse() };
  });
}

// The step to which a button leads: itself where there is none.
export function target(name) {
  const at = page.board.events.length;
  const all = at + page.board.undone.length;
  const ends = [0, ...answer.groups.map(({ moves }) => moves.at(-1)[0])];
  return {
    first: 0,
    "previous-trick": ends.findLast((end) => end < at) ?? 0,
    previous: Math.max(0, at - 1),
    next: Math.min(all, at + 1),
    "next-trick": ends.find((end) => end > at) ?? all,
    last: all,
  }[name];
}

export const undo = () => (waiting().length ? discardLast() : goTo("previous"));
export const redo = () => goTo("next");

export function turnText() {
  if (answer.over) return gettext("The deal is over.");
  return answer.turn ? gettext("It is {name}’s turn.", { name: nameOf(answer.turn) }) : "";
}

// --- moves that wait for an answer ---

// Without an answer nothing is known of what may come next: cards are taken as they are tapped, and judged later.
export function wait(words) {
  store({ waiting: [...waiting(), words] });
  page.held = "";
  page.picked = [];
  typed = { text: "", wrong: "" };
  page.hear(
    gettext("The archive does not answer. Moves that wait here until it does: {number}", { number: waiting().length }),
  );
}

export function discardLast() {
  store({ waiting: waiting().slice(0, -1) });
  page.held = "";
  page.show();
}

// Enter what waits, one after the other, up to what cannot be entered.
export async function flush() {
  while (page.board && waiting().length && !page.held && !busy) {
    if (answer?.finding) page.held = answer.finding.text;
    else {
      const [first, ...rest] = waiting();
      if (await change(() => ({ undone: [], waiting: rest }), { typed: first }, "")) continue;
      if (!typed.wrong) return;
      page.held = typed.wrong;
      typed = { text: "", wrong: "" };
    }
    page.show();
  }
}

addEventListener("online", flush);
setInterval(() => navigator.onLine && flush(), 4000);
tarockEngine.onchange = () => {
  if (!page.board && games) page.show();
  else if (tarockEngine.state === "ready") flush();
};
