import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { postmasterPid } from '#test/linux-processes.ts';
import { newDatabase, newFolder, query, start, startOwner, waitForEnd } from '#test/servers.ts';
import { findRunningPostgres } from './embedded-postgres.ts';
import { EmbeddedPostgresError } from './errors.ts';

const isRoot = process.getuid?.() === 0;

afterEach(() => vi.unstubAllEnvs());

describe('an empty folder', () => {
  test('an empty folder becomes a private, durable PostgreSQL 18 without TCP', async () => {
    const dataDir = join(newFolder(), 'data');
    const { connection } = await start(dataDir);
    expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700);
    await query(connection, 'create extension pg_trgm');
    expect(
      await query(
        connection,
        `select current_setting('server_version_num')::int / 10000 as version, current_setting('fsync') as fsync,
          current_setting('synchronous_commit') as commit, current_setting('listen_addresses') as addresses,
          current_setting('server_encoding') as encoding`,
      ),
    ).toEqual([{ version: 18, fsync: 'on', commit: 'on', addresses: '', encoding: 'UTF8' }]);
  });

  test('the data survives a stop and a second start', async () => {
    const dataDir = newDatabase();
    const first = await start(dataDir);
    await query(first.connection, 'create table things as select 42 as answer');
    await first.stop();
    const second = await start(dataDir);
    expect(await query(second.connection, 'select answer from things')).toEqual([{ answer: 42 }]);
  });

  test('`onWait` runs for initdb and for each server start', async () => {
    const dataDir = newFolder();
    const runs: boolean[] = [];
    const onWait = () => runs.push(findRunningPostgres(dataDir) !== undefined);
    const first = await start(dataDir, { onWait });
    // During initdb no server runs; after its start the server may already be found.
    expect(runs).toHaveLength(2);
    expect(runs[0]).toBe(false);
    await first.stop();
    await start(dataDir, { onWait });
    expect(runs).toHaveLength(3);
  });

  test('an interrupted first start is repeated from scratch', async () => {
    const dataDir = newFolder();
    mkdirSync(join(dataDir, 'postgres.new'));
    writeFileSync(join(dataDir, 'postgres.new', 'PG_VERSION'), '18\n');
    const { connection } = await start(dataDir);
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(existsSync(join(dataDir, 'postgres.new'))).toBe(false);
  });

  test('TCP with a password replaces the socket on request', async () => {
    const dataDir = newFolder();
    const { connection } = await start(dataDir, { transport: 'tcp' });
    expect(connection.host).toBe('127.0.0.1');
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    await expect(query({ ...connection, password: 'guessed' }, 'select 1')).rejects.toThrow(/password/);
    expect(statSync(join(dataDir, 'postgres-password')).mode & 0o777).toBe(0o600);
  });

  test("the connection ignores the client's environment variables", async () => {
    const dataDir = newDatabase();
    for (const [name, value] of Object.entries({
      PGSSLMODE: 'require',
      PGSSLNEGOTIATION: 'direct',
      PGOPTIONS: '-c search_path=nowhere',
      PGREPLICATION: 'database',
      PGHOST: 'db.example',
      PGPORT: '1',
      PGUSER: 'nobody',
      PGDATABASE: 'nowhere',
      PGPASSWORD: 'wrong',
      PGCLIENT_ENCODING: 'LATIN1',
    })) {
      vi.stubEnv(name, value);
    }
    const { connection } = await start(dataDir);
    expect(findRunningPostgres(dataDir)).toEqual(connection);
    const sql = `select current_setting('search_path') as path, 'é' as letter, current_user as name`;
    expect(await query(connection, sql)).toEqual([
      { path: '"$user", public', letter: 'é', name: 'postgres' },
    ]);
  });

  test('a socket database never opens TCP, despite a leftover password file', async () => {
    const dataDir = newFolder();
    writeFileSync(join(dataDir, 'postgres-password'), 'left over\n');
    const first = await start(dataDir, { transport: 'socket' });
    await first.stop();
    const second = await start(dataDir, { transport: 'socket' });
    expect(second.connection.host).toBe(join(dataDir, 'postgres'));
    expect(await query(second.connection, `select current_setting('listen_addresses') as addresses`)).toEqual(
      [{ addresses: '' }],
    );
  });
});

