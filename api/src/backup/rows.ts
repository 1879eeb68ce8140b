import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import * as z from 'zod/mini';
import { type Database, exemptFromTimeouts } from '#src/platform/database/connection.ts';
import { listSequences, listTables, orderByReferences, readTriggers } from './tables.ts';

const INDEX = 'index.json';
const indexSchema = z.object({
  tables: z.array(z.object({ schema: z.string(), name: z.string(), columns: z.array(z.string()) })),
  sequences: z.array(z.object({ name: z.string(), lastValue: z.string() })),
});

const quote = (schema: string, name: string) => `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
const resolveFile = (folder: string, { schema, name }: { schema: string; name: string }) =>
  path.join(folder, `${schema}.${name}.tsv`);
const listColumns = (columns: readonly string[]) => columns.map(pg.escapeIdentifier).join(', ');

/**
 * Writes the rows of all tables of the given schemas, as they are at one moment, while the shop goes on. As text, which
 * every version of PostgreSQL reads; the binary form is faster but bound to versions.
 * @throws the database's own error; the signal's reason
 */
export async function saveRows(
  database: Database,
  schemas: readonly string[],
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  await withClient(database, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    const tables = await listTables(client, schemas);
    for (const table of tables) {
      const sql = `copy ${quote(table.schema, table.name)} (${listColumns(table.columns)}) to stdout`;
      const file = createWriteStream(resolveFile(folder, table), { mode: 0o600, flush: true });
      await pipeline(client.query(copyTo(sql)), file, { signal });
    }
    // Numbers are handed out outside of transactions: what was read last is past all that the rows have.
    const sequences = await listSequences(client, schemas);
    await writeFile(path.join(folder, INDEX), JSON.stringify({ tables, sequences }, null, 1), {
      mode: 0o600,
      flush: true,
    });
    await client.query('commit');
  });
}

/**
 * Puts the rows in the place of all that is in the tables, which must be of the version that the rows are from, in one
 * transaction.
 * @param finish what else belongs to it
 * @throws the database's own error; nothing has changed then
 */
export async function loadRows(
  database: Database,
  schemas: readonly string[],
  folder: string,
  signal: AbortSignal,
  finish: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const index = indexSchema.parse(JSON.parse(await readFile(path.join(folder, INDEX), 'utf8')));
  await withClient(database, async (client) => {
    await client.query('begin');
    const tables = await orderByReferences(client, index.tables);
    // What triggers write or refuse was written or allowed when the rows were made.
    const triggers = await readTriggers(client, schemas);
    for (const { disable } of triggers) await client.query(disable);
    await client.query(`truncate ${tables.map(({ schema, name }) => quote(schema, name)).join(', ')}`);
    for (const table of tables) {
      const sql = `copy ${quote(table.schema, table.name)} (${listColumns(table.columns)}) from stdin`;
      await pipeline(createReadStream(resolveFile(folder, table)), client.query(copyFrom(sql)), { signal });
    }
    for (const { name, lastValue } of index.sequences) {
      await client.query('select setval($1, $2::bigint)', [name, lastValue]);
    }
    for (const { enable } of triggers) await client.query(enable);
    await finish(client);
    await client.query('commit');
  });
}

/** A connection for this work alone. An open transaction ends with it. */
async function withClient<T>(database: Database, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await database.pool.connect();
  try {
    await exemptFromTimeouts(client);
    return await work(client);
  } finally {
    client.release(true);
  }
}
