// @ts-check
// Draws the player's own side of the table: name, status, and the cards, chosen by touch, mouse or keyboard.

import { cardFace } from "../ui/card_faces.js";
import { cardName, rankOf, suitOf } from "../model/card_names.js";
import { handleCardPress } from "../input/card_input.js";
import { button, h } from "../lib/virtual_dom.js";
import { addSoftHyphens } from "../lib/soft_hyphens.js";
import { t, formatList } from "../lib/messages.js";
import { SORT_MODES, setSort } from "../input/hand_order.js";
import { seatAvatar, stateText } from "./seats.js";
import { icon } from "../ui/icons.js";
import { ownDelayNotice } from "./waiting.js";
import { cardOfSlot, combinableCards, splitCards } from "../model/card_selection.js";
import {
  cardActions,
  handSlots,
  legalActions,
  isBarred,
  isMyTurn,
  actionName,
  owedGifts,
  cardPurpose,
  buildScene,
} from "../model/state.js";
import { scoreText, titleName } from "../events/labels.js";

/**
 * @import { Desk } from "../types.d.ts"
 * @import { Slot } from "../model/card_selection.js"
 */

/**
 * Return the cards to mark as playable next, or null if that is not known. An empty set: no card can be played.
 * @param {Desk} desk
 * @returns {Set<string> | null}
 */
function nextCards(desk) {
  const { model, update } = desk;
  const kind = cardPurpose(update);
  const actions = cardActions(model);
  // After a pass for the trick, or if only a pass is left, no card can be played.
  const mustPass = isMyTurn(update) && legalActions(update, "beside").length > 0;
  if (kind === null && (mustPass || isBarred(update))) return new Set();
  const complete = update.you.more !== true && owedGifts(update).length < 2 && (kind === "cards" || kind === "gifts");
  if (!complete || actions.length === 0) return null;
  const fitting = combinableCards(actions, model.chosen.map(cardOfSlot));
  // If the choice matches no action, mark all playable cards.
  return fitting.size > 0 ? fitting : combinableCards(actions, []);
}

/**
 * Draw the player's cards.
 * @param {Desk} desk @param {{ hand: boolean, faces: boolean }} [stage] while the page loads: whether to draw cards, and their faces
 */
export function hand(desk, { hand: held, faces } = { hand: true, faces: true }) {
  const { model, update } = desk;
  const mine = handSlots(model);
  if (mine.length === 0 || !held) return emptyHand(desk);
  const next = nextCards(desk);
  const grid = handGrid(mine.length, Math.max(mine.length, model.most), model.felt);
  const { cols, tight } = grid;
  const stop = mine.find((slot) => slot.id === model.stop) ?? mine[0];
  const all = mine.every((each) => next?.has(each.card));
  return h(
    "div",
    {
      key: "hand",
      "data-zone": "hand",
      "data-scrolls": model.felt.scrolls,
      "data-drop": model.drag?.over === "felt" ? "felt" : undefined,
      class: handClass(desk, grid),
      // Tab stops once here, and arrow keys move between cards: screen readers call this a toolbar.
      role: "toolbar",
      "aria-label": t("hand.label", { count: mine.length }),
      style: handStyle(grid),
    },
    mine.map((slot, i) =>
      cardButton(desk, slot, {
        // If every card is playable, mark none.
        mark: next === null || all ? "" : next.has(slot.card) ? "good" : "dim",
        does: next?.has(slot.card) === true ? cardHint(update, all) : "",
        // No card of its row lies over it, and none of the next row.
        whole: (!tight || i === mine.length - 1 || i % cols === cols - 1) && i + cols >= mine.length,
        stop: slot === stop,
        gap: gapClass(model.drag, mine, slot),
        col: i % cols,
        row: Math.floor(i / cols),
        faces,
      }),
    ),
  );
}

/**
 * Return the label of a marked card for screen readers.
 * @param {import("../types.d.ts").Update} update @param {boolean} all whether every card is marked
 */
function cardHint(update, all) {
  if (cardPurpose(update) === "cards") return t("hand.playable");
  return all ? "" : t("hand.to_give");
}

/**
 * Return the class of a card before or behind the gap into which carried cards would be dropped.
 * @param {import("../types.d.ts").Drag | null} drag @param {Slot[]} mine @param {Slot} slot
 */
