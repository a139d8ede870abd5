// Send the entries on this phone, and fetch those from other phones.

import { tarockEngine } from "../engine.js";
import { addresses, live, say } from "../app.js";
import { get, namesIn, put } from "../store.js";
import { PREFIX, evenings, hasToSend, load, store, page } from "./phone.js";
import { MADE_HERE, OWNER, fromGuest, isTheirs, owned, presentUser } from "../device.js";

const POLL = 5000;
export let signedOut = false;
export let away = false; // whether the archive did not answer the last request
export let sending = null;

// Return the response from a URL, or null if the phone is offline or the archive is unavailable.
export async function request(address, method = "GET", body = null, headers = {}) {
  let answer;
  try {
    answer = await fetch(address, {
      method,
      body: body && JSON.stringify(body),
      cache: "no-store",
      headers: {
        "X-Requested-With": "fetch",
        ...(method === "GET" ? {} : { "X-CSRFToken": await tarockEngine.token() }),
        ...(body ? { "Content-Type": "application/json" } : {}),
        ...headers,
      },
    });
  } catch {
    away = true;
    return null;
  }
  away = answer.status === 429 || answer.status >= 500;
  if (away) return null;
  const json = answer.status === 304 ? null : await answer.json().catch(() => ({}));
  signedOut = json?.code === "not_authenticated";
  return { status: answer.status, json, etag: answer.headers.get("ETag") };
}

export const at = (evening, path) => `${addresses.evenings}${evening.setup.key}/${path}`;

// Send all waiting entries in order. A call while they are being sent waits for the same run.
export function send() {
  if (!navigator.onLine) return Promise.resolve();
  sending ??= sendAll().finally(() => {
    sending = null;
    page.show();
  });
  return sending;
}

page.send = send;

async function sendAll() {
  for (const key of [...evenings.keys()]) {
    if (evenings.get(key).dirty && !(await sendSetup(evenings.get(key)))) return;
    if (!evenings.get(key).setup.version) continue;
    for (const { deal, state, version } of Object.values(evenings.get(key).deals)) {
      // For a deal that is being checked, sending the same request again returns the result.
      if ((state === "waiting" || state === "checking") && !(await sendDeal(evenings.get(key), deal.n))) return;
      if (state === "removed" && !version && !(await sendDeal(evenings.get(key), deal.n))) return;
      if (state === "removed" && version && !(await withdraw(evenings.get(key), deal.n))) return;
    }
  }
}

async function sendSetup(evening) {
  const { setup } = evening;
  const answer = await request(at(evening, "setup"), "PUT", setup);
  if (!answer) return false;
  const now = evenings.get(setup.key);
  const changed = JSON.stringify(now.setup) !== JSON.stringify(setup);
  if (answer.status === 409) store({ ...now, dirty: false, otherSetup: answer.json.setup });
  else if (answer.status < 300) {
    const { version, name, space, visibility } = answer.json.setup;
    const sent = { version, name, space, visibility: now.setup.visibility || visibility };
    store({ ...now, dirty: changed, setup: { ...now.setup, ...sent } });
    if (!now.address) await fetchState(setup.key);
  } else if (!signedOut) store({ ...now, dirty: false, etag: "", why: answer.json.detail ?? `${answer.status}` });
  return answer.status < 300 || answer.status === 409;
}

async function sendDeal(evening, n) {
  const { deal, version, key, score } = evening.deals[n];
  // A deal that is settled by other rules has no score of this phone that the archive could compare.
  const engine = score === undefined ? "" : (tarockEngine.version ?? "");
  const body = { deal, base: version, score, engine };
  const answer = await request(at(evening, `deals/${n}`), "PUT", body, { "Idempotency-Key": key });
  if (!answer || signedOut) return false;
  const now = evenings.get(evening.setup.key);
  if (!now.deals[n]) return true; // another tab knows of its end
  // If the deal was changed again or deleted, keep it waiting, based on the version now in the archive.
  const isGone = now.deals[n].state === "removed";
  const again = now.deals[n].key !== key || isGone;
  if (isGone && ![200, 201, 202].includes(answer.status)) forget(now, n);
  else if (answer.status === 202) putDeal(now, n, again ? {} : { state: "checking" });
  else if (answer.status === 409) {
    live.hidden = true; // a notice would cover the choices
    putDeal(now, n, { state: "conflict", theirs: answer.json.deal });
  } else if (answer.status < 300) {
    putDeal(now, n, again ? { version: answer.json.deal.version } : received(answer.json.deal));
  } else putDeal(now, n, { state: "refused", why: answer.json.detail ?? `${answer.status}` });
  return true;
}

