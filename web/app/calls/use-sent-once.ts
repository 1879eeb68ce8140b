import { useMemo, useState } from 'react';
import { ShopProblem, SignedOutError } from '#app/http/errors.ts';
import { hasSignedOut } from '#app/session/session.ts';
import { readFromTab, storeInTab } from '#app/session/tab-storage.ts';
import { createId } from '#app/ui/create-id.ts';

/** It may have taken effect. */
interface Attempt<Body> {
  email: string;
  choice: string;
  body: Body;
  key: string;
}

export interface SentOnce<Body> {
  /**
   * Resends an earlier body with the same choice and no response, under its key.
   * @throws errors of `work`
   */
  send: <Answer>(
    body: Body,
    work: (body: Body, headers: { 'idempotency-key': string }) => Promise<Answer>,
  ) => Promise<Answer>;
  /** Also one from before a reload. */
  isUnanswered: boolean;
  /** Then the same choice is a new request. */
  forget: () => void;
}

/**
 * Makes a submit idempotent across reloads: the key stays in this tab until the outcome is known or the
 * customer signs out.
 * @param getChoice omits details such as a price
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
    const attempt = isAgain ? known : { email, choice, body, key: createId() };
    // A page is not warned of its end.
    attempts.write(attempt);
    try {
      const answer = await work(attempt.body, { 'idempotency-key': attempt.key });
      settle(null);
      return answer;
    } catch (error) {
      if (!isRefusal(error)) setIsUnanswered(true);
      else if (isAgain) settle(isFinalRefusal(error) ? null : known);
      else {
        attempts.write(known);
        setIsUnanswered(false);
      }
      throw error;
    }
  };
  return { send, isUnanswered, forget: () => settle(null) };
}

/** A gateway's failure or a timeout leaves the outcome open; a busy shop has done nothing. */
const isRefusal = (error: unknown): boolean =>
  error instanceof SignedOutError ||
  (error instanceof ShopProblem && (error.status < 500 || error.code === 'overloaded'));

/** The shop has looked up earlier requests with the same key first. */
const isFinalRefusal = (error: unknown): boolean =>
  error instanceof ShopProblem &&
  [404, 409, 422].includes(error.status) &&
  error.code !== 'key-reused' &&
  error.code !== 'internal';

function createAttempts<Body>(name: string, email: string) {
  let latest: Attempt<Body> | null = null;
  return {
    read: (): Attempt<Body> | null => {
      const known = latest ?? readFromTab<Attempt<Body>>(name);
      return known?.email === email ? known : null;
    },
    write: (attempt: Attempt<Body> | null) => {
      latest = attempt;
      // A response may arrive after Logout, which must leave nothing.
      storeInTab(name, hasSignedOut() ? null : attempt);
    },
  };
}
