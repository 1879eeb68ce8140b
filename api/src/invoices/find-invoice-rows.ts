import { hasCreditNote, hasInvoice } from '@parts-forge/contract/downloads';
import { findOrdersEvenClosed, lockOrder, toOrder } from '#src/orders/store.ts';
import { Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Platform } from '#src/platform/platform.ts';
import { issueEarlierInvoice, issueNotes } from './issue-invoice.ts';
import { findInvoice, findNotes, type InvoiceRow } from './store.ts';

/** Credit and debit notes come with their invoice. */
export type InvoiceRows =
  | { what: 'invoice'; invoice: InvoiceRow }
  | { what: 'credit-note'; invoice: InvoiceRow; notes: readonly InvoiceRow[] };

type Services = Pick<Platform, 'config' | 'ids' | 'clock' | 'copiedAt' | 'database'>;

/**
 * Missing ones, from before invoices existed or from a copy, are issued now with today's date, so that
 * numbers rise with dates.
 * @throws Problem `no-invoice`, `no-credit-note`
 */
export async function findInvoiceRows(
  services: Services,
  orderId: string,
  what: InvoiceRows['what'],
): Promise<InvoiceRows> {
  const rows = await issueMissingRows(services, orderId, what);
  if (rows) return rows;
  throw new Problem(what === 'invoice' ? 'no-invoice' : 'no-credit-note', {
    ...(services.copiedAt !== null && {
      detail:
        'This shop was restored from a backup: it issues no invoices before it was started with --take-over.',
    }),
  });
}

/**
 * Issues the missing papers of many orders, like `findInvoiceRows` one order at a time.
 * @throws Problem `no-invoice` that names the orders
 */
export async function issueMissingPapers(services: Services, orderIds: readonly string[]): Promise<void> {
  const { db } = services.database;
  const without: number[] = [];
  for (const order of await findOrdersEvenClosed(db, orderIds)) {
    const { id, number } = order;
    const isInvoiced = (await findInvoice(db, id)) ?? (await issueMissingRows(services, id, 'invoice'));
    if (!isInvoiced) without.push(number);
    else if (hasCreditNote(toOrder(order))) await issueMissingRows(services, id, 'credit-note');
  }
  if (without.length === 0) return;
  const detail = `These orders have no invoice: ${without.sort((a, b) => a - b).join(', ')}`;
  throw new Problem('no-invoice', { detail });
}

async function lookUpRows(
  db: Executor,
  orderId: string,
  what: InvoiceRows['what'],
): Promise<InvoiceRows | null> {
  const invoice = await findInvoice(db, orderId);
  if (!invoice) return null;
  if (what === 'invoice') return { what, invoice };
  const notes = await findNotes(db, orderId);
  return notes.length > 0 ? { what, invoice, notes } : null;
}

function issueMissingRows(
  services: Services,
  orderId: string,
  what: InvoiceRows['what'],
): Promise<InvoiceRows | null> {
  return services.database.db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order || !hasInvoice(order)) return null;
    if (what === 'invoice') await issueEarlierInvoice(tx, services, order);
    else await issueNotes(tx, services, [order]);
    return lookUpRows(tx, orderId, what);
  });
}
