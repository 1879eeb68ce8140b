import { IDEMPOTENCY_KEY_DAYS } from '@parts-forge/contract/calls/bounds';
import { forgetImports } from './catalogue/store.ts';
import { checkConsistency } from './consistency/check-consistency.ts';
import { purgeDownloads } from './downloads/store.ts';
import { forgetEvents, numberEvents } from './events/number-events.ts';
import { deleteHostedAccounts } from './identity/hosted-deletions.ts';
import { forgetMails, writeReminders } from './mail/write-reminders.ts';
import { expireOrders } from './orders/expire-orders.ts';
import { forgetOrderKeys } from './orders/store.ts';
import { fetchEvents } from './payments/events/fetch-events.ts';
import { reconcile } from './payments/events/reconcile.ts';
import { createOrderPayments } from './payments/order-payments.ts';
import { deleteEventsBefore } from './payments/store.ts';
import { forgetRequestKeys } from './platform/database/run-once.ts';
import { purgeRates } from './platform/http/limits/rate-counts.ts';
import type { Job } from './platform/jobs/run-jobs.ts';
import type { Services } from './services.ts';
import { purgePasswordRequests } from './users/store.ts';

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
  { name: 'purge-expired', cron: '17 * * * *', run: () => purgeExpired(services) },
  { name: 'forget-keys-and-imports', cron: '33 4 * * *', run: () => forgetKeysAndImports(services) },
  { name: 'forget-payment-events', cron: '37 3 * * *', run: () => forgetPaymentEvents(services) },
];

type Purged = Pick<Services, 'database' | 'clock' | 'tokens' | 'identity'>;

/** Deletes tokens, accounts, requests, counts and downloads whose time has passed. */
export async function purgeExpired({ database: { db }, clock, tokens, identity }: Purged): Promise<void> {
  await tokens.purgeExpired();
  await identity.purgeExpired?.();
  await purgePasswordRequests(db, clock.now());
  await purgeRates(db);
  await purgeDownloads(db, clock.now());
}

const daysAgo = ({ clock }: Pick<Services, 'clock'>, days: number): Date =>
  new Date(clock.now().getTime() - days * 24 * 3_600_000);

/** Deletes expired idempotency keys and imports. */
export async function forgetKeysAndImports(services: Pick<Services, 'database' | 'clock'>): Promise<void> {
  const { db } = services.database;
  const before = daysAgo(services, IDEMPOTENCY_KEY_DAYS);
  await forgetRequestKeys(db, before);
  await forgetOrderKeys(db, before);
  await forgetImports(db, before, daysAgo(services, 1));
}

/** Stripe lists events for thirty days. Processing an older one again has no effect. */
const PAYMENT_EVENT_DAYS = 30;

export async function forgetPaymentEvents(
  services: Pick<Services, 'database' | 'clock' | 'payments'>,
): Promise<void> {
  const before = daysAgo(services, PAYMENT_EVENT_DAYS);
  await deleteEventsBefore(services.database.db, before);
  await services.payments.pruneEvents?.(before);
}
