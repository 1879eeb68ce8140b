import { useMemo } from 'react';
import { createId } from '#app/ui/create-id.ts';

/** Keeps a key until the content changes or is done, so that a retry takes effect once. */
export const useIdempotencyKey = () => useMemo(createIdempotencyKeys, []);

function createIdempotencyKeys() {
  let attempt: { content: string; key: string } | null = null;
  return {
    getHeaders: (content: unknown) => {
      const text = JSON.stringify(content);
      if (attempt?.content !== text) attempt = { content: text, key: createId() };
      return { 'idempotency-key': attempt.key };
    },
    forget: () => {
      attempt = null;
    },
  };
}
