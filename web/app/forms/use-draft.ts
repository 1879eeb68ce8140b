import { useEffect, useRef } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { DRAFT_PREFIX } from '#app/session/drafts.ts';
import { hasSignedOut } from '#app/session/session.ts';

interface DraftForm<Entries> {
  /** What is in the form now, as JSON can carry it. */
  read: () => Entries;
  /** What it holds as long as nothing was typed. */
  initial: Partial<Entries>;
  restore: (entries: Partial<Entries>) => void;
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
  const key = DRAFT_PREFIX + name;
  const latest = useRef(form);
  useEffect(() => {
    latest.current = form;
  });
  useEffect(() => {
    const draft = readDraft<Entries>(key, email);
    if (draft) latest.current.restore(draft);
    const keep = () => {
      const { initial, read } = latest.current;
      const entries = read();
      if (isChanged(entries, initial) && !hasSignedOut()) storeDraft(key, email, entries);
      else removeDraft(key);
    };
    // A phone may end a page that was left for another one without another word.
    addEventListener('pagehide', keep);
    document.addEventListener('visibilitychange', keep);
    return () => {
      removeEventListener('pagehide', keep);
      document.removeEventListener('visibilitychange', keep);
      keep();
    };
  }, [key, email]);
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

function readDraft<Entries>(key: string, email: string): Partial<Entries> | null {
  try {
    const draft = JSON.parse(sessionStorage.getItem(key) ?? 'null');
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

function removeDraft(key: string): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Nothing was stored.
  }
}
