import { toParcelKey } from '@parts-forge/contract/orders/carriers';
import type { Shipment } from '@parts-forge/contract/orders/shipments';
import { and, asc, eq, inArray, isNotNull, isNull, not, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import { orders, shipments } from './schema.ts';

export type ShipmentRow = typeof shipments.$inferSelect;

export const toShipment = ({ id, carrier, number, sentAt, quantity }: ShipmentRow): Shipment => ({
  _id: id,
  carrier,
  number,
  sentAt: sentAt.toISOString(),
  ...(quantity !== null && { quantity }),
});

/** In the order of their adding. */
export async function findShipments(db: Executor, orderIds: readonly string[]): Promise<ShipmentRow[]> {
  if (orderIds.length === 0) return [];
  return db
    .select()
    .from(shipments)
    .where(and(sql`${shipments.orderId} = any(${sql.param(orderIds)}::uuid[])`, isNull(shipments.removedAt)))
    .orderBy(asc(shipments.createdAt), asc(shipments.id));
}

/** Removed ones that customers know included. */
export function findShipmentsById(db: Executor, ids: readonly string[]): Promise<ShipmentRow[]> {
  return db
    .select()
    .from(shipments)
    .where(inArray(shipments.id, [...ids]))
    .orderBy(asc(shipments.createdAt), asc(shipments.id));
}

/** The parcel that a new one corrects: the first one removed that nothing replaces. */
export async function findCorrected(tx: Executor, orderId: string): Promise<ShipmentRow | null> {
  const isReplaced = sql`exists (select from ${shipments} later where later.replaces = ${shipments}.id)`;
  const [row] = await tx
    .select()
    .from(shipments)
    .where(and(eq(shipments.orderId, orderId), isNotNull(shipments.removedAt), not(isReplaced)))
    .orderBy(asc(shipments.removedAt))
    .limit(1);
  return row ?? null;
}

/**
 * Without a parcel, what was refunded is not sent either. An order that the upgrade counts as sent has more
 * pieces sent than its parcels, and stays so. The caller holds the order's lock.
 */
export async function countSentPieces(
  tx: Executor,
  order: typeof orders.$inferSelect,
  before: readonly ShipmentRow[],
  after: readonly ShipmentRow[],
): Promise<void> {
  const count = (parcels: readonly ShipmentRow[]) =>
    Math.min(
      order.quantity,
      parcels.reduce((sum, { quantity }) => sum + (quantity ?? order.quantity), 0),
    );
  if (order.sentPieces > count(before)) return;
  const sentPieces = count(after);
  const unsent = sentPieces === 0 && { backPieces: order.refundedPieces, unsurePieces: 0 };
  await tx
    .update(orders)
    .set({ sentPieces, ...unsent })
    .where(eq(orders.id, order.id));
}

/** Parcels of all customers but removed ones, by numbers as `toParcelKey` compares them; one scan. */
export const findSameNumbers = (db: Executor, numbers: readonly string[]) =>
  db
    .select({
      carrier: shipments.carrier,
      number: shipments.number,
      order: orders.number,
      customer: orders.userId,
    })
    .from(shipments)
    .innerJoin(orders, eq(orders.id, shipments.orderId))
    .where(
      and(
        isNull(shipments.removedAt),
        inArray(sql`lower(regexp_replace(${shipments.number}, '\\s+', '', 'g'))`, numbers.map(toParcelKey)),
      ),
    );
