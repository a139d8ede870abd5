// Parts that the apps share: elements, texts, storage, and questions to the engine.

import { tarockEngine } from "./engine.js";

document.documentElement.classList.add("js");
const data = (id) => JSON.parse(document.getElementById(id).textContent);
const catalog = data("catalog");
export const labels = data("labels"); // the server's words by key: verdicts, visibilities
export const addresses = data("addresses");
export const app = document.getElementById("app");
export const live = document.getElementById("live");
const language = document.documentElement.lang;

// Return a message in the reader's language, with values for the names in braces.
export function gettext(message, values = {}) {
  return filled(catalog[message] ?? message, values);
}

// Return a message that needs a context to be translated.
export function pgettext(context, message, values = {}) {
  return filled(catalog[`${context}\u0004${message}`] ?? message, values);
}

function filled(message, values) {
  return Object.entries(values).reduce((text, [name, value]) => text.replaceAll(`{${name}}`, value), message);
}

// Create an element with attributes, event handlers (`onclick`), and children. Empty children are skipped.
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(
    ...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false && child !== ""),
  );
  return made;
}

export function button(label, onclick, attributes = {}) {
  return el("button", { type: "button", class: "button", onclick, ...attributes }, label);
}

export function signed(points) {
  if (points === null || points === undefined) return "–";
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0";
}

export const sense = (points) => (points > 0 ? "gain" : points < 0 ? "loss" : "none");

// Replace the content of the app, and restore the focus.
export function replace(...children) {
  const focused = document.querySelector(":focus")?.dataset.key;
  app.replaceChildren(...children.flat().filter(Boolean));
  if (focused) app.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

export function group(label, buttons) {
  return el(
    "section", { class: "field-part", role: "group", "aria-label": label }, el("h2", {}, label),
    el("div", { class: "choices" }, buttons),
  );
}

export function clauseLink(one) {
  return one.clause
    ? el(
      "a",
      {
        class: "clause", href: `${addresses.clause}${one.clause}/`, title: one.title,
        "aria-label": gettext("The rule: {title}", { title: one.title }),
      },
      "§",
    )
    : null;
}

export function finding(found) {
  return el("li", {}, found.text, " ", clauseLink(found));
}

// Show how the score is made up: the lines of the sheet, with each player's points.
export function linesPart(lines, players) {
  return el(
    "details",
    { class: "score-lines", open: true },
    el("summary", {}, gettext("How the score is made up")),
    el(
      "ul",
      {},
      lines.map((line) =>
        el(
          "li",
          {},
          el("span", {}, line.text, " ", clauseLink(line)),
          el("span", { class: "line-points" }, Object.entries(line.points).map(
            ([seat, points]) => el("span", { class: sense(points) }, `${players[seat]} ${signed(points)}`),
          )),
        ),
      ),
    ),
  );
}

// --- storage on this device ---

export function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

// --- notices at the edge of the screen ---

let silence = 0;

export function say(what, action = null) {
  clearTimeout(silence);
  live.replaceChildren(el("span", {}, what), action ?? "");
  live.hidden = false;
  silence = setTimeout(() => (live.hidden = true), action ? 12000 : 6000);
}

// --- the engine ---

export function ask(question) {
  return tarockEngine.ask({ ...question, language }).then((answer) => {
    if (answer.error) throw Object.assign(new Error(answer.error.message), { answered: true });
    return answer;
  });
}
