// @ts-check
// The store of a room's page, and the side effects of its changes.

import { createStore } from "../lib/store.js";
import { setPreference, getPreference } from "../lib/preferences.js";
import { preferredSort } from "../input/hand_order.js";
import { estimateFeltSize } from "../table/felt.js";
import { initialModel, sameSize } from "../model/state.js";

/**
 * @import { Model } from "../types.d.ts"
 * @import { Store } from "../lib/store.js"
 */
/** @typedef {Store<Model>} ModelStore */

/** The preference that holds the room where "pass when I can't play" is on. It stays on until the player ends it. */
const PASSES_IN = "passes_in";

/**
 * Create the store of this room's page.
 * @param {string} room the room's id
 * @param {() => void} draw draws the page
 * @returns {ModelStore}
 */
export function createModelStore(room, draw) {
  return createStore({
    initial: {
      ...initialModel(),
      felt: estimateFeltSize(),
      watching: globalThis.location?.hash === "#watch",
      sort: preferredSort(),
      passing: getPreference(PASSES_IN, "") === room ? { until: "beats", trick: null } : null,
    },
    draw,
    merge: (model, change) => {
      if (change.felt !== undefined && sameSize(change.felt, model.felt)) return model;
      if (change.passing !== undefined) setPreference(PASSES_IN, change.passing?.until === "beats" ? room : "");
      // A refusal was about the earlier choice of cards, so remove it when the choice changes.
      const refused = change.chosen !== undefined && model.notice?.bad === true;
      return {
        ...model,
        ...(change.chosen === undefined ? {} : { sure: null }),
        ...(refused ? { notice: null } : {}),
        ...change,
      };
    },
  });
}
