// The panel next to the table: moves, the score so far, and notes on the deal.

import { TRYING, lettersOf, nameOf, page } from "./deal.js";
import { button, el, labelled, who, gettext, pgettext } from "../app.js";
import { answer, change, goTo, inPlace, typed } from "./play.js";
import { sitAt } from "./stage.js";

function movesPart() {
  const at = page.board.events.length;
  const own = TRYING ? (page.variation(page.board.line)?.step ?? Infinity) : Infinity;
  const move = ([step, seat, short, suit, wins, judged, wrong]) =>
    el(
      "li",
      { class: [wins ? "wins" : "", wrong ? "wrong" : judged ? "" : "unjudged", step > own ? "own" : ""].join(" ") },
      el(
        "button",
        {
          type: "button", "data-go": step, onclick: () => goTo(step), "aria-current": step === at ? "step" : null,
          tabindex: step === Math.max(at, 1) ? "0" : "-1", "data-key": `move ${step - 1}`,
        },
        el("span", { class: "mover" }, who(seat, nameOf(seat))),
        el("span", { class: `suit-${suit || "none"}` }, short),
      ),
    );
  const row = ({ title, trick, moves, happenings, comments }) =>
    el(
      "li",
      { class: trick ? "group trick-group" : "group" },
      trick
        ? el(
          "span", { class: "group-title" }, el("span", { class: "visually-hidden" }, gettext("Trick"), " "),
          `${trick}.`,
        )
        : el("span", { class: "group-title" }, title),
      el("ol", {}, moves.map(move)),
      happenings.map((one) => el("p", { class: "remark happening" }, one.text)),
      comments.map((one) => el("p", { class: "comment" }, one)),
    );
  return el(
    "ol", { class: "move-groups", id: "moves", "data-arrows": true, "aria-labelledby": "moves-title" },
    answer.groups.map(row),
  );
}

// Choose the seat at the bottom.
function nearPart() {
  const option = (value, label) => el("option", { value, selected: (page.board.near ?? "") === value }, label);
  return labelled(gettext("Nearest to you"), el(
    "select", { onchange: (event) => sitAt(event.target.value), "data-key": "near" },
    option("", gettext("the player whose turn it is")),
    lettersOf(page.board).map((seat) => option(seat, nameOf(seat))),
  ));
}

// Enter an event as text. The event may be illegal.
function typePlay() {
  const send = (event) => {
    event.preventDefault();
    typed.text = event.target.elements.event.value.trim();
    if (typed.text) change(() => ({ undone: [] }), { typed: typed.text, ...inPlace() });
  };
  return el(
    "form",
    { class: "type-move", onsubmit: send },
    labelled(gettext("Type a move"), el("span", { class: "new-player" },
      el("input", {
        name: "event", value: typed.text, oninput: (event) => (typed.text = event.target.value), autocomplete: "off",
        autocapitalize: "off", spellcheck: "false", placeholder: "T20", "data-key": "event",
      }),
      el("button", { type: "submit", class: "button", "data-key": "enter" }, pgettext("an event of a deal", "Enter")))),
    typed.wrong ? el("p", { class: "error", role: "alert" }, typed.wrong) : null,
  );
}

// Edit the comment on the current step, which is about the last event.
function commentPart() {
  const at = String(page.board.events.length);
  const enterComment = (event) => {
    const words = event.target.value.trim();
    const { [at]: _, ...others } = page.board.comments ?? {};
    change(() => ({ comments: words ? { ...others, [at]: words } : others }));
  };
  return labelled(gettext("Comment on this step"), el(
    "textarea", { rows: "2", maxlength: "2000", onchange: enterComment, "data-key": "comment" },
    page.board.comments?.[at] ?? "",
  ));
}

// Edit the score that was written down or agreed on. It counts only if all seats have points.
function scoresPart(name, label, hint) {
  const found = page.board[name] ?? {};
  const enterScore = ({ target: { name: seat, value } }) => {
    const points = value.trim().replace("−", "-");
    const own = /^[+-]?\d{1,6}$/.test(points) ? Number(points) : null;
    change(() => ({ [name]: { ...page.board[name], [seat]: own } }));
  };
  return el(
    "fieldset",
    { class: "scores" },
    el("legend", {}, label, el("small", { class: "muted" }, hint)),
    lettersOf(page.board).map((seat) =>
      el("label", {}, el("span", {}, nameOf(seat)), el(
        "input",
        {
          name: seat, inputmode: "text", size: "5", maxlength: "7", autocomplete: "off", value: found[seat] ?? "",
          onchange: enterScore, "data-key": `${name} ${seat}`,
        },
      )),
    ),
  );
}

// Return the parts of the panel's tabs, by tab.
function panelParts() {
  return {
    moves: [
      TRYING ? page.variationsPart() : null,
      movesPart(),
      typePlay(),
      TRYING ? null : commentPart(),
      TRYING
        ? el("p", {}, el(
          "a", { class: "button", href: `${page.trial.addresses.replay}?step=${page.board.events.length}` },
          gettext("To the replay"),
        ))
        : el("p", {}, button(gettext("Send or download"), page.openSending, { "data-key": "send" })),
    ],
    score: [
      el("dl", { class: "standing" }, answer.words.standing.map(
        ([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)),
      )),
      TRYING ? null : scoresPart("score", gettext("Written down at the table"), ""),
      TRYING ? null : scoresPart("agreed", gettext("Agreed on at the table"), gettext(
        "if an error was found too late; this score is shown but never checked",
      )),
    ],
    view: [nearPart()],
  };
}

Object.assign(page, { panelParts });
