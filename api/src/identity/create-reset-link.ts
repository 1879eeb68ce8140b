import { canBeManaged } from '@parts-forge/contract/calls/policies';
import { Problem } from '#src/platform/core/problem.ts';
import type { Administrator } from '#src/platform/http/calls/access.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { endPasswordRequest, findUserByEmail, lockAdministrators } from '#src/users/store.ts';
import type { IdentityServices } from './identity-services.ts';

/**
 * Replaces an earlier link. The link opens the account, so it is neither stored nor logged.
 * @throws Problem `no-link-for-admin`: an administrator could take over another's account; `not-found`
 */
export function createResetLink(
  { changes, identity, ids, clock }: Pick<IdentityServices, 'changes' | 'identity' | 'ids' | 'clock'>,
  administrator: Administrator,
  email: string,
): Promise<string> {
  return changes.write(async (tx) => {
    await lockAdministrators(tx);
    await administrator.confirm(tx);
    const user = await findUserByEmail(tx, email, { lock: true });
    if (!user?.identitySubject || !identity.createResetLink) throw new Problem('not-found');
    if (!canBeManaged(user.role)) {
      throw new Problem('no-link-for-admin', {
        detail: "An administrator's password is set with npm run create-admin",
      });
    }
    const url = await identity.createResetLink(user.identitySubject, 'handed-over', tx);
    if (url === null) throw new Problem('not-found');
    await endPasswordRequest(tx, user.id);
    await writeEntry(tx, { id: ids.next(), now: clock.now(), event: 'reset-link-made', userId: user.id });
    return url;
  });
}
