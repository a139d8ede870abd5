// Entries that this device keeps in IndexedDB, as JSON by name (`device.js`). They are read when the page
// opens. A change is visible at once; its promise tells when it is on the disk.

import { openDB } from "./idb-8.0.4.js";

const STORE = "entries";
// Names of entries that an earlier version kept in `localStorage`.
const EARLIER = /^(\d+@)?(evening:|board:|variations:|evenings-start$)/;
const entries = new Map();
const otherTabs = new BroadcastChannel(STORE);

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
  if (await write(missing)) for (const name of earlier) localStorage.removeItem(name);
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

// Change entries, given by name; null deletes one. Return a promise: whether the change is on the disk.
export function put(changes) {
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) entries.delete(name);
    else entries.set(name, JSON.stringify(value));
  }
  return opened.then(() => write(Object.keys(changes)));
}

async function write(changed) {
  try {
    await writeOnce(changed);
  } catch (error) {
    if (!database || error.name === "QuotaExceededError") return false;
    database = await connect().catch(() => database); // phones close the connection of a page that slept
    try {
      await writeOnce(changed);
    } catch {
      return false;
    }
  }
  otherTabs.postMessage(changed);
  return true;
}

async function writeOnce(changed) {
  const writing = database.transaction(STORE, "readwrite", { durability: "strict" });
  const requests = changed.map(
    (name) => (entries.has(name) ? writing.store.put(entries.get(name), name) : writing.store.delete(name)),
  );
  writing.commit(); // otherwise it is undone if the page is closed or reloaded before its requests are answered
  await Promise.all([...requests, writing.done]);
}

// Take over what another tab has changed. The event `stored` names the entries.
otherTabs.onmessage = async ({ data: changed }) => {
  for (const name of changed) {
    const text = await database?.get(STORE, name);
    if (text === undefined) entries.delete(name);
    else entries.set(name, text);
  }
  dispatchEvent(new CustomEvent("stored", { detail: changed }));
};
