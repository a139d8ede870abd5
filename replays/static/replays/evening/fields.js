// The fields of a deal's form: choices, numbers and the keypad.

import { page } from "./phone.js";
import { button, choice, clauseLink, el, finding, gettext } from "../app.js";

export const isFlag = (one) => one.rows.length === 1 && !one.rows[0].key.length && one.rows[0].choices[0]?.word === "";

export const flagButton = (one) => choiceButton(one, one.rows[0], one.rows[0].choices[0]);

// Return whether a field is open. A field of long rows only shows a button for each.
export const isOpen = (one) =>
  one.needed || one.stated.length || page.form.open.has(one.name) || one.rows.every((row) => isLong(row));

// Return a button that opens a field, or a row of a field in place of the row that is open.
export function opener(label, name, row = "") {
  const open = () => {
    if (row) page.form.row = row;
    else page.form.open.add(name);
    page.show();
  };
  return button(label, open, { class: "button extra", "data-key": row || `open-${name}` });
}

// Return the findings of a field that report mistakes, not missing parts.
export const mistakes = (one) => one.findings.filter((found) => !found.lacking);

export function fieldPart(one) {
  if (isFlag(one)) return el("div", { class: "field-rows" }, flagButton(one));
  const wrong = mistakes(one);
  const lacks = one.findings.length > wrong.length;
  const signs = (one.rows[0].choices[0]?.then ?? []).map(({ sign, label }) => `${sign} ${label}`);
  return el(
    "section",
    { class: lacks ? "field-part lacks" : "field-part", "aria-labelledby": `field-${one.name}` },
    el(
      "h2", { id: `field-${one.name}` }, el("span", {}, one.label), clauseLink(one),
      el("small", {}, signs.join(" · ")),
    ),
    el("div", { class: "field-rows" }, signs.length ? gridOf(one) : rowsOf(one)),
    wrong.length ? el("ul", { class: "findings" }, wrong.map(finding)) : null,
  );
}

const MANY = 6;

const isLong = (row) => row.label && row.choices.length > MANY;

const FEW = 2;

const sameKey = (one, other) => String(one.key) === String(other.key);

// Of a long row that is not open, show a button that opens it, and the chosen words. More than two numbers are
// shown in columns.
function rowsOf(one) {
  const name = (row) => keyOf(one, row, "row");
  const isClosed = (row) => isLong(row) && page.form.row !== name(row);
  const isNumber = ({ key }, { word }) => one.rows.some(
    (row) => sameKey(row, { key }) && row.number && word === `${row.number.prefix}${row.number.value}`,
  );
  const closed = (row) => el(
    "span", { class: "choices" },
    opener(`${row.label} …`, one.name, name(row)),
    row.choices.filter((word) => word.on && !isNumber(row, word)).map((word) => choiceButton(one, row, word)),
  );
  if (one.rows.length > FEW && one.rows.every(({ number }) => number)) return numbersPart(one);
  return [
    one.rows.filter((row) => !isClosed(row)).map((row) => rowPart(one, row)),
    el("div", { class: "choices" }, one.rows.filter(isClosed).map(closed)),
  ];
}

// Return the label of the first row with the same key.
const ownerOf = (one, row) => one.rows.find((other) => sameKey(other, row)).label;

// Return rows of choices with signs as a table: one column for each choice, one button for each sign.
function gridOf(one) {
  const rows = one.rows.filter(({ choices }) => choices[0].then.length);
  const sign = (row, word, then) => choice(
    then.sign, then.on, () => tap(one, row, word.word, then.word), keyOf(one, row, `${word.word} ${then.word}`),
    { "aria-label": [row.label, word.label, then.label].join(", ") },
  );
  return [
    el(
      "div", { class: "sign-grid" },
      el("div", { "aria-hidden": "true" }, el("b"), rows[0].choices.map(({ label }) => el("b", {}, label))),
      rows.map((row) => el(
        "div", { role: "group", "aria-label": row.label }, el("span", {}, parted(row.label)),
        row.choices.map((word) => el("span", { class: "signs" }, word.then.map((then) => sign(row, word, then)))),
      )),
    ),
    el("div", { class: "choices" }, one.rows.filter((row) => !rows.includes(row)).map((row) => row.choices.map(
      (word) => choiceButton(one, row, { ...word, label: `${parted(ownerOf(one, row))[0]} (${word.label})` }),
    ))),
  ];
}

function rowPart(one, row) {
  return el(
    "div",
    { class: row.number ? "entry-row with-number" : "entry-row", role: "group", "aria-label": row.label || one.label },
    row.label ? el(
      "span", { class: "row-label" }, row.number?.prefix ? el("b", {}, ownerOf(one, row), " ") : null, row.label,
    ) : null,
    row.choices.length
      ? el("div", { class: "choices" }, row.choices.map((word) => choiceButton(one, row, word)))
      : null,
    row.number ? numberPart(one, row) : null,
  );
}

const tapOf = ({ name }, { key, place }, word, then = undefined) => ({ field: name, key, place, word, then });

// Tap a word. A long row closes when the user taps elsewhere.
function tap(one, row, word, then = undefined) {
  if (page.form.row !== keyOf(one, row, "row")) page.form.row = "";
  page.tap(() => tapOf(one, row, word, then));
}

const keyOf = (one, row, word) => [one.name, ...row.key, row.place, word].join(" ");

