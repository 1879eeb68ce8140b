import type { OrderRow } from '#src/orders/store.ts';
import { type InvoiceRow, type NotedRefund, sumCredited } from './store.ts';

/** `cents` is below 0 for a debit note. */
export interface PlannedNote {
  refundId: string | null;
  lost: boolean;
  cents: number;
  quantity: number | null;
}

export type NotedMoney = Pick<InvoiceRow, 'series' | 'totalCents' | 'refundId' | 'lost'>;

/**
 * The notes that are missing until all sum to what is settled: lost disputes apart, then one note for each
 * refund of the shop that has succeeded, then the provider's own refunds.
 * @param refunds newest first
 */
export function planNotes(
  { settledCents, lostCents }: Pick<OrderRow, 'settledCents' | 'lostCents'>,
  refunds: readonly NotedRefund[],
  notes: readonly NotedMoney[],
): PlannedNote[] {
  const [lost, refunded] = [notes.filter((note) => note.lost), notes.filter((note) => !note.lost)];
  const external = { refundId: null, lost: false, quantity: null };
  const planned: PlannedNote[] = [{ ...external, lost: true, cents: lostCents - sumCredited(lost) }];
  let leftCents = settledCents - lostCents - sumCredited(refunded);
  const note = (cents: number, { id, quantity }: NotedRefund) => {
    planned.push({ ...external, refundId: id, quantity, cents });
    leftCents -= cents;
  };
  const countNoted = ({ id }: NotedRefund) => sumCredited(refunded.filter(({ refundId }) => refundId === id));
  const isAtProvider = ({ providerId }: NotedRefund) => Number(providerId !== null);
  const [succeeded, others] = [
    refunds
      .filter(({ state }) => state === 'succeeded')
      .toSorted((a, b) => isAtProvider(b) - isAtProvider(a)),
    refunds.filter(({ state }) => state !== 'succeeded'),
  ];
  // They came back.
  for (const refund of others) note(-countNoted(refund), refund);
  for (const refund of succeeded) {
    note(Math.max(0, Math.min(leftCents, refund.amountCents - countNoted(refund))), refund);
  }
  planned.push({ ...external, cents: leftCents });
  return planned.filter(({ cents }) => cents !== 0);
}
