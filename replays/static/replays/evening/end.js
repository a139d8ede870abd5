// The end of an evening: who won, who pays whom, and a text to share.

import { app, button, el, gettext, signed } from "../app.js";
import "../share.js";

// Show who won an evening that is over, once no deal is left to enter.
export function winnerPart({ setup, noted = {} }, { standings }) {
  if (!setup.ended || !standings.length || Object.keys(noted).length) return null;
  const winners = standings.filter(({ place }) => place === 1).map(({ name }) => name);
  return el("p", { class: "winner" }, winners.length > 1
    ? gettext("Winners: {names}", { names: winners.join(", ") })
    : gettext("Winner: {name}", { name: winners[0] }));
}

// Show that an evening is over: who pays whom, buttons to share the result, and the link to its page.
export function endPart(evening, { standings, payments = [], unit = "" }) {
  const { setup, address, noted = {} } = evening;
  const toPage = address ? el("a", { class: "button", href: address }, gettext("Page of the evening")) : null;
  if (!standings.length || Object.keys(noted).length) {
    return el("section", {}, el("p", { class: "note" }, gettext("The evening is over.")), toPage);
  }
  const rows = payments.map(({ payer, recipient, points, amount = String(points) }) => (
    { people: `${payer} → ${recipient}`, points: amount, amount: unit ? "" : money(points, setup) }
  ));
  const text = [
    setup.name,
    setup.rules ? gettext("Rules: {rules}", { rules: setup.rules }) : "",
    standings.map(({ name, total, amount }) => `${name} ${amount ?? signed(total)}`).join(", "),
    ...rows.map(({ people, points, amount }) => `${people}: ${points}${amount ? ` (${amount})` : ""}`),
    linkOf(evening),
  ].filter(Boolean).join("\n");
  return el(
    "section", {},
    rows.length ? el("h2", {}, gettext("Who pays whom")) : null,
    rows.length ? el("table", { class: "list narrow payments" }, el("tbody", {}, rows.map((row) => el("tr", {},
      el("td", {}, row.people), el("td", { class: "number" }, row.points),
      row.amount ? el("td", { class: "number" }, row.amount) : null,
    )))) : null,
    el(
      "p", { class: "actions" },
      button(gettext("Share"), null, {
        class: "button primary", "data-share": "message", "data-done": gettext("Copied"), "aria-live": "polite",
        "data-key": "share",
      }),
      toPage,
    ),
    el(
      "details", { class: "more-part", open: app.querySelector("#message")?.closest("details").open },
      el("summary", {}, gettext("Text to share")),
      el("textarea", { id: "message", readonly: true, rows: "7", "aria-label": gettext("Text to share") }, text),
    ),
  );
}

// Return the URL to share. It opens no more than the evening's visibility allows; members get none.
function linkOf({ setup, visibility, address, link }) {
  const shown = setup.visibility || visibility;
  if (shown === "public" && address) return new URL(address, location.href).href;
  return shown === "unlisted" ? link : "";
}

// Return the exact value of points in money, as in “1,20 Kč”; empty without a valid stake.
function money(points, { stake, currency }) {
  const decimals = stake.split(/[.,]/)[1]?.length ?? 0;
  const unit = Math.round(Number(stake.replace(",", ".")) * 10 ** decimals); // whole, so that sums are exact
  if (!unit) return "";
  const digits = decimals && Math.max(decimals, 2);
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false };
  const figures = new Intl.NumberFormat(document.documentElement.lang, format).format(unit * points / 10 ** decimals);
  return `${figures}\u00a0${currency}`.trim();
}
