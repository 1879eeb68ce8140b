/** Something to choose, and how many there are of it. */
export interface Option {
  value: string;
  count: number;
}

const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();

/** The options that have every word of the text, without regard to case and accents; all for an empty one. */
export function matchOptions(options: readonly Option[], text: string): readonly Option[] {
  const words = fold(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return options;
  return options.filter(({ value }) => {
    const folded = fold(value);
    return words.every((word) => folded.includes(word));
  });
}

/** The option in three pieces, the second of which is what was typed; all of it in the first where that is not to be seen. */
export function highlightMatch(value: string, text: string): [before: string, match: string, after: string] {
  const needle = text.trim().toLowerCase();
  const start = needle === '' ? -1 : value.toLowerCase().indexOf(needle);
  if (start < 0) return [value, '', ''];
  const end = start + needle.length;
  return [value.slice(0, start), value.slice(start, end), value.slice(end)];
}
