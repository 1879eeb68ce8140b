import type { Platform } from '#src/platform/platform.ts';
import type { AccountLinks } from './account-links.ts';

export type MailServices = Platform & { accountLinks: AccountLinks };
