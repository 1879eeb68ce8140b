import { createHash } from 'node:crypto';

/** Of a secret with enough randomness, so that the database has none that works. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
