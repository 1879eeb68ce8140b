import { canBeManaged } from '@parts-forge/contract/calls/policies';
import type { Executor } from '#src/platform/database/connection.ts';
import type { UserRow } from '#src/users/store.ts';
import type { IdentityProvider } from './provider.ts';

/** Created when their mail is sent. */
export const createAccountLinks = (
  identity: Pick<IdentityProvider, 'createResetLink' | 'createVerificationLink'>,
) => ({
  /** Null without such an account, for a hosted service, and for an administrator's new password. */
  async create(
    kind: 'address-verification' | 'password-reset',
    { identitySubject, role }: UserRow,
    tx: Executor,
  ): Promise<string | null> {
    if (identitySubject === null) return null;
    if (kind === 'address-verification') {
      return (await identity.createVerificationLink?.(identitySubject, tx)) ?? null;
    }
    // Promoted since the mail was requested.
    if (!canBeManaged(role)) return null;
    return (await identity.createResetLink?.(identitySubject, 'mailed', tx)) ?? null;
  },
});
