import * as z from 'zod/mini';
import { passwordField } from './identity.ts';

/**
 * Calls of the embedded identity service, with the library's paths and JSON bodies. No other paths are
 * served, and none with a hosted service (`GET /config`: `identity.selfService`).
 * All need the session cookie (else 401) except the first five, `requestReset`, `reset`, `verifyTotp` and
 * `verifyBackupCode`.
 */
export const identityServiceCalls = {
  /** `{ name, email, password }` */
  signUp: { method: 'POST', path: '/identity/sign-up/email' },
  /** `{ email, password }` → `{ user }` or `SecondFactorAsked`. */
  signIn: { method: 'POST', path: '/identity/sign-in/email' },
  /**
   * `{ provider: 'google', callbackURL, errorCallbackURL, disableRedirect: true }` → `{ url }` for a new
   * window. Both addresses are `googlePopupPath` with the page's own `?id=`. Needs `GOOGLE_CLIENT_ID`.
   */
  signInWithGoogle: { method: 'POST', path: '/identity/sign-in/social' },
  /** Google redirects here, and this redirects to `googlePopupPath`, with `error` on failure. */
  finishGoogleSignIn: { method: 'GET', path: '/identity/callback/google' },
  /** `{}`; harmless without a session. Afterwards no token of the session is accepted. */
  signOut: { method: 'POST', path: '/identity/sign-out' },
  /** `SignedIn`, or null. */
  readSession: { method: 'GET', path: '/identity/get-session' },
  /** → `{ token }`: the signed proof for `PUT /user/{email}`. */
  readIdToken: { method: 'GET', path: '/identity/token' },
  readKeys: { method: 'GET', path: '/identity/jwks' },

  /** → `SignInMethod[]`. */
  listSignInMethods: { method: 'GET', path: '/identity/list-accounts' },
  /** `{ currentPassword, newPassword }` → `{ user }`. Ends every session; this browser gets a new one. */
  changePassword: { method: 'POST', path: '/identity/change-password' },
  /** `{ email }` → `{ status, message }`, equal for every address. Sends nothing when mail is not set up. */
  requestReset: { method: 'POST', path: '/identity/request-password-reset' },
  /** `{ newPassword, token }` → `{ status }`. Ends every session. */
  reset: { method: 'POST', path: '/identity/reset-password' },

  /** → `Session[]`, the open ones. */
  listSessions: { method: 'GET', path: '/identity/list-sessions' },
  /** `{ token }` → `{ status }`. Ignores unknown tokens and other accounts' with the same answer. */
  endSession: { method: 'POST', path: '/identity/revoke-session' },

  /**
   * `{ password }` → `SecondFactorSetUp`; takes effect after `verifyTotp`. Administrators only (403
   * `ADMINISTRATORS_ONLY`).
   */
  enableSecondFactor: { method: 'POST', path: '/identity/two-factor/enable' },
  /**
   * `{ code }` → `{ user }`. After `enable`: enables the second factor, ends all sessions and gives this
   * browser a new one. After `SecondFactorAsked`: signs in. A code works once.
   */
  verifyTotp: { method: 'POST', path: '/identity/two-factor/verify-totp' },
  /** `{ code }` → `{ user }`. Each of the ten codes works once. */
  verifyBackupCode: { method: 'POST', path: '/identity/two-factor/verify-backup-code' },
  /** `{ password }` → `{ backupCodes }`. Earlier codes become void. */
  makeBackupCodes: { method: 'POST', path: '/identity/two-factor/generate-backup-codes' },
  /** `{ password }` → `{ status }`. Ends every session; this browser gets a new one. */
  disableSecondFactor: { method: 'POST', path: '/identity/two-factor/disable' },
} as const satisfies Record<string, { method: 'GET' | 'POST'; path: `/identity/${string}` }>;

/** Page of the reset link. The token is in the fragment, which neither servers nor referrers see. */
export const resetPagePath = '/reset-password';
/** @param origin without a trailing slash */
export const buildResetLink = (origin: string, token: string) => `${origin}${resetPagePath}#token=${token}`;

export type IdentityServiceCall = (typeof identityServiceCalls)[keyof typeof identityServiceCalls];

/** Popup page after the sign-in with Google: it notifies the shop's page and closes. */
export const googlePopupPath = '/auth/popup.html';

/** Values of `error` at `googlePopupPath`, besides the codes of OAuth and the library. */
export const googleRefusals = {
  /** Google has not verified the address. */
  addressNotProven: 'email_not_verified',
  /** The account is an administrator's or has a second factor. */
  passwordNeeded: 'password_needed',
  /** The account with this address is linked to another Google account. */
  otherGoogleAccount: 'user_mismatch',
  /** The library's code: the account with this address is unverified and needs a password. */
  notJoined: 'account_not_linked',
  /** The library's code: the redirect is expired, used, or from another browser. */
  expired: 'state_mismatch',
} as const;

/** Refusal codes (`code` in the body) that pages handle specially. */
export const identityRefusals = {
  /** 400: the current or confirming password is wrong. */
  wrongPassword: 'INVALID_PASSWORD',
  /** 400: one of the most common passwords. */
  commonPassword: 'PASSWORD_TOO_COMMON',
  /** 400: under 6 characters, or 12 for administrators. */
  shortPassword: 'PASSWORD_TOO_SHORT',
  /** 400: the reset link is used, expired or unknown. */
  deadResetLink: 'INVALID_TOKEN',
  /** 401: the code is wrong or used. */
  wrongCode: 'INVALID_CODE',
  wrongBackupCode: 'INVALID_BACKUP_CODE',
  /** 401: the 10 minutes for the code are over; sign in again. */
  codeNoLongerAsked: 'INVALID_TWO_FACTOR_COOKIE',
  /** 400 after 5 wrong codes; sign in again. */
  tooManyCodes: 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE',
  /** 429 for 15 minutes, after 10 wrong codes in a row. */
  codesLocked: 'ACCOUNT_TEMPORARILY_LOCKED',
  /** 409: another backup code was used concurrently; retry this one. */
  codeConflict: 'CONFLICT',
  /** 403. */
  administratorsOnly: 'ADMINISTRATORS_ONLY',
} as const;

/** Answer of `signIn` when a code is required; no session exists yet. */
export const secondFactorAskedSchema = z.object({
  twoFactorRedirect: z.literal(true),
  twoFactorMethods: z.array(z.string()),
});
export type SecondFactorAsked = z.infer<typeof secondFactorAskedSchema>;

/** An open sign-in. `token` is for `endSession`; without the service's signature it opens nothing. */
export const sessionSchema = z.object({
  id: z.string(),
  token: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  expiresAt: z.string(),
  ipAddress: z.optional(z.nullable(z.string())),
  userAgent: z.optional(z.nullable(z.string())),
  /** True for a session opened with a second-factor code. */
  secondFactor: z.optional(z.nullable(z.boolean())),
});
export type Session = z.infer<typeof sessionSchema>;

/** Answer of `readSession`. Its session's `id` marks this browser's session in the list. */
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

/** Answer of `enableSecondFactor`, shown once: the authenticator's address (`otpauth://…`) and ten codes. */
export const secondFactorSetUpSchema = z.object({ totpURI: z.string(), backupCodes: z.array(z.string()) });
export type SecondFactorSetUp = z.infer<typeof secondFactorSetUpSchema>;

/** Form fields; the new password's rule and messages are the specification's. */
export const changePasswordSchema = z.object({ currentPassword: passwordField, newPassword: passwordField });
export const resetPasswordSchema = z.object({ newPassword: passwordField });
