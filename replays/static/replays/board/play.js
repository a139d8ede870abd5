// The play: what may come next as cards and words; the trick, the hands, what has happened; the score at the end.

let answer = null; // what the engine has of the board as it is
let picked = []; // of several cards or items: those that are chosen so far
let twice = ""; // a card that may be played in more than one manner, while the manner is chosen
let typed = { text: "", wrong: "" }; // an event as it is typed
let busy = false;

// Ask the engine; `more` is what is to come behind the events.
async function judge(more = {}) {
  answer = await ask({ ask: "board", record: recordOf(board), ...more });
}

// Go on with other events. What the engine cannot read is not entered.
async function change(changes, more = {}) {
  if (busy) return;
  busy = true;
  const before = { ...board };
  Object.assign(board, changes);
  try {
    await judge(more);
    if (more.typed) Object.assign(board, entered(answer.record.events.at(-1)));
    store();
    if (TRYING && (answer.over || answer.finding || "line" in changes)) await judgeLines();
    picked = [];
    twice = "";
    typed = { text: "", wrong: "" };
    hear([answer.finding?.text ?? lastMove(), turnText()].filter(Boolean).join(" "));
  } catch (error) {
    Object.assign(board, before);
    if (more.typed) typed.wrong = error.message;
    else say(error.message);
  }
  busy = false;
  await show();
}

// The board with an event more.
const entered = (event) => (TRYING ? branch(event) : { events: [...board.events, event], undone: [] });

function enter(event) {
  const changes = entered(event);
  if (changes) change(changes);
}

// Go to a step, and on from there; the events behind it may come back.
function goTo(number) {
  const all = [...board.events, ...[...board.undone].reverse()];
  change({ events: all.slice(0, number), undone: all.slice(number).reverse() });
}

function undo() {
  if (board.events.length) change({ events: board.events.slice(0, -1), undone: [...board.undone, board.events.at(-1)] });
}

function redo() {
  if (board.undone.length) change({ events: [...board.events, board.undone.at(-1)], undone: board.undone.slice(0, -1) });
}

function lastMove() {
  const move = answer.moves.at(-1);
  return move ? `${nameOf(move.seat)} ${move.text}.` : "";
}

function turnText() {
  if (answer.over) return text("over");
  return answer.turn ? text("turn", { name: nameOf(answer.turn) }) : "";
}

function playView() {
  const tools = [
    button("↶", undo, { class: "button icon", "aria-label": text("undo"), disabled: !board.events.length, "data-key": "undo" }),
    button("↷", redo, { class: "button icon", "aria-label": text("redo"), disabled: !board.undone.length, "data-key": "redo" }),
  ];
  const { finding, over } = answer;
  return [
    TRYING ? head(text("try_title"), `${trial.addresses.replay}?step=${board.events.length}`, tools) : head(gameOf().name, `#${board.key}/hands`, tools),
    el(
      "div",
      { class: "board", "data-moves": String(answer.moves.length) },
      el(
        "div",
        { class: "table-now" },
        el("p", { class: "turn" }, el("b", {}, turnText()), answer.phase && !over ? el("span", { class: "muted" }, answer.phase) : null),
        finding ? findingPart(finding) : null,
        trickPart(),
        over ? null : [waysPart(), wordsPart(), itemsPart(), handPart(), discardPart()],
        TRYING && board.line ? comparePart() : null,
        over && answer.sheet.length && !(TRYING && board.line) ? linesPart(answer.sheet, players()) : null,
        finding || over ? null : typePlay(),
      ),
      el("div", { class: "beside" }, TRYING ? variationsPart() : null, othersPart(), movesPart()),
    ),
    footPart(),
  ];
}

const players = () => Object.fromEntries(lettersOf(board).map((seat) => [seat, nameOf(seat)]));

function findingPart(found) {
  return el(
    "div",
    { class: "note error", role: "alert", "data-key": "finding" },
    el("p", {}, el("b", {}, found.place), ": ", found.text, " ", clauseLink(found)),
    el("p", { class: "choices" }, button(text("undo"), undo, { "data-key": "undo-finding", "data-first": true })),
  );
}

// The trick on the table; between tricks the last one, with the card that won it.
function trickPart() {
  const card = (one) =>
    el("li", { class: one.wins ? "wins" : "" }, picture(one.card), el("span", {}, nameOf(one.seat)), el("span", { class: "visually-hidden" }, nameOfCard(one.card)));
  if (answer.trick.length) return el("ol", { class: "trick-now", "aria-label": text("trick") }, answer.trick.map(card));
  const number = answer.finding ? null : answer.moves.at(-1)?.trick;
  if (!number) return null;
  const { winner } = answer.moves.at(-1);
  const plays = answer.moves.flatMap(({ seat, trick }, at) => (trick === number ? [{ seat, card: board.events[at][2].split("(")[0], wins: seat === winner }] : []));
  return el("ol", { class: "trick-now over", "aria-label": text("trick_number", { number }) }, plays.map(card));
}

