// The hands: the user puts each card where it was dealt, by tapping or typing.

import { cardsIn, fillLast, isFull, nameOf, packOf, picture, shuffled, store, whereIs, page } from "./deal.js";
import { ask, button, el, head, say, gettext, pgettext } from "../app.js";

let chosen = ""; // the place to which tapped cards go
let typing = null; // the hand being typed, with its errors: { place, text, wrong }

export function handsView(start) {
  const { places, suits } = start;
  if (!places.some(({ place }) => place === chosen)) chosen = (places.find((one) => !isFull(one)) ?? places[0]).place;
  const target = places.find(({ place }) => place === chosen);
  const left = packOf(start).filter((card) => !whereIs(card)).length;
  const dealt = places.every(isFull);
  return [
    head(pgettext("of a deal", "Hands"), `#${page.board.key}/setup`),
    el("div", { class: "places", role: "group", "aria-label": gettext("Where the cards go") }, places.map(placeButton)),
    typePart(target),
    suits.map(({ name, cards }) => el(
      "section", { class: "suit", role: "group", "aria-label": name }, cards.map((one) => cardButton(one, start)),
    )),
    el(
      "div",
      { class: "existing" },
      button(pgettext("cards", "Shuffle and deal"), () => changeDeal(shuffled(start)), { "data-key": "shuffle" }),
      button(
        gettext("Clear: {name}", { name: shortName(target) }), () => changeDeal({ ...page.board.deal, [chosen]: [] }),
        { disabled: !cardsIn(chosen).length, "data-key": "clear" },
      ),
      button(gettext("Clear all hands"), () => changeDeal({}), {
        disabled: !Object.values(page.board.deal).some((cards) => cards.length), "data-key": "clear-all",
      }),
    ),
    el(
      "footer",
      { class: "save-bar" },
      el("p", { class: "lacking" }, dealt ? gettext("All cards are dealt.") : gettext(
        "Cards left: {number}", { number: left },
      )),
      el(
        "a",
        { class: dealt ? "button primary large" : "button large", href: `#${page.board.key}/play`, "data-key": "play" },
        dealt ? gettext("Play") : gettext("As it was played"),
      ),
    ),
  ];
}

// Return a place's label: the player, with a number if it is a pile, or the name of the talon.
function shortName({ place, seat, name }) {
  if (!seat) return name;
  return place === seat ? nameOf(seat) : `${nameOf(seat)}, ${name}`;
}

function placeButton(one) {
  const count = `${cardsIn(one.place).length}/${one.size}`;
  return button(
    [
      el("span", {}, one.seat ? nameOf(one.seat) : one.name),
      el("small", {}, one.place === one.seat || !one.seat ? count : `${one.name}: ${count}`),
    ],
    () => {
      chosen = one.place;
      typing = null;
      page.show();
    },
    {
      class: isFull(one) ? "button choice full" : "button choice", "aria-pressed": String(one.place === chosen),
      "data-key": `place ${one.place}`,
    },
  );
}

function cardButton({ card, name }, start) {
  const place = whereIs(card);
  const here = place && start.places.find((one) => one.place === place);
  const badge = here?.seat ? place : "▤"; // a letter for a seat, a sign for the talon
  return button(
    [picture(card, "0 0 100 100"), here ? el("span", { class: "lies", "aria-hidden": "true" }, badge) : null],
    () => put(card, start),
    {
      class: place === undefined ? "pack-card" : place === chosen ? "pack-card here" : "pack-card gone",
      "aria-pressed": String(place === chosen),
      "aria-label": here ? `${name}: ${shortName(here)}` : name,
      "data-key": `card ${card}`,
    },
  );
}

function put(card, start) {
  const place = whereIs(card);
  const to = start.places.find((one) => one.place === chosen);
  const deal = { ...page.board.deal };
  if (place) deal[place] = deal[place].filter((other) => other !== card);
  if (place !== chosen) {
    if (isFull(to)) {
      say(gettext("{name}: the hand is full.", { name: shortName(to) }));
      return;
    }
    deal[chosen] = [...cardsIn(chosen), card];
  }
  changeDeal(deal, place === chosen ? null : start);
}

// Store the cards. After a card was added, fill the last place if possible, and go to the next open place.
function changeDeal(deal, start = null) {
  store({ deal, undone: [] });
  if (start) {
    const to = start.places.find((one) => one.place === chosen);
    if (isFull(to)) {
      if (fillLast(start)) store();
      const next = start.places.find((one) => !isFull(one));
      page.hear(gettext("{name}: complete.", { name: shortName(to) }));
      if (next) chosen = next.place;
    }
  }
  page.show();
}

// --- typing a hand ---

function typePart(place) {
  const read = async (event) => {
    event.preventDefault();
    const written = event.target.elements.hand.value;
    typing = { place: place.place, text: written, wrong: [] };
    try {
      const { cards, wrong } = await ask({ ask: "hand", game: page.board.game, text: written });
      take(cards, wrong, place);
    } catch (error) {
      typing.wrong = [error.message];
    }
    page.show();
  };
  const shown = typing?.place === place.place ? typing : null;
  return el(
    "details",
    page.folded("typed"),
    el("summary", {}, gettext("Type the cards: {name}", { name: shortName(place) })),
    el(
      "form",
      { class: "new-player", onsubmit: read },
      el("input", {
        name: "hand", value: shown?.text ?? "", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
        placeholder: "XXI T5 S: K 10", "aria-label": gettext("Type the cards: {name}", { name: shortName(place) }),
        "data-key": "hand",
      }),
      el("button", { type: "submit", class: "button", "data-key": "take-hand" }, pgettext(
        "a hand that was typed", "Deal these",
      )),
    ),
    shown?.wrong.length
      ? el("ul", { class: "findings", role: "alert" }, shown.wrong.map((message) => el("li", {}, message)))
      : null,
  );
}

// Deal the typed hand if every card was recognized and the hand fits.
function take(cards, wrong, place) {
  typing.wrong = wrong.map(({ message }) => message);
  if (cards.length > place.size) typing.wrong.push(
    gettext("{name}: at most {number} cards.", { name: shortName(place), number: place.size }),
  );
  if (typing.wrong.length) return;
  const deal = Object.fromEntries(
    Object.entries(page.board.deal).map(([where, lying]) => [where, lying.filter((card) => !cards.includes(card))]),
  );
  typing = null;
  changeDeal({ ...deal, [place.place]: cards }, page.starts);
}
