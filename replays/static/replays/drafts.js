// The user's own page: evenings and boards on this device that were not sent.

import { owned, unsent } from "./device.js";
import { get, namesIn, opened } from "./store.js";

const section = document.getElementById("drafts");
const [evening, board] = section.querySelectorAll("template");

function add(seed, href, name) {
  const item = seed.content.firstElementChild.cloneNode(true);
  const link = item.querySelector("a");
  link.href = href;
  if (name) link.textContent = name;
  section.querySelector("ul").append(item);
  section.hidden = false;
}

opened.then(() => {
  for (const name of namesIn(owned("evening:"))) {
    const one = get(name);
    if (one && (unsent(one) || one.draft)) add(evening, `${section.dataset.evenings}#${one.setup.key}`, one.setup.name);
  }
  if (namesIn(owned("board:")).length) add(board, section.dataset.board);
});
