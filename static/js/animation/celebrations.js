// @ts-check
// Shows special events: an effect on the table, or a scene over it. Each takes at most 1.5 seconds, blocks nothing, and ends
// with any press. Viewers can turn all of them off.

import { draw, h } from "../lib/virtual_dom.js";
import { FEATHER } from "../ui/feather.js";
import { AnimationGroup, measureBox, centre, doBoxesOverlap, isMotionAllowed } from "./overlay.js";
import { areScenesOn } from "./scene_setting.js";
import { PART_MOVES, SCENE_MS, sceneFor } from "./scenes.js";

/**
 * @import { Box } from "./overlay.js"
 * @import { Moment } from "../events/presentation.js"
 * @import { Cast } from "./scenes.js"
 */
/** @typedef {NonNullable<Moment["celebrated"]>} Celebration */
/**
 * Where to celebrate: the cloth, the trick on it, and the avatar of the player concerned.
 * `low`: bottom of the part of the cloth that the player's cards leave free.
 * `large`: scale compared with a phone, so that shapes fill a wide table.
 * @typedef {{ felt: HTMLElement, cloth: Box, trick: Box, low: number, large: number, who: HTMLElement | null, play: AnimationGroup }} CelebrationScene
 */

const EASE_OUT = "cubic-bezier(0.2, 0.8, 0.3, 1)";
const EASE_IN = "cubic-bezier(0.6, 0, 0.9, 0.4)";

/** Time in which a text or a scene fades in or out, in milliseconds. */
const COMES = 150;

/** Cards are tossed back so long after others were given, in milliseconds. */
const ANSWER_MS = 550;
/** A scene waits for a deal that came with it, in milliseconds. */
const DEAL_MS = 1000;

/** Keep the old cloth for this time, in milliseconds. The celebration has started by then. */
const HOLD_MS = 500;

/** Up to this height of the cloth, in pixels, the scale is 1. LARGEST is the maximum scale. */
const LOW = 360;
const LARGEST = 1.8;

const CROWN = "M8 44L4 14l16 12L32 6l12 20 16-12-4 30z";
const LOCK = "M16 30v-8a16 16 0 0 1 32 0v8h4v28H12V30zm8 0h16v-8a8 8 0 0 0-16 0z";
const ARROW_ROUND =
  "M32 8a24 24 0 0 1 22 15l6-3-6 18-16-9 7-3A16 16 0 0 0 19 23l-8-4A24 24 0 0 1 32 8zM32 56A24 24 0 0 1 10 41l-6 3 6-18 16 9-7 3a16 16 0 0 0 26 3l8 4a24 24 0 0 1-21 11z";
const DART = "M2 32l40-9V10l20 22-20 22V41z";

/**
 * Create a shape from a path in a 64 × 64 box, `size` pixels large, centred on a box.
 * @param {string} path
 * @param {Box} at
 * @param {number} size
 * @param {string} [look]
 */
function shapeElement(path, at, size, look = "") {
  const { x, y } = centre(at);
  return overlayElement(`shape ${look}`, { x: x - size / 2, y: y - size / 2, width: size, height: size }, [
    h("svg", { viewBox: "0 0 64 64" }, h("path", { d: path })),
  ]);
}

/** @param {string} look @param {Box} box @param {import("../lib/virtual_dom.js").Children[]} [children] */
function overlayElement(look, { x, y, width, height }, children = []) {
  const node = document.createElement("div");
  node.className = `celebrates ${look}`;
  node.dataset.celebrates = look;
  for (const [name, value] of Object.entries({ left: x, top: y, width, height }))
    node.style.setProperty(name, `${value}px`);
  draw(node, children);
  return node;
}

/** Measure a bird where it comes to stand: in a result it may still glide there. @param {HTMLElement} bird @returns {Box} */
function settledBox(bird) {
  const [box, { a, e, f }] = [measureBox(bird), new DOMMatrix(getComputedStyle(bird).transform)];
  const [{ x, y }, width, height] = [centre(box), box.width / a, box.height / a];
  return { x: x - e - width / 2, y: y - f - height / 2, width, height };
}

/**
 * Flip the table after the play has landed: it folds away with the old cloth and returns with the new cloth. Seats and
 * cards stay on it, and flying cards stay above.
 * @param {CelebrationScene} scene
 */
