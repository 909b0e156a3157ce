// @ts-check
// The positions of the other seats on a wide page: an oval of at most 900 pixels, without overlaps.

import assert from "node:assert/strict";
import { test } from "node:test";

import { seatPositions } from "../../../static/js/table/seats.js";

/** Widest oval and largest seat in pixels, as in css/table/seats.css. */
const OVAL = 900;
const SEAT = { width: 122, height: 106 };

test("up to twelve other players sit on an oval of 900 pixels, left and right alike", () => {
  for (let count = 1; count <= 12; count++) {
    const places = seatPositions(count, true);
    assert.equal(places.length, count);
    for (const [i, { x, y }] of places.entries()) {
      const centre = (OVAL * x) / 100;
      assert.ok(centre >= SEAT.width / 2 && centre <= OVAL - SEAT.width / 2, `${count}: ${x}`);
      const facing = places[count - 1 - i];
      assert.ok(
        Math.abs((facing?.x ?? 0) + x - 100) < 1e-9 && Math.abs((facing?.y ?? -1) - y) < 1e-9,
        `${count}: ${i}`,
      );
    }
    for (const [i, one] of places.entries())
      for (const other of places.slice(i + 1)) {
        const across = (Math.abs(one.x - other.x) * OVAL) / 100;
        // The felt of a desktop is 600 pixels high; seats opposite stand at its upper edge.
        const top = (/** @type {number} */ y) => (y === 0 ? 0 : y * 6 - SEAT.height / 2);
        const down = Math.abs(top(one.y) - top(other.y));
        assert.ok(across >= SEAT.width || down >= SEAT.height, `${count}: ${one.x} and ${other.x}`);
      }
  }
});