async function withdraw(evening, n) {
  const answer = await request(at(evening, `deals/${n}`), "DELETE", { base: evening.deals[n].version });
  if (!answer || signedOut) return false;
  const now = evenings.get(evening.setup.key);
  if (!now.deals[n]) return true; // another tab knows of its end
  if (answer.status === 409) putDeal(now, n, { state: "conflict", theirs: answer.json.deal });
  else if (answer.status >= 400) {
    putDeal(now, n, { state: "sent" });
    say(answer.json.detail ?? `${answer.status}`);
  } else if (now.deals[n].state === "removed") {
    forget(now, n);
    if (page.form?.key === now.setup.key && page.form.n === n) page.form.base = "";
  } else if (now.deals[n].version === evening.deals[n].version) putDeal(now, n, { version: "" });
  return true;
}

function forget(evening, n) {
  const { [n]: _gone, ...deals } = evening.deals;
  return store({ ...evening, deals });
}

export function putDeal(evening, n, changes) {
  return store({ ...evening, deals: { ...evening.deals, [n]: { ...evening.deals[n], ...changes } } });
}

// Return the local entry for a deal from the archive.
export function received({ n, players, dealer, options, lines, comment, score: _score, ...rest }) {
  return { deal: { n, players, dealer, options, lines, comment }, ...rest, state: "sent", theirs: null, why: "" };
}

// Fetch an evening from the archive. Keep entries that wait on this phone, and entries sent or withdrawn
// during the request, because the response may be older.
export async function fetchState(key) {
  const evening = evenings.get(key);
  if (evening && evening.dirty) return;
  const before = evening?.deals ?? {};
  const headers = evening?.etag ? { "If-None-Match": evening.etag } : {};
  const answer = await request(`${addresses.evenings}${key}/state.json`, "GET", null, headers);
  if (!answer || answer.status !== 200) return;
  const { setup, deals, ...links } = answer.json;
  const now = evenings.get(key) ?? { deals: {}, setup };
  const rows = {};
  for (const deal of deals) {
    if (now.deals[deal.n] || !before[deal.n]) rows[deal.n] = received(deal);
  }
  for (const [n, own] of Object.entries(now.deals)) {
    if (own.state !== "sent" || own.version !== before[n]?.version) rows[n] = own;
  }
  const next = { ...now, ...links, setup: now.dirty ? now.setup : setup, deals: rows, listed: false };
  store({ ...next, etag: answer.etag });
  if (!evening || JSON.stringify(next) !== JSON.stringify(now)) page.show();
}

// Give a guest's evenings to the user if they are the user's in the archive. Those that were never sent go
// only to an account that was made here.
export async function takeGuests() {
  if (!OWNER) return;
  for (const name of namesIn("evening:")) {
    const { key, version } = get(name).setup;
    const mine = version
      ? (await request(`${addresses.evenings}${key}/state.json`))?.status === 200
      : MADE_HERE;
    if (mine) fromGuest(name);
  }
  load();
}

export async function fetchStart() {
  const answer = await request(addresses.start);
  if (answer?.status === 200) {
    put({ [owned("evenings-start")]: answer.json });
    for (const setup of answer.json.evenings) {
      if (!evenings.has(setup.key)) store({ setup, deals: {}, listed: true });
    }
  }
  return get(owned("evenings-start"));
}

setInterval(() => {
  if (presentUser()) isTheirs(); // a user whose session expired can continue, and send after signing in
  if (document.hidden || !navigator.onLine) return;
  if (page.here.key && evenings.get(page.here.key)?.setup.version) fetchState(page.here.key);
  if ([...evenings.values()].some(hasToSend)) send();
}, POLL);
addEventListener("online", () => send());
addEventListener("stored", ({ detail: changed }) => {
  if (!changed.some((name) => name.startsWith(PREFIX))) return;
  // Ignore another tab's answer of the engine: in tabs of two languages, each would replace the other's for ever.
  const entered = () => JSON.stringify([...evenings.values()].map(({ stand: _stand, ...rest }) => rest));
  const before = entered();
  load();
  if (entered() !== before) page.show();
});
