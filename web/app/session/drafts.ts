/** Under keys that begin so this tab stores what somebody typed and has not sent. */
export const DRAFT_PREFIX = 'draft:';

/** Forgets what was typed, as whoever signs out leaves nothing of theirs behind. */
export function removeDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(DRAFT_PREFIX)) sessionStorage.removeItem(key);
    }
  } catch {
    // Without storage there is nothing.
  }
}
