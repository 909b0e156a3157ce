// @ts-check
// Pure: objects without a prototype. Their keys may be names of people, and a person may be named “constructor”.

/**
 * Return a shallow copy of an object, without a prototype.
 * @template T
 * @param {Record<string, T>} [object]
 * @returns {Record<string, T>}
 */
export function withoutPrototype(object = {}) {
  return Object.assign(Object.create(null), object);
}

/**
 * Parse JSON into objects without prototypes, at every level.
 * @param {string} text
 * @returns {any}
 */
export function parseJson(text) {
  return stripPrototypes(JSON.parse(text));
}

/** Remove the prototypes of a value and its nested objects, in place. A `JSON.parse` reviver is three times slower. @param {any} value */
function stripPrototypes(value) {
  if (typeof value !== "object" || value === null) return value;
  for (const key in value) stripPrototypes(value[key]);
  return Array.isArray(value) ? value : Object.setPrototypeOf(value, null);
}
