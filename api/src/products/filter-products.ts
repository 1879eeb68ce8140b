import type { Kind } from '@parts-forge/contract/part-rules';
import { and, eq, gte, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import { containsPattern, endsPattern, splitJoined } from '#src/platform/database/find-page.ts';
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
    q: and(...words.flatMap(matchWord)),
    kind: kind && eq(products.kind, kind),
    fits: fits ? sql`${products.fits} @> array[${fits}]` : undefined,
    available: available ? gte(products.quantity, products.minimumOrder) : undefined,
  };
  return {
    conditions,
    words: words.map(({ word }) => word),
    butOne: leaveOneOut(words),
  };
}

/** Of two words the other one alone says too little. */
const WORDS_BUT_ONE = { least: 3, most: 8 };

function leaveOneOut(words: readonly Word[]): SQL | undefined {
  if (words.length < WORDS_BUT_ONE.least || words.length > WORDS_BUT_ONE.most) return undefined;
  return or(...words.map((left) => and(...words.filter((word) => word !== left).flatMap(matchWord))));
}

/** A word of a search, or several that together are the name of a phone model. */
interface Word {
  word: string;
  /** Its characters that few parts have. */
  rareLetters: string[];
}

/** The words of a search, in the form in which parts are found: by the same function that the parts' texts go through. */
async function readWords(db: Executor, q: string | undefined): Promise<Word[]> {
  if (!q) return [];
  const { rows } = await db.execute<Word & Record<string, unknown>>(sql`
    select word, search_letters(word) as "rareLetters" from unnest(search_words(${toWords(q)})) with ordinality as part(word, place) order by place`);
  const words = await joinModel(db, rows);
  const singular = words.map((word) => ({ ...word, word: toSingular(word.word) }));
  return [...new Map(singular.map((word) => [word.word, word])).values()];
}

/** What was typed as parts have it: USB-C and Type-C one word (migration 0028), brackets and other joining marks spaces. */
const toWords = (q: string): string => splitJoined(q.replace(usbC, '$1c')).replace(/[()[\]]/g, ' ');
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
async function joinModel(db: Executor, words: Word[]): Promise<Word[]> {
  const runs = listRuns(words.slice(0, WORDS_OF_MODELS));
  if (runs.length === 0) return words;
  const names = runs.map((run) => run.map(({ word }) => word.replaceAll(' ', '')).join(''));
  const { rows } = await db.execute<{ place: number; model: string }>(sql`
    select place::int, model from unnest(${sql.param(names)}::text[]) with ordinality as run(name, place)
    join ${phoneModels} on replace(model, ' ', '') = run.name
    where exists (select from ${products}
      where search_models(${products.fits}) @> array[model] and ${isNull(products.deletedAt)})
    order by place, model limit 1`);
  const [found] = rows;
  const run = found && runs[found.place - 1];
  if (!run) return words;
  const model = {
    word: found.model,
    rareLetters: run.flatMap((word) => word.rareLetters),
  };
  return words.flatMap((word) => (word === run[0] ? [model] : run.includes(word) ? [] : [word]));
}

/** Words that stand side by side, the longest runs first; one alone where a digit follows a letter in it. */
function listRuns(words: readonly Word[]): Word[][] {
  const lengths = words.map((_, index) => words.length - index);
  return lengths
    .flatMap((length) => words.slice(length - 1).map((_, start) => words.slice(start, start + length)))
    .filter(([first, ...rest]) => rest.length > 0 || (first && /\p{L}\d/u.test(first.word)));
}

/** Three letters or digits in a row, or two beside a space or mark, make a trigram, which the index of the texts is asked by. */
const hasTrigram = (word: string) =>
  /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]|[^\p{L}\p{N}][\p{L}\p{N}]{2}/u.test(word);
/** Two of them begin some trigrams. Of other letters than these there are too many, and with marks too much is compared. */
const isPair = (word: string) => /^[a-z0-9]{2}$/.test(word);

/**
 * What may follow two letters, as a bracket expression without its brackets; with a character beyond U+07FF PostgreSQL
 * would no longer take it apart, and read all of the index. Parts with any other character have an index of their own,
 * whose condition is of the same characters (migration 0021).
 */
const FOLLOWERS = '\\x1f-~£¥§©«®°±µ·»×÷α-ωа-яё';
const hasOthers = sql.raw(`products.search ~ '[^${FOLLOWERS}]'`);

/**
 * A word is found anywhere in the text. One without a trigram must not be looked for by LIKE, for which PostgreSQL reads
 * all of the trigrams' index. Two letters are looked for with each character that may follow them, or at the end, and
 * rare characters in an index of their own; for other words all parts are looked through.
 */
function matchWord({ word, rareLetters }: Word): SQL[] {
  if (hasTrigram(word)) {
    const likes = [word, ...(othersOf.get(word) ?? [])].map(
      (each) => sql`products.search like ${containsPattern(each)}`,
    );
    return likes.length === 1 ? likes : [or(...likes) ?? sql`false`];
  }
  const conditions = [sql`strpos(products.search, ${word}) > 0`];
  if (rareLetters.length > 0)
    conditions.push(sql`search_letters(products.search) @> search_letters(${word})`);
  if (isPair(word)) {
    const followed = `${word}[${FOLLOWERS}]`;
    conditions.push(
      sql`(products.search ~ ${followed} or products.search like ${endsPattern(word)} or ${hasOthers})`,
    );
  }
  return conditions;
}
