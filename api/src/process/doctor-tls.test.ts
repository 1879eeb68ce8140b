import { chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkConnections } from '#src/doctor/check-connections.ts';
import { readConfig } from '#src/platform/core/config.ts';
import { loopbackCertificate, loopbackKey } from '#test/loopback-certificate.ts';
import { startOwnedPostgres } from '#test/owned-postgres.ts';
import { newFolder } from '#test/processes.ts';
import { connectToUrl } from './connect-database.ts';

/** Starts a PostgreSQL with the tests' TLS certificate. @returns its address and the certificate's file */
async function startSecured(): Promise<{ url: string; certificate: string }> {
  const folder = join(newFolder(), 'certificates');
  mkdirSync(folder);
  const [certificate, key] = [join(folder, 'server.pem'), join(folder, 'server.key')];
  writeFileSync(certificate, loopbackCertificate);
  writeFileSync(key, loopbackKey, { mode: 0o600 });
  const { url } = await startOwnedPostgres((database) => {
    // As root, PostgreSQL runs as the folder's owner, and only the owner may read the key.
    const { uid, gid } = statSync(database);
    for (const path of [folder, certificate, key]) chownSync(path, uid, gid);
    return { ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key };
  });
  return { url, certificate };
}

test('the doctor reports encryption and certificate checks of the database connection', async () => {
  const { url, certificate } = await startSecured();
  const look = async (env: Record<string, string>) => {
    const config = readConfig({ CONNECTION_TIMEOUT_MS: '5000', ...env });
    const { database, close } = await connectToUrl(config, config.databaseUrl ?? '', { onError: () => {} });
    try {
      const [first] = await checkConnections(database, false);
      return `${first?.verdict}: ${first?.sentence}`;
    } finally {
      await close();
    }
  };
  expect(await look({ DATABASE_URL: url, DATABASE_CA: certificate })).toMatch(
    /^works: DATABASE_URL: the connection is encrypted \(TLSv1\.[23]\), and the server's certificate is checked\.$/,
  );
  expect(await look({ DATABASE_URL: `${url}?sslmode=no-verify` })).toMatch(
    /^note: DATABASE_URL: the connection is encrypted \(TLSv1\.[23]\), but the server's certificate is not checked: .+ Set DATABASE_CA to check it\.$/,
  );
  expect(await look({ DATABASE_URL: url })).toMatch(/^note: DATABASE_URL: the connection is not encrypted/);
});
