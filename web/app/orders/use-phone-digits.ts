import { toPhoneText } from '@parts-forge/contract/phone';
import { type RefObject, useEffect, useState } from 'react';

/** What people write between the digits of a phone number. */
const MARKS = '[+()\\-./\\s]';
const onlyMarks = new RegExp(`^${MARKS}+$`);
const digitsAndMarks = new RegExp(`^(?:\\d|${MARKS})*$`);

/**
 * Lets a number field take a phone number as it is written, `+44 (0) 7700-900123`: the digits go in, the marks stay out,
 * where the browser would drop or refuse them each in its own way. Anything else is left to the browser.
 * @returns whether marks were left out, so that the page can say so, and how to forget it
 */
export function usePhoneDigits(input: RefObject<HTMLInputElement | null>): {
  hasLeftOut: boolean;
  forget: () => void;
} {
  const [hasLeftOut, setHasLeftOut] = useState(false);
  useEffect(() => {
    const field = input.current;
    const leaveOut = (event: InputEvent) => {
      if (event.data === null || !onlyMarks.test(event.data)) return;
      event.preventDefault();
      setHasLeftOut(true);
    };
    const paste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text') ?? '';
      const digits = readDigits(text);
      if (digits === null || digits === text) return;
      event.preventDefault();
      setHasLeftOut(true);
      // As typing does, it replaces what is selected and tells the form; a number field gives no other way.
      document.execCommand('insertText', false, digits);
    };
    field?.addEventListener('beforeinput', leaveOut);
    field?.addEventListener('paste', paste);
    return () => {
      field?.removeEventListener('beforeinput', leaveOut);
      field?.removeEventListener('paste', paste);
    };
  }, [input]);
  return { hasLeftOut, forget: () => setHasLeftOut(false) };
}

/** The digits of a phone number; null for what is none. The zero of `+44 (0)` is not dialled with the country's code. */
export function readDigits(written: string): string | null {
  const text = toPhoneText(written);
  if (!digitsAndMarks.test(text) || !/\d/.test(text)) return null;
  const dialled = text.startsWith('+') ? text.replace('(0)', '') : text;
  return dialled.replace(/\D/g, '');
}
