// @ts-check
// The keyboard shortcuts at the table. The same list defines their effects and the help sheet.

import { isSoundOn } from "../sound/mute_setting.js";
import { chooseNextCombination, chooseRank, passTurn, playChosen, clearChoice } from "./card_input.js";
import { t } from "../lib/messages.js";
import { moveCardBy, cycleSort } from "./hand_order.js";
import { getPreference } from "../lib/preferences.js";
import { SPOKEN_REPORTS } from "../a11y/announcements.js";

/** @import { Desk } from "../types.d.ts" */

/**
 * A shortcut with its keys. `does` gets the pressed key and the focused element; it returns false if it did nothing, so that
 * the browser handles the key as usual. Without `does` only the browser handles the key.
 * @typedef {{
 *   keys: string[],
 *   words: string,
 *   shown?: string[],
 *   on: "card" | "table",
 *   shifted?: boolean,
 *   does?: (desk: Desk, key: string, here: HTMLElement) => boolean | void,
 * }} Shortcut
 */

/** Return the rank for a key. The keys 0 and 1 stand for 10: the key T is used otherwise. @param {string} key */
const rankOfKey = (key) => (key === "0" || key === "1" ? "T" : key.toUpperCase());

/** @type {{ title: string, keys: Shortcut[] }[]} */
export const SHORTCUT_GROUPS = [
  {
    title: "keys.cards",
    keys: [
      { keys: ["ArrowLeft", "ArrowRight"], words: "keys.walk", on: "card", does: focusCardInRow },
      { keys: ["ArrowUp", "ArrowDown"], words: "keys.rows", on: "card", does: focusCardInNextRow },
      { keys: ["Home", "End"], words: "keys.ends", on: "card", does: focusCardInRow },
      { keys: [" "], words: "keys.choose", on: "card" },
      {
        keys: [..."23456789JQKAX10".toLowerCase()],
        shown: ["2–9", "0", "J", "Q", "K", "A", "X"],
        words: "keys.rank",
        on: "table",
        does: (desk, key) => chooseRank(desk, rankOfKey(key)),
      },
      { keys: ["n"], words: "keys.next", on: "table", does: chooseNextCombination },
      { keys: ["Escape"], words: "keys.put_back", on: "table", does: clearChoice },
      { keys: ["ArrowLeft", "ArrowRight"], shifted: true, words: "keys.move", on: "card", does: moveCardByKey },
      { keys: ["o"], words: "keys.sort", on: "table", does: cycleSort },
    ],
  },
  {
    title: "keys.playing",
    keys: [
      {
        keys: ["Enter"],
        words: "keys.play",
        on: "table",
        does: (desk, _, here) => isEnterFree(here) && playChosen(desk),
      },
      { keys: ["p"], words: "keys.pass", on: "table", does: (desk) => passTurn(desk) },
      { keys: ["w"], words: "prospects.title", on: "table", does: ({ set }) => set({ sheet: "prospects" }) },
      { keys: ["v"], words: "keys.sound", on: "table", does: toggleSoundAloud },
      { keys: ["m"], words: "keys.menu", on: "table", does: ({ set }) => set({ sheet: "menu", form: {} }) },
      { keys: ["?"], words: "keys.help", on: "table", does: ({ set }) => set({ sheet: "keys" }) },
    ],
  },
  {
    title: "keys.ears",
    keys: [...SPOKEN_REPORTS].map(([key, { words, tells }]) => ({
      keys: [key],
      words,
      on: "table",
      does: ({ model, update, say }) => say(tells(update, model)),
    })),
  },
];

const ALL_SHORTCUTS = SHORTCUT_GROUPS.flatMap(({ keys }) => keys);

/** Return whether letter keys are on. People can turn them off, because they may conflict with other programs' shortcuts. */
export const areLetterKeysEnabled = () => getPreference("keys", "on") === "on";

/** Return whether Enter may play the choice: the focus is on a chosen card, or not on a button or link. @param {HTMLElement} here */
const isEnterFree = (here) => here.matches(".hand [aria-pressed=true]") || !here.matches("button, a, summary");

/**
 * Run the shortcut of a pressed key, if it has any. Keys in form fields, and keys with Ctrl, Alt or Meta, are ignored.
 * @param {Desk} desk
 * @param {KeyboardEvent} event
 */
export function handleKeyDown(desk, event) {
  const { ctrlKey, metaKey, altKey, shiftKey, target } = event;
  if (ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return;
  if (target.matches("input, select, textarea")) return;
  const letter = event.key.length === 1 && event.key !== " ";
  if (letter && !areLetterKeysEnabled()) return;
  const key = letter ? event.key.toLowerCase() : event.key;
  const onCard = target.matches(".hand .card");
  const found = ALL_SHORTCUTS.find(
    (each) =>
      each.keys.includes(key) && (each.on === "table" || onCard) && (letter || (each.shifted ?? false) === shiftKey),
  );
  if (found?.does !== undefined && found.does(desk, key, target) !== false) event.preventDefault();
}

/** Toggle sound, and tell screen readers whether it is on. @param {Desk} desk */
function toggleSoundAloud(desk) {
  void desk.toggleSound().then(() => desk.say(t(isSoundOn() ? "sound.on" : "sound.off")));
}

/** @param {HTMLElement} card */
const cardButtons = (card) => [...(card.closest(".hand")?.querySelectorAll("button") ?? [])];

/** Focus the previous, next, first or last card; arrows wrap around. @param {Desk} _ @param {string} key @param {HTMLElement} card */
function focusCardInRow(_, key, card) {
  const cards = cardButtons(card);
  const at = cards.indexOf(/** @type {HTMLButtonElement} */ (card));
  const step = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: cards.length - 1 }[key] ?? at;
  cards[(step + cards.length) % cards.length]?.focus();
}

/** Focus the nearest card in the row above or below. @param {Desk} _ @param {string} key @param {HTMLElement} card */
function focusCardInNextRow(_, key, card) {
  const way = key === "ArrowUp" ? -1 : 1;
  const here = card.getBoundingClientRect();
  let best = null;
  let distance = Infinity;
  for (const other of cardButtons(card)) {
    const box = other.getBoundingClientRect();
    const down = (box.top - here.top) * way;
    const far = Math.abs(box.left - here.left) + down * 3;
    if (down >= here.height / 3 && far < distance) [best, distance] = [other, far];
  }
  best?.focus();
}

/** @param {Desk} desk @param {string} key @param {HTMLElement} card */
function moveCardByKey(desk, key, card) {
  moveCardBy(desk, card.dataset.slot ?? "", key === "ArrowLeft" ? -1 : 1);
}
