import type { UserData } from '@parts-forge/contract/people/accounts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { UserRow } from './store.ts';

/** `app.ts` connects the other domains. */
export interface UserRecords {
  /** Open orders that wait for payment. */
  countUnpaidOrders(tx: Executor, userId: string): Promise<number>;
  /** Including closed ones, newest first. */
  findOrders(db: Executor, userId: string, limit: number): Promise<UserData['orders']>;
  /** In cents; `count` and `newestAt` cover open orders. */
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
  findNewestToken(db: Executor, userId: string): Promise<Date | null>;
  /** Including credit notes, newest first. */
  findInvoices(db: Executor, userId: string, limit: number): Promise<UserData['invoices']>;
  findReviews(db: Executor, userId: string, limit: number): Promise<UserData['reviews']>;
  /** Returns the batch that is not placed yet. */
  findBatch(db: Executor, userId: string): Promise<UserData['batch']>;
  findAliases(db: Executor, userId: string): Promise<UserData['aliases']>;
  /** With the names of parts. */
  deleteBatch(tx: Executor, userId: string): Promise<void>;
  findWishes(db: Executor, userId: string): Promise<UserData['wishes']>;
  deleteWishes(tx: Executor, userId: string): Promise<unknown>;
  /** With quotes, the newest first. */
  findPrices(db: Executor, userId: string): Promise<Pick<UserData, 'prices' | 'quotes'>>;
  /** With quotes, and the address in files of prices. */
  deletePrices(tx: Executor, userId: string): Promise<void>;
  deleteReviews(tx: Executor, userId: string): Promise<void>;
  /** Names and addresses of closed orders that were never paid. */
  eraseUnpaidOrders(tx: Executor, userId: string): Promise<void>;
  /** Reads thirty days, the newest mail first. */
  findMails(db: Executor, userId: string): Promise<UserData['mails']>;
  dropMails(tx: Executor, userId: string, now: Date): Promise<void>;
  /** That the person made, or took over. */
  switchOffWebhooks(tx: Executor, userId: string, now: Date): Promise<void>;
  /** Includes data of the shop's own identity service. */
  readSignIn(db: Executor, user: UserRow): Promise<UserData['signIn']>;
}
