import type { Kind } from '@parts-forge/contract/products/part-rules';
import { and, eq, gte, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import {
  beginsPattern,
  containsPattern,
  hasTrigram,
  readSearchWords,
} from '#src/platform/database/find-page.ts';
import { phoneModels, products, scarceProducts } from './schema.ts';

/** Absent fields filter nothing. */
export interface ProductFilter {
  /** Matches parts that contain every word (contract, "Lists and searches"). */
  q?: string | undefined;
  kind?: Kind | undefined;
  /** A phone model, exactly as stored. */
  fits?: string | undefined;
  /** In stock for at least the minimum order. */
  available?: boolean | undefined;
  stock?: 'low' | 'out' | undefined;
  /** A whole part number; parts of it find nothing. */
  number?: string | undefined;
}

/** Separate, so that facets can leave one out. */
export type FilterConditions = Record<keyof ProductFilter, SQL | undefined> & { onSale: SQL };

/** Leaves the named conditions out. */
export function joinConditions(
  conditions: FilterConditions,
  ...without: (keyof ProductFilter)[]
): SQL | undefined {
  const left: readonly string[] = without;
  const kept = Object.entries(conditions).filter(([name]) => !left.includes(name));
  return and(...kept.map(([, condition]) => condition));
}

const isScarce = sql`${products.id} in (select product_id from ${scarceProducts})`;

/** `butOne` matches all words but any one; undefined for too few or too many words. */
export async function buildConditions(db: Executor, filter: ProductFilter) {
  const { q, kind, fits, available, stock, number } = filter;
  const typed = await readWords(db, q);
  const words = typed.filter((word) => /[\p{L}\p{N}]/u.test(word));
  const conditions: FilterConditions = {
    onSale: isNull(products.deletedAt),
    // No index has marks: they do not count beside words, and alone match nothing.
    q: typed.length > 0 && words.length === 0 ? sql`false` : and(...words.map(matchWord)),
    kind: kind && eq(products.kind, kind),
    fits: fits ? sql`${products.fits} @> array[${fits}]` : undefined,
    available: available ? gte(products.quantity, products.minimumOrder) : undefined,
    number: number === undefined ? undefined : eq(products.number, number),
    stock: stock && (stock === 'out' ? lt(products.quantity, products.minimumOrder) : isScarce),
  };
  return { conditions, words, butOne: leaveOneOut(words) };
}

/** One of two words alone says too little. */
const WORDS_BUT_ONE = { least: 3, most: 8 };

function leaveOneOut(words: readonly string[]): SQL | undefined {
  if (words.length < WORDS_BUT_ONE.least || words.length > WORDS_BUT_ONE.most) return undefined;
  return or(...words.map((left) => and(...words.filter((word) => word !== left).map(matchWord))));
}

/**
 * Normalized by the function that also normalizes parts. USB-C and Type-C are one word (migration 0028),
 * brackets are spaces.
 */
async function readWords(db: Executor, q: string | undefined): Promise<string[]> {
  if (!q) return [];
  const text = q.replace(usbC, '$1c').replace(/[()[\]]/g, ' ');
  const typed = await readSearchWords(db, text.replace(decimalAh, '$1.$2ah').replace(unitNames, '$1$2'));
  const words = await joinModel(db, typed);
  return [...new Set(words.map(toSingular).flatMap(splitTwo))];
}

const usbC = /\b(usb|type)[^a-z0-9]?c\b/gi;

/** `touch` and `screen` of `touchscreen`, which a catalogue writes either way: words match anywhere. */
const twoWords =
  /^(back|battery|camera|charging|cover|display|front|mid|middle|rear|sim|touch)(camera|cover|frame|glass|holder|lens|panel|plate|port|screen|tray)$/;
const splitTwo = (word: string): string[] => twoWords.exec(word)?.slice(1) ?? [word];

/** By name, as a number and its unit that are one word. */
const signs: Readonly<Record<string, string>> = {
  megapixel: 'mp',
  megabyte: 'mb',
  gigabyte: 'gb',
  terabyte: 'tb',
  millimeter: 'mm',
  millimetre: 'mm',
  hertz: 'hz',
  volt: 'v',
  watt: 'w',
};
const unitNames = new RegExp(`(\\d)[ -]?(${Object.keys(signs).join('|')}|ah)s?\\b`, 'gi');
const decimalAh = /(\d)[.,](\d{1,3}) ?ah\b/gi;

/** `12 mp` of `12 megapixel`, `4500 mah` of `4.5 ah`. */
function findOtherUnit(word: string): string[] {
  const [, figure = '', unit = ''] = /^([\d.]+) ([a-z]+)$/.exec(word) ?? [];
  if (unit === 'ah') return [`${Math.round(Number(figure) * 1000)} mah`];
  return signs[unit] === undefined ? [] : [`${figure} ${signs[unit]}`];
}

/** Words that only look like plurals. */
const singulars = /(?:ss|is|plus|lens|series)$/;

/** `glass` of `glasses`, `batter` of `batteries`: finds both, as words match anywhere. */
function toSingular(word: string): string {
  if (!/^[a-z]{4,}$/.test(word) || singulars.test(word)) return word;
  const endings = /ies$|(?<=ss|x|z|ch|sh|lens)es$|s$/;
  return word.replace(endings, '');
}

/** Buyers' synonyms and spellings. */
const sameWords = [
  ['digitizer', 'digitiser', 'touch'],
  ['vibrator', 'vibrating', 'vibration'],
  ['haptic', 'taptic'],
  ['buzzer', 'ringer', 'loudspeaker'],
  ['dock', 'charging'],
  ['holder', 'tray'],
  ['sticker', 'adhesive'],
  ['aluminum', 'aluminium'],
  ['vapor', 'vapour'],
  ['color', 'colour'],
  ['gray', 'grey'],
];
const othersOf = new Map(
  sameWords.flatMap((same) => same.map((word) => [word, same.filter((other) => other !== word)])),
);

/** Further words are not searched for a model. */
const WORDS_OF_MODELS = 8;

/**
 * Joins the words of a phone model: "norda 12 pro" should not find every protection board for a Norda 14. The
 * longest model wins, then the first.
 */
async function joinModel(db: Executor, words: string[]): Promise<string[]> {
  const runs = listRuns(words.slice(0, WORDS_OF_MODELS));
  if (runs.length === 0) return words;
  const names = runs.map((run) => run.join('').replaceAll(' ', ''));
  const { rows } = await db.execute<{ place: number; model: string }>(sql`
    select place::int, model from unnest(${sql.param(names)}::text[]) with ordinality as run(joined, place)
    join ${phoneModels} on replace(model, ' ', '') = run.joined
    where exists (select from ${products}
      where ${products.fits} @> array[${phoneModels.name}] and ${isNull(products.deletedAt)})
    order by place, model limit 1`);
  const [found] = rows;
  const run = found && runs[found.place - 1];
  if (!run) return words;
  return words.flatMap((word) => (word === run[0] ? [found.model] : run.includes(word) ? [] : [word]));
}

/** Longest first; a single word only with a digit after a letter. */
function listRuns(words: readonly string[]): string[][] {
  const lengths = words.map((_, index) => words.length - index);
  return lengths
    .flatMap((length) => words.slice(length - 1).map((_, start) => words.slice(start, start + length)))
    .filter(([first, ...rest]) => rest.length > 0 || (first && /\p{L}\d/u.test(first)));
}

/** Start of the text, space, field separator, bracket, slash. */
const BEGINNINGS = ['', '% ', '%\u001f', '%(', '%/'];

/**
 * Anywhere with three letters or digits in a row, otherwise at the beginning of a word: `6.1` finds
 * `6.1 inch`, `s` finds `Größe S`.
 */
function matchWord(word: string): SQL | undefined {
  const same = [word, ...(othersOf.get(word) ?? findOtherUnit(word))];
  const patterns = same.flatMap((each) =>
    hasTrigram(each) ? [containsPattern(each)] : BEGINNINGS.map((before) => before + beginsPattern(each)),
  );
  return or(...patterns.map((pattern) => sql`products.search like ${pattern}`));
}
