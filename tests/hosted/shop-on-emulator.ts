import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { startEmbeddedPostgres } from '@parts-forge/embedded-postgres';
import { buildApp } from '../../api/src/app.ts';
import { seedDemo } from '../../api/src/demo/seed-demo.ts';
import { ensureFirstAdmin } from '../../api/src/identity/administrators.ts';
import { deleteHostedAccounts } from '../../api/src/identity/hosted-deletions.ts';
import { systemClock } from '../../api/src/platform/core/clock.ts';
import { readConfig } from '../../api/src/platform/core/config.ts';
import { createLog } from '../../api/src/platform/core/log.ts';
import { openDatabase } from '../../api/src/platform/database/connection.ts';
import { migrate } from '../../api/src/platform/database/migrate.ts';
import { createServices } from '../../api/src/services.ts';
import { loopbackCertificate, loopbackKey } from '../../api/test/loopback-certificate.ts';
import { startAuthEmulator } from './auth-emulator.ts';
import { createEmulatorIdentity } from './emulator-identity.ts';
import { ADMIN_EMAIL, PROJECT } from './project.ts';

// The built shop on PORT, with temporary data.
const dataDir = mkdtempSync(path.join(tmpdir(), 'parts-forge-hosted-'));
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const config = readConfig({
  PORT: process.env.PORT,
  ORIGIN: `https://${PROJECT.authDomain}`,
  PAYMENTS: 'sandbox',
  DATA_DIR: dataDir,
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'warn',
  ADMIN_EMAIL,
  REQUIRE_VERIFIED_EMAIL: 'on',
  FIREBASE_PROJECT_ID: PROJECT.projectId,
  FIREBASE_API_KEY: PROJECT.apiKey,
  FIREBASE_AUTH_DOMAIN: PROJECT.authDomain,
  FIREBASE_SERVICE_ACCOUNT: JSON.stringify({
    type: 'service_account',
    project_id: PROJECT.projectId,
    client_email: `shop@${PROJECT.projectId}.iam.gserviceaccount.com`,
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  }),
});
if (!config.firebase) throw new Error('The settings name no project.');

const [postgres, emulator] = await Promise.all([
  startEmbeddedPostgres({ dataDir, settings: { fsync: 'off', synchronous_commit: 'off' } }),
  startAuthEmulator(PROJECT.projectId),
]);
const database = openDatabase(postgres.connection, config, (error) => process.stderr.write(`${error}\n`));
await migrate(database);
const services = await createServices(config, database, createLog(config.logLevel));

// Google's token endpoint, and a trigger of the job that otherwise runs each minute.
const control = createServer(async (request, response) => {
  const answers: Record<string, () => Promise<object>> = {
    '/token': async () => ({ access_token: 'owner', expires_in: 3600 }),
    '/delete-hosted-accounts': async () => ({ deleted: await deleteHostedAccounts(hosted) }),
    '/emulator': async () => ({ url: emulator.url.href }),
  };
  const answer = await answers[request.url ?? '']?.();
  response
    .writeHead(answer ? 200 : 404, { 'content-type': 'application/json' })
    .end(JSON.stringify(answer ?? {}));
});
const controlPort = Number(process.env.CONTROL_PORT);
await new Promise<void>((resolve) => control.listen(controlPort, '127.0.0.1', resolve));

const identity = createEmulatorIdentity({
  settings: config.firebase,
  clock: systemClock,
  emulator: emulator.url,
  tokenUrl: `http://127.0.0.1:${controlPort}/token`,
});
const hosted = { ...services, identity };
await ensureFirstAdmin(config, hosted);
await seedDemo(hosted);
const app = await buildApp(hosted);
await app.listen({ host: '127.0.0.1', port: config.port });
const secured = createTlsServer({ cert: loopbackCertificate, key: loopbackKey }, (socket) => {
  const shop = connect(config.port, '127.0.0.1');
  // The browser ends connections as it likes.
  for (const end of [socket, shop]) end.on('error', () => {}).on('close', () => shop.destroy());
  socket.pipe(shop).pipe(socket);
}).listen(Number(process.env.SECURE_PORT), '127.0.0.1');

process.once('SIGTERM', async () => {
  control.closeAllConnections();
  control.close();
  secured.close();
  await app.close();
  await services.close();
  await database.close();
  await Promise.all([postgres.stop(), emulator.stop()]);
  rmSync(dataDir, { recursive: true, force: true });
  process.exit();
});
