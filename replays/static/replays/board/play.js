// The play: the engine's answer for the current deal, entering events, undo and redo.

import { TRYING, nameOf, recordOf, store, page } from "./deal.js";
import { ask, say, gettext } from "../app.js";
import { tarockEngine } from "../engine.js";
import { opened } from "../store.js";
import { games } from "./setup.js";

export let answer = null; // the engine's answer for the current board
let listed = null; // the record (without events) and the events in the list of moves
page.picked = []; // the cards or items chosen so far, when several are needed
page.twice = ""; // a card that can be played in several ways, while the user chooses one
export let typed = { text: "", wrong: "" }; // the event in the text field
export let busy = 0; // number of changes that wait for the engine
page.running = opened;
page.held = ""; // the reason why waiting moves are not entered

export const waiting = () => page.board.waiting ?? [];

// Ask the engine about the board. `typed`: an additional event; after it, no events can be redone.
export async function judge(more = {}) {
  const later = more.typed ? [] : [...page.board.undone].reverse();
  const record = recordOf(page.board);
  const made = { of: JSON.stringify({ ...record, events: [] }), events: [...record.events, ...later] };
  const groups = listed?.of === made.of ? groupsThatStay(made.events) : [];
  const found = await ask({ ask: "board", record, later, known: groups.at(-1)?.moves.at(-1)[0] ?? 0, ...more });
  answer = { ...found, groups: found.first ? [...groups, ...found.groups] : found.groups };
  listed = made;
}

// Return the groups of the list of moves that stay valid with these events. The last group may grow.
function groupsThatStay(events) {
  const same = listed.events.findIndex((event, at) => String(event) !== String(events[at]));
  const stays = ({ moves }) => moves.every(([step, , , , , judged]) => judged && (same < 0 || step <= same));
  const end = answer.groups.findIndex((group) => !stays(group));
  return answer.groups.slice(0, end < 0 ? -1 : Math.max(0, end - 1));
}

// Change the board after all earlier changes, and return whether it changed. `make` returns the changes; `more`:
// additions to the question, and `former`, the events from the exchanged one on; `waits`: the move as text, to be
// kept if the engine does not answer, or "" if the move is already waiting.
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
    if (changes && more.former) await exchange(more, before);
    else if (changes) await judge(more);
    if (more.typed && !more.former) Object.assign(page.board, entered(answer.record.events.at(-1)));
    if (TRYING && changes && (answer.over || answer.finding || "line" in changes)) await page.judgeLines();
    if (changes) changed();
    done = Boolean(changes);
  } catch (error) {
    page.board = before;
    if (error.answered && more.typed) typed.wrong = error.message;
    else if (error.answered) say(error.message);
    else if (waits) wait(waits);
    else if (!more.typed) say(gettext("The archive isn’t responding. Nothing is lost; try again in a moment."));
  }
  busy -= 1;
  page.show();
  return done;
}

// Return the former events if the next event takes the place of another.
export const inPlace = () => (TRYING || !page.board.undone.length ? {} : { former: [...page.board.undone].reverse() });

// Keep the later events that are legal after an exchange, and remember the former ones for undo.
async function exchange({ former, typed: text }, { events: all, undone, comments = {} }) {
  const { events, finding } = await ask({ ask: "exchange", record: recordOf(page.board), former, typed: text ?? null });
  const at = all.length + 1;
  const same = String(events[at - 1]) === String(former[0]); // typed again: only a step forward
  Object.assign(page.board, {
    events: same ? events.slice(0, at) : events, undone: same ? former.slice(1).reverse() : [],
    comments: upTo(same ? Infinity : events.length, comments),
    former: same ? null : {
      events: all, undone, comments, finding, at: events.length, kept: events.length - at, number: former.length - 1,
    },
  });
  await judge();
}

// Return the exchange that ended at the current step, if it was the last change.
export const exchanged = () => (page.board.former?.at === page.board.events.length ? page.board.former : null);

export function restore() {
  const { events, undone, comments } = exchanged();
  change(() => ({ events, undone, comments, former: null }));
}

// Store and announce the engine's answer.
function changed() {
  store();
  page.picked = [];
  page.twice = "";
  typed = { text: "", wrong: "" };
  page.resultOpen = answer.over;
  page.hear([answer.finding?.text ?? answer.words.happened, turnText()].filter(Boolean).join(" "));
}

// Return the board with an additional event. Later comments are dropped, because their steps no longer exist.
function entered(event) {
  if (TRYING) return page.branch(event);
  const at = page.board.events.length;
  return { events: [...page.board.events, event], undone: [], comments: upTo(at, page.board.comments), former: null };
}

const upTo = (last, comments = {}) => Object.fromEntries(
  Object.entries(comments).filter(([step]) => Number(step) <= last),
);

// Enter an event. Ignore a tap until the engine has answered the previous one, because it is probably a slip.
export function enter(event) {
  if (busy) return;
  const words = event[1] === "play" ? [event[0], ...event.slice(2)] : event;
  if (!TRYING && String(event) === String(page.board.undone.at(-1))) redo();
  else if (!waiting().length) change(() => entered(event), inPlace(), words.join(" ")).then(playOn);
  else {
    wait(words.join(" "));
    page.show();
  }
}

// In a variation, play the cards that are the only legal choice.
function playOn(done) {
  const [only, ...others] = answer.choices;
  const isForced = only?.card && !others.length && !answer.many && !answer.more && !answer.finding;
  if (TRYING && done && isForced) enter(only.event);
}

// --- steps ---

// Go to a step. Later events can be redone.
export function goTo(step) {
  change(() => {
    const number = typeof step === "string" ? target(step) : step;
    const all = [...page.board.events, ...[...page.board.undone].reverse()];
    return number === page.board.events.length
      ? null
      : { events: all.slice(0, number), undone: all.slice(number).reverse() };
  });
}

// Return the step to which a button leads, or the current step if there is no such step.
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

// --- moves without an answer ---

// Keep a move until the engine answers again and can check whether the move is legal.
export function wait(words) {
  store({ waiting: [...waiting(), words] });
  page.held = "";
  page.picked = [];
  typed = { text: "", wrong: "" };
  page.hear(notResponding());
}

export const notResponding = () =>
  gettext("The archive isn’t responding. Moves that are waiting: {number}", { number: waiting().length });

export function discardLast() {
  store({ waiting: waiting().slice(0, -1) });
  page.held = "";
  page.show();
}

// Enter the waiting moves in order, until one cannot be entered.
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
