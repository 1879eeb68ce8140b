import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { retryWithFreshProof } from '#app/calls/retry-with-fresh-proof.ts';
import { useSentOnce } from '#app/calls/use-sent-once.ts';
import { getRetryAfterSeconds } from '#app/errors/describe-error.ts';
import { useCountdown } from '#app/ui/use-countdown.ts';
import { useOnline } from '#app/ui/use-online.ts';

type PlacingHeaders = { 'idempotency-key': string };

interface PlacingOptions<Request, Answer> extends UseMutationOptions<Answer, Error, Request> {
  /** Names the attempt in the tab's storage. */
  name: string;
  email: string;
  /** Omits details that change without the customer, such as a price. */
  getChoice: (request: Request) => unknown;
  call: (body: Request, headers: PlacingHeaders) => Promise<Answer>;
}

/**
 * Places orders. A retry, also after a reload, keeps its idempotency key until the choice changes or the orders
 * succeed.
 */
export function usePlacing<Request, Answer>({
  name,
  email,
  getChoice,
  call,
  ...options
}: PlacingOptions<Request, Answer>) {
  const { send, isUnanswered, forget } = useSentOnce(name, email, getChoice);
  const mutation = useMutation({
    ...options,
    mutationFn: (request: Request) =>
      send(request, (body, headers) => retryWithFreshProof(() => call(body, headers))),
  });
  const secondsLeft = useCountdown(getRetryAfterSeconds(mutation.error), mutation.error);
  const isOnline = useOnline();
  return {
    place: mutation.mutateAsync,
    isPending: mutation.isPending,
    error: mutation.error,
    /** The last response was lost, now or before a reload. */
    isUnanswered,
    /** No attempt since the page opened. */
    isIdle: mutation.isIdle,
    /** The outcome is known, so the same entries make new orders. */
    forgetUnanswered: () => {
      forget();
      mutation.reset();
    },
    /** Online, and no `Retry-After` is running. */
    canSend: isOnline && secondsLeft === 0,
    secondsLeft,
  };
}
