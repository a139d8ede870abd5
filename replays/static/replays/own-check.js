// Check records in the browser. The engine's worker checks them in parts and finds the faults. This script
// shows the results with the page's templates. Nothing is sent.

import { tarockEngine } from "./engine.js";

const texts = JSON.parse(document.getElementById("texts").textContent);
const language = document.documentElement.lang;
const page = document.querySelector("[data-own]");
const find = (name) => page.querySelector(`[data-${name}]`);
const PART = 32 * 1024; // bytes of a question: some 40 deals, half a second
const MEGABYTE = 1 << 20;
const SHOWN = 100; // number of records shown at first, and added each time
const GOOD = ["verified", "computed", "stated"];

// --- templates ---

// Fill in a copy of a template. An element with `data-put` gets the texts or elements of that name. If there
// are none, the element is removed, and so is an element with `data-if`.
function made(name, values = {}) {
  const part = document.getElementById(`t-${name}`).content.firstElementChild.cloneNode(true);
  const given = (key) => [values[key] ?? ""].flat().filter((one) => one !== "" && one !== false);
  const places = [...part.querySelectorAll("[data-put], [data-if]"), ...(part.dataset.put ? [part] : [])];
  for (const place of places) {
    const inside = given(place.dataset.put ?? place.dataset.if);
    if (!inside.length) place.remove();
    else if (place.dataset.put) place.replaceChildren(...inside);
  }
  return part;
}

const worded = (pattern, values) => pattern.replace(/%\((\w+)\)[sd]/g, (_, name) => values[name]);
const signed = (points) => (points > 0 ? `+${points}` : points < 0 ? `−${-points}` : `${points ?? "–"}`);
const sense = (points) => (points > 0 ? "gain" : points < 0 ? "loss" : "none");
const numeral = (number) => number.toLocaleString(language);

function badge(verdict) {
  const part = made("badge", texts.verdicts[verdict]);
  part.classList.add(`badge-${verdict}`);
  return part;
}

function clause(found, words = found.clause) {
  if (!found.clause) return "";
  const link = made("clause", { slug: words });
  link.href = `${texts.clauses}${found.clause}/`;
  link.title = found.title;
  return link;
}

// --- one record ---

function finding(found, verdict) {
  const { line, column } = found;
  const isIllegal = verdict === "illegal" && found.event;
  return made("finding", {
    ...found,
    place: line && column ? worded(texts.place, { line, column }) : "",
    text: isIllegal ? worded(texts.event, { place: found.event, finding: found.text }) : found.text,
    clause: clause(found),
    excerpt: found.excerpt.map((one) => made("excerpt", { ...one, number: `${one.number}` })),
    encodings: found.encodings.map(encodingButton),
    legal: isIllegal ? found.legal.map((text) => made("choice", { text })) : [],
  });
}

function encodingButton({ name, label, line }) {
  const button = made("encoding", { label, line });
  button.addEventListener("click", () => check(name));
  return button;
}

function claims(record) {
  if (record.verdict !== "disputed") return [];
  return record.players.map(({ seat, name, points, claim }) => {
    const difference = claim === null || points === null ? 0 : claim - points;
    const values = { seat, name, claim: signed(claim), points: signed(points) };
    const row = made("claim", { ...values, difference: difference ? signed(difference) : "", right: !difference });
    row.classList.toggle("differs", difference !== 0);
    return row;
  });
}

// Add each seat's points to a row of the score table.
function scoreRow(row, record, points) {
  for (const { seat } of record.players) {
    const cell = made("points", { points: seat in points ? signed(points[seat]) : "·" });
    cell.classList.add(sense(points[seat]));
    cell.dataset.seat = seat;
    row.append(cell);
  }
  return row;
}

function lines(record) {
  return record.lines.flatMap((line) => [
    ...(Object.keys(line.accounts).length ? [scoreRow(made("account"), record, line.accounts)] : []),
    scoreRow(made("line", { title: clause(line, line.title), text: line.text }), record, line.points),
  ]);
}

function body(record) {
  const scored = record.players.some(({ points }) => points !== null);
  const total = Object.fromEntries(record.players.map(({ seat, points }) => [seat, points]));
  const remarks = (rows) => rows.map((row) => made("remark", { text: row.text, clause: clause(row) }));
  const part = made("body", {
    meaning: texts.verdicts[record.verdict].meanings[Number(record.is_sheet)],
    findings: record.findings.map((found) => finding(found, record.verdict)),
    claims: claims(record),
    slips: remarks(record.slips),
    unexplained: record.verdict === "disputed" && !record.slips.length,
    heading: record.heading,
    lines: lines(record),
    nothing: !record.lines.length,
    total: scored ? scoreRow(made("total"), record, total) : "",
    notes: remarks(record.notes),
  });
  // Give each table a unique label, with the record's file and number.
  for (const region of part.querySelectorAll(".table-scroll")) {
    region.ariaLabel = `${region.ariaLabel} ${record.file} ${record.number}`;
  }
  part.querySelector(".by-seat thead tr")?.append(
    ...record.players.map(({ seat, name }) => made("seat", { seat, name })),
  );
  return part;
}

function entry(record) {
  const item = made("record", {
    number: numeral(record.number),
    badge: badge(record.verdict),
    game: record.game,
    players: record.players.map(({ name, points }) =>
      made("player", { name, points: points === null ? "" : signed(points) }),
    ),
    file: record.file,
    warnings: record.warnings.map(({ text }) => made("warning", { text })),
  });
  const details = item.querySelector("details");
  // The list can have thousands of records, so fill in each record when it is opened.
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) details.append(body(record));
  });
  return item;
}

