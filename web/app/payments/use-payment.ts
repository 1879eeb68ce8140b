import type { Order } from '@parts-forge/contract/orders';
import type { PaymentIntentResult } from '@stripe/stripe-js';
import { useCallback, useRef, useState } from 'react';
import { getProblemCode } from '#app/errors/describe-error.ts';
import { type Outcome, readOutcome } from './outcome.ts';
import { useRecordPayment } from './queries.ts';

/** How far paying is, apart from what the order itself says. */
export type Stage =
  | { kind: 'card' }
  /** `recorded` is false when the shop could not be told; it learns of the payment from the provider then. */
  | { kind: 'paid'; transactionId: string; recorded: boolean }
  | { kind: 'processing' }
  | { kind: 'cancelled'; refunded: boolean };

/**
 * Pays for an order: one try at a time, whatever is pressed meanwhile, and the payment recorded with the shop
 * when the provider says that it went through.
 */
export function usePayment(order: Order) {
  const [stage, setStage] = useState<Stage>({ kind: 'card' });
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  // State would come a render too late for the second press of a double click.
  const locked = useRef(false);
  const { mutateAsync: record } = useRecordPayment(order._id);

  const attempt = useCallback(
    async (ask: () => Promise<PaymentIntentResult>) => {
      if (locked.current) return;
      locked.current = true;
      setBusy(true);
      setError(null);
      try {
        const outcome = await askTwice(ask);
        if (outcome.kind === 'failed') setError(outcome.message);
        else setStage(await recordOutcome(outcome, record));
      } catch {
        setError('The payment provider did not answer. Try again; nothing is charged twice.');
      } finally {
        locked.current = false;
        setBusy(false);
      }
    },
    [record],
  );
  return { stage, error, busy, attempt };
}

/** Asks, and once more when the provider was busy with the same payment. */
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
    return { kind: 'paid', transactionId, recorded: true };
  } catch (error) {
    // Money has moved: never a plain error. The provider tells the shop as well.
    return getProblemCode(error) === 'order-cancelled'
      ? { kind: 'cancelled', refunded: true }
      : { kind: 'paid', transactionId, recorded: false };
  }
}
