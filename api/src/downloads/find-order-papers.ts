import { hasCreditNote, hasInvoice } from '@parts-forge/contract/files/downloads';
import { issueEarlierInvoice } from '#src/invoices/issue-invoice.ts';
import type { Paper } from '#src/invoices/read-papers.ts';
import { findInvoice, findNotes } from '#src/invoices/store.ts';
import { findOrdersEvenClosed, lockOrder, toOrder } from '#src/orders/store.ts';
import { issueNotes } from '#src/payments/refunds/issue-notes.ts';
import { Problem } from '#src/platform/core/problem.ts';
import type { Platform } from '#src/platform/platform.ts';

type Services = Pick<Platform, 'config' | 'ids' | 'clock' | 'copiedAt' | 'database'>;

/**
 * Missing ones, from before invoices existed or from a copy, are issued now with today's date, so that
 * numbers rise with dates.
 * @throws Problem `no-invoice`, `no-credit-note`
 */
export async function findOrderPapers(
  services: Services,
  orderId: string,
  what: 'invoice' | 'credit-note',
): Promise<Paper[]> {
  await issueMissing(services, orderId, what);
  const { db } = services.database;
  const invoice = await findInvoice(db, orderId);
  if (what === 'invoice' && invoice) return [{ row: invoice, invoice: null }];
  const notes = what === 'credit-note' ? await findNotes(db, orderId) : [];
  if (notes.length > 0) return notes.map((row) => ({ row, invoice }));
  throw new Problem(what === 'invoice' ? 'no-invoice' : 'no-credit-note', {
    ...(services.copiedAt !== null && {
      detail:
        'This shop was restored from a backup: it issues no invoices before it was started with --take-over.',
    }),
  });
}

/**
 * Issues the missing papers of many orders, like `findOrderPapers` one order at a time.
 * @throws Problem `no-invoice` that names the orders
 */
export async function issueMissingPapers(services: Services, orderIds: readonly string[]): Promise<void> {
  const { db } = services.database;
  const without: number[] = [];
  for (const order of await findOrdersEvenClosed(db, orderIds)) {
    const { id, number } = order;
    const find = () => findInvoice(db, id);
    const invoice = (await find()) ?? (await issueMissing(services, id, 'invoice').then(find));
    if (!invoice) without.push(number);
    else if (hasCreditNote(toOrder(order))) await issueMissing(services, id, 'credit-note');
  }
  if (without.length === 0) return;
  const detail = `These orders have no invoice: ${without.sort((a, b) => a - b).join(', ')}`;
  throw new Problem('no-invoice', { detail });
}

function issueMissing(services: Services, orderId: string, what: 'invoice' | 'credit-note'): Promise<void> {
  return services.database.db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order || !hasInvoice(order)) return;
    if (what === 'invoice') await issueEarlierInvoice(tx, services, order);
    else await issueNotes(tx, services, [order]);
  });
}