// --- what may come next ---

const choicesOf = (card) => answer.choices.filter((choice) => choice.card === card);

// The hand of who is on turn, and what else may be played or laid away; what may not lies there, too.
function handPart() {
  const { turn, many, hands, choices } = answer;
  if (!turn) return null;
  const beyond = [...choices.map((choice) => choice.card), ...(many?.cards ?? [])].filter(Boolean);
  const known = (hands[turn] ?? []).filter((card) => card !== "?");
  const cards = [...new Set([...known, ...beyond])];
  if (!cards.length) return null;
  const choosing = beyond.length ? "hand-now choosing" : "hand-now";
  return el("div", { class: choosing, role: "group", "data-arrows": true, "aria-label": text("hand_of", { name: nameOf(turn) }) }, cards.map(handCard));
}

function handCard(card) {
  const ways = choicesOf(card);
  const { many } = answer;
  if (ways.length) {
    const play = () => {
      if (ways.length === 1) enter(ways[0].event);
      else {
        twice = card;
        show();
        app.querySelector("[data-first]").focus({ preventScroll: true });
      }
    };
    const played = TRYING && board.undone.at(-1)?.[2]?.split("(")[0] === card;
    const name = played ? `${ways[0].name} (${text("as_played")})` : ways[0].name;
    return button(picture(card), play, { class: played ? "held may next" : "held may", "aria-label": name, "data-first": true, "data-key": `play ${card}` });
  }
  if (many?.cards.includes(card)) {
    const on = picked.includes(card);
    const name = nameOfCard(card);
    return button(picture(card), () => toggle(card), { class: "held may", "aria-pressed": String(on), "aria-label": name, "data-first": true, "data-key": `pick ${card}` });
  }
  return el("span", { class: "held" }, picture(card), el("span", { class: "visually-hidden" }, nameOfCard(card)));
}

function nameOfCard(card) {
  if (card === "?") return text("unknown_card");
  return starts.suits.flatMap(({ cards }) => cards).find((one) => one.card === card)?.name ?? card;
}

function toggle(one) {
  picked = picked.includes(one) ? picked.filter((other) => other !== one) : [...picked, one];
  show();
}

// The manners in which the card that was tapped may be played.
function waysPart() {
  const ways = choicesOf(twice);
  if (ways.length < 2) return null;
  return group(text("how_played"), ways.map((choice) => button(choice.name, () => enter(choice.event), { "data-first": true, "data-key": `say ${choice.event.slice(1).join(" ")}` })));
}

// What may be said: buttons in words.
function wordsPart() {
  const words = answer.choices.filter(({ card }) => !card);
  if (!words.length) return null;
  const seats = new Set(words.map(({ event }) => event[0]));
  const choice = ({ event, label, name }) =>
    button([label, event[0] !== answer.turn || seats.size > 1 ? el("small", {}, nameOf(event[0])) : null], () => enter(event), {
      class: "button choice",
      "aria-label": name,
      "data-first": true,
      "data-key": `say ${event[0]} ${event.slice(1).join(" ")}`,
    });
  return el("div", { class: "choices words", role: "group", "data-arrows": true, "aria-label": text("choices") }, words.map(choice));
}

// Cards that are laid away together: chosen, then done.
function discardPart() {
  const { many } = answer;
  if (!many) return null;
  return el(
    "p",
    { class: "choices" },
    button([many.label, el("small", {}, `${picked.length}/${many.number}`)], () => enter([many.seat, many.verb, ...picked]), {
      class: "button primary large choice",
      disabled: picked.length !== many.number,
      "data-key": "done",
    }),
    // Where nobody knows them, those that are not named stay unknown.
    many.unknown && picked.length < many.number
      ? button(text("rest_unknown"), () => enter([many.seat, many.verb, ...picked, ...Array(many.number - picked.length).fill("?")]), { class: "button large choice", "data-key": "done-unknown" })
      : null,
  );
}

