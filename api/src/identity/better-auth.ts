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
import {
  createLoginThrottle,
  type LoginAttempt,
  type LoginOutcome,
  type LoginThrottle,
  LoginThrottled,
} from './login-throttle.ts';
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

/** The sign-in that a request turned out to be, if it was one. */
interface RequestAttempt {
  attempt?: LoginAttempt;
}

/**
 * Better Auth on the shop's own tables. Loaded late, as importing it takes a second.
 *
 * No mail and no Google for now, so nothing proves an address but an administrator's command.
 */
export function openBetterAuth(settings: BetterAuthSettings): BetterAuth {
  const throttle = createLoginThrottle(settings.clock);
  const attempts = new AsyncLocalStorage<RequestAttempt>();
  const auth = configureService(settings, async (email) => {
    const current = attempts.getStore();
    if (current) current.attempt = await beginAttempt(throttle, email);
  });

  return {
    async handle(request) {
      const current: RequestAttempt = {};
      let outcome: LoginOutcome = 'neither';
      try {
        const response = await attempts.run(current, () => auth.handler(request));
        outcome = readOutcome(response);
        return response;
      } catch (error) {
        throw withoutValues(error);
      } finally {
        current.attempt?.end(outcome);
      }
    },
    prepareKeys: () => prepareKeys(auth, settings),
  };
}

/** @param onSignIn hears of each try to sign in with a password, before the password is checked */
function configureService(settings: BetterAuthSettings, onSignIn: (email: string) => Promise<void>) {
  const { database, log, passwords } = settings;
  return betterAuth({
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
    // In one transaction with it, a connection would be held while a password waits to be hashed.
    database: drizzleAdapter(database.db, { provider: 'pg', schema: tables, transaction: false }),
    emailAndPassword: signInByPassword(passwords),
    // A cookie cache would keep a session alive that was ended elsewhere.
    session: { expiresIn: 7 * DAY_SECONDS, updateAge: DAY_SECONDS, cookieCache: { enabled: false } },
    account: { encryptOAuthTokens: true, updateAccountOnSignIn: false, accountLinking: { enabled: false } },
    user: { deleteUser: { enabled: false }, changeEmail: { enabled: false } },
    rateLimit: { enabled: settings.rateLimits, storage: 'memory', ...requestLimits },
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
        if (path === '/sign-in/email' && typeof body?.email === 'string') await onSignIn(body.email);
        return undefined;
      }),
    },
    disabledPaths,
    plugins: [signIdTokens(settings.issuer)],
  });
}

const tables = {
  user: identityUsers,
  session: identitySessions,
  account: identityAccounts,
  verification: identityVerifications,
  jwks: identityKeys,
  rateLimit: identityRateLimits,
};

/** Requests of one address: `max` of them in `window` seconds. */
const requestLimits = {
  window: 60,
  max: 100,
  customRules: {
    '/get-session': { window: 60, max: 300 },
    '/token': { window: 60, max: 120 },
    '/jwks': false,
  } as const,
};

/** Calls of the service that no page uses. */
const disabledPaths = [
  '/update-user',
  '/change-email',
  '/list-accounts',
  '/unlink-account',
  '/link-social',
  '/get-access-token',
  '/refresh-token',
  '/account-info',
  // These two would also be a way to guess passwords around the throttle.
  '/change-password',
  '/verify-password',
];

const signInByPassword = (passwords: PasswordHasher) => ({
  enabled: true,
  minPasswordLength: MIN_PASSWORD,
  maxPasswordLength: MAX_PASSWORD,
  autoSignIn: true,
  password: {
    hash: (password: string) => refuseIfBusy(passwords.hash(password)),
    verify: ({ hash, password }: { hash: string; password: string }) =>
      refuseIfBusy(passwords.verify(password, hash)),
  },
  revokeSessionsOnPasswordReset: true,
  resetPasswordTokenExpiresIn: 1800,
});

/** The tokens that prove to the shop who has signed in, and the keys that sign them. */
const signIdTokens = (issuer: string) =>
  jwt({
    disableSettingJwtHeader: true,
    jwks: {
      keyPairConfig: { alg: 'ES256' },
      rotationInterval: KEY_SECONDS,
      gracePeriod: KEY_GRACE_SECONDS,
    },
    jwt: {
      issuer,
      audience: AUDIENCE,
      expirationTime: '5m',
      definePayload: ({ user, session }) => ({
        email: user.email,
        email_verified: user.emailVerified,
        name: user.name,
        auth_time: Math.floor(session.createdAt.getTime() / 1000),
      }),
    },
  });

async function prepareKeys(
  { api }: ReturnType<typeof configureService>,
  { database, log }: BetterAuthSettings,
): Promise<void> {
  await api.getJwks();
  try {
    await api.signJWT({ body: { payload: {} } });
  } catch (error) {
    if (!(error instanceof Error && /decrypt/i.test(error.message))) throw error;
    log.warn(
      'The identity secret has changed: everybody has to sign in again, and new signing keys are made.',
    );
    await database.db.delete(identityKeys);
    await api.getJwks();
  }
}

async function beginAttempt(throttle: LoginThrottle, email: string): Promise<LoginAttempt> {
  try {
    return await throttle.begin(email);
  } catch (error) {
    if (error instanceof LoginThrottled) throw tooMany(error.retryAfterSeconds);
    throw error;
  }
}

function readOutcome({ ok, status }: Response): LoginOutcome {
  if (ok) return 'right';
  return status === 401 ? 'wrong' : 'neither';
}

/** A failed statement's message has its values, password hashes among them; its cause alone tells what was wrong. */
function withoutValues(error: unknown): unknown {
  if (!(error instanceof Error) || error.cause === undefined) return error;
  return new Error('The identity service failed', { cause: error.cause });
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
