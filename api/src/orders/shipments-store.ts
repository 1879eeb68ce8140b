import { toParcelKey } from '@parts-forge/contract/carriers';
import type { Shipment } from '@parts-forge/contract/shipments';
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

/** Without a parcel, what was refunded is not sent either. The caller holds the order's lock. */
export async function countSentPieces(tx: Executor, orderId: string): Promise<void> {
  const sent = sql`(select coalesce(sum(coalesce(${shipments.quantity}, ${orders.quantity})), 0)
    from ${shipments} where ${shipments.orderId} = ${orders.id} and ${shipments.removedAt} is null)`;
  await tx
    .update(orders)
    .set({
      sentPieces: sql`least(${orders.quantity}, ${sent})`,
      backPieces: sql`case when ${sent} = 0 then ${orders.refundedPieces} else ${orders.backPieces} end`,
      unsurePieces: sql`case when ${sent} = 0 then 0 else ${orders.unsurePieces} end`,
    })
    .where(eq(orders.id, orderId));
}

/** Parcels of all customers, by numbers as `toParcelKey` compares them; one scan. */
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
      inArray(sql`lower(regexp_replace(${shipments.number}, '\\s+', '', 'g'))`, numbers.map(toParcelKey)),
    );
