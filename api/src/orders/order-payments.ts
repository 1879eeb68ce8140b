import type { Executor } from '#src/platform/database/connection.ts';

/**
 * What orders need to know of their payments. The payments implement it and `app.ts` joins them, so that payments
 * know orders and orders know no payment.
 */
export interface OrderPayments {
  /** Whether a customer may still complete a payment of the order. The caller holds the order's lock in `tx`. */
  hasOpen(tx: Executor, orderId: string): Promise<boolean>;
  /**
   * Closes the order's open payment at the provider, so that it can never be charged. Harmless when there is none.
   * @throws Problem `already-paid`, `payment-processing` when the customer was faster
   * @throws ProviderError; everything is then as it was
   */
  closeOpen(orderId: string): Promise<void>;
  /**
   * Asks the provider what has become of the money of an order that was paid for, and writes it to the order: what
   * was given back, and whether it is disputed. An order without its money is closed by this.
   * @throws Problem `unknown-payment`
   * @throws ProviderError
   */
  refreshMoney(orderId: string): Promise<void>;
}
