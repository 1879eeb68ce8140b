import { useEffect, useRef } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { hasSignedOut } from '#app/session/session.ts';
import { readFromTab, storeInTab } from '#app/session/tab-storage.ts';

interface DraftForm<Entries> {
  /** What is in the form now, as JSON can carry it. */
  read: () => Entries;
  /** What it holds as long as nothing was typed. */
  initial: Partial<Entries>;
  restore: (entries: Partial<Entries>) => void;
}

interface Draft<Entries> {
  /** Of the person who typed it. */
  email: string;
  entries: Partial<Entries>;
}

/**
 * Keeps what somebody typed over a reload, Back and /login: in this tab alone, until it is sent or they sign out, and
 * given back to nobody else.
 * @param name which form it is
 */
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
    // A phone may end a page that was left for another one without another word.
    addEventListener('pagehide', keep);
    document.addEventListener('visibilitychange', keep);
    return () => {
      removeEventListener('pagehide', keep);
      document.removeEventListener('visibilitychange', keep);
      keep();
    };
  }, [name, email]);
}

/** The fields of a form as a draft of it. @param initial what they hold as long as nothing was typed */
export function createFormDraft<Values extends FieldValues>(
  { getValues, setValue }: Pick<UseFormReturn<Values, unknown, Values>, 'getValues' | 'setValue'>,
  initial: Partial<Values>,
): DraftForm<Values> {
  return {
    read: getValues,
    initial,
    restore: (entries) => {
      for (const [field, value] of Object.entries(entries)) {
        // A number field that holds none is null in JSON.
        if (value !== null) setValue(field as Path<Values>, value, { shouldDirty: true });
      }
    },
  };
}

/** An empty field has no value, none that is a number, or an empty text. */
function isChanged(entries: object, initial: object): boolean {
  const toText = (value: unknown) => (Number.isNaN(value) ? '' : String(value ?? ''));
  const before = new Map(Object.entries(initial));
  return Object.entries(entries).some(([name, value]) => toText(value) !== toText(before.get(name)));
}
