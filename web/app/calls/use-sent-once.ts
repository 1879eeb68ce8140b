import { useMemo, useState } from 'react';
import { ShopProblem, SignedOutError } from '#app/http/errors.ts';
import { DRAFT_PREFIX } from '#app/session/drafts.ts';
import { createIdempotencyKey } from './use-idempotency-key.ts';

/** What was sent and not done, as far as this page knows. */
interface Attempt {
  /** Of whoever sent it. */
  email: string;
  content: string;
  key: string;
  /** It was sent and no answer came: it may have been done. */
  isUnanswered: boolean;
}

export interface SentOnce {
  /**
   * Sends content under its idempotency key: the same one as before as long as the content is the same and was not done.
   * @throws whatever `work` throws
   */
  send: <Answer>(
    content: unknown,
    work: (headers: { 'idempotency-key': string }) => Promise<Answer>,
  ) => Promise<Answer>;
  /** When the page opened, something had been sent to which no answer came. */
  wasUnanswered: boolean;
  /** It is known what became of it: the same content is meant anew from now on. */
  forget: () => void;
}

/**
 * Sends so that the same thing sent again is done once, also when the page was loaded anew between the two: the key is
 * kept in this tab beside the draft of the form, given back to nobody else, and gone when they sign out.
 * @param name which form it is
 */
export function useSentOnce(name: string, email: string): SentOnce {
  const attempts = useMemo(() => createAttempts(`${DRAFT_PREFIX}sent:${name}`, email), [name, email]);
  const [wasUnanswered] = useState(() => attempts.read()?.isUnanswered === true);
  return useMemo(
    () => ({ send: createSend(attempts, email), wasUnanswered, forget: () => attempts.write(null) }),
    [attempts, email, wasUnanswered],
  );
}

function createSend(attempts: Attempts, email: string): SentOnce['send'] {
  return async (content, work) => {
    const text = JSON.stringify(content);
    const known = attempts.read();
    const attempt =
      known?.content === text
        ? known
        : { email, content: text, key: createIdempotencyKey(), isUnanswered: false };
    // Before it is sent, as nobody tells a page that it ends while it waits.
    attempts.write({ ...attempt, isUnanswered: true });
    try {
      const answer = await work({ 'idempotency-key': attempt.key });
      attempts.write(null);
      return answer;
    } catch (error) {
      // A refusal is an answer to this sending alone: an earlier one may still have been done.
      if (isRefusal(error)) attempts.write(attempt);
      throw error;
    }
  };
}

/** A gateway's failure leaves open whether the shop did it; 503 says that it did nothing. */
const isRefusal = (error: unknown): boolean =>
  error instanceof SignedOutError ||
  (error instanceof ShopProblem && (error.status < 500 || error.status === 503));

interface Attempts {
  read: () => Attempt | null;
  write: (attempt: Attempt | null) => void;
}

/** In this tab's storage; without one, as long as the page is open. */
function createAttempts(key: string, email: string): Attempts {
  let latest: Attempt | null = null;
  return {
    read: () => latest ?? readStored(key, email),
    write: (attempt) => {
      latest = attempt;
      try {
        if (attempt) sessionStorage.setItem(key, JSON.stringify(attempt));
        else sessionStorage.removeItem(key);
      } catch {
        // It is remembered until the page is left.
      }
    },
  };
}

function readStored(key: string, email: string): Attempt | null {
  try {
    const stored: Partial<Attempt> | null = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    return stored?.email === email && typeof stored.content === 'string' && typeof stored.key === 'string'
      ? { email, content: stored.content, key: stored.key, isUnanswered: stored.isUnanswered === true }
      : null;
  } catch {
    return null;
  }
}
