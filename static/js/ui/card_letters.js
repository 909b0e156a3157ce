// @ts-check
// On pages that the server writes with cards: show the letters of ranks that this browser prefers, as at the table.

import { getPreference } from "../lib/preferences.js";
import { LETTERS } from "../model/card_names.js";

const letters = getPreference("letters", LETTERS);
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let text = texts.nextNode(); text && letters !== LETTERS; text = texts.nextNode()) {
  const said = text.nodeValue ?? "";
  const shown = said.replace(/[JQKA](?=[♣♦♥♠])/g, (letter) => letters[LETTERS.indexOf(letter)] ?? letter);
  if (shown !== said) text.nodeValue = shown;
}
