import { acceptPayment, type Order } from '@parts-forge/contract/orders';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callShop } from '#app/calls/api-client.ts';

/** Concurrent requests: the payment provider is slow and has its own rate limits. */
const AT_ONCE = 3;

export interface AcceptProgress {
  total: number;
  accepted: number;
  refused: number;
}

interface Outcomes {
  onAccepted: (order: Order) => void;
  onRefused: (order: Order, error: unknown) => void;
}

/** Accepts orders a few at a time; a refusal does not stop the others. */
export function useAcceptMany({ onAccepted, onRefused }: Outcomes) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<AcceptProgress | null>(null);
  const [isRunning, setRunning] = useState(false);
  const count = (outcome: 'accepted' | 'refused') =>
    setProgress((before) => before && { ...before, [outcome]: before[outcome] + 1 });
  const acceptOne = async (order: Order) => {
    try {
      await callShop(acceptPayment, { params: { id: order._id }, body: { status: 'paid' } });
      onAccepted(order);
      count('accepted');
    } catch (error) {
      onRefused(order, error);
      count('refused');
    }
  };
  const start = async (orders: readonly Order[]) => {
    if (isRunning) return;
    setRunning(true);
    setProgress({ total: orders.length, accepted: 0, refused: 0 });
    const waiting = [...orders];
    const work = async () => {
      for (let order = waiting.shift(); order; order = waiting.shift()) await acceptOne(order);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    await queries.invalidateQueries({ queryKey: ['orders'] });
    setRunning(false);
  };
  return { start, isRunning, progress, forget: () => setProgress(null) };
}
