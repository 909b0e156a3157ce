// @ts-check
// Draws rings around the elements that a step of a lesson explains. The rings lie in a separate layer over the page.
// They are placed again whenever an element may have moved.

/** @type {HTMLElement[]} */
const rings = [];
/** @type {HTMLElement | null} */
let page = null;
let currentTarget = "";
let frameRequest = 0;

/**
 * Find the elements of a target, grouped by ring.
 * @param {HTMLElement} root
 * @param {string} target in the notation of lesson steps
 * @returns {Element[][]}
 */
function findTargets(root, target) {
  const [what = "", ...rest] = target.split(" ");
  /** @param {string} selector */
  const all = (selector) => [...root.querySelectorAll(selector)];
  if (what === "cards") return groupByRow(rest.flatMap((card) => all(`.hand [data-card="${CSS.escape(card)}"]`)));
  if (what === "seat") return [all(`[data-seat="${CSS.escape(rest.join(" "))}"]`)];
  if (what === "seats") return all(".seat").map((seat) => [seat]);
  /** @type {Record<string, string>} */
  const places = {
    trick: ".play.now, .things",
    hand: ".hand",
    signs: ".signs",
    me: ".me",
    actions: ".actions [data-do]",
    result: ".result",
  };
  const place = places[what];
  return place === undefined ? [] : [all(place)];
}

/** Group cards by the row in which they are drawn. @param {Element[]} cards @returns {Element[][]} */
function groupByRow(cards) {
  /** @type {Map<number, Element[]>} */
  const rows = new Map();
  for (const card of cards) {
    // Use the row set by table/hand.js. Positions mislead, because a chosen card is raised.
    const row = Number(/** @type {HTMLElement} */ (card).style.getPropertyValue("--row"));
    rows.set(row, [...(rows.get(row) ?? []), card]);
  }
  return [...rows.values()];
}

/** @param {Element[]} elements */
function boundingBox(elements) {
  const boxes = elements.map((each) => each.getBoundingClientRect()).filter((box) => box.width > 0);
  if (boxes.length === 0) return null;
  return {
    left: Math.min(...boxes.map((box) => box.left)),
    top: Math.min(...boxes.map((box) => box.top)),
    right: Math.max(...boxes.map((box) => box.right)),
    bottom: Math.max(...boxes.map((box) => box.bottom)),
  };
}

const BESIDE = 5;

/** Smallest distance of the bubble's beak from its corners, in pixels. */
const CORNER = 24;

/**
 * Turn the beak of the speech bubble to the target, or remove it if the target is beside the bubble.
 * @param {HTMLElement} page
 * @param {ReturnType<typeof boundingBox>} box
 */
function turnBeak(page, box) {
  const words = page.querySelector(".coach > *")?.getBoundingClientRect();
  const above = words !== undefined && box !== null && box.bottom <= words.top + BESIDE;
  const below = words !== undefined && box !== null && box.top >= words.bottom - BESIDE;
  if (words === undefined || box === null || !(above || below)) {
    delete page.dataset.beak;
    return;
  }
  page.dataset.beak = above ? "up" : "down";
  const across = (box.left + box.right) / 2 - words.left;
  page.style.setProperty("--beak", String(Math.max(CORNER, Math.min(words.width - CORNER, across))));
}

/** @param {number} count @returns {HTMLElement[]} */
function ensureRings(count) {
  while (rings.length < count) {
    const ring = document.createElement("div");
    ring.className = "points";
    ring.dataset.zone = "pointer";
    ring.setAttribute("aria-hidden", "true");
    document.body.append(ring);
    rings.push(ring);
  }
  return rings;
}

function placeRings() {
  frameRequest = 0;
  if (page === null) return;
  const groups = currentTarget === "" ? [] : findTargets(page, currentTarget);
  turnBeak(page, boundingBox(groups.flat()));
  const boxes = groups.map(boundingBox).filter((box) => box !== null);
  ensureRings(boxes.length).forEach((ring, i) => {
    const box = boxes[i];
    ring.hidden = box === undefined;
    if (box === undefined) return;
    // Keep the ring inside the window, so that its edges stay visible.
    const left = Math.max(3, box.left - BESIDE);
    const top = Math.max(3, box.top - BESIDE);
    const width = Math.min(window.innerWidth - 3, box.right + BESIDE) - left;
    const height = Math.min(window.innerHeight - 3, box.bottom + BESIDE) - top;
    for (const [name, value] of Object.entries({ left, top, width, height }))
      ring.style.setProperty(name, `${value}px`);
  });
}

/** Place the rings, and again in every frame while an animation runs. */
function placeWhileAnimating() {
  placeRings();
  if (document.getAnimations().some((each) => each.effect?.getTiming().iterations === 1)) schedulePlacement();
}

function schedulePlacement() {
  if (frameRequest === 0) frameRequest = requestAnimationFrame(placeWhileAnimating);
}

/**
 * Draw rings around a target until the next call.
 * @param {HTMLElement} root
 * @param {string} points target in the notation of lesson steps; empty for no ring
 */
export function highlight(root, points) {
  if (page === null) {
    for (const kind of ["resize", "transitionend", "animationend", "animationstart", "transitionrun"])
      window.addEventListener(kind, schedulePlacement);
    document.addEventListener("scroll", schedulePlacement, { capture: true, passive: true });
  }
  page = root;
  if (currentTarget !== points) for (const ring of rings) ring.hidden = true;
  currentTarget = points;
  schedulePlacement();
}
