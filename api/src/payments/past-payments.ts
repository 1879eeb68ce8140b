import { buildPastPayment, type SandboxRow } from '@parts-forge/card-sandbox/past-payment';
import { sandboxObjects } from '@parts-forge/card-sandbox/schema';
import type { OrderRow } from '#src/orders/store.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { payments, refunds } from './schema.ts';

export interface PastPayment {
  order: Pick<OrderRow, 'id' | 'totalCents' | 'currency' | 'productName' | 'quantity'>;
  paidAt: Date;
  /** In cents; `isByShop` is false for a refund made at the provider; the shop's is of the whole order. */
  refund: { id: string; amountCents: number; at: Date; isByShop: boolean; requestedBy: string | null } | null;
  disputedAt: Date | null;
}

export interface BuiltPayment {
  id: string;
  payment: typeof payments.$inferInsert;
  refund: typeof refunds.$inferInsert | null;
  sandboxRows: SandboxRow[];
}

const tokens = ['pm_card_visa', 'pm_card_mastercard', 'pm_card_amex'] as const;

export function buildPastPayments(shop: string, past: readonly PastPayment[]): BuiltPayment[] {
  return past.map(({ order, paidAt, refund, disputedAt }, index) => {
    const { intentId: id, rows } = buildPastPayment({
      amount: order.totalCents,
      currency: order.currency,
      description: `${order.quantity} × ${order.productName}`,
      metadata: { orderId: order.id, shop, attempt: '1' },
      token: tokens[index % tokens.length] ?? tokens[0],
      paidAt,
      ...(refund && {
        refund: {
          amount: refund.amountCents,
          metadata: refund.isByShop ? { refundId: refund.id, shop } : {},
          at: refund.at,
        },
      }),
      ...(disputedAt && { disputedAt }),
    });
    return {
      id,
      payment: {
        id,
        orderId: order.id,
        attempt: 1,
        amountCents: order.totalCents,
        paymentCents: order.totalCents,
        currency: order.currency,
        state: 'applied',
        createdAt: paidAt,
        updatedAt: paidAt,
      },
      refund: refund?.isByShop
        ? {
            id: refund.id,
            paymentId: id,
            orderId: order.id,
            amountCents: refund.amountCents,
            quantity: order.quantity,
            state: 'succeeded',
            providerId: rows.find(({ kind }) => kind === 'refund')?.id ?? null,
            requestedBy: refund.requestedBy,
            createdAt: refund.at,
            updatedAt: refund.at,
          }
        : null,
      sandboxRows: rows,
    };
  });
}

export async function insertPastPayments(tx: Executor, built: readonly BuiltPayment[]): Promise<void> {
  await tx.insert(payments).values(built.map(({ payment }) => payment));
  const given = built.flatMap(({ refund }) => refund ?? []);
  if (given.length > 0) await tx.insert(refunds).values(given);
  await tx.insert(sandboxObjects).values(built.flatMap(({ sandboxRows }) => sandboxRows));
}
