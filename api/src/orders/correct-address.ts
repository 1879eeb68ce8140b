import { canCorrectAddress } from '@parts-forge/contract/orders/orders';
import { eq } from 'drizzle-orm';
import { writeMail } from '#src/mail-outbox/write-mail.ts';
import { Problem } from '#src/platform/core/problem.ts';
import { type Administrator, actAs } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { orders } from './schema.ts';
import { lockOrder } from './store.ts';

/** Delivery address and phone, until acceptance; mails the customer. @throws Problem `not-found`, `already-accepted` */
export async function correctAddress(
  { changes, clock, ids }: Pick<Platform, 'changes' | 'clock' | 'ids'>,
  administrator: Administrator,
  orderId: string,
  given: { address: string; phone?: string | undefined },
): Promise<void> {
  const now = clock.now();
  await actAs(changes, administrator, async (tx, changed) => {
    const order = await lockOrder(tx, orderId);
    if (!order || order.closed !== null) throw new Problem('not-found');
    if (!canCorrectAddress({ status: order.status })) throw new Problem('already-accepted');
    const { address, phone = order.phone } = given;
    // The trail outlives the account, so it has no address.
    const after = {
      ...(address !== order.address && { address: 'changed' }),
      ...(phone !== order.phone && { phone: 'changed' }),
    };
    if (Object.keys(after).length === 0) return;
    await tx.update(orders).set({ address, phone, updatedAt: now }).where(eq(orders.id, orderId));
    await writeEntry(tx, { id: ids.next(), now, event: 'address-corrected', orderId, after });
    await writeMail(tx, { ids }, { kind: 'address-corrected', userId: order.userId, orderId, now });
    changed('mail');
  });
}
