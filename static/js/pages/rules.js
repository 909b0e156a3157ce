// @ts-check
// The rules page of a game: draws the example of the short rules, and opens the option that a link leads to.

import { draw } from "../lib/virtual_dom.js";
import { loadMessages } from "../lib/messages.js";
import { cardRow } from "../ui/card_faces.js";

/** Open the folded option whose id is in the address, and scroll to it. */
function openLinkedOption() {
  const option = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!(option instanceof HTMLDetailsElement)) return;
  option.open = true;
  option.scrollIntoView();
}

addEventListener("hashchange", openLinkedOption);
openLinkedOption();

const example = document.querySelector("[data-example]");
if (example instanceof HTMLElement) {
  const plays = (example.dataset.example ?? "").split("|");
  await loadMessages(); // the cards have names
  draw(example, ...plays.map((cards) => cardRow(cards, "small")));
}
