import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { startOwnedPostgres } from '#test/owned-postgres.ts';
import { copyReadyDataFolder, newFolder } from '#test/processes.ts';
import { connectBesideShop, connectDatabase } from './connect-database.ts';

const listeners = { log: () => {}, onProgress: () => {}, onError: () => {}, onDeath: () => {} };

afterEach(() => vi.unstubAllEnvs());

async function connect(env: Record<string, string>): Promise<string | null> {
  const config = readConfig({ DATA_DIR: newFolder(), CONNECTION_TIMEOUT_MS: '5000', ...env });
  const { database, close } = await connectDatabase(config, listeners);
  try {
    const { rows } = await database.pool.query<{ version: string | null }>(
      'select version from pg_stat_ssl where pid = pg_backend_pid()',
    );
    return rows[0]?.version ?? null;
  } finally {
    await close();
  }
}

test('PG* variables reach neither the embedded database nor its planner settings', async () => {
  vi.stubEnv('PGSSLMODE', 'require');
  vi.stubEnv('PGOPTIONS', '-c search_path=nowhere');
  const config = readConfig({ DATA_DIR: copyReadyDataFolder() });
  const shop = await connectDatabase(config, listeners);
  const command = await connectBesideShop(config, () => {});
  for (const { database } of [shop, command]) {
    const { rows } = await database.pool.query(
      `select current_setting('jit') as jit, current_setting('search_path') as path`,
    );
    expect(rows).toEqual([{ jit: 'off', path: '"$user", public' }]);
  }
  await command.close();
  await shop.close();
});

let certificates: string;

/** Creates an authority's key and certificate. A second one has the same name and signs nothing. */
function createAuthority(name: string): string {
  const file = join(certificates, name);
  openssl(
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=Parts authority'],
    ...['-keyout', `${file}.key`, '-out', `${file}.pem`],
  );
  return `${file}.pem`;
}

/** Signs a server certificate for a host name. */
function certify(host: string): void {
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  openssl('req', '-newkey', 'rsa:2048', '-nodes', ...names, '-keyout', 'server.key', '-out', 'server.csr');
  openssl(
    ...['x509', '-req', '-in', 'server.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-days', '2'],
    ...['-copy_extensions', 'copy', '-out', 'server.pem'],
  );
}
const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: certificates, stdio: 'pipe' });

/** Without OpenSSL 3 the tests are skipped; the openssl of macOS takes other options. */
const hasOpenssl = /^OpenSSL 3/.test(spawnSync('openssl', ['version'], { encoding: 'utf8' }).stdout ?? '');

describe.skipIf(!hasOpenssl)('a PostgreSQL with a certificate of its own authority', () => {
  test("a connection verifies the certificate's authority and host name", async () => {
    certificates = join(newFolder(), 'certificates');
    mkdirSync(certificates);
    const ca = createAuthority('ca');
    const { url } = await startOwnedPostgres((folder) => {
      certify('localhost');
      // As root, PostgreSQL runs as the folder's owner, and only the owner may read the key.
      const { uid, gid } = statSync(folder);
      for (const name of ['.', 'server.key', 'server.pem']) chownSync(join(certificates, name), uid, gid);
      const [certificate, key] = [join(certificates, 'server.pem'), join(certificates, 'server.key')];
      return { ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key };
    });
    expect(await connect({ DATABASE_URL: url, DATABASE_CA: ca })).toMatch(/^TLSv1\.[23]$/);
    expect(await connect({ DATABASE_URL: `${url}?sslmode=verify-full&sslrootcert=${ca}` })).toMatch(/^TLS/);
    expect(await connect({ DATABASE_URL: url })).toBeNull();
    const refused =
      /^DATABASE_URL does not answer at localhost:\d+\/postgres: nobody that this machine trusts has signed its certificate \(.+\); DATABASE_CA names who has\.$/;
    await expect(connect({ DATABASE_URL: `${url}?sslmode=verify-full` })).rejects.toThrow(refused);
    const other = createAuthority('other');
    await expect(connect({ DATABASE_URL: url, DATABASE_CA: other })).rejects.toThrow(
      /^DATABASE_URL does not answer at localhost:\d+\/postgres: .*certificate/,
    );

    certify('db.example');
    await reload(url);
    await expect
      .poll(() => connect({ DATABASE_URL: url, DATABASE_CA: ca }).catch(String))
      .toMatch(/DATABASE_URL does not answer at localhost:\d+\/postgres: Hostname\/IP does not match/);
  });
});

/** Makes PostgreSQL reload its certificate. */
async function reload(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('select pg_reload_conf()');
  await client.end();
}

test('a read-only server is refused in a sentence', async () => {
  const { url, connection } = await startOwnedPostgres(() => ({ default_transaction_read_only: 'on' }));
  await expect(connect({ DATABASE_URL: url })).rejects.toThrow(
    `DATABASE_URL leads to a server that takes no writes (localhost:${connection.port}), as a standby does: name the primary.`,
  );
});
