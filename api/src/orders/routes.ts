import {
  idempotencyKeyPattern,
  listOrders,
  placeOrder as placeOrderCall,
  readOrder,
} from '@parts-forge/contract/orders';
import { PAGE_LIMIT } from '@parts-forge/contract/paging';
import { cleaned } from '@parts-forge/contract/text';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireOwnEmailOrAdmin } from '#src/platform/http/access.ts';
import { sendPageHeaders } from '#src/platform/http/paging.ts';
import { invalidField, Problem } from '#src/platform/http/problem.ts';
import { serveCall } from '#src/platform/http/serve-call.ts';
import type { Services } from '#src/services.ts';
import { placeOrder } from './place-order.ts';
import { findOrder, findOrders, toOrder } from './store.ts';

export function registerOrders(app: FastifyInstance, services: Services): void {
  const { db } = services.database;

  serveCall(app, placeOrderCall, async ({ actor, body, request }) => ({
    insertedId: await placeOrder(services, actor, body, idempotencyKeyOf(request)),
  }));

  serveCall(
    app,
    listOrders,
    async ({ actor, query, request, reply }) => {
      if (query.email !== undefined) requireOwnEmailOrAdmin(actor, query.email);
      const page = await findOrders(db, {
        limit: query.limit ?? PAGE_LIMIT,
        after: query.after,
        status: query.status,
        q: cleaned(query.q ?? '', false) || undefined,
        ...(actor.role === 'admin' ? { email: query.email } : { userId: actor.userId }),
      });
      sendPageHeaders(request, reply, page);
      return { data: page.rows.map(toOrder) };
    },
    {
      refuseByRole: (actor, request) => {
        const { email } = request.query as { email?: unknown };
        if (email === undefined && actor.role !== 'admin') throw new Problem('admin-needed');
      },
    },
  );

  serveCall(app, readOrder, async ({ actor, params: { id = '' } }) => {
    const unsafeOrder = await findOrder(db, id);
    if (!unsafeOrder || (actor.role !== 'admin' && unsafeOrder.userId !== actor.userId)) {
      throw new Problem('not-found');
    }
    return toOrder(unsafeOrder);
  });
}

/** @throws Problem `invalid` for a key that is empty, longer than 255 characters or not printable ASCII */
function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !idempotencyKeyPattern.test(key)) {
    throw invalidField('Idempotency-Key', 'Must be 1 to 255 printable characters without spaces');
  }
  return key;
}
