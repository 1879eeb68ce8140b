/* Full or forbidden storage keeps nothing, without an error. */

const PREFIX = 'draft:';

/** The caller checks the owner. */
export function readFromTab<Stored extends object>(name: string): Stored | null {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + name) ?? 'null');
  } catch {
    return null;
  }
}

export function storeInTab(name: string, value: object | null): void {
  try {
    if (value) sessionStorage.setItem(PREFIX + name, JSON.stringify(value));
    else sessionStorage.removeItem(PREFIX + name);
  } catch {
    // The value lasts as long as the page.
  }
}

export function clearTab(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
    }
  } catch {
    // Nothing was stored.
  }
}
