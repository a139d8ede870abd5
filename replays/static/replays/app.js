// Code shared by the apps: elements, texts, storage, and questions to the engine.

import { tarockEngine } from "./engine.js";

document.documentElement.classList.add("js");
const data = (id) => JSON.parse(document.getElementById(id).textContent);
const catalog = data("catalog");
export const labels = data("labels"); // the server's texts by key: verdicts, visibilities
export const addresses = data("addresses");
export const app = document.getElementById("app");
export const live = document.getElementById("live");
const language = document.documentElement.lang;

// Return a message in the reader's language, with values for the names in braces.
export function gettext(message, values = {}) {
  return filled(catalog[message] ?? message, values);
}

// Return a message that needs a context for its translation.
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

// Return today's date, as in 2026-11-27.
export function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

// Return a copy of the list: with an item removed if the list contains it, otherwise with the item added.
export const toggled = (list, item) => (list.includes(item) ? list.filter((one) => one !== item) : [...list, item]);

// Return a button for one of several choices. `on`: whether this choice is selected.
export function choice(label, on, onclick, key, attributes = {}) {
  return button(label, onclick, {
    class: "button choice", "aria-pressed": String(on), "data-key": key, ...attributes,
  });
}

export function labelled(label, control) {
  return el("label", { class: "text-field" }, label, control);
}

// Return a labelled text field. `enter` gets the text that was entered, without surrounding spaces.
export function textField(label, value, enter, attributes) {
  const onchange = ({ target }) => enter(target.value.trim());
  return labelled(label, el("input", { value, maxlength: "60", ...attributes, onchange }));
}

// Return the heading of a view, with a way back and more elements after the title. `back`: a URL or a function.
export function head(title, back, ...more) {
  const attributes = { class: "back", "aria-label": gettext("Back") };
  return el(
    "header", { class: "evening-head" },
    typeof back === "string" ? el("a", { href: back, ...attributes }, "‹") : button("‹", back, attributes),
    el("h1", {}, title), ...more,
  );
}

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

// Return an element with name and points for each player. `nameOf` maps the score's keys to names.
export function pointsOf(score, nameOf, amounts = {}) {
  return Object.entries(score).map(([player, points]) => el(
    "span", { class: sense(points) }, `${nameOf(player)} ${amounts[player] ?? signed(points)}`,
  ));
}

// Return the score so far for the bar at the bottom.
export function scoreNow(score, nameOf, amounts = {}) {
  return el("dl", { class: "score-now" }, Object.entries(score).map(([seat, points]) =>
    el("div", {}, el("dt", {}, nameOf(seat)), el("dd", { class: sense(points) }, amounts[seat] ?? signed(points))),
  ));
}

// Show how the score is made up: the lines of the sheet, with each player's points.
export function linesPart(lines, players, attributes = {}) {
  return el(
    "details",
    { class: "score-lines", open: true, ...attributes },
    el("summary", {}, gettext("How the score is made up")),
    el(
      "ul",
      {},
      lines.map((line) =>
        el(
          "li",
          {},
          el("span", {}, line.text, " ", clauseLink(line)),
          el("span", { class: "line-points" }, pointsOf(line.points, (seat) => players[seat], line.amounts)),
        ),
      ),
    ),
  );
}

// Return the letter of a seat. A screen reader reads the player's name instead.
export const who = (letter, name) => el(
  "span", { class: "who" },
  el("span", { "aria-hidden": "true" }, letter), el("bdi", { class: "visually-hidden" }, name),
);

// Return a new random UUID. (`crypto.randomUUID` needs HTTPS.)
export function newKey() {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  const digits = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");
}

// --- notices at the edge of the screen ---

let silence = 0;

// Show a notice for some seconds, optionally with a button.
export function say(what, label = "", act = null) {
  clearTimeout(silence);
  live.replaceChildren(el("span", {}, what), label ? button(label, act, { class: "button small" }) : "");
  live.hidden = false;
  silence = setTimeout(() => (live.hidden = true), label ? 12000 : 6000);
}

// --- the engine ---

// Show whether the app works offline, or a button that prepares it for offline use.
export function offlinePart() {
  const { state, progress } = tarockEngine;
  if (state === "ready") {
    return el("span", { class: "muted" }, isSecureContext
      ? pgettext("of the app for an evening", "Works offline")
      : gettext("Works offline while this page is open. Without HTTPS, the browser can’t keep the page itself."));
  }
  if (state === "loading") {
    const percent = Math.round(100 * (progress ?? 0));
    return el("span", { class: "muted", role: "status" }, gettext("Loading: {percent} %", { percent }));
  }
  const prepare = () => tarockEngine.prepare().catch((error) => say(error.message));
  return button(gettext("Prepare for offline use (7 MB)"), prepare, { class: "button small", "data-key": "prepare" });
}

export async function ask(question, options = {}) {
  const answer = await tarockEngine.ask({ ...question, language }, options).catch(() => {
    throw new Error(gettext("The archive can’t be reached, and the rules are not on this device yet."));
  });
  if (answer.error) throw Object.assign(new Error(answer.error.message), { answered: true });
  return answer;
}
