/** With half-width katakana voicing marks, which NFKC combines. */
const marks = /[\p{M}\uff9e\uff9f]+/gu;
/** As in stream-safe text (UAX #15). */
const MAX_MARKS = 30;

/** Normalizes with few marks a letter: `normalize` takes quadratic time, a second for 60 kB of marks. */
export const compose = (text: string, form: 'NFC' | 'NFKC'): string =>
  text.replace(marks, (run) => [...run].slice(0, MAX_MARKS).join('')).normalize(form);
