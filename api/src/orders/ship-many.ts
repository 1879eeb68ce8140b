import type { BulkResult, ParcelLine } from '@parts-forge/contract/orders/order-bulk';
import { newShipmentSchema } from '@parts-forge/contract/orders/shipments';
import { idPattern } from '@parts-forge/contract/text/text';
import { TransactionRollbackError } from 'drizzle-orm';
import { gatherMails } from '#src/mail-outbox/write-mail.ts';
import { invalidField, Problem } from '#src/platform/core/problem.ts';
import type { ChangeFeed } from '#src/platform/database/change-feed.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Administrator } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findOrderId } from './find-orders.ts';
import { readOrderNumber } from './read-search-text.ts';
import { describeParcel, shipParcel } from './ship-parcel.ts';
import { findSameNumbers, type ShipmentRow } from './shipments-store.ts';
import { findOrdersEvenClosed, lockOrders } from './store.ts';
import { tryLine } from './try-line.ts';

type Services = Pick<Platform, 'changes' | 'clock' | 'ids' | 'log'> & { database: { db: Executor } };

/** Each line in a transaction of its own. Repeatable, as `shipParcel` is. */
export const shipMany = (platform: Platform, actor: Administrator, lines: readonly ParcelLine[]) =>
  gatherMails(platform, () => shipInTurn(platform, actor, lines));

async function shipInTurn(
  platform: Services,
  actor: Administrator,
  lines: readonly ParcelLine[],
  describe?: (parcel: ShipmentRow) => Promise<BulkResult['order']>,
): Promise<BulkResult[]> {
  const results: BulkResult[] = [];
  const boxed = new Set<string>();
  for (const { order, ...given } of lines) {
    let found: BulkResult['order'];
    const result = await tryLine(platform, order, async () => {
      const id = await findNamedOrder(platform.database.db, order);
      if (id === null) throw new Problem('not-found', { detail: 'There is no such order' });
      const parcel = readParcel(given);
      const isFurtherBox = parcel.quantity === undefined && boxed.has(id);
      const despite = isFurtherBox ? ({ despite: 'more-than-left' } as const) : {};
      const added = await shipParcel(platform, actor, id, { ...despite, ...parcel });
      if (parcel.quantity === undefined) boxed.add(id);
      found = await describe?.(added);
    });
    results.push(found ? { ...result, order: found } : result);
  }
  return results;
}

/** What `shipMany` would answer, each line after those before it; nothing is kept, mailed or published. */
export async function previewParcels(
  platform: Platform,
  actor: Administrator,
  lines: readonly ParcelLine[],
): Promise<BulkResult[]> {
  let results: BulkResult[] = [];
  const undone = platform.database.db.transaction(async (db) => {
    await actor.confirm(db);
    const ids = new Set<string>();
    for (const { order } of lines) {
      const id = await findNamedOrder(db, order);
      if (id) ids.add(id);
    }
    // Two previews may name the same orders in other turns.
    await lockOrders(db, [...ids]);
    const found: [ShipmentRow, NonNullable<BulkResult['order']>][] = [];
    const describe = async (parcel: ShipmentRow) => {
      const [order] = await findOrdersEvenClosed(db, [parcel.orderId]);
      if (!order) return undefined;
      const { userId: customer, name, productName } = order;
      const described = { customer, name, productName, quantity: parcel.quantity ?? order.quantity };
      found.push([parcel, described]);
      return described;
    };
    const write: ChangeFeed['write'] = (work) => db.transaction((savepoint) => work(savepoint, () => {}));
    const changes = { ...platform.changes, write };
    results = await shipInTurn({ ...platform, database: { db }, changes }, actor, lines, describe);
    const same = await findSameNumbers(
      db,
      found.map(([{ number }]) => number),
    );
    for (const [parcel, order] of found) {
      const isShared = (other: (typeof same)[number]) =>
        other.customer !== order.customer && describeParcel(other) === describeParcel(parcel);
      order.shared = same.find(isShared)?.order;
    }
    db.rollback();
  });
  await undone.catch((error) => {
    if (!(error instanceof TransactionRollbackError)) throw error;
  });
  return results;
}

/** By id or number; one order only. */
async function findNamedOrder(db: Executor, order: string): Promise<string | null> {
  const named = order.trim().toLowerCase();
  if (idPattern.test(named)) return named;
  const number = readOrderNumber([named]);
  return number === null || /^orders/.test(named) ? null : findOrderId(db, number);
}

/** @throws Problem `invalid`, which names the first wrong field */
function readParcel(given: Omit<ParcelLine, 'order'>) {
  const { data, error } = newShipmentSchema.safeParse(given);
  if (data) return data;
  const [issue] = error.issues;
  const field = String(issue?.path[0]);
  const message = issue?.message ?? '';
  throw invalidField(field, message.startsWith(field) ? message : `${field}: ${message}`);
}
