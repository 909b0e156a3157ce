// @ts-check
// Feathers that fall, and a number that looks random but is the same for all.

/** Path of a feather in a box of 64 × 64. */
export const FEATHER = "M32 2c12 14 15 34 2 52l-1 8h-3l-1-8C16 36 20 16 32 2z";

/** Return a number from 0 to 1 that looks random but depends only on the seed. @param {number} seed */
export function pseudoRandom(seed) {
  return Math.abs(Math.sin(seed * 12.9898) * 43758.5453) % 1;
}
