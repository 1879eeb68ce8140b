import { type InvoiceRow, sumCredited } from '#src/invoices/store.ts';
import type { OrderRow } from '#src/orders/store.ts';
import type { RefundRow } from './refund-store.ts';

/** `cents` is below 0 for a debit note. */
export interface PlannedNote {
  refundId: string | null;
  lost: boolean;
  cents: number;
}

export type NotedMoney = Pick<InvoiceRow, 'series' | 'totalCents' | 'refundId' | 'lost' | 'tax'>;

/**
 * The notes that are missing until all sum to what is settled: lost disputes apart, one note for each refund of
 * the shop that has succeeded, the rest for the provider's own refunds. Notes from before taxes were written
 * name neither, and stand for either; those of the provider's money also for refunds that it covers.
 * @param refunds newest first
 */
export function planNotes(
  { settledCents, lostCents }: Pick<OrderRow, 'settledCents' | 'lostCents'>,
  refunds: readonly Pick<RefundRow, 'id' | 'amountCents' | 'state' | 'elsewhereCents'>[],
  notes: readonly NotedMoney[],
): PlannedNote[] {
  const sumOf = (isCounted: (note: NotedMoney) => boolean) => sumCredited(notes.filter(isCounted));
  const external = { refundId: null, lost: false };
  const planned: (PlannedNote & { earlierCents: number })[] = [
    { ...external, earlierCents: 0, lost: true, cents: lostCents - sumOf(({ lost }) => lost) },
    ...refunds.map(({ id, state, amountCents, elsewhereCents: earlierCents }) => {
      const noted = sumOf(({ refundId }) => refundId === id);
      return {
        ...external,
        refundId: id,
        earlierCents,
        cents: (state === 'succeeded' ? amountCents : 0) - noted,
      };
    }),
  ];
  let restCents = settledCents - sumOf(() => true) - planned.reduce((sum, { cents }) => sum + cents, 0);
  const externalCents = lostCents + sumOf(({ refundId, lost }) => refundId === null && !lost);
  let formerCents = sumOf(({ refundId, lost, tax }) => refundId === null && !lost && tax === null);
  for (const note of planned) {
    // Money that was back before the request covers none of it.
    const laterCents = note.refundId === null ? 0 : externalCents - note.earlierCents;
    const coverCents = Math.max(formerCents, laterCents);
    const coveredCents = Math.max(0, Math.min(note.cents, coverCents, -restCents));
    note.cents -= coveredCents;
    formerCents -= coveredCents;
    restCents += coveredCents;
  }
  const all: PlannedNote[] = [...planned, { ...external, cents: restCents }];
  return all.filter(({ cents }) => cents !== 0);
}
