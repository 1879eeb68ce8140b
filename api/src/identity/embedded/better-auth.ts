import { randomUUID } from 'node:crypto';
import {
  BACKUP_CODES,
  MAX_PASSWORD,
  MIN_PASSWORD,
  RESET_LINK_SECONDS,
} from '@parts-forge/contract/calls/bounds';
import { googlePopupPath } from '@parts-forge/contract/people/identity-service';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
// Without Kysely, which would slow the start.
import { betterAuth } from 'better-auth/minimal';
import { jwt, twoFactor } from 'better-auth/plugins';
import type { FastifyBaseLogger } from 'fastify';
import { createGooglePlugin, type GoogleSettings } from '#src/identity/google/google.ts';
import { createGoogleClaims, GOOGLE, storeNoTokens } from '#src/identity/google/google-claims.ts';
import {
  identityAccounts,
  identityKeys,
  identitySessions,
  identityTwoFactors,
  identityUsers,
  identityVerifications,
} from '#src/identity/schema.ts';
import type { Clock } from '#src/platform/core/clock.ts';
import type { Ids } from '#src/platform/core/ids.ts';
import { type Database, type Executor, isUniqueViolation } from '#src/platform/database/connection.ts';
import { createExactCount, createLocalCount } from '#src/platform/http/limits/rate-counts.ts';
import type { UserRow } from '#src/users/store.ts';
import { acceptContractEmails } from './email-form.ts';
import { AUDIENCE, KEY_GRACE_SECONDS, KEY_SECONDS } from './id-token.ts';
import { tooMany } from './identity-refusals.ts';
import { proveAddress } from './link-tokens.ts';
import { guardPasswords, type PasswordGuard } from './password-guard.ts';
import { HashingBusy, type PasswordHasher } from './password-hash.ts';
import { type ActRecorder, createActRecorder } from './record-acts.ts';
import { createRequestRules, type RequestRuleSettings } from './request-rules.ts';
import { createSessionRules } from './session-rules.ts';

const DAY_SECONDS = 24 * 60 * 60;

export interface BetterAuthSettings
  extends Pick<
    RequestRuleSettings,
    'isAdministrator' | 'refuseCommonPasswords' | 'requestReset' | 'mailsLinks'
  > {
  database: Database;
  clock: Clock;
  ids: Ids;
  log: FastifyBaseLogger;
  passwords: PasswordHasher;
  secret: string;
  issuer: string;
  /** Names the account in an authenticator. */
  shopName: string;
  /** https makes cookies https-only. */
  baseUrl: string;
  trustedOrigins: () => string[];
  addressHeader: string;
  rateLimits: boolean;
  /** Null before the account's first exchange. */
  findUser: (subject: string) => Promise<Pick<UserRow, 'id' | 'role'> | null>;
  google: GoogleSettings | null;
  sharesRates: boolean;
  onSessionsEnded: () => Promise<void>;
}

export interface BetterAuth {
  handle(request: Request): Promise<Response>;
  prepareKeys(): Promise<void>;
  hasGoogle(): Promise<boolean>;
}

/**
 * The import takes a second, so it loads late.
 *
 * Its own links for proving an address are closed: they work for anybody. See `link-tokens.ts`.
 */
export function openBetterAuth(settings: BetterAuthSettings): BetterAuth {
  acceptContractEmails();
  const acts = createActRecorder({ ...settings, openTables });
  const guard = guardPasswords({ ...settings, onSignedIn: acts.setActor });
  const auth = configureService(settings, guard, acts);
  return {
    async handle(request) {
      try {
        return await acts.watch(request, () => guard.watch(request, () => auth.handler(request)));
      } catch (error) {
        throw withoutValues(error);
      }
    },
    prepareKeys: () => prepareKeys(auth, settings),
    async hasGoogle() {
      const { socialProviders } = await auth.$context;
      return socialProviders.some(({ id }) => id === GOOGLE);
    },
  };
}

