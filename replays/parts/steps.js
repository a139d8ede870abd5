// Stepping through a deal. The deal's frames are fetched once (where nothing may be told of what comes later, trick by
// trick); a frame says which card lies where and what is told.
const stage = byId("stage");
const box = stage.querySelector(".table-box");
const announcer = byId("announcer");
const autoplay = byId("autoplay");
const seek = byId("seek");
const spoilers = stage.dataset.spoilers === "on";
const REST = 1.8; // so many times as long as another step a full trick lies still

const table = new CardTable(box);

let shown = null; // the document on the table: with open hands, or with all hands hidden
let other = null;
let at = Number(stage.dataset.step);
let prefix = stage.dataset.prefix;
let timer = 0;

// --- the deal ---

async function frames(step, after) {
  const query = new URLSearchParams(`${prefix}${step}`);
  if (spoilers) query.delete("step");
  if (after !== undefined) query.set("after", after);
  const answer = await fetch(`${stage.dataset.frames}?${query}`, { headers: { "X-Requested-With": "fetch" } });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.json();
}

let coming = null; // frames that are on their way
let loaded = frames(at).then(({ hidden, ...open }) => {
  shown = open;
  other = hidden ?? null;
  furnish();
  mark();
  ahead();
});
// Without the frames each step is a page of its own, as without a script.
loaded.catch(() => {});

// The frames after those that are here: up to where the trick ends that a step belongs to.
function more(step) {
  coming ??= frames(step, last()).then((document_) => {
    Object.assign(shown, document_, { frames: [...shown.frames, ...document_.frames] });
    furnish();
    mark();
  }).finally(() => (coming = null));
  loaded = coming;
  loaded.catch(() => {});
  return loaded;
}

// At the last step that is here the next ones are fetched, but not what is to be guessed.
function ahead() {
  if (shown.more && at === last() && !shown.frames[at].asks) more(at);
}

function furnish() {
  table.names = shown.names;
  byId("moves").outerHTML = shown.moves;
  for (const link of byId("moves").querySelectorAll("a")) link.tabIndex = -1;
  byId("chart").innerHTML = shown.chart;
}

const last = () => shown.frames.length - 1;
const ended = () => at >= last() && !shown.more;
// Whether nothing is told of what comes after the step: a seat does not know it, nor does who asked not to.
const limited = () => "limited" in stage.dataset || Boolean(shown?.from);

// --- a step ---

async function go(step) {
  if (!shown) {
    try {
      await loaded;
    } catch {
      location.assign(`${prefix}${Math.max(0, step)}`);
      return;
    }
  }
  try {
    while (step > last() && shown.more) await more(last() + 1);
  } catch {
    location.assign(`${prefix}${step}`);
    return;
  }
  step = Math.max(0, Math.min(step, last()));
  if (step === at) return;
  draw(step, Math.abs(step - at) === 1);
  tell();
  history.replaceState(null, "", `${prefix}${step}`);
  ahead();
}

// A button, or what does the same. One that is pressed before the frames are there waits for them, and for the others.
let pressed = Promise.resolve();
function press(name) {
  stop();
  pressed = pressed.then(async () => {
    await loaded.catch(() => {});
    const step = shown ? target(name) : byId(`go-${name}`).href.match(/step=(\d+)/)?.[1];
    if (step !== undefined) await go(Number(step));
  });
}

function draw(step, flies) {
  const before = shown.frames[at];
  const frame = shown.frames[step];
  at = step;
  table.draw(frame, flies ? before : null);
  byId("status").innerHTML = frame.status;
  byId("status").scrollTop = 0;
  byId("standing").innerHTML = frame.standing;
  byId("result").innerHTML = frame.result ? shown.result : "";
  if (byId("guess")) byId("guess").innerHTML = frame.guess ?? "";
  byId("at").textContent = step;
  stage.dataset.step = step;
  buttons();
  mark();
}

