// @ts-check
// Pure: objects that inherit nothing. Their keys may be names of people, and somebody may be called “constructor”.

/**
 * A copy without a prototype.
 * @template T
 * @param {Record<string, T>} [object]
 * @returns {Record<string, T>}
 */
export function bare(object = {}) {
  return Object.assign(Object.create(null), object);
}

/**
 * What a JSON text holds, all of it bare.
 * @param {string} text
 * @returns {any}
 */
export function parsed(text) {
  return JSON.parse(text, (_, value) =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? Object.setPrototypeOf(value, null) : value,
  );
}