function configureService(settings: BetterAuthSettings, guard: PasswordGuard, acts: ActRecorder) {
  const { google, log } = settings;
  const claims = createGoogleClaims(settings);
  const mailedLinks = new WeakSet<Request>();
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
    // The shop handles errors that are not the service's own.
    onAPIError: { throw: true, errorURL: googlePopupPath },
    database: acts.openAdapter,
    emailAndPassword: signInByPassword(settings, guard, acts, mailedLinks),
    session: sessions,
    // The stored form must not allow using reset links or passing a second factor.
    verification: { storeIdentifier: 'hashed' },
    account: { encryptOAuthTokens: true, updateAccountOnSignIn: false, accountLinking },
    user: {
      deleteUser: { enabled: false },
      changeEmail: { enabled: false },
      validateUserInfo: claims.validate,
    },
    rateLimit: {
      enabled: settings.rateLimits,
      customStorage: createRateStorage(settings),
      ...requestLimits,
    },
    advanced: chooseAdvanced(settings),
    hooks: {
      before: createRequestRules({
        ...settings,
        onPasswordTry: (email) => guard.begin(email),
        onSession: acts.setActor,
        onPending: acts.setPending,
        onResetLink: acts.setAccount,
        onMailedLink: (request) => request && mailedLinks.add(request),
      }),
    },
    databaseHooks: {
      ...createSessionRules({
        ...settings,
        onGoogleSignIn: (subject) => recordGoogleSignIn(settings.log, acts, subject),
      }),
      account: storeNoTokens,
    },
    disabledPaths,
    plugins: [
      signIdTokens(settings.issuer),
      twoFactor({ issuer: settings.shopName, backupCodeOptions: { amount: BACKUP_CODES } }),
      ...(google ? [createGooglePlugin(google, claims.removeSquatter)] : []),
    ],
  });
}

const tables = {
  user: identityUsers,
  session: identitySessions,
  account: identityAccounts,
  verification: identityVerifications,
  jwks: identityKeys,
  twoFactor: identityTwoFactors,
};

const sessions = {
  expiresIn: 7 * DAY_SECONDS,
  updateAge: DAY_SECONDS,
  // The default hides the sessions a day after the sign-in.
  freshAge: 0,
  // A cookie cache would keep an ended session alive.
  cookieCache: { enabled: false },
  additionalFields: { secondFactor: { type: 'boolean', input: false, defaultValue: false } },
} as const;

const chooseAdvanced = ({ baseUrl, addressHeader }: BetterAuthSettings) => ({
  cookiePrefix: 'shop',
  useSecureCookies: baseUrl.startsWith('https://'),
  ipAddress: { ipAddressHeaders: [addressHeader] },
  database: { generateId: () => randomUUID() },
  // The library turns it off when NODE_ENV is test.
  disableOriginCheck: false,
  disableCSRFCheck: false,
});

/**
 * Without transactions, which would hold a connection while a password is hashed. A crash can leave an account
 * without a password; a job deletes it.
 */
const openTables = (db: Executor) =>
  drizzleAdapter(db, { provider: 'pg', schema: tables, transaction: false });
/**
 * Google joins an account only if both have proven the address. A "trusted" provider would share an account
 * with an early registrant.
 */
const accountLinking = { enabled: true, allowDifferentEmails: false, requireLocalEmailVerified: true };

const requestLimits = {
  window: 60,
  max: 100,
  customRules: {
    '/get-session': { window: 60, max: 300 },
    '/token': { window: 60, max: 120 },
    '/jwks': false,
  } as const,
};

/** After the clock ran ahead, the library's own counts last too long. */
function createRateStorage({ sharesRates, database }: BetterAuthSettings) {
  const count = sharesRates ? createExactCount(database, 'identity') : createLocalCount();
  return {
    async consume(key: string, { window, max }: { window: number; max: number }) {
      const { current, ttl } = await count(key, window * 1000);
      if (current <= max) return { allowed: true, retryAfter: null };
      return { allowed: false, retryAfter: Math.max(1, Math.ceil(ttl / 1000)) };
    },
  };
}

