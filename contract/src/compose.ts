/** Includes half-width katakana voicing marks, which NFKC turns into combining marks. */
const marks = /[\p{M}\uff9e\uff9f]+/gu;
/** Marks on one letter, as in stream-safe text (UAX #15). */
const MAX_MARKS = 30;

/**
 * Normalizes a text, after limiting the marks on each letter. `normalize` sorts them in quadratic time: 60 kB
 * of marks took a second.
 */
export const compose = (text: string, form: 'NFC' | 'NFKC'): string =>
  text
    .replace(marks, (run) => (run.length > MAX_MARKS ? [...run].slice(0, MAX_MARKS).join('') : run))
    .normalize(form);
