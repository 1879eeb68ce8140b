import { MAX_IDEMPOTENCY_KEY } from './bounds.ts';
import type { RequestHeader } from './call.ts';

/**
 * Makes a repeated request take effect once.
 * @param description the repeated answer, and the single effect
 */
export const idempotencyKey = (description: string, required = false): RequestHeader => ({
  description,
  pattern: new RegExp(`^[\\x21-\\x7e]{1,${MAX_IDEMPOTENCY_KEY}}$`),
  message: `Must be 1 to ${MAX_IDEMPOTENCY_KEY} printable characters without spaces`,
  ...(required && { required }),
});
