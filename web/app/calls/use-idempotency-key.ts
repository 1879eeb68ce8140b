import { useMemo } from 'react';

/** Keeps a key until the content changes or is done, so that a retry takes effect once. */
export const useIdempotencyKey = () => useMemo(createIdempotencyKeys, []);

function createIdempotencyKeys() {
  let attempt: { content: string; key: string } | null = null;
  return {
    getHeaders: (content: unknown) => {
      const text = JSON.stringify(content);
      if (attempt?.content !== text) attempt = { content: text, key: createIdempotencyKey() };
      return { 'idempotency-key': attempt.key };
    },
    forget: () => {
      attempt = null;
    },
  };
}

/** `crypto.randomUUID` would need a secure context. */
export function createIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
