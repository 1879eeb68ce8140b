import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#src/platform/core/clock.ts';

export const UPLOAD_KEY_SECONDS = 600;

/** Signed, so checking needs no lookup. */
export function createUploadKeys(secret: string, clock: Clock) {
  const sign = (payload: string) => createHmac('sha256', secret).update(payload).digest();
  const nowSeconds = () => Math.floor(clock.now().getTime() / 1000);
  return {
    /** @param keyId the API key that asks, or empty */
    issue(userId: string, keyId: string): string {
      const content = `${userId} ${nowSeconds() + UPLOAD_KEY_SECONDS} ${keyId}`;
      const payload = Buffer.from(content).toString('base64url');
      return `${payload}.${sign(payload).toString('base64url')}`;
    },
    /** The administrator's id, and what `issue` was given; null for a forged or expired key. */
    read(key: string) {
      const [payload = '', mac = ''] = key.split('.');
      const given = Buffer.from(mac, 'base64url');
      const expected = sign(payload);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      const [userId = '', until = '0', keyId = ''] = Buffer.from(payload, 'base64url')
        .toString('utf8')
        .split(' ');
      return Number(until) > nowSeconds() ? { userId, keyId } : null;
    },
  };
}
