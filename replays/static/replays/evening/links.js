// The links to an evening: the one that shows it, the one with which friends join, and the guest's private one.

import { app, button, el, labelled, say, gettext } from "../app.js";
import { page } from "./phone.js";
import { at, request } from "./sending.js";

let joining = null; // { key, link, picture } of the evening whose join link is shown

// Return a link in a field, with more buttons after those to copy and to share it, where the browser can.
function linkPart(label, link, key, ...more) {
  const copy = () => navigator.clipboard.writeText(link).then(() => say(gettext("The link has been copied.")));
  const share = () => navigator.share({ url: link }).catch(() => {}); // the user may cancel
  const select = ({ target }) => target.select();
  const attributes = { class: "share-link", readonly: true, value: link, onfocus: select, "data-key": key };
  return [
    labelled(label, el("input", attributes)),
    el(
      "div", { class: "choices" },
      navigator.clipboard ? button(gettext("Copy"), copy, { "data-key": `${key} copy` }) : null,
      navigator.share ? button(gettext("Share"), share, { "data-key": `${key} share` }) : null,
      more,
    ),
  ];
}

// Show the links that the user can give to others.
export function linksPart(evening) {
  const { link, setup } = evening;
  const shows = (setup.visibility || evening.visibility) === "unlisted" && link;
  return [
    evening.choices?.length && setup.version && !setup.ended ? joinPart(evening) : null,
    shows ? el("section", { class: "link-part" }, el("h2", {}, gettext("Show the evening")), linkPart(
      gettext("Anyone with this link can see the deals, but can’t enter any."), link, "link",
    )) : null,
  ];
}

function joinPart(evening) {
  const { key } = evening.setup;
  const open = async () => {
    const answer = await request(at(evening, "link"), "PUT");
    if (answer?.status !== 200) return say(answer?.json.detail ?? gettext("No network"));
    joining = { key, ...answer.json };
    await page.show();
    return app.querySelector(".qr")?.scrollIntoView({ block: "center" });
  };
  const close = () => {
    joining = null;
    page.show();
  };
  const revoke = async () => {
    const answer = await request(at(evening, "link"), "DELETE");
    if (answer?.status !== 200) return say(answer?.json.detail ?? gettext("No network"));
    say(gettext("The link no longer works, and the friends who joined are out."));
    return close();
  };
  if (joining?.key !== key) return el("p", {}, button(gettext("Friends join"), open, { "data-key": "friends" }));
  const closing = button(gettext("Close"), close, { class: "button small", "data-key": "friends" });
  const code = new DOMParser().parseFromString(joining.picture, "text/html").querySelector("svg");
  return el(
    "section", { class: "link-part" },
    el("h2", {}, gettext("Friends join"), closing),
    el("div", { class: "qr", role: "img", "aria-label": gettext("QR code of the link") }, code),
    linkPart(
      gettext("Anyone with this link can enter and change deals of this evening, without an account."),
      joining.link, "join",
      button(gettext("Revoke the link"), revoke, { class: "button danger", "data-key": "revoke" }),
    ),
  );
}

// Show the guest's private link to the evening.
export function recoveryPart({ recovery }) {
  return recovery ? el("section", { class: "link-part" }, el("h2", {}, gettext("Your private link")), linkPart(
    gettext(
      "If this browser loses your evenings, this link brings them back. Keep it to yourself: "
        + "anyone with it can take them over.",
    ), recovery, "recovery",
  )) : null;
}
