import { toAmount } from '@parts-forge/contract/money/money';
import { formatNumber } from '@parts-forge/contract/money/papers';
import type { BatchLine } from '@parts-forge/contract/orders/batch';
import type { UserData } from '@parts-forge/contract/people/accounts';
import { findAllAliases } from './batch/aliases-store.ts';
import { readBatch } from './batch/read-batch.ts';
import { deleteBatch } from './batch/store.ts';
import { forgetCustomer } from './catalogue/store.ts';
import { findNewestToken } from './identity/access-token.ts';
import { findKeys } from './identity/keys.ts';
import { orderPapers } from './invoices/order-papers.ts';
import { findInvoicesOfUser, type InvoiceRow } from './invoices/store.ts';
import { dropMailsTo, findMailsTo, type MailRow } from './mail-outbox/store.ts';
import { countUnpaidOrders, sumCustomerOrders } from './orders/count-orders.ts';
import { findAllOrders } from './orders/find-orders.ts';
import { eraseUnpaidOrders, findPayers } from './orders/store.ts';
import { wasPaid } from './payments/store.ts';
import { findPersonPrices } from './prices/find-prices.ts';
import { deletePrices } from './prices/quotes.ts';
import { deleteReviews, findReviewsByUser } from './reviews/store.ts';
import type { Services } from './services.ts';
import type { UserRecords } from './users/user-records.ts';
import { switchOffWebhooks } from './webhooks/webhooks.ts';
import { deleteWishes, findWishes } from './wishes/store.ts';

/** The other domains' records of a person. */
export const createUserRecords = ({
  config,
  identity,
  clock,
  ids,
}: Pick<Services, 'config' | 'identity' | 'clock' | 'ids'>): UserRecords => ({
  countUnpaidOrders,
  findOrders: (db, userId, limit) => findAllOrders(db, orderPapers, userId, limit),
  findInvoices: async (db, userId, limit) => (await findInvoicesOfUser(db, userId, limit)).map(toInvoice),
  sumOrders: sumCustomerOrders,
  findReviews: (db, userId, limit) => findReviewsByUser(db, { findPayers }, userId, limit),
  findNewestToken,
  findBatch: async (db, userId) => (await readBatch(db, { clock, config }, userId)).map(toBatchLine),
  findAliases: findAllAliases,
  deleteBatch,
  findWishes,
  deleteWishes,
  findPrices: findPersonPrices,
  async deletePrices(tx, userId) {
    await deletePrices(tx, userId);
    await forgetCustomer(tx, userId);
  },
  deleteReviews,
  eraseUnpaidOrders: (tx, userId) => eraseUnpaidOrders(tx, userId, wasPaid),
  findMails: async (db, userId) => (await findMailsTo(db, userId)).map(toMail),
  dropMails: dropMailsTo,
  switchOffWebhooks: (tx, userId, now) => switchOffWebhooks(tx, { ids }, userId, now),
  async readSignIn(db, { id: userId, emailVerified, identityIssuer: issuer, identitySubject: subject }) {
    const account = subject === null ? null : await identity.readAccount?.(subject, db);
    return {
      emailVerified,
      identity: issuer === null || subject === null ? null : { issuer, subject },
      keys: await findKeys(db, { userId, role: 'user' }, clock.now()),
      ...(account ?? { google: null, secondFactor: false, sessions: [] }),
    };
  },
});

const toBatchLine = ({ product, quantity, updatedAt }: BatchLine): UserData['batch'][number] => ({
  product: product._id,
  name: product.name,
  quantity,
  at: updatedAt,
});

const toInvoice = (row: InvoiceRow): UserData['invoices'][number] => ({
  number: formatNumber(row),
  at: row.issuedAt.toISOString(),
  order: row.orderId,
  amount: toAmount(row.totalCents),
  buyer: describeBuyer(row.buyer),
  ...(row.tax?.reason && { taxReason: row.tax.reason }),
});

const describeBuyer = ({ country, company, taxNumber, ...buyer }: InvoiceRow['buyer']) => ({
  ...buyer,
  ...(company && { company }),
  ...(taxNumber && { taxNumber }),
  ...(country && { country: country.code }),
});

const toMail = ({ createdAt, kind, state, orderId }: MailRow): UserData['mails'][number] => ({
  at: createdAt.toISOString(),
  kind,
  state,
  ...(orderId !== null && { order: orderId }),
});
