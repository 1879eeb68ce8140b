import { messages } from '@parts-forge/contract/messages';

/** What an administrator may do to somebody, each after a question. */
export type UserAct = 'make-admin' | 'make-user' | 'reset-link' | 'delete';

/** What is said when it is done. */
export const actMessages = {
  'make-admin': messages.madeAdmin,
  'make-user': 'Made user',
  delete: messages.userRemoved,
} as const satisfies Record<Exclude<UserAct, 'reset-link'>, string>;