describe('a database with custom names', () => {
  const names = { user: 'clerk', database: 'the shop' };

  test('the database is found under its custom names while it runs', async () => {
    const dataDir = newFolder();
    const { connection, stop } = await start(dataDir, names);
    expect(connection).toMatchObject(names);
    expect(await query(connection, 'select current_user, current_database()')).toEqual([
      { current_user: 'clerk', current_database: 'the shop' },
    ]);
    expect(findRunningPostgres(dataDir, names)).toEqual(connection);
    await stop();
    expect(findRunningPostgres(dataDir, names)).toBeUndefined();
    expect(findRunningPostgres(join(dataDir, 'nothing'), names)).toBeUndefined();
  });
});

test('an installed PostgreSQL runs, or one sentence names its absence', async () => {
  const started = start(newFolder(), { source: 'installed' });
  const outcome = await started.then(
    async ({ connection, majorVersion }) =>
      majorVersion >= 15 && (await query(connection, 'select 1 as one')).length === 1,
    (error: unknown) => error,
  );
  if (outcome !== true) {
    expect(outcome).toMatchObject({ code: 'no-binaries', details: { oldest: 15 } });
    expect(outcome).toHaveProperty(
      'message',
      expect.stringMatching(
        /^No PostgreSQL runs on this machine \(\w+ \w+\): install PostgreSQL 15 or newer\.$/,
      ),
    );
  }
});

describe('a difficult folder', () => {
  test('a path too long for a socket works', async () => {
    const dataDir = join(newFolder(), 'a-long-name-'.repeat(12), 'data');
    const postgres = await start(dataDir);
    expect(await query(postgres.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    const socketFolder = postgres.connection.host ?? '';
    expect(socketFolder.startsWith(tmpdir())).toBe(true);
    expect(statSync(socketFolder).mode & 0o777).toBe(0o700);
    await postgres.stop();
    expect(existsSync(socketFolder)).toBe(false);
  });

  test('a private home works, and PostgreSQL never runs as root', async () => {
    const home = newFolder();
    chmodSync(home, 0o700);
    const dataDir = join(home, 'project', 'data');
    const { connection } = await start(dataDir);
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    const uid = statSync(`/proc/${postmasterPid(dataDir)}`).uid;
    expect(uid).toBe(isRoot ? 65534 : process.getuid?.());
  });

  test.runIf(isRoot).each([
    ['works for an unprivileged user too', 65534],
    ['works for a user without a name, as containers make them up', 54321],
  ])('%s', async (_name, uid) => {
    const dataDir = newFolder();
    chmodSync(dataDir, 0o777);
    // The clone may be in a private home: this user gets read access only.
    const mayRead = ['--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search'];
    const asUser = ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', ...mayRead];
    const { nextFact, child } = startOwner(dataDir, [...asUser, '--securebits=+no_setuid_fixup']);
    const { connection, problem } = await nextFact();
    // Some systems forbid the workaround for nameless users; they get one sentence.
    if (problem)
      expect(problem).toMatch(/^PostgreSQL needs the user 54321 to be in the system's list of users: /);
    else expect(await query(connection ?? {}, 'select 1 as one')).toEqual([{ one: 1 }]);
    child.kill('SIGTERM');
    await waitForEnd(child);
  });

  test('an unwritable folder is refused with one sentence', async () => {
    const file = join(newFolder(), 'a-file');
    writeFileSync(file, '');
    const folder = join(file, 'data');
    await expect(start(folder)).rejects.toMatchObject({
      code: 'folder-not-writable',
      details: { folder, reason: 'ENOTDIR' },
      message: `The data folder ${folder} cannot be written (ENOTDIR): allow it, or choose another folder.`,
    });
  });

  test("another version's data stays untouched and is refused with one sentence", async () => {
    const dataDir = newFolder();
    mkdirSync(join(dataDir, 'postgres'));
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '12\n');
    const refusal = await start(dataDir).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(EmbeddedPostgresError);
    expect(refusal).toMatchObject({
      code: 'version-not-available',
      details: { required: 12, available: expect.arrayContaining([18]) },
      message: expect.stringMatching(
        /^The data folder was made by PostgreSQL 12, but this machine has only version [\d, ]+: install PostgreSQL 12\.$/,
      ),
    });
    expect(readdirSync(join(dataDir, 'postgres'))).toEqual(['PG_VERSION']);
  });
});
