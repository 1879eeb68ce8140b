import type { Order } from '@parts-forge/contract/orders/orders';
import type { PaymentIntentResult } from '@stripe/stripe-js';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { getProblemCode, getRequestId } from '#app/errors/describe-error.ts';
import { useSingleFlight } from '#app/forms/use-single-flight.ts';
import { type Outcome, readOutcome } from './outcome.ts';
import { areStillDue, paymentQueryOptions, useRecordPayment } from './queries.ts';

export interface PaidStage {
  kind: 'paid';
  transactionId: string;
  /** False when the call failed; the provider then informs the shop. */
  isRecorded: boolean;
  /** Identifies the failure in the shop's log. */
  requestId: string | null;
}

/** Apart from the order's own status. */
type Stage =
  | { kind: 'card' }
  | PaidStage
  | { kind: 'processing' }
  | { kind: 'cancelled'; refunded: boolean }
  /** Another page has opened a payment for some of the orders. */
  | { kind: 'replaced' };

/** Allows one attempt at a time. Records the payment once the provider reports success. */
export function usePayment(orders: readonly [Order, ...Order[]]) {
  const [stage, setStage] = useState<Stage>({ kind: 'card' });
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const once = useSingleFlight();
  const { mutateAsync: record } = useRecordPayment(orders[0]._id);
  const queries = useQueryClient();

  const attempt = useCallback(
    (ask: () => Promise<PaymentIntentResult>) =>
      once(async () => {
        setBusy(true);
        setError(null);
        try {
          const outcome = await askTwice(ask);
          if (outcome.kind === 'failed') setError(outcome.message);
          else if (outcome.kind === 'cancelled' && (await areStillDue(queries, orders))) {
            setStage({ kind: 'replaced' });
          } else setStage(await recordOutcome(outcome, record));
        } catch {
          setError('The payment provider did not answer. Try again; nothing is charged twice.');
        } finally {
          setBusy(false);
        }
      }),
    [once, record, queries, orders],
  );
  const openAnew = useCallback(async () => {
    await queries.resetQueries({ queryKey: paymentQueryOptions(orders).queryKey });
    setStage({ kind: 'card' });
  }, [queries, orders]);
  const forgetError = useCallback(() => setError(null), []);
  return { stage, error, busy, attempt, forgetError, openAnew };
}

async function askTwice(
  ask: () => Promise<PaymentIntentResult>,
): Promise<Exclude<Outcome, { kind: 'again' }>> {
  const first = readOutcome(await ask());
  if (first.kind !== 'again') return first;
  const second = readOutcome(await ask());
  if (second.kind !== 'again') return second;
  return { kind: 'failed', message: 'The payment provider is busy. Try again in a moment.' };
}

async function recordOutcome(
  outcome: Exclude<Outcome, { kind: 'again' | 'failed' }>,
  record: (transactionId: string) => Promise<unknown>,
): Promise<Stage> {
  if (outcome.kind === 'processing') return outcome;
  if (outcome.kind === 'cancelled') return { kind: 'cancelled', refunded: false };
  const { transactionId } = outcome;
  try {
    await record(transactionId);
    return { kind: 'paid', transactionId, isRecorded: true, requestId: null };
  } catch (error) {
    // Money has moved, so this is no error; the provider informs the shop, too. A closed order is refunded.
    const code = getProblemCode(error);
    return code === 'order-cancelled' || code === 'expired'
      ? { kind: 'cancelled', refunded: true }
      : { kind: 'paid', transactionId, isRecorded: false, requestId: getRequestId(error) };
  }
}
