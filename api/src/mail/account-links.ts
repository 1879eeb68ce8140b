import type { MailKind } from '@parts-forge/contract/mail-kinds';
import type { Executor } from '#src/platform/database/connection.ts';
import type { UserRow } from '#src/users/store.ts';

/** Links of the identity side, which implements this; `services.ts` connects them. */
export interface AccountLinks {
  /**
   * Creates a link that proves the signed-in account's address, or sets a new password, and replaces an
   * earlier one. Only the hash of its secret is stored. Null when the account can have none.
   */
  create(kind: AccountMailKind, user: UserRow, tx: Executor): Promise<string | null>;
}

export type AccountMailKind = Extract<MailKind, 'address-verification' | 'password-reset'>;
