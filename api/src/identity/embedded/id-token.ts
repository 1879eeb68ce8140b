import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import * as z from 'zod/mini';
import type { VerifiedIdentity } from '#src/identity/provider.ts';
import { identityKeys } from '#src/identity/schema.ts';
import type { Clock } from '#src/platform/core/clock.ts';
import { Problem } from '#src/platform/core/problem.ts';
import type { Database } from '#src/platform/database/connection.ts';

export const AUDIENCE = 'shop';
/** A key signs for 30 days; its tokens stay valid for another day. */
export const KEY_SECONDS = 30 * 24 * 60 * 60;
export const KEY_GRACE_SECONDS = 24 * 60 * 60;
const RELOAD_MS = 10_000;

const claims = z.object({
  sub: z.string().check(z.minLength(1)),
  email: z.string().check(z.minLength(3)),
  email_verified: z.boolean(),
  name: z.optional(z.nullable(z.string())),
  sid: z.string().check(z.minLength(1)),
  auth_time: z.int(),
});

interface IdTokenParts {
  database: Database;
  clock: Clock;
  issuer: string;
}

/**
 * Reads the keys without a request to ourselves.
 * @returns throws Problem `identity-invalid` for a token that is forged, expired or another's
 */
export function createIdTokenCheck(parts: IdTokenParts): (idToken: string) => Promise<VerifiedIdentity> {
  const verifySignature = createSignatureCheck(parts);
  return async (idToken) => {
    const payload = await verifySignature(idToken).catch((error: unknown) => {
      if (error instanceof errors.JOSEError || error instanceof TypeError)
        throw new Problem('identity-invalid');
      throw error;
    });
    const parsed = claims.safeParse(payload);
    if (!parsed.success) throw new Problem('identity-invalid');
    const { sub, email, email_verified, name, sid, auth_time } = parsed.data;
    return {
      issuer: parts.issuer,
      subject: sub,
      email: email.toLowerCase(),
      emailVerified: email_verified,
      name: name ?? null,
      sessionId: sid,
      authTime: auth_time,
    };
  };
}

function createSignatureCheck({ database, clock, issuer }: IdTokenParts) {
  let cached: { keys: ReturnType<typeof createLocalJWKSet>; readAtMs: number } | null = null;

  async function loadKeys() {
    const readAtMs = performance.now();
    cached = { keys: createLocalJWKSet(await readKeys(database, clock)), readAtMs };
    return cached;
  }

  return async (idToken: string): Promise<JWTPayload> => {
    const options = {
      issuer,
      audience: AUDIENCE,
      // Fixed here, not read from the token: refuses `none` and other kinds of keys.
      algorithms: ['ES256'],
      requiredClaims: ['exp', 'sub', 'auth_time'],
      currentDate: clock.now(),
    };
    const { keys, readAtMs } = cached ?? (await loadKeys());
    try {
      return (await jwtVerify(idToken, keys, options)).payload;
    } catch (error) {
      const isFresh = performance.now() - readAtMs < RELOAD_MS;
      if (!(error instanceof errors.JWKSNoMatchingKey) || isFresh) throw error;
      return (await jwtVerify(idToken, (await loadKeys()).keys, options)).payload;
    }
  };
}

async function readKeys(database: Database, clock: Clock): Promise<JSONWebKeySet> {
  const rows = await database.db
    .select({ id: identityKeys.id, publicKey: identityKeys.publicKey, expiresAt: identityKeys.expiresAt })
    .from(identityKeys);
  const oldestMs = clock.now().getTime() - KEY_GRACE_SECONDS * 1000;
  return {
    keys: rows
      .filter(({ expiresAt }) => expiresAt === null || expiresAt.getTime() > oldestMs)
      .map(({ id, publicKey }) => ({ ...JSON.parse(publicKey), kid: id, alg: 'ES256' })),
  };
}