// Return a label as nodes. Words in brackets at its end are in smaller letters.
function parted(label) {
  const [, name, more] = label.match(/^(.*?)\s*([（(].*)?$/);
  return [name, more ? el("small", {}, more) : null];
}

function choiceButton(one, row, { label, word, on }) {
  return choice(parted(label), on, () => tap(one, row, word), keyOf(one, row, word));
}

const numberKey = (one, row) => keyOf(one, row, row.number.prefix || "number");

// Return the numbers that can be entered in fields, each with its field, row and key.
function numbersOf(fields) {
  return fields.flatMap((one) => one.rows.filter(({ number }) => number).map(
    (row) => ({ one, row, key: numberKey(one, row), most: row.number.high ?? 99 }),
  ));
}

// Return the number whose keypad is open: the one that the user opened, or else the first missing one if
// nothing but numbers is missing.
function openNumber() {
  const { answer: { fields }, pad } = page.form;
  if (pad) return numbersOf(fields).find(({ key }) => key === pad.key);
  const lacking = fields.filter((one) => one.findings.length > mistakes(one).length);
  return lacking.length === 1
    ? numbersOf(lacking).find(({ row: { number } }) => number.value === null && number.rest === null)
    : undefined;
}

// Enter a number. The function `change` gets the number that is open or has the key when its turn comes, because
// the answers to earlier taps may change both; null removes the number.
function enterNumber(change, key = "") {
  page.tap(() => {
    const found = key ? numbersOf(page.form.answer.fields).find((one) => one.key === key) : openNumber();
    if (!found) return null;
    const { one, row } = found;
    const number = change(found);
    return tapOf(one, row, number === null ? null : row.number.prefix ? `${row.number.prefix}${number}` : number);
  });
}

function numberPart(one, row) {
  const key = numberKey(one, row);
  const by = (change) => enterNumber(({ row: { number: { value, rest, low } }, most }) => {
    page.form.typed = null;
    const from = value ?? rest;
    return from === null ? Math.floor((low + most) / 2) : Math.min(most, Math.max(low, from + change));
  }, key);
  return [
    el(
      "div",
      { class: "stepper" },
      button("−", () => by(-1), { class: "button", "aria-label": gettext("One less"), "data-key": `${key} less` }),
      valueButton(one, row),
      button("+", () => by(1), { class: "button", "aria-label": gettext("One more"), "data-key": `${key} more` }),
    ),
    openNumber()?.key === key ? keypad(key) : null,
  ];
}

function numbersPart(one) {
  const open = numbersOf([one]).find(({ key }) => key === openNumber()?.key);
  return [
    el("div", { class: "number-columns" }, one.rows.map(
      (row) => el("div", {}, el("span", { class: "row-label" }, row.label), valueButton(one, row)),
    )),
    open ? keypad(open.key) : null,
  ];
}

// Return the button that shows a number and opens its keypad.
function valueButton(one, row) {
  const { value, rest } = row.number;
  const key = numberKey(one, row);
  const open = openNumber()?.key === key;
  const given = value ?? rest;
  return button(given === null ? "–" : String(given), () => showPad(open ? "" : key), {
    class: value === null ? "button value rest" : "button value",
    onkeydown: (event) => pressed(event, key),
    "aria-expanded": String(open),
    "aria-label": gettext("{name}: {number}. Enter it on the keypad", {
      name: row.label || one.label, number: given ?? "–",
    }),
    "data-key": `${key} value`,
  });
}

// Open the keypad of a number, or of none. The next digit replaces the number.
function showPad(key) {
  Object.assign(page.form, { pad: { key }, typed: null });
  page.show();
}

// Return the digits of a number that were typed last.
const typedOf = (key) => (page.form.typed?.key === key ? page.form.typed.digits : "");

// Type a digit of the open number, or of the one with the key. A number that can't have more digits is done, so
// that the next one can be typed.
const typeDigit = (digit, ofKey = "") => enterNumber(({ key, most }) => {
  const typed = Number(typedOf(key) + digit);
  const number = typed > most ? Number(digit) : typed;
  Object.assign(page.form, { pad: number * 10 > most ? null : { key }, typed: { key, digits: String(number) } });
  return number;
}, ofKey);

const eraseDigit = (ofKey = "") => enterNumber(({ key }) => {
  const digits = typedOf(key).slice(0, -1);
  Object.assign(page.form, { pad: { key }, typed: { key, digits } });
  return digits ? Number(digits) : null;
}, ofKey);

// Handle a key on a physical keyboard for a number.
function pressed(event, key) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (/^\d$/.test(event.key)) typeDigit(event.key, key);
  else if (event.key === "Backspace") eraseDigit(key);
  else return;
  event.preventDefault();
}

function keypad(key) {
  const done = () => {
    page.form.pad = typedOf(key) ? null : { key: "" };
    page.show();
  };
  const digit = (number) => button(number, () => typeDigit(number), { "data-key": `${key} ${number}` });
  return el(
    "div",
    { class: "keypad", role: "group", "aria-label": gettext("Keypad"), onkeydown: (event) => pressed(event, key) },
    ["1", "2", "3", "4", "5", "6", "7", "8", "9"].map(digit),
    button("⌫", () => eraseDigit(), { "aria-label": gettext("Delete the last digit"), "data-key": `${key} back` }),
    digit("0"),
    button(gettext("Done"), done, { class: "button primary", "data-key": `${key} done` }),
  );
}
