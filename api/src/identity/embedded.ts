import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Clock } from '#src/platform/core/clock.ts';
import { type Config, trustedOrigins } from '#src/platform/core/config.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { ensureSecret } from '#src/platform/database/metadata.ts';
import { deleteAccount, purgeExpiredAccounts, replaceAccount } from './accounts.ts';
import type { BetterAuth } from './better-auth.ts';
import { createIdTokenCheck } from './id-token.ts';
import { ADDRESS_HEADER, mountIdentity } from './mount-better-auth.ts';
import { createPasswordHasher } from './password-hash.ts';
import type { IdentityProvider } from './provider.ts';

/** Loading takes a second of processor; the first visitors come before it. */
const LOAD_AFTER_MS = 1500;
/** Passwords that may wait to be hashed; the last one waits for about three seconds. */
const LONGEST_QUEUE = 64;

export interface EmbeddedIdentityParts {
  config: Pick<Config, 'allowedOrigins' | 'origin' | 'port' | 'identitySecret' | 'rateLimits'>;
  database: Database;
  clock: Clock;
  instanceId: string;
  log: FastifyBaseLogger;
}

/** The identity service that runs inside the shop, on the shop's own database: email and password. */
export async function createEmbeddedIdentity({
  config,
  database,
  clock,
  instanceId,
  log,
}: EmbeddedIdentityParts): Promise<IdentityProvider> {
  // A constant of the database and never an address: a shop that moves to another host orphans nobody.
  const issuer = `urn:parts-forge:${instanceId}`;
  const secret = config.identitySecret ?? (await ensureSecret(database.db, 'identity_secret'));
  const baseUrl = config.origin ?? `http://localhost:${config.port}`;
  // Without limits on rates, measurements and tests may sign up as many at once as the shop takes requests.
  const passwords = createPasswordHasher(config.rateLimits ? LONGEST_QUEUE : Number.POSITIVE_INFINITY);
  let listensOn = config.port;

  let loading: Promise<BetterAuth> | null = null;
  const load = () => {
    loading ??= open().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
  async function open(): Promise<BetterAuth> {
    const { openBetterAuth } = await import('./better-auth.ts');
    const service = openBetterAuth({
      database,
      clock,
      log,
      passwords,
      secret,
      issuer,
      baseUrl,
      trustedOrigins: () => [
        ...trustedOrigins({ origin: config.origin, port: listensOn }),
        ...config.allowedOrigins,
      ],
      addressHeader: ADDRESS_HEADER,
      rateLimits: config.rateLimits,
    });
    await service.prepareKeys();
    await purgeExpiredAccounts(database.db, clock.now());
    return service;
  }
  const checkIdToken = createIdTokenCheck({ database, clock, issuer });

  return {
    pageConfig: { kind: 'embedded', google: false },
    async verify(idToken) {
      // The keys are there once the service is.
      await load();
      return checkIdToken(idToken);
    },
    deleteIdentity: (subject, tx) => deleteAccount(tx, subject),
    takeOver: async (person, tx) => ({ issuer, subject: await replaceAccount(tx, passwords, person) }),
    purgeExpired: () => purgeExpiredAccounts(database.db, clock.now()),
    async isReady() {
      await Promise.all([load(), database.db.execute(sql`select 1`)]);
      return true;
    },
    async routes(app) {
      await mountIdentity(app, baseUrl, async (request) => (await load()).handle(request));
      loadSoon(app);
    },
  };

  function loadSoon(app: FastifyInstance): void {
    let timer: NodeJS.Timeout | undefined;
    app.addHook('onListen', async () => {
      // With port 0 the system has chosen one, and its pages' origin is known only now.
      listensOn = (app.server.address() as AddressInfo | null)?.port ?? listensOn;
      timer = setTimeout(() => {
        load().catch((error: unknown) => log.error({ err: error }, 'the identity service cannot start'));
      }, LOAD_AFTER_MS);
      timer.unref();
    });
    app.addHook('onClose', async () => clearTimeout(timer));
  }
}
