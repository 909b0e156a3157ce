// @ts-check
// One's own side of the table: who one is, and the cards, to be chosen by touch, mouse or keyboard.

import { bare } from "./bare.js";
import { cardName, face, rankOf, suitOf } from "./cards.js";
import { button, h } from "./dom.js";
import { shown, t } from "./messages.js";
import { avatar } from "./render_seats.js";
import { myWait } from "./render_waits.js";
import { bystander } from "./render_welcome.js";
import { cardOf, exact, partners, split, toggle } from "./selection.js";
import { FEW_READINGS, choices, held, myTurn, nameOf, owed, purpose, readings, sceneOf } from "./state.js";
import { titleName } from "./words.js";

/** @typedef {import("./types.d.ts").Desk} Desk */

/** The chosen cards, as they stand in the hand. @param {Desk} desk @returns {string[]} */
export function picked(desk) {
  return held(desk.update, desk.model.sort)
    .filter((slot) => desk.model.chosen.includes(slot.id))
    .map((slot) => slot.card);
}

/** The one whose gift is being chosen, where several are owed. @param {Desk} desk */
function receiver({ model, update }) {
  const gifts = owed(update);
  return gifts.find((gift) => (model.basket[gift.to] ?? []).length < gift.count) ?? null;
}

/**
 * Which cards may come next, if that is known and worth marking.
 * @param {Desk} desk
 * @returns {Set<string> | null}
 */
function nextCards(desk) {
  const { model, update } = desk;
  const kind = purpose(update);
  const actions = choices(model);
  const complete = update.you.more !== true && owed(update).length < 2 && (kind === "cards" || kind === "gifts");
  if (!complete || actions.length === 0) return null;
  const fitting = partners(actions, model.chosen.map(cardOf));
  // A choice that leads nowhere must not hide what would.
  return fitting.size > 0 ? fitting : partners(actions, []);
}

/** @param {Desk} desk */
export function hand(desk) {
  const { model, update } = desk;
  const mine = held(update, model.sort);
  if (mine.length === 0) return emptied(desk);
  const next = nextCards(desk);
  const { cols, rows, tight } = grid(mine.length, Math.max(mine.length, model.most), model.felt);
  const stop = mine.find((slot) => slot.id === model.stop) ?? mine[0];
  return h(
    "div",
    {
      key: "hand",
      class: `hand${tight ? " tight" : ""}${rows > 2 ? " stacked" : ""}`,
      // One stop for Tab, and arrows within: what readers of screens know as a toolbar.
      role: "toolbar",
      "aria-label": t("hand.label", { count: mine.length }),
      style: { "--cols": cols, "--rows": rows },
      onkeydown: (/** @type {Event} */ event) => onKey(desk, /** @type {KeyboardEvent} */ (event)),
    },
    mine.map((slot, i) =>
      card(desk, slot, {
        // Where every card will do, marking all of them would only be noise.
        mark: next === null || mine.every((each) => next.has(each.card)) ? "" : next.has(slot.card) ? "good" : "dim",
        playable: next?.has(slot.card) === true && purpose(update) === "cards",
        // The last of a row is seen whole.
        whole: i === mine.length - 1 || i % cols === cols - 1,
        stop: slot === stop,
      }),
    ),
  );
}

/** @param {Desk} desk @param {import("./selection.js").Slot} slot @param {{ mark: "good" | "dim" | "", playable: boolean, whole: boolean, stop: boolean }} seen */
function card(desk, slot, { mark, playable, whole, stop }) {
  const { model, update } = desk;
  const { table } = update;
  const to = Object.keys(model.basket).find((name) => model.basket[name]?.includes(slot.id));
  const chosen = model.chosen.includes(slot.id) || to !== undefined;
  const top = rankOf(slot.card) === (table?.inverted ? table.ranks?.at(-1) : undefined);
  const looks = [chosen ? "chosen" : "", mark === "dim" && chosen ? "" : mark, top ? "top" : "", whole ? "whole" : ""];
  return button(
    {
      key: slot.id,
      class: ["card", ...looks].filter(Boolean).join(" "),
      "data-suit": suitOf(slot.card),
      "data-rank": rankOf(slot.card),
      "data-card": slot.card,
      "aria-pressed": chosen,
      "aria-label": [
        cardName(slot.card),
        playable ? t("hand.playable") : "",
        top ? t("hand.highest") : "",
        to && owed(update).length > 1 ? t("hand.for", { name: to }) : "",
      ]
        .filter(Boolean)
        .join(", "),
      tabindex: stop ? "0" : "-1",
      onfocus: () => model.stop !== slot.id && desk.set({ stop: slot.id }),
      onclick: () => tap(desk, slot.id),
    },
    ...face(slot.card),
  );
}

/** Who has played all their cards keeps the room where they were, until the hand is over. @param {Desk} desk */
function emptied({ model, update }) {
  if (model.most === 0 || update.room.phase !== "playing") return null;
  return h("div", { key: "emptied", class: "hand", style: { "--cols": 1, "--rows": grid(1, model.most, model.felt).rows } });
}

/** A thumb needs so many pixels of each card. */
const STRIP = 44;
/** How much less than the felt's width is there for the strips: the rest of the last card stands beside them. */
const EDGES = 14;
/** A card of this width is seen whole. */
const WHOLE = { narrow: 58, wide: 82 };

/**
 * How the cards stand: as few rows as leave a strip for the thumb of each. The room for the rows is that of the most
 * cards held in this hand, so that nothing else moves when cards leave.
 * @param {number} count
 * @param {number} most
 * @param {import("./types.d.ts").Model["felt"]} felt the hand is as wide
 */
