// @ts-check
// Where things are seen to move: over the whole page, out of everybody's way. Nothing here can be touched or heard, and
// what lies below is as it will be; only `transform` and `opacity` are animated.

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

/** @type {HTMLElement | null} */
let overlay = null;

/** Whether anything may move: nobody has asked for less of it, and somebody looks. */
export function isMotionAllowed() {
  return !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Put something on the stage, at its upper left corner. @param {HTMLElement} node */
export function addToOverlay(node) {
  if (overlay === null) {
    overlay = document.createElement("div");
    overlay.className = "stage";
    overlay.dataset.zone = "stage";
    overlay.setAttribute("aria-hidden", "true");
    document.body.append(overlay);
  }
  overlay.append(node);
}

/** Where something is drawn. @param {Element} element @returns {Box} */
export function measureBox(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x, y, width, height };
}

/** The middle of it, without size. @param {Box} box @returns {Box} */
export function centre({ x, y, width, height }) {
  return { x: x + width / 2, y: y + height / 2, width: 0, height: 0 };
}

/** Animations that end together. */
export class AnimationGroup {
  /** @type {Map<Animation, HTMLElement>} */
  #running = new Map();
  /** @type {Set<HTMLElement>} What has entered for them. */
  #entered = new Set();

  /**
   * Animate something; what entered the stage for it leaves when that is over.
   * @param {HTMLElement} element
   * @param {Keyframe[]} keyframes
   * @param {KeyframeAnimationOptions} timing in milliseconds
   * @param {boolean} [enters]
   */
  animate(element, keyframes, timing, enters = false) {
    if (enters) {
      addToOverlay(element);
      this.#entered.add(element);
    }
    // What enters is not seen again between the end of it and its leaving.
    const animation = element.animate(keyframes, { fill: enters ? "both" : "backwards", ...timing });
    this.#running.set(animation, element);
    animation.onfinish = () => {
      this.#running.delete(animation);
      // It may have been kept out of sight before it went.
      if (enters && this.#entered.delete(element)) element.remove();
    };
  }

  /** What has not entered for them lies where it was drawn. */
  cancelInPlace() {
    for (const [animation, element] of this.#running) {
      if (this.#entered.has(element)) continue;
      animation.cancel();
      this.#running.delete(animation);
    }
  }

  /** All is as if nothing had moved. */
  cancelAll() {
    for (const animation of this.#running.keys()) animation.cancel();
    for (const element of this.#entered) element.remove();
    this.#running.clear();
    this.#entered.clear();
  }
}
