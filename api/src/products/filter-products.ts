import type { Kind } from '@parts-forge/contract/part-rules';
import { and, eq, gte, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import {
  beginsPattern,
  containsPattern,
  hasTrigram,
  readSearchWords,
} from '#src/platform/database/find-page.ts';
import { phoneModels, products } from './schema.ts';

/** Which parts are meant; what is absent filters nothing. */
export interface ProductFilter {
  /** Every word of it is found in the part (contract, `GET /product`). */
  q?: string | undefined;
  kind?: Kind | undefined;
  /** A phone model, exactly as the part has it. */
  fits?: string | undefined;
  /** Leaves out what has less stock than its minimum order. */
  available?: boolean | undefined;
}

/** The conditions of a filter, each of them absent where nothing is asked for, so that facets can leave one out. */
export interface FilterConditions {
  onSale: SQL;
  q: SQL | undefined;
  kind: SQL | undefined;
  fits: SQL | undefined;
  available: SQL | undefined;
}

/** All conditions of a filter as one, without those that are named. */
export function joinConditions(
  conditions: FilterConditions,
  ...without: (keyof ProductFilter)[]
): SQL | undefined {
  const names = Object.keys(conditions) as (keyof FilterConditions)[];
  return and(
    ...names.filter((name) => !without.some((each) => each === name)).map((name) => conditions[name]),
  );
}

interface SearchConditions {
  conditions: FilterConditions;
  words: readonly string[];
  /** All words of the search but any one of them; absent for few words and for very many. */
  butOne: SQL | undefined;
}

export async function buildConditions(
  db: Executor,
  { q, kind, fits, available }: ProductFilter,
): Promise<SearchConditions> {
  const words = await readWords(db, q);
  const conditions = {
    onSale: isNull(products.deletedAt),
    q: and(...words.map(matchWord)),
    kind: kind && eq(products.kind, kind),
    fits: fits ? sql`${products.fits} @> array[${fits}]` : undefined,
    available: available ? gte(products.quantity, products.minimumOrder) : undefined,
  };
  return { conditions, words, butOne: leaveOneOut(words) };
}

/** Of two words the other one alone says too little. */
const WORDS_BUT_ONE = { least: 3, most: 8 };

function leaveOneOut(words: readonly string[]): SQL | undefined {
  if (words.length < WORDS_BUT_ONE.least || words.length > WORDS_BUT_ONE.most) return undefined;
  return or(...words.map((left) => and(...words.filter((word) => word !== left).map(matchWord))));
}

/**
 * The words of a search, in the form in which parts are found: by the same function that the parts' texts go through.
 * USB-C and Type-C are one word (migration 0028), brackets are spaces.
 */
async function readWords(db: Executor, q: string | undefined): Promise<string[]> {
  if (!q) return [];
  const typed = await readSearchWords(db, q.replace(usbC, '$1c').replace(/[()[\]]/g, ' '));
  const words = await joinModel(db, typed);
  return [...new Set(words.map(toSingular))];
}

const usbC = /\b(usb|type)[^a-z0-9]?c\b/gi;

/** Words that end like a plural and are none. */
const singulars = /(?:ss|is|plus|lens|series)$/;

/**
 * The beginning that a plural shares with its singular: `screen` of `screens`, `glass` of `glasses`, `batter` of
 * `batteries`. Words are found anywhere in a text, so it finds both.
 */
function toSingular(word: string): string {
  if (!/^[a-z]{4,}$/.test(word) || singulars.test(word)) return word;
  const endings = /ies$|(?<=ss|x|z|ch|sh|lens)es$|s$/;
  return word.replace(endings, '');
}

/** Words that buyers use for the same thing, British and American spellings among them. */
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

/** Of so many words runs are tried whether they are a model's name. */
const WORDS_OF_MODELS = 8;

/**
 * The same words, those that stand side by side and are the name of a phone model together as one: "norda 12 pro" is not
 * about every part with a protection board for a Norda 14. Spaces do not count: "norda12pro". Of several names it is the
 * longest, and then the first.
 */
async function joinModel(db: Executor, words: string[]): Promise<string[]> {
  const runs = listRuns(words.slice(0, WORDS_OF_MODELS));
  if (runs.length === 0) return words;
  const names = runs.map((run) => run.join('').replaceAll(' ', ''));
  const { rows } = await db.execute<{ place: number; model: string }>(sql`
    select place::int, model from unnest(${sql.param(names)}::text[]) with ordinality as run(name, place)
    join ${phoneModels} on replace(model, ' ', '') = run.name
    where exists (select from ${products}
      where search_models(${products.fits}) @> array[model] and ${isNull(products.deletedAt)})
    order by place, model limit 1`);
  const [found] = rows;
  const run = found && runs[found.place - 1];
  if (!run) return words;
  return words.flatMap((word) => (word === run[0] ? [found.model] : run.includes(word) ? [] : [word]));
}

/** Words that stand side by side, the longest runs first; one alone where a digit follows a letter in it. */
function listRuns(words: readonly string[]): string[][] {
  const lengths = words.map((_, index) => words.length - index);
  return lengths
    .flatMap((length) => words.slice(length - 1).map((_, start) => words.slice(start, start + length)))
    .filter(([first, ...rest]) => rest.length > 0 || (first && /\p{L}\d/u.test(first)));
}

/** What may stand before a word, the start of the text and the character between its fields among it. */
const BEGINNINGS = ['', '% ', '%\u001f', '%(', '%/'];

/**
 * A word with three letters or digits in a row is found anywhere in the text, a shorter one where a word begins: `6.1`
 * finds `6.1 inch`, and `s` finds `Größe S`. Marks alone are in no index, so all parts are looked through for them.
 */
function matchWord(word: string): SQL | undefined {
  if (hasTrigram(word)) {
    const same = [word, ...(othersOf.get(word) ?? [])];
    return or(...same.map((each) => sql`products.search like ${containsPattern(each)}`));
  }
  if (!/[\p{L}\p{N}]/u.test(word)) return sql`strpos(products.search, ${word}) > 0`;
  return or(...BEGINNINGS.map((before) => sql`products.search like ${before + beginsPattern(word)}`));
}
