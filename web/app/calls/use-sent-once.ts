import { useMemo, useState } from 'react';
import { ShopProblem, SignedOutError } from '#app/http/errors.ts';
import { DRAFT_PREFIX } from '#app/session/drafts.ts';
import { hasSignedOut } from '#app/session/session.ts';
import { createIdempotencyKey } from './use-idempotency-key.ts';

/** What was sent and has no answer yet: it may have been done. */
interface Attempt<Body> {
  /** Of whoever sent it. */
  email: string;
  /** What they chose, as JSON. */
  choice: string;
  body: Body;
  key: string;
}

export interface SentOnce<Body> {
  /**
   * Sends a body under an idempotency key. As long as an earlier one with the same choice has no answer, that one goes
   * again under its own key in place of the body.
   * @throws whatever `work` throws
   */
  send: <Answer>(
    body: Body,
    work: (body: Body, headers: { 'idempotency-key': string }) => Promise<Answer>,
  ) => Promise<Answer>;
  /** No answer came to what was sent last, on this page or before it was opened: it may have been done. */
  isUnanswered: boolean;
  /** It is known what became of it: the same choice is meant anew from now on. */
  forget: () => void;
}

/**
 * Sends so that the same thing sent again is done once, also when the page was loaded anew between the two: the key is
 * kept in this tab beside the draft of the form, given back to nobody else, and gone when they sign out.
 * @param name which form it is
 * @param getChoice what the customer chose: bodies that differ in something else alone, as a price, are the same thing
 */
export function useSentOnce<Body>(
  name: string,
  email: string,
  getChoice: (body: Body) => unknown,
): SentOnce<Body> {
  const attempts = useMemo(() => createAttempts<Body>(`${DRAFT_PREFIX}sent:${name}`, email), [name, email]);
  const [isUnanswered, setIsUnanswered] = useState(() => attempts.read() !== null);
  const settle = (attempt: Attempt<Body> | null) => {
    attempts.write(attempt);
    setIsUnanswered(attempt !== null);
  };
  const send: SentOnce<Body>['send'] = async (body, work) => {
    const choice = JSON.stringify(getChoice(body));
    const known = attempts.read();
    const isAgain = known?.choice === choice;
    const attempt = isAgain ? known : { email, choice, body, key: createIdempotencyKey() };
    // Before it is sent, as nobody tells a page that it ends while it waits.
    attempts.write(attempt);
    try {
      const answer = await work(attempt.body, { 'idempotency-key': attempt.key });
      settle(null);
      return answer;
    } catch (error) {
      if (!isRefusal(error)) setIsUnanswered(true);
      else if (isAgain) settle(isFinalRefusal(error) ? null : known);
      else {
        // Of this choice nothing was done; an earlier one may still have been.
        attempts.write(known);
        setIsUnanswered(false);
      }
      throw error;
    }
  };
  return { send, isUnanswered, forget: () => settle(null) };
}

/** A gateway's failure leaves open whether the shop did it; 503 says that it did nothing. */
const isRefusal = (error: unknown): boolean =>
  error instanceof SignedOutError ||
  (error instanceof ShopProblem && (error.status < 500 || error.status === 503));

/**
 * Whether a refusal holds for earlier sendings under the same key, too: the shop looks for what they did before it
 * judges what is ordered. Any other refusal, as of a busy shop, is about this sending alone.
 */
const isFinalRefusal = (error: unknown): boolean =>
  error instanceof ShopProblem &&
  [404, 409, 422].includes(error.status) &&
  error.code !== 'key-reused' &&
  error.code !== 'internal';

interface Attempts<Body> {
  read: () => Attempt<Body> | null;
  write: (attempt: Attempt<Body> | null) => void;
}

/** In this tab's storage; without one, as long as the page is open. */
function createAttempts<Body>(key: string, email: string): Attempts<Body> {
  let latest: Attempt<Body> | null = null;
  return {
    read: () => latest ?? readStored(key, email),
    write: (attempt) => {
      latest = attempt;
      try {
        // An answer may come after Logout, which leaves nothing of theirs behind.
        if (attempt && !hasSignedOut()) sessionStorage.setItem(key, JSON.stringify(attempt));
        else sessionStorage.removeItem(key);
      } catch {
        // It is remembered until the page is left.
      }
    },
  };
}

function readStored<Body>(key: string, email: string): Attempt<Body> | null {
  try {
    const stored: Partial<Attempt<Body>> | null = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    if (stored?.email !== email || stored.body === undefined) return null;
    const { choice, body, key: sentKey } = stored;
    return typeof choice === 'string' && typeof sentKey === 'string'
      ? { email, choice, body, key: sentKey }
      : null;
  } catch {
    return null;
  }
}