/** The mount has no route for them either. */
const disabledPaths = [
  '/update-user',
  '/change-email',
  '/unlink-account',
  '/link-social',
  '/get-access-token',
  '/refresh-token',
  '/account-info',
  // Would allow guessing passwords around the throttle.
  '/verify-password',
];

const signInByPassword = (
  { passwords, database, clock }: BetterAuthSettings,
  guard: PasswordGuard,
  acts: ActRecorder,
  mailedLinks: WeakSet<Request>,
) => ({
  enabled: true,
  minPasswordLength: MIN_PASSWORD,
  maxPasswordLength: MAX_PASSWORD,
  autoSignIn: true,
  password: {
    hash: (password: string) => refuseIfBusy(passwords.hash(password)),
    async verify({ hash, password }: { hash: string; password: string }) {
      const isRight = await refuseIfBusy(passwords.verify(password, hash));
      if (isRight) acts.setVerifiedHash(hash);
      return isRight;
    },
  },
  revokeSessionsOnPasswordReset: true,
  async onPasswordReset({ user }: { user: { id: string; email: string } }, request?: Request) {
    // Only the owner reads this mail; an early registrant loses password and sessions.
    if (request && mailedLinks.has(request)) await proveAddress(database.db, user.id, clock.now());
    // Wrong passwords must not delay the new one.
    await guard.forget(user.email);
  },
  resetPasswordTokenExpiresIn: RESET_LINK_SECONDS,
});

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
        sid: session.id,
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

async function refuseIfBusy<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof HashingBusy) throw tooMany(2);
    throw error;
  }
}

/** A failed statement's message contains its values, such as password hashes. */
function withoutValues(error: unknown): unknown {
  if (!(error instanceof Error) || error.cause === undefined) return error;
  return new Error('The identity service failed', { cause: error.cause });
}

/** The log omits the callback, a GET, by default. */
async function recordGoogleSignIn(log: FastifyBaseLogger, acts: ActRecorder, subject: string): Promise<void> {
  await acts.setActor(subject);
  log.info('signed in with Google');
}

/** The rest can contain input. Errors that anybody can cause, such as forged callbacks, are `info`. */
function logWithoutData(log: FastifyBaseLogger, level: string, message: unknown, details: unknown[]): void {
  const text = readConstantWords(String(message instanceof Error ? message.name : message));
  const error = [message, ...details].find((detail) => detail instanceof Error);
  const line = `identity: ${text}`;
  const { code } = ((error?.cause ?? error) || {}) as { code?: unknown };
  const isEveryday = !error || isUniqueViolation(error) || /^state_(?!generation)/.test(String(code));
  if (level !== 'error' || isEveryday)
    return void log.info({ code: code ?? readProviderCode(details) }, line);
  log.error({ code }, line);
}

/** The library puts values after a colon (`Invalid callbackURL: https://…`) or in quotes. */
function readConstantWords(text: string): string {
  const words = text.split(/\s/);
  const end = words.findIndex((word) => !/^[\w'()[\]#-]+[.,]?$/.test(word));
  if (end === -1) return text;
  const last = words[end] ?? '';
  return [...words.slice(0, end), /^\w+:$/.test(last) ? last.slice(0, -1) : ''].join(' ').trim();
}

/** The OAuth error (`invalid_client`: wrong secret, `invalid_grant`: wrong code), else the status. */
function readProviderCode(details: unknown[]): string | undefined {
  const { error, status } = (details[0] ?? {}) as { error?: unknown; status?: unknown };
  if (typeof error === 'string' && /^[a-z_]{1,60}$/.test(error)) return error;
  return typeof status === 'number' ? `status ${status}` : undefined;
}
