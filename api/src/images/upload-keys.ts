import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#src/platform/core/clock.ts';

/** A key opens the upload for ten minutes (contract, `POST /images/key`). */
export const UPLOAD_KEY_SECONDS = 600;

/** Keys that let one administrator send pictures for a while, checked without a look-up. */
export interface UploadKeys {
  issue(userId: string): string;
  /** The administrator whom the key was given to; null for a forged or an old one. */
  read(key: string): string | null;
}

/** @param secret what the keys are signed with; whoever knows it can make keys */
export function createUploadKeys(secret: string, clock: Clock): UploadKeys {
  const sign = (payload: string) => createHmac('sha256', secret).update(payload).digest();
  const nowSeconds = () => Math.floor(clock.now().getTime() / 1000);
  return {
    issue(userId) {
      const nonce = randomBytes(9).toString('base64url');
      const payload = Buffer.from(`${userId} ${nowSeconds() + UPLOAD_KEY_SECONDS} ${nonce}`).toString(
        'base64url',
      );
      return `${payload}.${sign(payload).toString('base64url')}`;
    },
    read(key) {
      const [payload = '', mac = ''] = key.split('.');
      const given = Buffer.from(mac, 'base64url');
      const expected = sign(payload);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      const [userId = '', until = '0'] = Buffer.from(payload, 'base64url').toString('utf8').split(' ');
      return Number(until) > nowSeconds() ? userId : null;
    },
  };
}
