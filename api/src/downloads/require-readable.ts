import { type CheckedDownloadRequest, createDownload } from '@parts-forge/contract/downloads';
import { listOrders } from '@parts-forge/contract/orders';
import { type Policy, policies, refuseByRole } from '@parts-forge/contract/policies';
import { sameEmail } from '@parts-forge/contract/text';
import { findOrderEvenClosed } from '#src/orders/store.ts';
import { Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { type Actor, requireOwner } from '#src/platform/http/calls/access.ts';

/** Who wants a file; a second factor was asked for when the link was made. */
export type Reader = Pick<Actor, 'userId' | 'email' | 'role' | 'lacksSecondFactor'>;

/**
 * A file is for whoever may read what is in it by the calls.
 * @throws Problem `admin-needed`, `second-factor-required`, `not-yours`, `not-found`
 */
export async function requireReadable(
  db: Executor,
  reader: Reader,
  request: CheckedDownloadRequest,
): Promise<void> {
  switch (request.what) {
    case 'invoice':
    case 'credit-note': {
      const unsafeOrder = await findOrderEvenClosed(db, request.order);
      if (!unsafeOrder) throw new Problem('not-found');
      return requireOwner(createDownload, reader, unsafeOrder.userId === reader.userId);
    }
    case 'orders': {
      const { email } = request.filters ?? {};
      if (email !== undefined) return requireOwner(listOrders, reader, sameEmail(reader.email, email));
      // A customer's own are meant; everybody's are for administrators alone.
      return reader.role === 'admin' ? requireRole(reader, policies.listOrders) : undefined;
    }
    case 'activity':
      return requireRole(reader, policies.listActivity);
    case 'stock':
      return requireRole(reader, policies.readStockLedger);
  }
}

function requireRole({ role, lacksSecondFactor }: Reader, policy: Policy): void {
  const refusal = refuseByRole(policy, role, false, lacksSecondFactor);
  if (refusal !== null) throw new Problem(refusal);
}
