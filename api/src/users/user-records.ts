import type { UserData } from '@parts-forge/contract/accounts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { UserRow } from './store.ts';

/** What users need to know of other domains' records of a person; `app.ts` joins them. */
export interface UserRecords {
  /** Orders that stand and wait for their payment. */
  countUnpaidOrders(tx: Executor, userId: string): Promise<number>;
  /** Those that ended too, the newest first. */
  findOrders(db: Executor, userId: string, limit: number): Promise<UserData['orders']>;
  /** What they come to in cents, how many stand, and when the newest of those was placed. */
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
  /** When the person last got an access token, as far as there is one yet. */
  findNewestToken(db: Executor, userId: string): Promise<Date | null>;
  /** Their invoices and credit notes, the newest first. */
  findInvoices(db: Executor, userId: string, limit: number): Promise<UserData['invoices']>;
  findReviews(db: Executor, userId: string, limit: number): Promise<UserData['reviews']>;
  /** What was put together and not placed yet. */
  findBatch(db: Executor, userId: string): Promise<UserData['batch']>;
  deleteBatch(tx: Executor, userId: string): Promise<void>;
  deleteReviews(tx: Executor, userId: string): Promise<void>;
  /** Those of the last thirty days, the newest first. */
  findMails(db: Executor, userId: string): Promise<UserData['mails']>;
  /** What waits to be mailed to the person is not sent any more. */
  dropMails(tx: Executor, userId: string, now: Date): Promise<void>;
  /** What opens the account, and what the identity service keeps about the person, where that is the shop's. */
  readSignIn(db: Executor, user: UserRow): Promise<UserData['signIn']>;
}
