import { type Policy, policies, refuseByRole } from '@parts-forge/contract/calls/policies';
import { type CheckedDownloadRequest, createDownload } from '@parts-forge/contract/files/downloads';
import { listOrders } from '@parts-forge/contract/orders/orders';
import { sameEmail } from '@parts-forge/contract/text/text';
import { findOrdersEvenClosed } from '#src/orders/store.ts';
import { Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { type Actor, requireOwner, requireOwnOrder } from '#src/platform/http/calls/access.ts';

/** The second factor was checked when the link was created. */
export type Reader = Pick<Actor, 'userId' | 'email' | 'role' | 'lacksSecondFactor' | 'key'>;

/** Its scopes are the file's. */
export const policyOfRows: Record<CheckedDownloadRequest['what'], Policy> = {
  invoice: policies.readOrder,
  'credit-note': policies.readOrder,
  invoices: policies.listOrders,
  orders: policies.listOrders,
  activity: policies.listActivity,
  stock: policies.readStockLedger,
  month: policies.readMonth,
  catalogue: policies.readImport,
  import: policies.readImport,
  'own-names': policies.listAliases,
};

/**
 * Applies the rules of the matching read call.
 * @throws Problem `admin-needed`, `second-factor-required`, `not-yours`, `not-found`
 */
export async function requireReadable(
  db: Executor,
  reader: Reader,
  request: CheckedDownloadRequest,
): Promise<void> {
  switch (request.what) {
    case 'invoice':
    case 'credit-note':
      return requireOrders(db, reader, [request.order]);
    case 'invoices':
    case 'month':
      if ('orders' in request && request.orders) return requireOrders(db, reader, request.orders);
      // Customers get their own papers, administrators all.
      return reader.role === 'admin' ? requireRole(reader, policies.readMonth) : undefined;
    case 'orders': {
      const { email } = request.filters ?? {};
      if (email !== undefined) return requireOwner(listOrders, reader, sameEmail(reader.email, email));
      // Customers get their own orders, administrators all.
      return reader.role === 'admin' ? requireRole(reader, policies.listOrders) : undefined;
    }
    default:
      return requireRole(reader, policyOfRows[request.what]);
  }
}

async function requireOrders(db: Executor, reader: Reader, ids: readonly string[]): Promise<void> {
  const orders = await findOrdersEvenClosed(db, ids);
  if (orders.length < ids.length) throw new Problem('not-found');
  for (const order of orders) requireOwnOrder(createDownload, reader, order);
}

function requireRole({ role, lacksSecondFactor }: Reader, policy: Policy): void {
  const refusal = refuseByRole(policy, role, false, lacksSecondFactor);
  if (refusal !== null) throw new Problem(refusal);
}
