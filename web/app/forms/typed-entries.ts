import { readFromTab, storeInTab } from '#app/session/tab-storage.ts';

/* For a reload and Back, in this tab only, until sent. For uncontrolled fields; never for passwords. */

export function keepEntries(form: string, fields: readonly HTMLInputElement[]): void {
  storeInTab(form, Object.fromEntries(fields.map(({ name, value }) => [name, value])));
}

export function restoreEntries(form: string, fields: readonly HTMLInputElement[]): void {
  const entries = readFromTab<Record<string, unknown>>(form);
  for (const field of fields) {
    const value = entries?.[field.name];
    if (field.value === '' && typeof value === 'string') field.value = value;
  }
}
