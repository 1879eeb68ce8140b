import type { Executor } from '#src/platform/database/connection.ts';

/** A port, so that orders import no payments. */
export interface OrderPayments {
  /** The caller holds the order's lock in `tx`. */
  hasOpen(tx: Executor, orderId: string): Promise<boolean>;
  /**
   * The payment can never be charged after. Does nothing without one.
   * @throws Problem `already-paid`, `payment-processing` when the customer was faster
   * @throws ProviderError; nothing has changed then
   */
  closeOpen(orderId: string): Promise<void>;
  /**
   * Stores refunds and disputes; closes an order whose money is gone.
   * @throws Problem `unknown-payment`
   * @throws ProviderError
   */
  refreshMoney(orderId: string): Promise<void>;
}
