// @ts-check
// Pure: adds soft hyphens to long words, so that they can break across lines in narrow places.

/** Shortest word that gets soft hyphens, and shortest part between them, in letters. */
const MIN_WORD_LENGTH = 9;
const MIN_PART_LENGTH = 3;

const SOFT_HYPHEN = "\u00ad";
const VOWEL = /[aeiouyäöüàáâèéêìíîòóôùúûåæøāēīōū]/i;
const CONSONANT_PAIR = /^(ch|ck|gh|ph|sh|th|qu|st|tr|br|dr|gr|kr|pr|fr|kl|bl|gl|pl|fl|sch)$/i;

/**
 * Insert soft hyphens between the syllables of long words. A syllable starts at a consonant, or a pair such as “ch”, that
 * is followed by a vowel.
 * @param {string} text
 */
export function addSoftHyphens(text) {
  return text.replace(/\p{L}+/gu, (word) =>
    [...word].length < MIN_WORD_LENGTH ? word : splitSyllables([...word]).join(SOFT_HYPHEN),
  );
}

/** @param {string[]} letters */
function splitSyllables(letters) {
  const found = [];
  let from = 0;
  for (let at = MIN_PART_LENGTH; at <= letters.length - MIN_PART_LENGTH; at++) {
    if (at - from < MIN_PART_LENGTH || !isSyllableStart(letters, at)) continue;
    found.push(letters.slice(from, at).join(""));
    from = at;
  }
  return [...found, letters.slice(from).join("")];
}

/** Return whether a syllable starts at this letter. @param {string[]} letters @param {number} at */
function isSyllableStart(letters, at) {
  const [before = "", here = "", next = "", after = ""] = letters.slice(at - 1, at + 3);
  if (VOWEL.test(here) || CONSONANT_PAIR.test(before + here)) return false;
  return VOWEL.test(next) || (CONSONANT_PAIR.test(here + next) && VOWEL.test(after));
}