function flipTable({ felt, cloth, play }) {
  // A wide table would be cut off at both sides if it came closer. Move it back while it turns.
  const far = `perspective(${Math.max(900, 1.5 * cloth.width)}px)`;
  const behind = `translateZ(${-cloth.height / 2}px)`;
  const timing = { delay: 300, duration: 1000 };
  play.animate(
    felt,
    [
      { transform: `${far} translateZ(0) rotateX(0deg)`, easing: EASE_IN },
      { transform: `${far} ${behind} rotateX(90deg)`, offset: 0.38, easing: "step-end" },
      { transform: `${far} ${behind} rotateX(-90deg)`, offset: 0.38, easing: "ease-out" },
      { transform: `${far} translateZ(0) rotateX(12deg)`, offset: 0.85, easing: "ease-in-out" },
      { transform: `${far} translateZ(0) rotateX(0deg)` },
    ],
    timing,
  );
  play.animate(felt, [{ opacity: 1 }, { opacity: 1, offset: 0.38 }, { opacity: 0, offset: 0.38 }, { opacity: 0 }], {
    ...timing,
    pseudoElement: "::before",
  });
}

/** Turn an arrow by half a circle. `way`: 1 clockwise, -1 anticlockwise. @param {CelebrationScene} scene @param {number} way */
function spinArrow({ trick, large, play }, way) {
  play.animate(
    shapeElement(ARROW_ROUND, trick, 110 + 60 * large),
    [
      { transform: "rotate(0deg) scale(0.7)", opacity: 0 },
      { opacity: 1, offset: 0.2 },
      { opacity: 1, offset: 0.75 },
      { transform: `rotate(${way * 180}deg) scale(1.1)`, opacity: 0 },
    ],
    { duration: 850, easing: "ease-in-out" },
    true,
  );
}

/** Show waves and sparks at the trick after the cards land, and shake the table. @param {CelebrationScene} scene @param {number} [delay] */
function explode({ felt, trick, large, play }, delay = 280) {
  const around = (/** @type {number} */ size) => {
    const { x, y } = centre(trick);
    return { x: x - size / 2, y: y - size / 2, width: size, height: size };
  };
  for (const [i, size] of [150, 230, 310].entries())
    play.animate(
      overlayElement("wave", around(size * large)),
      [
        { transform: "scale(0.12)", opacity: 0 },
        { opacity: 1, offset: 0.1 },
        { opacity: 0.75, offset: 0.55 },
        { transform: "scale(1)", opacity: 0 },
      ],
      { delay: delay + i * 90, duration: 820, easing: EASE_OUT },
      true,
    );
  for (let i = 0; i < 10; i += 1) {
    const angle = i * 36 + (i % 2) * 13;
    const far = (90 + (i % 3) * 34) * large;
    play.animate(
      overlayElement("spark", around(20 * large)),
      [
        { transform: `rotate(${angle}deg) translateX(8px) scale(1)`, opacity: 0 },
        { opacity: 1, offset: 0.05 },
        { transform: `rotate(${angle}deg) translateX(${far}px) scale(0.3)`, opacity: 0.2 },
      ],
      { delay, duration: 700, easing: EASE_OUT },
      true,
    );
  }
  const shakes = [0, -6, 4, -2, 0].map((x) => ({ transform: `translate(${x}px, ${Math.abs(x) / 2}px)` }));
  play.animate(felt, shakes, { delay, duration: 420, fill: "none" });
}

/** Shoot a dart from the seat to the trick, where it explodes. @param {CelebrationScene} scene */
function shootDart(scene) {
  const { cloth, trick, large, who, play } = scene;
  const from = centre(who ? measureBox(who) : { ...cloth, y: cloth.y + cloth.height, height: 0 });
  const to = centre(trick);
  const angle = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
  const there = `translate(${to.x - from.x}px, ${to.y - from.y}px) rotate(${angle}deg)`;
  play.animate(
    shapeElement(DART, from, 64 * large, "dart"),
    [
      { transform: `translate(0, 0) rotate(${angle}deg) scale(0.5)`, opacity: 1 },
      { transform: `${there} scale(1.15)`, opacity: 1 },
    ],
    { duration: 460, easing: EASE_IN },
    true,
  );
  explode(scene, 440);
}

/** Draw a slash through the cards of the trick. @param {CelebrationScene} scene */
function slashCards({ trick, play }) {
  const wide = Math.max(150, trick.width * 1.25);
  const { x, y } = centre(trick);
  play.animate(
    overlayElement("slash", { x: x - wide / 2, y: y - 5, width: wide, height: 10 }),
    [
      { transform: "rotate(-16deg) translateX(-50%) scaleX(0)", opacity: 1 },
      { transform: "rotate(-16deg) translateX(0) scaleX(1)", opacity: 1, offset: 0.4 },
      { transform: "rotate(-16deg) translateX(0) scaleX(1)", opacity: 1, offset: 0.6 },
      { transform: "rotate(-16deg) translateX(50%) scaleX(0)", opacity: 0 },
    ],
    { delay: 260, duration: 620, easing: EASE_OUT },
    true,
  );
}

