import { IDEMPOTENCY_KEY_DAYS } from '@parts-forge/contract/calls/bounds';
import { forgetImports } from './catalogue/store.ts';
import { checkConsistency } from './consistency/check-consistency.ts';
import { purgeDownloads } from './downloads/store.ts';
import { forgetEvents, numberEvents } from './events/number-events.ts';
import { deleteHostedAccounts } from './identity/hosted-deletions.ts';
import { purgeExpired } from './identity/purge-expired.ts';
import { forgetMails, writeReminders } from './mail/write-reminders.ts';
import { expireOrders } from './orders/expire-orders.ts';
import { forgetOrderKeys } from './orders/store.ts';
import { fetchEvents } from './payments/events/fetch-events.ts';
import { pruneEvents } from './payments/events/prune-events.ts';
import { reconcile } from './payments/events/reconcile.ts';
import { createOrderPayments } from './payments/order-payments.ts';
import { forgetRequestKeys } from './platform/database/run-once.ts';
import { purgeRates } from './platform/http/limits/rate-counts.ts';
import type { Job } from './platform/jobs/run-jobs.ts';
import type { Services } from './services.ts';

/**
 * The shop's regular jobs. A released name is permanent: the database stores schedules by name, and an
 * unused one would stay.
 */
export const listJobs = (services: Services): readonly Job[] => [
  { name: 'reconcile-payments', cron: '* * * * *', run: () => reconcile(services) },
  { name: 'fetch-payment-events', cron: '* * * * *', run: () => fetchEvents(services) },
  {
    name: 'expire-orders',
    cron: '* * * * *',
    run: () => expireOrders(services, createOrderPayments(services)),
  },
  { name: 'delete-hosted-accounts', cron: '* * * * *', run: () => deleteHostedAccounts(services) },
  { name: 'write-reminders', cron: '* * * * *', run: () => writeReminders(services) },
  { name: 'apply-imports', cron: '* * * * *', run: () => services.importer.run() },
  { name: 'send-mail', cron: '* * * * *', run: () => services.mailer.sendDue() },
  { name: 'number-events', cron: '* * * * *', run: () => numberEvents(services) },
  { name: 'forget-numbered-events', cron: '23 4 * * *', run: () => forgetEvents(services) },
  { name: 'forget-mails', cron: '27 4 * * *', run: () => forgetMails(services) },
  { name: 'check-consistency', cron: '47 * * * *', run: () => checkConsistency(services) },
  {
    name: 'purge-expired',
    cron: '17 * * * *',
    run: () =>
      Promise.all([
        purgeExpired(services),
        purgeRates(services.database.db),
        purgeDownloads(services.database.db, services.clock.now()),
      ]),
  },
  { name: 'forget-keys-and-imports', cron: '33 4 * * *', run: () => forgetKeysAndImports(services) },
  { name: 'forget-payment-events', cron: '37 3 * * *', run: () => pruneEvents(services) },
];

/** Deletes expired idempotency keys and imports. */
export async function forgetKeysAndImports({
  database: { db },
  clock,
}: Pick<Services, 'database' | 'clock'>): Promise<void> {
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * 24 * 3_600_000);
  const before = daysAgo(IDEMPOTENCY_KEY_DAYS);
  await forgetRequestKeys(db, before);
  await forgetOrderKeys(db, before);
  await forgetImports(db, before, daysAgo(1));
}
