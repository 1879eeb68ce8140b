import { idPattern } from '@parts-forge/contract/text';
import { and, eq, or, type SQL, sql } from 'drizzle-orm';
import { containsPattern, hasTrigram } from '#src/platform/database/find-page.ts';
import { readPhoneBeginnings, readPhoneDigits } from './read-phone-digits.ts';
import { orders } from './schema.ts';

/** The largest that the column takes. */
const MAX_NUMBER = 2_147_483_647;

/** The number of an order as people write it, alone or behind `#`, `No.` or `Order`; null for any other text. */
export function readOrderNumber(words: readonly string[]): number | null {
  const digits = /^(?:order[ :]?)?(?:(?:no|number)[ :]?)?(?:# ?)?([0-9]{1,10})$/.exec(words.join(' '))?.[1];
  return digits !== undefined && Number(digits) <= MAX_NUMBER ? Number(digits) : null;
}

/** Words have no hyphens: `2026-00056` is `202600056`. */
const paperNumber =
  /^(?:(?:invoice|inv|credit ?note)[ :]?)?(?:(?:no|number)[ :]?)?(?:# ?)?(cn)?([0-9]{4})([0-9]{5,9})$/;

/** The number of an invoice or a credit note, such as `2026-00056` or `Invoice no. 2026-00056`; null for any other text. */
export function readPaperNumber(words: readonly string[]) {
  const [, creditNote, year, sequence] = paperNumber.exec(words.join(' ')) ?? [];
  if (year === undefined) return null;
  const series = creditNote === undefined ? 'invoice' : 'credit-note';
  return { series, year: Number(year), sequence: Number(sequence) };
}

/**
 * The words without a label before a reference, as few references have it: `PO: 17`, `PO#17`, `Ref. no. 17`. Without a
 * digit or colon it may be somebody's name.
 */
function dropLabel(q: string, words: readonly string[]): readonly string[] {
  const [first = '', ...others] = words;
  const joined = /^(?:po|ref|reference)[:#](.+)$/.exec(first)?.[1];
  if (joined !== undefined) return [joined, ...others];
  if (!/^(?:po|ref|reference)$/.test(first) || others.length === 0 || !/[\d:]/.test(q)) return words;
  const [next = '', ...rest] = others;
  return /^(?:no|number)$/.test(next) && rest.length > 0 ? rest : [next.replace(/^#/, ''), ...rest];
}

/** What somebody typed to find orders. */
export type SearchText =
  /** Names one thing by its whole id. */
  | { kind: 'id'; matches: SQL }
  | {
      kind: 'words';
      /** Every word is somewhere in the order, or the text is its number or that of its part or invoice. */
      matches: SQL;
      /** What every order has that has the words: these, taken apart at their marks, as patterns. */
      pieces: string[];
      /** The same orders, of which the index is asked for some of the pieces alone. */
      matchesWith(pieces: readonly string[]): SQL | undefined;
      /** Whether the text may be a number, of an order, part or invoice, which is found however old its order is. */
      isNumber: boolean;
      /** Whether the index can find any of the words: it knows letters and digits alone. */
      isIndexed: boolean;
    };

/**
 * What a search text asks for (contract, `GET /order?q=`): the id of an order or payment, an order's number, with or
 * without `#`, `No.` or `Order`, or words that are all somewhere in it. A phone number, or the beginning of one, is also
 * found where it is written in another way.
 * @param typed the words of the text, as `readSearchWords` reads them
 * @param named the ids of the part and the order whose number, or whose invoice's number, the text is
 */
export function readSearchText(
  q: string,
  typed: readonly string[],
  { partId, orderId }: { partId: string | null; orderId: string | null },
): SearchText {
  if (idPattern.test(q)) return { kind: 'id', matches: eq(orders.id, q) };
  if (/^pi_\w+$/.test(q)) return { kind: 'id', matches: eq(orders.transactionId, q) };
  const number = readOrderNumber(typed);
  const words = dropLabel(q, typed);
  const patterns = words.map(buildPattern);
  const text = words.join(' ');
  const phone = readPhoneDigits(text);
  // The phone number without its marks begins after the character that keeps it apart (see `orders`).
  const ways = [
    ...(phone === null ? [] : [`%${phone}%`]),
    ...readPhoneBeginnings(text).map((digits) => `%\u001f ${digits}%`),
  ];
  // What has the word in it finds nothing more than the word, and each pattern is a search of its own.
  const [word = '', ...others] = patterns;
  const phones = ways.filter((way) => others.length > 0 || !way.includes(word.slice(1, -1)));
  const matchAll = (searched: SQL, all: readonly string[]) =>
    or(
      and(...all.map((pattern) => sql`${searched} like ${pattern}`)),
      ...phones.map((pattern) => sql`orders.search like ${pattern}`),
      number === null ? undefined : eq(orders.number, number),
      orderId === null ? undefined : eq(orders.id, orderId),
      // As the index of a part's orders has it; earlier ones, of a shop that had no ledger, are found by their words.
      partId === null ? undefined : and(eq(orders.productId, partId), sql`not ${orders.beforeLedger}`),
    ) ?? sql`true`;
  return {
    kind: 'words',
    matches: matchAll(sql`orders.search`, patterns),
    pieces: words.flatMap(takeApart).map(buildPattern),
    // The index is not on this text, so it is looked for in what was found.
    matchesWith: (pieces) =>
      and(matchAll(sql`orders.search`, pieces), matchAll(sql`(orders.search || '')`, patterns)),
    isNumber: number !== null || partId !== null || orderId !== null,
    isIndexed: words.some((word) => /[\p{L}\p{N}]/u.test(word)),
  };
}

/** What stands between the marks of a word, each with the marks beside it: the index finds it by its ends, too. */
function takeApart(word: string): string[] {
  const pieces = [...word.matchAll(/(?<=(.?))[\p{L}\p{N}]{3,}(?=(.?))/gsu)];
  if (pieces.length < 2) return [word];
  return pieces.map(([piece, before = '', after = '']) => `${before}${piece}${after}`);
}

/**
 * The word anywhere; one without three letters or digits in a row at the beginning of a word alone, as the index knows
 * groups of three, the beginning of a word counting as two.
 */
const buildPattern = (word: string): string =>
  hasTrigram(word) ? containsPattern(word) : containsPattern(` ${word}`);
