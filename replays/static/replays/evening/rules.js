// The rules of an evening: choosing them, and settling its deals again by other rules.

import { ask, el, gettext, newKey } from "../app.js";
import { standing } from "./phone.js";

const told = new Map(); // the engine's answers about rules, by question

// Return what the rules of a setup say; null if the engine doesn't answer.
export async function inWords({ game, options, rules = "" }) {
  const key = JSON.stringify([game, options, rules]);
  if (!told.has(key)) {
    const answer = await ask({ ask: "house-rules", game, options, rules }).catch(() => null);
    if (!answer) return null;
    told.set(key, answer);
  }
  return told.get(key);
}

// Return the part of a setup that rules with a name determine. Rules without options are those of the source.
export const byRules = ({ name, options }) => ({ options, rules: options.length ? name : "" });

export const rulesName = ({ options = [], rules = "" }) =>
  rules || (options.length ? options.join(" ") : gettext("Rules of the source"));

// Choose the rules of an evening: those of its club (`own`, by game), published ones, or those that it has.
export function rulesPart(setup, game, own = {}, said = null, choose = null) {
  const rows = new Map();
  for (const row of [own[setup.game], ...game.rules, { name: setup.rules, options: setup.options }]) {
    if (row && !rows.has(byRules(row).rules)) rows.set(byRules(row).rules, row);
  }
  const label = (name) => {
    if (!name) return gettext("Rules of the source");
    return name === own[setup.game]?.name ? gettext("{rules} – rules of the club", { rules: name }) : name;
  };
  return el(
    "section", { class: "field-part rules-part" },
    el("h2", {}, el("label", { for: "rules" }, gettext("Rules"))),
    el(
      "select",
      {
        id: "rules", "data-key": "rules", disabled: !choose,
        onchange: ({ target }) => choose(byRules(rows.get(target.value))),
      },
      [...rows.keys()].map(
        (name) => el("option", { value: name, selected: name === (setup.rules ?? "") }, label(name)),
      ),
    ),
    said?.findings.length ? el("p", { class: "error", role: "alert" }, said.findings[0].text) : null,
    said?.lines.length ? el(
      "details", { class: "rules-lines" },
      el("summary", {}, gettext("Lines that differ from the source: {number}", { number: said.lines.length })),
      el("ul", {}, said.lines.map((line) => el("li", {}, line))),
    ) : null,
  );
}

// --- settling again ---

const isOther = ({ deal }, { options }) => JSON.stringify(deal.options) !== JSON.stringify(options);

// Return the deals of an evening that are by other rules than those of a setup. Sheets can be settled again.
function byOthers({ deals }, setup) {
  const others = Object.values(deals).filter((entry) => entry.state !== "removed" && isOther(entry, setup));
  const played = others.filter(({ kind }) => kind === "played");
  return { sheets: others.filter(({ kind }) => kind !== "played"), played };
}

// Return the evening with its sheets settled by the rules of a setup. They are sent like any other change, and the
// archive keeps the claims. A deal that is being checked or was entered twice stays for later.
export function settledBy(evening, setup) {
  const { sheets } = byOthers(evening, setup);
  const deals = { ...evening.deals };
  for (const entry of sheets.filter(({ state }) => ["sent", "waiting", "refused"].includes(state))) {
    const deal = { ...entry.deal, options: setup.options };
    deals[deal.n] = { ...entry, deal, state: "waiting", key: newKey(), score: undefined, why: "" };
  }
  const { draft } = evening;
  const begun = draft && { ...draft, deal: { ...draft.deal, options: setup.options } };
  return { ...evening, deals, draft: begun ?? null };
}

// Show what the rules of a setup change in the deals, before it is saved. Return null if no deal has other rules,
// and a part without a list (`data-unknown`) if the engine doesn't answer.
export async function differencePart(evening, setup) {
  const { sheets, played } = byOthers(evening, setup);
  const withCards = played.length ? el("p", {}, gettext("Recorded with cards, so not settled again: {numbers}", {
    numbers: played.map(({ deal }) => deal.n).join(", "),
  })) : null;
  if (!sheets.length) return withCards;
  let before, after;
  try {
    [before, after] = await Promise.all([standing(evening), standing({ ...settledBy(evening, setup), setup })]);
  } catch {
    return el("p", { class: "note error", role: "alert", "data-unknown": "" }, gettext(
      "These rules change deals that are entered already. To show the difference first, this phone needs a network, "
        + "or must be prepared for offline use.",
    ));
  }
  const rows = new Map(before.deals.map((row) => [row.n, row]));
  const listed = (amounts) => Object.entries(amounts).map(([name, amount]) => `${name} ${amount}`).join(", ") || "–";
  const row = ({ n, amounts, verdict, findings }) => el(
    "tr", {}, el("th", { scope: "row" }, String(n)), el("td", {}, listed(rows.get(n)?.amounts ?? {})),
    el("td", { class: verdict === "illegal" ? "error" : "" },
      verdict === "illegal" ? findings[0]?.text : listed(amounts)),
  );
  const numbers = new Set(sheets.map(({ deal }) => deal.n));
  return el(
    "section", { class: "note difference", role: "status" },
    el("h2", {}, gettext("Deals that are settled again when you save")),
    el(
      "div", { class: "table-scroll" }, el(
        "table", { class: "list" },
        el("thead", {}, el("tr", {}, [gettext("Deal"), gettext("So far"), gettext("By these rules")].map(
          (name) => el("th", { scope: "col" }, name),
        ))),
        el("tbody", {}, after.deals.filter(({ n }) => numbers.has(n)).map(row)),
        el("tfoot", {}, el(
          "tr", {}, el("th", { scope: "row" }, gettext("Standings")),
          [before, after].map(({ standings }) => el(
            "td", {}, standings.map(({ name, amount }) => `${name} ${amount}`).join(", "),
          )),
        )),
      ),
    ),
    el("p", {}, gettext("Points that were written down for a deal stay as they are.")),
    withCards,
  );
}

// Say which deals are by other rules than the evening, so that they are not added up.
export function otherRulesPart(evening) {
  const { sheets, played } = byOthers(evening, evening.setup);
  const numbers = [...sheets, ...played].map(({ deal }) => deal.n).sort((one, other) => one - other);
  return numbers.length ? el("p", { class: "note" }, gettext(
    "Deals by other rules, which are not added up: {numbers}. “Players and settings” can settle score sheets again.",
    { numbers: numbers.join(", ") },
  )) : null;
}
