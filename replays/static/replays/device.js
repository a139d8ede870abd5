// The data that pages keep on this device, for the signed-in user or a guest. A user's names start with the
// user id, which scripts read from a cookie. `replays/site/device.py` lists the names.

export const OWNER = presentUser();

export function presentUser() {
  return document.cookie.match(/(?:^|; )device_user=(\d+)/)?.[1] ?? "";
}

export const owned = (name) => (OWNER ? `${OWNER}@${name}` : name);
export const namesIn = (storage, prefix) => Object.keys(storage).filter((name) => name.startsWith(prefix));

// Give a guest's data to the user, except data under names that the user already has.
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
  const evening = JSON.parse(localStorage.getItem(name));
  return unsent(evening) > 0 || Boolean(evening.draft);
}

function forgetOwn(which) {
  for (const storage of [localStorage, sessionStorage]) {
    for (const name of namesIn(storage, `${OWNER}@`).filter(which)) storage.removeItem(name);
  }
}

// Remove data that was sent, and let the user decide about unsent data.
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
