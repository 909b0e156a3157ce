// @ts-check
// The state of a page, in one place. All changes go through it, so none of them can forget to draw the page.

/**
 * Create a store for immutable state.
 *
 * `set` merges a change and schedules a drawing. All changes before that drawing share it: a batch is drawn once. The
 * first change of a batch decides when that happens. `reduce` replaces the state without drawing it: for functions
 * that call `set` afterwards, that run while the page is drawn, or whose change must wait for the next drawing.
 * @template {object} State
 * @param {object} options
 * @param {State} options.initial
 * @param {() => void} options.draw draws the page from the state as it is then
 * @param {(draw: () => void) => void} [options.schedule] calls `draw` at once or later; by default in a microtask
 * @param {(state: State, change: Partial<State>) => State} [options.merge] returns the next state; if it returns the
 *   given state, nothing has changed and nothing is drawn
 */
export function createStore({
  initial,
  draw,
  schedule = queueMicrotask,
  merge = (state, change) => ({ ...state, ...change }),
}) {
  let state = initial;
  let scheduled = false;

  function drawBatch() {
    // Before the drawing, so that a change made by the drawing itself starts the next batch.
    scheduled = false;
    draw();
  }

  return {
    get: () => state,

    /** @param {Partial<State>} change @param {(draw: () => void) => void} [when] schedules this batch instead */
    set(change, when = schedule) {
      const next = merge(state, change);
      if (next === state) return;
      state = next;
      if (scheduled) return;
      scheduled = true;
      when(drawBatch);
    },

    /** @param {(state: State) => State} next */
    reduce(next) {
      state = next(state);
    },
  };
}

/** @template {object} State @typedef {ReturnType<typeof createStore<State>>} Store */
