import { useMemo } from 'react';

/**
 * Keys that stay until what is sent changes or has been done, so that the same thing sent again after a broken
 * connection is done once.
 */
export const useIdempotencyKey = () => useMemo(createIdempotencyKeys, []);

function createIdempotencyKeys() {
  let attempt: { content: string; key: string } | null = null;
  return {
    /** The headers of a request: the same key as long as the content is the same. */
    getHeaders: (content: unknown) => {
      const text = JSON.stringify(content);
      if (attempt?.content !== text) attempt = { content: text, key: createIdempotencyKey() };
      return { 'idempotency-key': attempt.key };
    },
    /** It is done: the same content is a new request from now on. */
    forget: () => {
      attempt = null;
    },
  };
}

/** Random, in hexadecimal. `crypto.randomUUID` would need a secure context. */
export function createIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
