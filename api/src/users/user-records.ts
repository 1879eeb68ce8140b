import type { UserData } from '@parts-forge/contract/accounts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { UserRow } from './store.ts';

/** Other domains' records of a person; `app.ts` connects them. */
export interface UserRecords {
  /** Open orders that wait for payment. */
  countUnpaidOrders(tx: Executor, userId: string): Promise<number>;
  /** All orders, closed ones included, newest first. */
  findOrders(db: Executor, userId: string, limit: number): Promise<UserData['orders']>;
  /** Sums in cents, the number of open orders, and the newest one's time. */
  sumOrders(
    db: Executor,
    userId: string,
  ): Promise<{
    count: number;
    paidCents: number;
    waitingCents: number;
    unpaidCents: number;
    refundedCents: number;
    newestAt: Date | null;
  }>;
  /** Time of the newest access token still stored. */
  findNewestToken(db: Executor, userId: string): Promise<Date | null>;
  /** Invoices and credit notes, newest first. */
  findInvoices(db: Executor, userId: string, limit: number): Promise<UserData['invoices']>;
  findReviews(db: Executor, userId: string, limit: number): Promise<UserData['reviews']>;
  /** The unplaced batch. */
  findBatch(db: Executor, userId: string): Promise<UserData['batch']>;
  deleteBatch(tx: Executor, userId: string): Promise<void>;
  deleteReviews(tx: Executor, userId: string): Promise<void>;
  /** Mails of the last thirty days, newest first. */
  findMails(db: Executor, userId: string): Promise<UserData['mails']>;
  /** Drops the person's waiting mails. */
  dropMails(tx: Executor, userId: string, now: Date): Promise<void>;
  /** The person's sign-in methods, and their data at the shop's own identity service. */
  readSignIn(db: Executor, user: UserRow): Promise<UserData['signIn']>;
}
