import { createHmac, timingSafeEqual } from 'node:crypto';
import { stopPagePath } from '@parts-forge/contract/products/wishes';
import type { Executor } from '#src/platform/database/connection.ts';
import { ensureSecret, findMetadata } from '#src/platform/database/metadata.ts';

const SECRET = 'wish_secret';

/** Its token is not stored, and the same in all mails to a person. It can only end their wishes. */
export const createStopLink = async (db: Executor, origin: string, userId: string): Promise<string> =>
  `${origin}${stopPagePath}#token=${sign(await ensureSecret(db, SECRET), userId)}`;

/** @returns the mail's reader; null for a forged token */
export async function readStopToken(db: Executor, token: string): Promise<string | null> {
  const secret = await findMetadata(db, SECRET);
  const [userId = ''] = token.split('.');
  if (secret === null) return null;
  const [given, expected] = [Buffer.from(token), Buffer.from(sign(secret, userId))];
  return given.length === expected.length && timingSafeEqual(given, expected) ? userId : null;
}

const sign = (secret: string, userId: string) =>
  `${userId}.${createHmac('sha256', secret).update(userId).digest('base64url')}`;
