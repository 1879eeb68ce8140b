import * as z from 'zod/mini';
import { passwordField } from './identity.ts';

/**
 * The embedded identity service's own calls: paths and bodies are the library's. Only these are served, and none with a
 * hosted identity service (`GET /config`: `identity.selfService`). All bodies are JSON, all but the first five and
 * `requestReset`, `reset`, `verifyTotp` and `verifyBackupCode` need the session's cookie (401 without).
 */
export const identityServiceCalls = {
  /** `{ name, email, password }` */
  signUp: { method: 'POST', path: '/identity/sign-up/email' },
  /** `{ email, password }`: `{ user }`, or `SecondFactorAsked`. */
  signIn: { method: 'POST', path: '/identity/sign-in/email' },
  /**
   * `{ provider: 'google', callbackURL, errorCallbackURL, disableRedirect: true }`, both addresses being
   * `googlePopupPath` with `?id=` of the page's choice: `{ url }`, for a window of its own. Served where `GOOGLE_CLIENT_ID`
   * is set.
   */
  signInWithGoogle: { method: 'POST', path: '/identity/sign-in/social' },
  /** Where Google sends the window back to; it goes on to `googlePopupPath`, with `error` where it failed. */
  finishGoogleSignIn: { method: 'GET', path: '/identity/callback/google' },
  /** `{}`; harmless without a session. No token of the session buys anything afterwards. */
  signOut: { method: 'POST', path: '/identity/sign-out' },
  /** `SignedIn`, or null. */
  readSession: { method: 'GET', path: '/identity/get-session' },
  /** `{ token }`: the signed proof for `PUT /user/{email}`. */
  readIdToken: { method: 'GET', path: '/identity/token' },
  readKeys: { method: 'GET', path: '/identity/jwks' },

  /** `SignInMethod[]`: what opens the account. */
  listSignInMethods: { method: 'GET', path: '/identity/list-accounts' },
  /** `{ currentPassword, newPassword }`: `{ user }`. Every session ends, and this browser gets a new one. */
  changePassword: { method: 'POST', path: '/identity/change-password' },
  /** `{ email }`: `{ status, message }`, the same for every address; nothing is sent while there is no mail. */
  requestReset: { method: 'POST', path: '/identity/request-password-reset' },
  /** `{ newPassword, token }`: `{ status }`. Every session ends; sign in with the new password. */
  reset: { method: 'POST', path: '/identity/reset-password' },

  /** `Session[]`, the open ones. */
  listSessions: { method: 'GET', path: '/identity/list-sessions' },
  /** `{ token }` of one of them: `{ status }`; another account's, or an unknown one, is left alone and answered alike. */
  endSession: { method: 'POST', path: '/identity/revoke-session' },

  /** `{ password }`: `SecondFactorSetUp`. For administrators (403 `ADMINISTRATORS_ONLY`); it counts from `verifyTotp` on. */
  enableSecondFactor: { method: 'POST', path: '/identity/two-factor/enable' },
  /**
   * `{ code }`: `{ user }`. After `enable` it switches the second factor on, ends every other session and gives this
   * browser a new one; after `SecondFactorAsked` it signs in. A code works once.
   */
  verifyTotp: { method: 'POST', path: '/identity/two-factor/verify-totp' },
  /** `{ code }` of the ten, each once: `{ user }`. */
  verifyBackupCode: { method: 'POST', path: '/identity/two-factor/verify-backup-code' },
  /** `{ password }`: `{ backupCodes }`; the ones before are void. */
  makeBackupCodes: { method: 'POST', path: '/identity/two-factor/generate-backup-codes' },
  /** `{ password }`: `{ status }`. Every session ends, and this browser gets a new one. */
  disableSecondFactor: { method: 'POST', path: '/identity/two-factor/disable' },
} as const satisfies Record<string, { method: 'GET' | 'POST'; path: `/identity/${string}` }>;

/** The page that a link for a new password opens; the token is its fragment, which no server and no referrer sees. */
export const resetPagePath = '/reset-password';
/** The link for a new password; `origin` has no slash at its end. */
export const buildResetLink = (origin: string, token: string) => `${origin}${resetPagePath}#token=${token}`;

