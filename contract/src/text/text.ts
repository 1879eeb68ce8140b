import * as z from 'zod/mini';
import { MAX_EMAIL, MAX_LINES } from '../calls/bounds.ts';
import { messages } from '../calls/messages.ts';
import { compose } from './compose.ts';

/** Lengths in code points. */
export interface TextRule {
  min?: number;
  max: number;
  /** message when missing or below `min` */
  required?: string;
  lines?: boolean;
}

/** Cleaned. The maximum counts before cleaning, so that `maxLength` in `/openapi.json` holds for sent texts. */
export function text({ min = 0, max, required, lines = false }: TextRule) {
  const tooShort = required ?? `Must be ${min} characters or longer`;
  return z
    .string(required ?? 'Must be a text')
    .check(
      z.trim(),
      // First, as cleaning and later checks can take more than linear time.
      atMost(max),
      z.overwrite((value) => cleanText(value, lines)),
      z.refine((value) => codePoints(value) >= min, tooShort),
      // NFC expands some characters.
      atMost(max),
    )
    .register(z.globalRegistry, { ...(min > 0 && { minLength: min }), maxLength: max });
}

/**
 * Trims, composes (NFC), and removes control and invisible characters, which make names look alike.
 * Limits marks and lines, so that one text cannot break a page of many.
 */
export function cleanText(value: string, lines: boolean): string {
  const wellFormed = value.toWellFormed().replace(/\r\n?|\u2028|\u2029/g, '\n');
  const visibleOnly = (lines ? wellFormed : wellFormed.replace(/[\n\t]+/g, ' '))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is what this is for.
    .replace(/(?!\n)[\u0000-\u001f\u007f-\u009f]/g, '')
    .replace(hangulFillers, ' ')
    .replace(invisible, '$1');
  // After removals, as new neighbours compose too.
  const cleaned = boundLines(boundMarks(compose(visibleOnly, 'NFC')).trim());
  return visible.test(cleaned) ? cleaned : '';
}

/** No language needs more than three marks of any script, or six of its own. */
const boundMarks = (text: string): string =>
  text
    .replace(
      /((?:(?=\p{M})[\p{Script=Inherited}\p{Me}]){3})(?:(?=\p{M})[\p{Script=Inherited}\p{Me}])+/gu,
      '$1',
    )
    .replace(/(\p{M}{6})\p{M}+/gu, '$1');

/** Single blank lines; surplus line breaks become spaces. */
function boundLines(text: string): string {
  const isBlank = (line: string | undefined) => line?.trim() === '';
  const lines = text.split('\n').filter((line, index, all) => !isBlank(line) || !isBlank(all[index - 1]));
  return [...lines.slice(0, MAX_LINES - 1), lines.slice(MAX_LINES - 1).join(' ')].join('\n').trimEnd();
}

/** As wide as a letter: some people type them as a space. */
const hangulFillers = /[\u3164\uffa0]/g;

/**
 * The group keeps meaningful ones: joiners in emoji and in scripts that need them, and variation selectors of
 * emoji, ideographs and Mongolian.
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

/** Anything but spaces, the Braille blank and marks without a letter. */
const visible = /[^\p{M}\p{Z}\n\u2800]/u;

export const tooLong = (max: number) => `Must be no more than ${max} characters`;

const codePoints = (value: string) => [...value].length;

const atMost = (max: number) =>
  z.refine<string>((value) => codePoints(value) <= max, { error: tooLong(max), abort: true });

/** Only a delivered mail proves an address. No two parts match the same characters: linear time. */
export const emailPattern = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]{2,}$/u;

const atMostEmail = z.maxLength(MAX_EMAIL, { error: tooLong(MAX_EMAIL), abort: true });

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
  .register(z.globalRegistry, { format: 'email', description: 'Compared without regard to case' });

/** A query turns an unencoded plus into a space, which no address contains. */
export const emailQueryField = z
  .pipe(
    z.string(messages.emailRequired).check(z.overwrite((value) => value.trim().replaceAll(' ', '+'))),
    emailField,
  )
  .register(z.globalRegistry, { format: 'email', description: 'A plus need not be encoded' });

/** The unquoted local part of RFC 5322, and an ASCII host (`xn--`). Linear time, see `emailPattern`. */
export const newEmailPattern =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@[a-z0-9][a-z0-9-]*(?:\.[a-z0-9][a-z0-9-]*)+$/i;

export const newEmailField = emailField.check(z.regex(newEmailPattern, messages.emailInvalid));

export const sameEmail = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();

export const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** ISO 8601 in UTC. */
export const instant = z.string().register(z.globalRegistry, { format: 'date-time' });

/** Lower-case. Anything but a UUID gives 404. */
export const idParam = z
  .string()
  .check(z.regex(idPattern), z.toLowerCase())
  .register(z.globalRegistry, { format: 'uuid', pattern: undefined });

/** @param required when absent */
export const idField = (message: string, required?: string) =>
  z
    .string(required)
    .check(z.regex(idPattern, message), z.toLowerCase())
    .register(z.globalRegistry, { format: 'uuid', pattern: undefined });

/** `?products=id,id`, without duplicates, in order. */
export const idsField = (max: number, each = z.string().check(z.minLength(1, 'products is Required'))) =>
  z
    .pipe(
      z.string('products is Required'),
      z.pipe(
        z.transform((list: string) => [...new Set(list.split(',').map((id) => id.trim().toLowerCase()))]),
        z.array(each).check(z.maxLength(max, `Must be no more than ${max} ids`)),
      ),
    )
    .register(z.globalRegistry, {
      description: `Ids of parts, separated by commas, at most ${max}`,
    });

/** Only compared, so any text. */
export const emailParam = z.string().register(z.globalRegistry, { format: 'email' });

const notAMoment = 'Must be a date, or a date and time with Z or an offset, such as 2026-11-21T09:30:00Z';

/** A date means its start in UTC; a query turns an unencoded plus into a space. PostgreSQL has no year 0. */
export const momentField = z
  .pipe(
    z.pipe(
      z.string(notAMoment).check(z.overwrite((value) => value.toUpperCase().replace(/ (?=\d\d:\d\d$)/, '+'))),
      z.union([z.iso.date(), z.iso.datetime({ offset: true })], notAMoment),
    ),
    z.pipe(
      z.transform((value: string) => new Date(value).toISOString()),
      z.string().check(z.regex(/^(?!0000)\d{4}-/, notAMoment)),
    ),
  )
  .register(z.globalRegistry, { format: 'date-time', description: 'A date means its start in UTC' });
