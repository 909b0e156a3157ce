// @ts-check
// Cards under a finger or a mouse: drawn along the hand they are chosen, up onto the felt they are played, and elsewhere
// in the hand they are put there. What is drawn to nowhere changes nothing.

import { choose, mark, playCards } from "./card_input.js";
import { between, meant, placeAt } from "./drag_geometry.js";
import { put } from "./hand_order.js";
import { handOf } from "../model/state.js";

/** @typedef {import("../types.d.ts").Desk} Desk */
/** @typedef {import("../types.d.ts").Drag} Drag */

/** Milliseconds after which a card that is held down is lifted. */
const HELD = 320;

/** One press on a card, from down to up. */
export class Dragging {
  /**
   * @param {HTMLElement} root where cards are drawn
   * @param {() => Desk | null} desk as it is now
   */
  constructor(root, desk) {
    this.root = root;
    this.desk = desk;
    /** @type {{ pointer: number, id: string, x: number, y: number, lifted: boolean, held: boolean, hand: number | undefined, before: string[] } | null} */
    this.press = null;
    this.timer = 0;
    root.addEventListener("pointerdown", (event) => this.down(event));
    document.addEventListener("pointermove", (event) => this.move(event));
    document.addEventListener("pointerup", (event) => this.up(event));
    document.addEventListener("pointercancel", (event) => event.pointerId === this.press?.pointer && this.drop());
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.drop(), { capture: true });
    // Where the page scrolls, a finger scrolls it; but not when it has waited for the card.
    root.addEventListener("touchmove", (event) => this.press?.held && event.cancelable && event.preventDefault(), {
      passive: false,
    });
  }

  /** What is drawn now, if something is. @returns {Drag | null} */
  get drag() {
    return this.press === null ? null : (this.desk()?.model.drag ?? null);
  }

  /** @param {PointerEvent} event */
  down({ target, pointerId, clientX, clientY, button, isPrimary }) {
    const card = target instanceof Element ? target.closest(".hand .card") : null;
    const desk = this.desk();
    if (!isPrimary) return this.drop();
    if (button !== 0 || !(card instanceof HTMLElement) || desk === null) return;
    const id = card.dataset.slot ?? "";
    const before = desk.model.chosen;
    const place = { x: clientX, y: clientY, hand: desk.update.table?.number };
    this.press = { pointer: pointerId, id, ...place, lifted: before.includes(id), held: false, before };
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.lift(), HELD);
  }

  /** The card was held down: it is carried, whichever way it goes. */
  lift() {
    const desk = this.desk();
    if (this.press === null || desk === null || desk.model.drag !== null) return;
    this.press.lifted = this.press.held = true;
    this.begin(desk, "carry");
  }

  /** @param {Desk} desk @param {Drag["how"]} how */
  begin(desk, how) {
    if (this.press === null) return;
    const { id, before } = this.press;
    desk.set({ drag: { how, ids: how === "carry" && before.includes(id) ? before : [id], over: null, to: null } });
    this.glide(0, 0);
  }

  /** Cards that are carried follow, without anything being drawn anew. @param {number} x @param {number} y */
  glide(x, y) {
    const { style } = document.documentElement;
    style.setProperty("--drag-x", `${x}px`);
    style.setProperty("--drag-y", `${y}px`);
  }

  /** @param {PointerEvent} event */
  move({ pointerId, clientX, clientY }) {
    const { press } = this;
    const desk = this.desk();
    if (press === null || desk === null || pointerId !== press.pointer) return;
    const at = { x: clientX, y: clientY };
    const { drag } = desk.model;
    if (drag === null) {
      const how = meant(press, at, press.lifted);
      if (how === null) return;
      // The hand is another one, or the card is gone.
      if (desk.update.table?.number !== press.hand || !handOf(desk.model).some((slot) => slot.id === press.id))
        return this.drop();
      this.begin(desk, how);
      if (how === "run") this.run(desk, at);
      return;
    }
    if (drag.how === "run") return this.run(desk, at);
    this.glide(at.x - press.x, at.y - press.y);
    const over = this.under(at, ".hand") ? "hand" : this.under(at, ".felt") ? "felt" : null;
    const to = over === "hand" ? placeAt(this.others(drag.ids), at) : null;
    if (over !== drag.over || to !== drag.to) desk.set({ drag: { ...drag, over, to } });
  }

  /** Choose from where it began to here. @param {Desk} desk @param {{ x: number, y: number }} at */
  run(desk, at) {
    const { press } = this;
    const card = this.under(at, ".hand .card");
    if (press === null || !(card instanceof HTMLElement)) return;
    const ids = between(
      handOf(desk.model).map((slot) => slot.id),
      press.id,
      card.dataset.slot ?? "",
    );
    const chosen = [...new Set([...press.before, ...ids])];
    if (chosen.join() !== desk.model.chosen.join()) mark(desk, chosen);
  }

  /** What lies under a point, cards that are carried apart. @param {{ x: number, y: number }} at @param {string} what */
  under({ x, y }, what) {
    return document.elementFromPoint(x, y)?.closest(what) ?? null;
  }

  /** Where the other cards stand. @param {string[]} ids */
  others(ids) {
    const all = [.../** @type {NodeListOf<HTMLElement>} */ (this.root.querySelectorAll(".hand .card"))];
    return all.filter((card) => !ids.includes(card.dataset.slot ?? "")).map((card) => card.getBoundingClientRect());
  }

  /** @param {PointerEvent} event */
  up(event) {
    const { press, drag } = this;
    const desk = this.desk();
    if (press === null || event.pointerId !== press.pointer) return;
    const at = { x: event.clientX, y: event.clientY };
    if (desk === null || drag === null || (press.lifted && meant(press, at, true) === null)) return this.drop();
    window.clearTimeout(this.timer);
    // What the browser takes for a click was none.
    const stop = (/** @type {Event} */ click) => click.stopPropagation();
    document.addEventListener("click", stop, { capture: true, once: true });
    window.setTimeout(() => document.removeEventListener("click", stop, { capture: true }));
    if (drag.how === "run" && this.under(at, ".hand") === null) return this.drop();
    this.press = null;
    desk.set({ drag: null });
    if (drag.how === "run") choose(desk, desk.model.chosen);
    else if (drag.over === "hand" && drag.to !== null) put(desk, drag.ids, drag.to);
    else if (drag.over === "felt") playCards(desk, drag.ids);
  }

  /** It has led nowhere. */
  drop() {
    const { press } = this;
    const desk = this.desk();
    this.press = null;
    window.clearTimeout(this.timer);
    if (press === null || desk === null || desk.model.drag === null) return;
    const held = new Set(handOf(desk.model).map((slot) => slot.id));
    desk.set({ drag: null, chosen: press.before.filter((id) => held.has(id)) });
  }
}