export type IdentityServiceCall = (typeof identityServiceCalls)[keyof typeof identityServiceCalls];

/** The page in the window of a sign-in with Google once it is back: it tells the shop's page and closes the window. */
export const googlePopupPath = '/auth/popup.html';

/** What `error` of `googlePopupPath` may say, beside the codes of OAuth and of the library. */
export const googleRefusals = {
  /** Google itself does not know whether the address is this person's. */
  addressNotProven: 'email_not_verified',
  /** The account is an administrator's, or has a second factor. */
  passwordNeeded: 'password_needed',
  /** The account with this address belongs to another Google account. */
  otherGoogleAccount: 'user_mismatch',
  /** The library's: the account with this address has not proven it, and is one of those that need a password. */
  notJoined: 'account_not_linked',
  /** The library's: the way back is too old, was gone before, or began in another browser. */
  expired: 'state_mismatch',
} as const;

/** Codes of the service's refusals (`code` in the body) that a page answers in a way of its own. */
export const identityRefusals = {
  /** 400: the current password, or the one that confirms a change, is wrong. */
  wrongPassword: 'INVALID_PASSWORD',
  /** 400: among the most common ones. */
  commonPassword: 'PASSWORD_TOO_COMMON',
  /** 400: shorter than six characters, twelve for an administrator. */
  shortPassword: 'PASSWORD_TOO_SHORT',
  /** 400: the link for a new password was used, has expired, or never was one. */
  deadResetLink: 'INVALID_TOKEN',
  /** 401: the code is wrong, or was used. */
  wrongCode: 'INVALID_CODE',
  wrongBackupCode: 'INVALID_BACKUP_CODE',
  /** 401: the ten minutes for the code are over; sign in again. */
  codeNoLongerAsked: 'INVALID_TWO_FACTOR_COOKIE',
  /** 400 after five wrong codes: sign in again. */
  tooManyCodes: 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE',
  /** 429 after ten wrong codes in a row, for 15 minutes. */
  codesLocked: 'ACCOUNT_TEMPORARILY_LOCKED',
  /** 409: another backup code was used at the same moment; this one may be tried again. */
  codeConflict: 'CONFLICT',
  /** 403: second factors are for administrators. */
  administratorsOnly: 'ADMINISTRATORS_ONLY',
} as const;

/** The answer of `signIn` when a code is asked next; there is no session yet. */
export const secondFactorAskedSchema = z.object({
  twoFactorRedirect: z.literal(true),
  twoFactorMethods: z.array(z.string()),
});
export type SecondFactorAsked = z.infer<typeof secondFactorAskedSchema>;

/** One open sign-in; `token` names it in `endSession` and opens nothing without the service's signature. */
export const sessionSchema = z.object({
  id: z.string(),
  token: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  expiresAt: z.string(),
  ipAddress: z.optional(z.nullable(z.string())),
  userAgent: z.optional(z.nullable(z.string())),
  /** Opened with a code of the second factor. */
  secondFactor: z.optional(z.nullable(z.boolean())),
});
export type Session = z.infer<typeof sessionSchema>;

/** The answer of `readSession`: compare its session's `id` with the list's to know this browser's. */
export const signedInSchema = z.object({
  session: sessionSchema,
  user: z.object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    emailVerified: z.optional(z.boolean()),
    twoFactorEnabled: z.optional(z.nullable(z.boolean())),
  }),
});
export type SignedIn = z.infer<typeof signedInSchema>;

/** One way into an account: `credential` is a password. */
export const signInMethodSchema = z.object({ providerId: z.string(), accountId: z.string() });
export type SignInMethod = z.infer<typeof signInMethodSchema>;

/** The answer of `enableSecondFactor`, shown once: the address for the authenticator (`otpauth://…`), and ten codes. */
export const secondFactorSetUpSchema = z.object({ totpURI: z.string(), backupCodes: z.array(z.string()) });
export type SecondFactorSetUp = z.infer<typeof secondFactorSetUpSchema>;

/** The forms' fields; the new password is the specification's, with its messages. */
export const changePasswordSchema = z.object({ currentPassword: passwordField, newPassword: passwordField });
export const resetPasswordSchema = z.object({ newPassword: passwordField });
