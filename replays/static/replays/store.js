// Entries that this device keeps in IndexedDB, as JSON by name (`device.js`). They are read when the page
// opens. A change is visible at once; its promise tells when it is on the disk.

import { openDB } from "./idb-8.0.4.js";

const STORE = "entries";
// Names of entries that an earlier version kept in `localStorage`.
const EARLIER = /^(\d+@)?(evening:|board:|variations:|evenings-start$)/;
const entries = new Map();
const otherTabs = new BroadcastChannel(STORE);
let isAlone = true; // whether no other tab has been heard of
let last = Promise.resolve(true); // the last write

const connect = async () => openDB("tarock", 1, { upgrade: (made) => void made.createObjectStore(STORE) });

// The database, or null if the browser has none for this page, for example in a private window.
let database = null;
export let isKept = true;

// A promise that the entries have been read. This module doesn't await it, because WebKit runs no module that
// imports a waiting one in two ways (bug 242740).
export const opened = open();

async function open() {
  database = await connect().catch(() => null);
  isKept = database !== null;
  if (!isKept) return;
  const names = await database.getAllKeys(STORE);
  const texts = await database.getAll(STORE);
  names.forEach((name, number) => entries.set(name, texts[number]));
  await moveEarlier();
}

// Move entries of an earlier version here, once.
async function moveEarlier() {
  const earlier = Object.keys(localStorage).filter((name) => EARLIER.test(name));
  const missing = earlier.filter((name) => !entries.has(name));
  for (const name of missing) entries.set(name, localStorage.getItem(name));
  const moved = new Map(missing.map((name) => [name, entries.get(name)]));
  if (await write(moved)) for (const name of earlier) localStorage.removeItem(name);
}

// Return a copy of an entry, or null.
export function get(name) {
  try {
    return JSON.parse(entries.get(name) ?? "null");
  } catch {
    return null; // kept damaged by an earlier version
  }
}

export const namesIn = (prefix) => [...entries.keys()].filter((name) => name.startsWith(prefix));

// Change entries, given by name; null deletes one. Return a promise: whether the change is on the disk. `merge`:
// returns the value to store if another tab has replaced the former value: of the former, the new and its value.
export function put(changes, merge = null) {
  const names = Object.keys(changes);
  const before = new Map(names.map((name) => [name, entries.get(name)]));
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) entries.delete(name);
    else entries.set(name, JSON.stringify(value));
  }
  const after = new Map(names.map((name) => [name, entries.get(name)]));
  const written = opened.then(() => write(after, merge && { before, merge }));
  last = written;
  return written;
}

async function write(changes, how = null) {
  try {
    await writeOnce(changes, how);
  } catch (error) {
    if (!database || error.name === "QuotaExceededError") return false;
    database = await connect().catch(() => database); // phones close the connection of a page that slept
    try {
      await writeOnce(changes, how);
    } catch {
      return false;
    }
  }
  otherTabs.postMessage([...changes.keys()]);
  return true;
}

async function writeOnce(changes, how) {
  const writing = database.transaction(STORE, "readwrite", { durability: "strict" });
  const merged = new Map();
  const requests = [...changes].map(async ([name, text]) => {
    if (how && !isAlone && text !== undefined) {
      const [before, there] = [how.before.get(name), await writing.store.get(name)];
      if (![undefined, before, text].includes(there)) {
        const value = how.merge(JSON.parse(before ?? "{}"), JSON.parse(text), JSON.parse(there));
        merged.set(name, JSON.stringify(value));
      }
    }
    return text === undefined ? writing.store.delete(name) : writing.store.put(merged.get(name) ?? text, name);
  });
  // Without this, it is undone if the page is closed or reloaded before its requests are answered.
  if (!how || isAlone) writing.commit();
  await Promise.all([...requests, writing.done]);
  for (const [name, text] of merged) {
    if (entries.get(name) === changes.get(name)) entries.set(name, text); // unless it was changed here again
  }
  if (merged.size) dispatchEvent(new CustomEvent("stored", { detail: [...merged.keys()] }));
}

// Take over what another tab has changed. The event `stored` names the entries. A new tab names none, and gets an
// answer, so that both know of each other.
otherTabs.onmessage = async ({ data: changed }) => {
  if (isAlone) otherTabs.postMessage([]);
  isAlone = false;
  for (const name of changed) {
    await last;
    const before = entries.get(name);
    const text = await database?.get(STORE, name);
    if (entries.get(name) !== before) continue; // changed here again, and merged when that is written
    if (text === undefined) entries.delete(name);
    else entries.set(name, text);
  }
  if (changed.length) dispatchEvent(new CustomEvent("stored", { detail: changed }));
};
otherTabs.postMessage([]);
