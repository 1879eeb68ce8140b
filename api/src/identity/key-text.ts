import { randomBytes } from 'node:crypto';
import { hashToken } from '#src/platform/core/hash-token.ts';

/** `pfk_`, 32 random bytes, and a checksum, so that scanners for leaked secrets find no false ones. */
const keyPattern = /^pfk_([\w-]{43})_([\w-]{4})$/;
const checksum = (secret: string) => hashToken(secret).toString('base64url').slice(0, 4);

export function createKeyText(): string {
  const secret = randomBytes(32).toString('base64url');
  return `pfk_${secret}_${checksum(secret)}`;
}

export function isKey(text: string): boolean {
  const [, secret, sum] = keyPattern.exec(text) ?? [];
  return secret !== undefined && checksum(secret) === sum;
}
