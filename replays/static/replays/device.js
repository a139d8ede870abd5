// The data that pages keep on this device, for the signed-in user or a guest. A user's names start with the
// user id, which scripts read from a cookie. `replays/site/device.py` lists the names.

import { get, namesIn, opened, put } from "./store.js";

export const OWNER = presentUser();
// Whether the account was made on this device, in this session. Only then it gets a guest's data.
export const MADE_HERE = /(?:^|; )device_user=\d+\+/.test(document.cookie);

export function presentUser() {
  return document.cookie.match(/(?:^|; )device_user=(\d+)/)?.[1] ?? "";
}

export const owned = (name) => (OWNER ? `${OWNER}@${name}` : name);
const inTab = (prefix) => Object.keys(sessionStorage).filter((name) => name.startsWith(prefix));

// Give a guest's entry to the user, unless the user has one of this name.
export function fromGuest(name) {
  if (get(owned(name)) === null) put({ [owned(name)]: get(name), [name]: null });
}

if (OWNER) {
  opened.then(() => {
    if (get("evenings-start")) put({ "evenings-start": null });
    if (MADE_HERE) for (const prefix of ["board:", "variations:"]) namesIn(prefix).forEach(fromGuest);
  });
  // A text that was typed in this tab before its writer signed in.
  for (const name of [...inTab("draft:"), ...inTab("sent:")]) {
    if (sessionStorage.getItem(owned(name)) !== null) continue;
    sessionStorage.setItem(owned(name), sessionStorage.getItem(name));
    sessionStorage.removeItem(name);
  }
}

// Reload a page that becomes visible after somebody else signed in, in another tab.
export function isTheirs() {
  if (!document.hidden && presentUser() !== OWNER) location.reload();
}
addEventListener("pageshow", isTheirs);
addEventListener("visibilitychange", isTheirs);

// Return the number of unsent deals in an evening. An unsent setup counts as one more.
export const unsent = (evening) =>
  Object.values(evening.deals).filter((entry) => entry.state !== "sent").length + (evening.dirty ? 1 : 0);

// --- signing out ---

const signingOut = document.getElementById("signing-out");

function isUnsent(name) {
  if (!name.startsWith(owned("evening:"))) return /^\d+@(board|variations|draft):/.test(name);
  const evening = get(name);
  return unsent(evening) > 0 || Boolean(evening.draft);
}

async function forgetOwn(which) {
  for (const name of inTab(`${OWNER}@`).filter(which)) sessionStorage.removeItem(name);
  await put(Object.fromEntries(namesIn(`${OWNER}@`).filter(which).map((name) => [name, null])));
}

// Remove data that was sent, and let the user decide about unsent data.
async function beforeSigningOut(event) {
  event.preventDefault();
  const form = event.target;
  await opened;
  await forgetOwn((name) => !isUnsent(name));
  const left = [...namesIn(`${OWNER}@`), ...inTab(`${OWNER}@`)];
  if (!left.length) {
    form.submit();
    return;
  }
  signingOut.querySelector("[data-send]").hidden = !left.some((name) => name.startsWith(owned("evening:")));
  signingOut.querySelector("[data-keep]").onclick = () => form.submit();
  signingOut.querySelector("[data-delete]").onclick = () => forgetOwn(() => true).then(() => form.submit());
  signingOut.querySelector("[data-close]").onclick = () => signingOut.close();
  signingOut.showModal();
}

if (signingOut && OWNER) {
  for (
    const form of document.querySelectorAll(`form[action="${signingOut.dataset.action}"], [data-signs-out]`)
  ) form.addEventListener("submit", beforeSigningOut);
}
