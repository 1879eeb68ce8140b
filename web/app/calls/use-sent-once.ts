import { useMemo, useState } from 'react';
import { ShopProblem, SignedOutError } from '#app/http/errors.ts';
import { hasSignedOut } from '#app/session/session.ts';
import { readFromTab, storeInTab } from '#app/session/tab-storage.ts';
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
 * Makes a submit idempotent across reloads: the key stays in this tab until the outcome is known or the customer signs
 * out.
 * @param name which form it is
 * @param getChoice what the customer chose: bodies that differ in something else alone, as a price, are the same thing
 */
export function useSentOnce<Body>(
  name: string,
  email: string,
  getChoice: (body: Body) => unknown,
): SentOnce<Body> {
  const attempts = useMemo(() => createAttempts<Body>(`sent:${name}`, email), [name, email]);
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

/** In this tab's storage; without one, as long as the page is open. */
function createAttempts<Body>(name: string, email: string) {
  let latest: Attempt<Body> | null = null;
  return {
    read: (): Attempt<Body> | null => {
      const known = latest ?? readFromTab<Attempt<Body>>(name);
      return known?.email === email ? known : null;
    },
    write: (attempt: Attempt<Body> | null) => {
      latest = attempt;
      // An answer may come after Logout, which leaves nothing of theirs behind.
      storeInTab(name, hasSignedOut() ? null : attempt);
    },
  };
}
