import type { Executor } from '#src/platform/database/connection.ts';

/** A port, so that orders import no payments. */
export interface OrderPayments {
  /** The caller holds the lock. */
  hasOpen(tx: Executor, orderId: string): Promise<boolean>;
  /**
   * Then the payment can never be charged.
   * @throws Problem `already-paid`, `payment-processing`
   * @throws ProviderError; nothing has changed
   */
  closeOpen(orderId: string): Promise<void>;
  /** Closes a fully refunded order. @throws Problem `unknown-payment`; ProviderError */
  refreshMoney(orderId: string): Promise<void>;
}
