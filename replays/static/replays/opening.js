// The deal on the front page. It plays once by itself, from a trick with a comment to its end. It waits while it is
// out of view, and if the reader prefers reduced motion.

import { CardTable, byId, still } from "./table/table.js";

const PACE = 1300; // milliseconds per card
const REST = 1.8; // a complete trick is shown longer by this factor
const READING = 30; // milliseconds of reading time per character
const stage = byId("stage");
const table = new CardTable(stage.querySelector(".table-box"));
const button = byId("opening-play");
const end = byId("opening-end");
let shown = null; // the deal's frames
let at = Number(stage.dataset.step);
let timer = 0;
let stopped = still.matches; // stopped by the reader, or because they prefer reduced motion
let visible = false;

const last = () => shown.frames.findLastIndex((frame) => !frame.result);

// Without the frames, the deal stays a picture.
fetch(stage.dataset.frames).then(async (answer) => {
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  shown = await answer.json();
  table.names = shown.names;
  button.hidden = false;
  schedule();
}).catch(() => {});

function draw(number, before = null) {
  at = number;
  const frame = shown.frames[at];
  table.draw(frame, before);
  byId("status").innerHTML = frame.status;
  byId("status").scrollTop = 0;
}

function step() {
  draw(at + 1, shown.frames[at]);
  schedule();
}

function schedule() {
  clearTimeout(timer);
  timer = 0;
  const over = shown && at >= last();
  end.hidden = !over;
  if (shown && visible && !stopped && !document.hidden && !over) {
    const rest = PACE * (shown.frames[at].trick.done ? REST : 1);
    timer = setTimeout(step, Math.max(rest, READING * byId("status").innerText.length));
  }
  button.dataset.state = over ? "over" : stopped ? "stopped" : "playing";
}

button.addEventListener("click", () => {
  if (at >= last()) {
    draw(Number(stage.dataset.step));
    stopped = false;
  } else stopped = !stopped;
  schedule();
});
document.addEventListener("visibilitychange", () => schedule());
new IntersectionObserver(([{ isIntersecting }]) => {
  visible = isIntersecting;
  schedule();
}, { threshold: 0.3 }).observe(stage);
