import type { CustomerTax } from '@parts-forge/contract/users';
import { Problem } from '#src/platform/core/problem.ts';
import type { Administrator } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { findUserByEmail, lockAdministrators, setTax } from './store.ts';

/**
 * Counts for papers issued later. Repeatable. The trail has no reason, which goes with the account.
 * @param reason empty for `standard`
 * @throws Problem `not-found`
 */
export async function changeTax(
  { changes, clock, ids }: Pick<Platform, 'changes' | 'clock' | 'ids'>,
  administrator: Administrator,
  email: string,
  tax: CustomerTax,
  reason: string,
): Promise<void> {
  await changes.write(async (tx, changed) => {
    await lockAdministrators(tx);
    await administrator.confirm(tx);
    const now = clock.now();
    const user = await findUserByEmail(tx, email, { lock: true });
    if (!user) throw new Problem('not-found');
    await setTax(tx, user.id, tax, reason, now);
    changed('users');
    if (user.tax === tax && user.taxReason === reason) return;
    const facts = { before: { tax: user.tax }, after: { tax } };
    await writeEntry(tx, { id: ids.next(), now, event: 'tax-changed', userId: user.id, ...facts });
  });
}