// --- the list ---

let records = [];
let wanted = SHOWN;
let looked = 0; // number of records that are in the list or were skipped

const isWrong = ({ verdict, warnings }) => !GOOD.includes(verdict) || warnings.length > 0;
const isWanted = (record) => !find("wrong").checked || isWrong(record);

function show() {
  const list = find("records");
  while (looked < records.length && list.children.length < wanted) {
    const record = records[looked++];
    if (isWanted(record)) list.append(entry(record));
  }
  find("more").hidden = !records.slice(looked).some(isWanted);
  const counts = new Map(Object.keys(texts.verdicts).map((verdict) => [verdict, 0]));
  for (const { verdict } of records) counts.set(verdict, counts.get(verdict) + 1);
  find("counts").replaceChildren(
    ...[...counts]
      .filter(([, number]) => number)
      .map(([verdict, number]) => made("count", { badge: badge(verdict), number: numeral(number) })),
  );
  const wrong = records.filter(isWrong).length;
  find("filter").hidden = !find("wrong").checked && (!wrong || wrong === records.length);
}

function showAnew() {
  find("records").replaceChildren();
  looked = 0;
  wanted = SHOWN;
  show();
}

find("wrong").addEventListener("change", showAnew);
find("more").addEventListener("click", () => {
  wanted += SHOWN;
  show();
});

// --- checking ---

// Return the bytes of a part in Base64, because JSON text cannot contain all bytes of a file.
function base64(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result).split(",")[1] ?? ""));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(blob);
  });
}

// Return whether a file is text in UTF-8. Any other file is packed or in another encoding, and can only be
// read as a whole.
async function isPlain(blob) {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for (let at = 0; at < blob.size; at += MEGABYTE) {
      const bytes = await blob.slice(at, at + MEGABYTE).arrayBuffer();
      if (decoder.decode(bytes, { stream: true }).includes("\0")) return false;
    }
    decoder.decode();
  } catch {
    return false;
  }
  return true;
}

// Yield the answers for an input in order, with the number of bytes read so far.
async function* answers(blob, encoding) {
  let at = 0;
  let size = (await isPlain(blob)) ? PART : blob.size;
  let begin = null;
  for (;;) {
    const is_last = at + size >= blob.size;
    const data = await base64(blob.slice(at, at + size));
    const question = { ask: "check", language, encoding, begin, is_last, base64: data };
    let skip = 0;
    let answer;
    do {
      answer = await tarockEngine.ask({ ...question, skip }, { local: true });
      if (answer.error) throw new Error(answer.error.message);
      skip += answer.records.length;
      yield { records: answer.records, read: at + (answer.left ? 0 : answer.used) };
    } while (answer.left);
    if (is_last) return;
    size = answer.used ? PART : 2 * size; // the record is longer than the part
    at += answer.used;
    begin = answer.next;
  }
}

let running = null; // the current run; a new run, or null, stops it

// `encoding`: for texts that make sense in more than one.
async function check(encoding = "") {
  const run = {};
  running = run;
  records = [];
  const text = find("upload").querySelector("textarea").value;
  const files = Array.from(find("upload").querySelector("input").files, (data) => ({ name: data.name, data }));
  const inputs = text.trim() || !files.length ? [{ name: "", data: new Blob([text]) }, ...files] : files;
  const size = inputs.reduce((sum, { data }) => sum + data.size, 0);
  find("wrong").checked = false;
  find("failed").hidden = true;
  find("result").hidden = find("stop").hidden = false;
  find("live").textContent = "";
  find("done").hidden = false;
  find("done").value = 0;
  find("number").textContent = "";
  showAnew();
  let before = 0;
  try {
    for (const { name, data } of inputs) {
      for await (const { records: found, read } of answers(data, encoding)) {
        if (running !== run) return;
        for (const record of found) records.push({ ...record, file: inputs.length > 1 ? name : "" });
        find("done").value = size ? (before + read) / size : 1;
        find("number").textContent = worded(texts.number, { number: numeral(records.length) });
        show();
      }
      before += data.size;
    }
  } catch {
    if (running === run) find("failed").hidden = false;
  }
  if (running === run) end(texts.number);
}

function end(pattern) {
  running = null;
  find("stop").hidden = find("done").hidden = true;
  find("number").textContent = worded(pattern, { number: numeral(records.length) });
  find("live").textContent = find("number").textContent;
  // If there is only one record, open it.
  if (records.length === 1) find("records").querySelector("details").open = true;
}

find("check").addEventListener("click", () => {
  check();
  document.getElementById("result-title").scrollIntoView();
});
find("stop").addEventListener("click", () => end(texts.stopped));

// --- the engine ---

let isAsked = false; // whether the engine was asked for

function showState() {
  find("idle").hidden = isAsked || tarockEngine.state !== "";
  find("loading").hidden = tarockEngine.state !== "loading";
  find("loaded").value = tarockEngine.progress;
  find("ready").hidden = tarockEngine.state !== "ready";
}

function load() {
  isAsked = true;
  find("failed").hidden = true;
  tarockEngine.prepare().catch(() => {
    find("failed").hidden = false;
  });
}

if (typeof WebAssembly === "undefined" || typeof Worker === "undefined") {
  document.querySelector("[data-lacking]").hidden = false;
  page.hidden = true;
} else {
  tarockEngine.onchange = showState;
  for (const name of ["load", "again"]) find(name).addEventListener("click", load);
  const loadOnce = () => isAsked || load();
  for (const event of ["focusin", "pointerdown", "change"]) find("upload").addEventListener(event, loadOnce);
  document.addEventListener("dragenter", loadOnce);
  showState();
}
