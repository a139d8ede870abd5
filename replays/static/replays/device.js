// What pages keep on this device belongs to the user who is signed in, or to a guest: a user's names begin with their
// id, which the site gives in a cookie. `replays/site/device.py` lists the names.

export const OWNER = presentUser();

export function presentUser() {
  return document.cookie.match(/(?:^|; )device_user=(\d+)/)?.[1] ?? "";
}

export const owned = (name) => (OWNER ? `${OWNER}@${name}` : name);
export const namesIn = (storage, prefix) => Object.keys(storage).filter((name) => name.startsWith(prefix));

// What a guest left becomes the user's, unless they have their own.
export function fromGuest(storage, prefix) {
  for (const name of namesIn(storage, prefix)) {
    if (storage.getItem(owned(name)) !== null) continue;
    storage.setItem(owned(name), storage.getItem(name));
    storage.removeItem(name);
  }
}

if (OWNER) {
  localStorage.removeItem("evenings-start");
  for (const prefix of ["board:", "variations:"]) fromGuest(localStorage, prefix);
  for (const prefix of ["draft:", "sent:"]) fromGuest(sessionStorage, prefix);
}

// Somebody else is signed in now, in another tab: a page that comes back into view is theirs.
export function isTheirs() {
  if (!document.hidden && presentUser() !== OWNER) location.reload();
}
addEventListener("pageshow", isTheirs);
addEventListener("visibilitychange", isTheirs);

// How much of an evening was not sent.
export const unsent = (evening) =>
  Object.values(evening.deals).filter((entry) => entry.state !== "sent").length + (evening.dirty ? 1 : 0);

// --- signing out ---

const signingOut = document.getElementById("signing-out");

function isUnsent(name) {
  if (!name.startsWith(owned("evening:"))) return /^\d+@(board|variations|draft):/.test(name);
  const evening = JSON.parse(localStorage.getItem(name));
  return unsent(evening) > 0 || Boolean(evening.draft);
}

function forgetOwn(which) {
  for (const storage of [localStorage, sessionStorage]) {
    for (const name of namesIn(storage, `${OWNER}@`).filter(which)) storage.removeItem(name);
  }
}

// What was sent is removed; about the rest the user decides.
function beforeSigningOut(event) {
  forgetOwn((name) => !isUnsent(name));
  const left = [localStorage, sessionStorage].flatMap((storage) => namesIn(storage, `${OWNER}@`));
  if (!left.length) return;
  event.preventDefault();
  const form = event.target;
  signingOut.querySelector("[data-send]").hidden = !left.some((name) => name.startsWith(owned("evening:")));
  signingOut.querySelector("[data-keep]").onclick = () => form.submit();
  signingOut.querySelector("[data-delete]").onclick = () => {
    forgetOwn(() => true);
    form.submit();
  };
  signingOut.querySelector("[data-close]").onclick = () => signingOut.close();
  signingOut.showModal();
}

if (signingOut && OWNER) {
  for (
    const form of document.querySelectorAll(`form[action="${signingOut.dataset.action}"], [data-signs-out]`)
  ) form.addEventListener("submit", beforeSigningOut);
}
