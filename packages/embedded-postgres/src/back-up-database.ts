import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { copyFile, copyFolder } from './copy-files.ts';
import { resolveDatabaseFolder, resolvePasswordFile } from './database-folder.ts';

export interface BackUpOptions {
  dataDir: string;
  /** Its superuser on the PostgreSQL that runs on `dataDir`. */
  connection: pg.ClientConfig;
  /** Gets what `restoreDatabase` takes; must be empty or missing. */
  target: string;
  /** Ends it early; PostgreSQL forgets that a backup was under way. */
  signal?: AbortSignal;
}

/**
 * Folders whose contents a new start makes by itself, as PostgreSQL's manual lists them ("Making a Base Backup Using
 * the Low Level API"); of the write-ahead log only the part that belongs to the backup is copied, at the end.
 */
export const emptiedFolders = [
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
] as const;

const controlFile = 'global/pg_control';
const unwanted =
  /^(postmaster\.(pid|opts)|(backup_label|tablespace_map)(\.old)?|\.s\.PGSQL\..*)$|(^|\/)(pgsql_tmp|pg_internal\.init)/;

/**
 * Copies the database while it is written to. The copy is as the database was at the end of the copying: everything
 * that was committed before the call is in it, and nothing that was begun after it returned.
 *
 * Files that change while they are read are made whole by the write-ahead log since the start, which is copied with
 * them; a replication slot keeps PostgreSQL from removing it. Slot and backup are the session's and end with it, so
 * that a command that dies leaves nothing behind in PostgreSQL.
 * @throws the database's or the system's own error, or the signal's reason; `target` is then of no use
 */
export async function backUpDatabase({ dataDir, connection, target, signal }: BackUpOptions): Promise<void> {
  const source = resolveDatabaseFolder(dataDir);
  const copy = join(target, 'postgres');
  if ((await readdir(join(source, 'pg_tblspc'))).length > 0) {
    throw new Error('The database has tablespaces, whose files are elsewhere: it cannot be copied.');
  }
  const client = new pg.Client(connection);
  // A connection that breaks fails its next statement, which is where it is noticed.
  client.on('error', () => {});
  await client.connect();
  try {
    const slot = `backup_${randomBytes(8).toString('hex')}`;
    await client.query('select pg_create_physical_replication_slot($1, true, true)', [slot]);
    const start = await readRow(client, "select pg_backup_start('backup', true) as lsn");
    await copyFolder(source, copy, { wants: isWanted, ...(signal && { signal }) });
    await copyControlFile(source, copy);
    const end = await readRow(client, 'select lsn, labelfile from pg_backup_stop(false)');
    await writeFile(join(copy, 'backup_label'), end.labelfile ?? '', { mode: 0o600, flush: true });
    for (const name of await listLogFiles(client, start.lsn, end.lsn)) {
      signal?.throwIfAborted();
      const file = join(source, 'pg_wal', name);
      if (!existsSync(file)) throw new Error(`PostgreSQL has removed its log ${name} during the backup.`);
      await copyFile(file, join(copy, 'pg_wal', name), { signal });
    }
  } finally {
    await client.end();
  }
  await copyFile(resolvePasswordFile(dataDir), resolvePasswordFile(target));
}

const isWanted = (path: string): boolean => {
  const [folder = '', ...rest] = path.split('/');
  if (rest.length > 0 && (emptiedFolders as readonly string[]).includes(folder)) return false;
  return path !== controlFile && !unwanted.test(path);
};

type Row = Partial<Record<string, string>>;

async function readRow(client: pg.Client, sql: string): Promise<Row> {
  const { rows } = await client.query<Row>(sql);
  return rows[0] ?? {};
}

/** The files of the write-ahead log from one position to another. */
async function listLogFiles(
  client: pg.Client,
  start: string | undefined,
  end: string | undefined,
): Promise<string[]> {
  // A position at the very beginning of a file would count for the file before it.
  const { rows } = await client.query<{ name: string }>(
    `select name
     from (select pg_size_bytes(current_setting('wal_segment_size'))::numeric as size) as segment,
       generate_series(0, ceil(($2::pg_lsn - $1::pg_lsn) / size)::int) as n,
       pg_walfile_name($1::pg_lsn + 1::numeric + n * size) as name
     where name collate "C" <= pg_walfile_name($2::pg_lsn) collate "C"
     order by name`,
    [start, end],
  );
  return rows.map(({ name }) => name);
}

/** The one file that no log makes whole: it is read until it was not being written to. */
async function copyControlFile(source: string, copy: string): Promise<void> {
  const read = () => readFile(join(source, controlFile));
  let bytes = await read();
  for (;;) {
    await wait(5);
    const again = await read();
    if (again.equals(bytes)) break;
    bytes = again;
  }
  await writeFile(join(copy, controlFile), bytes, { mode: 0o600, flush: true });
}
