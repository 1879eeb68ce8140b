import { createLocalJWKSet, createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as z from 'zod/mini';
import type { Clock } from '#src/platform/core/clock.ts';
import { Problem } from '#src/platform/core/problem.ts';
import { GoogleUnavailable } from './ask-google.ts';
import { firebaseIssuer } from './firebase-endpoints.ts';

/** Google changes its keys about daily and announces them early. */
const KEYS_MAX_AGE_MS = 60 * 60 * 1000;
/** While Google is unreachable. */
const KEYS_MAX_STALE_MS = 24 * 60 * 60 * 1000;
const KEYS_TIMEOUT_MS = 3_000;
const KEYS_PAUSE_MS = 1_000;
const CLOCK_SKEW_SECONDS = 60;
const MAX_SUBJECT = 128;

const tokenClaims = z.object({
  sub: z.string().check(z.minLength(1), z.maxLength(MAX_SUBJECT)),
  email: z.string().check(z.minLength(3)),
  email_verified: z.boolean(),
  name: z.optional(z.nullable(z.string())),
  iat: z.int(),
  auth_time: z.int(),
  firebase: z.object({ sign_in_provider: z.string() }),
});

/** Only Firebase knows whether they still hold (`firebase-account.ts`). */
export interface FirebaseClaims {
  subject: string;
  email: string;
  emailVerified: boolean;
  name: string | null;
  /** Unix time in seconds of the sign-in. */
  authTime: number;
  /** Firebase's name, `password` or `google.com`. */
  signInProvider: string;
}

interface TokenCheckParts {
  projectId: string;
  clock: Clock;
  keysUrl: string;
}

/**
 * @returns throws Problem `identity-invalid` for a token that is forged, expired or another project's,
 * `unavailable` without keys
 */
export function createFirebaseTokenCheck({ projectId, clock, keysUrl }: TokenCheckParts) {
  const findKey = createKeyFinder(keysUrl, clock);
  return async (idToken: string): Promise<FirebaseClaims> => {
    const payload = await jwtVerify(idToken, findKey, {
      issuer: firebaseIssuer(projectId),
      audience: projectId,
      // Fixed here, not read from the token: refuses `none` and symmetric keys.
      algorithms: ['RS256'],
      requiredClaims: ['exp', 'iat', 'sub', 'auth_time'],
      currentDate: clock.now(),
    }).then(
      (verified) => verified.payload,
      (error: unknown) => {
        if (error instanceof errors.JOSEError || error instanceof TypeError) {
          throw new Problem('identity-invalid');
        }
        throw error;
      },
    );
    return readClaims(payload, clock.now());
  };
}

/** @throws Problem `identity-invalid` also for a sign-in in the future */
export function readClaims(payload: unknown, now: Date): FirebaseClaims {
  const parsed = tokenClaims.safeParse(payload);
  if (!parsed.success) throw new Problem('identity-invalid');
  const { sub, email, email_verified, name, iat, auth_time, firebase } = parsed.data;
  const latest = now.getTime() / 1000 + CLOCK_SKEW_SECONDS;
  if (iat > latest || auth_time > latest) throw new Problem('identity-invalid');
  return {
    subject: sub,
    email: email.toLowerCase(),
    emailVerified: email_verified,
    name: name ?? null,
    authTime: auth_time,
    signInProvider: firebase.sign_in_provider,
  };
}

/** While Google is unreachable, the last keys serve for a day. */
function createKeyFinder(keysUrl: string, clock: Clock): JWTVerifyGetKey {
  const remote = createRemoteJWKSet(new URL(keysUrl), {
    timeoutDuration: KEYS_TIMEOUT_MS,
    cacheMaxAge: KEYS_MAX_AGE_MS,
    cooldownDuration: KEYS_PAUSE_MS,
  });
  let answeredAtMs = Number.NEGATIVE_INFINITY;
  return async (header, token) => {
    try {
      const key = await remote(header, token);
      if (remote.fresh) answeredAtMs = clock.now().getTime();
      return key;
    } catch (error) {
      if (isAboutTheToken(error)) throw error;
      const last = remote.jwks();
      if (!last || clock.now().getTime() - answeredAtMs > KEYS_MAX_STALE_MS)
        throw new GoogleUnavailable(error);
      return createLocalJWKSet(last)(header, token).catch((cause: unknown) => {
        // The key may be newer than the last set.
        throw new GoogleUnavailable(cause);
      });
    }
  };
}

const isAboutTheToken = (error: unknown) =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JOSENotSupported;
