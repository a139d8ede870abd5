// The play: what the engine has of the deal as it is, what is entered, and the steps back and on.

let answer = null; // what the engine has of the board as it is
let listed = null; // of what its list of moves was made: the record without events, and these
let picked = []; // of several cards or items: those that are chosen so far
let twice = ""; // a card that may be played in more than one manner, while the manner is chosen
let typed = { text: "", wrong: "" }; // an event as it is typed
let busy = 0; // changes that wait for the engine
let running = Promise.resolve();
let held = ""; // why what waits is not entered by itself

const waiting = () => board.waiting ?? [];

// Ask the engine; `typed` is an event more, behind which nothing may come back.
async function judge(more = {}) {
  const later = more.typed ? [] : [...board.undone].reverse();
  const record = recordOf(board);
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
function change(make, more = {}, waits = more.typed) {
  busy += 1;
  running = running.then(() => changeNow(make, more, waits));
  return running;
}

async function changeNow(make, more, waits) {
  const before = { ...board };
  const changes = make();
  let done = false;
  if (changes) Object.assign(board, changes);
  try {
    if (changes) await judge(more);
    if (more.typed) Object.assign(board, entered(answer.record.events.at(-1)));
    if (TRYING && changes && (answer.over || answer.finding || "line" in changes)) await judgeLines();
    if (changes) changed();
    done = Boolean(changes);
  } catch (error) {
    board = before;
    if (!error.answered && waits) wait(waits);
    else if (more.typed) typed.wrong = error.message;
    else say(error.answered ? error.message : text("no_answer"));
  }
  busy -= 1;
  await show();
  return done;
}

// What the engine has read is kept, and told.
function changed() {
  store();
  picked = [];
  twice = "";
  typed = { text: "", wrong: "" };
  resultOpen = answer.over;
  hear([answer.finding?.text ?? answer.words.happened, turnText()].filter(Boolean).join(" "));
}

// The board with an event more. Comments behind it were on steps that are no more.
function entered(event) {
  if (TRYING) return branch(event);
  const at = board.events.length;
  const comments = Object.fromEntries(Object.entries(board.comments ?? {}).filter(([step]) => Number(step) <= at));
  return { events: [...board.events, event], undone: [], comments };
}

// A tap while the last one is not answered is a slip.
function enter(event) {
  if (busy) return;
  const words = event[1] === "play" ? [event[0], ...event.slice(2)] : event;
  if (!waiting().length) change(() => entered(event), {}, words.join(" "));
  else {
    wait(words.join(" "));
    show();
  }
}

// --- steps ---

// Go to a step, and on from there; the events behind it may come back.
function goTo(step) {
  change(() => {
    const number = typeof step === "string" ? target(step) : step;
    const all = [...board.events, ...[...board.undone].reverse()];
    return number === board.events.length ? null : { events: all.slice(0, number), undone: all.slice(number).reverse() };
  });
}

// The step to which a button leads: itself where there is none.
function target(name) {
  const at = board.events.length;
  const all = at + board.undone.length;
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

const undo = () => (waiting().length ? discardLast() : goTo("previous"));
const redo = () => goTo("next");

function turnText() {
  if (answer.over) return text("over");
  return answer.turn ? text("turn", { name: nameOf(answer.turn) }) : "";
}

// --- moves that wait for an answer ---

// Without an answer nothing is known of what may come next: cards are taken as they are tapped, and judged later.
function wait(words) {
  store({ waiting: [...waiting(), words] });
  held = "";
  picked = [];
  typed = { text: "", wrong: "" };
  hear(text("waits", { number: waiting().length }));
}

function discardLast() {
  store({ waiting: waiting().slice(0, -1) });
  held = "";
  show();
}

// Enter what waits, one after the other, up to what cannot be entered.
async function flush() {
  while (board && waiting().length && !held && !busy) {
    if (answer?.finding) held = answer.finding.text;
    else {
      const [first, ...rest] = waiting();
      if (await change(() => ({ undone: [], waiting: rest }), { typed: first }, "")) continue;
      if (!typed.wrong) return;
      held = typed.wrong;
      typed = { text: "", wrong: "" };
    }
    show();
  }
}

addEventListener("online", flush);
setInterval(() => navigator.onLine && flush(), 4000);
tarockEngine.onchange = () => {
  if (!board && games) show();
  else if (tarockEngine.state === "ready") flush();
};
