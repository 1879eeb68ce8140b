import { DRAFT_PREFIX } from '#app/session/drafts.ts';

/*
 * What a visitor has typed who is not signed in: kept over a reload and Back, in this tab alone, until it is sent. For
 * forms whose fields the browser holds; never for passwords.
 */

/** Stores what these fields of the form hold now. @param form its name among those that are kept */
export function keepEntries(form: string, fields: readonly HTMLInputElement[]): void {
  const entries = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  try {
    sessionStorage.setItem(DRAFT_PREFIX + form, JSON.stringify(entries));
  } catch {
    // Without storage the person types it once more.
  }
}

/** Gives the fields that are empty back what was kept. */
export function restoreEntries(form: string, fields: readonly HTMLInputElement[]): void {
  const entries = readEntries(form);
  for (const field of fields) {
    const value = entries[field.name];
    if (field.value === '' && typeof value === 'string') field.value = value;
  }
}

/** What was sent is not asked for again. */
export function forgetEntries(form: string): void {
  try {
    sessionStorage.removeItem(DRAFT_PREFIX + form);
  } catch {
    // Nothing was stored.
  }
}

function readEntries(form: string): Record<string, unknown> {
  try {
    return JSON.parse(sessionStorage.getItem(DRAFT_PREFIX + form) ?? 'null') ?? {};
  } catch {
    return {};
  }
}