function gapClass(drag, mine, slot) {
  if (drag === null || drag.to === null) return "";
  const others = mine.filter((each) => !drag.ids.includes(each.id));
  const at = others.indexOf(slot);
  if (at < 0) return "";
  return at === drag.to ? "gap-before" : drag.to === others.length && at === drag.to - 1 ? "gap-behind" : "";
}

/** @typedef {ReturnType<typeof handGrid>} Grid */

/** @param {Desk} desk @param {Grid} grid */
function handClass({ model }, { tight, fan, space }) {
  const looks = [
    tight ? "tight" : "",
    fan ? "bent" : "",
    space > 2 ? "stacked" : "",
    model.felt.scrolls ? "scrolls" : "",
  ];
  return ["hand", ...looks, model.drag?.over === "felt" ? "to-felt" : ""].filter(Boolean).join(" ");
}

/** Return the CSS properties that place the cards. @param {Grid} grid */
function handStyle({ cols, rows, space }) {
  return { "--cols": cols, "--gaps": Math.max(1, cols - 1), "--rows": space, "--free": space - rows };
}

/** @param {Desk} desk @param {import("../model/card_selection.js").Slot} slot @param {{ mark: "good" | "dim" | "", does: string, whole: boolean, stop: boolean, gap: string, col: number, row: number, faces: boolean }} seen */
function cardButton(desk, slot, { mark, does, whole, stop, gap, col, row, faces }) {
  const { model, update } = desk;
  const { table } = update;
  const to = Object.keys(model.basket).find((name) => model.basket[name]?.includes(slot.id));
  const chosen = model.chosen.includes(slot.id) || to !== undefined;
  const fresh = model.fresh.includes(slot.id);
  const top = rankOf(slot.card) === (table?.inverted ? table.ranks?.at(-1) : undefined);
  const carried = model.drag?.how === "carry" && model.drag.ids.includes(slot.id) ? "carried" : "";
  const standing = [top ? "top" : "", whole ? "whole" : "", fresh ? "fresh" : ""];
  const shown = mark === "dim" && chosen ? "" : mark;
  const looks = [carried, gap, chosen ? "chosen" : "", shown, ...standing];
  return button(
    {
      key: slot.id,
      class: ["card", ...looks].filter(Boolean).join(" "),
      "data-suit": suitOf(slot.card),
      "data-rank": rankOf(slot.card),
      "data-card": slot.card,
      "data-slot": slot.id,
      style: { "--col": col, "--row": row },
      "data-fits": shown === "" ? undefined : shown === "good" ? "yes" : "no",
      "data-highest": top,
      "data-new": fresh,
      "data-carried": carried !== "",
      "data-gap": gap === "" ? undefined : gap.slice("gap-".length),
      "aria-pressed": chosen,
      "aria-label": formatList([
        cardName(slot.card),
        does,
        top ? t("hand.highest") : "",
        fresh ? t("hand.fresh") : "",
        to && owedGifts(update).length > 1 ? t("hand.for", { name: to }) : "",
      ]),
      tabindex: stop ? "0" : "-1",
      onfocus: () => model.stop !== slot.id && desk.set({ stop: slot.id }),
      onclick: (/** @type {Event} */ event) => handleCardPress(desk, slot.id, /** @type {MouseEvent} */ (event)),
    },
    faces ? cardFace(slot.card) : null,
  );
}

/** Draw an empty space for the cards, before the deal and after the last card is played, so that nothing moves. @param {Desk} desk */
function emptyHand(desk) {
  const { model, update } = desk;
  if (model.most === 0 || update.room.phase !== "playing") return null;
  const grid = handGrid(1, model.most, model.felt);
  return h("div", {
    key: "emptied",
    "data-zone": "hand",
    class: handClass(desk, grid),
    style: handStyle(grid),
  });
}

/** Visible width of each card that a thumb needs, in pixels (css/table/hand.css). */
const STRIP = 40;
/** From this number of cards on, a single row on a phone is a fan. */
const FAN = 8;
/** Width of a card, and of the margins and borders beside the felt, in pixels: on a phone, held sideways, and wider. */
const SIZES = {
  upright: { whole: 70, around: 18 },
  sideways: { whole: 53, around: 28 },
  desktop: { whole: 82, around: 40 },
};

