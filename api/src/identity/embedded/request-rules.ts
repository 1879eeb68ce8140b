import { MAX_EMAIL, MAX_PASSWORD, MIN_ADMIN_PASSWORD } from '@parts-forge/contract/calls/bounds';
import { loginSchema, registerSchema } from '@parts-forge/contract/people/identity';
import { identityRefusals } from '@parts-forge/contract/people/identity-service';
import { createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { isCommonPassword } from '#src/identity/common-passwords.ts';
import { checkGoogleSignIn, type GoogleSettings } from '#src/identity/google/google.ts';
import { refuse } from './identity-refusals.ts';
import { wasMailed } from './link-tokens.ts';

export interface RequestRuleSettings {
  isAdministrator: (subject: string) => Promise<boolean>;
  refuseCommonPasswords: boolean;
  google: GoogleSettings | null;
  /** Returns at once, as the time would reveal who has an account. */
  requestReset: (email: string) => void;
  /** Otherwise an administrator creates the link. */
  mailsLinks: boolean;
  onMailedLink: (request: Request | undefined) => void;
  onPasswordTry: (email: string) => Promise<void>;
  onSession: (subject: string) => Promise<void>;
  /** Gave the right password, and a code follows. */
  onPending: (subject: string) => Promise<void>;
  onResetLink: (subject: string) => Promise<void>;
}

type Middleware = Parameters<typeof createAuthMiddleware>[0];
type Context = Parameters<Middleware>[0];
type Rule = (context: Context) => Promise<unknown>;

export function createRequestRules(settings: RequestRuleSettings) {
  const rules = listRules(settings);
  return createAuthMiddleware(async (context) => {
    // First, before any code parses the address.
    if (isTooLong(context.body?.email, MAX_EMAIL)) throw refuse('Invalid email', 'INVALID_EMAIL');
    const user = sessionPaths.has(context.path) ? await findSignedIn(context) : null;
    if (user) await settings.onSession(user.id);
    else if (codePaths.has(context.path)) await notePending(context, settings);
    return rules[context.path]?.(context);
  });
}

const isTooLong = (value: unknown, max: number) => typeof value === 'string' && value.length > max;

const codePaths: ReadonlySet<string> = new Set(['/two-factor/verify-totp', '/two-factor/verify-backup-code']);

async function notePending(context: Context, { onPending }: RequestRuleSettings): Promise<void> {
  const { name } = context.context.createAuthCookie('two_factor');
  const secret = await context.getSignedCookie(name, context.context.secret);
  const pending = secret ? await context.context.internalAdapter.findVerificationValue(secret) : null;
  if (pending) await onPending(pending.value);
}

const sessionPaths: ReadonlySet<string> = new Set([
  '/sign-out',
  '/change-password',
  '/revoke-session',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/generate-backup-codes',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
]);

const listRules = (settings: RequestRuleSettings): Record<string, Rule> => ({
  ...listSignInRules(settings),
  ...listNewPasswordRules(settings),
  ...listSecondFactorRules(settings),
});

function listSignInRules(settings: RequestRuleSettings): Record<string, Rule> {
  const { google, onPasswordTry } = settings;
  return {
    '/sign-up/email': async ({ body }) => {
      checkNewPassword(body?.password, false, settings);
      return { context: { body: checkSignUp(body) } };
    },
    '/sign-in/email': async ({ body }) => {
      // Normalising a long text is slow, also for an unknown account.
      if (isTooLong(body?.password, MAX_PASSWORD)) throw refuseSignIn();
      if (typeof body?.email === 'string') await onPasswordTry(body.email);
    },
    '/sign-in/social': async ({ body, headers }) => {
      if (google) checkGoogleSignIn(body, headers?.get('origin') ?? null, google.origin);
    },
  };
}

function listNewPasswordRules(settings: RequestRuleSettings): Record<string, Rule> {
  const { isAdministrator, onPasswordTry } = settings;
  return {
    '/change-password': async (context) => {
      const user = await countPassword(context, onPasswordTry);
      if (user) checkNewPassword(context.body?.newPassword, await isAdministrator(user.id), settings);
      return { context: { body: { revokeOtherSessions: true } } };
    },
    '/request-password-reset': async (context) => {
      checkEmail(context.body?.email);
      settings.requestReset(context.body.email);
      // Same for every address, without a look-up.
      return context.json({
        status: true,
        message: settings.mailsLinks
          ? 'If this address has an account, a link for a new password is on its way to it.'
          : 'If this address has an account, the administrators of the shop now see that you wait for a link to a new password.',
      });
    },
    '/reset-password': async (context) => {
      await settings.onResetLink(await findLinkedAccount(context, settings));
      checkNewPassword(context.body?.newPassword, false, settings);
    },
  };
}

function listSecondFactorRules({
  isAdministrator,
  onPasswordTry,
}: RequestRuleSettings): Record<string, Rule> {
  const countOnly: Rule = async (context) => void (await countPassword(context, onPasswordTry));
  return {
    '/two-factor/enable': async (context) => {
      const user = await findSignedIn(context);
      if (user && !(await isAdministrator(user.id))) throw refuseCustomer();
      if (user) await onPasswordTry(user.email);
      return { context: { body: { method: 'totp', issuer: undefined } } };
    },
    '/two-factor/disable': countOnly,
    '/two-factor/generate-backup-codes': countOnly,
    '/two-factor/verify-totp': asksEveryTime,
    '/two-factor/verify-backup-code': asksEveryTime,
  };
}

/** Confirming a change must not allow faster guessing than a sign-in. */
async function countPassword(context: Context, onPasswordTry: RequestRuleSettings['onPasswordTry']) {
  const user = await findSignedIn(context);
  if (user) await onPasswordTry(user.email);
  return user;
}

const refuseSignIn = () => refuse('Invalid email or password', 'INVALID_EMAIL_OR_PASSWORD', 'UNAUTHORIZED');

const refuseCustomer = () =>
  refuse('A second factor is for administrators', identityRefusals.administratorsOnly, 'FORBIDDEN');

/** No browser replaces the second factor; no code is used up without a session. */
const asksEveryTime: Rule = async () => ({
  context: { body: { trustDevice: false, disableSession: false } },
});

async function findSignedIn(context: Context): Promise<{ id: string; email: string } | null> {
  return (await getSessionFromCtx(context, { disableRefresh: true }))?.user ?? null;
}

/**
 * A customer's link sets no administrator's password: its holder may know it from before the promotion.
 * @throws APIError
 */
async function findLinkedAccount(
  context: Context,
  { isAdministrator, onMailedLink }: RequestRuleSettings,
): Promise<string> {
  // Not from the URL, which the service would also accept: logs contain it.
  const token: unknown = context.body?.token;
  const link = typeof token === 'string' && (await findResetLink(context, token));
  if (!link || (await isAdministrator(link.value)))
    throw refuse('Invalid token', identityRefusals.deadResetLink);
  if (wasMailed(link)) onMailedLink(context.request);
  return link.value;
}

const findResetLink = ({ context }: Context, token: string) =>
  context.internalAdapter.findVerificationValue(`reset-password:${token}`);

/** @throws APIError */
function checkNewPassword(
  password: unknown,
  isAdmin: boolean,
  { refuseCommonPasswords }: RequestRuleSettings,
): void {
  if (typeof password !== 'string') return;
  if (isAdmin && password.length < MIN_ADMIN_PASSWORD) {
    throw refuse(`Must be ${MIN_ADMIN_PASSWORD} characters or longer`, identityRefusals.shortPassword);
  }
  if ((isAdmin || refuseCommonPasswords) && isCommonPassword(password)) {
    throw refuse('This password is among the most common ones', identityRefusals.commonPassword);
  }
}

/** The service has no rules for names, and other texts for addresses. */
function checkSignUp(body: { name?: unknown; email?: unknown } | undefined): { name?: string } {
  const email = registerSchema.shape.email.safeParse(body?.email);
  if (!email.success) throw refuse(email.error.issues[0]?.message ?? 'Invalid email', 'INVALID_EMAIL');
  if (typeof body?.name !== 'string') return {};
  const name = registerSchema.shape.name.safeParse(body.name);
  if (!name.success) throw refuse(name.error.issues[0]?.message ?? 'Invalid name', 'INVALID_NAME');
  return { name: name.data };
}

function checkEmail(email: unknown): void {
  if (!loginSchema.shape.email.safeParse(email).success) throw refuse('Invalid email', 'INVALID_EMAIL');
}
