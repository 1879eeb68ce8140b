import type pg from 'pg';
import { MOVED_TO } from '#src/platform/database/instance.ts';
import { quoteTable } from './rows.ts';
import type { Table } from './tables.ts';

/** Independent of row order. */
export interface TableSummary {
  /** The table's name with its schema. */
  name: string;
  count: number;
  /** Sum of the row texts' hashes. */
  checksum: string;
}

/** Two servers must print equal values alike. */
const formats = `set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
  set extra_float_digits = 1`;

/** Skips the mark that a move leaves in its source. */
export async function summarizeRows(client: pg.Client, tables: readonly Table[]): Promise<TableSummary[]> {
  await client.query(formats);
  const summaries: TableSummary[] = [];
  for (const table of tables) {
    const name = `${table.schema}.${table.name}`;
    const without = name === 'public.settings' ? `where name <> '${MOVED_TO}'` : '';
    const columns = table.columns.map((column) => `t.${client.escapeIdentifier(column)}`).join(', ');
    const { rows } = await client.query<{ count: number; checksum: string }>(
      `select count(*) as count, coalesce(sum(half), 0)::text as checksum
       from (select ('x' || substr(md5(row(${columns})::text), part, 16))::bit(64)::bigint::numeric * part as half
             from ${quoteTable(table)} t cross join (values (1), (17)) as parts (part) ${without}) as halves`,
    );
    summaries.push({ name, count: (rows[0]?.count ?? 0) / 2, checksum: rows[0]?.checksum ?? '' });
  }
  return summaries;
}

export function findDifferences(
  expected: readonly TableSummary[],
  actual: readonly TableSummary[],
): string[] {
  const byName = new Map(actual.map((summary) => [summary.name, summary]));
  return expected
    .filter(({ name, count, checksum }) => {
      const other = byName.get(name);
      return other?.count !== count || other.checksum !== checksum;
    })
    .map(({ name, count }) => `${name}: ${count} rows here, ${byName.get(name)?.count ?? 'none'} there`);
}
