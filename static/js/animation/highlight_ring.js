// @ts-check
// A ring around what a sentence speaks of. It lies over the page and belongs to nothing that is drawn: it looks where
// that is, and looks again when anything has moved.

/** @type {HTMLElement[]} */
const rings = [];
/** @type {HTMLElement | null} */
let page = null;
let currentTarget = "";
let frameRequest = 0;

/** What is meant: the elements for each ring. @param {HTMLElement} root @param {string} target as steps of lessons say it @returns {Element[][]} */
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

/** Those that stand in one row together. @param {Element[]} cards @returns {Element[][]} */
function groupByRow(cards) {
  /** @type {Map<number, Element[]>} */
  const rows = new Map();
  for (const card of cards) {
    // The row that it is drawn in (table/hand.js): a chosen card is raised.
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

/** How far from the corners of what is said its beak stays. */
const CORNER = 24;

/** The beak of what is said turns to what is pointed at. @param {HTMLElement} page @param {ReturnType<typeof boundingBox>} box */
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
    // Within the page: a ring whose edge nobody sees points at nothing.
    const left = Math.max(3, box.left - BESIDE);
    const top = Math.max(3, box.top - BESIDE);
    const width = Math.min(window.innerWidth - 3, box.right + BESIDE) - left;
    const height = Math.min(window.innerHeight - 3, box.bottom + BESIDE) - top;
    for (const [name, value] of Object.entries({ left, top, width, height }))
      ring.style.setProperty(name, `${value}px`);
  });
}

/** What moves ends where it is going: look in every frame as long as anything does. */
function placeWhileAnimating() {
  placeRings();
  if (document.getAnimations().some((each) => each.effect?.getTiming().iterations === 1)) schedulePlacement();
}

function schedulePlacement() {
  if (frameRequest === 0) frameRequest = requestAnimationFrame(placeWhileAnimating);
}

/**
 * Point at what a step speaks of, until something else is pointed at.
 * @param {HTMLElement} root
 * @param {string} points as steps of lessons say it; nothing: at nothing
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
