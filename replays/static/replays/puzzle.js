// A puzzle is solved by tapping a card on the table. The buttons below the table do the same without this script.

import { byId } from "./table/table.js";

const form = byId("picks");
for (const item of byId("puzzle").querySelectorAll(".seat.on-turn [data-card]")) {
  const buttons = [...form.querySelectorAll("button")]
    .filter((button) => button.value.split("(")[0] === item.dataset.card);
  if (!item.querySelector(".is-legal") || !buttons.length) continue;
  item.classList.add("is-pick");
  // A card that may be played in more than one way needs its button.
  item.addEventListener("click", () => (buttons.length === 1 ? buttons[0].click() : buttons[0].focus()));
}