/**
 * Arrange the cards in the fewest rows in which each card shows a strip for the thumb. Their space has room for the most
 * cards held in this hand, so that nothing moves when cards are played.
 * @param {number} count number of cards now
 * @param {number} most most cards held in this hand
 * @param {import("../types.d.ts").Model["felt"]} felt size of the felt, which is nearly as wide as the cards
 */
function handGrid(count, most, felt) {
  const kind = felt.wide ? (felt.tall ? "desktop" : "sideways") : "upright";
  const { whole, around } = SIZES[kind];
  const width = felt.width + around - whole;
  const across = Math.max(4, Math.floor(width / STRIP) + 1);
  const rows = Math.ceil(count / across);
  const cols = Math.ceil(count / rows);
  const tight = width / Math.max(1, cols - 1) < whole;
  const fan = kind !== "desktop" && rows === 1 && count >= FAN;
  return { cols, rows, space: Math.ceil(most / across), tight, fan };
}

/** Draw the player's name, status, clock and tools; for spectators, the panel of spectators. @param {Desk} desk */
export function ownSeat(desk) {
  const { update, model } = desk;
  const { room, table, you } = update;
  if (table === null) return null;
  if (you.name === null || !table.seats.includes(you.name)) return desk.after?.spectatorPanel(desk) ?? null;
  const player = table.players[you.name];
  const turn = isMyTurn(update);
  const scene = buildScene(update, model);
  return h(
    "div",
    { key: "me", "data-zone": "me", class: `me${turn ? " turn" : ""}` },
    seatAvatar(scene, you.name),
    h(
      "span",
      { class: "me-text" },
      h("span", { "data-zone": "name", class: "name", translate: "no" }, addSoftHyphens(you.name)),
      h(
        "span",
        { "data-zone": "about", class: "what" },
        ownDelayNotice(desk) ??
          // Parts that change in a hand come last, so that the others keep their places.
          [
            scoreText(table, you.name),
            stateText(scene, you.name) ||
              titleName(player?.title) ||
              (table.dealer === you.name ? t("seat.dealer") : ""),
          ]
            .filter(Boolean)
            .flatMap((part, i) => [i > 0 ? " · " : null, h("span", null, part)]),
      ),
    ),
    h("span", {
      "data-zone": "clock",
      class: "me-clock",
      "data-countdown": room.deadlines[you.name] ?? "",
      "data-reserve-from": room.reserve_from[you.name],
      "data-key": room.reserve_from[you.name] && "me.reserve",
    }),
    // Buttons that come and go stand before those that stay, so that the latter don't move.
    desk.prospects !== null && splitCards(you.cards).length > 0 && table.middle === "trick"
      ? playableListButton(desk)
      : null,
    you.decree && room.phase !== "finished"
      ? button(
          { key: "order", class: "tool sort", onclick: () => desk.set({ sheet: "order" }) },
          t(`action.${actionName(update, "text")}`),
        )
      : null,
    splitCards(you.cards).length > 0 && model.most > 3 ? sortSelect(desk) : null,
  );
}

/** Draw the icon of the card order. The list lies over it, invisible. @param {Desk} desk */
function sortSelect(desk) {
  const { sort } = desk.model;
  return h(
    "span",
    { key: "sort", class: "sorting tool" },
    icon("order"),
    h(
      "select",
      {
        "aria-label": t("hand.sort"),
        title: t("hand.sort"),
        value: sort,
        onchange: (/** @type {Event} */ event) =>
          setSort(desk, /** @type {typeof sort} */ (/** @type {HTMLSelectElement} */ (event.target).value)),
      },
      SORT_MODES.map((each) =>
        h("option", { key: each, value: each, selected: each === sort }, t(`hand.sort.${each}`)),
      ),
    ),
  );
}

/** Draw the button that opens the list of legal plays. @param {Desk} desk */
function playableListButton(desk) {
  const title = t("prospects.title");
  return button(
    {
      key: "prospects",
      class: "tool",
      "aria-label": title,
      title,
      "data-open": "prospects",
      "aria-expanded": desk.model.sheet === "prospects",
      onclick: () => desk.set({ sheet: "prospects" }),
    },
    icon("idea"),
  );
}
