import { MAX_IDEMPOTENCY_KEY } from './bounds.ts';
import type { RequestHeader } from './call.ts';

/**
 * The header by which a repeated request is known, so that what it does is done once.
 * @param description what is returned and not done twice
 */
export const idempotencyKey = (description: string, required = false): RequestHeader => ({
  description,
  pattern: new RegExp(`^[\\x21-\\x7e]{1,${MAX_IDEMPOTENCY_KEY}}$`),
  message: `Must be 1 to ${MAX_IDEMPOTENCY_KEY} printable characters without spaces`,
  ...(required && { required }),
});
