import * as z from 'zod/mini';

/** A code of an authenticator app (RFC 6238); some apps show it with spaces. */
export const timeCodeField = z.string().check(
  z.overwrite((code) => code.replace(/\s/g, '')),
  z.regex(/^\d{6}$/, 'Must be six digits'),
);

/** Phones show digits and suggest a received code. */
export const timeCodeInput = { inputMode: 'numeric', autoComplete: 'one-time-code' } as const;
