import { useEffect, useRef } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { current } from '#app/identity/session.ts';

interface DraftForm<Typed> {
  /** What is in the form now, as JSON can carry it. */
  typed: () => Typed;
  restore: (typed: Partial<Typed>) => void;
}

/**
 * Takes what somebody typed over /login and back: kept when the form goes because their sign-in ended, in this tab
 * only, and given back once, to nobody else.
 * @param name which form it is
 */
export function useDraft<Typed extends object>(name: string, email: string, form: DraftForm<Typed>): void {
  const key = `draft:${name}`;
  const latest = useRef(form);
  useEffect(() => {
    latest.current = form;
  });
  useEffect(() => {
    const draft = takeDraft<Typed>(key, email);
    if (draft) latest.current.restore(draft);
    return () => {
      const session = current();
      if (session.status === 'signed-out' && session.ended) keepDraft(key, email, latest.current.typed());
    };
  }, [key, email]);
}

/** The fields of a form as a draft of it. */
export function createFormDraft<Values extends FieldValues>({
  getValues,
  setValue,
}: Pick<UseFormReturn<Values, unknown, Values>, 'getValues' | 'setValue'>): DraftForm<Values> {
  return {
    typed: getValues,
    restore: (typed) => {
      for (const [field, value] of Object.entries(typed)) {
        // A number field that holds none is null in JSON.
        if (value !== null) setValue(field as Path<Values>, value, { shouldDirty: true });
      }
    },
  };
}

function takeDraft<Typed>(key: string, email: string): Partial<Typed> | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    sessionStorage.removeItem(key);
    return kept?.email === email ? kept.typed : null;
  } catch {
    return null;
  }
}

function keepDraft(key: string, email: string, typed: object): void {
  try {
    sessionStorage.setItem(key, JSON.stringify({ email, typed }));
  } catch {
    // Without storage it is typed once more.
  }
}