/** Elements on the cloth that a player needs to see, even while a shape moves. */
const NEEDED =
  ".card, [data-seat], [data-zone=by], [data-zone=also], [data-zone=signs], [data-zone=last-trick], [data-zone=card-order]";

/** Return a place of this size on the cloth that covers no card and no name; the nearest to the trick. @param {CelebrationScene} scene @param {number} size @returns {Box} */
function freePlace({ felt, cloth, trick, low }, size) {
  const covered = [...felt.querySelectorAll(NEEDED)].map((each) => measureBox(/** @type {HTMLElement} */ (each)));
  const { x, y } = centre(trick);
  const places = [];
  for (let top = cloth.y; top + size <= low; top += size / 4)
    for (let left = cloth.x; left + size <= cloth.x + cloth.width; left += size / 4)
      places.push({ x: left, y: top, width: size, height: size });
  const away = (/** @type {Box} */ box) => Math.hypot(centre(box).x - x, centre(box).y - y);
  places.sort((one, other) => away(one) - away(other));
  return places.find((place) => !covered.some((box) => doBoxesOverlap(place, box))) ?? trick;
}

/** Stamp a lock beside the trick. @param {CelebrationScene} scene */
function stampLock(scene) {
  const { large, play } = scene;
  const size = 56 * large;
  play.animate(
    shapeElement(LOCK, freePlace(scene, size), size),
    [
      { transform: "scale(0.4)", opacity: 0, easing: EASE_IN },
      { transform: "none", opacity: 1, offset: 0.26, easing: "ease-in-out" },
      { transform: "scale(0.9)", opacity: 1, offset: 0.36, easing: "ease-in-out" },
      { transform: "none", opacity: 1, offset: 0.46 },
      { transform: "none", opacity: 1, offset: 0.84 },
      { transform: "none", opacity: 0 },
    ],
    { delay: 240, duration: 1250 },
    true,
  );
}

/** Drop the crown that the bird wears, when the bird has come to its place. @param {CelebrationScene} scene */
function dropCrown({ who, play }) {
  const crown = /** @type {HTMLElement | null} */ (who?.querySelector("[data-worn=crown]") ?? null);
  if (crown === null) return;
  play.animate(
    crown,
    [
      { transform: "translateY(-30%) rotate(-18deg) scale(1.2)", opacity: 0, easing: EASE_IN },
      { transform: "rotate(4deg)", opacity: 1, offset: 0.6, easing: "ease-out" },
      { transform: "translateY(-8%) rotate(-3deg)", offset: 0.8 },
      { transform: "none" },
    ],
    { delay: 450, duration: 700 },
  );
}

/** Bow the avatar and let it lose a feather. @param {CelebrationScene} scene */
function bowHead({ who, play }) {
  if (who === null) return;
  const at = settledBox(who);
  const size = Math.min(34, at.width * 0.7);
  // A small bird stands close above its name.
  const sinks = (/** @type {number} */ way) => `${(way * size) / 34}px`;
  play.animate(
    shapeElement(FEATHER, at, size, "feather"),
    [
      { transform: "rotate(20deg)", opacity: 0 },
      { transform: `translate(5px, ${sinks(2)}) rotate(-30deg)`, opacity: 1, offset: 0.2, easing: "ease-in-out" },
      { transform: `translate(-5px, ${sinks(6)}) rotate(30deg)`, opacity: 1, offset: 0.5, easing: "ease-in-out" },
      { transform: `translate(4px, ${sinks(9)}) rotate(-20deg)`, opacity: 1, offset: 0.8, easing: "ease-in-out" },
      { transform: `translate(0, ${sinks(12)}) rotate(10deg)`, opacity: 0 },
    ],
    { duration: 1500 },
    true,
  );
  play.animate(
    who,
    [
      { transform: "none" },
      { transform: "translateY(7px) rotate(24deg) scale(0.88)", offset: 0.35 },
      { transform: "translateY(7px) rotate(24deg) scale(0.88)", offset: 0.7 },
      { transform: "none" },
    ],
    { duration: 1000, easing: "ease-in-out" },
  );
}

