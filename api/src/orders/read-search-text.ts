import { idPattern } from '@parts-forge/contract/text/text';
import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import { containsPattern, hasTrigram } from '#src/platform/database/find-page.ts';
import { readPhoneBeginnings, readPhoneDigits } from './read-phone-digits.ts';
import { orders } from './schema.ts';

const MAX_NUMBER = 2_147_483_647;

/** `17`, `#17`, `No. 17` or `Order 17`; the first of a mail's `Orders 17, 18`. */
export function readOrderNumber(words: readonly string[]): number | null {
  const text = words.join(' ').replace(/^orders ([0-9]+),? .*/, '$1');
  const digits = /^(?:order[ :]?)?(?:(?:no|number)[ :]?)?(?:# ?)?([0-9]{1,10})$/.exec(text)?.[1];
  return digits !== undefined && Number(digits) <= MAX_NUMBER ? Number(digits) : null;
}

/** Few stored references have a label as in `PO: 17`. Without a digit or colon the word may be a name. */
function dropLabel(q: string, words: readonly string[]): readonly string[] {
  const [first = '', ...others] = words;
  const joined = /^(?:po|ref|reference)[:#](.+)$/.exec(first)?.[1];
  if (joined !== undefined) return [joined, ...others];
  if (!/^(?:po|ref|reference)$/.test(first) || others.length === 0 || !/[\d:]/.test(q)) return words;
  const [next = '', ...rest] = others;
  return /^(?:no|number)$/.test(next) && rest.length > 0 ? rest : [next.replace(/^#/, ''), ...rest];
}

export type SearchText =
  | { kind: 'id'; matches: SQL }
  | {
      kind: 'words';
      /** All words occur, or a number (order, part, invoice) is equal. */
      matches: SQL;
      /** LIKE patterns of the words' parts. */
      pieces: string[];
      /** `matches`, with these pieces alone for the index. */
      matchesWith(pieces: readonly string[]): SQL | undefined;
      /** Numbers can match old orders. */
      isNumber: boolean;
      isIndexed: boolean;
    };

/** Parses `q` (contract, "Lists and searches"). Phone numbers also match in other notations. */
export function readSearchText(
  q: string,
  typed: readonly string[],
  { partId, orderIds }: { partId: string | null; orderIds: readonly string[] },
): SearchText {
  if (idPattern.test(q)) return { kind: 'id', matches: eq(orders.id, q) };
  if (/^pi_\w+$/.test(q)) return { kind: 'id', matches: eq(orders.transactionId, q) };
  const number = readOrderNumber(typed);
  const words = dropLabel(q, typed);
  const patterns = words.map(buildPattern);
  const text = words.join(' ');
  const phone = readPhoneDigits(text);
  const ways = [
    ...(phone === null ? [] : [`%${phone}%`]),
    ...readPhoneBeginnings(text).map((digits) => `%\u001f ${digits}%`),
  ];
  // Skip patterns that contain the word: they cannot match more, and each costs an index scan.
  const [word = '', ...others] = patterns;
  const phones = ways.filter((way) => others.length > 0 || !way.includes(word.slice(1, -1)));
  const matchAll = (searched: SQL, all: readonly string[]) =>
    or(
      and(...all.map((pattern) => sql`${searched} like ${pattern}`)),
      ...phones.map((pattern) => sql`orders.search like ${pattern}`),
      number === null ? undefined : eq(orders.number, number),
      orderIds.length === 0 ? undefined : inArray(orders.id, [...orderIds]),
      // Repeats the predicate of the index `orders_stock`.
      partId === null ? undefined : and(eq(orders.productId, partId), sql`not ${orders.beforeLedger}`),
    ) ?? sql`true`;
  return {
    kind: 'words',
    matches: matchAll(sql`orders.search`, patterns),
    pieces: words.flatMap(takeApart).map(buildPattern),
    // The concatenation bypasses the index: it only rechecks matches.
    matchesWith: (pieces) =>
      and(matchAll(sql`orders.search`, pieces), matchAll(sql`(orders.search || '')`, patterns)),
    isNumber: number !== null || partId !== null || orderIds.length > 0,
    isIndexed: words.some((word) => /[\p{L}\p{N}]/u.test(word)),
  };
}

/** Trigrams include the ends of words. */
function takeApart(word: string): string[] {
  const pieces = [...word.matchAll(/(?<=(.?))[\p{L}\p{N}]{3,}(?=(.?))/gsu)];
  if (pieces.length < 2) return [word];
  return pieces.map(([piece, before = '', after = '']) => `${before}${piece}${after}`);
}

/**
 * Without three letters or digits in a row, match beginnings of words: they add a character to the trigram.
 */
const buildPattern = (word: string): string =>
  hasTrigram(word) ? containsPattern(word) : containsPattern(` ${word}`);
