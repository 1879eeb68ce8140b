import type { AddressInfo } from 'node:net';
import { buildVerificationLink } from '@parts-forge/contract/people/email-verification';
import { buildResetLink, identityServiceCalls } from '@parts-forge/contract/people/identity-service';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { GoogleSettings } from '#src/identity/google/google.ts';
import { answerInPopup } from '#src/identity/google/google-callback.ts';
import { connectGoogle } from '#src/identity/google/google-connection.ts';
import type { IdentityProvider } from '#src/identity/provider.ts';
import type { Clock } from '#src/platform/core/clock.ts';
import { demonstration } from '#src/platform/core/config/demonstration.ts';
import { isServedByOthers, trustedOrigins } from '#src/platform/core/config/server.ts';
import { openOnce } from '#src/platform/core/open-once.ts';
import { ensureSecret } from '#src/platform/database/metadata.ts';
import type { Platform } from '#src/platform/platform.ts';
import { askForPassword, findUserByIdentity, renewIssuer } from '#src/users/store.ts';
import {
  deleteAccount,
  endSession,
  findOpenSession,
  purgeExpiredAccounts,
  readAccount,
  replaceAccount,
} from './accounts.ts';
import type { BetterAuthSettings } from './better-auth.ts';
import { createIdTokenCheck } from './id-token.ts';
import { createResetToken, createVerificationToken, useVerificationToken } from './link-tokens.ts';
import { mailResetLink } from './mail-reset-link.ts';
import { ADDRESS_HEADER, mountIdentity } from './mount-better-auth.ts';
import { createPasswordHasher, type PasswordCost } from './password-hash.ts';

/** The first visitors go first, as loading takes a second of processor time. */
const LOAD_AFTER_MS = 1500;
/** The last password in the queue waits about three seconds. */
const LONGEST_QUEUE = 64;

interface EmbeddedIdentityParts extends Omit<Platform, 'copiedAt' | 'metrics'> {
  passwordCost?: PasswordCost | undefined;
}

export async function createEmbeddedIdentity(parts: EmbeddedIdentityParts): Promise<IdentityProvider> {
  const { config, database, changes, clock, instanceId, formerInstanceIds, log } = parts;
  // No address: accounts survive a move to another host.
  const toIssuer = (id: string) => `urn:parts-forge:${id}`;
  const issuer = toIssuer(instanceId);
  await renewIssuer(database.db, formerInstanceIds.map(toIssuer), issuer);
  const secret = config.identitySecret ?? (await ensureSecret(database.db, 'identity_secret'));
  const baseUrl = config.origin ?? `http://localhost:${config.port}`;
  // Measurements and tests sign up many people at once.
  const passwords = createPasswordHasher(
    config.rateLimits ? LONGEST_QUEUE : Number.POSITIVE_INFINITY,
    parts.passwordCost,
  );
  const origins = createOrigins(config);
  const readOrigin = () => origins.listOwn()[0] ?? baseUrl;
  const load = openOnce(() =>
    openService(parts, { passwords, secret, issuer, baseUrl, trustedOrigins: origins.listTrusted }),
  );
  const checkIdToken = createIdTokenCheck({ database, clock, issuer });
  const google = config.google && connectGoogle(config.google, readOrigin, load, changes, log);

  return {
    get pageConfig() {
      return {
        kind: 'embedded' as const,
        google: google !== null && google.service !== null,
        selfService: true,
        mail: config.smtp !== null,
        adminSecondFactor: config.adminSecondFactor,
      };
    },
    async verify(idToken) {
      // Loading creates the keys.
      await load();
      return checkIdToken(idToken);
    },
    deleteIdentity: ({ subject }, tx) => deleteAccount(tx, subject),
    takeOver: async (person, tx) => ({ issuer, subject: await replaceAccount(tx, passwords, person) }),
    findSession: (sessionId, tx) => findOpenSession(tx, sessionId, clock.now()),
    endSession: (sessionId, tx) => endSession(tx, sessionId),
    ...createLinks(readOrigin, clock),
    readAccount: (subject, db) => readAccount(db, subject, clock.now()),
    purgeExpired: () => purgeExpiredAccounts(database.db, clock.now()),
    async assertReady() {
      // A load balancer's probe must not load the service.
      if (load.hasFailed()) await load();
    },
    async routes(app) {
      const { signInWithGoogle, finishGoogleSignIn, ...others } = identityServiceCalls;
      const calls = Object.values(google ? identityServiceCalls : others);
      const handle = async (request: Request) => (google?.service ?? (await load()).service).handle(request);
      await mountIdentity(app, calls, baseUrl, (request) =>
        answerInPopup(request, handle, (error) =>
          log.error({ err: error }, 'a sign-in with Google has failed'),
        ),
      );
      origins.follow(app);
      loadSoon(app, () => Promise.all([load(), google?.start()]), log);
      app.addHook('onClose', async () => google?.stop());
    },
  };
}