/** Let a crown fall off the avatar, which bows. @param {CelebrationScene} scene */
function loseCrown(scene) {
  const { who, play } = scene;
  if (who === null) return;
  const at = settledBox(who);
  play.animate(
    shapeElement(CROWN, at, at.width, "crown"),
    [
      { transform: "none", opacity: 1 },
      { transform: "translate(2px, -2px) rotate(16deg)", opacity: 1, offset: 0.5, easing: EASE_IN },
      { transform: `translate(0, ${at.height / 2}px) rotate(80deg) scale(0.4)`, opacity: 0 },
    ],
    { duration: 700 },
    true,
  );
  bowHead(scene);
}

/** Flash the cloth and let the last play jump. @param {CelebrationScene} scene */
function flareCloth({ felt, cloth, play }) {
  const light = overlayElement("flare", cloth);
  light.style.setProperty("border-radius", getComputedStyle(felt).borderRadius);
  play.animate(
    light,
    [{ opacity: 0 }, { opacity: 0.85, offset: 0.25 }, { opacity: 0 }],
    { duration: 1100, easing: "ease-out" },
    true,
  );
  const cards = felt.querySelector(".play.now .cards-row");
  if (cards === null) return;
  play.animate(
    /** @type {HTMLElement} */ (cards),
    [
      { transform: "none" },
      { transform: "translateY(-14px) scale(1.25) rotate(-5deg)", offset: 0.3 },
      { transform: "scale(1.1) rotate(4deg)", offset: 0.6 },
      { transform: "none" },
    ],
    { delay: 260, duration: 800, easing: "ease-out" },
  );
}

/** The effects on the table. An exchange is a scene (animation/scenes.js). @type {Partial<Record<Celebration, (scene: CelebrationScene) => void>>} */
const ANIMATIONS = {
  flare: flareCloth,
  turn: flipTable,
  flip: (scene) => spinArrow(scene, 1),
  reverse: (scene) => spinArrow(scene, -1),
  blast: explode,
  launch: shootDart,
  cut: slashCards,
  lock: stampLock,
  crown: dropCrown,
  bow: bowHead,
  fall: loseCrown,
  triumph: dropCrown,
};

/** Show a text in the lower half of the cloth, above the player's cards. @param {string} text @param {CelebrationScene} scene */
function showRibbon(text, { cloth, low, play }) {
  const y = cloth.y + cloth.height * 0.5;
  const ribbon = overlayElement("ribbon", { ...cloth, y, height: low - y }, [h("p", null, text)]);
  play.animate(
    ribbon,
    [
      { transform: "translateY(12px) scale(0.92)", opacity: 0 },
      { transform: "none", opacity: 1, offset: COMES / SCENE_MS },
      { transform: "none", opacity: 1, offset: 1 - COMES / SCENE_MS },
      { transform: "translateY(-6px)", opacity: 0 },
    ],
    { duration: SCENE_MS, easing: "ease-out" },
    true,
  );
}

/**
 * Show a scene over the cloth, or over the whole screen. Without motion only its picture appears.
 * @param {NonNullable<ReturnType<typeof sceneFor>>} scene
 * @param {Box} box
 * @param {AnimationGroup} play
 */
function showScene({ look, drawn }, box, play) {
  const layer = overlayElement(`scene-layer ${look}`, box, drawn);
  const still = !isMotionAllowed();
  const frames = still
    ? [{ opacity: 1 }, { opacity: 1 }]
    : [
        { opacity: 0 },
        { opacity: 1, offset: COMES / SCENE_MS },
        { opacity: 1, offset: 1 - COMES / SCENE_MS },
        { opacity: 0 },
      ];
  play.animate(layer, frames, { duration: SCENE_MS }, true);
  if (still) return;
  const far = (layer.querySelector(".scene-lane")?.clientWidth ?? 0) * 0.6;
  const wait = layer.querySelector(".hand_over") === null ? 0 : ANSWER_MS;
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (layer.querySelectorAll("[data-part]"))) {
    const moves = PART_MOVES[part.dataset.part ?? ""]?.(far, wait);
    if (moves) play.animate(part, ...moves);
  }
}

/** Starts and stops celebrations over a table. */
export class Celebrations {
  #play = new AnimationGroup();
  /** Animations that keep the old cloth visible until the celebration starts. */
  #kept = new AnimationGroup();
  /** The scene, which the next cards that move end. */
  #scene = new AnimationGroup();
  #timer = 0;

  /** Whether scenes take the whole screen, as on a television. */
  whole = document.getElementById("screen") !== null;

