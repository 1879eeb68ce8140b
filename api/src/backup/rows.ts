import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import * as z from 'zod/mini';
import { type Database, withOwnConnection } from '#src/platform/database/connection.ts';
import { listSequences, listTables, orderByReferences, readTriggers, type Table } from './tables.ts';

const INDEX = 'index.json';
const indexSchema = z.object({
  tables: z.array(z.object({ schema: z.string(), name: z.string(), columns: z.array(z.string()) })),
  sequences: z.array(z.object({ name: z.string(), lastValue: z.string() })),
});

/**
 * A backup is the rows, as text that every PostgreSQL version reads. `pg_dump` is in no npm package, and
 * copies of the server's files need its major version. 100,000 orders take 45 MB, 1.5 s to back up and 30.3 s
 * to restore; copied files took 179 MB and 11.6 s to restore (two busy cores, 2026-11-25).
 */
export interface RowSource {
  tables: readonly Table[];
  sequences: readonly { name: string; lastValue: string }[];
  /** In the order of `columns`; one table at a time. */
  read(table: Table): Readable;
}

export const quoteTable = ({ schema, name }: Pick<Table, 'schema' | 'name'>) =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
const resolveFile = (folder: string, { schema, name }: Table) => path.join(folder, `${schema}.${name}.tsv`);
const listColumns = ({ columns }: Table) => columns.map(pg.escapeIdentifier).join(', ');

/**
 * All tables at one moment; the shop may run.
 * @param client in its own transaction (`beginReading`)
 */
export async function openRows(client: pg.Client, schemas: readonly string[]): Promise<RowSource> {
  return {
    tables: await listTables(client, schemas),
    sequences: await listSequences(client, schemas),
    read: (table) => client.query(copyTo(`copy ${quoteTable(table)} (${listColumns(table)}) to stdout`)),
  };
}

export const beginReading = (client: pg.Client) =>
  client.query('begin isolation level repeatable read read only');

/**
 * Text, as PostgreSQL's binary form depends on the version.
 * @throws the database's error; the signal's reason
 */
export async function saveRows(
  database: Database,
  schemas: readonly string[],
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  await withOwnConnection(database, async (client) => {
    await beginReading(client);
    const rows = await openRows(client, schemas);
    for (const table of rows.tables) {
      const file = createWriteStream(resolveFile(folder, table), { mode: 0o600, flush: true });
      await pipeline(rows.read(table), file, { signal });
    }
    // Sequences ignore transactions: read last, they cover all saved rows.
    const sequences = await listSequences(client, schemas);
    const index = { tables: rows.tables, sequences };
    await writeFile(path.join(folder, INDEX), JSON.stringify(index, null, 1), { mode: 0o600, flush: true });
    await client.query('commit');
  });
}

/** Reads the output of `saveRows`. */
export async function readRowsFolder(folder: string): Promise<RowSource> {
  const index = indexSchema.parse(JSON.parse(await readFile(path.join(folder, INDEX), 'utf8')));
  return { ...index, read: (table) => createReadStream(resolveFile(folder, table)) };
}

/**
 * Replaces all rows in one transaction. The tables must have the version of the rows.
 * @param finish runs in the same transaction
 * @returns the skipped tables, which are not the shop's
 * @throws the database's error; nothing has changed then
 */
export async function loadRows(
  database: Database,
  schemas: readonly string[],
  rows: RowSource,
  signal: AbortSignal,
  finish: (client: pg.Client) => Promise<void>,
): Promise<string[]> {
  return withOwnConnection(database, async (client) => {
    await client.query('begin');
    const known = new Set((await listTables(client, schemas)).map(quoteTable));
    const tables = await orderByReferences(
      client,
      rows.tables.filter((table) => known.has(quoteTable(table))),
    );
    // Triggers ran when these rows were first written.
    const triggers = await readTriggers(client, schemas);
    for (const { disable } of triggers) await client.query(disable);
    await client.query(`truncate ${tables.map(quoteTable).join(', ')}`);
    for (const table of tables) {
      const sql = `copy ${quoteTable(table)} (${listColumns(table)}) from stdin`;
      await pipeline(rows.read(table), client.query(copyFrom(sql)), { signal });
    }
    for (const { name, lastValue } of rows.sequences) {
      await client.query('select setval(to_regclass($1), $2::bigint)', [name, lastValue]);
    }
    for (const { enable } of triggers) await client.query(enable);
    await finish(client);
    await client.query('commit');
    return rows.tables.map(quoteTable).filter((name) => !known.has(name));
  });
}
