import { toPhoneText } from '@parts-forge/contract/text/phone';
import { type RefObject, useEffect, useState } from 'react';

const MARKS = '[+()\\-./\\s]';
const digitsAndMarks = new RegExp(`^(?:\\d|${MARKS})*$`);

/** Marks between digits, or an extension or second number. */
type LeftOut = 'marks' | 'rest';

/**
 * Pastes the digits of `+44 (0) 7700-900123`, without marks.
 * @returns the kind of ignored text, and a function that clears it
 */
export function usePhoneDigits(input: RefObject<HTMLInputElement | null>): {
  leftOut: LeftOut | null;
  forget: () => void;
} {
  const [leftOut, setLeftOut] = useState<LeftOut | null>(null);
  useEffect(() => {
    const field = input.current;
    const paste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text') ?? '';
      const read = readDigits(text);
      if (read === null || read.digits === text) return;
      event.preventDefault();
      setLeftOut(read.leftOut);
      // Replaces the selection and informs the form, as typing does.
      document.execCommand('insertText', false, read.digits);
    };
    field?.addEventListener('paste', paste);
    return () => field?.removeEventListener('paste', paste);
  }, [input]);
  return { leftOut, forget: () => setLeftOut(null) };
}

/** Each fits on one line of a phone. */
export const hints = {
  marks: 'Pasted as digits: no + or spaces.',
  rest: 'One number fits. Put the rest in the address.',
};

const trunkZero = /\(\s?0\s?\)/;

/** Asks about content that joined digits would turn into another number; null for none. */
export function askAboutPhone(typed: string): string | null {
  const [before = '', after] = toPhoneText(typed).split(trunkZero);
  if (after !== undefined && /\d/.test(before))
    return 'Leave “(0)” out, or write the number as dialled at home.';
  return readDigits(typed)?.leftOut === 'rest' ? hints.rest : null;
}

/** `ext. 12`, `x12` or `#12` after a number. */
const extension = /(?:ext(?:n|ension)?|x|#)[\s.:=]{0,3}\d{1,7}$/i;
/** Separates two numbers; a slash may also stand within one. */
const separator = /[/,;]|\bor\b/i;
/** A slash after fewer digits follows an area code: `0113/4960000`. */
const SHORTEST_NUMBER = 8;

/**
 * Without an extension or second number; null for no phone number. The zero of `+44 (0)` is not dialled after
 * the country code.
 */
export function readDigits(written: string): { digits: string; leftOut: LeftOut } | null {
  const text = toPhoneText(written);
  const number = text.replace(extension, '');
  const [first = ''] = number.split(separator, 1);
  const isFirst = countDigits(first) >= SHORTEST_NUMBER;
  const taken = isFirst ? first : number;
  if (!digitsAndMarks.test(taken) || !/\d/.test(taken)) return null;
  const dialled = taken.startsWith('+') ? taken.replace(trunkZero, '') : taken;
  return { digits: dialled.replace(/\D/g, ''), leftOut: taken === text ? 'marks' : 'rest' };
}

const countDigits = (text: string): number => text.replace(/\D/g, '').length;
