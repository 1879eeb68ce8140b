import type { MailKind } from '@parts-forge/contract/events/mail-kinds';
import type { Executor } from '#src/platform/database/connection.ts';
import type { UserRow } from '#src/users/store.ts';

/** The identity side implements this; `services.ts` connects it. */
export interface AccountLinks {
  /**
   * Creates a link that verifies an address or sets a password, and replaces an earlier one. Only its
   * secret's hash is stored. Null when the account can have none.
   */
  create(kind: AccountMailKind, user: UserRow, tx: Executor): Promise<string | null>;
}

export type AccountMailKind = Extract<MailKind, 'address-verification' | 'password-reset'>;