function createOrigins({ origin, port, allowedOrigins }: EmbeddedIdentityParts['config']) {
  let listensOn = port;
  const listOwn = () => trustedOrigins({ origin, port: listensOn });
  return {
    listOwn,
    listTrusted: () => [...listOwn(), ...allowedOrigins],
    /** With port 0 the origin is known only once the shop listens. */
    follow(app: FastifyInstance) {
      app.addHook('onListen', async () => {
        listensOn = (app.server.address() as AddressInfo | null)?.port ?? listensOn;
      });
    },
  };
}

const createLinks = (
  readOrigin: () => string,
  clock: Clock,
): Pick<IdentityProvider, 'createResetLink' | 'createVerificationLink' | 'proveAddress'> => ({
  async createResetLink(subject, delivery, tx) {
    const token = await createResetToken(tx, subject, delivery, clock.now());
    return token && buildResetLink(readOrigin(), token);
  },
  async createVerificationLink(subject, tx) {
    const token = await createVerificationToken(tx, subject, clock.now());
    return token && buildVerificationLink(readOrigin(), token);
  },
  proveAddress: (subject, token, tx) => useVerificationToken(tx, subject, token, clock.now()),
});

async function openService(
  { config, database, changes, clock, ids, log }: EmbeddedIdentityParts,
  settings: Pick<BetterAuthSettings, 'passwords' | 'secret' | 'issuer' | 'baseUrl' | 'trustedOrigins'>,
) {
  const { openBetterAuth } = await import('./better-auth.ts');
  const { rateLimits, refuseCommonPasswords } = config;
  const { issuer } = settings;
  const findUser = (subject: string) => findUserByIdentity(database.db, { issuer, subject });
  const open = (google: GoogleSettings | null) =>
    openBetterAuth({
      ...settings,
      google,
      database,
      clock,
      ids,
      log,
      rateLimits,
      sharesRates: isServedByOthers(config),
      refuseCommonPasswords,
      // A shop may have set only its seller.
      shopName: config.shop.name === demonstration.name ? config.seller.name : config.shop.name,
      addressHeader: ADDRESS_HEADER,
      mailsLinks: config.smtp !== null,
      requestReset: (email) =>
        void (
          config.smtp
            ? mailResetLink({ changes, clock, ids }, issuer, email)
            : askForPassword(database.db, issuer, email, clock.now())
        ).catch((error: unknown) =>
          log.error({ err: error }, 'a request for a new password could not be recorded'),
        ),
      isAdministrator: async (subject) => (await findUser(subject))?.role === 'admin',
      findUser,
      // Deleting a session deletes its tokens; this clears every process's token cache.
      onSessionsEnded: () => changes.publish('users'),
    });
  const service = open(null);
  await service.prepareKeys();
  await purgeExpiredAccounts(database.db, clock.now());
  return { service, openWithGoogle: open };
}

function loadSoon(app: FastifyInstance, load: () => Promise<unknown>, log: FastifyBaseLogger): void {
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onListen', async () => {
    timer = setTimeout(() => {
      load().catch((error: unknown) => log.error({ err: error }, 'the identity service cannot start'));
    }, LOAD_AFTER_MS);
    timer.unref();
  });
  app.addHook('onClose', async () => clearTimeout(timer));
}
