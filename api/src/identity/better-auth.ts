import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { MAX_EMAIL, MAX_PASSWORD, MIN_PASSWORD } from '@parts-forge/contract/bounds';
import { registerSchema } from '@parts-forge/contract/identity';
import { betterAuth } from 'better-auth';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { APIError, createAuthMiddleware } from 'better-auth/api';
import { jwt } from 'better-auth/plugins';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '#src/platform/core/clock.ts';
import { type Database, isUniqueViolation } from '#src/platform/database/connection.ts';
import { AUDIENCE, KEY_GRACE_SECONDS, KEY_SECONDS } from './id-token.ts';
import { createLoginThrottle, type LoginAttempt, LoginThrottled } from './login-throttle.ts';
import { HashingBusy, type PasswordHasher } from './password-hash.ts';
import {
  identityAccounts,
  identityKeys,
  identityRateLimits,
  identitySessions,
  identityUsers,
  identityVerifications,
} from './schema.ts';

const DAY_SECONDS = 24 * 60 * 60;

export interface BetterAuthSettings {
  database: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  passwords: PasswordHasher;
  secret: string;
  issuer: string;
  /** An origin of the shop; decides by its scheme whether cookies are for https only. */
  baseUrl: string;
  /** The origins whose pages may sign in, asked anew for each request. */
  trustedOrigins: () => string[];
  /** The header in which the mount hands over the caller's address. */
  addressHeader: string;
  rateLimits: boolean;
}

/** The embedded service: requests in, answers out. */
export interface BetterAuth {
  handle(request: Request): Promise<Response>;
  /** Makes the signing key if there is none that can be used. */
  prepareKeys(): Promise<void>;
}

/**
 * Better Auth on the shop's own tables. Loaded late, as importing it takes a second.
 *
 * No mail and no Google for now, so nothing proves an address but an administrator's command.
 */
