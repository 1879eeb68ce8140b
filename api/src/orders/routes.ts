import { policies } from '@parts-forge/contract/calls/policies';
import { placeBatch as placeBatchCall } from '@parts-forge/contract/orders/batch';
import {
  actOnOrders,
  addShipments,
  cancelOrders,
  removeShipments,
} from '@parts-forge/contract/orders/order-bulk';
import {
  acceptPayment as acceptPaymentCall,
  type ClosedFilter,
  cancelOrder as cancelOrderCall,
  correctAddress as correctAddressCall,
  countOrders as countOrdersCall,
  listOrders,
  placeOrder as placeOrderCall,
  readOrder,
} from '@parts-forge/contract/orders/orders';
import { addShipment, removeShipment } from '@parts-forge/contract/orders/shipments';
import type { FastifyInstance } from 'fastify';
import {
  type Actor,
  requireOwnEmail,
  requireOwnOrder,
  requireScopeOf,
} from '#src/platform/http/calls/access.ts';
import { serveCall, serveList } from '#src/platform/http/calls/serve-call.ts';
import type { Platform } from '#src/platform/platform.ts';
import { acceptMany } from './accept-many.ts';
import { acceptPayment } from './accept-payment.ts';
import { cancelMany, cancelOrder } from './cancel-order.ts';
import { completeOrders } from './complete-orders.ts';
import { correctAddress } from './correct-address.ts';
import { countOrders, countToSend } from './count-orders.ts';
import { findOrders, matchesScope } from './find-orders.ts';
import type { OrderPapers } from './order-papers.ts';
import type { OrderPayments } from './order-payments.ts';
import { openOrderQueue } from './order-queue.ts';
import { placeBatch } from './place-batch.ts';
import { placeOrder } from './place-order.ts';
import { countRowsByState } from './purchase-rows.ts';
import { previewParcels, shipMany } from './ship-many.ts';
import { removeParcel, removeParcels, shipParcel } from './ship-parcel.ts';
import { toShipment } from './shipments-store.ts';
import { findOrderEvenClosed, type OrderRow, toOrder } from './store.ts';

interface Whose {
  email?: string | undefined;
  user?: string | undefined;
}

export function registerOrders(
  app: FastifyInstance,
  platform: Platform,
  payments: OrderPayments,
  papers: OrderPapers,
): void {
  const queue = openOrderQueue(platform.database, platform.config);

  serveCall(app, placeOrderCall, async ({ actor, body, headers }) => ({
    insertedId: await placeOrder(platform, queue, actor, body, headers['idempotency-key']),
  }));

  serveCall(app, placeBatchCall, ({ actor, body, headers }) =>
    placeBatch(platform, actor, body, headers['idempotency-key']),
  );

  registerReads(app, platform, papers);

  serveCall(app, cancelOrderCall, async ({ actor, params: { id } }) => {
    await cancelOrder(platform, payments, actor, id);
    return { deletedCount: 1 };
  });

  serveCall(app, cancelOrders, async ({ actor, body }) => ({
    data: await cancelMany(platform, payments, actor, body.ids),
  }));

  serveCall(app, acceptPaymentCall, async ({ actor, params: { id }, body }) => {
    await acceptPayment(platform, payments, actor, id, body);
    return { acknowledged: true };
  });

  serveCall(app, correctAddressCall, async ({ actor, params: { id }, body }) => {
    await correctAddress(platform, actor, id, body);
    return { acknowledged: true };
  });

  serveCall(app, actOnOrders, async ({ actor, body, headers }) => {
    if (body.filter) requireScopeOf(policies.listOrders, actor);
    const key = headers['idempotency-key'];
    return { data: await acceptMany(platform, { payments, papers }, actor, body, key) };
  });

  registerShipments(app, platform);
}

function registerReads(app: FastifyInstance, platform: Platform, papers: OrderPapers): void {
  const { db } = platform.database;

  /** By account, as an address may have belonged to another account. */
  const readWhose = (call: typeof listOrders | typeof countOrdersCall, actor: Actor, query: Whose) => {
    const { email, user } = query;
    if (email !== undefined) requireOwnEmail(call, actor, email);
    return actor.role === 'admin' ? { email, userId: user } : { email: undefined, userId: actor.userId };
  };

  serveList(app, listOrders, async ({ actor, query: { user, rows, ...search } }) =>
    findOrders(db, papers, {
      ...search,
      rowsAsOf: rows && platform.clock.now(),
      ...readWhose(listOrders, actor, { ...search, user }),
    }),
  );

  serveCall(app, countOrdersCall, async ({ actor, query: { user, rows, ...scope } }) => {
    const filter = matchesScope({ ...scope, ...readWhose(countOrdersCall, actor, { ...scope, user }) });
    if (rows) return countRowsByState(db, filter);
    const [counts, toSend] = await Promise.all([countOrders(db, filter), countToSend(db, filter)]);
    return { ...counts, toSend };
  });

  serveCall(app, readOrder, async ({ actor, params: { id }, query: { closed } }) => {
    const found = await findOrderEvenClosed(db, id);
    const row = requireOwnOrder(readOrder, actor, found && isShown(found, closed) ? found : null);
    const [order] = await completeOrders(db, papers, [toOrder(row)]);
    if (!order) throw new Error('An order was lost on the way to its answer.');
    return order;
  });
}

function registerShipments(app: FastifyInstance, platform: Platform): void {
  serveCall(app, addShipment, async ({ actor, params: { id }, body }) => ({
    data: toShipment(await shipParcel(platform, actor, id, body)),
  }));

  serveCall(app, addShipments, async ({ actor, body: { preview, parcels } }) => {
    if (preview) requireScopeOf(policies.readOrder, actor);
    return { data: await (preview ? previewParcels : shipMany)(platform, actor, parcels) };
  });

  serveCall(app, removeShipment, async ({ actor, params: { id, shipment } }) => {
    await removeParcel(platform, actor, id, (parcel) => parcel.id === shipment);
    return { deletedCount: 1 };
  });

  serveCall(app, removeShipments, async ({ actor, body: { ids, ...parcel } }) => ({
    data: await removeParcels(platform, actor, ids, parcel),
  }));
}

const isShown = ({ closed }: OrderRow, filter: ClosedFilter): boolean =>
  closed === null || filter === 'true' || filter === closed;
