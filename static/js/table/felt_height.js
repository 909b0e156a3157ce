// @ts-check
// A result lies on the cloth, which reaches down to the buttons meanwhile: nothing else moves for it. How high one's own side was
// in the hand it keeps, and how high its buttons are is known to the stylesheet (css/table/result.css).

/** @type {WeakMap<Element, ResizeObserver>} */
const watching = new WeakMap();
/** @type {WeakSet<Element>} To observe them again would be to measure them again, with every drawing. */
const watched = new WeakSet();

/** Tell the stylesheet how high these are, in pixels: `--mine` as in the hand, `--acts` as they are. @param {HTMLElement} mine one's own side */
export function trackOwnSideHeight(mine) {
  let observer = watching.get(mine);
  if (observer === undefined) {
    observer = new ResizeObserver(() => updateHeights(mine));
    observer.observe(mine);
    watching.set(mine, observer);
    // The same for each table that comes: one for itself would hold it when it has gone.
    window.addEventListener("resize", resetOwnSideHeight);
  }
  const actions = mine.querySelector(".actions");
  if (actions === null || watched.has(actions)) return;
  watched.add(actions);
  observer.observe(actions);
  // Before the next frame, since what is celebrated goes by where the cloth ends; in the midst of a drawing all would be
  // laid out twice.
  requestAnimationFrame(() => updateHeights(mine));
}

/** Turned round, or larger, the page is another one. */
function resetOwnSideHeight() {
  const board = document.querySelector(".board");
  if (board !== null) setHeightProperty(board, "--mine", "");
}

/** Tell those whom it concerns, and nobody within them: all of these would be styled anew. @param {Element} board @param {string} name @param {string} height */
function setHeightProperty(board, name, height) {
  for (const { style } of /** @type {NodeListOf<HTMLElement>} */ (
    board.querySelectorAll(":scope > .felt, :scope > .mine")
  ))
    if (style.getPropertyValue(name) !== height) style.setProperty(name, height);
}

/** @param {HTMLElement} mine */
function updateHeights(mine) {
  const board = mine.parentElement;
  const actions = mine.querySelector(".actions");
  if (board === null || actions === null) return;
  const { top, bottom } = actions.getBoundingClientRect();
  const own = mine.getBoundingClientRect();
  if (board.querySelector(".result") === null) setHeightProperty(board, "--mine", `${own.height}px`);
  setHeightProperty(board, "--acts", `${Math.max(own.bottom - top, bottom - top)}px`);
}
