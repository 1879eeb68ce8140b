import type { LineFields, LineProblem, ReadFile } from '@parts-forge/contract/files/catalogue-file';
import type { Import } from '@parts-forge/contract/products/catalogue';
import { integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { createdAt, instant } from '#src/platform/database/columns.ts';

/** A line that changes something. */
export interface ImportLine {
  line: number;
  number: string;
  name: string;
  /** Of a customer's price: whose, by e-mail address, and from which quantity. */
  customer?: string;
  /** The customer's id, as an address may go to another account. */
  user?: string | undefined;
  from?: number;
  /** Its id, as a number may go to another part; null for a new one, like `version`. */
  part: string | null;
  version: number | null;
  will: LineFields;
  /** The same fields before, `stock` for `add`. */
  was: LineFields;
  /** Stock changes by hand in the day before the preview; of `add` alone. */
  moves?: number;
  warning?: string;
  /** As in `kinds` of the file. */
  kinds?: string[];
}

/** Files of parts (docs/decisions/0097). */
export const productImports = pgTable('product_imports', {
  id: uuid('id').primaryKey(),
  /** Who sent it, then who applied it. */
  userId: uuid('user_id').notNull(),
  /** Whose key applied it. */
  keyId: uuid('key_id'),
  name: text('name').notNull(),
  /** The file that this one undoes, while it is kept. */
  undoes: uuid('undoes'),
  kind: text('kind').$type<ReadFile['kind']>().notNull().default('parts'),
  columns: jsonb('columns').$type<ReadFile['columns']>().notNull(),
  notes: jsonb('notes').$type<string[]>().notNull(),
  counts: jsonb('counts').$type<Omit<Import['counts'], 'done' | 'leftOut'>>().notNull(),
  kinds: jsonb('kinds').$type<Import['kinds']>().notNull().default([]),
  /** Lines that are applied, or were left out: the first places. */
  done: integer('done').notNull().default(0),
  leftOut: integer('left_out').notNull().default(0),
  createdAt,
  /** How often applying it has failed. */
  attempts: integer('attempts').notNull().default(0),
  /** Null before the first failure. */
  nextAttemptAt: instant('next_attempt_at'),
  /** When it was asked for. */
  appliedAt: instant('applied_at'),
});

/** Rows, as a value of megabytes would stop the event loop. Lines without a change and problem have none. */
export const productImportLines = pgTable(
  'product_import_lines',
  {
    importId: uuid('import_id')
      .notNull()
      .references(() => productImports.id, { onDelete: 'cascade' }),
    /** From 0: changes with a warning, the other changes, refused lines. */
    place: integer('place').notNull(),
    /** Null for a refused line. */
    change: jsonb('change').$type<ImportLine>(),
    /** Why the line was refused or left out. */
    problems: jsonb('problems').$type<LineProblem[]>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.place] })],
);
