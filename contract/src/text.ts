import * as z from 'zod/mini';
import { MAX_EMAIL, MAX_LINES } from './bounds.ts';
import { compose } from './compose.ts';
import { messages } from './messages.ts';

/** What `text()` may hold: how many characters (code points), and whether line breaks stay. */
export interface TextRule {
  min?: number;
  max: number;
  /** message of a value that is missing or below `min` */
  required?: string;
  lines?: boolean;
}

/**
 * A text field as the contract bounds it: trimmed, NFC, without control and invisible characters; line breaks stay only
 * where `lines` is set, elsewhere they become a space. Counted in code points, as JSON Schema does, and before cleaning,
 * so that `maxLength` in `/openapi.json` holds for the text that is sent.
 */
export function text({ min = 0, max, required, lines = false }: TextRule) {
  const tooShort = required ?? `Must be ${min} characters or longer`;
  return z
    .string(required ?? 'Must be a text')
    .check(
      z.trim(),
      // Cleaning costs more than the text's length, and later checks such as expressions may.
      atMost(max),
      z.overwrite((value) => cleanText(value, lines)),
      z.refine((value) => codePoints(value) >= min, tooShort),
      // NFC takes some characters apart.
      atMost(max),
    )
    .register(z.globalRegistry, { ...(min > 0 && { minLength: min }), maxLength: max });
}

/**
 * The text as the shop stores it: see `text`. Direction overrides and other invisible characters are removed, as they
 * make one name look like another; a text of which nothing can be seen is empty. Marks that pile up on a letter, blank
 * lines and line breaks are bounded, so that one text cannot break a page of many.
 */
export function cleanText(value: string, lines: boolean): string {
  const wellFormed = value.toWellFormed().replace(/\r\n?|\u2028|\u2029/g, '\n');
  const visibleOnly = (lines ? wellFormed : wellFormed.replace(/[\n\t]+/g, ' '))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is what this is for.
    .replace(/(?!\n)[\u0000-\u001f\u007f-\u009f]/g, '')
    .replace(hangulFillers, ' ')
    .replace(invisible, '$1');
  // Letters and marks between which something was removed are composed, too.
  const cleaned = boundLines(boundMarks(compose(visibleOnly, 'NFC')).trim());
  return visible.test(cleaned) ? cleaned : '';
}

/** Three marks of any script on a letter, six with those of its own: no language writes more. */
const boundMarks = (text: string): string =>
  text
    .replace(
      /((?:(?=\p{M})[\p{Script=Inherited}\p{Me}]){3})(?:(?=\p{M})[\p{Script=Inherited}\p{Me}])+/gu,
      '$1',
    )
    .replace(/(\p{M}{6})\p{M}+/gu, '$1');

/** One blank line at a time, and spaces for the breaks of further lines. */
function boundLines(text: string): string {
  const isBlank = (line: string | undefined) => line?.trim() === '';
  const lines = text.split('\n').filter((line, index, all) => !isBlank(line) || !isBlank(all[index - 1]));
  return [...lines.slice(0, MAX_LINES - 1), lines.slice(MAX_LINES - 1).join(' ')].join('\n').trimEnd();
}

/** Invisible, but as wide as a letter: some people write them for a space. */
const hangulFillers = /[\u3164\uffa0]/g;

/**
 * Characters that nothing is shown for. The group has those that change a letter and stay beside it: a joiner inside a
 * word of a script that needs them or inside an emoji, and the variation selectors of emoji, ideographs and Mongolian.
 */
const invisible = new RegExp(
  [
    String.raw`((?<=(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d](?=[\p{L}\p{Extended_Pictographic}])`,
    String.raw`(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]`,
    String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
    String.raw`(?<=\p{Unified_Ideograph})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
    String.raw`(?<=\p{Script=Mongolian})[\u180b-\u180d\u180f])`,
    String.raw`\p{Default_Ignorable_Code_Point}`,
  ].join('|'),
  'gu',
);

/** Anything but spaces, the blank of Braille and marks, which need a letter to stand on. */
const visible = /[^\p{M}\p{Z}\n\u2800]/u;

/** What a text or a password that is too long is refused with; `max` in characters. */
export const tooLong = (max: number) => `Must be no more than ${max} characters`;

const codePoints = (value: string) => [...value].length;

const atMost = (max: number) =>
  z.refine<string>((value) => codePoints(value) <= max, { error: tooLong(max), abort: true });

/**
 * The form of an address; only mail that arrives proves one. The host has a dot after its first character and two more
 * behind that dot. No two parts of the expression match the same characters, so that it takes time in proportion to the
 * text's length.
 */
export const emailPattern = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]{2,}$/u;

const atMostEmail = z.maxLength(MAX_EMAIL, { error: tooLong(MAX_EMAIL), abort: true });

/** An email address: at most 254 characters, compared without regard to case (contract, "Fields and their bounds"). */
export const emailField = z
  .string(messages.emailRequired)
  .check(
    z.trim(),
    atMostEmail,
    z.overwrite((value) => cleanText(value, false)),
    z.minLength(1, { error: messages.emailRequired, abort: true }),
    atMostEmail,
    z.regex(emailPattern, { error: messages.emailInvalid, abort: true }),
  )
  .register(z.globalRegistry, { format: 'email' });

/** An email in a query, where a plus that was not encoded arrives as a space; no address has one. */
export const emailQueryField = z
  .pipe(
    z.string(messages.emailRequired).check(z.overwrite((value) => value.trim().replaceAll(' ', '+'))),
    emailField,
  )
  .register(z.globalRegistry, { format: 'email' });

/**
 * The form of an address that somebody registers: what RFC 5322 allows before the @ without quotes, and a host of ASCII
 * letters, as mail programs and browsers write it (`xn--`). No two parts match the same characters, see `emailPattern`.
 */
export const newEmailPattern =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@[a-z0-9][a-z0-9-]*(?:\.[a-z0-9][a-z0-9-]*)+$/i;

/** An email address that somebody registers. */
export const newEmailField = emailField.check(z.regex(newEmailPattern, messages.emailInvalid));

/** Two addresses are the same person's (contract: compared without regard to case). */
export const sameEmail = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();

/** The ids of our rows: UUIDs. */
export const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A date and time of the wire: ISO 8601 in UTC. */
export const instant = z.string().register(z.globalRegistry, { format: 'date-time' });

/** An id in a path, in small letters, as rows have it. Anything but a UUID is 404, like an id that is unknown. */
export const idParam = z
  .string()
  .check(z.regex(idPattern), z.toLowerCase())
  .register(z.globalRegistry, { format: 'uuid', pattern: undefined });

/** An email in a path; compared, and not checked for its form. */
export const emailParam = z.string().register(z.globalRegistry, { format: 'email' });

const notAMoment = 'Must be a date, or a date and time in UTC, such as 2026-11-21T09:30:00Z';

/** A date, which is its beginning in UTC, or a moment in UTC. The database knows no year 0. */
export const momentField = z
  .pipe(
    z
      .union([z.iso.date(), z.iso.datetime()], notAMoment)
      .check(z.refine((value) => !value.startsWith('0000'), notAMoment)),
    z.transform((value: string) => new Date(value).toISOString()),
  )
  .register(z.globalRegistry, { type: 'string', format: 'date-time', anyOf: undefined });
