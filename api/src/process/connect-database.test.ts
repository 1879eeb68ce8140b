import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@parts-forge/embedded-postgres';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { newFolder } from '#test/processes.ts';
import { connectDatabase } from './connect-database.ts';

const listeners = { log: () => {}, onProgress: () => {}, onError: () => {}, onDeath: () => {} };

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

let certificates: string;
let ca: string;

/** An authority and what it signs, as a company has them; or an authority of the same name that signed nothing. */
function createAuthority(name: string): string {
  const file = join(certificates, name);
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=Parts authority',
    '-keyout',
    `${file}.key`,
    '-out',
    `${file}.pem`,
  );
  return `${file}.pem`;
}
const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: certificates, stdio: 'pipe' });

/** A PostgreSQL that takes TLS alone, with a certificate for `host`. @returns its address */
async function startSecured(host: string): Promise<string> {
  openssl(
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    `/CN=${host}`,
    '-addext',
    `subjectAltName=DNS:${host}`,
    '-keyout',
    'server.key',
    '-out',
    'server.csr',
  );
  openssl(
    'x509',
    '-req',
    '-in',
    'server.csr',
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-days',
    '2',
    '-copy_extensions',
    'copy',
    '-out',
    'server.pem',
  );
  const dataDir = newFolder();
  const first = await startEmbeddedPostgres({ dataDir, transport: 'tcp' });
  await first.stop();
  // As root, PostgreSQL runs as the folder's owner, who alone may read the key.
  const { uid, gid } = statSync(join(dataDir, 'postgres'));
  for (const name of ['.', 'server.key', 'server.pem']) chownSync(join(certificates, name), uid, gid);
  const server = await startEmbeddedPostgres({
    dataDir,
    transport: 'tcp',
    settings: {
      ssl: 'on',
      ssl_cert_file: join(certificates, 'server.pem'),
      ssl_key_file: join(certificates, 'server.key'),
    },
  });
  onTestFinished(() => server.stop());
  const { user, password, port, database } = server.connection;
  return `postgres://${user}:${password}@localhost:${port}/${database}`;
}

/** What makes the certificates: where it is missing nothing can be shown; the openssl of macOS knows these options otherwise. */
const hasOpenssl = /^OpenSSL 3/.test(spawnSync('openssl', ['version'], { encoding: 'utf8' }).stdout ?? '');

describe.skipIf(!hasOpenssl)('a PostgreSQL with a certificate of its own authority', () => {
  beforeEach(() => {
    certificates = join(newFolder(), 'certificates');
    mkdirSync(certificates);
    ca = createAuthority('ca');
  });

  test('is reached by TLS that is verified with DATABASE_CA, and refused in a sentence without it or with another', async () => {
    const url = await startSecured('localhost');
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
  });

  test('is refused under another name than its certificate has', async () => {
    const url = await startSecured('db.example');
    await expect(connect({ DATABASE_URL: url, DATABASE_CA: ca })).rejects.toThrow(
      /^DATABASE_URL does not answer at localhost:\d+\/postgres: Hostname\/IP does not match/,
    );
  });
});

test('a server that takes no writes is refused in a sentence', async () => {
  const server = await startEmbeddedPostgres({
    dataDir: newFolder(),
    transport: 'tcp',
    settings: { default_transaction_read_only: 'on' },
  });
  onTestFinished(() => server.stop());
  const { user, password, host, port, database } = server.connection;
  await expect(
    connect({ DATABASE_URL: `postgres://${user}:${password}@${host}:${port}/${database}` }),
  ).rejects.toThrow(
    `DATABASE_URL leads to a server that takes no writes (${host}:${port}), as a standby does: name the primary.`,
  );
});
