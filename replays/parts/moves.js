// The words about a step, where its buttons lead, turning the table, playing by itself.

function tell() {
  const said = byId("status").cloneNode(true);
  for (const slug of said.querySelectorAll("a")) slug.remove();
  announcer.textContent = `${shown.frames[at].title}. ${said.textContent.replace(/\s+/g, " ").trim()}`;
}

function before(steps, step) {
  return steps.filter((end) => end < step).at(-1);
}

function target(name) {
  const ends = [...shown.ends, last()];
  return {
    first: at ? 0 : undefined,
    previous: at ? at - 1 : undefined,
    "previous-trick": before(ends, at),
    next: ended() ? undefined : at + 1,
    "next-trick": ended() ? undefined : shown.frames[at].foreseen ?? ends.find((end) => end > at),
    last: at < last() && spoilers ? last() : undefined,
  }[name];
}

function buttons() {
  for (const button of stage.querySelectorAll("[data-button]")) {
    const step = target(button.dataset.button);
    if (step === undefined) {
      button.removeAttribute("href");
      button.setAttribute("role", "link");
      button.setAttribute("aria-disabled", "true");
      if (button === document.activeElement) button.tabIndex = 0;
    } else {
      button.href = `${prefix}${step}`;
      button.removeAttribute("role");
      button.removeAttribute("aria-disabled");
    }
  }
}

function mark() {
  if (shown) seek.max = shown.frames[at].foreseen ?? last();
  seek.value = at;
  const moves = byId("moves");
  const old = moves.querySelector("[aria-current]");
  const link = moves.querySelector(`a[data-go="${at}"]`);
  old?.removeAttribute("aria-current");
  link?.setAttribute("aria-current", "step");
  // The list is one stop for the Tab key.
  if (old) old.tabIndex = -1;
  (link ?? moves.querySelector("a")).tabIndex = 0;
  if (limited()) {
    for (const move of moves.querySelectorAll("a[data-go]")) move.closest("li").hidden = Number(move.dataset.go) > at;
    for (const group of moves.children) group.hidden = !group.querySelector("li:not([hidden]), .group-title a");
  }
  // A comment may tell what comes: it waits until its trick is over.
  for (const comment of moves.querySelectorAll(".comment")) comment.hidden = Number(comment.dataset.step) > at;
  followMove();
  if (!link) moves.scrollTop = moves.scrollHeight; // the result is behind the last move
  if (moves.contains(document.activeElement)) link?.focus({ preventScroll: true });
  const chart = byId("chart");
  chart.hidden = limited() && shown && !ended();
  chart.querySelector("a.current")?.classList.remove("current");
  Array.from(chart.querySelectorAll("svg a[data-go]"))
    .filter((column) => Number(column.dataset.go) <= at).at(-1)?.classList.add("current");
  for (const name of ["share-link", "share-picture", "share-code"]) {
    byId(name).value = byId(name).value.replace(/step=\d+/, `step=${at}`);
  }
  for (const link of document.querySelectorAll('.share-links a[href*="step="]')) {
    link.href = link.href.replace(/step=\d+/, `step=${at}`);
  }
  for (const mode of panel.querySelectorAll(".views a, .modes a")) follow(mode);
  const trial = byId("try-link");
  trial.search = `${prefix}${at}`;
}

const follow = (link) => link.href = link.href.replace(/step=\d+/, `step=${at}`);

// --- turned, and face down ---

function turn() {
  const order = table.element.classList.contains("clockwise") ? 1 : table.size - 1;
  const next = (letter) => [...table.seats.keys()]
    .find((other) => table.slot(other) === (table.slot(letter) + order) % table.size);
  let near = next(nearest());
  // Who sits out holds nothing to be looked at.
  while (table.seats.get(near).classList.contains("sits-out")) near = next(near);
  table.turnTo(near);
  prefix = shown.turned[near] ?? prefix;
  buttons();
  mark();
  history.replaceState(null, "", `${prefix}${at}`);
}

const nearest = () => [...table.seats.keys()].find((letter) => !table.slot(letter));

function hide() {
  const steps = shown.from ? shown.back : other.from;
  const step = steps[at] ?? at;
  [shown, other] = [other, shown];
  prefix = shown.turned[nearest()] ?? shown.prefix;
  furnish();
  at = step;
  draw(step, false);
  byId("hide-hands").toggleAttribute("aria-current", false);
  panel.querySelector("[data-shown]").toggleAttribute("aria-current", false);
  (shown.from
    ? byId("hide-hands")
    : panel.querySelector(stage.dataset.view ? `.views a[href*="view=${stage.dataset.view}"]` : "[data-shown]")
  ).setAttribute("aria-current", "true");
  tell();
  history.replaceState(null, "", `${prefix}${at}`);
}

// --- playing ---

const play = { label: autoplay.getAttribute("aria-label"), title: autoplay.title };

function playing(on) {
  autoplay.classList.toggle("is-on", on);
  autoplay.setAttribute("aria-label", on ? autoplay.dataset.pause : play.label);
  autoplay.title = on ? autoplay.dataset.pause : play.title;
}

function stop() {
  clearTimeout(timer);
  timer = 0;
  playing(false);
}

async function tick() {
  if (ended()) return stop();
  const this_ = timer;
  await go(at + 1);
  if (timer !== this_) return; // stopped while it waited
  const rest = shown.frames[at].trick.done ? REST : 1;
  timer = setTimeout(tick, Number(byId("speed").value) * rest);
}

async function toggleAutoplay() {
  if (timer) return stop();
  playing(true);
  timer = -1;
  try {
    await loaded;
  } catch {
    return stop();
  }
  if (!timer) return; // stopped while it waited
  if (ended()) go(0);
  tick();
}