export function openBetterAuth(settings: BetterAuthSettings): BetterAuth {
  const { database, clock, log, passwords } = settings;
  const throttle = createLoginThrottle(clock);
  const attempts = new AsyncLocalStorage<{ attempt?: LoginAttempt }>();

  const auth = betterAuth({
    baseURL: settings.baseUrl,
    basePath: '/identity',
    secret: settings.secret,
    trustedOrigins: settings.trustedOrigins,
    telemetry: { enabled: false },
    logger: {
      level: 'warn',
      log: (level, message, ...details) => logWithoutData(log, level, message, details),
    },
    // Whatever is no answer of the service's own is the shop's to log and to answer.
    onAPIError: { throw: true },
    database: drizzleAdapter(database.db, {
      provider: 'pg',
      schema: {
        user: identityUsers,
        session: identitySessions,
        account: identityAccounts,
        verification: identityVerifications,
        jwks: identityKeys,
        rateLimit: identityRateLimits,
      },
      // Else a connection would be held while a password waits to be hashed.
      transaction: false,
    }),
    emailAndPassword: {
      enabled: true,
      minPasswordLength: MIN_PASSWORD,
      maxPasswordLength: MAX_PASSWORD,
      autoSignIn: true,
      password: {
        hash: (password) => refuseIfBusy(passwords.hash(password)),
        verify: ({ hash, password }) => refuseIfBusy(passwords.verify(password, hash)),
      },
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: 1800,
    },
    // A cookie cache would keep a session alive that was ended elsewhere.
    session: { expiresIn: 7 * DAY_SECONDS, updateAge: DAY_SECONDS, cookieCache: { enabled: false } },
    account: { encryptOAuthTokens: true, updateAccountOnSignIn: false, accountLinking: { enabled: false } },
    user: { deleteUser: { enabled: false }, changeEmail: { enabled: false } },
    rateLimit: {
      enabled: settings.rateLimits,
      storage: 'memory',
      window: 60,
      max: 100,
      customRules: {
        '/get-session': { window: 60, max: 300 },
        '/token': { window: 60, max: 120 },
        '/jwks': false,
      },
    },
    advanced: {
      cookiePrefix: 'shop',
      useSecureCookies: settings.baseUrl.startsWith('https://'),
      ipAddress: { ipAddressHeaders: [settings.addressHeader] },
      database: { generateId: () => randomUUID() },
      // Said aloud, because it is off by itself where NODE_ENV is test.
      disableOriginCheck: false,
      disableCSRFCheck: false,
    },
    hooks: {
      before: createAuthMiddleware(async ({ path, body }) => {
        if (path === '/sign-up/email') return { context: { body: checkSignUp(body) } };
        if (path === '/sign-in/email' && typeof body?.email === 'string') {
          const store = attempts.getStore();
          if (store) store.attempt = await beginAttempt(body.email);
        }
        return undefined;
      }),
    },
    disabledPaths: [
      '/update-user',
      '/change-email',
      '/list-accounts',
      '/unlink-account',
      '/link-social',
      '/get-access-token',
      '/refresh-token',
      '/account-info',
      // No page uses them, and they would be a way to guess passwords around the throttle.
      '/change-password',
      '/verify-password',
    ],
    plugins: [
      jwt({
        disableSettingJwtHeader: true,
        jwks: {
          keyPairConfig: { alg: 'ES256' },
          rotationInterval: KEY_SECONDS,
          gracePeriod: KEY_GRACE_SECONDS,
        },
        jwt: {
          issuer: settings.issuer,
          audience: AUDIENCE,
          expirationTime: '5m',
          definePayload: ({ user, session }) => ({
            email: user.email,
            email_verified: user.emailVerified,
            name: user.name,
            auth_time: Math.floor(session.createdAt.getTime() / 1000),
          }),
        },
      }),
    ],
  });

  async function beginAttempt(email: string): Promise<LoginAttempt> {
    try {
      return await throttle.begin(email);
    } catch (error) {
      if (error instanceof LoginThrottled) throw tooMany(error.retryAfterSeconds);
      throw error;
    }
  }

  return {
    async handle(request) {
      const store: { attempt?: LoginAttempt } = {};
      let outcome: 'right' | 'wrong' | 'neither' = 'neither';
      try {
        const response = await attempts.run(store, () => auth.handler(request));
        outcome = response.ok ? 'right' : response.status === 401 ? 'wrong' : 'neither';
        return response;
      } catch (error) {
        // A failed statement's message has its values, password hashes among them; its cause tells what was wrong.
        if (!(error instanceof Error) || error.cause === undefined) throw error;
        throw new Error('The identity service failed', { cause: error.cause });
      } finally {
        store.attempt?.end(outcome);
      }
    },
    async prepareKeys() {
      await auth.api.getJwks();
      try {
        await auth.api.signJWT({ body: { payload: {} } });
      } catch (error) {
        if (!(error instanceof Error && /decrypt/i.test(error.message))) throw error;
        log.warn(
          'The identity secret has changed: everybody has to sign in again, and new signing keys are made.',
        );
        await database.db.delete(identityKeys);
        await auth.api.getJwks();
      }
    },
  };
}

/** The contract's bounds of a name and an address, which the service itself does not have. */
function checkSignUp(body: { name?: unknown; email?: unknown } | undefined): { name?: string } {
  if (typeof body?.email === 'string' && body.email.length > MAX_EMAIL)
    throw refuse('Invalid email', 'INVALID_EMAIL');
  if (typeof body?.name !== 'string') return {};
  const name = registerSchema.shape.name.safeParse(body.name);
  if (!name.success) throw refuse(name.error.issues[0]?.message ?? 'Invalid name', 'INVALID_NAME');
  return { name: name.data };
}

const refuse = (message: string, code: string) => new APIError('BAD_REQUEST', { message, code });

const tooMany = (retryAfterSeconds: number) =>
  new APIError(
    'TOO_MANY_REQUESTS',
    { message: 'Too many requests. Please try again later.' },
    { 'X-Retry-After': String(retryAfterSeconds) },
  );

async function refuseIfBusy<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof HashingBusy) throw tooMany(2);
    throw error;
  }
}

/**
 * Logs the first line only: what follows can be a statement with its values, password hashes among them. An error
 * is one only where something broke; wrong passwords, foreign origins and an address that two people register at
 * once are everyday matters, which anybody could fill the log with.
 */
function logWithoutData(log: FastifyBaseLogger, level: string, message: unknown, details: unknown[]): void {
  const [text = ''] = String(message instanceof Error ? message.name : message).split('\n');
  const error = [message, ...details].find((detail) => detail instanceof Error);
  const line = `identity: ${text}`;
  if (level !== 'error' || !error || isUniqueViolation(error)) return void log.info(line);
  const { code } = (error.cause ?? error) as { code?: unknown };
  log.error({ code }, line);
}
