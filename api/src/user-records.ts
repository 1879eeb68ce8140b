import type { UserData } from '@parts-forge/contract/accounts';
import { toAmount } from '@parts-forge/contract/money';
import { findInvoicesOfUser, formatNumber, type InvoiceRow } from './invoices/store.ts';
import { dropMailsTo, findMailsTo, type MailRow } from './mail-outbox/store.ts';
import { countUnpaidOrders, findAllOrders } from './orders/store.ts';
import { deleteReviews, findReviewsByUser } from './reviews/store.ts';
import type { Services } from './services.ts';
import type { UserRecords } from './users/user-records.ts';

/** What the other domains keep about a person. */
export const createUserRecords = ({ identity }: Pick<Services, 'identity'>): UserRecords => ({
  countUnpaidOrders,
  findOrders: findAllOrders,
  findInvoices: async (db, userId) => (await findInvoicesOfUser(db, userId)).map(toInvoice),
  findReviews: findReviewsByUser,
  deleteReviews,
  findMails: async (db, userId) => (await findMailsTo(db, userId)).map(toMail),
  dropMails: dropMailsTo,
  async readSignIn(db, { emailVerified, identityIssuer: issuer, identitySubject: subject }) {
    const account = subject === null ? null : await identity.readAccount?.(subject, db);
    return {
      emailVerified,
      identity: issuer === null || subject === null ? null : { issuer, subject },
      ...(account ?? { google: null, secondFactor: false, sessions: [] }),
    };
  },
});

const toInvoice = (row: InvoiceRow): UserData['invoices'][number] => ({
  number: formatNumber(row),
  at: row.issuedAt.toISOString(),
  order: row.orderId,
  amount: toAmount(row.totalCents),
  buyer: row.buyer,
});

const toMail = ({ createdAt, kind, state, orderId }: MailRow): UserData['mails'][number] => ({
  at: createdAt.toISOString(),
  kind,
  state,
  ...(orderId !== null && { order: orderId }),
});
