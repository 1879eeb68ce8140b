import { createHash } from 'node:crypto';

/** The database keeps the hash, so it holds no token that works. Tokens are too random to be guessed. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
