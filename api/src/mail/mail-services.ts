import type { Platform } from '#src/platform/platform.ts';
import type { AccountLinks } from './account-links.ts';

/** What mails are written and sent with. */
export type MailServices = Platform & { accountLinks: AccountLinks };
