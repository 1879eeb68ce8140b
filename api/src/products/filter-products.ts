import type { Kind } from '@parts-forge/contract/part-rules';
import { and, eq, gte, isNull, type SQL, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import { containsPattern } from '#src/platform/database/find-page.ts';
import { products } from './schema.ts';

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

export async function buildConditions(
  db: Executor,
  { q, kind, fits, available }: ProductFilter,
): Promise<FilterConditions> {
  const words = await readWords(db, q);
  return {
    onSale: isNull(products.deletedAt),
    q: and(...words.flatMap(matchWord)),
    kind: kind && eq(products.kind, kind),
    fits: fits ? sql`${products.fits} @> array[${fits}]` : undefined,
    available: available ? gte(products.quantity, products.minimumOrder) : undefined,
  };
}

interface Word {
  word: string;
  /** Its characters that few parts have. */
  rareLetters: string[];
}

/** The words of a search, in the form in which parts are found: by the same function that the parts' texts go through. */
async function readWords(db: Executor, q: string | undefined): Promise<Word[]> {
  if (!q) return [];
  const { rows } = await db.execute<Word & Record<string, unknown>>(sql`
    select distinct word, search_letters(word) as "rareLetters"
    from string_to_table(normalize_search(${q}), ' ') as word where word <> ''`);
  return rows;
}

/** Three letters or digits in a row make a trigram, which the index of the texts is asked by. */
const hasTrigram = (word: string) => /[\p{L}\p{N}]{3}/u.test(word);

/**
 * A word is found anywhere in the text. Without a trigram it must not be looked for by LIKE, for which PostgreSQL reads
 * all of the trigrams' index; the parts that have its rare characters are looked through, else all of them.
 */
function matchWord({ word, rareLetters }: Word): SQL[] {
  if (hasTrigram(word)) return [sql`products.search like ${containsPattern(word)}`];
  const matches = sql`strpos(products.search, ${word}) > 0`;
  return rareLetters.length > 0
    ? [matches, sql`search_letters(products.search) @> search_letters(${word})`]
    : [matches];
}

/**
 * The same matches, found before they are sorted. With few of them the planner would else walk through all parts in the
 * wanted order until it has met enough: two common words that are never together take seconds among a million parts.
 */
export const findFirst = (matches: SQL | undefined): SQL =>
  sql`${products.id} in (select ${products.id} from ${products} where ${matches} offset 0)`;
