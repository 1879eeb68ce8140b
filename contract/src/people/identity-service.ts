import * as z from 'zod/mini';
import { passwordField } from './identity.ts';

/**
 * The embedded service's calls, as the library defines them; JSON bodies. Not served with a hosted service
 * (`GET /config`: `identity.selfService`).
 * Need the session cookie (else 401), except the first five, `requestReset`, `reset`, `verifyTotp` and
 * `verifyBackupCode`.
 */
export const identityServiceCalls = {
  /** Sends `{ name, email, password }`. */
  signUp: { method: 'POST', path: '/identity/sign-up/email' },
  /** `{ email, password }` → `{ user }` or `SecondFactorAsked`. */
  signIn: { method: 'POST', path: '/identity/sign-in/email' },
  /**
   * `{ provider: 'google', callbackURL, errorCallbackURL, disableRedirect: true }` → `{ url }` for a popup.
   * Both addresses are `googlePopupPath?id=…`. Needs `GOOGLE_CLIENT_ID`.
   */
  signInWithGoogle: { method: 'POST', path: '/identity/sign-in/social' },
  /** Google redirects here; this redirects to `googlePopupPath`, with `error` on failure. */
  finishGoogleSignIn: { method: 'GET', path: '/identity/callback/google' },
  /** `{}`; harmless without a session. Revokes the session's tokens. */
  signOut: { method: 'POST', path: '/identity/sign-out' },
  /** Answers with `SignedIn`, or null. */
  readSession: { method: 'GET', path: '/identity/get-session' },
  /** → `{ token }`, for `PUT /user/{email}`. */
  readIdToken: { method: 'GET', path: '/identity/token' },
  readKeys: { method: 'GET', path: '/identity/jwks' },

  listSignInMethods: { method: 'GET', path: '/identity/list-accounts' },
  /** `{ currentPassword, newPassword }` → `{ user }`. Ends all sessions; this browser gets a new one. */
  changePassword: { method: 'POST', path: '/identity/change-password' },
  /** `{ email }` → `{ status, message }`, equal for every address. */
  requestReset: { method: 'POST', path: '/identity/request-password-reset' },
  /** `{ newPassword, token }` → `{ status }`. Ends all sessions. */
  reset: { method: 'POST', path: '/identity/reset-password' },

  listSessions: { method: 'GET', path: '/identity/list-sessions' },
  /** `{ token }` → `{ status }`, also for unknown and foreign tokens, which it ignores. */
  endSession: { method: 'POST', path: '/identity/revoke-session' },

  /** `{ password }` → `SecondFactorSetUp`, in effect after `verifyTotp`. Administrators only (403). */
  enableSecondFactor: { method: 'POST', path: '/identity/two-factor/enable' },
  /**
   * `{ code }` → `{ user }`; a code works once. After `enable`: enables, ends all sessions, and gives this
   * browser a new one. After `SecondFactorAsked`: signs in.
   */
  verifyTotp: { method: 'POST', path: '/identity/two-factor/verify-totp' },
  /** `{ code }` → `{ user }`; a code works once. */
  verifyBackupCode: { method: 'POST', path: '/identity/two-factor/verify-backup-code' },
  /** `{ password }` → `{ backupCodes }`; earlier codes become void. */
  makeBackupCodes: { method: 'POST', path: '/identity/two-factor/generate-backup-codes' },
  /** `{ password }` → `{ status }`. Ends all sessions; this browser gets a new one. */
  disableSecondFactor: { method: 'POST', path: '/identity/two-factor/disable' },
} as const satisfies Record<string, { method: 'GET' | 'POST'; path: `/identity/${string}` }>;

/** The link's token is in the fragment, hidden from servers and referrers. */
export const resetPagePath = '/reset-password';
/** @param origin without a trailing slash */
export const buildResetLink = (origin: string, token: string) => `${origin}${resetPagePath}#token=${token}`;

export type IdentityServiceCall = (typeof identityServiceCalls)[keyof typeof identityServiceCalls];

/** The popup's last page: notifies the shop's page and closes. */
export const googlePopupPath = '/auth/popup.html';

/** `error` of `googlePopupPath`, besides OAuth's and the library's. */
export const googleRefusals = {
  /** Google has not verified the address. */
  addressNotProven: 'email_not_verified',
  /** An administrator's account, or one with a second factor. */
  passwordNeeded: 'password_needed',
  /** The account is linked to another Google account. */
  otherGoogleAccount: 'user_mismatch',
  /** The library's: the account is unverified and needs a password. */
  notJoined: 'account_not_linked',
  /** The library's: the redirect is expired, used, or from another browser. */
  expired: 'state_mismatch',
} as const;

export const identityRefusals = {
  /** 400: current or confirming password. */
  wrongPassword: 'INVALID_PASSWORD',
  commonPassword: 'PASSWORD_TOO_COMMON',
  /** 400: under 6 characters, or 12 for administrators. */
  shortPassword: 'PASSWORD_TOO_SHORT',
  /** 400: used, expired or unknown link. */
  deadResetLink: 'INVALID_TOKEN',
  /** 401: wrong or used. */
  wrongCode: 'INVALID_CODE',
  wrongBackupCode: 'INVALID_BACKUP_CODE',
  /** 401 after 10 minutes; sign in again. */
  codeNoLongerAsked: 'INVALID_TWO_FACTOR_COOKIE',
  /** 400 after 5 wrong codes; sign in again. */
  tooManyCodes: 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE',
  /** 429 for 15 minutes, after 10 wrong codes in a row. */
  codesLocked: 'ACCOUNT_TEMPORARILY_LOCKED',
  /** 409: concurrent use of another code; retry. */
  codeConflict: 'CONFLICT',
  administratorsOnly: 'ADMINISTRATORS_ONLY',
} as const;

/** Answer of `signIn` before the code; no session yet. */
export const secondFactorAskedSchema = z.object({
  twoFactorRedirect: z.literal(true),
  twoFactorMethods: z.array(z.string()),
});
export type SecondFactorAsked = z.infer<typeof secondFactorAskedSchema>;

/** `token` is for `endSession`; without the service's signature it opens nothing. */
export const sessionSchema = z.object({
  id: z.string(),
  token: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  expiresAt: z.string(),
  ipAddress: z.optional(z.nullable(z.string())),
  userAgent: z.optional(z.nullable(z.string())),
  /** Opened with a second-factor code. */
  secondFactor: z.optional(z.nullable(z.boolean())),
});
export type Session = z.infer<typeof sessionSchema>;

/** Its session's `id` marks this browser's session in the list. */
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

/** `credential` is a password. */
export const signInMethodSchema = z.object({ providerId: z.string(), accountId: z.string() });
export type SignInMethod = z.infer<typeof signInMethodSchema>;

/** Shown once: the authenticator's address (`otpauth://…`) and ten codes. */
export const secondFactorSetUpSchema = z.object({ totpURI: z.string(), backupCodes: z.array(z.string()) });
export type SecondFactorSetUp = z.infer<typeof secondFactorSetUpSchema>;

/** The new password's rule is the specification's. */
export const changePasswordSchema = z.object({ currentPassword: passwordField, newPassword: passwordField });
export const resetPasswordSchema = z.object({ newPassword: passwordField });