  constructor() {
    for (const kind of ["pointerdown", "keydown"])
      window.addEventListener(kind, () => this.#endAll(), { capture: true, passive: true });
  }

  /** Stop all celebrations, and finish the moves of a picture that belongs to the page. */
  #endAll() {
    for (const each of document.getAnimations())
      if (each instanceof CSSAnimation && /** @type {KeyframeEffect} */ (each.effect).target?.closest("[data-scene]"))
        each.finish();
    this.stopAll();
  }

  /** Stop all celebrations. */
  stopAll() {
    this.#kept.cancelAll();
    this.#play.cancelAll();
    this.stopScene();
  }

  /**
   * Stop what must not go on: a deal ends all celebrations of the previous hand, and cards that move end a scene.
   * @param {Moment[]} moments
   * @param {boolean} deal
   */
  stopBefore(moments, deal) {
    if (deal) this.stopAll();
    else this.stopTableMoves();
    if (moments.some(({ journeys }) => journeys.length > 0)) this.stopScene();
  }

  /** Stop the scene, because cards come to lie below it. */
  stopScene() {
    window.clearTimeout(this.#timer);
    this.#scene.cancelAll();
  }

  /** Stop celebrations that move the table. Overlay shapes continue. */
  stopTableMoves() {
    this.#kept.cancelAll();
    this.#play.cancelInPlace();
  }

  /** Keep the old cloth visible before the table flips. @param {ParentNode} root @param {Moment[]} moments */
  holdOldCloth(root, moments) {
    const felt = /** @type {HTMLElement | null} */ (root.querySelector(".felt"));
    const turns = moments.some(({ celebrated }) => celebrated === "turn");
    if (felt === null || !turns || !areScenesOn() || !isMotionAllowed()) return;
    this.#kept.cancelAll();
    this.#kept.animate(felt, [{ opacity: 1 }, { opacity: 1 }], { duration: HOLD_MS, pseudoElement: "::before" });
  }

  /**
   * Celebrate the special moments among these. Stops earlier celebrations.
   * @param {ParentNode} root
   * @param {Moment[]} moments
   * @param {Cast} cast
   */
  celebrate(root, moments, cast) {
    const great = moments.filter(({ celebrated }) => celebrated !== null);
    const felt = /** @type {HTMLElement | null} */ (root.querySelector(".felt"));
    if (great.length === 0 || felt === null || document.hidden || !areScenesOn()) return;
    this.stopAll();
    // A result has its own picture and text, which a scene or a ribbon would cover.
    const over = root.querySelector(".result, .end-picture") !== null;
    const lies = root.querySelector(".play.now .cards-row") ?? root.querySelector(".middle") ?? felt;
    const cloth = measureBox(felt);
    const large = Math.min(LARGEST, Math.max(1, cloth.height / LOW));
    const hand = root.querySelector(".hand");
    const low = Math.min(cloth.y + cloth.height, hand === null ? Infinity : measureBox(hand).y);
    const picture = over ? null : sceneFor(great, cast, this.whole);
    if (picture !== null) {
      const screen = { x: 0, y: 0, width: window.innerWidth, height: window.innerHeight };
      const box = this.whole ? screen : { ...cloth, height: low - cloth.y };
      const deals = moments.some(({ journeys }) => journeys.some(({ to }) => to.where === "all"));
      if (deals) this.#timer = window.setTimeout(() => showScene(picture, box, this.#scene), DEAL_MS);
      else showScene(picture, box, this.#scene);
    }
    if (!isMotionAllowed() || (picture !== null && this.whole)) return;
    const scene = { felt, cloth, trick: measureBox(lies), low, large, play: this.#play };
    // Find all avatars before adding shapes, because each measurement after that would force a new layout.
    const looks = great.map(({ event, celebrated }) => ({
      celebrated,
      who: findAvatar(root, event.by, cast.you.name),
    }));
    for (const { celebrated, who } of looks) if (celebrated) ANIMATIONS[celebrated]?.({ ...scene, who });
    const said = over ? undefined : great.findLast(({ tone, text }) => tone === "great" && text !== "");
    if (said) showRibbon(said.text, { ...scene, who: null });
  }
}

/** Find a player's visible avatar: in a result, at a seat, or at your own side. @param {ParentNode} root @param {unknown} name @param {string | null} me */
function findAvatar(root, name, me) {
  const named = typeof name === "string" ? CSS.escape(name) : "";
  const found = [
    `.result [data-who="${named}"] .avatar`,
    `[data-seat="${named}"] .avatar`,
    name === me ? ".me .avatar" : "",
  ]
    .filter(Boolean)
    .map((selector) => /** @type {HTMLElement | null} */ (root.querySelector(selector)));
  return found.find((element) => element !== null && element.getClientRects().length > 0) ?? null;
}
