// @ts-check
// Sets the heights of the player's own side as CSS properties. While a result is shown, the felt reaches down to the
// buttons, but other elements stay: css/table/result.css uses the side's height in the hand, and that of the buttons.

/** @type {WeakMap<Element, ResizeObserver>} */
const watching = new WeakMap();
/** @type {WeakSet<Element>} To avoid measuring the same elements again after every drawing. */
const watched = new WeakSet();

/**
 * Keep two CSS properties up to date: `--mine`, height in the hand, and `--acts`, the buttons.
 * @param {HTMLElement} mine the player's side
 */
export function trackOwnSideHeight(mine) {
  let observer = watching.get(mine);
  if (observer === undefined) {
    observer = new ResizeObserver(() => updateHeights(mine));
    observer.observe(mine);
    watching.set(mine, observer);
    // The same function for every table, so that it is added once and keeps no removed table in memory.
    window.addEventListener("resize", resetOwnSideHeight);
  }
  const actions = mine.querySelector(".actions");
  if (actions === null || watched.has(actions)) return;
  watched.add(actions);
  observer.observe(actions);
  // Measure before the next frame, because celebrations depend on where the felt ends. Measuring during the drawing would
  // cause a second layout.
  requestAnimationFrame(() => updateHeights(mine));
}

/** Remove the saved height of the own side, because the page was rotated or resized. */
function resetOwnSideHeight() {
  const board = document.querySelector(".board");
  if (board !== null) setHeightProperty(board, "--mine", "");
}

/**
 * Set a CSS property on the felt and the own side only: setting it higher up would restyle all cards.
 * @param {Element} board @param {string} name @param {string} height
 */
function setHeightProperty(board, name, height) {
  for (const { style } of /** @type {NodeListOf<HTMLElement>} */ (
    board.querySelectorAll(":scope > .felt, :scope > .mine")
  ))
    if (style.getPropertyValue(name) !== height) style.setProperty(name, height);
}

/** Measure the own side and its buttons, and set both properties. @param {HTMLElement} mine */
function updateHeights(mine) {
  const board = mine.parentElement;
  const actions = mine.querySelector(".actions");
  if (board === null || actions === null) return;
  const { top, bottom } = actions.getBoundingClientRect();
  const own = mine.getBoundingClientRect();
  if (board.querySelector(".result") === null) setHeightProperty(board, "--mine", `${own.height}px`);
  setHeightProperty(board, "--acts", `${Math.max(own.bottom - top, bottom - top)}px`);
}
