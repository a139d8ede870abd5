// The play: what the engine has of the deal as it is, what is entered, and the steps back and on.

let answer = null; // what the engine has of the board as it is
let picked = []; // of several cards or items: those that are chosen so far
let twice = ""; // a card that may be played in more than one manner, while the manner is chosen
let typed = { text: "", wrong: "" }; // an event as it is typed
let busy = false;
let held = ""; // why what waits is not entered by itself

const waiting = () => board.waiting ?? [];

// Ask the engine; `typed` is an event more, behind which nothing may come back.
async function judge(more = {}) {
  const later = more.typed ? [] : [...board.undone].reverse();
  answer = await ask({ ask: "board", record: recordOf(board), later, ...more });
}

// Go on with other events. What the engine cannot read is not entered; where it does not answer, `waits`, a move as
// text, waits until it does. Whether the board is now another.
async function change(changes, more = {}, waits = more.typed) {
  if (busy) return false;
  busy = true;
  const before = { ...board };
  let done = false;
  Object.assign(board, changes);
  try {
    await judge(more);
    if (more.typed) Object.assign(board, entered(answer.record.events.at(-1)));
    if (TRYING && (answer.over || answer.finding || "line" in changes)) await judgeLines();
    store();
    done = true;
    picked = [];
    twice = "";
    typed = { text: "", wrong: "" };
    resultOpen = answer.over;
    hear([answer.finding?.text ?? answer.words.happened, turnText()].filter(Boolean).join(" "));
  } catch (error) {
    board = before;
    if (!error.answered && waits) wait(waits);
    else if (more.typed) typed.wrong = error.message;
    else say(error.answered ? error.message : text("no_answer"));
  }
  busy = false;
  await show();
  return done;
}

// The board with an event more. Comments behind it were on steps that are no more.
function entered(event) {
  if (TRYING) return branch(event);
  const at = board.events.length;
  const comments = Object.fromEntries(Object.entries(board.comments ?? {}).filter(([step]) => Number(step) <= at));
  return { events: [...board.events, event], undone: [], comments };
}

function enter(event) {
  const words = event[1] === "play" ? [event[0], ...event.slice(2)] : event;
  if (waiting().length) {
    wait(words.join(" "));
    show();
    return;
  }
  const changes = entered(event);
  if (changes) change(changes, {}, words.join(" "));
}

// --- steps ---

// Go to a step, and on from there; the events behind it may come back.
function goTo(number) {
  const all = [...board.events, ...[...board.undone].reverse()];
  const at = board.events.length;
  if (number !== at && number >= 0 && number <= all.length) change({ events: all.slice(0, number), undone: all.slice(number).reverse() });
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

const undo = () => (waiting().length ? discardLast() : goTo(target("previous")));
const redo = () => goTo(target("next"));

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
      if (await change({ undone: [], waiting: rest }, { typed: first }, "")) continue;
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
