import { createLocalJWKSet, createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as z from 'zod/mini';
import type { Clock } from '#src/platform/core/clock.ts';
import { Problem } from '#src/platform/core/problem.ts';
import { GoogleUnavailable } from './ask-google.ts';
import { firebaseIssuer } from './firebase-endpoints.ts';

/** Google changes its keys about daily and announces each ahead of its use. */
const KEYS_MAX_AGE_MS = 60 * 60 * 1000;
/** For so long the last keys are believed when Google cannot be asked for new ones. */
const KEYS_MAX_STALE_MS = 24 * 60 * 60 * 1000;
const KEYS_TIMEOUT_MS = 3_000;
/** A token with an unknown key makes us read the keys again, at most this often. */
const KEYS_PAUSE_MS = 1_000;
/** By how much our clock and Google's may differ. */
const CLOCK_SKEW_SECONDS = 60;
/** An account's id at Firebase. */
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

/** What a token of Firebase says. Whether the account still is so, only Firebase knows (`firebase-account.ts`). */
export interface FirebaseClaims {
  subject: string;
  /** In lower case. */
  email: string;
  emailVerified: boolean;
  name: string | null;
  /** In seconds since 1970. */
  authTime: number;
  /** What the person signed in with: `password`, `google.com`. */
  signInProvider: string;
}

interface TokenCheckParts {
  projectId: string;
  clock: Clock;
  /** Address of the key set. */
  keysUrl: string;
}

/**
 * Checks Firebase's tokens against Google's public keys.
 * @returns a function that throws Problem `identity-invalid` for a token that is forged, expired or another project's,
 *   `unavailable` when the keys cannot be had
 */
export function createFirebaseTokenCheck({ projectId, clock, keysUrl }: TokenCheckParts) {
  const findKey = createKeyFinder(keysUrl, clock);
  return async (idToken: string): Promise<FirebaseClaims> => {
    const payload = await jwtVerify(idToken, findKey, {
      issuer: firebaseIssuer(projectId),
      audience: projectId,
      // Named here, and not taken from the token: `none` and secrets of our own making are refused.
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

/**
 * What is in a payload whose signature, issuer and audience were checked.
 * @throws Problem `identity-invalid` for claims that Firebase does not make, and for a sign-in of the future
 */
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

/**
 * Finds a token's key in Google's set, which is read anew when it is old or does not have the key. While Google cannot
 * be reached the last set is used on, as its keys do not become worse by that.
 */
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
        // The key may be a new one that could not be asked for.
        throw new GoogleUnavailable(cause);
      });
    }
  };
}

/** The set was there, and the token's key is not in it or cannot be used. */
const isAboutTheToken = (error: unknown) =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JOSENotSupported;
