// Editing a record: checked by the server as one types, each fault shown in the field, nothing lost. What is
// a line or a fault the server says; here they are only shown.
const PAUSE = 500;
const form = document.querySelector("[data-editor]");
const field = form.querySelector("textarea");
const gutter = form.querySelector("[data-gutter]");
const result = form.querySelector("[data-result]");
const live = form.querySelector("[data-live]");
const note = document.querySelector("[data-draft]");
const key = `draft:${location.pathname}`;
let leaving = false;
let asked;
let pending;

document.documentElement.classList.add("js");

// --- the draft: what was written here and not sent is here again after whatever happened ---

const changed = () => field.value !== field.defaultValue || "unsent" in form.dataset;

function keepDraft() {
  try {
    if (!changed()) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, field.value);
  } catch {
    // no room, or none allowed: the warning before leaving is left
  }
}

function draft() {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

addEventListener("beforeunload", (event) => {
  if (!leaving && changed()) event.preventDefault();
});

// --- lines and faults ---

function number() {
  const faulty = new Set(Array.from(result.querySelectorAll("[data-line]"), (link) => Number(link.dataset.line)));
  const lines = field.value.split("\n").length;
  gutter.replaceChildren(
    ...Array.from({ length: lines }, (_, i) => {
      const line = document.createElement("span");
      line.textContent = `${i + 1}\n`;
      line.classList.toggle("faulty", faulty.has(i + 1));
      return line;
    }),
  );
  gutter.scrollTop = field.scrollTop;
}

function select(link) {
  const height = parseFloat(getComputedStyle(field).lineHeight);
  field.focus();
  field.setSelectionRange(Number(link.dataset.start), Number(link.dataset.end));
  field.scrollTop = Math.max(0, (Number(link.dataset.line) - 4) * height);
  field.scrollIntoView({ block: "nearest" });
}

result.addEventListener("click", (event) => {
  const link = event.target.closest("[data-line]");
  if (!link) return;
  event.preventDefault();
  select(link);
});

async function check() {
  pending?.abort();
  pending = new AbortController();
  const body = new FormData();
  body.set("text", field.value);
  body.set("csrfmiddlewaretoken", form.querySelector('[name="csrfmiddlewaretoken"]').value);
  let text;
  try {
    const answer = await fetch(form.dataset.check, { method: "POST", body, signal: pending.signal });
    if (answer.status >= 500) return;
    text = await answer.text();
  } catch {
    return; // something newer was typed, or the network is away for a moment
  }
  const fresh = new DOMParser().parseFromString(text, "text/html").body;
  result.replaceChildren(...fresh.childNodes);
  number();
  live.textContent = Array.from(result.querySelectorAll("[data-told]"), (one) => one.textContent.trim())
    .join(" ")
    .replace(/\s+/g, " ");
}

function later() {
  clearTimeout(asked);
  asked = setTimeout(check, PAUSE);
}

field.addEventListener("input", () => {
  keepDraft();
  number();
  later();
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
});
addEventListener("pageshow", () => {
  leaving = false;
});

// --- at the beginning ---

gutter.hidden = false;
const before = draft();
if (field.value !== field.defaultValue) {
  // typed before this script was there, or brought back by the browser
  keepDraft();
  check();
} else if (before !== null && before !== field.value) {
  field.value = before;
  note.hidden = false;
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
