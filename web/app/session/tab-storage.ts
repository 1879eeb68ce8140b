/*
 * Input and pending requests, as JSON in this tab until done or signed out. Storage may be full or forbidden:
 * then nothing is kept, and nothing fails.
 */

const PREFIX = 'draft:';

/** Null if nothing is stored. The caller checks the owner. */
export function readFromTab<Stored extends object>(name: string): Stored | null {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + name) ?? 'null');
  } catch {
    return null;
  }
}

/** @param value null removes the entry */
export function storeInTab(name: string, value: object | null): void {
  try {
    if (value) sessionStorage.setItem(PREFIX + name, JSON.stringify(value));
    else sessionStorage.removeItem(PREFIX + name);
  } catch {
    // The value lasts as long as the page.
  }
}

/** Signing out removes the user's input. */
export function clearTab(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
    }
  } catch {
    // Nothing was stored.
  }
}
