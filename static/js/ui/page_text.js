// @ts-check
// The text of pages that the server writes: show the letters of ranks that this browser prefers, as at the table, and
// leave out soft hyphens from a copied text.

import { getPreference } from "../lib/preferences.js";
import { LETTERS } from "../model/card_names.js";

const letters = getPreference("letters", LETTERS);
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let text = texts.nextNode(); text && letters !== LETTERS; text = texts.nextNode()) {
  const said = text.nodeValue ?? "";
  const shown = said.replace(/[JQKA](?=[♣♦♥♠])/g, (letter) => letters[LETTERS.indexOf(letter)] ?? letter);
  if (shown !== said) text.nodeValue = shown;
}

document.addEventListener("copy", (event) => {
  const copied = String(getSelection());
  if (!copied.includes("\u00ad")) return;
  event.clipboardData?.setData("text/plain", copied.replaceAll("\u00ad", ""));
  event.preventDefault();
});
