// @ts-check
// Dragging cards by finger or mouse. Dragging along the hand chooses cards, dragging onto the felt plays them, and carrying
// them within the hand moves them. Dropping cards elsewhere changes nothing. A flick up from a chosen card plays the choice.

import { chooseSlots, setChosen, playSlots } from "./card_input.js";
import { slotRange, dragIntent, insertionIndex, isFlick } from "./drag_geometry.js";
import { moveCards } from "./hand_order.js";
import { suppressClick } from "./suppress_click.js";
import { handSlots } from "../model/state.js";

/** @import { Desk, Drag } from "../types.d.ts" */

/** Milliseconds after which a card that is held down is picked up. */
const CARRY_PRESS_MS = 320;

/** Handles each press on a card, from pointer down to pointer up. */
export class CardDragHandler {
  /**
   * @param {HTMLElement} root element in which cards are drawn
   * @param {() => Desk | null} desk returns the current desk
   */
  constructor(root, desk) {
    this.root = root;
    this.desk = desk;
    /** @type {{ pointer: number, id: string, x: number, y: number, since: number, lifted: boolean, held: boolean, hand: number | undefined, before: string[] } | null} */
    this.press = null;
    this.timer = 0;
    root.addEventListener("pointerdown", (event) => this.handlePointerDown(event));
    document.addEventListener("pointermove", (event) => this.handlePointerMove(event));
    document.addEventListener("pointerup", (event) => this.handlePointerUp(event));
    document.addEventListener("pointercancel", (event) => event.pointerId === this.press?.pointer && this.cancelDrag());
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.cancelDrag(), { capture: true });
    // A finger may scroll the page, but not after a long press on a card.
    root.addEventListener("touchmove", (event) => this.press?.held && event.cancelable && event.preventDefault(), {
      passive: false,
    });
  }

  /** The current drag, or null. @returns {Drag | null} */
  get drag() {
    return this.press === null ? null : (this.desk()?.model.drag ?? null);
  }

  /** @param {PointerEvent} event */
  handlePointerDown({ target, pointerId, clientX, clientY, button, isPrimary, timeStamp }) {
    const card = target instanceof Element ? target.closest(".hand .card") : null;
    const desk = this.desk();
    if (!isPrimary) return this.cancelDrag();
    if (button !== 0 || !(card instanceof HTMLElement) || desk === null) return;
    const id = card.dataset.slot ?? "";
    const before = desk.model.chosen;
    const place = { x: clientX, y: clientY, since: timeStamp, hand: desk.update.table?.number };
    this.press = { pointer: pointerId, id, ...place, lifted: before.includes(id), held: false, before };
    window.clearTimeout(this.timer);
    // On a busy machine the timer may run before movements that were made earlier. They come before the next frame.
    this.timer = window.setTimeout(() => {
      const { press } = this;
      requestAnimationFrame(() => press === this.press && this.startCarrying());
    }, CARRY_PRESS_MS);
  }

  /** Start carrying after a long press, in any direction. */
  startCarrying() {
    const desk = this.desk();
    if (this.press === null || desk === null || desk.model.drag !== null) return;
    this.press.lifted = this.press.held = true;
    this.startDrag(desk, "carry");
  }

  /** Start a drag; carrying a chosen card carries all chosen cards. @param {Desk} desk @param {Drag["how"]} how */
  startDrag(desk, how) {
    if (this.press === null) return;
    const { id, before } = this.press;
    desk.set({ drag: { how, ids: how === "carry" && before.includes(id) ? before : [id], over: null, to: null } });
    this.setDragOffset(0, 0);
  }

  /** Move the carried cards by CSS properties, without drawing the table again. @param {number} x @param {number} y */
  setDragOffset(x, y) {
    const { style } = document.documentElement;
    style.setProperty("--drag-x", `${x}px`);
    style.setProperty("--drag-y", `${y}px`);
  }

  /** @param {PointerEvent} event */
  handlePointerMove({ pointerId, clientX, clientY }) {
    const { press } = this;
    const desk = this.desk();
    if (press === null || desk === null || pointerId !== press.pointer) return;
    const at = { x: clientX, y: clientY };
    const { drag } = desk.model;
    if (drag === null) {
      const how = dragIntent(press, at, press.lifted);
      if (how === null) return;
      // Cancel if another hand has begun, or the player no longer holds the card.
      if (desk.update.table?.number !== press.hand || !handSlots(desk.model).some((slot) => slot.id === press.id))
        return this.cancelDrag();
      this.startDrag(desk, how);
      if (how === "run") this.chooseRun(desk, at);
      return;
    }
    if (drag.how === "run") return this.chooseRun(desk, at);
    this.setDragOffset(at.x - press.x, at.y - press.y);
    const over = this.elementUnder(at, ".hand") ? "hand" : this.elementUnder(at, ".felt") ? "felt" : null;
    const to = over === "hand" ? insertionIndex(this.otherCardBoxes(drag.ids), at) : null;
    if (over !== drag.over || to !== drag.to) desk.set({ drag: { ...drag, over, to } });
  }

  /** Choose all cards from the start of the drag to the card at this point. @param {Desk} desk @param {{ x: number, y: number }} at */
  chooseRun(desk, at) {
    const { press } = this;
    const card = this.elementUnder(at, ".hand .card");
    if (press === null || !(card instanceof HTMLElement)) return;
    const ids = slotRange(
      handSlots(desk.model).map((slot) => slot.id),
      press.id,
      card.dataset.slot ?? "",
    );
    const chosen = [...new Set([...press.before, ...ids])];
    if (chosen.join() !== desk.model.chosen.join()) setChosen(desk, chosen);
  }

  /** Find the element at a point, ignoring carried cards. @param {{ x: number, y: number }} at @param {string} what */
  elementUnder({ x, y }, what) {
    return document.elementFromPoint(x, y)?.closest(what) ?? null;
  }

  /** Return the boxes of the cards that are not carried. @param {string[]} ids slot ids of the carried cards */
  otherCardBoxes(ids) {
    const all = [.../** @type {NodeListOf<HTMLElement>} */ (this.root.querySelectorAll(".hand .card"))];
    return all.filter((card) => !ids.includes(card.dataset.slot ?? "")).map((card) => card.getBoundingClientRect());
  }

  /** @param {PointerEvent} event */
  handlePointerUp(event) {
    const { press, drag } = this;
    const desk = this.desk();
    if (press === null || event.pointerId !== press.pointer) return;
    const at = { x: event.clientX, y: event.clientY };
    if (desk === null || drag === null || (press.lifted && dragIntent(press, at, true) === null))
      return this.cancelDrag();
    window.clearTimeout(this.timer);
    suppressClick();
    if (drag.how === "run" && this.elementUnder(at, ".hand") === null) return this.cancelDrag();
    const flicked = press.before.includes(press.id) && isFlick(press, at, event.timeStamp - press.since);
    this.press = null;
    desk.set({ drag: null });
    if (flicked) playSlots(desk, drag.ids);
    else if (drag.how === "run") chooseSlots(desk, desk.model.chosen);
    else if (drag.over === "hand" && drag.to !== null) moveCards(desk, drag.ids, drag.to);
    else if (drag.over === "felt") playSlots(desk, drag.ids);
  }

  /** Cancel the press and restore the earlier choice. */
  cancelDrag() {
    const { press } = this;
    const desk = this.desk();
    this.press = null;
    window.clearTimeout(this.timer);
    if (press === null || desk === null || desk.model.drag === null) return;
    const held = new Set(handSlots(desk.model).map((slot) => slot.id));
    desk.set({ drag: null, chosen: press.before.filter((id) => held.has(id)) });
  }
}
