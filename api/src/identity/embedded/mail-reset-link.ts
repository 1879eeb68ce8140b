import { canBeManaged } from '@parts-forge/contract/calls/policies';
import { wasMailedSince } from '#src/mail-outbox/store.ts';
import { writeMail } from '#src/mail-outbox/write-mail.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findUserByEmail } from '#src/users/store.ts';

/** Requests must not fill a mailbox. */
const PAUSE_MS = 5 * 60_000;

/** Never for an administrator: a mailbox would give control of the shop. */
export async function mailResetLink(
  { changes, clock, ids }: Pick<Platform, 'changes' | 'clock' | 'ids'>,
  issuer: string,
  email: string,
): Promise<void> {
  await changes.write(async (tx, changed) => {
    const user = await findUserByEmail(tx, email, { lock: true });
    if (!user || user.identityIssuer !== issuer || !canBeManaged(user.role)) return;
    const now = clock.now();
    const earliest = new Date(now.getTime() - PAUSE_MS);
    if (await wasMailedSince(tx, user.id, 'password-reset', earliest)) return;
    await writeMail(tx, { ids }, { kind: 'password-reset', userId: user.id, now });
    changed('mail');
  });
}
