/** Under keys that begin so this tab stores which pages of a list were shown. */
const PREFIX = 'pages:';

/** The cursors of the further pages of a list that were shown in this tab, in their order; none when nobody knows. */
export function readCursors(list: string): string[] {
  try {
    return (sessionStorage.getItem(PREFIX + list) ?? '').split('\n').filter((cursor) => cursor !== '');
  } catch {
    return [];
  }
}

/** @param list the list's filter as a query string */
export function storeCursors(list: string, cursors: readonly string[]): void {
  try {
    sessionStorage.setItem(PREFIX + list, cursors.join('\n'));
  } catch {
    // After a reload the page stands alone.
  }
}
