// @ts-check
// Long words for narrow places: where they may be broken, should there be no room for them in one line. Pure.

/** No word is broken that is shorter, and no part is shorter than this. */
const LONG = 9;
const PART = 3;

const SOFT = "\u00ad";
const VOWEL = /[aeiouyäöüàáâèéêìíîòóôùúûåæøāēīōū]/i;
const TOGETHER = /^(ch|ck|gh|ph|sh|th|qu|st|tr|br|dr|gr|kr|pr|fr|kl|bl|gl|pl|fl|sch)$/i;

/**
 * A text in whose long words a line may end between syllables, as far as letters tell them: before a consonant, or two that
 * belong together, that a vowel follows.
 * @param {string} text
 */
export function breakable(text) {
  return text.replace(/\p{L}+/gu, (word) => ([...word].length < LONG ? word : parts([...word]).join(SOFT)));
}

/** @param {string[]} letters */
function parts(letters) {
  const found = [];
  let from = 0;
  for (let at = PART; at <= letters.length - PART; at++) {
    if (at - from < PART || !begins(letters, at)) continue;
    found.push(letters.slice(from, at).join(""));
    from = at;
  }
  return [...found, letters.slice(from).join("")];
}

/** Whether a syllable begins here. @param {string[]} letters @param {number} at */
function begins(letters, at) {
  const [before = "", here = "", next = "", after = ""] = letters.slice(at - 1, at + 3);
  if (VOWEL.test(here) || TOGETHER.test(before + here)) return false;
  return VOWEL.test(next) || (TOGETHER.test(here + next) && VOWEL.test(after));
}
