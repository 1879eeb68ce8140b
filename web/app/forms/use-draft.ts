import { useEffect, useRef } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { hasSignedOut } from '#app/session/session.ts';
import { readFromTab, storeInTab } from '#app/session/tab-storage.ts';

interface DraftForm<Entries> {
  /** Its values must survive JSON. */
  read: () => Entries;
  initial: Partial<Entries>;
  restore: (entries: Partial<Entries>) => void;
}

interface Draft<Entries> {
  email: string;
  entries: Partial<Entries>;
}

/** Keeps entries over a reload, Back and /login: in this tab, for the same user, until sent or signed out. */
export function useDraft<Entries extends object>(
  name: string,
  email: string,
  form: DraftForm<Entries>,
): void {
  const latest = useRef(form);
  useEffect(() => {
    latest.current = form;
  });
  useEffect(() => {
    const draft = readFromTab<Draft<Entries>>(name);
    if (draft?.email === email) latest.current.restore(draft.entries);
    const keep = () => {
      const { initial, read } = latest.current;
      const entries = read();
      storeInTab(name, isChanged(entries, initial) && !hasSignedOut() ? { email, entries } : null);
    };
    // A phone may end a page in the background without further events.
    addEventListener('pagehide', keep);
    document.addEventListener('visibilitychange', keep);
    return () => {
      removeEventListener('pagehide', keep);
      document.removeEventListener('visibilitychange', keep);
      keep();
    };
  }, [name, email]);
}

export function createFormDraft<Values extends FieldValues>(
  { getValues, setValue }: Pick<UseFormReturn<Values, unknown, Values>, 'getValues' | 'setValue'>,
  initial: Partial<Values>,
): DraftForm<Values> {
  return {
    read: getValues,
    initial,
    restore: (entries) => {
      for (const [field, value] of Object.entries(entries)) {
        // An empty number field is null in JSON.
        if (value !== null) setValue(field as Path<Values>, value, { shouldDirty: true });
      }
    },
  };
}

/** An empty field is undefined, NaN or an empty text. */
function isChanged(entries: object, initial: object): boolean {
  const toText = (value: unknown) => (Number.isNaN(value) ? '' : String(value ?? ''));
  const before = new Map(Object.entries(initial));
  return Object.entries(entries).some(([name, value]) => toText(value) !== toText(before.get(name)));
}
