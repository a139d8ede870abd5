// The board: users lay out and play a deal by tapping. The engine (`tarockEngine`) knows the rules: possible
// moves, texts, and findings come from it. Entries stay on this device.

import { owned } from "../device.js";
import { addresses, ask, say, gettext } from "../app.js";
import { get, namesIn, put } from "../store.js";

// State that the modules of this page share, and functions that later modules define for earlier ones, so
// that imports form no cycle.
/** @type {BoardPage} */
export const page = /** @type {any} */ ({});

// --- storage on this device ---

// Boards by key: `game`, `seats` (number), `names` by seat, `dealer`, `options`, `date`, `place`, `deal`
// (cards by place, as entered), `tags` (for a deal of an evening), `events`, `undone` (events to redo, last
// first), `former` (what the last exchange replaced, for undo), `comments` (by step), `score` and `agreed` (points
// by seat), `waiting` (moves as text that the engine has not checked), `near` (the seat at the bottom), `at` (time
// of the last change, in milliseconds).
export const PREFIX = owned("board:");
const MOST = 30; // maximum number of sent boards kept on a device; the oldest are removed first
export const LETTERS = "ABCDEFGH";
// Whether the page is for trying other cards in a stored deal (`variations.js`).
export const TRYING = Boolean(document.getElementById("trial"));

export function boards() {
  return namesIn(PREFIX)
    .map(get)
    .filter(Boolean)
    .sort((one, other) => other.at - one.at);
}

export function store(changes = {}) {
  if (TRYING) {
    page.storeTree();
    return;
  }
  Object.assign(page.board, { sent: false }, changes, { at: Date.now() });
  const old = boards().filter(({ sent }) => sent).slice(MOST).map(({ key }) => [PREFIX + key, null]);
  keep({ ...Object.fromEntries(old), [PREFIX + page.board.key]: page.board });
}

// Change entries on this device, and say if it can't store them.
export async function keep(entries) {
  if (!(await put(entries))) {
    say(gettext("This device has no space left. Anything you enter now will be lost when you close the page."));
  }
}

export const lettersOf = ({ seats }) => [...LETTERS.slice(0, seats)];
export const nameOf = (seat) => page.board.names[seat] || seat;

// Return the record of a deal in its JSON form, as entered. Players without a name become unknown players.
export function recordOf(board) {
  const {
    game, seats, names, dealer, options, date, place, tags: own, deal, events, comments = {}, score, agreed,
  } = board;
  if (TRYING) return { ...page.trial.record, events, comments: {}, score: undefined };
  const settled = whole(agreed) && Object.entries(agreed).map(([seat, points]) => `${seat}=${points}`).join(" ");
  const tags = Object.fromEntries(
    Object.entries({ Date: date, Site: place, Agreed: settled, ...own }).filter(([, value]) => value),
  );
  const filled = Object.fromEntries(Object.entries(deal).filter(([, cards]) => cards.length).map(filledUp));
  const remarks = Object.fromEntries(
    Object.entries(comments).filter(([step]) => Number(step) <= events.length).map(([step, words]) => [step, [words]]),
  );
  const claim = whole(score) ? { score } : {};
  const players = Object.fromEntries(lettersOf({ seats }).map((seat) => [seat, names[seat] ?? ""]));
  return { tgn: 1, game, dealer, players, options, tags, deal: filled, events, comments: remarks, ...claim };
}

// Return the board for a record in its JSON form, as if it had been entered here.
export function boardOf({ game, dealer, players, options, tags, deal, events, comments = {}, score }) {
  const { Date: date = "", Site: place = "", Agreed: settled = "", ...own } = tags;
  const known = (cards) => cards.filter((card) => card !== "?");
  const points = settled.split(" ").filter(Boolean).map((part) => part.split("="));
  return {
    game, seats: Object.keys(players).length, names: players, dealer, options, date, place, tags: own, events,
    undone: [], score, deal: Object.fromEntries(Object.entries(deal).map(([at, cards]) => [at, known(cards)])),
    comments: Object.fromEntries(Object.entries(comments).map(([step, texts]) => [step, texts.join(" ")])),
    agreed: settled ? Object.fromEntries(points.map(([seat, number]) => [seat, Number(number)])) : undefined,
  };
}

// Return whether each seat has points.
const whole = (points) => Boolean(points) && lettersOf(page.board).every((seat) => Number.isInteger(points[seat]));

// Return the cards of a place, with `?` for each unknown card.
function filledUp([place, cards]) {
  const { size } = page.starts.places.find((one) => one.place === place);
  return [place, [...cards, ...Array(size - cards.length).fill("?")]];
}

// --- places in the deal ---

// Return the places of the deal with their sizes, and the cards of the pack by suit.
export const startOf = ({ game, seats, dealer, options }) => ask({ ask: "board-start", game, seats, dealer, options });

export const cardsIn = (place) => page.board.deal[place] ?? [];
export const isFull = ({ place, size }) => cardsIn(place).length >= size;
export const packOf = ({ suits }) => suits.flatMap(({ cards }) => cards.map(({ card }) => card));
export const whereIs = (card) => Object.keys(page.board.deal).find((place) => page.board.deal[place].includes(card));

// Return the deal without the cards that no longer fit after the table was changed.
export function fit({ places, suits }) {
  const pack = new Set(packOf({ suits }));
  const deal = {};
  for (const { place, size } of places) deal[place] = cardsIn(place).filter((card) => pack.has(card)).slice(0, size);
  return deal;
}

// Give the last open place the remaining cards if they exactly fill it, and return whether they do. If their
// order matters, the user taps them instead.
export function fillLast(start) {
  const open = start.places.filter((one) => !isFull(one));
  const left = packOf(start).filter((card) => !whereIs(card));
  const [last] = open;
  if (open.length !== 1 || left.length !== last.size - cardsIn(last.place).length) return false;
  if (last.ordered && left.length > 1) return false;
  page.board.deal[last.place] = [...cardsIn(last.place), ...left];
  return true;
}

// Return a random number below `most`. All numbers are equally likely.
function randomBelow(most) {
  const limit = 2 ** 32 - (2 ** 32 % most);
  const [number] = crypto.getRandomValues(new Uint32Array(1));
  return number < limit ? number % most : randomBelow(most);
}

export function shuffled(start) {
  const pack = packOf(start);
  for (let at = pack.length - 1; at > 0; at--) {
    const other = randomBelow(at + 1);
    [pack[at], pack[other]] = [pack[other], pack[at]];
  }
  const deal = {};
  for (const { place, size } of start.places) deal[place] = pack.splice(0, size);
  return deal;
}

// --- cards as pictures ---

const SVG = "http://www.w3.org/2000/svg";

export function picture(code, box = "0 0 100 160") {
  const card = code === "?" ? "back" : code;
  const drawn = document.createElementNS(SVG, "svg");
  drawn.setAttribute("class", `card suit-${card[0]}`);
  drawn.setAttribute("viewBox", box);
  drawn.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${addresses.cards}#${card}`);
  use.setAttribute("width", "100");
  use.setAttribute("height", "160");
  drawn.append(use);
  return drawn;
}
