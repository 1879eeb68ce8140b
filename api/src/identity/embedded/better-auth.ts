import { randomUUID } from 'node:crypto';
import { BACKUP_CODES, MAX_PASSWORD, MIN_PASSWORD, RESET_LINK_SECONDS } from '@parts-forge/contract/bounds';
import { googlePopupPath } from '@parts-forge/contract/identity-service';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
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
  extends Pick<RequestRuleSettings, 'isAdministrator' | 'refuseCommonPasswords' | 'requestReset'> {
  database: Database;
  clock: Clock;
  ids: Ids;
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
  /** The shop's user of an account; null until the account has been exchanged for one. @param subject the account's id */
  findUser: (subject: string) => Promise<Pick<UserRow, 'id' | 'role'> | null>;
  /** Null: no sign-in with Google. */
  google: GoogleSettings | null;
  /** Requests are counted in the database, as other processes serve the same shop. */
  sharesRates: boolean;
  /** Hears that sessions have ended, after the fact, and resolves when every process knows. */
  onSessionsEnded: () => Promise<void>;
}

/** The embedded service: requests in, answers out. */
export interface BetterAuth {
  handle(request: Request): Promise<Response>;
  /** Makes the signing key if there is none that can be used. */
  prepareKeys(): Promise<void>;
  /** Whether people can sign in with Google: it is set up, and its discovery document could be read and used. */
  hasGoogle(): Promise<boolean>;
}

/**
 * Better Auth on the shop's own tables. Loaded late, as importing it takes a second.
 *
 * An address is proven by a link that was mailed (`link-tokens.ts`), by Google or by an administrator's command; the
 * library's own links for it are closed, as they would prove it to whoever has the link, signed in or not.
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
    // Whatever is no answer of the service's own is the shop's to log and to answer.
    onAPIError: { throw: true, errorURL: googlePopupPath },
    database: acts.openAdapter,
    emailAndPassword: signInByPassword(settings, guard, mailedLinks),
    session: sessions,
    // Whoever reads the table can neither use a link for a new password nor answer for a second factor.
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
      askSecondFactor,
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
  // Else the list of sessions is refused to everybody who signed in more than a day ago.
  freshAge: 0,
  // A cookie cache would keep a session alive that was ended elsewhere.
  cookieCache: { enabled: false },
  additionalFields: { secondFactor: { type: 'boolean', input: false, defaultValue: false } },
} as const;

const chooseAdvanced = ({ baseUrl, addressHeader }: BetterAuthSettings) => ({
  cookiePrefix: 'shop',
  useSecureCookies: baseUrl.startsWith('https://'),
  ipAddress: { ipAddressHeaders: [addressHeader] },
  database: { generateId: () => randomUUID() },
  // Said aloud, because it is off by itself where NODE_ENV is test.
  disableOriginCheck: false,
  disableCSRFCheck: false,
});

/** Without its own transactions: `record-acts.ts` opens those that are needed. */
const openTables = (db: Executor) =>
  drizzleAdapter(db, { provider: 'pg', schema: tables, transaction: false });
/**
 * Google joins an account of the same address only when both have proven it, and `google-claims.ts` has nothing against
 * it. No provider is "trusted": that would share an account with whoever registered the address first.
 */
const accountLinking = { enabled: true, allowDifferentEmails: false, requireLocalEmailVerified: true };

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

/** Counts as the shop counts its other limits: the library's own counts last until a clock that ran ahead is caught up. */
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

/** Calls of the service that no page uses; the mount has no path for them either. */
const disabledPaths = [
  '/update-user',
  '/change-email',
  '/unlink-account',
  '/link-social',
  '/get-access-token',
  '/refresh-token',
  '/account-info',
  // Also a way to guess passwords around the throttle.
  '/verify-password',
];

/** @param mailedLinks requests that set a new password by a link which was mailed */
const signInByPassword = (
  { passwords, database, clock }: BetterAuthSettings,
  guard: PasswordGuard,
  mailedLinks: WeakSet<Request>,
) => ({
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
  async onPasswordReset({ user }: { user: { id: string; email: string } }, request?: Request) {
    // Nobody else reads the address's mail, and whoever registered it before has lost password and sessions.
    if (request && mailedLinks.has(request)) await proveAddress(database.db, user.id, clock.now());
    // Whoever was held up by wrong passwords is let in with the new one.
    await guard.forget(user.email);
  },
  resetPasswordTokenExpiresIn: RESET_LINK_SECONDS,
});

/** Time codes and backup codes; who may switch them on, and that each works once, is in `request-rules.ts` and `session-rules.ts`. */
const askSecondFactor = twoFactor({ issuer: 'Parts Forge', backupCodeOptions: { amount: BACKUP_CODES } });

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

/** A failed statement's message has its values, password hashes among them; its cause alone tells what was wrong. */
function withoutValues(error: unknown): unknown {
  if (!(error instanceof Error) || error.cause === undefined) return error;
  return new Error('The identity service failed', { cause: error.cause });
}

/** The way back from Google is a reading call, of which the log has no line by itself. */
async function recordGoogleSignIn(log: FastifyBaseLogger, acts: ActRecorder, subject: string): Promise<void> {
  await acts.setActor(subject);
  log.info('signed in with Google');
}

/**
 * Logs the first words only: what follows can be what somebody sent, or a statement with its values. An error
 * is one only where something broke; wrong passwords, foreign origins, made-up ways back from Google and an address that
 * two people register at once are everyday matters, which anybody could fill the log with.
 */
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

/** Of `Invalid callbackURL: https://…` the first two words: the library writes values behind a colon, or quotes them. */
function readConstantWords(text: string): string {
  const words = text.split(/\s/);
  const end = words.findIndex((word) => !/^[\w'()[\]#-]+[.,]?$/.test(word));
  if (end === -1) return text;
  const last = words[end] ?? '';
  return [...words.slice(0, end), /^\w+:$/.test(last) ? last.slice(0, -1) : ''].join(' ').trim();
}

/**
 * Why a provider refused, in OAuth's words: `invalid_client` for a wrong secret, `invalid_grant` for a wrong code; else
 * its status.
 */
function readProviderCode(details: unknown[]): string | undefined {
  const { error, status } = (details[0] ?? {}) as { error?: unknown; status?: unknown };
  if (typeof error === 'string' && /^[a-z_]{1,60}$/.test(error)) return error;
  return typeof status === 'number' ? `status ${status}` : undefined;
}
