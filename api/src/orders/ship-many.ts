import type { BulkResult, ParcelLine } from '@parts-forge/contract/order-bulk';
import { newShipmentSchema } from '@parts-forge/contract/shipments';
import { idPattern } from '@parts-forge/contract/text';
import { gatherMails } from '#src/mail-outbox/write-mail.ts';
import { invalidField, Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Administrator } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findOrderId } from './find-orders.ts';
import { readOrderNumber } from './read-search-text.ts';
import { shipParcel } from './ship-parcel.ts';
import { tryLine } from './try-line.ts';

/** Each line in a transaction of its own. Repeatable, as `shipParcel` is. */
export const shipMany = (platform: Platform, actor: Administrator, lines: readonly ParcelLine[]) =>
  gatherMails(platform, () => shipInTurn(platform, actor, lines));

async function shipInTurn(
  platform: Platform,
  actor: Administrator,
  lines: readonly ParcelLine[],
): Promise<BulkResult[]> {
  const results: BulkResult[] = [];
  const boxed = new Set<string>();
  for (const { order, ...given } of lines) {
    const error = await tryLine(platform, order, async () => {
      const id = await findNamedOrder(platform.database.db, order);
      const parcel = readParcel(given);
      const isFurtherBox = parcel.quantity === undefined && boxed.has(id);
      await shipParcel(platform, actor, id, isFurtherBox ? { despite: 'more-than-left', ...parcel } : parcel);
      if (parcel.quantity === undefined) boxed.add(id);
    });
    results.push(error ? { id: order, ok: false, error } : { id: order, ok: true });
  }
  return results;
}

/** By id or number. @throws Problem `not-found` */
async function findNamedOrder(db: Executor, order: string): Promise<string> {
  const named = order.trim().toLowerCase();
  if (idPattern.test(named)) return named;
  const number = readOrderNumber([named]);
  const id = number === null ? null : await findOrderId(db, number);
  if (id === null) throw new Problem('not-found', { detail: 'There is no such order' });
  return id;
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
