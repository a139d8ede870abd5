// What the apps for the table have in common: elements, texts, what is on the device, and questions to the engine.
document.documentElement.classList.add("js");
const texts = JSON.parse(document.getElementById("texts").textContent);
const addresses = JSON.parse(document.getElementById("addresses").textContent);
const app = document.getElementById("app");
const live = document.getElementById("live");
const language = document.documentElement.lang;

function text(name, values = {}) {
  return Object.entries(values).reduce((found, [key, value]) => found.replaceAll(`{${key}}`, value), texts[name]);
}

// An element: attributes, handlers (`onclick`), and children, of which empty ones are left out.
function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
  return made;
}

function button(label, onclick, attributes = {}) {
  return el("button", { type: "button", class: "button", onclick, ...attributes }, label);
}

function signed(points) {
  if (points === null || points === undefined) return "–";
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0";
}

const sense = (points) => (points > 0 ? "gain" : points < 0 ? "loss" : "none");

// Shown in the place of what was there; whoever had the focus has it again.
function replace(...children) {
  const focused = document.activeElement?.dataset?.key;
  app.replaceChildren(...children.flat().filter(Boolean));
  if (focused) app.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

function group(label, buttons) {
  return el("section", { class: "field-part", role: "group", "aria-label": label }, el("h2", {}, label), el("div", { class: "choices" }, buttons));
}

function clauseLink(one) {
  return one.clause
    ? el("a", { class: "clause", href: `${addresses.clause}${one.clause}/`, title: one.title, "aria-label": text("clause", { title: one.title }) }, "§")
    : null;
}

function finding(found) {
  return el("li", {}, found.text, " ", clauseLink(found));
}

// How the score is made up: the lines of the sheet, with the points of each player.
function linesPart(lines, players) {
  return el(
    "details",
    { class: "score-lines", open: true },
    el("summary", {}, text("score_lines")),
    el(
      "ul",
      {},
      lines.map((line) =>
        el(
          "li",
          {},
          el("span", {}, line.text, " ", clauseLink(line)),
          el("span", { class: "line-points" }, Object.entries(line.points).map(([seat, points]) => el("span", { class: sense(points) }, `${players[seat]} ${signed(points)}`))),
        ),
      ),
    ),
  );
}

// --- what is on the device ---

function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

// --- a word at the edge of the screen ---

let silence = 0;

function say(what, action = null) {
  clearTimeout(silence);
  live.replaceChildren(el("span", {}, what), action ?? "");
  live.hidden = false;
  silence = setTimeout(() => (live.hidden = true), action ? 12000 : 6000);
}

// --- the engine ---

function ask(question) {
  return tarockEngine.ask({ ...question, language }).then((answer) => {
    if (answer.error) throw Object.assign(new Error(answer.error.message), { answered: true });
    return answer;
  });
}
