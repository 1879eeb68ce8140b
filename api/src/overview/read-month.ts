import { toAmount } from '@parts-forge/contract/money/money';
import type { Month } from '@parts-forge/contract/orders/overview';
import {
  awaitMonth,
  countNotElectronic,
  countPapers,
  type MovedCents,
  sumDays,
  sumParts,
  sumTaxes,
} from '#src/invoices/movements.ts';
import { countDisputed } from '#src/orders/count-orders.ts';
import type { Platform } from '#src/platform/platform.ts';

/** Sums of the month's papers, from one snapshot. An ended month never changes. */
export async function readMonth(
  platform: Pick<Platform, 'database' | 'clock' | 'config'>,
  month: string,
): Promise<Month> {
  const days = await awaitMonth(platform, month);
  return platform.database.db.transaction(
    async (tx) => {
      const byDay = await sumDays(tx, days);
      const taxes = await sumTaxes(tx, days);
      const { papers, lost, refunds, refundedOrders } = await countPapers(tx, days);
      const sumOf = (key: keyof MovedCents) => byDay.reduce((sum, row) => sum + row[key], 0);
      const whole = {
        receivedCents: sumOf('receivedCents'),
        refundedCents: sumOf('refundedCents'),
        lostCents: sumOf('lostCents'),
      };
      return {
        ...toMoved(whole),
        net: toNet(whole),
        tax: toAmount(taxes.reduce((sum, { taxCents }) => sum + taxCents, 0)),
        days: byDay.map((row) => ({ ...toMoved(row), net: toNet(row) })),
        parts: (await sumParts(tx, days)).map(toMoved),
        taxes: taxes.map(({ rate, totalCents, taxCents, ...named }) => ({
          ...named,
          rate: rate / 100,
          net: toAmount(totalCents - taxCents),
          tax: toAmount(taxCents),
        })),
        papers,
        notElectronic: await countNotElectronic(tx, days),
        refunds: { count: refunds, orders: refundedOrders },
        disputes: { lost, open: await countDisputed(tx) },
      };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

const toMoved = <T>({ receivedCents, refundedCents, lostCents, ...named }: T & MovedCents) => ({
  ...named,
  received: toAmount(receivedCents),
  refunded: toAmount(refundedCents),
  lost: toAmount(lostCents),
});

const toNet = ({ receivedCents, refundedCents, lostCents }: MovedCents): number =>
  toAmount(receivedCents - refundedCents - lostCents);
