/*
 * What somebody typed or sent, as JSON in this tab alone, until it is done or they sign out. Storage may be full or
 * forbidden: then nothing is kept, and nothing fails.
 */

const PREFIX = 'draft:';

/** Null without anything stored under this name. The caller checks whose it is. */
export function readFromTab<Stored extends object>(name: string): Stored | null {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + name) ?? 'null');
  } catch {
    return null;
  }
}

/** @param value null removes what is stored */
export function storeInTab(name: string, value: object | null): void {
  try {
    if (value) sessionStorage.setItem(PREFIX + name, JSON.stringify(value));
    else sessionStorage.removeItem(PREFIX + name);
  } catch {
    // It lasts as long as the page.
  }
}

/** Signing out leaves nothing of theirs behind. */
export function clearTab(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
    }
  } catch {
    // Nothing was stored.
  }
}
