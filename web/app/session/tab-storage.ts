import { readFrom, storeIn } from '#app/ui/browser-storage.ts';

const PREFIX = 'draft:';

/** The caller checks the owner. */
export const readFromTab = <Stored extends object>(name: string): Stored | null =>
  readFrom('sessionStorage', PREFIX + name);

export const storeInTab = (name: string, value: object | null): void =>
  storeIn('sessionStorage', PREFIX + name, value && JSON.stringify(value));

export function clearTab(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
    }
  } catch {
    // A browser without storage kept nothing.
  }
}
