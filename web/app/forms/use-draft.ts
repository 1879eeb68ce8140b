import { useEffect, useRef } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { session } from '#app/session/session.ts';

interface DraftForm<Entries> {
  /** What is in the form now, as JSON can carry it. */
  read: () => Entries;
  restore: (entries: Partial<Entries>) => void;
}

/**
 * Takes what somebody typed over /login and back: stored when the form goes because their sign-in ended, in this tab
 * only, and given back once, to nobody else.
 * @param name which form it is
 */
export function useDraft<Entries extends object>(
  name: string,
  email: string,
  form: DraftForm<Entries>,
): void {
  const key = `draft:${name}`;
  const latest = useRef(form);
  useEffect(() => {
    latest.current = form;
  });
  useEffect(() => {
    const draft = takeDraft<Entries>(key, email);
    if (draft) latest.current.restore(draft);
    return () => {
      const state = session.getState();
      if (state.status === 'signed-out' && state.hasExpired) storeDraft(key, email, latest.current.read());
    };
  }, [key, email]);
}

/** The fields of a form as a draft of it. */
export function createFormDraft<Values extends FieldValues>({
  getValues,
  setValue,
}: Pick<UseFormReturn<Values, unknown, Values>, 'getValues' | 'setValue'>): DraftForm<Values> {
  return {
    read: getValues,
    restore: (entries) => {
      for (const [field, value] of Object.entries(entries)) {
        // A number field that holds none is null in JSON.
        if (value !== null) setValue(field as Path<Values>, value, { shouldDirty: true });
      }
    },
  };
}

function takeDraft<Entries>(key: string, email: string): Partial<Entries> | null {
  try {
    const draft = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    sessionStorage.removeItem(key);
    return draft?.email === email ? draft.entries : null;
  } catch {
    return null;
  }
}

function storeDraft(key: string, email: string, entries: object): void {
  try {
    sessionStorage.setItem(key, JSON.stringify({ email, entries }));
  } catch {
    // Without storage the person types it once more.
  }
}
