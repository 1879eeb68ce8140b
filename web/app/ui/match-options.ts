export interface Option {
  value: string;
  /** At the end of its row. */
  count?: number;
}

const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();

/** Every word must match, ignoring case and accents; an empty text matches all. */
export function matchOptions(options: readonly Option[], text: string): readonly Option[] {
  const words = fold(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return options;
  return options.filter(({ value }) => {
    const folded = fold(value);
    return words.every((word) => folded.includes(word));
  });
}

/** Without a match the first piece has everything. */
export function highlightMatch(value: string, text: string): [before: string, match: string, after: string] {
  const needle = text.trim().toLowerCase();
  const start = needle === '' ? -1 : value.toLowerCase().indexOf(needle);
  if (start < 0) return [value, '', ''];
  const end = start + needle.length;
  return [value.slice(0, start), value.slice(start, end), value.slice(end)];
}
