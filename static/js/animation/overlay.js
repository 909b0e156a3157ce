// @ts-check
// The layer above the page on which elements move. It takes no clicks and is hidden from screen readers. The page below
// already shows the final state. Only `transform` and `opacity` are animated.

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

/** @type {HTMLElement | null} */
let overlay = null;

/** Tell whether to animate: the page is visible and reduced motion is not requested. */
export function isMotionAllowed() {
  return !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Append an element to the overlay, and create the overlay if needed. @param {HTMLElement} node */
function addToOverlay(node) {
  if (overlay === null) {
    overlay = document.createElement("div");
    overlay.className = "stage";
    overlay.dataset.zone = "stage";
    overlay.setAttribute("aria-hidden", "true");
    document.body.append(overlay);
  }
  overlay.append(node);
}

/** Measure where an element is drawn, in pixels of the viewport. @param {Element} element @returns {Box} */
export function measureBox(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x, y, width, height };
}

/** Return the centre of a box, as a box without size. @param {Box} box @returns {Box} */
export function centre({ x, y, width, height }) {
  return { x: x + width / 2, y: y + height / 2, width: 0, height: 0 };
}

/** Return whether two boxes share an area. @param {Box} one @param {Box} other */
export function doBoxesOverlap(one, other) {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

/** Animations that can be cancelled together. */
export class AnimationGroup {
  /** @type {Map<Animation, HTMLElement>} */
  #running = new Map();
  /** @type {Set<HTMLElement>} Elements in the overlay, removed when their animation ends. */
  #entered = new Set();

  /**
   * Animate an element. With `enters`, put it into the overlay first and remove it after the animation.
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
    // With "both", an overlay element does not reappear between its last frame and its removal.
    const animation = element.animate(keyframes, { fill: enters ? "both" : "backwards", ...timing });
    this.#running.set(animation, element);
    animation.onfinish = () => {
      this.#running.delete(animation);
      // An earlier animation of the same element may have removed it already.
      if (enters && this.#entered.delete(element)) element.remove();
    };
  }

  /** Cancel the animations of elements that belong to the page. Overlay elements continue. */
  cancelInPlace() {
    for (const [animation, element] of this.#running) {
      if (this.#entered.has(element)) continue;
      animation.cancel();
      this.#running.delete(animation);
    }
  }

  /** Cancel all animations and remove their overlay elements. */
  cancelAll() {
    for (const animation of this.#running.keys()) animation.cancel();
    for (const element of this.#entered) element.remove();
    this.#running.clear();
    this.#entered.clear();
  }
}
