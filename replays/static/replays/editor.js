// The record editor. The server checks the text while the user types, and this script marks faults in the
// text field and keeps a draft. Lines, faults and suggestions come from the server.

import { owned } from "./device.js";

const PAUSE = 500;
const form = document.querySelector("[data-editor]");
const field = form.querySelector("textarea");
const gutter = form.querySelector("[data-gutter]");
const result = form.querySelector("[data-result]");
const live = form.querySelector("[data-live]");
const note = document.querySelector("[data-draft]");
const empty = form.querySelector("[data-empty]");
const long = form.querySelector("[data-long]");
const samples = form.querySelector("[data-samples]");
const longest = Number(form.dataset.longest ?? Infinity); // maximum size of a text to check, in bytes
const key = owned(`draft:${location.pathname}`);
const SENT = owned(`sent:${location.pathname}`);
let leaving = false;
let waiting;
let pending;

document.documentElement.classList.add("js");

// --- the draft: keeps unsent text through reloads and errors ---

const changed = () => field.value !== field.defaultValue || "unsent" in form.dataset;

function keepDraft() {
  if (changed()) storage("setItem", key, field.value);
  else storage("removeItem", key);
}

// Call a method of the session storage. If it is full or blocked, users are still warned before leaving.
function storage(method, ...args) {
  try {
    return sessionStorage[method](...args);
  } catch {
    return null;
  }
}

addEventListener("beforeunload", (event) => {
  if (!leaving && changed()) event.preventDefault();
});

// --- lines and faults ---

// Number the lines. The gutter contains an invisible copy of the text, so that its lines wrap in the same way.
function number() {
  const faulty = new Set(Array.from(result.querySelectorAll("[data-line]"), (link) => Number(link.dataset.line)));
  gutter.replaceChildren(
    ...field.value.split("\n").map((text, i) => {
      const line = document.createElement("span");
      line.textContent = text || "\u200b";
      line.classList.toggle("faulty", faulty.has(i + 1));
      return line;
    }),
  );
  gutter.scrollTop = field.scrollTop;
}

function select(link) {
  const line = gutter.querySelectorAll(":scope > *")[Number(link.dataset.line) - 1];
  field.focus();
  field.setSelectionRange(Number(link.dataset.start), Number(link.dataset.end));
  field.scrollTop = Math.max(0, line.offsetTop - 3 * line.offsetHeight);
  field.scrollIntoView({ block: "nearest" });
}

result.addEventListener("click", (event) => {
  const link = event.target.closest("[data-line]");
  const suggestion = event.target.closest("[data-take]");
  if (link) {
    event.preventDefault();
    select(link);
  } else if (suggestion) take(suggestion);
});

// Insert a suggestion as if the user had typed it, so that it can be undone.
async function take(button) {
  const { start, end, take: text } = button.dataset;
  const next = button.closest(".faults") ? ".faults [data-take]" : "[aria-pressed='true']";
  write(Number(start), Number(end), text);
  clearTimeout(waiting);
  await check();
  result.querySelector(next)?.focus({ preventScroll: true });
}

function write(start, end, text) {
  field.focus({ preventScroll: true });
  field.setSelectionRange(start, end);
  // Only these commands keep the browser's undo history.
  document.execCommand(text ? "insertText" : "delete", false, text);
}

// Return whether to check the text. A text that is empty or too long is not checked.
function isChecked() {
  const blank = empty && !field.value.trim();
  const over = new Blob([field.value]).size > longest;
  if (empty) empty.hidden = !blank;
  if (long) long.hidden = !over;
  if (samples) samples.hidden = !blank;
  if (!blank && !over) return true;
  result.replaceChildren();
  number();
  return false;
}

async function check() {
  pending?.abort();
  if (!isChecked()) return;
  pending = new AbortController();
  const body = new FormData();
  body.set("text", field.value);
  // Use the cookie's token: after a sign-in in another tab, the page's token is outdated.
  body.set("csrfmiddlewaretoken", document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "");
  let text;
  try {
    const answer = await fetch(form.dataset.check, { method: "POST", body, signal: pending.signal });
    if (answer.status >= 500) return;
    text = await answer.text();
  } catch {
    return; // newer input aborted the request, or there was a network error
  }
  const fresh = new DOMParser().parseFromString(text, "text/html").body;
  result.replaceChildren(...fresh.childNodes);
  number();
  live.textContent = Array.from(result.querySelectorAll("[data-told]"), (one) => one.textContent.trim())
    .join(" ")
    .replace(/\s+/g, " ");
}

samples?.addEventListener("click", (event) => {
  const sample = event.target.closest("[data-sample]");
  if (!sample) return;
  write(0, field.value.length, sample.querySelector("template").content.textContent);
  field.setSelectionRange(0, 0);
  field.scrollTop = 0;
  check();
});

field.addEventListener("input", () => {
  keepDraft();
  number();
  clearTimeout(waiting);
  waiting = setTimeout(check, PAUSE);
});
field.addEventListener("scroll", () => {
  gutter.scrollTop = field.scrollTop;
});

form.addEventListener("submit", (event) => {
  keepDraft();
  if (event.submitter?.value === "check") {
    event.preventDefault();
    check();
    return;
  }
  leaving = true;
  if (empty) storage("setItem", SENT, "1");
});
addEventListener("pageshow", () => {
  leaving = false;
});

// --- start ---

gutter.hidden = false;
// A text sent from this page and not rejected is no longer a draft.
if (empty && storage("getItem", SENT) && !document.getElementById("errors")) storage("removeItem", key);
storage("removeItem", SENT);
const before = storage("getItem", key);
if (field.value !== field.defaultValue) {
  // typed before this script was loaded, or restored by the browser
  keepDraft();
  check();
} else if (before !== null && before !== field.value) {
  field.value = before;
  note.hidden = false;
  check();
} else if (empty) {
  check();
}
note.querySelector("[data-discard]").addEventListener("click", () => {
  field.value = field.defaultValue;
  keepDraft();
  note.hidden = true;
  check();
  field.focus();
});
number();
