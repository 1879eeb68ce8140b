import { readFromTab, storeInTab } from '#app/session/tab-storage.ts';

/*
 * What a visitor has typed who is not signed in: kept over a reload and Back, in this tab alone, until it is sent. For
 * forms whose fields the browser holds; never for passwords.
 */

/** Stores what these fields of the form hold now. @param form its name among those that are kept */
export function keepEntries(form: string, fields: readonly HTMLInputElement[]): void {
  storeInTab(form, Object.fromEntries(fields.map(({ name, value }) => [name, value])));
}

/** Gives the fields that are empty back what was kept. */
export function restoreEntries(form: string, fields: readonly HTMLInputElement[]): void {
  const entries = readFromTab<Record<string, unknown>>(form);
  for (const field of fields) {
    const value = entries?.[field.name];
    if (field.value === '' && typeof value === 'string') field.value = value;
  }
}
