// @ts-check
// The store of a room's page: what each change brings with it.

import { createStore } from "../lib/store.js";
import { like, liked } from "../lib/preferences.js";
import { likedSort } from "../input/hand_order.js";
import { foreseen } from "../table/felt.js";
import { initial, sameSize } from "../model/state.js";

/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("../lib/store.js").Store<Model>} ModelStore */

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
      ...initial(),
      felt: foreseen(),
      sort: likedSort(),
      passing: liked(PASSES_IN, "") === room ? { until: "beats", trick: null } : null,
    },
    draw,
    merge: (model, change) => {
      if (change.felt !== undefined && sameSize(change.felt, model.felt)) return model;
      if (change.passing !== undefined) like(PASSES_IN, change.passing?.until === "beats" ? room : "");
      // Other cards are another question: a refusal was about the earlier choice.
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
