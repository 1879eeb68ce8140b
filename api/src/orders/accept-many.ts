import { MAX_CHOSEN_ORDERS } from '@parts-forge/contract/calls/bounds';
import type { actOnOrders, BulkResult } from '@parts-forge/contract/orders/order-bulk';
import { orderMoves } from '@parts-forge/contract/orders/order-states';
import type * as z from 'zod/mini';
import { gatherMails } from '#src/mail-outbox/write-mail.ts';
import { invalidField } from '#src/platform/core/problem.ts';
import type { Drizzle } from '#src/platform/database/connection.ts';
import { runOnce } from '#src/platform/database/run-once.ts';
import { type Administrator, actAs } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findOrdersSince } from '#src/trail/store.ts';
import { acceptPayment } from './accept-payment.ts';
import { findOrders } from './find-orders.ts';
import type { OrderPapers } from './order-papers.ts';
import type { OrderPayments } from './order-payments.ts';
import { tryLine } from './try-line.ts';

type BulkRequest = z.output<NonNullable<(typeof actOnOrders)['body']>>;

/** An acceptance mostly waits for the provider. */
const AT_ONCE = 4;

/**
 * Accepts each order in a transaction of its own. Repeated by `key`, it takes the same orders: those accepted
 * since the first request are `ok`, the others are tried again.
 * @returns a result for each order
 * @throws Problem `key-reused`; `invalid` for a filter that matches too many
 */
export async function acceptMany(
  platform: Platform,
  { payments, papers }: { payments: Pick<OrderPayments, 'refreshMoney'>; papers: OrderPapers },
  administrator: Administrator,
  request: BulkRequest,
  key: string | undefined,
): Promise<BulkResult[]> {
  const { db } = platform.database;
  const now = platform.clock.now();
  // Begun before the transaction, which holds a connection of its own. A repetition ignores its refusal.
  const [chosen] = await Promise.allSettled([chooseOrders(db, papers, request)]);
  const choose = async () => {
    if (chosen.status === 'rejected') throw chosen.reason;
    return { ids: chosen.value, since: now.toISOString() };
  };
  const { userId } = administrator;
  const run = await (key === undefined
    ? choose()
    : actAs(platform.changes, administrator, (tx) =>
        runOnce(tx, { userId, key, meaning: ['accept', request], now }, choose),
      ));
  const refused = new Map<string, BulkResult>();
  const waiting = run.ids.values();
  const acceptInTurn = async () => {
    for (const id of waiting) {
      const result = await tryLine(platform, id, () =>
        acceptPayment(platform, payments, administrator, id, {}),
      );
      if (!result.ok) refused.set(id, result);
    }
  };
  await gatherMails(platform, () => Promise.all(Array.from({ length: AT_ONCE }, acceptInTurn)));
  const isRepeated = run.since !== now.toISOString();
  const earlier = isRepeated ? await findOrdersSince(db, 'accepted', new Date(run.since), MOST_SINCE) : [];
  for (const id of earlier) refused.delete(id);
  return run.ids.map((id) => refused.get(id) ?? { id, ok: true });
}

/** Acceptances between a request and its repetition. */
const MOST_SINCE = 10_000;

async function chooseOrders(
  db: Drizzle,
  papers: OrderPapers,
  { ids, filter }: BulkRequest,
): Promise<string[]> {
  if (ids) return ids;
  const { user: userId, ...search } = filter ?? {};
  const { rows } = await findOrders(db, papers, {
    status: orderMoves.accept.from,
    ...search,
    userId,
    sort: 'oldest',
    limit: MAX_CHOSEN_ORDERS + 1,
    withoutTotal: true,
  });
  if (rows.length <= MAX_CHOSEN_ORDERS) return rows.map(({ _id }) => _id);
  throw invalidField('filter', `Must match no more than ${MAX_CHOSEN_ORDERS} orders`);
}
