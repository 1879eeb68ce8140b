/* Full or forbidden storage keeps nothing, without an error. */

type Place = 'localStorage' | 'sessionStorage';

/** The JSON under a key; null for none. */
export function readFrom<Stored>(place: Place, key: string): Stored | null {
  try {
    return JSON.parse(globalThis[place].getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** @param text null removes it */
export function storeIn(place: Place, key: string, text: string | null): void {
  try {
    if (text === null) globalThis[place].removeItem(key);
    else globalThis[place].setItem(key, text);
  } catch {
    // The value lasts as long as the page.
  }
}
