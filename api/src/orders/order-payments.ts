import type { Executor } from '#src/platform/database/connection.ts';

/** The orders' port to payments, so that orders import none of them. */
export interface OrderPayments {
  /** Whether a payment may still complete. The caller holds the order's lock in `tx`. */
  hasOpen(tx: Executor, orderId: string): Promise<boolean>;
  /**
   * Closes the open payment at the provider, so that it can never be charged. Does nothing when there is
   * none.
   * @throws Problem `already-paid`, `payment-processing` when the customer was faster
   * @throws ProviderError; nothing has changed then
   */
  closeOpen(orderId: string): Promise<void>;
  /**
   * Stores refunds and disputes from the provider; closes an order whose money is gone.
   * @throws Problem `unknown-payment`
   * @throws ProviderError
   */
  refreshMoney(orderId: string): Promise<void>;
}
