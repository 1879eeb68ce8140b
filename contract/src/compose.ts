/** Among them half-width katakana's marks of voicing, which NFKC makes marks of the letter before. */
const marks = /[\p{M}\uff9e\uff9f]+/gu;
/** On one letter, as in stream-safe text (UAX #15). */
const MAX_MARKS = 30;

/**
 * The text in a form of Unicode, with so many marks on a letter at most. `normalize` sorts the marks of a letter in a time
 * that grows with the square of their number: 60 kB of marks took a second.
 */
export const compose = (text: string, form: 'NFC' | 'NFKC'): string =>
  text
    .replace(marks, (run) => (run.length > MAX_MARKS ? [...run].slice(0, MAX_MARKS).join('') : run))
    .normalize(form);
