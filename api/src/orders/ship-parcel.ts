import { formatPieces } from '@parts-forge/contract/money/money';
import { countToSend, describeBox, findHold } from '@parts-forge/contract/orders/box';
import { toParcelKey } from '@parts-forge/contract/orders/carriers';
import type { BulkResult } from '@parts-forge/contract/orders/order-bulk';
import { orderMoves } from '@parts-forge/contract/orders/order-states';
import type { NewShipment } from '@parts-forge/contract/orders/shipments';
import { eq } from 'drizzle-orm';
import { wasMailedOf } from '#src/mail-outbox/store.ts';
import { writeMail } from '#src/mail-outbox/write-mail.ts';
import { invalidField, Problem } from '#src/platform/core/problem.ts';
import { type Administrator, actAs } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { shipments } from './schema.ts';
import { countSentPieces, findCorrected, findShipments, type ShipmentRow } from './shipments-store.ts';
import { type BareOrder, lockOrder, toOrder } from './store.ts';
import { actInTurn } from './try-line.ts';

type Services = Pick<Platform, 'changes' | 'clock' | 'ids'>;

/**
 * Mails the customer. Repeatable: the carrier and number of an earlier parcel of the order give that one.
 * @throws Problem `not-found`, `not-accepted`, `invalid`; the codes of `despite`, unless it has that code
 */
export function shipParcel(
  { changes, clock, ids }: Services,
  administrator: Administrator,
  orderId: string,
  { carrier, number, sentAt, quantity, despite }: NewShipment,
): Promise<ShipmentRow> {
  const now = clock.now();
  const sent = sentAt === undefined ? now : new Date(sentAt);
  if (sent > now) throw invalidField('sentAt', 'Must not be in the future');
  return actAs(changes, administrator, async (tx, changed) => {
    const order = await lockOrder(tx, orderId);
    if (!order) throw new Problem('not-found');
    if (order.status !== orderMoves.accept.to) throw new Problem('not-accepted');
    const earlierOnes = await findShipments(tx, [orderId]);
    const key = describeParcel({ carrier, number });
    const earlier = earlierOnes.find((parcel) => describeParcel(parcel) === key);
    if (earlier && (quantity ?? earlier.quantity) !== earlier.quantity) {
      throw invalidField('quantity', 'This parcel has other pieces: remove it first');
    }
    if (earlier) return earlier;
    requireBox(toOrder(order), quantity, despite);
    const left = countToSend(toOrder(order));
    const rest = left > 0 && left < order.quantity ? left : null;
    const former = await findCorrected(tx, orderId);
    const parcel: ShipmentRow = {
      id: ids.next(),
      orderId,
      carrier,
      number,
      sentAt: sent,
      quantity: quantity ?? rest,
      addedBy: administrator.userId,
      removedAt: null,
      replaces: former?.id ?? null,
      createdAt: now,
    };
    await tx.insert(shipments).values(parcel);
    await countSentPieces(tx, order, earlierOnes, [...earlierOnes, parcel]);
    const facts = listFacts(parcel);
    await writeEntry(tx, { id: ids.next(), now, event: 'parcel-sent', orderId, after: facts });
    const about = { userId: order.userId, orderId, shipmentId: parcel.id };
    await writeMail(tx, { ids }, { kind: 'parcel-sent', ...about, now });
    changed('mail');
    return parcel;
  });
}

/**
 * A mail of the parcel that still waits is dropped. If it was sent, another mail tells the removal.
 * @param isMeant of the order's parcels
 * @throws Problem `not-found`
 */
export async function removeParcel(
  { changes, clock, ids }: Services,
  administrator: Administrator,
  orderId: string,
  isMeant: (parcel: ShipmentRow) => boolean,
): Promise<void> {
  const now = clock.now();
  await actAs(changes, administrator, async (tx, changed) => {
    const order = await lockOrder(tx, orderId);
    const parcels = await findShipments(tx, [orderId]);
    const parcel = parcels.find(isMeant);
    if (!order || !parcel) throw new Problem('not-found');
    const { userId } = order;
    const shipmentId = parcel.id;
    const isKnown = await wasMailedOf(tx, userId, shipmentId);
    await (isKnown
      ? tx.update(shipments).set({ removedAt: now }).where(eq(shipments.id, shipmentId))
      : tx.delete(shipments).where(eq(shipments.id, shipmentId)));
    const others = parcels.filter((each) => each !== parcel);
    await countSentPieces(tx, order, parcels, others);
    await writeEntry(tx, {
      id: ids.next(),
      now,
      orderId,
      event: 'parcel-removed',
      before: listFacts(parcel),
    });
    if (!isKnown) return;
    await writeMail(tx, { ids }, { kind: 'parcel-removed', userId, orderId, shipmentId, now });
    changed('mail');
  });
}

/** The parcel that the orders share by carrier and number. @returns a result for each order */
export const removeParcels = (
  platform: Platform,
  administrator: Administrator,
  orderIds: readonly string[],
  shared: Pick<ShipmentRow, 'carrier' | 'number'>,
): Promise<BulkResult[]> =>
  actInTurn(platform, orderIds, (id) =>
    removeParcel(platform, administrator, id, (parcel) => describeParcel(parcel) === describeParcel(shared)),
  );

/** @throws Problem `invalid`, and the codes of `despite`, unless it has that code */
function requireBox(order: BareOrder, quantity: number | undefined, despite: NewShipment['despite']): void {
  if (quantity !== undefined && quantity > order.quantity) {
    throw invalidField('quantity', `Must be no more than the ${formatPieces(order.quantity)} pieces ordered`);
  }
  const refusal = explainBox(order, quantity ?? 1);
  if (refusal && refusal.code !== despite) throw refusal;
}

function explainBox(order: BareOrder, pieces: number): Problem | null {
  const hold = findHold(order);
  if (hold !== null) return new Problem(hold);
  return pieces > countToSend(order) ? new Problem('more-than-left', { detail: describeBox(order) }) : null;
}

export const describeParcel = ({ carrier, number }: Pick<ShipmentRow, 'carrier' | 'number'>): string =>
  `${toParcelKey(carrier)} ${toParcelKey(number)}`;

const listFacts = ({ carrier, number, sentAt, quantity }: ShipmentRow) => ({
  carrier,
  number,
  sentAt: sentAt.toISOString(),
  ...(quantity !== null && { quantity }),
});
