import { MAX_IDEMPOTENCY_KEY } from './bounds.ts';
import type { RequestHeader } from './call.ts';

/**
 * Header that makes a repeated request take effect once.
 * @param description the answer that repeats, and the effect that does not
 */
export const idempotencyKey = (description: string, required = false): RequestHeader => ({
  description,
  pattern: new RegExp(`^[\\x21-\\x7e]{1,${MAX_IDEMPOTENCY_KEY}}$`),
  message: `Must be 1 to ${MAX_IDEMPOTENCY_KEY} printable characters without spaces`,
  ...(required && { required }),
});
