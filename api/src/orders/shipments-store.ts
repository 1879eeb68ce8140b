import type { Shipment } from '@parts-forge/contract/shipments';
import { and, asc, eq, sql } from 'drizzle-orm';
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
    .where(sql`${shipments.orderId} = any(${sql.param(orderIds)}::uuid[])`)
    .orderBy(asc(shipments.createdAt), asc(shipments.id));
}

export async function findShipment(db: Executor, id: string): Promise<ShipmentRow | null> {
  const [row] = await db.select().from(shipments).where(eq(shipments.id, id));
  return row ?? null;
}

/** Null when it is unknown or another order's. */
export async function deleteShipment(tx: Executor, orderId: string, id: string): Promise<ShipmentRow | null> {
  const [row] = await tx
    .delete(shipments)
    .where(and(eq(shipments.id, id), eq(shipments.orderId, orderId)))
    .returning();
  return row ?? null;
}

/** The caller holds the order's lock. */
export async function countSentPieces(tx: Executor, orderId: string): Promise<void> {
  const sent = sql`(select coalesce(sum(coalesce(${shipments.quantity}, ${orders.quantity})), 0)
    from ${shipments} where ${shipments.orderId} = ${orders.id})`;
  await tx
    .update(orders)
    .set({ sentPieces: sql`least(${orders.quantity}, ${sent})` })
    .where(eq(orders.id, orderId));
}
