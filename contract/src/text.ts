import * as z from 'zod/mini';

/** What `text()` may hold: how many characters (code points), and whether line breaks stay. */
export interface TextRule {
  min?: number;
  max: number;
  /** message of a value that is missing or below `min` */
  required?: string;
  lines?: boolean;
}

/**
 * A text field as the contract bounds it: trimmed, NFC, without control characters; line breaks stay only
 * where `lines` is set, elsewhere they become a space. Counted in code points, as JSON Schema does.
 */
export function text({ min = 0, max, required, lines = false }: TextRule) {
  const tooShort = required ?? `Must be ${min} characters or longer`;
  return z
    .string(required ?? 'Must be a text')
    .check(
      z.overwrite((value) => cleaned(value, lines)),
      z.refine((value) => codePoints(value) >= min, tooShort),
      z.refine((value) => codePoints(value) <= max, `Must be no more than ${max} characters`),
    )
    .register(z.globalRegistry, { ...(min > 0 && { minLength: min }), maxLength: max });
}

/** The text as it is kept: see `text`. */
export function cleaned(value: string, lines: boolean): string {
  const wellFormed = value
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n?|\u2028|\u2029/g, '\n');
  const oneLine = lines ? wellFormed : wellFormed.replace(/[\n\t]+/g, ' ');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is what this is for.
  return oneLine.replace(/(?!\n)[\u0000-\u001f\u007f-\u009f]/g, '').trim();
}

const codePoints = (value: string) => [...value].length;

/** An email address: at most 254 characters, compared without regard to case (contract, "Fields and their bounds"). */
export const emailField = z
  .string('Email is Required')
  .check(
    z.overwrite((value) => cleaned(value, false)),
    z.minLength(1, { error: 'Email is Required', abort: true }),
    z.maxLength(254, 'Must be no more than 254 characters'),
    z.regex(/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/u, 'Valid Email is needed'),
  )
  .register(z.globalRegistry, { format: 'email' });

/** Two addresses are the same person's (contract: compared without regard to case). */
export const sameEmail = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();

/** An id in a path: a UUID. Anything else is 404, like an unknown one. */
export const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A date and time of the wire: ISO 8601 in UTC. */
export const instant = z.string().register(z.globalRegistry, { format: 'date-time' });
