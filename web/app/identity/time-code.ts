import * as z from 'zod/mini';

/** A code of an authenticator app (RFC 6238); spaces between its digits, as some apps show them, do not count. */
export const timeCodeField = z.string().check(
  z.overwrite((code) => code.replace(/\s/g, '')),
  z.regex(/^\d{6}$/, 'Must be six digits'),
);

/** The attributes of a field for one: phones show digits, and offer a code that they know. */
export const timeCodeInput = { inputMode: 'numeric', autoComplete: 'one-time-code' } as const;