// Items that are announced together: of two that do not go together the later one stands.
function itemsPart() {
  const { more } = answer;
  if (!more) return null;
  const choose = (one) => {
    const against = more.apart.filter((pair) => pair.includes(one)).flat();
    picked = picked.filter((other) => other === one || !against.includes(other));
    toggle(one);
  };
  const item = (one) =>
    button(one.label, () => choose(one.item), { class: "button choice", "aria-pressed": String(picked.includes(one.item)), "aria-label": one.name, "data-key": `item ${one.item}` });
  const name = text("several", { name: nameOf(more.seat) });
  return el(
    "section",
    { class: "field-part", role: "group", "aria-label": name },
    el("h2", {}, name),
    el("div", { class: "choices", "data-arrows": true }, more.items.map(item)),
    el("p", { class: "choices" }, button(text("announce"), () => enter([more.seat, more.verb, ...picked]), { class: "button primary", disabled: !picked.length, "data-key": "done" })),
  );
}

// An event as text: also one that may not come next.
function typePlay() {
  const send = (event) => {
    event.preventDefault();
    typed.text = event.target.elements.event.value.trim();
    if (typed.text) change({ undone: [] }, { typed: typed.text });
  };
  return el(
    "details",
    { class: "more-part type-move", open: openParts.has("event"), ontoggle: keepOpen("event") },
    el("summary", {}, text("type_event")),
    el(
      "form",
      { class: "new-player", onsubmit: send },
      el("input", { name: "event", value: typed.text, autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: "T20", "aria-label": text("type_event"), "data-key": "event" }),
      el("button", { type: "submit", class: "button", "data-key": "enter" }, text("enter")),
    ),
    typed.wrong ? el("p", { class: "error", role: "alert" }, typed.wrong) : null,
  );
}

// --- how it stands ---

function othersPart() {
  const { hands, piles, talon, turn, over, tricks, points, sides } = answer;
  const row = ([seat, cards]) => {
    const own = Object.entries(piles).filter(([where]) => where.startsWith(`${seat}/`));
    return el(
      "li",
      {},
      el("p", {}, el("b", {}, nameOf(seat)), " ", el("span", { class: "muted" }, tricks[seat] ? text("tricks_won", { number: tricks[seat] }) : "")),
      seat === turn && !over ? null : cardRow(cards),
      own.length ? el("div", { class: "piles-now" }, own.map(([, pile]) => cardRow(pile.cards))) : null,
    );
  };
  const counted = Object.entries(points).map(([side, number]) => `${sides[side]} ${number}`);
  return el(
    "details",
    { class: "more-part", open: openParts.has("hands"), ontoggle: keepOpen("hands") },
    el("summary", {}, text("all_hands")),
    answer.moves.some(({ winner }) => winner) ? el("p", { class: "muted" }, text("card_points", { points: counted.join(", ") })) : null,
    el("ul", { class: "hands-now" }, Object.entries(hands).map(row), talon.length ? el("li", {}, el("p", {}, el("b", {}, placeNamed("talon"))), cardRow(talon)) : null),
  );
}

const placeNamed = (place) => starts.places.find((one) => one.place === place)?.name ?? place;

function cardRow(cards) {
  return cards.length ? el("ul", { class: "cards spread mini" }, cards.map((card) => el("li", {}, picture(card), el("span", { class: "visually-hidden" }, nameOfCard(card))))) : null;
}

function movesPart() {
  const rows = [];
  let trick = null;
  for (const [number, move] of answer.moves.entries()) {
    if (move.trick && move.trick !== trick) rows.push(el("li", { class: "trick-number" }, text("trick_number", { number: move.trick })));
    trick = move.trick;
    const own = TRYING && number >= (variation(board.line)?.step ?? Infinity) ? "own" : "";
    const words = [el("b", {}, nameOf(move.seat)), " ", move.text];
    rows.push(el("li", { class: move.judged ? own : "unjudged" }, button(words, () => goTo(number + 1), { class: "move", "data-key": `move ${number}` })));
  }
  return el(
    "details",
    { class: "more-part", open: openParts.has("moves"), ontoggle: keepOpen("moves") },
    el("summary", {}, text("moves"), el("small", { class: "muted" }, ` ${answer.moves.length}`)),
    el("ol", { class: "moves-now" }, rows),
  );
}

function footPart() {
  const { score, over, verdict } = answer;
  return el(
    "footer",
    { class: "save-bar" },
    score
      ? el("dl", { class: "score-now" }, Object.entries(score).map(([seat, points]) => el("div", {}, el("dt", {}, nameOf(seat)), el("dd", { class: sense(points) }, signed(points)))))
      : el("p", { class: "lacking" }, over || answer.finding ? (texts[`verdict_${verdict}`] ?? "") : text("moves_so_far", { number: board.events.length })),
    TRYING ? el("a", { class: "button large", href: `${trial.addresses.replay}?step=${board.events.length}` }, text("to_replay")) : button(text("send"), openSending, { class: over ? "button primary large" : "button large", "data-key": "send" }),
  );
}
