// @ts-check
// Long words for narrow places: where they may be broken, should there be no room for them in one line. Pure.

/** No word is broken that is shorter, and no part is shorter than this. */
const MIN_WORD_LENGTH = 9;
const MIN_PART_LENGTH = 3;

const SOFT_HYPHEN = "\u00ad";
const VOWEL = /[aeiouyäöüàáâèéêìíîòóôùúûåæøāēīōū]/i;
const CONSONANT_PAIR = /^(ch|ck|gh|ph|sh|th|qu|st|tr|br|dr|gr|kr|pr|fr|kl|bl|gl|pl|fl|sch)$/i;

/**
 * A text in whose long words a line may end between syllables, as far as letters tell them: before a consonant, or two that
 * belong together, that a vowel follows.
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

/** Whether a syllable begins here. @param {string[]} letters @param {number} at */
function isSyllableStart(letters, at) {
  const [before = "", here = "", next = "", after = ""] = letters.slice(at - 1, at + 3);
  if (VOWEL.test(here) || CONSONANT_PAIR.test(before + here)) return false;
  return VOWEL.test(next) || (CONSONANT_PAIR.test(here + next) && VOWEL.test(after));
}