function grid(count, most, felt) {
  const width = felt.width - EDGES;
  const across = Math.max(4, Math.floor(width / STRIP));
  const rows = Math.ceil(most / across);
  // A few cards that are left stand in one row, and easily.
  const cols = Math.ceil(count / Math.min(rows, Math.ceil(count / 4)));
  return { cols, rows, tight: width / cols < WHOLE[felt.wide ? "wide" : "narrow"] };
}

/** @param {Desk} desk @param {string} id */
function tap(desk, id) {
  const { model, update } = desk;
  const gifts = owed(update);
  if (gifts.length > 1) {
    const owner = Object.keys(model.basket).find((name) => model.basket[name]?.includes(id));
    const to = owner ?? receiver(desk)?.to;
    if (to === undefined) return;
    const now = model.basket[to] ?? [];
    desk.set({ basket: bare({ ...model.basket, [to]: owner ? now.filter((each) => each !== id) : [...now, id] }) });
    return;
  }
  const kind = purpose(update);
  // Where not every possibility is listed, a choice of so many cards is all that is sure.
  const free = kind === "free_cards";
  const some = free || kind === "gifts" ? update.you.particulars?.[nameOf(update, kind)] : undefined;
  const offered = some?.most ?? null;
  const most = offered !== null ? offered : kind === "gifts" && update.you.more && gifts[0] ? gifts[0].count : null;
  const listed = (kind === "cards" && update.you.more) || free ? [] : choices(model);
  const chosen = toggle(held(update, model.sort), listed, model.chosen, id, most);
  desk.set({ chosen });
  if (update.you.more && kind === "cards" && chosen.length > 0) look(desk, chosen.map(cardOf));
}

/** @param {Desk} desk @param {string[]} cards */
function look(desk, cards) {
  if (exact(choices(desk.model), cards).length === 0) desk.ask({ t: "look", cards: cards.join(" ") });
}

/** Arrow keys walk along the cards; Enter on a chosen card plays the choice. @param {Desk} desk @param {KeyboardEvent} event */
function onKey(desk, event) {
  const here = document.activeElement;
  const box = /** @type {HTMLElement} */ (event.currentTarget);
  const cards = [...box.querySelectorAll("button")];
  const at = cards.findIndex((card) => card === here);
  if (at < 0) return;
  const step = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: cards.length - 1 }[event.key];
  if (step !== undefined) {
    event.preventDefault();
    cards[(step + cards.length) % cards.length]?.focus();
  } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
    event.preventDefault();
    const row = rowStep(cards, at, event.key === "ArrowUp" ? -1 : 1);
    if (row !== null) cards[row]?.focus();
  } else if (event.key === "Enter" && here?.getAttribute("aria-pressed") === "true") {
    const ready = exact(choices(desk.model), desk.model.chosen.map(cardOf));
    if (ready[0] === undefined) return;
    event.preventDefault();
    if (ready.length === 1) desk.act(ready[0]);
    else if (readings(desk.model).length > FEW_READINGS) desk.set({ sheet: "ways" });
    else document.querySelector(/** @type {"button"} */ (`.actions [data-do=${ready[0].do}]`))?.focus();
  }
}

/** The nearest card in the row above or below. @param {HTMLElement[]} cards @param {number} at @param {number} way */
function rowStep(cards, at, way) {
  const here = cards[at]?.getBoundingClientRect();
  if (here === undefined) return null;
  let best = null;
  let distance = Infinity;
  cards.forEach((card, i) => {
    const box = card.getBoundingClientRect();
    const down = (box.top - here.top) * way;
    if (down < here.height / 3) return;
    const far = Math.abs(box.left - here.left) + down * 3;
    if (far < distance) [best, distance] = [i, far];
  });
  return best;
}

/** The name and place of the one who looks. @param {Desk} desk */
export function me(desk) {
  const { update, model } = desk;
  const { room, table, you } = update;
  if (table === null) return null;
  if (you.name === null || !table.seats.includes(you.name)) return bystander(desk);
  const player = table.players[you.name];
  const turn = myTurn(update);
  return h(
    "div",
    { key: "me", class: `me${turn ? " turn" : ""}` },
    avatar(sceneOf(update, model), you.name),
    h(
      "span",
      { class: "me-text" },
      h("span", { class: "name" }, you.name),
      h(
        "span",
        { class: "what" },
        [
          titleName(player?.title),
          player?.counter ? shown(player.counter.text) : t("me.points", { count: player?.total ?? 0 }),
          player?.state === "waits" ? t("late.game.you") : null,
          player?.state === "passed" ? t("seat.passed") : null,
          table.dealer === you.name ? t("seat.dealer") : null,
        ]
          .filter(Boolean)
          .join(" · "),
      ),
    ),
    h("span", { class: "me-clock", "data-countdown": room.deadlines[you.name] ?? "" }),
    myWait(desk),
    you.decree && room.phase !== "finished"
      ? button(
          { key: "order", class: "tool sort", onclick: () => desk.set({ sheet: "order" }) },
          t(`action.${nameOf(update, "text")}`),
        )
      : null,
    split(you.cards).length > 3
      ? button(
          {
            class: "tool sort",
            title: t("hand.sort"),
            onclick: () => desk.set({ sort: model.sort === "rank" ? "suit" : "rank" }),
          },
          model.sort === "rank" ? t("hand.sort.rank") : t("hand.sort.suit"),
        )
      : null,
  );
}
