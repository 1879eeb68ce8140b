import type { MailKind } from '@parts-forge/contract/mail-kinds';
import type { Executor } from '#src/platform/database/connection.ts';
import type { UserRow } from '#src/users/store.ts';

/** What mails need of signing in; the identity side implements it and `services.ts` joins them. */
export interface AccountLinks {
  /**
   * A link that proves the address of whoever is signed in, or one that sets a new password, in place of an earlier one.
   * Its secret is made here and stored as its hash alone. Null when this account can have none.
   */
  create(kind: AccountMailKind, user: UserRow, tx: Executor): Promise<string | null>;
}

export type AccountMailKind = Extract<MailKind, 'address-verification' | 'password-reset'>;
